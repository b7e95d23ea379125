"""Sheets to print: boards of a game in black on one page, with the rules in one paragraph.

A sheet is an SVG as large as its paper, and its units are millimetres. Small boards are printed several to a page;
a board whose squares would be smaller than LEAST loses the names of its rows and columns and the page's margins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import Literal, NamedTuple

from kletka.drawing import drawing_of, svg
from kletka.drawing.scene import SIGNS, UNIT, Mark, Panel, Phrase, Piece, Scene, signed
from kletka.drawing.svg import Box
from kletka.games import Game, State, family_of, seat_words

Paper = Literal["a4", "letter"]
PAPERS: Mapping[Paper, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
"""Width and height in millimetres, upright."""

LEAST = 5.0
"""Millimetres: smaller squares are hard to write in."""
_EASY, _LARGEST, _MOST = 8.0, 24.0, 12
"""The side of a square that allows several boards to a page and the side that is enough, in millimetres; and how many
boards a page takes."""
_MARGIN, _BARE = 10.0, 4.4
_TITLE, _TEXT, _SMALL = 6.0, 3.4, 2.5
_LEADING = 1.35
_GAP, _BETWEEN = 4.0, 7.0
"""Between the panels of a board, and between boards."""
_NAMED = 5.5
"""Height of a panel's title."""
_SEAT, _STRIP = 30.0, 10.0
"""Width and height that a player's name and score take at least."""
_SIDE = 60.0
"""Width of the column beside the boards of a hidden game."""

Say = Callable[[Phrase], str]


@dataclass(frozen=True)
class Sheet:
    """A page: its SVG, its size in millimetres as it lies (wider than high: landscape), the side of the smallest
    square, and how many boards it has."""

    svg: str
    width: float
    height: float
    square: float
    boards: int


class _Spread(NamedTuple):
    """How boards share a page: how many side by side and below each other, and how many panels of each side by side."""

    across: int
    down: int
    columns: int
    strips: int
    square: float


@dataclass(frozen=True)
class _Boards:
    """What is to be printed: the panels with their marks, their titles, and for each seat what to write about it."""

    scene: Scene
    groups: Mapping[tuple[int, str], str]
    titles: tuple[str, ...]
    seats: tuple[tuple[str, str], ...]
    captions: tuple[str, str]
    most: int


# Text


def _em(letter: str) -> float:
    """The width of a letter in the widest of the usual fonts, in parts of its size."""
    if letter in " ijl.,:;'’|!·\u00a0\u202f":
        return 0.33
    if letter in "()[]trf/-–":
        return 0.45
    if letter in "mMWw—%@×=→ШЩЖЮФЫМДшщжюфымд":
        return 1.0
    return 0.76 if letter.isupper() else 0.65


def wide(text: str, size: float) -> float:
    """The width of a text in millimetres, rather too large than too small."""
    return sum(map(_em, text)) * size


def _lines(text: str, width: float, size: float) -> list[str]:
    """A text broken into lines, at ordinary spaces alone."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and wide(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _text(x: float, y: float, text: str, size: float, anchor: str = "") -> str:
    placed = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:.6g}" y="{y:.6g}" font-size="{size:.6g}"{placed}>{escape(text)}</text>'


def _rule(x: float, y: float, u: float, v: float) -> str:
    return f'<path stroke="#000" stroke-width=".25" d="M{x:.6g} {y:.6g}L{u:.6g} {v:.6g}"/>'


def _rectangle(box: Box) -> str:
    x, y, width, height = (f"{side:.6g}" for side in box)
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="#000" stroke-width=".25"/>'


def _head(title: str, paragraphs: Sequence[str], width: float) -> tuple[list[str], float]:
    """Title and paragraphs over the page's width; and where the rest of the page begins."""
    room = width - 2 * _MARGIN
    size = min(_TITLE, _TITLE * room / wide(title, _TITLE))
    parts = [_text(_MARGIN, _MARGIN + _TITLE * 0.8, title, size)]
    y = _MARGIN + _TITLE + 1
    for paragraph in paragraphs:
        for line in _lines(paragraph, room, _TEXT):
            y += _TEXT * _LEADING
            parts.append(_text(_MARGIN, y, line, _TEXT))
    return parts, y + 4


