"""The walk-through of Crystals."""

from __future__ import annotations

from kletka.lessons.step import Step

_BOARD = "crystals:board=9x9"
_THREE = ("d4", "a1", "d6", "a3", "f4", "b2")
_FOUR = (*_THREE, "f6", "h8")
_CRYSTAL = "d-f4.d-f5.d-f6"
_GROWN = (*_FOUR, f"pass+{_CRYSTAL}", "c8")
_LAST = ("c3", "a1", "e3", "a7", "c5", "g1")
_LARGEST = "b-f1.a-g2.a-g3.a-g4.a-g5.a-g6.b-f7"

LESSON = (
    Step("atom", _BOARD, move="d4"),
    Step("taken", _BOARD, ("d4", "a1"), "a1", refused="taken"),
    Step("fourth", _BOARD, _THREE, "f6"),
    Step("brush", _BOARD, _FOUR, f"pass+{_CRYSTAL}", r".*\+.*"),
    Step("grown", _BOARD, _GROWN, "e5", refused="grown"),
    Step("pass", _BOARD, _GROWN, "pass"),
    Step("end", "crystals:board=7x7", _LAST, f"e5+{_LARGEST}", r".*\+.*"),
)
