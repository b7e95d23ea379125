"""What a position looks like: places and marks, one SVG renderer, one text renderer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from kletka.drawing import crystals, dots, orapa, svg, text, tictactoe, ultimate
from kletka.drawing.scene import Drawing, Mark, Name, Phrase, Scene
from kletka.games import Game, State
from kletka.games.contract import PAINTERS
from kletka.games.registry import family_of, plugins

_BUILT_IN: dict[str, Drawing] = {
    "tictactoe": tictactoe.DRAWING,
    "ultimate": ultimate.DRAWING,
    "dots": dots.DRAWING,
    "orapa": orapa.DRAWING,
    "crystals": crystals.DRAWING,
}


@cache
def _drawings() -> dict[str, Drawing]:
    return _BUILT_IN | {module.FAMILY.name: module.DRAWING for module in plugins().values()}


def drawing_of(game: Game) -> Drawing:
    """The drawing of a game's family. Raises KeyError where a family has none."""
    return _drawings()[family_of(game).name]


def picture(state: State, last: Sequence[str] = (), numbers: bool = False) -> str:
    """A position as an SVG file; `last` are the moves of the last turn, to be marked. `numbers` tell the order in which
    marks were made, where the drawing knows it."""
    drawing = drawing_of(state.game)
    return svg.standalone(drawing.scene(state.game), drawing.marks(state, last), state.game.spec, numbers)


def letters(state: State, last: Sequence[str] = ()) -> str:
    """A position as lines of text."""
    drawing = drawing_of(state.game)
    return text.render(drawing.plan(state.game), drawing.marks(state, last))


PAINTERS["svg"] = picture

__all__ = ["Drawing", "Mark", "Name", "Phrase", "Scene", "drawing_of", "letters", "picture"]
