"""Dots on paper: lines in pencil, the last turn's in ink; coins hatched and signed by their owners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from kletka.drawing.scene import (
    SIGNS,
    UNIT,
    Dot,
    Hatch,
    Label,
    Line,
    Mark,
    Name,
    Panel,
    Phrase,
    Place,
    PlainDrawing,
    Point,
    Scene,
    Sign,
    Slot,
    TextPlan,
    centre,
)
from kletka.games.coordinates import letters
from kletka.games.dots import Dots, Lines
from kletka.games.lattice import Spot

_ROW = {0: UNIT, 1: 87}
"""Height of a row of coins by the lattice's slant, in units: triangles are equilateral."""
_EDGE = 36
"""Margin above and at the right, in units."""
_SIGN = {0: 54, 1: 40}
_CLEAR = {0: 30, 1: 21}
_GAP = {0: 17, 1: 14}


@dataclass(frozen=True)
class _Coin:
    """The marks of a coin, for each seat that may own it."""

    area: str
    sign: str
    marks: tuple[tuple[Hatch, Sign], ...]


@dataclass(frozen=True)
class _Sheet:
    """What a game's picture is made of: each line's name drawn, open, and open when nobody is to move; its key, and the
    line in pencil and in each ink."""

    scene: Scene
    names: tuple[tuple[Name, ...], tuple[Name, ...], tuple[Name, ...]]
    lines: tuple[tuple[str, Line, tuple[Line, ...]], ...]
    coins: tuple[_Coin, ...]


def _letter_size(game: Dots) -> int:
    return 24 + 2 * max(max(spot) for spot in game.board.spots)


