"""Walk-throughs: the moves of a family, one step after the other, each tried on a board that waits for it.

A step is data: a position, what is to be done there, and the words that say so. Families of other packages bring a
walk-through of their own as `LESSON`, a tuple of steps, on their module.
"""

from __future__ import annotations

from kletka.games.registry import plugins
from kletka.lessons import crystals, dots, orapa, tictactoe, ultimate
from kletka.lessons.step import Step

_OURS = {
    "tictactoe": tictactoe.LESSON,
    "ultimate": ultimate.LESSON,
    "dots": dots.LESSON,
    "orapa": orapa.LESSON,
    "crystals": crystals.LESSON,
}


def lesson(family: str) -> tuple[Step, ...]:
    """The walk-through of a family, in order; empty where it has none."""
    if family in _OURS:
        return _OURS[family]
    modules = (module for module in plugins().values() if module.FAMILY.name == family)
    return next((tuple(getattr(module, "LESSON", ())) for module in modules), ())


__all__ = ["Step", "lesson"]
