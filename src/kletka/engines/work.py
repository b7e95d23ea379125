"""Choosing a move in a worker process: everything comes and goes as plain text and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal

from kletka.engines.table import agrees, level
from kletka.games import State, game

Told = tuple[Literal["told", "from"], str] | tuple[Literal["left"], int]
"""An event as a seat heard it: a told move, or a seat that left; before all others the position to begin from."""


def rebuild(spec: str, told: Sequence[Told], seat: int | None = None) -> State:
    """The view of a seat from what it was told, in order. Raises KletkaError where that can't be."""
    view = game(spec).start().seen_by(seat)
    for event in told:
        if event[0] == "from":
            view = view.game.read(event[1]).seen_by(seat)
        else:
            view = view.hear(event[1]) if event[0] == "told" else view.without(event[1])
    return view


def choose_move(spec: str, told: Sequence[Told], number: int, seed: int, seat: int | None = None) -> str:
    """The move text that a level chooses for the seat to move; the same for the same arguments.

    `seat` is whose view the texts tell; it may be left out in open games. Raises ValueError where the game is
    over.
    """
    view = rebuild(spec, told, seat)
    return level(view.game, number).choose(view, Random(seed)).move


def would_agree(spec: str, told: Sequence[Told], seat: int) -> bool:
    """Whether an engine on that seat agrees to end here, after what the seat was told."""
    return agrees(rebuild(spec, told, seat), seat)
