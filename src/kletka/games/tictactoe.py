"""Tic-tac-toe in two and three dimensions: noughts and crosses, Qubic, gravity, five in a row.

Sources: the classic game as commonly played; the 4x4x4 game as described by Eric Solomon ("a straight line
in the properly stacked cube", crosses begin). Numbers to check against: docs/results/tictactoe.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import permutations, product
from math import prod
from typing import Annotated

from annotated_types import Interval
from pydantic import StringConstraints

from kletka.games.contract import (
    IllegalMove,
    Move,
    NotationError,
    OpenGame,
    OpenState,
    Outcome,
    Reason,
    SpecError,
    check_seat,
)
from kletka.games.coordinates import read_square, square
from kletka.games.family import Family, Preset

_SHAPE = r"^[1-9][0-9]?x[1-9][0-9]?(x[1-9])?$"
_LONGEST_SIDE = {2: 19, 3: 8}
SIGNS = "xo"
GONE = ("-x", "-o")


@dataclass(frozen=True)
class Options:
    """`shape` is rows x columns, or layers x rows x columns; `line` is how many in a row (or more) complete a line.

    Sides are 1..19 in two dimensions, 1..8 in three. `line` is the smallest side where it is not given (0).
    """

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 (pydantic reads a plain dict)

    shape: Annotated[str, StringConstraints(pattern=_SHAPE, max_length=8)] = "3x3"
    line: Annotated[int, Interval(ge=0, le=19)] = 0
    misere: bool = False
    gravity: bool = False

    def __post_init__(self) -> None:
        if not re.match(_SHAPE, self.shape):
            raise SpecError("bad_value", "shape", value=self.shape[:40])
        sides = self.sides
        if max(sides) > _LONGEST_SIDE[len(sides)]:
            raise SpecError("side_too_long", "shape", longest=_LONGEST_SIDE[len(sides)])
        if self.line == 0:
            object.__setattr__(self, "line", min(sides))
        if self.line > max(sides):
            raise SpecError("line_too_long", "line", longest=max(sides))

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides as numbers, in the order of the shape."""
        return tuple(int(side) for side in self.shape.split("x"))


@cache
def _windows(sides: tuple[int, ...], length: int) -> tuple[int, ...]:
    """Every straight run of `length` cells as a mask, bit i for cell i; each once, in canonical order."""
    found: dict[int, None] = {}
    steps = [step for step in product((-1, 0, 1), repeat=len(sides)) if step > (0,) * len(sides)]
    if length == 1:
        steps = steps[:1]
    for start in product(*(range(side) for side in sides)):
        for step in steps:
            run = [tuple(s + k * d for s, d in zip(start, step, strict=True)) for k in range(length)]
            if all(0 <= c < side for c, side in zip(run[-1], sides, strict=True)):
                found[sum(1 << _index(sides, cell) for cell in run)] = None
    return tuple(found)


def _index(sides: tuple[int, ...], cell: Sequence[int]) -> int:
    number = 0
    for coordinate, side in zip(cell, sides, strict=True):
        number = number * side + coordinate
    return number


