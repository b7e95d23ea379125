"""The largest outline at a centre where boundaries may interlock.

A joined outline without holes contains its centre. Out of the free orbits, those joined to the innermost one are the
answer where they leave no hole; otherwise something must be cut open, and what that costs least is found by a dynamic
programme over the orbits, column by column. A state says of each orbit at the frontier to which part of the outline
or of the rest it belongs; parts of the outline must end up joined, and parts of the rest must reach the outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from kletka.games.crystals.board import members
from kletka.games.crystals.paper import Centre, Paper, fold_of

_OUTSIDE = -1
_FIRST_CUT = 8
"""Squares that may be left out at first."""


@dataclass(frozen=True, eq=False)
class Folded:
    """Orbits at a centre as a grid of columns, as masks of the fold; whether the upper ends of columns lie at the
    outside as the last column does.

    Sets of orbits are masks too, with bit column * stride + row: the last row of the stride stays empty, so that a
    step in any direction is a shift.
    """

    columns: tuple[tuple[int, ...], ...]
    open_above: bool

    @cached_property
    def stride(self) -> int:
        return len(self.columns[-1]) + 1

    @cached_property
    def orbits(self) -> dict[int, int]:
        """The orbit of each bit."""
        return {b * self.stride + a: orbit for b, column in enumerate(self.columns) for a, orbit in enumerate(column)}

    @cached_property
    def cells(self) -> int:
        """All orbits as a set."""
        return sum(1 << bit for bit in self.orbits)

    @cached_property
    def box(self) -> int:
        """The squares of all orbits."""
        return sum(self.orbits.values())

    def at_rim(self, b: int, a: int) -> bool:
        """Whether an orbit, by column and row, lies at the outside."""
        return b == len(self.columns) - 1 or (self.open_above and a == len(self.columns[b]) - 1)

    @cached_property
    def rim(self) -> int:
        """The orbits at the outside as a set."""
        return sum(1 << bit for bit in self.orbits if self.at_rim(*divmod(bit, self.stride)))

    def spread(self, seeds: int, within: int) -> int:
        """What of a set is joined to seeds in it."""
        found = seeds & within
        while True:
            near = found << 1 | found >> 1 | found << self.stride | found >> self.stride
            if (more := (found | near) & within) == found:
                return found
            found = more


def folded(paper: Paper, centre: Centre) -> Folded:
    """The paper as folded at a centre."""
    (x, y), room = centre.middle, (centre.across, centre.up)
    return _folded(paper.board.width, paper.reach, x % 2, y % 2, *((centre.room, 0) if paper.axes == 4 else room))


@lru_cache(maxsize=2048)
def _folded(width: int, reach: int, px: int, py: int, across: int, up: int) -> Folded:
    """A wedge where `up` is 0, otherwise a quarter."""
    rows = fold_of(width, reach, px, py, "rows" if up else "wedge").rows
    if up:
        return Folded(tuple(tuple(rows[a][b] for a in range(up)) for b in range(across)), True)
    return Folded(tuple(tuple(rows[a][b - a] for a in range(b + 1)) for b in range(across)), False)


def component(paper: Paper, centre: Centre, barred: int) -> tuple[int, bool]:
    """All free orbits that are joined to the innermost one, and whether they leave no hole."""
    barred = centre.fold(barred)
    if centre.folds[0].rows[0][0] & barred:
        return 0, True
    grid = folded(paper, centre)
    if not grid.box & barred:
        return centre.unfold(grid.box), True
    free = sum(1 << bit for bit, orbit in grid.orbits.items() if not orbit & barred)
    inside = grid.spread(1, free)
    rest = grid.cells & ~inside
    whole = grid.spread(grid.rim, rest) == rest
    return centre.unfold(sum(grid.orbits[bit] for bit in members(inside))), whole


_State = tuple[tuple[int, ...], bool, int]
"""The part of each orbit at the frontier (parts of the outline from 1, of the rest from -2 downwards, the outside
-1), whether the outline is finished, and its atoms as far as they matter."""


def largest(paper: Paper, centre: Centre, joined: int, own: int, budget: int) -> int | None:
    """The outline with the most squares among those with enough atoms, or among all where none has enough, out of the
    orbits that are joined to the innermost one.

    `budget` bounds the states looked at; None where it didn't do.
    """
    grid, inside = folded(paper, centre), centre.fold(joined)
    atoms = centre.fold(joined & own)
    wanted = paper.least if not paper.full and (joined & own).bit_count() >= paper.least else 0
    spent, cut = 0, _FIRST_CUT
    while True:
        # What is cut off is little as a rule, and where little may be cut off there are few states.
        search = _cut_open(grid, inside, atoms, wanted, cut, budget - spent)
        if search is None:
            return None
        if search.found and (search.enough or search.whole):
            return centre.unfold(search.mask)
        spent += search.states
        cut *= 4


class _Search(NamedTuple):
    """An outline, if one was found, and whether it has the wanted atoms; whether nothing was left out of the search;
    and how many states it took."""

    found: bool
    enough: bool
    mask: int
    whole: bool
    states: int


def _cut_open(grid: Folded, inside: int, atoms: int, wanted: int, most: int, budget: int) -> _Search | None:
    """The outline that leaves out the fewest squares, `most` at most. None beyond the budget."""
    states: dict[_State, tuple[int, int]] = {((), False, 0): (0, 0)}
    spent, whole = 0, True
    for b, column in enumerate(grid.columns):
        for a, orbit in enumerate(column):
            spent += len(states)
            if spent > budget:
                return None
            following: dict[_State, tuple[int, int]] = {}
            free, size, own = bool(orbit & inside), orbit.bit_count(), (orbit & atoms).bit_count()
            rim, first = grid.at_rim(b, a), (b, a) == (0, 0)
            for (labels, finished, count), (lost, mask) in states.items():
                left = labels[a] if a < len(labels) else None
                below = labels[a - 1] if a else None
                if free and not finished:
                    grown = _joined(labels, a, left, below, max((0, *labels)) + 1)
                    if grown is not None:
                        _keep(following, (*grown, min(wanted, count + own)), lost, mask | orbit)
                rest = lost + size * free
                whole &= first or rest <= most
                if not first and rest <= most:
                    fresh = _OUTSIDE if rim else min((_OUTSIDE, *labels)) - 1
                    kept = _joined(labels, a, left, below, fresh)
                    if kept is not None:
                        _keep(following, (kept[0], finished or kept[1], count), rest, mask)
            states = following
    ends = [
        (count >= wanted, -lost, mask)
        for (labels, _, count), (lost, mask) in states.items()
        if len({label for label in labels if label > 0}) <= 1
    ]
    enough, _, mask = max(ends, default=(False, 0, 0))
    return _Search(bool(ends), enough, mask, whole, spent)


def _keep(states: dict[_State, tuple[int, int]], state: _State, lost: int, mask: int) -> None:
    if state not in states or states[state][0] > lost:
        states[state] = (lost, mask)


def _joined(
    labels: tuple[int, ...], a: int, left: int | None, below: int | None, fresh: int
) -> tuple[tuple[int, ...], bool] | None:
    """The frontier with a new orbit in row `a` of part `fresh`, joined to neighbours of its kind, and whether that
    finishes the outline. None where a hole is closed or the outline falls apart."""
    kind = fresh > 0
    same = [
        label for label in (left, below, *((_OUTSIDE,) if fresh == _OUTSIDE else ())) if label and (label > 0) == kind
    ]
    # The outside swallows what it meets.
    name = (_OUTSIDE if _OUTSIDE in same else same[0]) if same else fresh
    new = [name if label in same else label for label in labels]
    if a < len(new):
        new[a] = name
    else:
        new.append(name)
    finished = False
    if left is not None and left not in same and left != _OUTSIDE and left not in new:
        if left < 0 or any(label > 0 for label in new):
            return None
        finished = True
    return _renamed(new), finished


def _renamed(labels: Sequence[int]) -> tuple[int, ...]:
    """Parts by the order in which they come."""
    names: dict[int, int] = {_OUTSIDE: _OUTSIDE}
    parts = rests = 0
    for label in labels:
        if label not in names:
            if label > 0:
                parts += 1
                names[label] = parts
            else:
                rests += 1
                names[label] = _OUTSIDE - rests
    return tuple(names[label] for label in labels)
