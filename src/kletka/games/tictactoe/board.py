"""The sheet of tic-tac-toe: options, cells and their names, lines, gravity, symmetries, positions as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations, product
from math import prod
from typing import Annotated, Literal

from annotated_types import Interval
from pydantic import StringConstraints

from kletka.games.contract import Move, NotationError, OpenGame, Outcome, SpecError
from kletka.games.coordinates import read_square, square, typed

_SHAPE = r"^[1-9][0-9]?x[1-9][0-9]?(x[1-9])?$"
_LONGEST_SIDE = {2: 19, 3: 8}
SIGNS = "xo"


@dataclass(frozen=True)
class Options:
    """`shape` is rows x columns, or layers x rows x columns; `line` is how many in a row (or more) complete a line.

    Sides are 1..19 in two dimensions, 1..8 in three. `line` is the smallest side where it is not given (0).
    `marks` says who writes what: each seat its own sign, either sign at will, or crosses only. `boards` are played
    at the same time. Under `exact` a longer row completes no line. Under `claim` a line wins when its owner points
    at it.
    """

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 (pydantic reads a plain dict)

    shape: Annotated[str, StringConstraints(pattern=_SHAPE, max_length=8)] = "3x3"
    line: Annotated[int, Interval(ge=0, le=19)] = 0
    misere: bool = False
    gravity: bool = False
    marks: Literal["own", "wild", "crosses"] = "own"
    boards: Annotated[int, Interval(ge=1, le=4)] = 1
    exact: bool = False
    claim: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(_SHAPE, self.shape):
            raise SpecError("bad_value", "shape", value=self.shape[:40])
        sides = self.sides
        if max(sides) > _LONGEST_SIDE[len(sides)]:
            raise SpecError("side_too_long", "shape", longest=_LONGEST_SIDE[len(sides)])
        if self.line == 0:
            object.__setattr__(self, "line", min(sides))
        if self.line > max(sides):
            raise SpecError("line_too_long", "line", longest=max(sides))
        self._check_combination()

    def _check_combination(self) -> None:
        if self.boards > 1:
            if self.marks != "crosses":
                raise SpecError("boards_need_crosses", "boards")
            if len(self.sides) == 3:
                raise SpecError("boards_are_flat", "boards")
            # A full board without a line would belong to nobody's last move.
            if self.exact:
                raise SpecError("boards_not_exact", "boards")
        if self.claim:
            if self.marks != "own":
                raise SpecError("claim_needs_owners", "claim")
            if self.misere:
                raise SpecError("claim_not_misere", "claim")

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides as numbers, in the order of the shape."""
        return tuple(int(side) for side in self.shape.split("x"))


@cache
def _windows(sides: tuple[int, ...], length: int) -> Mapping[int, int]:
    """Every straight run of `length` cells as a mask, bit i for cell i, each once, in canonical order.

    With each the cells that would make it longer; none for a run of one cell, which has no direction.
    """
    found: dict[int, int] = {}
    steps = [step for step in product((-1, 0, 1), repeat=len(sides)) if step > (0,) * len(sides)]
    if length == 1:
        steps = steps[:1]
    for start in product(*(range(side) for side in sides)):
        for step in steps:
            run = [tuple(s + k * d for s, d in zip(start, step, strict=True)) for k in range(-1, length + 1)]
            if _within(run[-2], sides):
                ends = [cell for cell in (run[0], run[-1]) if length > 1 and _within(cell, sides)]
                found[_mask(run[1:-1], sides)] = _mask(ends, sides)
    return found


def _within(cell: Sequence[int], sides: tuple[int, ...]) -> bool:
    return all(0 <= c < side for c, side in zip(cell, sides, strict=True))


def _mask(cells: Sequence[Sequence[int]], sides: tuple[int, ...]) -> int:
    return sum(1 << _index(sides, cell) for cell in cells)


def _index(sides: tuple[int, ...], cell: Sequence[int]) -> int:
    number = 0
    for coordinate, side in zip(cell, sides, strict=True):
        number = number * side + coordinate
    return number


