"""What a position looks like: places and marks, one SVG renderer, one text renderer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from kletka.drawing import crystals, dots, orapa, svg, text, tictactoe, ultimate
from kletka.drawing.course import graph
from kletka.drawing.scene import (
    Drawing,
    Frame,
    House,
    Label,
    Line,
    Mark,
    Name,
    Phrase,
    Place,
    Point,
    Scene,
    Trail,
    centre,
)
from kletka.games import Game, Move, NotationError, State
from kletka.games.contract import PAINTERS
from kletka.games.registry import family_of, plugins

_BUILT_IN: dict[str, Drawing] = {
    "tictactoe": tictactoe.DRAWING,
    "ultimate": ultimate.DRAWING,
    "dots": dots.DRAWING,
    "orapa": orapa.DRAWING,
    "crystals": crystals.DRAWING,
}

MOST_LED = 3
"""Moves of a line that are shown on the board."""


@cache
def _drawings() -> dict[str, Drawing]:
    return _BUILT_IN | {module.FAMILY.name: module.DRAWING for module in plugins().values()}


def drawing_of(game: Game) -> Drawing:
    """The drawing of a game's family. Raises KeyError where a family has none."""
    return _drawings()[family_of(game).name]


def drawn(state: State, last: Sequence[str] = (), draft: str = "") -> dict[str, Mark]:
    """All marks of a position; `last` are the moves of the last turn, to be marked, `draft` is one of the mover's as
    text, to be shown with the squares of what is first to be said against it. Raises NotationError for a text that is
    no draft."""
    drawing = drawing_of(state.game)
    marks = drawing.marks(state, last)
    if not draft:
        return marks
    shown = drawing.draft(state, state.to_move, draft, House(), "")
    faults = shown.reasons[0].places if shown.reasons else ()
    polygons = {place.id: place.polygon for place in drawing.scene(state.game).panels[shown.panel].places}
    framed = {f"{shown.panel}.draft/fault-{place}": Frame(polygons[place]) for place in faults if place in polygons}
    return {**marks, **shown.marks, **framed}


def _aims(view: State, move: str) -> list[tuple[int, Place]]:
    """The places that send a move, with their panels: the one of its name, or those where a press means it."""
    drawing = drawing_of(view.game)
    places = [(number, place) for number, panel in enumerate(drawing.scene(view.game).panels) for place in panel.places]
    names = drawing.names(view)
    named = [(number, place) for number, place in places if place.id == move]
    return named or [(number, place) for number, place in places if names[place.id].sends == move]


def pointed(view: State, move: str) -> dict[str, Mark]:
    """Marks for the draft layer that show where a legal move goes: the line that it draws, or frames around the places
    that send it; where none does, what it draws, as far as the view's seat can know. Empty for a move that draws
    nothing."""
    drawing, game = drawing_of(view.game), view.game
    if here := _aims(view, move):
        lines = {} if game.hidden else drawing.marks(view.play(Move(move)), ())
        marks: dict[str, Mark] = {}
        for number, place in here:
            line = lines.get(f"{number}.line/{place.id}")
            shown = Line(line.start, line.end, weight="heavy") if isinstance(line, Line) else Frame(place.polygon)
            marks[f"{number}.draft/at-{place.id}"] = shown
        return marks
    if not game.hidden:
        before, after = drawing.marks(view, ()), drawing.marks(view.play(Move(move)), ())
        fresh = {key: mark for key, mark in after.items() if before.get(key) != mark}
        return {f"{key.partition('.')[0]}.draft/at-{key}": mark for key, mark in fresh.items() if ".number/" not in key}
    try:
        return dict(drawing.draft(view, view.to_move, move.partition(":")[2], House(check=False), "").marks)
    except NotationError:
        return {}


def led(view: State, line: Sequence[str]) -> dict[str, Mark]:
    """Marks for the draft layer that show how a game could go on by a line of legal moves: the first as `pointed` shows
    it, the next ones, up to MOST_LED in all, numbered at their places, with an arrow from place to place in one panel.

    They end where a move isn't sent by a place; in hidden games they are those of the first move.
    """
    marks = pointed(view, line[0])
    before = _aims(view, line[0])[:1]
    for number, (last, move) in enumerate(pairwise(line[:MOST_LED]), 2):
        if view.game.hidden or not before:
            break
        view = view.play(Move(last))
        here = _aims(view, move)[:1]
        for (panel, place), (other, source) in zip(here, before, strict=False):
            goal = centre(place.polygon)
            if panel == other and (arrow := _arrow(centre(source.polygon), goal)):
                marks[f"{panel}.draft/arrow-{number}"] = arrow
            marks[f"{panel}.draft/then-{number}"] = Label(goal, str(number), 44)
        before = here
    return marks


def _arrow(start: Point, goal: Point) -> Trail | None:
    """An arrow that stops short of the number at its goal; None where there is no room for one."""
    length = math.dist(start, goal)
    if length < 60:
        return None
    leave, stop = 18 / length, 1 - 30 / length
    between = [
        (round(start[0] + part * (goal[0] - start[0])), round(start[1] + part * (goal[1] - start[1])))
        for part in (leave, stop)
    ]
    return Trail((between[0], between[1]))


def picture(state: State, last: Sequence[str] = (), numbers: bool = False, draft: str = "") -> str:
    """A position as an SVG file; see `drawn`. `numbers` tell the order in which marks were made, where the drawing
    knows it."""
    scene = drawing_of(state.game).scene(state.game)
    return svg.standalone(scene, drawn(state, last, draft), state.game.spec, numbers)


def letters(state: State, last: Sequence[str] = (), draft: str = "") -> str:
    """A position as lines of text; see `drawn`."""
    return text.render(drawing_of(state.game).plan(state.game), drawn(state, last, draft))


PAINTERS["svg"] = picture

__all__ = [
    "Drawing",
    "Mark",
    "Name",
    "Phrase",
    "Scene",
    "drawing_of",
    "drawn",
    "graph",
    "led",
    "letters",
    "picture",
    "pointed",
]
