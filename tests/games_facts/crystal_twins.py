"""Crystals a second time, square by square and as the printed rules say it: what the tests compare with.

Nothing here is shared with kletka.games.crystals. Outlines are sets of (column, row).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product

Spot = tuple[int, int]
Shape = frozenset[Spot]

_EIGHT = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)]


def shape(figure: str) -> Shape:
    """A figure of `#` and `.`, rows from above, lower left at 0, 0."""
    rows = figure.split("/")
    return frozenset((x, len(rows) - 1 - y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#")


def square_board(side: int) -> Shape:
    return frozenset((x, y) for x in range(side) for y in range(side))


def box(cells: Iterable[Spot]) -> tuple[int, int, int, int]:
    cells = list(cells)
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    return min(xs), min(ys), max(xs), max(ys)


def symmetric(cells: Shape, axes: int) -> bool:
    """Whether folding about the middle of its box along every axis takes an outline onto itself."""
    x0, y0, x1, y1 = box(cells)
    # Doubled, from the middle: reflections are signs and swaps.
    around = {(2 * x - x0 - x1, 2 * y - y0 - y1) for x, y in cells}
    folded = [{(-x, y) for x, y in around}, {(x, -y) for x, y in around}]
    if axes == 4:
        folded += [{(y, x) for x, y in around}, {(-y, -x) for x, y in around}]
    return all(half == around for half in folded)


def joined(cells: Shape) -> bool:
    seen, fresh = {min(cells)}, [min(cells)]
    while fresh:
        x, y = fresh.pop()
        for spot in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if spot in cells and spot not in seen:
                seen.add(spot)
                fresh.append(spot)
    return len(seen) == len(cells)


def holed(cells: Shape) -> bool:
    """Whether some square beside the outline can't reach the outside by edges."""
    x0, y0, x1, y1 = box(cells)
    seen, fresh = {(x0 - 1, y0 - 1)}, [(x0 - 1, y0 - 1)]
    while fresh:
        x, y = fresh.pop()
        for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = x0 - 1 <= u <= x1 + 1 and y0 - 1 <= v <= y1 + 1
            if inside and (u, v) not in cells and (u, v) not in seen:
                seen.add((u, v))
                fresh.append((u, v))
    return len(seen) + len(cells) < (x1 - x0 + 3) * (y1 - y0 + 3)


def walks(cells: Shape) -> bool:
    """Whether every atom of an outline with four axes can walk to an axis in a straight line and then, having turned by
    at most 45 degrees, along it to the centre, without leaving the outline or touching its boundary.

    Points are in half squares from the centre; a point inside a square, on an edge between two squares of the outline,
    or on a corner among four, is off the boundary.
    """
    x0, y0, x1, y1 = box(cells)
    middle = (x0 + x1, y0 + y1)
    half = {(2 * x - middle[0], 2 * y - middle[1]) for x, y in cells}
    # The outline being symmetric, the atoms of an eighth walk as all others do.
    return all(_walks((x, y), half) for x, y in half if 0 <= y <= x)


def _inside(point: Spot, half: set[Spot]) -> bool:
    """Squares reach one half square from their middles."""
    x, y = point
    odd, even = next(iter(half))
    across = (0,) if (x - odd) % 2 == 0 else (-1, 1)
    up = (0,) if (y - even) % 2 == 0 else (-1, 1)
    return all((x + dx, y + dy) in half for dx in across for dy in up)


def _walks(spot: Spot, half: set[Spot]) -> bool:
    for step in _EIGHT:
        point, length = spot, 0
        while True:
            if not _inside(point, half):
                break
            if _on_axis(point) and _arrives(point, step if length else None, half):
                return True
            if length > 4 * len(half):
                break
            point, length = (point[0] + step[0], point[1] + step[1]), length + 1
    return False


def _on_axis(point: Spot) -> bool:
    x, y = point
    return x == 0 or y == 0 or abs(x) == abs(y)


def _arrives(point: Spot, step: Spot | None, half: set[Spot]) -> bool:
    """From a point of an axis along it to the centre; `step` is the way by which it was reached (None: standing)."""
    x, y = point
    home = (-(x > 0) + (x < 0), -(y > 0) + (y < 0))
    if home != (0, 0) and step is not None and not _within_45(step, home):
        return False
    while point != (0, 0):
        point = (point[0] + home[0], point[1] + home[1])
        if not _inside(point, half):
            return False
    return _inside(point, half)


def _within_45(step: Spot, home: Spot) -> bool:
    order = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    apart = abs(order.index(step) - order.index(home))
    return min(apart, 8 - apart) <= 1


def one_run(cells: Shape, columns: bool) -> bool:
    """Whether every row (or column) is one unbroken run."""
    lines: dict[int, list[int]] = {}
    for x, y in cells:
        lines.setdefault(x if columns else y, []).append(y if columns else x)
    return all(max(line) - min(line) + 1 == len(line) for line in lines.values())


def legal_shape(cells: Shape, axes: int, allowed: bool) -> bool:
    """Whether an outline's shape is a crystal's, by the words of the rules."""
    if not cells or not symmetric(cells, axes) or not joined(cells) or holed(cells):
        return False
    if allowed:
        return True
    if axes == 2 and (one_run(cells, False) or one_run(cells, True)):
        return True
    return symmetric(cells, 4) and walks(cells)


@cache
def all_shapes(board: Shape, axes: int, allowed: bool, least: int) -> tuple[Shape, ...]:
    """Every legal outline of `least` squares or more on a small board, found among all unions of orbits."""
    x0, y0, x1, y1 = box(board)
    found: set[Shape] = set()
    for mx, my in product(range(2 * x0, 2 * x1 + 1), range(2 * y0, 2 * y1 + 1)):
        parts = list(orbits(board, mx, my, axes))
        for count in range(1, len(parts) + 1):
            for chosen in combinations(parts, count):
                cells = frozenset().union(*chosen)
                if len(cells) >= least and cells not in found and legal_shape(cells, axes, allowed):
                    found.add(cells)
    return tuple(sorted(found, key=lambda cells: (len(cells), sorted(cells))))


def orbits(board: Shape, mx: int, my: int, axes: int) -> Iterator[Shape]:
    rest = set(board)
    while rest:
        x, y = min(rest)
        u, v = 2 * x - mx, 2 * y - my
        around = {(s * u, t * v) for s in (1, -1) for t in (1, -1)}
        if axes == 4:
            around |= {(q, p) for p, q in around}
        squares = {((p + mx) // 2, (q + my) // 2) for p, q in around if (p + mx) % 2 == 0 and (q + my) % 2 == 0}
        if len(squares) == len(around) and squares <= board:
            yield frozenset(squares)
        rest -= squares
        rest.discard((x, y))
