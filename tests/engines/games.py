"""Small games that tic-tac-toe isn't: extra turns, scores, more seats, secrets, moves that are not listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kletka.games import Move, OpenGame, OpenState, Outcome, Reason
from kletka.games.contract import next_seat


@dataclass(frozen=True, repr=False)
class Heap(OpenGame):
    """Take 1 to 3 from a heap; who takes the last wins (in misère, loses). Taking 3 gives another turn."""

    options: tuple[int, int, bool, bool]
    family = "heap"

    @property
    def spec(self) -> str:
        return "heap:" + ",".join(map(str, self.options))

    @property
    def seats(self) -> int:
        return self.options[1]

    @property
    def actions(self) -> tuple[Move, ...] | None:
        return tuple(Move(str(n)) for n in (1, 2, 3)) if self.options[3] else None

    @property
    def hidden(self) -> bool:  # type: ignore[override]
        return False

    def start(self, setup: str | None = None) -> Heaped:
        return Heaped(self, self.options[0], 0, None)

    def parse(self, text: str) -> Move:
        return Move(text)

    def read(self, position: str) -> Heaped:
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class Heaped(OpenState):
    game: Heap
    left: int
    turn: int
    taker: int | None
    gone: frozenset[int] = frozenset()

    @property
    def to_move(self) -> int | None:
        return None if self.left == 0 else self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        return (0,) * self.game.seats

    @property
    def outcome(self) -> Outcome | None:
        if self.taker is None:
            return None
        everybody = frozenset(range(self.game.seats))
        winners = everybody - {self.taker} if self.game.options[2] else frozenset({self.taker})
        return Outcome(winners, self.scores, "last")

    def moves(self) -> Sequence[Move]:
        return tuple(Move(str(n)) for n in range(1, min(3, self.left) + 1))

    def refuses(self, move: str) -> tuple[Reason, ...]:
        return () if move in self.moves() else (Reason("notation"),)

    def play(self, move: Move) -> Any:
        taken = int(move)
        rest = self.left - taken
        after = self.turn if taken == 3 else next_seat(self.turn, self.game.seats, self.gone)
        return replace(self, left=rest, turn=after, taker=self.turn if rest == 0 else None)

    def without(self, seat: int) -> Heaped:
        return replace(self, gone=self.gone | {seat})

    def agreed(self) -> Outcome:
        return Outcome(frozenset(range(self.game.seats)), self.scores, "agreed")


def heap(size: int, seats: int = 2, misere: bool = False, closed: bool = True) -> Heap:
    """The game; not `closed`: without a list of all moves."""
    return Heap((size, seats, misere, closed))


@dataclass(frozen=True, repr=False)
class SecretHeap(Heap):
    """The same, calling itself a game of secrets."""

    @property
    def hidden(self) -> bool:  # type: ignore[override]
        return True
