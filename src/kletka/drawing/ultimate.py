"""Ultimate tic-tac-toe on paper: nine small grids in a large one, a frame around the boards that are open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from kletka.drawing.scene import (
    UNIT,
    Frame,
    Hatch,
    Label,
    Last,
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
    box,
    centre,
)
from kletka.games.coordinates import letters
from kletka.games.ultimate import SQUARES, Boards, Ultimate

_SIGNS = ("cross", "nought")
_SMALL = 3 * UNIT
_GAP = 44
"""Between two small boards, in units."""
_PITCH = _SMALL + _GAP
_LEFT = 64
_TOP = _EDGE = 26
_LARGE = 3 * _SMALL + 2 * _GAP
_LETTERS = 44


def _corner(board: int) -> Point:
    """The upper left corner of a small board."""
    row, column = divmod(board, 3)
    return _LEFT + column * _PITCH, _TOP + (2 - row) * _PITCH


def _square(corner: Point, side: int, out: int = 0) -> tuple[Point, ...]:
    x, y = corner[0] - out, corner[1] - out
    side += 2 * out
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


_BOARDS = tuple(_square(_corner(board), _SMALL) for board in range(9))
_PLACES = tuple(
    Place(SQUARES[board] + SQUARES[cell], box(cell % 3, 2 - cell // 3, _corner(board)))
    for board in range(9)
    for cell in range(9)
)
_FRAMES = tuple((f"0.area/open-{SQUARES[board]}", Frame(_square(_corner(board), _SMALL, 3))) for board in range(9))
_MARKED = tuple(
    (f"0.sign/{place.id}", tuple(Sign(centre(place.polygon), sign, seat) for seat, sign in enumerate(_SIGNS)))
    for place in _PLACES
)
_CLAIMED = tuple(
    (
        f"0.over/{SQUARES[board]}",
        tuple(Sign(centre(_BOARDS[board]), sign, seat, _SMALL + 40) for seat, sign in enumerate(_SIGNS)),
    )
    for board in range(9)
)


@cache
def _scene() -> Scene:
    back: list[Mark] = []
    for board in range(9):
        x, y = _corner(board)
        for k in (UNIT, 2 * UNIT):
            back.append(Line((x + k, y + 6), (x + k, y + _SMALL - 6), None, "thin"))
            back.append(Line((x + 6, y + k), (x + _SMALL - 6, y + k), None, "thin"))
    for k in (_SMALL + _GAP // 2, _SMALL + _PITCH + _GAP // 2):
        back.append(Line((_LEFT + k, _TOP), (_LEFT + k, _TOP + _LARGE), None, "heavy"))
        back.append(Line((_LEFT, _TOP + k), (_LEFT + _LARGE, _TOP + k), None, "heavy"))
    for k in range(3):
        middle = k * _PITCH + _SMALL // 2
        back.append(Label((_LEFT + middle, _TOP + _LARGE + _LEFT // 2), letters(k), _LETTERS))
        back.append(Label((_LEFT // 2 - 4, _TOP + middle), str(3 - k), _LETTERS))
    size = _LEFT + _LARGE + _EDGE
    blocks = tuple(Place(SQUARES[board], _BOARDS[board]) for board in range(9))
    return Scene(
        (Panel(size, size + _LEFT - _EDGE, Phrase("panel.board"), tuple(back), _PLACES, (), blocks),),
    )


@cache
def _said(word: str, place: str, more: tuple[tuple[str, int | str], ...] = ()) -> Phrase:
    return Phrase(word, {"at": place, "board": place[:2], "cell": place[2:]} | dict(more))


def _open_boards(view: Boards) -> tuple[str, ...]:
    return tuple(SQUARES[board] for board in view.open_boards)


class _Drawing(PlainDrawing):
    def scene(self, game: Ultimate) -> Scene:
        return _scene()

    def marks(self, view: Boards, last: Sequence[str]) -> dict[str, Mark]:
        open_boards = _open_boards(view)
        marks: dict[str, Mark] = {key: frame for key, frame in _FRAMES if key[-2:] in open_boards}
        for seat in (0, 1):
            if rows := view.rows(seat):
                region = tuple(polygon for board, polygon in enumerate(_BOARDS) if rows >> board & 1)
                marks["0.area/line"] = Hatch(region, seat)
            for at, (key, signs) in enumerate(_MARKED):
                if view.marks[seat] >> at & 1:
                    marks[key] = signs[seat]
            for board, (key, signs) in enumerate(_CLAIMED):
                if view.owned[seat] >> board & 1:
                    marks[key] = signs[seat]
        for told in last:
            at = view.game.actions.index(told)
            marks["0.over/last"] = Last(centre(_PLACES[at].polygon))
        return marks

    def names(self, view: Boards) -> dict[str, Name]:
        legal = set(view.moves())
        names: dict[str, Name] = {}
        for at, move in enumerate(view.game.actions):
            board, cell = divmod(at, 9)
            if sign := view.sign(board, cell):
                names[move] = Name(_said("cell.taken", move, (("seat", int(sign == "o")),)), None)
            elif move not in legal:
                names[move] = Name(_said("cell.closed", move), None)
            else:
                after = view.play(move)
                leads = _open_boards(after)
                if after.to_move is None:
                    said = _said("cell.free", move)
                elif after.target is None:
                    said = _said("cell.free_choice", move)
                else:
                    said = _said("cell.sends", move, (("to", SQUARES[after.target]),))
                names[move] = Name(said, move, leads)
        return names

    def remarks(self, view: Boards, last: Sequence[str]) -> tuple[Phrase, ...]:
        if view.to_move is None:
            return ()
        said = []
        sent = ""
        if last:
            board, cell = divmod(view.game.actions.index(last[-1]), 9)
            sent = SQUARES[cell]
            if (owner := view.claimed_with(board, cell)) is not None:
                said.append(Phrase("remark.claims", {"seat": owner, "board": SQUARES[board]}))
        if view.target is not None:
            said.append(Phrase("remark.board", {"board": SQUARES[view.target]}))
        else:
            said.append(Phrase("remark.shut_board", {"board": sent}) if sent else Phrase("remark.any_board"))
        return tuple(said)

    def brief(self, game: Ultimate) -> tuple[Phrase, ...]:
        options = game.options
        counted = "draw" if options.no_line == "draw" else "fewer" if options.misere else "more"
        said = ("turn", options.won_boards, "loses" if options.misere else "wins", counted)
        return tuple(Phrase(f"paper.ultimate.{word}") for word in said)

    def plan(self, game: Ultimate) -> TextPlan:
        """The nine boards, and beside them the large board with the claims."""
        rows: list[tuple[str | Slot, ...]] = []
        for row in reversed(range(9)):
            parts: list[str | Slot] = [f"{row // 3 + 1 if row % 3 == 1 else ' '} "]
            for column in range(9):
                name = SQUARES[row // 3 * 3 + column // 3] + SQUARES[row % 3 * 3 + column % 3]
                parts += ["| " if column in (3, 6) else "", Slot(f"0.sign/{name}"), " "]
            if row // 3 == 1:
                parts.append("     ")
                for column in range(3):
                    parts += [Slot(f"0.over/{SQUARES[row % 3 * 3 + column]}"), " "]
            rows.append(tuple(part for part in parts if part))
            if row in (3, 6):
                rows.append(("  ------+-------+------",))
        rows.append(("    a       b       c",))
        return tuple(rows)


DRAWING = _Drawing()
