"""A turn of Crystals while it is being put together: an atom in pencil, and outlines brushed about a centre.

A draft's text is the atom's square (or nothing), then for each outline `+CENTRE~SQUARES`; a centre is a square, or
the two squares whose middle it is (`k11-l12`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import or_

from kletka.drawing.crystals import sheet
from kletka.drawing.scene import UNIT, Dot, Draft, House, Line, Mark, Outline, Phrase, Point
from kletka.games import Move, NotationError
from kletka.games.contract import LONGEST_MOVE
from kletka.games.crystals import Crystals, Maximal, Sheet, members, orbit, read_squares, squares_text

_BUDGET = 40_000
"""States for the largest crystal at a centre, where boundaries may interlock."""
_MOST = 200
"""Outlines in a draft where a turn may grow several."""
_PART = re.compile(r"([a-z]+[0-9]+)(?:-([a-z]+[0-9]+))?~([a-z0-9.-]*)")
_STEPS: Mapping[str, Point] = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


def most(game: Crystals) -> int:
    """How many outlines a draft may hold."""
    return _MOST if game.options.claims == "any" else 1


@dataclass(frozen=True)
class _Sketch:
    """An atom's square, and outlines with their middles in half squares; the last one is being brushed."""

    atom: int | None
    outlines: tuple[tuple[Point, int], ...]

    def last(self, middle: Point, mask: int) -> _Sketch:
        """With another last outline; with a first one where there is none."""
        return replace(self, outlines=(*self.outlines[:-1], (middle, mask)))


def _read(game: Crystals, text: str) -> _Sketch:
    head, *parts = text.split("+")
    board, outlines = game.board, []
    atom = None if head in ("", "pass") else board.index.get(head, -1)
    for part in parts[: most(game) + 1]:
        found = _PART.fullmatch(part)
        first, second = (board.index.get(name, -1) for name in (found[1], found[2] or found[1])) if found else (-1, -1)
        if not found or first < 0 or second < 0:
            raise NotationError(0, "no_draft")
        (x, y), (u, v) = board.spot(first), board.spot(second)
        if (x + u, y + v) not in game.paper.centre_by_middle:
            raise NotationError(0, "no_draft")
        outlines.append(((x + u, y + v), read_squares(board, found[3]) if found[3] else 0))
    if atom == -1 or len(outlines) > most(game):
        raise NotationError(0, "no_draft")
    return _Sketch(atom, tuple(outlines))