@dataclass(frozen=True, repr=False)
class TicTacToe(OpenGame):
    """The rules for one choice of options. Cell i counts along columns, then rows, then layers from a1."""

    family = "tictactoe"
    options: Options

    @property
    def seats(self) -> int:
        return 2

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """Layers (in three dimensions only), rows, columns."""
        return self.options.sides

    @cached_property
    def cells(self) -> int:
        """How many cells the board has."""
        return prod(self.sides)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every line as a mask of cells."""
        return _windows(self.sides, self.options.line)

    @cached_property
    def lines_through(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the lines through it."""
        return tuple(tuple(line for line in self.lines if line >> i & 1) for i in range(self.cells))

    @cached_property
    def below(self) -> tuple[int, ...]:
        """For each cell the one a mark would fall to next, as a mask; 0 on the ground or without gravity."""
        level = self.cells // self.sides[0]
        fall = self.options.gravity
        return tuple(1 << i - level if fall and i >= level else 0 for i in range(self.cells))

    @cached_property
    def names(self) -> tuple[Move, ...]:
        """The name of each cell, which is also the move that marks it."""
        *layers, rows, columns = self.sides
        return tuple(
            Move(square(column, row, layer))
            for layer in (range(layers[0]) if layers else (None,))
            for row in range(rows)
            for column in range(columns)
        )

    @cached_property
    def index(self) -> dict[str, int]:
        """The cell of each name."""
        return {name: i for i, name in enumerate(self.names)}

    @property
    def actions(self) -> tuple[Move, ...]:
        return self.names

    def start(self, setup: str | None = None) -> Marks:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Marks(self, (0, 0))

    def parse(self, text: str) -> Move:
        name = text.strip().lower() if len(text) <= 16 else text[:16]
        if name in self.index:
            return Move(name)
        raise NotationError(0, "off_board" if read_square(name) else "notation")

    def read(self, position: str) -> Marks:
        """Rows from the top with `/` between, layers from the top with spaces, `-x` or `-o` for a seat that left."""
        words = position.split(" ")
        gone = GONE.index(words.pop()) if words[-1] in GONE else None
        *layers, rows, columns = self.sides
        marks = [0, 0]
        at = 0
        if len(words) != (layers[0] if layers else 1):
            raise NotationError(0, "position_layers")
        for layer, sheet in reversed(list(enumerate(reversed(words)))):
            lined = sheet.split("/")
            if len(lined) != rows:
                raise NotationError(at, "position_rows")
            for row, text in reversed(list(enumerate(reversed(lined)))):
                if len(text) != columns:
                    raise NotationError(at, "position_columns")
                for column, sign in enumerate(text):
                    if sign not in "xo.":
                        raise NotationError(at + column, "position_sign")
                    if sign != ".":
                        marks[SIGNS.index(sign)] |= 1 << (layer * rows + row) * columns + column
                at += columns + 1
        return self._checked(Marks(self, (marks[0], marks[1]), gone))

    def _checked(self, state: Marks) -> Marks:
        crosses, noughts = state.marks
        if crosses.bit_count() - noughts.bit_count() not in (0, 1):
            raise NotationError(0, "position_counts")
        full = crosses | noughts
        if any(full >> i & 1 and under and not full & under for i, under in enumerate(self.below)):
            raise NotationError(0, "position_floating")
        last = state.last_to_mark
        broken = [seat for seat in (0, 1) if state.lines_of(seat)]
        if broken and broken != [last]:
            raise NotationError(0, "position_impossible")
        if broken:
            # The game ended by the last mark, so every completed line runs through one cell.
            shared = ~0
            for line in state.lines_of(last):
                shared &= line
            removable = [i for i in range(self.cells) if shared >> i & 1 and not self._supports(full, i)]
            if not removable or state.gone is not None:
                raise NotationError(0, "position_impossible")
            return Marks(self, state.marks, None, last)
        if state.gone is not None and full.bit_count() == self.cells:
            raise NotationError(0, "position_impossible")
        return state

    def _supports(self, full: int, cell: int) -> bool:
        return any(under == 1 << cell and full >> i & 1 for i, under in enumerate(self.below))

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        """All permutations of cells known to keep the lines (and the ground, under gravity).

        Axes of equal length may be exchanged and each turned round; on cubes and squares whose lines run from
        side to side, one renaming of the coordinates may also act on all axes at once (192 in all on 4x4x4).
        """
        return _symmetries(self)


@cache
def _symmetries(game: TicTacToe) -> tuple[tuple[int, ...], ...]:
    sides = game.sides
    lines = set(game.lines)
    cells = list(product(*(range(side) for side in sides)))
    kept: dict[tuple[int, ...], None] = {}
    for axes in permutations(range(len(sides))):
        if any(sides[a] != sides[b] for a, b in enumerate(axes)) or (game.options.gravity and axes[0] != 0):
            continue
        for renamed in _renamings(game):
            for turned in product((False, True), repeat=len(sides)):
                if game.options.gravity and (turned[0] or renamed[0] != 0):
                    continue
                mapped = []
                for cell in cells:
                    moved = [renamed[cell[axis]] if renamed else cell[axis] for axis in axes]
                    mapped.append(
                        _index(
                            sides,
                            [s - 1 - c if t else c for c, s, t in zip(moved, sides, turned, strict=True)],
                        )
                    )
                permutation = tuple(mapped)
                if permutation not in kept and {_moved(line, permutation) for line in lines} == lines:
                    kept[permutation] = None
    return tuple(kept)


def _renamings(game: TicTacToe) -> Iterator[tuple[int, ...]]:
    """Renamings of a coordinate that keep opposite values opposite; one of each pair that a turn exchanges."""
    side = game.sides[0]
    plain = tuple(range(max(game.sides)))
    if set(game.sides) != {game.options.line} or game.options.gravity:
        yield plain
        return
    for renamed in permutations(range(side)):
        opposite = all(renamed[side - 1 - c] == side - 1 - renamed[c] for c in range(side))
        if opposite and renamed[0] < (side + 1) // 2:
            yield renamed


def _moved(line: int, permutation: tuple[int, ...]) -> int:
    mask = 0
    while line:
        low = line & -line
        mask |= 1 << permutation[low.bit_length() - 1]
        line ^= low
    return mask


