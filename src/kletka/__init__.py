"""Kletka: pencil-and-paper games. `kletka.game(spec)` makes a game; everything else follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from kletka.drawing import letters as text
from kletka.drawing import picture as _picture
from kletka.games import (
    Game,
    IllegalMove,
    KletkaError,
    NotationError,
    Outcome,
    Reason,
    SpecError,
    State,
    game,
    perft,
)


class Picture(str):
    """An SVG text that notebooks show as a picture."""

    def _repr_svg_(self) -> str:
        return self


def draw(state: State, last: Sequence[str] = (), *, numbers: bool = False) -> Picture:
    """A picture of a position; `last` are the moves of the last turn, to be marked.

    `numbers` tell in which order marks were made, in games whose drawing knows it.
    """
    return Picture(_picture(state, last, numbers))


__all__ = [
    "Game",
    "IllegalMove",
    "KletkaError",
    "NotationError",
    "Outcome",
    "Picture",
    "Reason",
    "SpecError",
    "State",
    "draw",
    "game",
    "perft",
    "text",
]