def _text(game: Crystals, sketch: _Sketch) -> str:
    board = game.board

    def part(middle: Point, mask: int) -> str:
        (x, y) = middle
        first = board.names[y // 2 * board.width + x // 2]
        second = board.names[(y + 1) // 2 * board.width + (x + 1) // 2]
        return f"{first if first == second else f'{first}-{second}'}~{squares_text(board, mask)}"

    head = "" if sketch.atom is None else board.names[sketch.atom]
    return "+".join([head, *(part(*outline) for outline in sketch.outlines)])


def _can(game: Crystals, sketch: _Sketch, help: House) -> tuple[str, ...]:
    """The acts that need no square and can be done now."""
    can = ["next"] if help.assist == "outline" else []
    if sketch.outlines:
        # An outline can't follow its centre by half a square.
        can += [*_STEPS, "largest", "drop", *([] if sketch.outlines[-1][1] else ["shift"])]
        if sketch.outlines[-1][1] and len(sketch.outlines) < most(game):
            can.append("new")
    return tuple(can)


def _acted(view: Sheet, sketch: _Sketch, help: House, act: str) -> _Sketch:
    """The draft after what was done to it. Raises NotationError for what can't be done."""
    game = view.game
    verb, colon, said = act.partition(":")
    if colon:
        return _pressed(game, sketch, verb, [game.board.index.get(name, -1) for name in said.split(".")])
    if verb not in _can(game, sketch, help):
        raise NotationError(0, "no_act")
    if verb == "next":
        return _next(view, sketch)
    middle, mask = sketch.outlines[-1]
    if verb in _STEPS:
        return sketch.last(*_moved(game, middle, mask, _STEPS[verb]))
    if verb == "shift":
        return sketch.last(_shifted(game, middle), 0)
    if verb == "largest":
        found = _largest(view, sketch)
        return sketch.last(middle, found.squares if found else 0)
    if verb == "drop":
        return replace(sketch, outlines=sketch.outlines[:-1])
    return replace(sketch, outlines=(*sketch.outlines, (middle, 0)))


def _pressed(game: Crystals, sketch: _Sketch, verb: str, squares: list[int]) -> _Sketch:
    """An atom pencilled or rubbed out, a centre chosen, or all that goes with these squares put in or taken out."""
    square = squares[0]
    if min(squares) < 0 or (len(squares) > 1 and verb != "brush"):
        raise NotationError(0, "no_place")
    if verb == "atom":
        return replace(sketch, atom=None if square == sketch.atom else square)
    if verb not in ("centre", "brush"):
        raise NotationError(0, "no_act")
    if verb == "centre" or not sketch.outlines:
        x, y = game.board.spot(square)
        return sketch.last((2 * x, 2 * y), 0)
    # A stroke does to all its squares what it does to the first.
    middle, mask = sketch.outlines[-1]
    changed = reduce(or_, (orbit(game.board, game.paper.axes, middle, one) for one in squares))
    return sketch.last(middle, mask & ~changed if mask >> square & 1 else mask | changed)


@lru_cache(maxsize=64)
def _largest(view: Sheet, sketch: _Sketch) -> Maximal | None:
    """The largest crystal at the centre of the last outline."""
    return view.largest_at(sketch.outlines[-1][0], sketch.atom, _BUDGET)


def _next(view: Sheet, sketch: _Sketch) -> _Sketch:
    """The next smaller of the crystals that can be grown; after the smallest the largest again."""
    found = _growable(view, sketch)
    if not found:
        return sketch
    mask = sketch.outlines[-1][1] if sketch.outlines else 0
    masks = [squares for _, squares in found]
    middle, squares = found[(masks.index(mask) + 1) % len(found) if mask in masks else 0]
    return sketch.last(middle, squares)


def _growable(view: Sheet, sketch: _Sketch) -> tuple[tuple[Point, int], ...]:
    """What could be grown now, each outline once."""
    return _outlines(view.with_atom(sketch.atom))


@lru_cache(maxsize=64)
def _outlines(view: Sheet) -> tuple[tuple[Point, int], ...]:
    """A draft is looked at again and again while its outline is brushed and its atom stays."""
    assert view.turn is not None
    found = view.growable(view.turn, 0)
    first = {one.squares: one.middle for one in reversed(found)}
    return tuple((middle, squares) for squares, middle in first.items())[::-1]


def _moved(game: Crystals, middle: Point, mask: int, step: Point) -> tuple[Point, int]:
    """The next centre in a direction, if there is one within a square; an outline goes with it by a whole square, if
    there is room for it."""
    board, centres = game.board, game.paper.centre_by_middle
    for half in (2,) if mask else (1, 2):
        there = (middle[0] + step[0] * half, middle[1] + step[1] * half)
        moved = board.of((x + step[0], y + step[1]) for x, y in board.spots(mask))
        if there in centres and moved.bit_count() == mask.bit_count():
            return there, moved
    return middle, mask


def _shifted(game: Crystals, middle: Point) -> Point:
    """From a square's middle to its upper right corner and back; with two axes by way of its edges."""
    x, y = middle[0] - middle[0] % 2, middle[1] - middle[1] % 2
    ways = [(0, 0), (1, 1)] if game.paper.axes == 4 else [(0, 0), (1, 0), (1, 1), (0, 1)]
    at = ways.index((middle[0] - x, middle[1] - y))
    following = [(x + dx, y + dy) for dx, dy in ways[at + 1 :] + ways[:at]]
    return next((one for one in following if one in game.paper.centre_by_middle), middle)


def _marks(view: Sheet, sketch: _Sketch) -> dict[str, Mark]:
    game, seat = view.game, view.turn
    board = game.board
    marks: dict[str, Mark] = {}
    for number, (_, mask) in enumerate(sketch.outlines):
        if mask:
            marks[f"0.draft/outline{number}"] = _outline(view, mask)
    if sketch.outlines:
        centre = sketch.outlines[-1][0]
        at = sheet.middle(board, centre)
        for number, line in enumerate(_axes(game, centre)):
            marks[f"0.draft/axis{number}"] = line
        if not sketch.outlines[-1][1]:
            marks["0.draft/centre"] = Dot(at)
    if sketch.atom is not None and seat is not None and view.free >> sketch.atom & 1:
        marks["0.draft/atom"] = sheet.atom(board, sketch.atom, seat)
    return marks


def _outline(view: Sheet, mask: int) -> Outline:
    board = view.game.board
    region = tuple(sheet.polygon(board, square) for square in members(mask))
    return Outline(region, view.turn, True, covers=tuple(f"0.sign/{name}" for name in board.places(mask)))


def _hint(view: Sheet, sketch: _Sketch, help: House) -> dict[str, Mark]:
    """The largest crystal that can be grown, where the table outlines it, until something is outlined."""
    if help.assist != "outline" or view.turn is None or sketch.outlines:
        return {}
    found = _growable(view, sketch)
    return {"0.draft/hint": _outline(view, found[0][1])} if found else {}


def _axes(game: Crystals, centre: Point) -> list[Line]:
    """The axes as far as a crystal at this centre could reach."""
    found = game.paper.centre_by_middle[centre]
    x, y = sheet.middle(game.board, centre)
    across, up = (UNIT * (2 * found.across - 1 + centre[0] % 2) // 2, UNIT * (2 * found.up - 1 + centre[1] % 2) // 2)
    lines = [Line((x - across, y), (x + across, y), None, "thin"), Line((x, y - up), (x, y + up), None, "thin")]
    if game.paper.axes == 4:
        far = min(across, up)
        lines += [Line((x - far, y - far), (x + far, y + far), None, "thin")]
        lines += [Line((x - far, y + far), (x + far, y - far), None, "thin")]
    return lines


def draft(view: Sheet, seat: int | None, text: str, help: House, act: str) -> Draft:
    """A turn as far as the text has it, after an act. Raises NotationError for what is no draft or no act."""
    game = view.game
    sketch = _read(game, text)
    # A draft may be looked at while others are to move.
    mine = view if view.turn == seat or seat is None or view.turn is None else replace(view, turn=seat)
    says: list[Phrase] = []
    if act:
        if mine.turn is None:
            raise NotationError(0, "no_act")
        sketch = _acted(mine, sketch, help, act)
        if act == "largest" and (found := _largest(mine, sketch)) and not found.exact:
            says.append(Phrase("draft.perhaps_larger"))
    elif sketch.atom is not None and not view.free >> sketch.atom & 1:
        # Somebody else took the square in the meantime.
        sketch = replace(sketch, atom=None)
    written = _text(game, sketch)
    if len(written) > LONGEST_MOVE:
        raise NotationError(0, "draft_too_long")
    outlines = [mask for _, mask in sketch.outlines if mask]
    move = game.move(sketch.atom, outlines) if outlines or sketch.atom is not None else None
    reasons = mine.refuses(move) if move else ()
    if outlines and mine.turn is not None:
        own = mine.with_atom(sketch.atom).atoms(mine.turn)
        counted = [
            Phrase("draft.squares", {"n": sum(mask.bit_count() for mask in outlines)}),
            Phrase("draft.atoms", {"n": sum((mask & own).bit_count() for mask in outlines)}),
        ]
        says = [*counted, *says]
    says += _assist(mine, sketch, help)
    bare = outlines and sketch.atom is None and view.free
    return Draft(
        _marks(mine, sketch) | _hint(mine, sketch, help),
        reasons,
        move if not reasons and view.turn is not None and view.turn == seat else None,
        says=tuple(says),
        warning=Phrase("draft.no_atom") if bare else None,
        label=_label(game, move) if move else None,
        text=written,
        atom="" if sketch.atom is None else game.board.names[sketch.atom],
        can=_can(game, sketch, help),
    )


def _label(game: Crystals, move: Move) -> Phrase:
    turn = game.turn(move)
    size = turn.size
    if turn.atom is None:
        return Phrase("button.crystals.grow", {"n": size})
    name = game.board.names[turn.atom]
    return (
        Phrase("button.crystals.place_grow", {"at": name, "n": size})
        if size
        else Phrase("button.crystals.place", {"at": name})
    )


def _assist(view: Sheet, sketch: _Sketch, help: House) -> tuple[Phrase, ...]:
    if help.assist == "off" or view.turn is None:
        return ()
    count = len(_growable(view, sketch))
    return (Phrase("draft.growable", {"n": count}) if count else Phrase("draft.none_growable"),)
