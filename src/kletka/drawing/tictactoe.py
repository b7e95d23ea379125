"""Tic-tac-toe on paper: the lines between the squares, without an outline; layers side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from kletka.drawing.scene import (
    UNIT,
    Hatch,
    Label,
    Last,
    Line,
    Mark,
    Name,
    Panel,
    Phrase,
    Place,
    Point,
    Scene,
    Sign,
    Slot,
    TextPlan,
    box,
    centre,
)
from kletka.games.coordinates import letters
from kletka.games.tictactoe import SIGNS, Marks, TicTacToe

_SIGNS = ("cross", "nought")
_TOP = _EDGE = 20
"""Margins above and at the right, in units."""


def _letter_size(game: TicTacToe) -> int:
    """Units; names of rows and columns grow with the board, so that they can be read at the same width."""
    return 24 + 2 * max(game.sides[-2:])


def _grid(game: TicTacToe) -> tuple[int, int, int]:
    """Layers (1 in two dimensions), rows, columns."""
    *layers, rows, columns = game.sides
    return layers[0] if layers else 1, rows, columns


@lru_cache(maxsize=64)
def _scene(game: TicTacToe) -> Scene:
    layers, rows, columns = _grid(game)
    size = _letter_size(game)
    left = size + 24
    right, bottom = left + columns * UNIT, _TOP + rows * UNIT
    back: list[Mark] = [Line((left + c * UNIT, _TOP), (left + c * UNIT, bottom)) for c in range(1, columns)]
    back += [Line((left, _TOP + r * UNIT), (right, _TOP + r * UNIT)) for r in range(1, rows)]
    middle = left // 2
    back += [Label((left + c * UNIT + UNIT // 2, bottom + middle), letters(c), size) for c in range(columns)]
    back += [Label((middle, _TOP + r * UNIT + UNIT // 2), str(rows - r), size) for r in range(rows)]
    panels = []
    for layer in range(layers):
        places = tuple(
            Place(
                game.names[(layer * rows + rows - 1 - r) * columns + c],
                box(c, r, (left, _TOP)),
            )
            for r in range(rows)
            for c in range(columns)
        )
        title = Phrase("panel.layer", {"number": layer + 1}) if len(game.sides) == 3 else Phrase("panel.board")
        panels.append(Panel(right + _EDGE, bottom + left, title, tuple(back), places))
    return Scene(tuple(panels), stack=len(panels) > 1)


class _Cell(NamedTuple):
    """Where a cell is drawn, and the mark of each seat there with its key."""

    panel: int
    polygon: tuple[Point, ...]
    middle: Point
    key: str
    signs: tuple[Sign, ...]


@lru_cache(maxsize=64)
def _cells(game: TicTacToe) -> tuple[_Cell, ...]:
    """Every cell, in the order of the rules."""
    made = {}
    for number, panel in enumerate(_scene(game).panels):
        for place in panel.places:
            middle = centre(place.polygon)
            signs = tuple(Sign(middle, sign, seat) for seat, sign in enumerate(_SIGNS))
            made[place.id] = _Cell(number, place.polygon, middle, f"{number}.sign/{place.id}", signs)
    return tuple(made[name] for name in game.names)


@lru_cache(maxsize=8192)
def _said(name: str, sign: str, sends: str) -> Phrase:
    if sign and sends != name:
        return Phrase("square.below", {"at": name, "seat": SIGNS.index(sign), "falls": sends})
    if sign:
        return Phrase("square.taken", {"at": name, "seat": SIGNS.index(sign)})
    if sends != name:
        return Phrase("square.falls", {"at": name, "falls": sends})
    return Phrase("square.free", {"at": name})


@lru_cache(maxsize=64)
def _lights(game: TicTacToe) -> tuple[tuple[str, ...], ...]:
    """For each cell the other cells of the lines through it, in three dimensions, where lines are hard to see."""
    if len(game.sides) < 3:
        return ((),) * game.cells
    lit = []
    for cell, lines in enumerate(game.lines_through):
        mask = 0
        for line in lines:
            mask |= line
        lit.append(tuple(name for other, name in enumerate(game.names) if mask >> other & 1 and other != cell))
    return tuple(lit)


class _Drawing:
    def scene(self, game: TicTacToe) -> Scene:
        return _scene(game)

    def marks(self, view: Marks, last: Sequence[str]) -> dict[str, Mark]:
        game = view.game
        cells = _cells(game)
        marks: dict[str, Mark] = {}
        if view.by_line is not None:
            won = 0
            for line in view.lines_of(view.by_line):
                won |= line
            shaded: dict[int, list[_Cell]] = {}
            for number, cell in enumerate(cells):
                if won >> number & 1:
                    shaded.setdefault(cell.panel, []).append(cell)
            for panel, inside in shaded.items():
                region = tuple(cell.polygon for cell in inside)
                marks[f"{panel}.area/line"] = Hatch(region, view.by_line, tuple(cell.middle for cell in inside))
        crosses, noughts = view.marks
        for number, cell in enumerate(cells):
            if crosses >> number & 1:
                marks[cell.key] = cell.signs[0]
            elif noughts >> number & 1:
                marks[cell.key] = cell.signs[1]
        for told in last:
            cell = cells[game.index[told]]
            marks[f"{cell.panel}.over/last"] = Last(cell.middle)
        return marks

    def names(self, view: Marks) -> dict[str, Name]:
        game = view.game
        legal = set(view.moves())
        falls = game.options.gravity
        lights = _lights(game)
        names: dict[str, Name] = {}
        for cell, name in enumerate(game.names):
            sign = view.sign(cell)
            rest = view.column_landing(cell) if falls else cell
            sends = name if rest is None else game.names[rest]
            names[name] = Name(_said(name, sign, sends), sends if sends in legal else None, lights[cell])
        return names

    def remark(self, view: Marks, last: Sequence[str]) -> Phrase | None:
        return None

    def plan(self, game: TicTacToe) -> TextPlan:
        layers, rows, columns = _grid(game)
        wide = len(letters(columns - 1))
        rowed: list[tuple[str | Slot, ...]] = []
        side_by_side = range(layers)
        for r in range(rows):
            parts: list[str | Slot] = []
            for layer in side_by_side:
                parts.append(f"{rows - r:>3} ")
                for c in range(columns):
                    name = game.names[(layer * rows + rows - 1 - r) * columns + c]
                    parts += [Slot(f"{layer}.sign/{name}", ".".rjust(wide)), " "]
            rowed.append(tuple(parts))
        named = "".join(f"{letters(c):>{wide}} " for c in range(columns))
        rowed.append(("".join(f"    {named}" for _ in side_by_side),))
        if layers > 1:
            rowed.insert(0, ("".join(f"  {layer + 1:<{len(named) + 2}}" for layer in side_by_side),))
        return tuple(rowed)


DRAWING = _Drawing()
