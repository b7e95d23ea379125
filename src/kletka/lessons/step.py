"""One step of a walk-through."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from kletka.games import game


@dataclass(frozen=True)
class Step:
    """A position and what is to be done there.

    `id` names the words within the family's: `learn.<family>.<id>` says what to do, `learn.<family>.<id>.done` what
    came of it. The step begins after `moves` from `position` (empty: from the start, with `setup` where there is one).
    `move` is what is wanted, `also` a regular expression of moves that do as well. With `refused` the rules refuse
    `move` with this code, and any move that they refuse so will do. Where `lays` is given, no move is wanted but a
    draft that holds these pieces, joined by `+`; `draft` is the draft to begin with.
    """

    id: str
    spec: str
    moves: tuple[str, ...] = ()
    move: str = ""
    also: str = ""
    refused: str = ""
    position: str = ""
    setup: str = ""
    draft: str = ""
    lays: str = ""

    def before(self) -> Any:
        """The state in which the step begins."""
        made = game(self.spec)
        state = made.read(self.position) if self.position else made.start(self.setup or None)
        for move in self.moves:
            state = state.play(made.parse(move))
        return state

    def fits(self, move: str) -> bool:
        """Whether a legal move is one of those that are wanted."""
        return move == self.move or bool(self.also and re.fullmatch(self.also, move))
