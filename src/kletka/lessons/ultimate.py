"""The walk-through of ultimate tic-tac-toe."""

from __future__ import annotations

from kletka.lessons.step import Step

_ANY = "[abc][123][abc][123]"
_SENT = ("b2a1", "a1b2")
_ROUND = (*_SENT, "b2c1", "c1b2")
_CLAIMED = (*_ROUND, "b2b1", "b1b2")
_END = ".oo.xx.x./x..x.ox../...o..xxx/xo.xoxx.x/o.ooxoxox/o..oxo.xx/ox..o.oxo/o.xox.xoo/.ooox.oox .xxx..ox. any"
"""Crosses own b3 and c3 and need two in a row on a3 to win."""

LESSON = (
    Step("first", "ultimate", move="b2a1", also=_ANY),
    Step("sent", "ultimate", _SENT, "b2c1", _ANY),
    Step("elsewhere", "ultimate", _ROUND, "a3b2", refused="elsewhere"),
    Step("claim", "ultimate", _ROUND, "b2b1"),
    Step("closed", "ultimate", _CLAIMED, "b2b3", refused="closed_board"),
    Step("free", "ultimate", _CLAIMED, "a3c3", _ANY),
    Step("end", "ultimate", move="a3a2", position=_END),
)
