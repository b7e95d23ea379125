"""The walk-through of dots and boxes, with a step on triangles."""

from __future__ import annotations

from kletka.lessons.step import Step

_SMALL = "dots:size=2x2"
_GIVEN = ("a1-b1", "c2-c3", "a1-a2", "a2-b2")
"""Red's last line was the third round the lower left box."""
_CHAINS = "111111110111000000010001 ......... 2"
"""Nothing is safe: the top row is a chain of three, the rest one of six."""

LESSON = (
    Step("line", _SMALL, move="a1-b1", also="[abc][123]-[abc][123]"),
    Step("drawn", _SMALL, ("a1-b1", "c2-c3"), "a1-b1", refused="drawn"),
    Step("close", _SMALL, _GIVEN, "b1-b2"),
    Step("again", _SMALL, (*_GIVEN, "b1-b2"), "a3-b3", "[abc][123]-[abc][123]"),
    Step("two", "dots:lattice=triangles,size=3", move="b1-a2", position="010100000000101000 ......... 1"),
    Step("chain", "dots:size=3x3", move="a3-a4", also="[bc]3-[bc]4|d3-d4", position=_CHAINS),
    Step("keep", "dots:size=3x3", ("a3-a4", "b3-b4"), "d3-d4", position=_CHAINS),
    Step("end", _SMALL, move="b2-b3", position="111111101111 ..21 1"),
)