@dataclass(frozen=True, slots=True, repr=False)
class Marks(OpenState):
    """The marks on the board: bit i of `marks[seat]` for cell i. `gone` is the seat that left, if one did.

    `by_line` is the seat whose mark completed a line; it follows from the marks and takes no part in equality.
    """

    game: TicTacToe
    marks: tuple[int, int]
    gone: int | None = None
    by_line: int | None = field(default=None, compare=False)

    @property
    def _full(self) -> bool:
        return (self.marks[0] | self.marks[1]).bit_count() == self.game.cells

    @property
    def last_to_mark(self) -> int:
        """The seat whose mark came last (the second on an empty board)."""
        return 1 - (self.marks[0].bit_count() - self.marks[1].bit_count())

    @property
    def to_move(self) -> int | None:
        if self.by_line is not None or self.gone is not None or self._full:
            return None
        return self.marks[0].bit_count() - self.marks[1].bit_count()

    @property
    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    @property
    def outcome(self) -> Outcome | None:
        if self.by_line is not None:
            if self.game.options.misere:
                return Outcome(frozenset({1 - self.by_line}), self.scores, "misere")
            return Outcome(frozenset({self.by_line}), self.scores, "line")
        if self.gone is not None:
            return Outcome(frozenset({1 - self.gone}), self.scores, "left")
        if self._full:
            return Outcome(frozenset({0, 1}), self.scores, "full")
        return None

    @property
    def position(self) -> str:
        *layers, rows, columns = self.game.sides
        sheets = []
        for layer in reversed(range(layers[0] if layers else 1)):
            lined = []
            for row in reversed(range(rows)):
                first = (layer * rows + row) * columns
                lined.append("".join(self.sign(first + column) or "." for column in range(columns)))
            sheets.append("/".join(lined))
        return " ".join([*sheets, *([GONE[self.gone]] if self.gone is not None else [])])

    def sign(self, cell: int) -> str:
        """`x`, `o`, or nothing for a free cell."""
        return "x" if self.marks[0] >> cell & 1 else "o" if self.marks[1] >> cell & 1 else ""

    def lines_of(self, seat: int) -> tuple[int, ...]:
        """The completed lines of a seat, as masks."""
        mine = self.marks[seat]
        return tuple(line for line in self.game.lines if mine & line == line)

    def moves(self) -> Sequence[Move]:
        if self.by_line is not None or self.gone is not None:
            return ()
        full = self.marks[0] | self.marks[1]
        names = self.game.names
        if not self.game.options.gravity:
            free = f"{~full & (1 << self.game.cells) - 1:0{self.game.cells}b}"[::-1]
            return tuple([name for name, bit in zip(names, free, strict=True) if bit == "1"])
        return tuple(
            [
                name
                for i, (name, under) in enumerate(zip(names, self.game.below, strict=True))
                if not full >> i & 1 and full & under == under
            ]
        )

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        reasons = []
        cell = self.game.index[move]
        full = self.marks[0] | self.marks[1]
        if self.outcome is not None:
            reasons.append(Reason("over"))
        if full >> cell & 1:
            reasons.append(Reason("taken", (move,), {"at": move}))
        elif full & self.game.below[cell] != self.game.below[cell]:
            reasons.append(Reason("floating", (move,), {"at": move, "falls": self.game.names[self.landing(cell)]}))
        return tuple(reasons)

    def column_landing(self, cell: int) -> int | None:
        """Under gravity the cell where a mark put into this cell's column comes to rest; None where it is full."""
        full = self.marks[0] | self.marks[1]
        while full >> cell & 1:
            cell += self.game.cells // self.game.sides[0]
        return self.landing(cell) if cell < self.game.cells else None

    def landing(self, cell: int) -> int:
        """The cell where a mark put into this free cell comes to rest."""
        full = self.marks[0] | self.marks[1]
        while (under := self.game.below[cell]) and not full & under:
            cell = under.bit_length() - 1
        return cell

    def play(self, move: Move) -> Marks:
        cell = self.game.index.get(move, -1)
        seat = self.to_move
        full = self.marks[0] | self.marks[1]
        if cell < 0 or seat is None or full >> cell & 1 or full & self.game.below[cell] != self.game.below[cell]:
            raise IllegalMove(self.refuses(move))
        mine = self.marks[seat] | 1 << cell
        by_line = None
        for line in self.game.lines_through[cell]:
            if mine & line == line:
                by_line = seat
                break
        return Marks(self.game, (mine, self.marks[1]) if seat == 0 else (self.marks[0], mine), None, by_line)

    def without(self, seat: int) -> Marks:
        check_seat(self.game, seat)
        return self if self.outcome is not None else Marks(self.game, self.marks, seat)

    def agreed(self) -> Outcome:
        return Outcome(frozenset({0, 1}), self.scores, "agreed")


FAMILY = Family(
    name="tictactoe",
    options=Options,
    make=TicTacToe,
    presets=(
        Preset("classic", "tictactoe"),
        Preset("qubic", "tictactoe:shape=4x4x4"),
        Preset("cube3", "tictactoe:shape=3x3x3"),
        Preset("gravity", "tictactoe:shape=4x4x4,gravity=true"),
        Preset("five", "tictactoe:shape=15x15,line=5"),
    ),
    reasons=("over", "notation", "off_board", "taken", "floating"),
    results=("line", "misere", "full", "left", "agreed"),
    seat_words=("cross", "nought"),
)