def members(mask: int) -> Iterator[int]:
    """The cells of a mask, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, repr=False)
class Board(OpenGame):
    """What all games of the family share. Cell i counts along columns, then rows, then layers or boards from a1."""

    family = "tictactoe"
    options: Options

    @property
    def seats(self) -> int:
        return 2

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """Layers (in three dimensions only), rows, columns of one board."""
        return self.options.sides

    @cached_property
    def board_cells(self) -> int:
        """How many cells one board has."""
        return prod(self.sides)

    @cached_property
    def cells(self) -> int:
        """How many cells there are on all boards."""
        return self.board_cells * self.options.boards

    @cached_property
    def sheets(self) -> int:
        """How many sheets lie side by side: layers, or boards."""
        return self.options.boards if len(self.sides) == 2 else self.sides[0]

    @cached_property
    def numbered(self) -> bool:
        """Whether a sheet's number stands before the square."""
        return len(self.sides) == 3 or self.options.boards > 1

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every line as a mask of cells."""
        first = _windows(self.sides, self.options.line)
        return tuple(line << board * self.board_cells for board in range(self.options.boards) for line in first)

    @cached_property
    def beyond(self) -> Mapping[int, int]:
        """For each line the cells that must not hold its sign too; empty where a longer row counts."""
        return _windows(self.sides, self.options.line) if self.options.exact else {}

    @cached_property
    def lines_through(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the lines through it."""
        return tuple(tuple(line for line in self.lines if line >> i & 1) for i in range(self.cells))

    @cached_property
    def below(self) -> tuple[int, ...]:
        """For each cell the one a mark would fall to next, as a mask; 0 on the ground or without gravity."""
        level = self.board_cells // self.sides[0]
        fall = self.options.gravity
        return tuple(1 << i - level if fall and i % self.board_cells >= level else 0 for i in range(self.cells))

    @cached_property
    def names(self) -> tuple[Move, ...]:
        """The name of each cell; where it says all, also the move that marks it."""
        rows, columns = self.sides[-2:]
        return tuple(
            Move(square(column, row, sheet if self.numbered else None))
            for sheet in range(self.sheets)
            for row in range(rows)
            for column in range(columns)
        )

    @cached_property
    def index(self) -> dict[str, int]:
        """The cell of each name."""
        return {name: i for i, name in enumerate(self.names)}

    def completed(self, marks: int) -> tuple[int, ...]:
        """The lines that these marks of one sign complete, as masks."""
        return tuple(line for line in self.lines if marks & line == line and not self.beyond.get(line, 0) & marks)

    def completes(self, marks: int, cell: int) -> bool:
        """Whether a line through the cell is complete in these marks of one sign."""
        beyond = self.beyond
        return any(marks & line == line and not beyond.get(line, 0) & marks for line in self.lines_through[cell])

    def cell_name(self, text: str, at: int = 0) -> Move:
        """The name of a cell that a text means; `at` is where it stands. Raises NotationError."""
        name = typed(text, 16)
        if name in self.index:
            return Move(name)
        raise NotationError(at, "off_board" if read_square(name) else "notation")

    def landing(self, full: int, cell: int) -> int:
        """The cell where a mark put into this free cell comes to rest."""
        while (under := self.below[cell]) and not full & under:
            cell = under.bit_length() - 1
        return cell

    def column_landing(self, full: int, cell: int) -> int | None:
        """Under gravity the cell where a mark put into this cell's column comes to rest; None where it is full."""
        level = self.board_cells // self.sides[0]
        top = cell - cell % self.board_cells + self.board_cells
        while full >> cell & 1:
            cell += level
            if cell >= top:
                return None
        return self.landing(full, cell)

    def floats(self, full: int) -> bool:
        """Whether a mark hangs in the air."""
        return any(full >> i & 1 and under and not full & under for i, under in enumerate(self.below))

    def removable(self, full: int, cells: int) -> Iterator[int]:
        """Those of the cells whose marks carry no other, so that they may have been the last."""
        carrying = 0
        for i in members(full):
            carrying |= self.below[i]
        return members(cells & ~carrying)

    def text(self, marks: Sequence[int]) -> str:
        """The marks as a position: rows from the top with `/` between, sheets from the last with spaces."""
        rows, columns = self.sides[-2:]
        signs = ["."] * self.cells
        for sign, mask in zip(SIGNS, marks, strict=True):
            for cell in members(mask):
                signs[cell] = sign
        sheets = []
        for sheet in reversed(range(self.sheets)):
            firsts = ((sheet * rows + row) * columns for row in reversed(range(rows)))
            sheets.append("/".join("".join(signs[first : first + columns]) for first in firsts))
        return " ".join(sheets)

    def read_marks(self, sheets: Sequence[str], signs: str = SIGNS) -> tuple[int, int]:
        """The marks of such a text, split at its spaces. Raises NotationError."""
        rows, columns = self.sides[-2:]
        marks = [0, 0]
        at = 0
        if len(sheets) != self.sheets:
            raise NotationError(0, "position_layers")
        for sheet, text in reversed(list(enumerate(reversed(sheets)))):
            lined = text.split("/")
            if len(lined) != rows:
                raise NotationError(at, "position_rows")
            for row, marked in reversed(list(enumerate(reversed(lined)))):
                if len(marked) != columns:
                    raise NotationError(at, "position_columns")
                for column, sign in enumerate(marked):
                    if sign not in signs + ".":
                        raise NotationError(at + column, "position_sign")
                    if sign != ".":
                        marks[SIGNS.index(sign)] |= 1 << (sheet * rows + row) * columns + column
                at += columns + 1
        return marks[0], marks[1]

    @cached_property
    def cell_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """All permutations of cells known to keep the lines (and the ground, under gravity).

        Axes of equal length may be exchanged and each turned round; on cubes and squares whose lines run from
        side to side, one renaming of the coordinates may also act on all axes at once (192 in all on 4x4x4).
        Several boards may be exchanged, each turned alike.
        """
        within = _symmetries(self.options)
        size = self.board_cells
        return tuple(
            tuple(board * size + cell for board in order for cell in permutation)
            for order in permutations(range(self.options.boards))
            for permutation in within
        )


