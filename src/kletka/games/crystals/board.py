"""The paper: which squares there are, by name or drawn row by row, and sets of squares as masks and as text.

A mask has bit row * width + column of the bounding rectangle, row 0 below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from kletka.games.contract import NotationError, SpecError
from kletka.games.coordinates import column, letters, read_square, square

LONGEST_SIDE = 40
LONGEST_BOARD = 3_400
"""Characters: enough for 40 rows of 20 single squares each."""
BOARD = r"^(?:[1-9][0-9]?x[1-9][0-9]?|(?:diamond|cross|ring)[1-9][0-9]?|[0-9]+(?:-[0-9]+)*(?:\.[0-9]+(?:-[0-9]+)*)*)$"
_RECTANGLE = re.compile(r"([0-9]+)x([0-9]+)")
_NAMED = re.compile(r"(diamond|cross|ring)([0-9]+)")
_LEAST_NAMED = 3
_RUN = re.compile(r"([a-z]{1,2})(?:([1-9][0-9]?)?-([a-z]{1,2}))?([1-9][0-9]?)")

Spot = tuple[int, int]
"""Column and row from 0."""


@dataclass(frozen=True)
class Board:
    """The squares of a sheet of paper: those in `mask`, within `width` x `height`."""

    width: int
    height: int
    mask: int

    @cached_property
    def squares(self) -> tuple[int, ...]:
        """The numbers of all squares, in order."""
        return tuple(members(self.mask))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each number, those cut out too."""
        return tuple(square(i % self.width, i // self.width) for i in range(self.width * self.height))

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each square's name."""
        return {self.names[i]: i for i in self.squares}

    def spot(self, number: int) -> Spot:
        """Column and row of a square."""
        return number % self.width, number // self.width

    def spots(self, mask: int) -> set[Spot]:
        """The squares of a mask by column and row."""
        return {self.spot(i) for i in members(mask)}

    def of(self, spots: Iterable[Spot]) -> int:
        """The mask of those spots that are squares of the board."""
        mask = 0
        for x, y in spots:
            if 0 <= x < self.width and 0 <= y < self.height:
                mask |= 1 << y * self.width + x
        return mask & self.mask

    def places(self, mask: int) -> tuple[str, ...]:
        """The names of a mask's squares."""
        return tuple(self.names[i] for i in members(mask))

    @cached_property
    def without_first_column(self) -> int:
        """The squares that may have one to their left."""
        return self.mask & ~sum(1 << row * self.width for row in range(self.height))

    @cached_property
    def without_last_column(self) -> int:
        """The squares that may have one to their right."""
        return self.mask & ~sum(1 << (row + 1) * self.width - 1 for row in range(self.height))

    def beside(self, mask: int) -> int:
        """The squares that share an edge with one of these."""
        left, right = (mask & self.without_first_column) >> 1, (mask & self.without_last_column) << 1
        return (left | right | mask >> self.width | mask << self.width) & self.mask

    def joined(self, seed: int, within: int) -> int:
        """What of `within` is joined by edges to the squares of `seed`."""
        found = seed & within
        while (more := (found | self.beside(found)) & within) != found:
            found = more
        return found


def members(mask: int) -> Iterator[int]:
    """The numbers of a mask's bits, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(maxsize=256)
def read_board(text: str) -> Board:
    """The board that an option's text means. Raises SpecError."""
    if len(text) > LONGEST_BOARD or not re.fullmatch(BOARD, text):
        raise SpecError("bad_value", "board", value=text[:40])
    if found := _RECTANGLE.fullmatch(text):
        height, width = map(int, found.groups())
        rows = [[True] * width] * height if max(width, height) <= LONGEST_SIDE else []
    elif found := _NAMED.fullmatch(text):
        size = int(found[2])
        rows = _named(found[1], size) if size <= LONGEST_SIDE else []
        if size < _LEAST_NAMED or (found[1] == "diamond" and size % 2 == 0):
            raise SpecError("bad_value", "board", value=text)
    else:
        rows = _drawn(text)
    if not rows:
        raise SpecError("board_too_large", "board", longest=LONGEST_SIDE)
    return _of(rows)


def _of(rows: list[list[bool]]) -> Board:
    width = len(rows[0])
    bits = (1 << y * width + x for y, row in enumerate(reversed(rows)) for x, there in enumerate(row) if there)
    return Board(width, len(rows), sum(bits))


def _named(shape: str, size: int) -> list[list[bool]]:
    """Arms of a cross and the hole of a ring are a third as wide as the board, as nearly as they can lie in its
    middle."""
    third = size // 3 + (size - size // 3) % 2
    before = (size - third) // 2
    middle = [before <= i < before + third for i in range(size)]
    if shape == "diamond":
        return [[abs(x - size // 2) + abs(y - size // 2) <= size // 2 for x in range(size)] for y in range(size)]
    if shape == "cross":
        return [[middle[x] or middle[y] for x in range(size)] for y in range(size)]
    return [[not (middle[x] and middle[y]) for x in range(size)] for y in range(size)]


def _drawn(text: str) -> list[list[bool]]:
    runs = [[int(number) for number in row.split("-")] for row in text.split(".")]
    width = max(map(sum, runs))
    if width > LONGEST_SIDE or len(runs) > LONGEST_SIDE:
        return []
    rows = [[k % 2 == 1 for k, run in enumerate(row) for _ in range(run)] for row in runs]
    if not any(map(any, rows)):
        raise SpecError("no_square", "board")
    rows = [[*row, *[False] * (width - len(row))] for row in rows]
    if drawn_text(rows) != text:
        raise SpecError("bad_value", "board", value=text[:40])
    return rows


def drawn_text(rows: list[list[bool]]) -> str:
    """Rows from above as an option's text: in each row the lengths of the runs of squares that are cut out and of
    those that are there, in turn. Empty rows and columns around the board are left out."""
    across = [x for row in rows for x, there in enumerate(row) if there]
    down = [y for y, row in enumerate(rows) if any(row)]
    kept = [row[min(across) : max(across) + 1] for row in rows[min(down) : max(down) + 1]]
    return ".".join(map(_row_text, kept))


def _row_text(row: list[bool]) -> str:
    lengths = [0]
    for there in row:
        if there != (len(lengths) % 2 == 0):
            lengths.append(0)
        lengths[-1] += 1
    if len(lengths) % 2:
        lengths.pop()
    return "-".join(map(str, lengths)) or "0"


@lru_cache(maxsize=1024)
def squares_text(board: Board, mask: int) -> str:
    """Squares as moves write them: runs, rows from below and in each from the left (`c1.b-d2.c3`)."""
    runs: list[tuple[int, int]] = []
    for i in members(mask):
        if runs and runs[-1][1] == i - 1 and i % board.width:
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    names = board.names
    return ".".join(names[a] if a == b else f"{letters(a % board.width)}-{names[b]}" for a, b in runs)


@lru_cache(maxsize=1024)
def read_squares(board: Board, text: str) -> int:
    """The mask that a text means; squares may be named twice and in any order. Raises NotationError."""
    mask, at = 0, 0
    for run in text.split("."):
        found = _RUN.fullmatch(run)
        if found is None:
            raise NotationError(at, "notation")
        first, row, last, last_row = found.groups()
        low, high = column(first), column(last or first)
        if row not in (None, last_row) or low > high:
            raise NotationError(at, "notation")
        for x in (low, high) if high >= board.width else range(low, high + 1):
            mask |= 1 << number_of(board, square(x, int(last_row) - 1), at)
        at += len(run) + 1
    return mask


def number_of(board: Board, name: str, at: int = 0) -> int:
    """The number of a square's name. Raises NotationError."""
    if (number := board.index.get(name)) is not None:
        return number
    raise NotationError(at, "off_board" if read_square(name) else "notation")
