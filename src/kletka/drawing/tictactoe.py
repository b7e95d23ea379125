"""Tic-tac-toe on paper: the lines between the squares, without an outline; layers side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

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


@lru_cache(maxsize=64)
def _polygons(game: TicTacToe) -> dict[str, tuple[int, tuple[Point, ...]]]:
    return {
        place.id: (number, place.polygon) for number, panel in enumerate(_scene(game).panels) for place in panel.places
    }


@lru_cache(maxsize=8192)
def _said(name: str, sign: str) -> Phrase:
    return (
        Phrase("square.taken", {"at": name, "seat": SIGNS.index(sign)}) if sign else Phrase("square.free", {"at": name})
    )


class _Drawing:
    def scene(self, game: TicTacToe) -> Scene:
        return _scene(game)

    def marks(self, view: Marks, last: Sequence[str]) -> dict[str, Mark]:
        game = view.game
        where = _polygons(game)
        marks: dict[str, Mark] = {}
        if view.by_line is not None:
            shaded: dict[int, list[tuple[Point, ...]]] = {}
            for line in view.lines_of(view.by_line):
                for cell, name in enumerate(game.names):
                    panel, polygon = where[name]
                    if line >> cell & 1 and polygon not in shaded.setdefault(panel, []):
                        shaded[panel].append(polygon)
            for panel, polygons in shaded.items():
                if polygons:
                    holes = tuple(centre(polygon) for polygon in polygons)
                    marks[f"{panel}.area/line"] = Hatch(tuple(polygons), view.by_line, holes)
        for cell, name in enumerate(game.names):
            for seat in (0, 1):
                if view.marks[seat] >> cell & 1:
                    panel, polygon = where[name]
                    marks[f"{panel}.sign/{name}"] = Sign(centre(polygon), _SIGNS[seat], seat)
        for told in last:
            panel, polygon = where[told]
            marks[f"{panel}.over/last"] = Last(centre(polygon))
        return marks

    def names(self, view: Marks) -> dict[str, Name]:
        game = view.game
        legal = set(view.moves())
        names: dict[str, Name] = {}
        for cell, name in enumerate(game.names):
            sign = view.sign(cell)
            said = _said(name, sign)
            landing = game.names[view.landing(cell)] if not sign else name
            names[name] = Name(said, landing if landing in legal else None)
        return names

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
