"""The course of a game: one seat's share of the win after each move, drawn as a pencil line over the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from kletka.drawing import svg
from kletka.drawing.scene import Dot, Label, Line, Mark, Panel, Phrase, Point, Scene

WIDTH, HEIGHT, MARGIN = 720, 280, 30
"""The drawing's size, and what it leaves free at each side."""
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""What stands at moves that gave something away."""
_RULED = (0.0, 0.5, 1.0)
_LETTERS = 40


def _point(score: float, at: int, last: int) -> Point:
    across = WIDTH // 2 if last == 0 else MARGIN + round((WIDTH - 2 * MARGIN) * at / last)
    return across, MARGIN + round((HEIGHT - 2 * MARGIN) * (1 - score))


def graph(scores: Sequence[float | None], falls: Mapping[int, str]) -> str:
    """The course as an SVG picture for a page: `scores` (0..1, None where nobody knows) from the start on, `falls` by
    the number of their move; others than those of SIGNS are left out."""
    last = len(scores) - 1
    back = tuple(
        Line(_point(level, 0, max(1, last)), _point(level, max(1, last), max(1, last)), weight="ruled")
        for level in _RULED
    )
    points = [None if score is None else _point(score, at, last) for at, score in enumerate(scores)]
    marks: dict[str, Mark] = {}
    for at, (start, end) in enumerate(pairwise(points)):
        if start and end:
            marks[f"0.line/{at}"] = Line(start, end, 0)
    for at, point in enumerate(points):
        if point is None:
            continue
        alone = not any(points[max(0, at - 1) : at]) and not any(points[at + 1 : at + 2])
        if alone:
            marks[f"0.over/{at}"] = Dot(point)
        if sign := SIGNS.get(falls.get(at, "")):
            x, y = point
            # Beside the line, which comes from the other side.
            aside = _LETTERS if at < last else -_LETTERS
            down = _LETTERS if y < HEIGHT // 2 else -_LETTERS
            marks[f"0.over/fall-{at}"] = Dot(point)
            marks[f"0.over/sign-{at}"] = Label((x + aside * 3 // 4, y + down * 3 // 4), sign, _LETTERS, 1)
    panel = Panel(WIDTH, HEIGHT, Phrase("study.course"), back, ())
    return svg.inline(Scene((panel,)), marks)
