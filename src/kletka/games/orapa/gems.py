"""The gems and where they may lie: a board of 10 columns and 8 rows of squares, 36 ports around it.

A square is empty, full, or half filled on one side of a diagonal; gems lie on grid points and turn by quarters. Forms,
labels and the rules of placement are those of the printed game and of its adaptation on Board Game Arena.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

COLUMNS, ROWS = 10, 8
EMPTY, LOWER_RIGHT, LOWER_LEFT, UPPER_RIGHT, UPPER_LEFT, FULL = range(6)
"""What a square holds; half squares are named by the corner that is solid."""
GEMS = "RYBWSDK"
"""Red, yellow, blue, white triangle, white square, diamond, black body: the canonical order."""

CELLS = tuple(f"{column + 1}{'ABCDEFGH'[row]}" for row in range(ROWS) for column in range(COLUMNS))
"""Names of the squares, row by row from the top."""
CELL_INDEX = {name: index for index, name in enumerate(CELLS)}

PORTS = (*"ABCDEFGH", *"IJKLMNOPQR", *map(str, range(1, 11)), *map(str, range(11, 19)))
"""Left from the top, bottom from the left, top from the left, right from the top."""
PORT_INDEX = {name: index for index, name in enumerate(PORTS)}

RIGHT, LEFT, DOWN, UP = range(4)
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

_CODES = {".": EMPTY, "1": LOWER_RIGHT, "2": LOWER_LEFT, "3": UPPER_RIGHT, "4": UPPER_LEFT, "#": FULL}
_LARGE = (".12./1##2", "2./#2/#4/4.", "3##4/.34.", ".1/1#/3#/.3")
FORMS = {
    "R": ("1#4", "2/#/3", "3#2", "1/#/4"),
    "Y": ("2./#2", "#4/4.", "3#/.3", ".1/1#"),
    "B": _LARGE,
    "W": _LARGE,
    "S": ("12/34",),
    "D": ("12", "2/4", "34", "1/3"),
    "K": ("##", "#/#"),
}
"""Rows of squares of each form, separated by `/`: quarter turns clockwise; the red gem's last two are its back."""

_SOLID = {
    EMPTY: (),
    LOWER_RIGHT: (RIGHT, DOWN),
    LOWER_LEFT: (LEFT, DOWN),
    UPPER_RIGHT: (RIGHT, UP),
    UPPER_LEFT: (LEFT, UP),
    FULL: (RIGHT, LEFT, DOWN, UP),
}
"""The solid sides of a square by what it holds."""


def shape(gem: str, form: int) -> tuple[tuple[int, ...], ...]:
    """The squares of a form, row by row."""
    return tuple(tuple(_CODES[code] for code in row) for row in FORMS[gem][form].split("/"))


class Placement(NamedTuple):
    """A gem on the board: its name as text, and the squares that it touches with what they hold.

    `body` has a bit for each touched square and each solid side, so that two gems may lie together exactly if their
    bodies have no bit in common. `axis` are the lines of symmetry as (direction, twice the coordinate), for white gems.
    """

    text: str
    gem: str
    form: int
    column: int
    row: int
    cells: tuple[tuple[int, int], ...]
    body: int
    axes: frozenset[tuple[str, int]]


def _side(column: int, row: int, side: int) -> int:
    """The number of a unit side of the grid, from 80 on: sides that stand, then sides that lie."""
    if side in (LEFT, RIGHT):
        return 80 + row * (COLUMNS + 1) + column + (side == RIGHT)
    return 168 + (row + (side == DOWN)) * COLUMNS + column


def _axes(gem: str, form: int, column: int, row: int, width: int, height: int) -> frozenset[tuple[str, int]]:
    upright, level = ("x", 2 * column + width), ("y", 2 * row + height)
    if gem == "S":
        return frozenset({upright, level})
    return frozenset({level if form % 2 else upright}) if gem == "W" else frozenset()


def _placed(gem: str, form: int, column: int, row: int) -> Placement:
    rows = shape(gem, form)
    cells, body = [], 0
    for y, codes in enumerate(rows, row):
        for x, code in enumerate(codes, column):
            if code != EMPTY:
                cells.append((y * COLUMNS + x, code))
                body |= 1 << (y * COLUMNS + x)
                for side in _SOLID[code]:
                    body |= 1 << _side(x, y, side)
    axes = _axes(gem, form, column, row, len(rows[0]), len(rows))
    text = f"{gem}{CELLS[row * COLUMNS + column]}{form}"
    return Placement(text, gem, form, column, row, tuple(cells), body, axes)


@cache
def placements(gem: str) -> tuple[Placement, ...]:
    """Every way in which a gem fits on the board: by form, then by its upper left corner row by row."""
    placed = []
    for form in range(len(FORMS[gem])):
        rows = shape(gem, form)
        for row in range(ROWS - len(rows) + 1):
            placed += [_placed(gem, form, column, row) for column in range(COLUMNS - len(rows[0]) + 1)]
    return tuple(placed)


@cache
def by_text() -> dict[str, Placement]:
    """Every placement by its text."""
    return {placed.text: placed for gem in GEMS for placed in placements(gem)}


def start_of(port: int) -> tuple[int, int, int]:
    """The first square of a wave from a port, as column and row, and its direction."""
    if port < ROWS:
        return 0, port, RIGHT
    if port < ROWS + COLUMNS:
        return port - ROWS, ROWS - 1, UP
    if port < ROWS + 2 * COLUMNS:
        return port - ROWS - COLUMNS, 0, DOWN
    return COLUMNS - 1, port - ROWS - 2 * COLUMNS, LEFT


def port_at(column: int, row: int) -> int:
    """The port where a wave is that has just left the board at this column and row."""
    if column < 0:
        return row
    if row >= ROWS:
        return ROWS + column
    return ROWS + COLUMNS + column if row < 0 else ROWS + 2 * COLUMNS + row


@cache
def lines() -> tuple[tuple[int, ...], ...]:
    """The squares that each port sees in a straight line, the nearest first."""
    seen = []
    for port in range(len(PORTS)):
        x, y, way = start_of(port)
        dx, dy = STEPS[way]
        line = []
        while 0 <= x < COLUMNS and 0 <= y < ROWS:
            line.append(y * COLUMNS + x)
            x, y = x + dx, y + dy
        seen.append(tuple(line))
    return tuple(seen)