@lru_cache(maxsize=64)
def _sheet(game: Dots) -> _Sheet:
    board = game.board
    size = _letter_size(game)
    left = bottom = size + 40
    height = _ROW[board.slant]
    top = max(row for _, row in board.spots)
    right = max(board.where(spot)[0] for spot in board.spots) * UNIT // 2

    def at(spot: Spot) -> Point:
        across, up = board.where(spot)
        return left + across * UNIT // 2, _EDGE + (top - up) * height

    coins = [tuple(at(spot) for spot in coin) for coin in board.coins]
    ends = [(at(first), at(second)) for first, second in board.lines]
    places = []
    for line, (start, end) in enumerate(ends):
        middles = [centre(coins[coin]) for coin in board.beside[line]]
        if len(middles) == 1:
            (x, y) = middles[0]
            middles.append((start[0] + end[0] - x, start[1] + end[1] - y))
        places.append(Place(board.names[line], (start, middles[0], end, middles[1])))
    back: list[Mark] = [Line(*ends[line]) for line in range(len(ends)) if board.border >> line & 1]
    base = at((0, 0))[1]
    for column in range(max(c for c, r in board.spots if r == 0) + 1):
        back.append(Label((at((column, 0))[0], base + bottom * 3 // 5), letters(column), size))
    for row in range(top + 1):
        x, y = at((0, row))
        back.append(Label((x - left * 3 // 5, y), str(row + 1), size))
    front = tuple(Dot(at(spot)) for spot in board.spots)
    panel = Panel(
        left + right + _EDGE,
        _EDGE + top * height + bottom,
        Phrase("panel.board"),
        tuple(back),
        tuple(place for line, place in enumerate(places) if not board.border >> line & 1),
        front,
    )
    return _Sheet(
        Scene((panel,), runs=True),
        (
            tuple(Name(Phrase("line.drawn", {"at": name}), None) for name in game.lines),
            tuple(Name(Phrase("line.free", {"at": name}), name) for name in game.lines),
            tuple(Name(Phrase("line.free", {"at": name}), None) for name in game.lines),
        ),
        tuple(
            (f"0.line/{name}", Line(*pair), tuple(Line(*pair, seat) for seat in range(game.seats)))
            for name, pair in zip(board.names, ends, strict=True)
        ),
        tuple(_coin(game, number, polygon) for number, polygon in enumerate(coins)),
    )


def _coin(game: Dots, number: int, polygon: tuple[Point, ...]) -> _Coin:
    slant = game.board.slant
    middle = centre(polygon)
    marks = tuple(
        (Hatch((polygon,), seat, (middle,), _CLEAR[slant], _GAP[slant]), Sign(middle, SIGNS[seat], seat, _SIGN[slant]))
        for seat in range(game.seats)
    )
    return _Coin(f"0.area/{number + 1}", f"0.sign/{number + 1}", marks)


def _drawer(view: Lines, last: Sequence[str]) -> int | None:
    """Who drew the lines of the last turn: the owner of what its last line closed, else the seat before the next.

    Once a seat has left, nothing counts as a last turn until the next move; tables and terminals pass none then.
    """
    game = view.game
    if not last:
        return None
    owners = [view.owners[coin] for coin in view.closed_with(last[-1:])]
    closed = [owner for owner in owners if owner is not None]
    if closed:
        return closed[0]
    if view.turn is None:
        return None
    for back in range(1, game.seats):
        seat = (view.turn - back) % game.seats
        if seat not in view.gone:
            return seat
    return None


@lru_cache(maxsize=8192)
def _closes(word: str, name: str) -> Phrase:
    return Phrase(word, {"at": name})


def _kind(game: Dots) -> str:
    return "triangle" if game.board.slant else "box"


class _Drawing(PlainDrawing):
    def scene(self, game: Dots) -> Scene:
        return _sheet(game).scene

    def marks(self, view: Lines, last: Sequence[str]) -> dict[str, Mark]:
        game = view.game
        sheet = _sheet(game)
        marks: dict[str, Mark] = {}
        drawn = view.drawn & ~game.board.border
        inked, seat = set(last), _drawer(view, last)
        for line, (key, pencil, inks) in enumerate(sheet.lines):
            if drawn >> line & 1:
                marks[key] = inks[seat] if seat is not None and game.lines[line] in inked else pencil
        for coin, owner in zip(sheet.coins, view.owners, strict=True):
            if owner is not None:
                marks[coin.area], marks[coin.sign] = coin.marks[owner]
        return marks

    def names(self, view: Lines) -> dict[str, Name]:
        game = view.game
        drawn, free, idle = _sheet(game).names
        open_lines = free if view.turn is not None else idle
        names: dict[str, Name] = {
            name: (drawn if view.drawn >> line & 1 else open_lines)[line]
            for line, name in enumerate(game.lines)
            if not game.board.border >> line & 1
        }
        kind = _kind(game)
        for line in view.captures:
            name = game.lines[line]
            said = _closes(f"line.closes.{kind}.{len(view.closed_by(line))}", name)
            names[name] = Name(said, None if view.turn is None else name, (), view.run(name))
        return names

    def remarks(self, view: Lines, last: Sequence[str]) -> tuple[Phrase, ...]:
        game, seat = view.game, _drawer(view, last)
        if seat is None or view.turn is None:
            return ()
        closed = len(view.closed_with(last))
        if not closed:
            return ()
        word = "again" if seat == view.turn else "closed"
        return (Phrase(f"remark.{_kind(game)}.{word}", {"seat": seat, "n": closed}),)

    def brief(self, game: Dots) -> tuple[Phrase, ...]:
        said = ["dots.triangles" if game.board.slant else "dots.boxes"]
        said += ["dots.border"] if game.board.border else []
        said += ["dots.fewest" if game.options.misere else "dots.most"]
        # Two players can't share an odd number alike.
        said += ["tied"] if game.seats > 2 else [] if len(game.coins) % 2 else ["tie"]
        return tuple(Phrase(f"paper.{word}") for word in said)

    def plan(self, game: Dots) -> TextPlan:
        return _plan(game)


@lru_cache(maxsize=64)
def _plan(game: Dots) -> TextPlan:
    """On a grid of letters: three letters for half a step to the right, two rows a box or three a triangle."""
    board = game.board
    half, tall = (3, 3) if board.slant else (2, 2)
    top = max(row for _, row in board.spots)
    indent = 4
    cells: dict[tuple[int, int], str | Slot] = {}

    def at(spot: Spot) -> tuple[int, int]:
        across, up = board.where(spot)
        return (top - up) * tall, indent + across * half

    def put(row: int, column: int, line: int, sign: str) -> None:
        free = " " * len(sign)
        drawn = board.border >> line & 1
        cells[row, column] = sign if drawn else Slot(f"0.line/{board.names[line]}", free, sign)

    for line, (first, second) in enumerate(board.lines):
        (y, x), (_, u) = at(first), at(second)
        if first[1] == second[1]:
            put(y, x + 1, line, "-" * (u - x - 1))
        else:
            step = (u > x) - (u < x)
            for k in range(1, tall):
                put(y - k, x + k * step, line, " /|\\"[2 - step] if step else "|")
    for number, coin in enumerate(board.coins):
        corners = [at(spot) for spot in coin]
        low, high = min(y for y, _ in corners), max(y for y, _ in corners)
        wide_end = sum(y == high for y, _ in corners) >= sum(y == low for y, _ in corners)
        row = high - 1 if wide_end else low + 1
        x = (min(x for _, x in corners) + max(x for _, x in corners)) // 2
        cells[row, x] = Slot(f"0.sign/{number + 1}", " ")
    for spot in board.spots:
        cells[at(spot)] = "+"
    for row in range(top + 1):
        y, x = at((0, row))
        text = str(row + 1)
        cells[y, x - 1 - len(text)] = text
    for column in range(max(c for c, r in board.spots if r == 0) + 1):
        y, x = at((column, 0))
        cells[y + 1, x] = letters(column)
    return _rows(cells)


def _rows(cells: dict[tuple[int, int], str | Slot]) -> TextPlan:
    rows: list[tuple[str | Slot, ...]] = []
    for number, group in groupby(sorted(cells), key=lambda cell: cell[0]):
        while len(rows) < number:
            rows.append(())
        row: list[str | Slot] = []
        at = 0
        for cell in group:
            part = cells[cell]
            row += [" " * (cell[1] - at), part]
            at = cell[1] + len(part if isinstance(part, str) else part.empty)
        rows.append(tuple(part for part in row if part != ""))
    return tuple(rows)


DRAWING = _Drawing()
