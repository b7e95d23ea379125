"""Tic-tac-toe on paper: the lines between the squares, without an outline; layers and boards side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from kletka.drawing.scene import (
    UNIT,
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
from kletka.games import Move
from kletka.games.coordinates import letters
from kletka.games.tictactoe import SIGNS, Board, Marks, SharedTicTacToe, Signs

_SIGNS = ("cross", "nought")
_TOP = _EDGE = 20
"""Margins above and at the right, in units."""
_OFFER = 24
"""Units; the small signs in a free cell of the wild game that say which half writes which."""


def _letter_size(game: Board) -> int:
    """Units; names of rows and columns grow with the board, so that they can be read at the same width."""
    return 24 + 2 * max(game.sides[-2:])


@lru_cache(maxsize=64)
def _scene(game: Board) -> Scene:
    rows, columns = game.sides[-2:]
    size = _letter_size(game)
    left = size + 24
    right, bottom = left + columns * UNIT, _TOP + rows * UNIT
    back: list[Mark] = [Line((left + c * UNIT, _TOP), (left + c * UNIT, bottom)) for c in range(1, columns)]
    back += [Line((left, _TOP + r * UNIT), (right, _TOP + r * UNIT)) for r in range(1, rows)]
    middle = left // 2
    back += [Label((left + c * UNIT + UNIT // 2, bottom + middle), letters(c), size) for c in range(columns)]
    back += [Label((middle, _TOP + r * UNIT + UNIT // 2), str(rows - r), size) for r in range(rows)]
    panels = []
    for sheet in range(game.sheets):
        places = tuple(
            place
            for r in range(rows)
            for c in range(columns)
            for place in _places(game, (sheet * rows + rows - 1 - r) * columns + c, box(c, r, (left, _TOP)))
        )
        panels.append(Panel(right + _EDGE, bottom + left, _title(game, sheet), tuple(back), places))
    pair = "claim" if game.options.claim else ""
    return Scene(tuple(panels), stack=len(game.sides) == 3 and len(panels) > 1, pair=pair)


def _title(game: Board, sheet: int) -> Phrase:
    if not game.numbered:
        return Phrase("panel.board")
    return Phrase("panel.layer" if len(game.sides) == 3 else "panel.numbered", {"number": sheet + 1})


def _places(game: Board, cell: int, square: tuple[Point, ...]) -> tuple[Place, ...]:
    """A cell to press; in the wild game its left half for a cross and its right half for a nought."""
    if not _wild(game):
        return (Place(game.names[cell], square),)
    (x, y), _, (right, bottom), _ = square
    middle = (x + right) // 2
    left_half = ((x, y), (middle, y), (middle, bottom), (x, bottom))
    right_half = ((middle, y), (right, y), (right, bottom), (middle, bottom))
    return tuple(Place(_move(game, cell, sign), half) for sign, half in enumerate((left_half, right_half)))


def _wild(game: Board) -> bool:
    return isinstance(game, SharedTicTacToe) and game.wild


def _move(game: Board, cell: int, sign: int) -> str:
    return f"{game.names[cell]}:{SIGNS[sign]}"


class _Cell(NamedTuple):
    """Where a cell is drawn, its mark with either sign and its key, and in the wild game what its halves write."""

    panel: int
    polygon: tuple[Point, ...]
    middle: Point
    key: str
    signs: tuple[Sign, ...]
    offers: tuple[tuple[str, Sign], ...]


@lru_cache(maxsize=64)
def _cells(game: Board) -> tuple[_Cell, ...]:
    """Every cell, in the order of the rules."""
    rows, columns = game.sides[-2:]
    left = _letter_size(game) + 24
    shared = isinstance(game, SharedTicTacToe)
    made = []
    for number, name in enumerate(game.names):
        sheet, within = divmod(number, rows * columns)
        row, column = divmod(within, columns)
        square = box(column, rows - 1 - row, (left, _TOP))
        middle = (x, y) = centre(square)
        signs = tuple(Sign(middle, sign, None if shared else seat) for seat, sign in enumerate(_SIGNS))
        offers = tuple(
            (f"{sheet}.area/{_move(game, number, which)}", Sign((x - 25 + 50 * which, y), sign, None, _OFFER))
            for which, sign in enumerate(_SIGNS if _wild(game) else ())
        )
        made.append(_Cell(sheet, square, middle, f"{sheet}.sign/{name}", signs, offers))
    return tuple(made)


@lru_cache(maxsize=64)
def _known_signs(game: Board) -> tuple[tuple[tuple[str, Sign], ...], ...]:
    """Each sign in every cell, with its key."""
    return tuple(tuple((cell.key, cell.signs[sign]) for cell in _cells(game)) for sign in range(len(_SIGNS)))


_DIGITS = bytes.maketrans(b"01", b"\0\1")


def _bits(mask: int) -> bytes:
    """A mask's bits, cell 0 first: a whole board is looked through at once."""
    return f"{mask:b}"[::-1].encode().translate(_DIGITS)


