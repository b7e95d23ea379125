"""Where squares and centres are drawn."""

from __future__ import annotations

from functools import lru_cache

from kletka.drawing.scene import SIGNS, UNIT, Point, Sign, box
from kletka.games.crystals import Board

SIGN = 66
"""Width of an atom's sign, in units."""
EDGE = 30
"""Margin above and at the right, in units."""


@lru_cache(maxsize=256)
def margin(board: Board) -> Point:
    """What lies left of the squares and above them, in units; letters and numbers grow with the board."""
    return label_size(board) * 2, EDGE


def label_size(board: Board) -> int:
    return 30 + max(board.width, board.height)


def polygon(board: Board, square: int) -> tuple[Point, ...]:
    """A square as drawn."""
    x, y = board.spot(square)
    return box(x, board.height - 1 - y, margin(board))


def middle(board: Board, point: Point) -> Point:
    """Where a point in half squares is drawn: 0, 0 is the middle of a1."""
    left, top = margin(board)
    return left + (point[0] + 1) * UNIT // 2, top + board.height * UNIT - (point[1] + 1) * UNIT // 2


@lru_cache(maxsize=16384)
def atom(board: Board, square: int, seat: int) -> Sign:
    """An atom as drawn."""
    return Sign(middle(board, half(board, square)), SIGNS[seat], seat, SIGN)


def half(board: Board, square: int) -> Point:
    x, y = board.spot(square)
    return 2 * x, 2 * y
