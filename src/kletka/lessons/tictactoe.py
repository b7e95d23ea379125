"""The walk-through of noughts and crosses."""

from __future__ import annotations

from kletka.lessons.step import Step

_CUBE = "..../..../..../.... ..../.ox./..../.... ..../..x./.o../.... ..../..x./..../o..."
"""Three crosses one above the other at c3, and room for a fourth."""

LESSON = (
    Step("place", "tictactoe", move="b2", also="[abc][123]"),
    Step("taken", "tictactoe", ("b2", "a3"), "a3", refused="taken"),
    Step("block", "tictactoe", ("b2", "a3", "a1", "c3"), "b3"),
    Step("win", "tictactoe", ("b2", "a3", "a1", "c3", "b3", "a2"), "b1"),
    Step("full", "tictactoe", move="b1", position="xox/xoo/o.x"),
    Step("layer", "tictactoe:shape=4x4x4", move="4c3", position=_CUBE),
    Step("wild", "tictactoe:marks=wild", move="a3:o", position=".../.o./x.o"),
    Step("claim", "tictactoe:claim=true", move="claim:c1-a3", also="claim:a3-c1", position="x.o/ox./.ox"),
)