@lru_cache(maxsize=8192)
def _said(name: str, sign: str, sends: str) -> Phrase:
    if sign and sends != name:
        return Phrase("square.below", {"at": name, "seat": SIGNS.index(sign), "falls": sends})
    if sign:
        return Phrase("square.taken", {"at": name, "seat": SIGNS.index(sign)})
    if sends != name:
        return Phrase("square.falls", {"at": name, "falls": sends})
    return Phrase("square.free", {"at": name})


@lru_cache(maxsize=64)
def _known_names(game: Board) -> tuple[tuple[tuple[str, Name], ...], ...]:
    """The names of all cells by cell: free ones that may be played, those with a cross, and those with a nought."""
    lights = _lights(game)
    return tuple(
        tuple(
            (name, Name(_said(name, sign, name), None if sign else name, lights[cell]))
            for cell, name in enumerate(game.names)
        )
        for sign in ("", *SIGNS)
    )


@lru_cache(maxsize=64)
def _lights(game: Board) -> tuple[tuple[str, ...], ...]:
    """For each cell the other cells of the lines through it, in three dimensions, where lines are hard to see."""
    if len(game.sides) < 3:
        return ((),) * game.cells
    lit = []
    for cell, lines in enumerate(game.lines_through):
        mask = 0
        for line in lines:
            mask |= line
        lit.append(tuple(name for other, name in enumerate(game.names) if mask >> other & 1 and other != cell))
    return tuple(lit)


@lru_cache(maxsize=8192)
def _said_shared(name: str, held: str, writes: str, falls: str) -> Phrase:
    """A place of shared signs: what it holds, or what a press there writes (nothing on a finished board), and where."""
    if falls not in ("", name):
        return Phrase(f"square.drops_{writes}", {"at": name, "falls": falls})
    if held:
        return Phrase(f"square.holds_{_SIGNS[SIGNS.index(held)]}", {"at": name})
    return Phrase(f"square.writes_{writes}" if writes else "square.dead", {"at": name})


def _shared_names(view: Signs) -> dict[str, Name]:
    game = view.game
    legal = set(view.moves())
    lights = _lights(game)
    names: dict[str, Name] = {}
    for cell, name in enumerate(game.names):
        dead = game.options.boards > 1 and view.dead >> cell & 1
        rest = cell if dead else view.column_landing(cell) if game.options.gravity else cell
        falls = "" if rest is None else game.names[rest]
        for sign, word in enumerate(_SIGNS[: 2 if game.wild else 1]):
            place, sends = (f"{at}:{SIGNS[sign]}" if game.wild else at for at in (name, falls))
            said = _said_shared(name, view.sign(cell), "" if dead else word, falls)
            # A cell of two places can't be lit up as one.
            names[place] = Name(said, Move(sends) if sends in legal else None, () if game.wild else lights[cell])
    return names


def _brief(game: Board) -> Iterator[Phrase]:
    options = game.options
    deep, kind = len(game.sides) == 3, "boards" if options.boards > 1 else options.marks
    yield Phrase(f"paper.tictactoe.{kind}")
    if options.gravity:
        yield Phrase("paper.tictactoe.gravity3" if deep else "paper.tictactoe.gravity")
    if deep:
        yield Phrase("paper.tictactoe.layers")
    ends = "claim" if options.claim else f"{kind}_{'loses' if options.misere else 'wins'}"
    yield Phrase(f"paper.tictactoe.{ends}", {"n": options.line})
    if options.line < max(game.sides):
        yield Phrase("paper.tictactoe.exact" if options.exact else "paper.tictactoe.longer")
    if options.claim:
        yield Phrase("paper.tictactoe.claim_full")
    elif options.marks != "crosses" or options.exact:
        # A board full of crosses has a row, unless rows can be too long.
        yield Phrase("paper.tictactoe.full")


