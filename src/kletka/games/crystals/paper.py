"""Where crystals can have their centres, and the largest one at each where no boundary may interlock.

Folded along its axes, a crystal is a set of orbits. With four axes these lie in a wedge: row a has the orbits b = a,
a + 1, ... A set is one in which every atom can walk to the centre exactly if its wedge rows are unbroken runs from
the diagonal, follow each other from row 0, and each but the last has at least two orbits; the union of two such sets
is one again, so that each centre has one largest. With two axes they lie in a quarter, and every row (or every
column) is an unbroken run from the axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from kletka.games.crystals.board import Board, Spot

_EXACT_SIDE = 21
_WITHOUT_END = 1 << 62
_STATES = 50_000
"""Of the search at one centre, where it is cut short."""


class Fold(NamedTuple):
    """Orbits as masks, row by row outwards: `rows[a][k]`, and `runs[a][n]`, the first n of row a together.

    The masks belong to a centre in the middle of a box whose lower left square has bit 0.
    """

    rows: tuple[tuple[int, ...], ...]
    runs: tuple[tuple[int, ...], ...]


class Centre(NamedTuple):
    """`middle`, in half squares: first and last column added, first and last row. `across`, `up` and `room` are how
    many orbits fit on the board: in a row, in a column, and in the longest row under four axes.

    `shift` takes the masks of `folds` to the centre: those under four axes, or under two by rows and by columns and,
    where the centre has four axes, under four.
    """

    middle: Spot
    across: int
    up: int
    room: int
    shift: int
    folds: tuple[Fold, ...]

    def fold(self, mask: int) -> int:
        """A mask of the board as the folds have it; bits beside the box of this centre mean nothing."""
        return mask >> self.shift if self.shift >= 0 else mask << -self.shift

    def unfold(self, mask: int) -> int:
        """A mask of a fold as the board has it."""
        return mask << self.shift if self.shift >= 0 else mask >> -self.shift


@dataclass(frozen=True)
class Paper:
    """A board and what crystals on it must be like: 4 or 2 axes, whether boundaries may interlock, the fewest atoms,
    and whether every square must hold one."""

    board: Board
    axes: int
    interlock: bool
    full: bool
    least: int

    @property
    def reach(self) -> int:
        """How many orbits fit between a centre and the border at most."""
        return (max(self.board.width, self.board.height) + 1) // 2

    @property
    def budget(self) -> int:
        """How many states the search for a largest outline may look at, at a centre where boundaries may interlock: as
        many as it takes with four axes and up to 21 squares a side."""
        exact = self.axes == 4 and max(self.board.width, self.board.height) <= _EXACT_SIDE
        return _WITHOUT_END if exact else _STATES

    @cached_property
    def centres(self) -> tuple[Centre, ...]:
        """All centres whose innermost orbit is on the board, row by row from below."""
        board = self.board
        middles = ((x, y) for y in range(2 * board.height - 1) for x in range(2 * board.width - 1))
        found = (self._centre(middle) for middle in middles if self.axes == 2 or sum(middle) % 2 == 0)
        return tuple(centre for centre in found if not centre.folds[0].rows[0][0] & ~centre.fold(board.mask))

    @cached_property
    def centre_by_middle(self) -> dict[Spot, Centre]:
        return {centre.middle: centre for centre in self.centres}

    def centres_with(self, mask: int) -> list[Centre]:
        """The centres that have room about them for `least` of these squares."""
        rows = [sum(1 << y * self.board.width for y in range(count)) for count in range(self.board.height + 1)]

        def box(centre: Centre) -> int:
            (x, y), (across, up) = centre.middle, (centre.across, centre.up)
            if self.axes == 4:
                across = up = centre.room
            wide, high = 2 * across - 1 + x % 2, 2 * up - 1 + y % 2
            corner = x // 2 - across + 1 + (y // 2 - up + 1) * self.board.width
            return ((1 << wide) - 1) * rows[high] << corner

        return [centre for centre in self.centres if (box(centre) & mask).bit_count() >= self.least]

    def centres_on(self, mask: int) -> list[Centre]:
        """The centres whose innermost orbit these squares may hold, in order."""
        steps = [(0, 0), (1, 1), *([(1, 0), (0, 1)] if self.axes == 2 else [])]
        middles = [(2 * y + dy, 2 * x + dx) for x, y in self.board.spots(mask) for dx, dy in steps]
        return [self.centre_by_middle[x, y] for y, x in sorted(middles) if (x, y) in self.centre_by_middle]

    def _centre(self, middle: Spot) -> Centre:
        x, y = middle
        board, px, py = self.board, x % 2, y % 2
        left, below = (x - px) // 2, (y - py) // 2
        across = min(left, board.width - 1 - left - px) + 1
        up = min(below, board.height - 1 - below - py) + 1
        corner = left - (self.reach - 1) + (below - (self.reach - 1)) * board.width
        ways = ["wedge"] if self.axes == 4 else ["rows", "columns", *(["wedge"] if px == py else [])]
        folds = tuple(fold_of(board.width, self.reach, px, py, way) for way in ways)
        return Centre(middle, across, up, min(across, up), corner, folds)


@lru_cache(maxsize=64)
def fold_of(width: int, reach: int, px: int, py: int, way: str) -> Fold:
    """Orbits by their `way`: under four axes (`wedge`), or under two by `rows` or `columns`.

    `px` and `py` are 1 where the centre lies between two columns, two rows.
    """

    def bits(a: int, b: int) -> int:
        xs = {reach - 1 - b, reach - 1 + px + b}
        ys = {reach - 1 - a, reach - 1 + py + a}
        return sum(1 << y * width + x for x in xs for y in ys)

    if way == "wedge":
        rows = [[bits(a, b) | bits(b, a) for b in range(a, reach)] for a in range(reach)]
    else:
        rows = [[bits(b, a) if way == "columns" else bits(a, b) for b in range(reach)] for a in range(reach)]
    runs = tuple(tuple(accumulate(row, or_, initial=0)) for row in rows)
    return Fold(tuple(map(tuple, rows)), runs)


def _largest(fold: Fold, rows: int, most: int, step: int, barred: int) -> int:
    """The largest set of free orbits whose rows are unbroken runs, in the fold's bits.

    The first row has room for `most` orbits, each other one for `step` fewer than the row before; a row of `step`
    orbits or less is the last.
    """
    grown = 0
    for a in range(rows):
        runs, length = fold.runs[a], most - a * step
        if runs[length] & barred:
            length = 0
            for orbit in fold.rows[a]:
                if orbit & barred:
                    break
                length += 1
        grown |= runs[length]
        if length <= step:
            break
    return grown


def _walkable(centre: Centre, barred: int) -> int:
    """The largest set from which every atom can walk to a centre with four axes."""
    return _largest(centre.folds[-1], centre.room, centre.room, 1, barred)


def convex(paper: Paper, centre: Centre | None, barred: int) -> list[int]:
    """The largest outlines at a centre without barred squares whose boundaries don't interlock, none empty and none
    part of another: one under four axes; under two by rows, by columns and by four axes."""
    if centre is None:
        return []
    barred = centre.fold(barred)
    folds = centre.folds
    if folds[0].rows[0][0] & barred:
        return []
    if paper.axes == 4:
        return [centre.unfold(_walkable(centre, barred))]
    across, up = centre.across, centre.up
    found = [_largest(folds[0], up, across, 0, barred), _largest(folds[1], across, up, 0, barred)]
    if len(folds) > 2:
        found.append(_walkable(centre, barred))
    return [centre.unfold(mask) for mask in _outer(found)]


def _outer(masks: list[int]) -> list[int]:
    """Masks that are no part of another one, each once."""
    different = list(dict.fromkeys(masks))
    return [mask for mask in different if not any(mask != one and not mask & ~one for one in different)]