# Boards


def _pen(square: float) -> str:
    """The width of half a millimetre in a panel's units."""
    return f"{0.5 / square * UNIT:.3g}"


def _view(panel: Panel, bare: bool) -> Box:
    """The part of a panel that is printed: all of it, or its places alone."""
    if not bare:
        return Box(0, 0, panel.width, panel.height)
    points = [point for place in panel.places for point in place.polygon]
    (left, top), (right, bottom) = (tuple(fit(p[i] for p in points) for i in (0, 1)) for fit in (min, max))
    return Box(left - 10, top - 10, right - left + 20, bottom - top + 20)


def _spread(boards: _Boards, width: float, height: float, across: int, down: int, columns: int, bare: bool) -> _Spread:
    """Boards as large as they can be in so many columns and rows."""
    views = [_view(panel, bare) for panel in boards.scene.panels]
    rows = ceil(len(views) / columns)
    panel_width, panel_height = max(view.width for view in views), max(view.height for view in views)
    named = _NAMED if boards.titles else 0
    each = (width - (across - 1) * _BETWEEN) / across
    square = (each - (columns - 1) * _GAP) / columns / panel_width * UNIT
    strips = 0
    for strips in range(1, len(boards.seats) + 1) if boards.seats else (0,):
        tall = (height - (down - 1) * _BETWEEN) / down - strips * _STRIP
        upright = ((tall - (rows - 1) * _GAP) / rows - named) / panel_height * UNIT
        fits = min(square, upright, _LARGEST)
        if strips * int((fits / UNIT * panel_width * columns + (columns - 1) * _GAP) / _SEAT) >= len(boards.seats):
            break
    return _Spread(across, down, columns, strips, fits)


def _best(boards: _Boards, width: float, height: float, bare: bool = False) -> _Spread:
    """As many boards as can be played on easily, and these as large as possible; one where it takes the page."""
    count = len(boards.scene.panels)
    spreads = [
        _spread(boards, width, height, across, down, columns, bare)
        for across in range(1, 5)
        for down in range(1, 7)
        if across * down <= boards.most
        for columns in range(1, count + 1)
    ]
    return max(
        spreads, key=lambda one: (one.square >= _EASY, one.across * one.down * (one.square >= _EASY), one.square)
    )


def _seat_strip(boards: _Boards, spread: _Spread, at: Box) -> list[str]:
    """For each seat its sign (or room for one), a line for a name, and a box for the score."""
    parts = []
    in_row = ceil(len(boards.seats) / spread.strips)
    each = at.width / in_row
    for number, (name, score) in enumerate(boards.seats):
        x = at.x + number % in_row * each
        y = at.y + number // in_row * _STRIP
        end = x + each - 2
        if boards.scene.signs:
            parts.append(_rectangle(Box(x, y + 1.5, 5.5, 5.5)))
        else:
            sign = SIGNS[number % len(SIGNS)]
            parts.append(
                f'<g stroke-width="6"><use href="#k-{sign}" x="{x:.6g}" y="{y + 1.5:.6g}" width="6" height="6"/></g>'
            )
        parts.append(_text(x + 7, y + 2.2, name or boards.captions[0], 2))
        parts.append(_rule(x + 7, y + 7, end - 12, y + 7))
        parts.append(_text(end - 10, y + 1.2, boards.captions[1], 2))
        parts.append(_rectangle(Box(end - 10, y + 1.8, 10, 5.2)))
        if score:
            parts.append(_text(end - 5, y + 6, score, 4, "middle"))
    return parts


