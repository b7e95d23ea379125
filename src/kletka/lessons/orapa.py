"""The walk-through of Orapa Mine: alone in a mine that is known to us, and a look at how a duel begins."""

from __future__ import annotations

from kletka.lessons.step import Step

_MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
_LAID, _, _MISSING = _MINE.rpartition("+")
_ASKED = ("B", "done", "H", "done", "M", "done", "8E", "done")

LESSON = (
    Step("wave", "orapa", (), "B", setup=_MINE),
    Step("done", "orapa", _ASKED[:1], "done", setup=_MINE),
    Step("answered", "orapa", _ASKED[:2], "3", refused="answered", setup=_MINE),
    Step("clear", "orapa", _ASKED[:2], "H", setup=_MINE),
    Step("mixed", "orapa", _ASKED[:4], "M", setup=_MINE),
    Step("cell", "orapa", _ASKED[:6], "8E", setup=_MINE),
    Step("hide", "orapa:mode=duel", (), f"hide:{_MINE}", draft=_MINE),
    Step("lay", "orapa", _ASKED, lays=_MISSING, setup=_MINE, draft=_LAID),
    Step("answer", "orapa", _ASKED, f"answer:{_MINE}", setup=_MINE, draft=_MINE),
)
