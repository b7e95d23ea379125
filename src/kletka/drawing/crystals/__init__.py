"""Crystals on paper: each seat's sign on squares, crystals outlined, roughly hatched and with their size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from kletka.drawing.crystals import draft as drafts
from kletka.drawing.crystals.sheet import EDGE, atom, half, label_size, margin, middle, polygon
from kletka.drawing.scene import (
    UNIT,
    Draft,
    Hatch,
    House,
    Label,
    Last,
    Line,
    Mark,
    Name,
    Outline,
    Panel,
    Phrase,
    Place,
    PlainDrawing,
    Point,
    Scene,
    Slot,
    TextPlan,
    box,
)
from kletka.games import Move
from kletka.games.coordinates import letters
from kletka.games.crystals import Board, Crystals, Sheet, members, middle_of

_CLEAR = 40
_GAP = 26
_NUMBER = 30
_SMALL = 30
_LETTERS = ("X", "O", "T", "D", "S", "R")
"""What fills the crystals of each seat in letters."""


@lru_cache(maxsize=16)
def _scene(game: Crystals) -> Scene:
    board = game.board
    left, top = margin(board)
    bottom, right = top + board.height * UNIT, left + board.width * UNIT
    size = label_size(board)
    back: list[Mark] = [*_grid(board), *_edge(board)]
    back += [Label((left + x * UNIT + UNIT // 2, bottom + left // 2), letters(x), size) for x in range(board.width)]
    back += [Label((left // 2, bottom - y * UNIT - UNIT // 2), str(y + 1), size) for y in range(board.height)]
    places = tuple(Place(board.names[square], polygon(board, square)) for square in board.squares)
    panel = Panel(right + EDGE, bottom + left, Phrase("panel.board"), tuple(back), places)
    words = ("pass", "swap") if game.options.swap else ("pass",)
    buttons = tuple((Move(word), Phrase(f"button.crystals.{word}")) for word in words)
    return Scene((panel,), buttons=buttons, sure=(Move("pass"),), brush=drafts.most(game), signs=True, numbers=True)


def _grid(board: Board) -> Iterator[Line]:
    """The paper's own lines, wherever there is a square on either side."""
    left, top = margin(board)
    bottom = top + board.height * UNIT
    spots = board.spots(board.mask)
    for y in range(board.height + 1):
        for a, b in _runs([(x, y) in spots or (x, y - 1) in spots for x in range(board.width)]):
            yield Line((left + a * UNIT, bottom - y * UNIT), (left + b * UNIT, bottom - y * UNIT), None, "ruled")
    for x in range(board.width + 1):
        for a, b in _runs([(x, y) in spots or (x - 1, y) in spots for y in range(board.height)]):
            yield Line((left + x * UNIT, bottom - a * UNIT), (left + x * UNIT, bottom - b * UNIT), None, "ruled")


def _edge(board: Board) -> Iterator[Mark]:
    """Where the board isn't a rectangle: its border in pencil, and shading where squares are cut out."""
    spots = board.spots(board.mask)
    cut = [(x, y) for y in range(board.height) for x in range(board.width) if (x, y) not in spots]
    if cut:
        yield Hatch(tuple(box(x, board.height - 1 - y, margin(board)) for x, y in cut), None, gap=34)
        yield Outline(tuple(polygon(board, square) for square in board.squares), None)


def _runs(there: list[bool]) -> Iterator[tuple[int, int]]:
    start = None
    for number, one in enumerate([*there, False]):
        if one and start is None:
            start = number
        elif not one and start is not None:
            yield start, number
            start = None


@lru_cache(maxsize=4096)
def _number(board: Board, square: int, number: int) -> Label:
    x, y = middle(board, half(board, square))
    return Label((x + 30, y - 32), str(number), _NUMBER)


@lru_cache(maxsize=1024)
def _crystal(board: Board, seat: int, squares: int, atoms: int) -> tuple[Hatch, Outline, Label]:
    """`atoms`: those that lie within."""
    region = tuple(polygon(board, square) for square in members(squares))
    at, size = _label_spot(board, squares, atoms)
    holes = [middle(board, half(board, square)) for square in members(atoms)]
    label = Label(at, str(squares.bit_count()), size, seat)
    keys = tuple(f"0.sign/{name}" for name in board.places(squares & ~atoms))
    # A small label lies between the holes of the atoms around it.
    hatch = Hatch(region, seat, (*holes, at) if size > _SMALL else tuple(holes), _CLEAR, _GAP)
    return hatch, Outline(region, seat, False, _LETTERS[seat], keys), label