def _block(boards: _Boards, spread: _Spread, x: float, y: float, bare: bool) -> tuple[list[str], Box]:
    """One board: the strip for its players, then its panels; and the room that it takes."""
    scale = spread.square / UNIT
    views = [_view(panel, bare) for panel in boards.scene.panels]
    width, height = max(view.width for view in views) * scale, max(view.height for view in views) * scale
    named = _NAMED if boards.titles else 0
    full = width * spread.columns + _GAP * (spread.columns - 1)
    top = y + spread.strips * _STRIP
    parts = _seat_strip(boards, spread, Box(x, y, full, 0)) if boards.seats else []
    for number, (panel, view) in enumerate(zip(boards.scene.panels, views, strict=True)):
        left = x + number % spread.columns * (width + _GAP)
        upper = top + number // spread.columns * (height + named + _GAP)
        if boards.titles:
            parts.append(_text(left + width / 2, upper + 4, boards.titles[number], _TEXT, "middle"))
        placed = Box(left, upper + named, view.width * scale, view.height * scale)
        parts.append(svg.nested(panel, number, boards.groups, placed, view, _pen(spread.square)))
    rows = ceil(len(views) / spread.columns)
    return parts, Box(x, y, full, top - y + rows * (height + named) + (rows - 1) * _GAP)


def _page(parts: Sequence[str], width: float, height: float, title: str) -> str:
    size = f'width="{width:.6g}mm" height="{height:.6g}mm" viewBox="0 0 {width:.6g} {height:.6g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">'
        f'{svg.print_style()}{svg.symbols()}<rect class="sheet" width="{width:.6g}" height="{height:.6g}"/>'
        f"{''.join(parts)}</svg>"
    )


def _laid(boards: _Boards, title: str, paragraphs: Sequence[str], width: float, height: float, bare: bool) -> Sheet:
    parts, y = _head(title, paragraphs, width)
    margin = _BARE if bare else _MARGIN
    room = width - 2 * margin
    spread = _best(boards, room, height - margin - y, bare)
    _, size = _block(boards, spread, 0, 0, bare)
    across = (room - spread.across * size.width) / spread.across
    down = (height - margin - y - spread.down * size.height) / spread.down
    for number in range(spread.across * spread.down):
        column, row = number % spread.across, number // spread.across
        # Boards share what is left between them, but the first row keeps near the text.
        left = margin + column * (size.width + across) + across / 2
        parts += _block(boards, spread, left, y + row * (size.height + down), bare)[0]
    return Sheet(_page(parts, width, height, title), width, height, spread.square, spread.across * spread.down)


def _largest(boards: _Boards, title: str, paragraphs: Sequence[str], paper: Paper, note: str) -> Sheet:
    """Upright, or lying where squares are larger so; bare where they would be too small; said where even that is."""
    short, long = PAPERS[paper]
    sheets = []
    for bare in (False, True):
        for width, height in ((short, long), (long, short)):
            sheets.append(_laid(boards, title, paragraphs, width, height, bare))
            if sheets[-1].square >= LEAST:
                return sheets[-1]
    best = max(sheets, key=lambda sheet: sheet.square)
    return _laid(boards, title, [*paragraphs, note], best.width, best.height, True)


# Hidden games: a board to hide on, one to search, and what is to be hidden


def _pieces(pieces: Sequence[Piece], say: Say, at: Box, square: float) -> tuple[list[str], float]:
    """The pieces to cut out or to copy, as large as on the board; and where they end."""
    parts: list[str] = []
    x, y, tall = at.x, at.y, 0.0
    for piece in pieces:
        form = piece.forms[0]
        width, height = form.width * square, form.height * square
        if x > at.x and x + width > at.x + at.width:
            x, y, tall = at.x, y + tall + 5, 0.0
        drawn = "".join(map(svg.fragment, form.marks))
        parts.append(
            f'<svg x="{x:.6g}" y="{y:.6g}" width="{width:.6g}" height="{height:.6g}" overflow="visible" '
            f'viewBox="0 0 {form.width * UNIT} {form.height * UNIT}"><g stroke-width="5">{drawn}</g></svg>'
        )
        parts.append(_text(x, y + height + 3, say(piece.title), _SMALL))
        x, tall = x + max(width, wide(say(piece.title), _SMALL)) + 3, max(tall, height)
    return parts, y + tall + 6


def _legend(scene: Scene, say: Say, at: Box) -> tuple[list[str], float]:
    """What letters mean, in two columns; and where they end."""
    parts: list[str] = []
    rows = ceil(len(scene.legend) / 2)
    for number, (mark, phrase) in enumerate(scene.legend):
        x, y = at.x + number // rows * at.width / 2, at.y + number % rows * 5.2
        parts.append(
            f'<svg x="{x:.6g}" y="{y:.6g}" width="5" height="5" viewBox="0 0 {UNIT} {UNIT}">'
            f'<g stroke-width="5">{svg.fragment(mark)}</g></svg>'
        )
        parts.append(_text(x + 6.5, y + 3.4, say(phrase), _SMALL))
    return parts, at.y + rows * 5.2 + 3


