"""Names of squares: `a1` is the lower left, letters name columns, numbers rows; `3b2` is b2 in layer 3."""

from __future__ import annotations

import re
from functools import cache

_SQUARE = re.compile(r"([1-9][0-9]{0,2})?([a-z]{1,2})([1-9][0-9]{0,2})")


def typed(text: str, longest: int) -> str:
    """A move as people type it, trimmed and in lower case; empty where it is too long or not plain ASCII."""
    return text.strip().lower() if len(text) <= longest and text.isascii() else ""


@cache
def letters(column: int) -> str:
    """The letters of a column from 0: a..z, then aa, ab, ... (702 columns in all)."""
    if column < 26:
        return chr(97 + column)
    return letters(column // 26 - 1) + chr(97 + column % 26)


def column(name: str) -> int:
    """The column, from 0, that lower-case letters name."""
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - 96
    return number - 1


def square(column: int, row: int, layer: int | None = None) -> str:
    """The name of a square; column, row and layer from 0, the layer left out in two dimensions."""
    return f"{'' if layer is None else layer + 1}{letters(column)}{row + 1}"


def read_square(text: str) -> tuple[int | None, int, int] | None:
    """Layer (None without), column and row from 0 of a square's name; None where it is no such name."""
    found = _SQUARE.fullmatch(text)
    if not found:
        return None
    layer, name, row = found.groups()
    return (int(layer) - 1 if layer else None, column(name), int(row) - 1)
