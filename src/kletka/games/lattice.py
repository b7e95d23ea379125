"""Boards of dots: planar graphs of dots, lines and coins on a square or triangular lattice.

A coin is a box or a triangle; the rules of dots games know no more of a board than which lines a coin has.
Dots are named by rows from the base, letters from the left end of each row; a line by its two dots, `b3-c3`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product

from kletka.games.coordinates import square

Spot = tuple[int, int]
"""Column and row of a dot, from 0, each row counted from its own left end."""


@dataclass(frozen=True)
class Board:
    """Dots, the lines between neighbours, and the coins that lines enclose.

    `slant` is 0 on the square lattice and 1 on the triangular one, where each row begins half a step further right
    than the row below. `lines` come in this order: those within rows from the top, then those between rows from the
    top, each from the left (on boxes the order of OpenSpiel's position strings). `coins` give the corners of each
    coin in order around it, from the top row, from the left. `border` is the mask of lines drawn from the start.
    """

    slant: int
    spots: tuple[Spot, ...]
    lines: tuple[tuple[Spot, Spot], ...]
    coins: tuple[tuple[Spot, ...], ...]
    border: int = 0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each line."""
        return tuple(f"{square(*first)}-{square(*second)}" for first, second in self.lines)

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """For each coin the lines around it."""
        index = {frozenset(line): i for i, line in enumerate(self.lines)}
        return tuple(
            tuple(sorted(index[frozenset(pair)] for pair in zip(coin, (*coin[1:], coin[0]), strict=True)))
            for coin in self.coins
        )

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """For each line the coins beside it: one at the border, two inside."""
        return tuple(
            tuple(c for c, around in enumerate(self.sides) if line in around) for line in range(len(self.lines))
        )

    def where(self, spot: Spot) -> tuple[int, int]:
        """Where a dot lies: half steps to the right of the lower left dot, rows above it."""
        column, row = spot
        return 2 * column + self.slant * row, row

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of lines by turning and mirroring the board, the border kept."""
        index = {frozenset(line): i for i, line in enumerate(self.lines)}
        kept: dict[tuple[int, ...], None] = {}
        for moved in self._moved():
            to = dict(zip(self.spots, moved, strict=True))
            lines = [index.get(frozenset((to[first], to[second]))) for first, second in self.lines]
            permutation = tuple(line for line in lines if line is not None)
            if len(set(permutation)) == len(self.lines) and all(
                (self.border >> old & 1) == (self.border >> new & 1) for old, new in enumerate(permutation)
            ):
                kept[permutation] = None
        return tuple(kept)

    def _moved(self) -> Iterable[list[Spot]]:
        right = max(column for column, _ in self.spots)
        top = max(row for _, row in self.spots)
        if not self.slant:
            for mirrored, turned, crossed in product((False, True), repeat=3):
                moved = [(right - c if mirrored else c, top - r if turned else r) for c, r in self.spots]
                yield [(r, c) if crossed else (c, r) for c, r in moved]
            return
        for first, second, _ in permutations(range(3)):
            whole = [(c, r, right - c - r) for c, r in self.spots]
            yield [(dot[first], dot[second]) for dot in whole]


def boxes(rows: int, columns: int, border: str = "none") -> Board:
    """A rectangle of boxes. `border` is none, closed (all of it drawn) or icelandic (left and bottom drawn)."""
    board = _board(
        0,
        [columns + 1] * (rows + 1),
        [((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)) for r in reversed(range(rows)) for c in range(columns)],
    )
    left_or_bottom = [c == d == 0 or r == s == 0 for (c, r), (d, s) in board.lines]
    return _with_border(board, left_or_bottom if border == "icelandic" else [border == "closed"] * len(board.lines))


def triangles(size: int, border: str = "none") -> Board:
    """A large triangle of `size` small ones a side. `border` is none or closed (all three sides drawn)."""
    board = _board(1, [size + 1 - r for r in range(size + 1)], _small_triangles(size, size))
    return _with_border(board, [border == "closed"] * len(board.lines))


def strip(size: int, border: str = "none") -> Board:
    """The narrow board of Jobson, Sledd, White and Wildstrom: n + 1 dots below, n above, 2n - 1 triangles.

    `border` is none or closed: as in their paper the top and the two side edges are drawn, the bottom is not.
    Source: "Variations on Narrow Dots-and-Boxes and Dots-and-Triangles", INTEGERS 17 (2017) G2.
    """
    board = _board(1, [size + 1, size], _small_triangles(size, 1))
    return _with_border(board, [border == "closed" and second[1] == 1 for _, second in board.lines])


def _small_triangles(size: int, rows: int) -> list[tuple[Spot, ...]]:
    """Row by row from the top: pointing up and down in turn, from the left."""
    found: list[tuple[Spot, ...]] = []
    for r in reversed(range(rows)):
        for c in range(size - r):
            found.append(((c, r), (c + 1, r), (c, r + 1)))
            if c + 1 < size - r:
                found.append(((c + 1, r), (c + 1, r + 1), (c, r + 1)))
    return found


def _board(slant: int, widths: Sequence[int], coins: list[tuple[Spot, ...]]) -> Board:
    spots = tuple((c, r) for r, width in enumerate(widths) for c in range(width))
    pairs = {
        (min(pair, key=_by_row), max(pair, key=_by_row))
        for coin in coins
        for pair in zip(coin, (*coin[1:], coin[0]), strict=True)
    }

    def order(line: tuple[Spot, Spot]) -> tuple[bool, int, int]:
        (c, r), (d, s) = line
        return r != s, -r, 2 * c + slant * r + 2 * d + slant * s

    return Board(slant, spots, tuple(sorted(pairs, key=order)), tuple(coins))


def _by_row(spot: Spot) -> tuple[int, int]:
    return spot[1], spot[0]


def _with_border(board: Board, drawn: Sequence[bool]) -> Board:
    outer = [len(coins) == 1 for coins in board.beside]
    mask = sum(1 << i for i, (out, wished) in enumerate(zip(outer, drawn, strict=True)) if out and wished)
    return Board(board.slant, board.spots, board.lines, board.coins, mask)