def _hunt(game: Game, scene: Scene, say: Say, title: str, paragraphs: Sequence[str], paper: Paper) -> Sheet:
    width, height = PAPERS[paper]
    parts, y = _head(title, paragraphs, width)
    panel = scene.panels[0]
    room, tall = width - 2 * _MARGIN - _SIDE - 4, (height - _MARGIN - y - _GAP) / 2 - _NAMED
    square = min(room / panel.width, tall / panel.height) * UNIT
    scale = square / UNIT
    for number, word in enumerate(("paper.hide", "paper.seek")):
        top = y + number * (panel.height * scale + _NAMED + _GAP)
        parts.append(_text(_MARGIN, top + 4, say(Phrase(word)), _TEXT))
        placed = Box(_MARGIN, top + _NAMED, panel.width * scale, panel.height * scale)
        parts.append(svg.nested(panel, 0, {}, placed, None, _pen(square)))
    left = _MARGIN + panel.width * scale + 4
    side = Box(left, y + _NAMED, width - _MARGIN - left, 0)
    parts.append(_text(left, y + 4, say(Phrase("paper.pieces")), _TEXT))
    drawn, bottom = _pieces([piece for piece in scene.tray if piece.once], say, side, square)
    parts += drawn
    drawn, bottom = _legend(scene, say, side._replace(y=bottom + 2))
    parts += drawn
    parts.append(_text(left, bottom + 3, say(Phrase("paper.notes")), _TEXT))
    line = bottom + 11
    while line <= height - _MARGIN:
        parts.append(_rule(left, line, width - _MARGIN, line))
        line += 7
    return Sheet(_page(parts, width, height, title), width, height, square, 2)


# Sheets


def _titles(scene: Scene, say: Say) -> tuple[str, ...]:
    return tuple(say(panel.title) for panel in scene.panels) if len(scene.panels) > 1 else ()


def _rules(game: Game, say: Say) -> str:
    return " ".join(map(say, drawing_of(game).brief(game)))


def _captions(say: Say) -> tuple[str, str]:
    return say(Phrase("paper.name")), say(Phrase("paper.score"))


def blank(game: Game, say: Say, title: str, paper: Paper = "a4") -> Sheet:
    """Empty boards to play on. `say` speaks a phrase of the game in the page's language."""
    scene = drawing_of(game).scene(game)
    if game.hidden and scene.tray:
        return _hunt(game, scene, say, title, [_rules(game, say)], paper)
    # What lies there before the first move, without frames and shading for whoever is to move.
    marks = {key: mark for key, mark in drawing_of(game).marks(game.start(), ()).items() if ".area/" not in key}
    seats = (("", ""),) * game.seats if family_of(game).scored else ()
    boards = _Boards(scene, svg.grouped(marks), _titles(scene, say), seats, _captions(say), _MOST)
    return _largest(boards, title, [_rules(game, say)], paper, say(Phrase("paper.small")))


def position(
    state: State, say: Say, title: str, paper: Paper = "a4", *, signs: Sequence[str] = (), remark: str = ""
) -> Sheet:
    """A position as large as the page takes it; `signs` are the seats' own where players choose them, `remark` is a
    sentence about it."""
    game = state.game
    scene = drawing_of(game).scene(game)
    marks: Mapping[str, Mark] = signed(drawing_of(game).marks(state, ()), signs)
    words = seat_words(game)
    seats = tuple((say(Phrase(f"seat.{words[n % len(words)]}")), str(score)) for n, score in enumerate(state.scores))
    kept = seats if family_of(game).scored else ()
    boards = _Boards(scene, svg.grouped(marks), _titles(scene, say), kept, _captions(say), 1)
    return _largest(boards, title, list(filter(None, [_rules(game, say), remark])), paper, say(Phrase("paper.small")))
