"""A composite move: mark a square and, in the same move, polish any choice of your marks for a point each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from kletka.drawing.scene import (
    Draft,
    Form,
    House,
    Label,
    Mark,
    Name,
    Phrase,
    Piece,
    PlainDrawing,
    Scene,
    Sign,
    TextPlan,
    centre,
)
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
from kletka.games.contract import LONGEST_MOVE, check_seat
from kletka_test_games import WORDS, row

NAMES = tuple(f"{letter}{number}" for number in (1, 2, 3) for letter in "abc")


@dataclass(frozen=True)
class Options:
    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012


@dataclass(frozen=True, repr=False)
class Polish(OpenGame):
    family = "polish"
    options: Options

    @property
    def seats(self) -> int:
        return 2

    def start(self, setup: str | None = None) -> Board:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Board(self, "." * 9)

    def parse(self, text: str) -> Move:
        where, colon, rest = text.strip().lower().partition(":")
        chosen = rest.split("+") if colon else []
        for name in (where, *chosen):
            if name not in NAMES:
                raise NotationError(max(text.lower().find(name), 0), "notation")
        if len(text) > LONGEST_MOVE or len(set(chosen)) != len(chosen):
            raise NotationError(0, "notation")
        return Move(where + (":" + "+".join(sorted(chosen)) if chosen else ""))

    def read(self, position: str) -> Board:
        squares, _, left = position.partition(" ")
        marks = squares.lower()
        balanced = marks.count("x") - marks.count("o") in (0, 1)
        if len(squares) != 9 or set(marks) - set("xo.") or not balanced or left not in ("", "0", "1"):
            raise NotationError(0, "position_sign")
        return Board(self, squares, int(left) if left else None)


@dataclass(frozen=True, repr=False)
class Board(OpenState):
    """`squares`: x and o for marks, capitals for polished ones."""

    game: Polish
    squares: str
    gone: int | None = None

    @property
    def _turn(self) -> int:
        return self.squares.lower().count("x") - self.squares.lower().count("o")

    @property
    def to_move(self) -> int | None:
        return None if self.outcome else self._turn

    @property
    def scores(self) -> tuple[int, ...]:
        return (self.squares.count("X"), self.squares.count("O"))

    @property
    def outcome(self) -> Outcome | None:
        if self.gone is not None:
            return Outcome(frozenset({1 - self.gone}), self.scores, "left")
        return None if "." in self.squares else Outcome(self._leaders(), self.scores, "full")

    def _leaders(self) -> frozenset[int]:
        return frozenset(seat for seat in (0, 1) if self.scores[seat] == max(self.scores))

    @property
    def position(self) -> str:
        return self.squares if self.gone is None else f"{self.squares} {self.gone}"

    def _dull(self, besides: str) -> list[str]:
        mine = "xo"[self._turn]
        return [n for n, mark in zip(NAMES, self.squares, strict=True) if mark == mark.lower() == mine or n == besides]

    def moves(self) -> Sequence[Move]:
        free = [n for n, mark in zip(NAMES, self.squares, strict=True) if mark == "."]
        return () if self.outcome else tuple(map(Move, free))

    def sample(self, rng: Random) -> Move:
        where = rng.choice(self.moves())
        dull = sorted(self._dull(where))
        chosen = [name for name in dull if rng.random() < 0.5]
        return Move(where + (":" + "+".join(chosen) if chosen else ""))

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        where, _, rest = move.partition(":")
        reasons = [Reason("over")] if self.outcome else []
        if self.squares[NAMES.index(where)] != ".":
            reasons.append(Reason("taken", (where,), {"at": where}))
        foreign = tuple(name for name in rest.split("+") if name and name not in self._dull(where))
        if foreign:
            reasons.append(Reason("not_dull", foreign, {"at": ", ".join(foreign)}))
        return tuple(reasons)

    def play(self, move: Move) -> Board:
        if reasons := self.refuses(move):
            raise IllegalMove(reasons)
        where, _, rest = move.partition(":")
        squares = list(self.squares)
        squares[NAMES.index(where)] = "xo"[self._turn]
        for name in rest.split("+") if rest else ():
            squares[NAMES.index(name)] = squares[NAMES.index(name)].upper()
        return Board(self.game, "".join(squares))

    def without(self, seat: int) -> Board:
        check_seat(self.game, seat)
        return self if self.outcome else Board(self.game, self.squares, seat)

    def agreed(self) -> Outcome:
        return Outcome(self._leaders(), self.scores, "agreed")


class _Drawing(PlainDrawing):
    rows = (NAMES[6:], NAMES[3:6], NAMES[:3])

    def _shown(self, view: Board) -> Mapping[str, int | str]:
        signs: dict[str, int | str] = {"x": 0, "o": 1, "X": "X", "O": "O"}
        marked = zip(NAMES, view.squares, strict=True)
        return {name: signs[mark] for name, mark in marked if mark != "."}

    def scene(self, game: Polish) -> Scene:
        plain = row.scene(self.rows)
        places = tuple(replace(place, lay=place.id) for place in plain.panels[0].places)
        mark = Form((Sign((50, 50), "star", None),), 1, 1, ((0, 0),))
        polish = Form((Label((50, 50), "*"),), 1, 1, ((0, 0),))
        tray = (Piece("m", Phrase("piece.polish.m"), (mark,), True), Piece("p", Phrase("piece.polish.p"), (polish,)))
        return replace(plain, panels=(replace(plain.panels[0], places=places),), tray=tray, signs=True)

    def draft(self, view: Board, seat: int | None, text: str, help: House, act: str) -> Draft:
        parts = text.split("+") if text else []
        if act or any(part[:1] not in ("m", "p") or part[1:-1] not in NAMES or part[-1] != "0" for part in parts):
            raise NotationError(0, "notation")
        centres = {place.id: centre(place.polygon) for place in self.scene(view.game).panels[0].places}
        marks: dict[str, Mark] = {}
        for part in parts:
            at = centres[part[1:-1]]
            marks[f"0.draft/{part}"] = Sign(at, "star", None) if part[0] == "m" else Label(at, "*")
        where = [part[1:-1] for part in parts if part[0] == "m"]
        polished = sorted({part[1:-1] for part in parts if part[0] == "p"})
        if len(where) != 1:
            return Draft(marks, (), None)
        move = Move(where[0] + (":" + "+".join(polished) if polished else ""))
        reasons = view.refuses(move)
        return Draft(marks, reasons, None if reasons or seat is None else move)

    def marks(self, view: Board, last: Sequence[str]) -> dict[str, Mark]:
        return row.marks(self.scene(view.game), self._shown(view), [move.partition(":")[0] for move in last])

    def names(self, view: Board) -> dict[str, Name]:
        return row.names(self.scene(view.game), view, self._shown(view))

    def plan(self, game: Polish) -> TextPlan:
        return row.plan(self.rows)


FAMILY = Family(
    "polish",
    Options,
    Polish,
    (Preset("plain", "polish"),),
    reasons=("over", "notation", "taken", "not_dull"),
    results=("full", "left", "agreed"),
    scored=True,
)
DRAWING = _Drawing()
__all__ = ["DRAWING", "FAMILY", "WORDS"]