class _Drawing(PlainDrawing):
    def scene(self, game: Board) -> Scene:
        return _scene(game)

    def marks(self, view: Marks | Signs, last: Sequence[str]) -> dict[str, Mark]:
        game = view.game
        cells = _cells(game)
        marks: dict[str, Mark] = {}
        won = 0
        for line in view.shown_lines:
            won |= line
        if won:
            shaded: dict[int, list[_Cell]] = {}
            for number, cell in enumerate(cells):
                if won >> number & 1:
                    shaded.setdefault(cell.panel, []).append(cell)
            ink = view.by_line if isinstance(view, Marks) else None
            for panel, inside in shaded.items():
                region = tuple(cell.polygon for cell in inside)
                marks[f"{panel}.area/line"] = Hatch(region, ink, tuple(cell.middle for cell in inside))
        for held, signs in zip(view.marks, _known_signs(game), strict=True):
            marks |= compress(signs, _bits(held))
        if _wild(game):
            for move in view.moves():
                cell = cells[game.index[move.partition(":")[0]]]
                marks |= cell.offers
        for told in last:
            # A claim is shown by its line.
            if (number := game.index.get(told.partition(":")[0], -1)) >= 0:
                marks[f"{cells[number].panel}.over/last"] = Last(cells[number].middle)
        return marks

    def names(self, view: Marks | Signs) -> dict[str, Name]:
        if isinstance(view, Signs):
            return _shared_names(view)
        game = view.game
        if not game.options.gravity and view.to_move is not None:
            # Every free cell may be played: only those that are taken differ from an empty board.
            free, *taken = _known_names(game)
            names = dict(free)
            for marks, named in zip(view.marks, taken, strict=True):
                names |= compress(named, _bits(marks))
            return names
        legal, falls, lights = set(view.moves()), game.options.gravity, _lights(game)
        names = {}
        for cell, name in enumerate(game.names):
            sign = view.sign(cell)
            rest = view.column_landing(cell) if falls else cell
            sends = name if rest is None else game.names[rest]
            names[name] = Name(_said(name, sign, sends), sends if sends in legal else None, lights[cell])
        return names

    def remarks(self, view: Marks | Signs, last: Sequence[str]) -> tuple[Phrase, ...]:
        return (Phrase("remark.wild"),) if _wild(view.game) and view.to_move is not None else ()

    def heard(self, game: Board, told: str) -> Phrase | None:
        at, colon, said = told.partition(":")
        if not colon:
            return None
        if at == "claim":
            one, _, other = said.partition("-")
            return Phrase("told.claim", {"one": one, "other": other})
        return Phrase("told.cross" if said == "x" else "told.nought", {"at": at})

    def brief(self, game: Board) -> tuple[Phrase, ...]:
        return tuple(_brief(game))

    def plan(self, game: Board) -> TextPlan:
        layers = game.sheets
        rows, columns = game.sides[-2:]
        wide = len(letters(columns - 1))
        rowed: list[tuple[str | Slot, ...]] = []
        side_by_side = range(layers)
        for r in range(rows):
            parts: list[str | Slot] = []
            for layer in side_by_side:
                parts.append(f"{rows - r:>3} ")
                for c in range(columns):
                    name = game.names[(layer * rows + rows - 1 - r) * columns + c]
                    parts += [Slot(f"{layer}.sign/{name}", ".".rjust(wide)), " "]
            rowed.append(tuple(parts))
        named = "".join(f"{letters(c):>{wide}} " for c in range(columns))
        rowed.append(("".join(f"    {named}" for _ in side_by_side),))
        if layers > 1:
            rowed.insert(0, ("".join(f"  {layer + 1:<{len(named) + 2}}" for layer in side_by_side),))
        return tuple(rowed)


DRAWING = _Drawing()
