"""Three seats, extra turns, leaving: take squares of a row; a square beside one of your own gives another turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kletka.drawing.scene import Mark, Name, PlainDrawing, Scene, TextPlan
from kletka.games import (
    Family,
    IllegalMove,
    Move,
    NotationError,
    OpenGame,
    OpenState,
    Outcome,
    Preset,
    Reason,
)
from kletka.games.contract import check_seat, next_seat
from kletka_test_games import WORDS, row


@dataclass(frozen=True)
class Options:
    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012
    long: bool = False


@dataclass(frozen=True, repr=False)
class Trio(OpenGame):
    family = "trio"
    options: Options

    @property
    def seats(self) -> int:
        return 3

    @property
    def actions(self) -> tuple[Move, ...]:
        return tuple(Move(f"{letter}1") for letter in ("abcdefghi" if self.options.long else "abcdefg"))

    def start(self, setup: str | None = None) -> Row:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Row(self, "." * len(self.actions), 0, frozenset())

    def parse(self, text: str) -> Move:
        if text.strip().lower() in self.actions:
            return Move(text.strip().lower())
        raise NotationError(0, "notation")

    def read(self, position: str) -> Row:
        squares, _, rest = position.partition(" ")
        turn, _, left = rest.partition(" ")
        if len(squares) != len(self.actions) or set(squares) - set(".012") or turn not in ("0", "1", "2"):
            raise NotationError(0, "position_sign")
        if set(left) - set("012") or "".join(sorted(set(left))) != left or (turn in left and len(left) < 3):
            raise NotationError(0, "position_sign")
        return Row(self, squares, int(turn), frozenset(map(int, left)))


@dataclass(frozen=True, repr=False)
class Row(OpenState):
    game: Trio
    squares: str
    turn: int
    gone: frozenset[int]

    @property
    def over(self) -> bool:
        return "." not in self.squares or len(self.gone) >= 2

    @property
    def to_move(self) -> int | None:
        return None if self.over else self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.squares.count(str(seat)) for seat in range(3))

    @property
    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        if len(self.gone) >= 2:
            return Outcome(frozenset(range(3)) - self.gone, self.scores, "left")
        return Outcome(self._leaders(), self.scores, "full")

    def _leaders(self) -> frozenset[int]:
        best = max(score for seat, score in enumerate(self.scores) if seat not in self.gone)
        return frozenset(s for s, score in enumerate(self.scores) if score == best and s not in self.gone)

    @property
    def position(self) -> str:
        return f"{self.squares} {self.turn} {''.join(map(str, sorted(self.gone)))}".rstrip()

    def moves(self) -> Sequence[Move]:
        free = zip(self.game.actions, self.squares, strict=True)
        return () if self.over else tuple(move for move, mark in free if mark == ".")

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        over = (Reason("over"),) if self.over else ()
        taken = self.squares[self.game.actions.index(Move(move))] != "."
        return over + ((Reason("taken", (move,), {"at": move}),) if taken else ())

    def play(self, move: Move) -> Row:
        if reasons := self.refuses(move):
            raise IllegalMove(reasons)
        at = self.game.actions.index(move)
        squares = self.squares[:at] + str(self.turn) + self.squares[at + 1 :]
        again = str(self.turn) in (*self.squares[max(at - 1, 0) : at], *self.squares[at + 1 : at + 2])
        turn = self.turn if again else next_seat(self.turn, 3, self.gone)
        return Row(self.game, squares, turn, self.gone)

    def without(self, seat: int) -> Row:
        check_seat(self.game, seat)
        if self.over or seat in self.gone:
            return self
        gone = self.gone | {seat}
        turn = next_seat(self.turn, 3, gone) if self.turn == seat else self.turn
        return Row(self.game, self.squares, turn, gone)

    def agreed(self) -> Outcome:
        return Outcome(self._leaders(), self.scores, "agreed")


class _Drawing(PlainDrawing):
    def _shown(self, view: Row) -> Mapping[str, int | str]:
        marked = zip(view.game.actions, view.squares, strict=True)
        return {name: int(mark) for name, mark in marked if mark != "."}

    def scene(self, game: Trio) -> Scene:
        return row.scene([game.actions])

    def marks(self, view: Row, last: Sequence[str]) -> dict[str, Mark]:
        return row.marks(self.scene(view.game), self._shown(view), last)

    def names(self, view: Row) -> dict[str, Name]:
        return row.names(self.scene(view.game), view, self._shown(view))

    def plan(self, game: Trio) -> TextPlan:
        return row.plan([game.actions])


FAMILY = Family(
    "trio",
    Options,
    Trio,
    (Preset("short", "trio"), Preset("long", "trio:long=true")),
    reasons=("over", "notation", "taken"),
    results=("full", "left", "agreed"),
    scored=True,
)
DRAWING = _Drawing()
__all__ = ["DRAWING", "FAMILY", "WORDS"]