@cache
def _symmetries(options: Options) -> tuple[tuple[int, ...], ...]:
    sides = options.sides
    lines = set(_windows(sides, options.line))
    cells = list(product(*(range(side) for side in sides)))
    kept: dict[tuple[int, ...], None] = {}
    for axes in permutations(range(len(sides))):
        if any(sides[a] != sides[b] for a, b in enumerate(axes)) or (options.gravity and axes[0] != 0):
            continue
        for renamed in _renamings(options):
            for turned in product((False, True), repeat=len(sides)):
                if options.gravity and (turned[0] or renamed[0] != 0):
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
                if permutation not in kept and {moved_mask(line, permutation) for line in lines} == lines:
                    kept[permutation] = None
    return tuple(kept)


def _renamings(options: Options) -> Iterator[tuple[int, ...]]:
    """Renamings of a coordinate that keep opposite values opposite; one of each pair that a turn exchanges."""
    side = options.sides[0]
    if set(options.sides) != {options.line} or options.gravity:
        yield tuple(range(max(options.sides)))
        return
    for renamed in permutations(range(side)):
        opposite = all(renamed[side - 1 - c] == side - 1 - renamed[c] for c in range(side))
        if opposite and renamed[0] < (side + 1) // 2:
            yield renamed


def moved_mask(mask: int, permutation: tuple[int, ...]) -> int:
    """The mask of the cells that a permutation makes of these."""
    return sum(1 << permutation[cell] for cell in members(mask))


def ended(by_line: int | None, gone: int | None, full: bool, misere: bool) -> Outcome | None:
    """The outcome where a seat completed the deciding line, a seat left, or no cell is free; otherwise None."""
    if by_line is not None:
        return Outcome(frozenset({1 - by_line if misere else by_line}), (0, 0), "misere" if misere else "line")
    if gone is not None:
        return Outcome(frozenset({1 - gone}), (0, 0), "left")
    return Outcome(frozenset({0, 1}), (0, 0), "full") if full else None