def _label_spot(board: Board, squares: int, atoms: int) -> tuple[Point, int]:
    """Where a crystal's size is written, and how large: in the square without an atom that is nearest to its middle;
    where there is none, small, at the nearest corner that lies within, or else in a corner of the nearest square."""
    mx, my = middle_of(board, squares)

    def nearest(mask: int, shift: int) -> Point:
        spots = [(2 * x + shift, 2 * y + shift) for x, y in board.spots(mask)]
        return min(spots, key=lambda spot: ((spot[0] - mx) ** 2 + (spot[1] - my) ** 2, spot[1], spot[0]))

    if bare := squares & ~atoms:
        return middle(board, nearest(bare, 0)), 52 if squares.bit_count() < 100 else 44
    right = squares >> 1 & board.without_last_column
    if corners := squares & right & (squares & right) >> board.width:
        return middle(board, nearest(corners, 1)), _SMALL
    x, y = middle(board, nearest(squares, 0))
    return (x + 32, y - 32), _SMALL


@lru_cache(maxsize=8192)
def _free(name: str) -> Name:
    return Name(Phrase("square.free", {"at": name}), Move(name))


@lru_cache(maxsize=8192)
def _idle(name: str) -> Name:
    return Name(Phrase("square.free", {"at": name}), None)


@lru_cache(maxsize=4096)
def _taken(name: str, seat: int) -> Name:
    return Name(Phrase("square.taken", {"at": name, "seat": seat}), None)


@lru_cache(maxsize=4096)
def _grown(name: str, seat: int, size: int) -> Name:
    return Name(Phrase("square.grown", {"at": name, "seat": seat, "n": size}), None)


class _Drawing(PlainDrawing):
    def scene(self, game: Crystals) -> Scene:
        return _scene(game)

    def marks(self, view: Sheet, last: Sequence[str]) -> dict[str, Mark]:
        board = view.game.board
        marks: dict[str, Mark] = {}
        for seat, own in enumerate(view.own):
            for square in members(own):
                marks[f"0.sign/{board.names[square]}"] = atom(board, square, seat)
        for number, square in enumerate(view.order, 1):
            marks[f"0.number/{board.names[square]}"] = _number(board, square, number)
        for number, (seat, squares) in enumerate(view.crystals, 1):
            drawn = _crystal(board, seat, squares, squares & view.taken)
            marks[f"0.area/{number}"], marks[f"0.line/{number}"], marks[f"0.over/{number}"] = drawn
        if last and (placed := view.game.turn(last[-1]).atom) is not None:
            marks["0.over/last"] = Last(middle(board, half(board, placed)))
        return marks

    def names(self, view: Sheet) -> dict[str, Name]:
        board = view.game.board
        free = _free if view.turn is not None else _idle
        names = {board.names[square]: free(board.names[square]) for square in board.squares}
        for seat, own in enumerate(view.own):
            for name in board.places(own):
                names[name] = _taken(name, seat)
        for seat, squares in view.crystals:
            for name in board.places(squares):
                names[name] = _grown(name, seat, squares.bit_count())
        return names

    def heard(self, game: Crystals, told: str) -> Phrase | None:
        turn = game.turn(told)
        size = turn.size
        several = "_several" if len(turn.outlines) > 1 else ""
        if turn.atom is not None:
            return Phrase(f"turn.grows{several}", {"at": game.board.names[turn.atom], "n": size}) if size else None
        return (
            Phrase("turn.swaps")
            if turn.swap
            else Phrase(f"turn.only_grows{several}", {"n": size})
            if size
            else Phrase("turn.passes")
        )

    def standing(self, view: Sheet) -> tuple[Phrase, ...]:
        return tuple(Phrase("standing.atoms", {"n": view.atoms(seat).bit_count()}) for seat in range(view.game.seats))

    def draft(self, view: Sheet, seat: int | None, text: str, help: House, act: str) -> Draft:
        return drafts.draft(view, seat, text, help, act)

    def brief(self, game: Crystals) -> tuple[Phrase, ...]:
        options = game.options
        full = options.fill == "full"
        said = ["crystals.place", f"crystals.{options.claims}", f"crystals.axes{options.axes}"]
        said += ["crystals.interlock"] if options.interlock == "forbidden" else []
        said += ["crystals.full"] if full else []
        said += ["crystals.grown", *(["crystals.swap"] if options.swap else [])]
        said += ["crystals.end_full" if full else "crystals.end", "tie" if game.seats == 2 else "tied"]
        return tuple(Phrase(f"paper.{word}", {"n": options.least}) for word in said)

    def plan(self, game: Crystals) -> TextPlan:
        board = game.board
        wide = 2 + (board.width > 26)
        rows: list[tuple[str | Slot, ...]] = []
        for y in reversed(range(board.height)):
            row: list[str | Slot] = [f"{y + 1:>3}"]
            for x in range(board.width):
                square = y * board.width + x
                there = board.mask >> square & 1
                row.append(Slot(f"0.sign/{board.names[square]}", ".".rjust(wide)) if there else " " * wide)
            rows.append(tuple(row))
        rows.append((" " * 3, *(letters(x).rjust(wide) for x in range(board.width))))
        return tuple(rows)


DRAWING = _Drawing()
