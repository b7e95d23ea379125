"""Orapa Mine on paper: the board with its ports, what they told, gems in tints with letters, and drafts of a mine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from kletka.drawing.scene import (
    UNIT,
    Draft,
    Fill,
    Form,
    House,
    Label,
    Last,
    Line,
    Mark,
    Name,
    Panel,
    Phrase,
    Piece,
    Place,
    PlainDrawing,
    Point,
    Scene,
    Sign,
    Slot,
    TextPlan,
    Trail,
    centre,
)
from kletka.games import Move, NotationError, Reason
from kletka.games.contract import LONGEST_MOVE, NO_FACTS, Word
from kletka.games.orapa import Hunt, Orapa
from kletka.games.orapa.gems import (
    CELL_INDEX,
    CELLS,
    COLUMNS,
    EMPTY,
    FORMS,
    FULL,
    GEMS,
    LOWER_LEFT,
    LOWER_RIGHT,
    PORT_INDEX,
    PORTS,
    ROWS,
    STEPS,
    UPPER_LEFT,
    UPPER_RIGHT,
    Placement,
    shape,
    start_of,
)
from kletka.games.orapa.mine import (
    ABSORBED,
    COLOURS,
    GEM_COLOURS,
    INGREDIENTS,
    Mine,
    Wave,
    answer,
    contents,
    read_clue,
    read_mine,
    text_of,
    wave,
)

_MARGIN = 150
_LABEL = 32
"""From the edge to the middle of a port's label, in units; inside of it is room for what the port told."""
_WIDTH, _HEIGHT = COLUMNS * UNIT + 2 * _MARGIN, ROWS * UNIT + 2 * _MARGIN
_TOLD = 41
"""Half the side of the square that shows what a port told."""
_CORNERS = {
    LOWER_RIGHT: ((1, 0), (1, 1), (0, 1)),
    LOWER_LEFT: ((0, 0), (1, 1), (0, 1)),
    UPPER_RIGHT: ((0, 0), (1, 0), (1, 1)),
    UPPER_LEFT: ((0, 0), (1, 0), (0, 1)),
    FULL: ((0, 0), (1, 0), (1, 1), (0, 1)),
}
"""The solid part of a square by its corners, clockwise."""
_GLYPHS = {LOWER_RIGHT: "/{}", LOWER_LEFT: "{}\\", UPPER_RIGHT: "\\{}", UPPER_LEFT: "{}/", FULL: "{0}{0}"}
"""A square of a gem in letters."""
_LETTERS = {gem: "W" if gem == "S" else gem for gem in GEMS}
"""What stands on a gem; both white ones are white."""
_NOTE_GEMS = {"r": "R", "y": "Y", "b": "B", "w": "W", "d": "D", "k": "K"}
_NOTE_TURNS = (1, 2, 4, 0, 3)
_NOTE_FLIPS = (0, 2, 1, 4, 3)
_PART = re.compile(r"([RYBWSDKrybwdkx])([0-9]{1,2}[A-H])([0-9])")
_MOST_PARTS = 200
_LADDERS = {0: (10, 13, 18, 23), 1: (12, 15, 20, 25), 2: (15, 18, 21, 25)}
"""Questions up to which a solo game is on each step of the ladder, by the number of extensions: TheApo/orapa's."""
_STEPS = ("expert", "pro", "good", "fair")


class _Note(NamedTuple):
    """A pencil note on a square: the letter of its kind, the square, and what half of it (0: all)."""

    kind: str
    cell: int
    form: int


# Where things are


def _corner(cell: int) -> Point:
    return _MARGIN + cell % COLUMNS * UNIT, _MARGIN + cell // COLUMNS * UNIT


def _middle(column: float, row: float) -> Point:
    return round(_MARGIN + (column + 0.5) * UNIT), round(_MARGIN + (row + 0.5) * UNIT)


def _part(code: int, corner: Point, inset: int = 0) -> tuple[Point, ...]:
    """The solid part of a square."""
    side = UNIT - 2 * inset
    return tuple((corner[0] + inset + x * side, corner[1] + inset + y * side) for x, y in _CORNERS[code])


def _box(at: Point, half: int) -> tuple[Point, ...]:
    x, y = at
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


@cache
def _port_polygon(port: int) -> tuple[Point, ...]:
    x, y, way = start_of(port)
    left, top = _corner(y * COLUMNS + x)
    dx, dy = STEPS[way]
    if dx:
        left, right = (0, _MARGIN) if dx > 0 else (_WIDTH - _MARGIN, _WIDTH)
        return ((left, top), (right, top), (right, top + UNIT), (left, top + UNIT))
    top, bottom = (0, _MARGIN) if dy > 0 else (_HEIGHT - _MARGIN, _HEIGHT)
    return ((left, top), (left + UNIT, top), (left + UNIT, bottom), (left, bottom))


def _before(port: int, units: int) -> Point:
    """The point so many units before the board's edge, in the way of a wave from a port."""
    x, y, way = start_of(port)
    cx, cy = _middle(x, y)
    dx, dy = STEPS[way]
    return cx - dx * (UNIT // 2 + units), cy - dy * (UNIT // 2 + units)


def _ids(game: Orapa, number: int) -> str:
    """What stands before the names of places where there are two boards."""
    return f"{number}." if game.duel else ""


@cache
def _panel(game: Orapa, number: int) -> Panel:
    back: list[Mark] = []
    for k in range(COLUMNS + 1):
        x = _MARGIN + k * UNIT
        back.append(Line((x, _MARGIN), (x, _HEIGHT - _MARGIN), None, "heavy" if k in (0, COLUMNS) else "thin"))
    for k in range(ROWS + 1):
        y = _MARGIN + k * UNIT
        back.append(Line((_MARGIN, y), (_WIDTH - _MARGIN, y), None, "heavy" if k in (0, ROWS) else "thin"))
    back += [Label(_before(port, _MARGIN - _LABEL), name, 44) for port, name in enumerate(PORTS)]
    before = _ids(game, number)
    ports = [Place(before + name, _port_polygon(port)) for port, name in enumerate(PORTS)]
    cells = [Place(before + name, _part(FULL, _corner(cell)), name) for cell, name in enumerate(CELLS)]
    title = Phrase("panel.mine_of", {"seat": number}) if game.duel else Phrase("panel.mine")
    owner = number if game.duel else None
    return Panel(_WIDTH, _HEIGHT, title, tuple(back), tuple(ports + cells), seat=owner)


# Gems, notes and waves


def _region(placed: Placement) -> tuple[tuple[Point, ...], ...]:
    return tuple(_part(code, _corner(cell)) for cell, code in placed.cells)


def _middle_of(region: Iterable[Sequence[Point]]) -> Point:
    return centre([centre(polygon) for polygon in region])


def _gem(gem: str, region: tuple[tuple[Point, ...], ...], letters: str = "") -> Fill:
    return Fill(region, GEM_COLOURS[gem], ((_LETTERS[gem], _middle_of(region), 44),), letters)


def _gem_squares(placed: Placement) -> Iterator[tuple[str, str]]:
    for cell, code in placed.cells:
        yield CELLS[cell], _GLYPHS[code].format(_LETTERS[placed.gem])


def _mine_marks(mine: Mine, panel: int) -> dict[str, Mark]:
    """Each gem in its tint; in letters each of its squares."""
    marks: dict[str, Mark] = {}
    for placed in mine:
        region = _region(placed)
        first, *others = _gem_squares(placed)
        marks[f"{panel}.area/{first[0]}"] = _gem(placed.gem, region, first[1])
        for name, letters in others:
            marks[f"{panel}.area/{name}"] = Fill((), GEM_COLOURS[placed.gem], (), letters)
    return marks


def _note_marks(notes: Iterable[_Note], panel: int) -> dict[str, Mark]:
    marks: dict[str, Mark] = {}
    for kind, cell, form in notes:
        key = f"{panel}.draft/{kind}{CELLS[cell]}{form}"
        if kind == "x":
            marks[key] = Sign(centre(_part(FULL, _corner(cell))), "cross", None, 40)
        else:
            polygon = _part(form or FULL, _corner(cell), 14)
            gem = _NOTE_GEMS[kind]
            marks[key] = Fill((polygon,), GEM_COLOURS[gem], ((_LETTERS[gem], centre(polygon), 30),), "", True)
    return marks


def _trail(mine: Sequence[Placement], port: int, done: Wave) -> Trail:
    """A wave's way: straight through squares, turning in their middle, and back from a solid side that it meets."""
    x, y, way = start_of(port)
    outside = (x - STEPS[way][0], y - STEPS[way][1])
    squares = [outside, *((cell % COLUMNS, cell // COLUMNS) for cell in done.path)]
    if done.exit is not None:
        x, y, way = start_of(done.exit)
        squares.append((x - STEPS[way][0], y - STEPS[way][1]))
    points = [_before(port, 6)]
    for before, here, after in zip(squares, squares[1:], [*squares[2:], None], strict=False):
        if after is None and done.exit is not None:
            break
        back = after is None or after == before
        points.append(_middle((before[0] + here[0]) / 2, (before[1] + here[1]) / 2) if back else _middle(*here))
    if done.exit is not None:
        points.append(_before(done.exit, 6))
    strokes = [points[0]]
    for here, after in pairwise(points[1:]):
        (x, y), (u, v), (p, q) = strokes[-1], here, after
        straight = (u - x) * (q - v) == (v - y) * (p - u) and (u - x) * (p - u) + (v - y) * (q - v) > 0
        if not straight:
            strokes.append(here)
    return Trail((*strokes, points[-1]), done.exit is None)


# What was told


def _mix(colour: str) -> str:
    """The letters of the colours that a colour is mixed of."""
    return "K" if colour == ABSORBED else INGREDIENTS.get(colour, "")


def _clue_marks(game: Orapa, log: Sequence[str], panel: int) -> dict[str, Mark]:
    marks: dict[str, Mark] = {}
    for entry in log:
        question, port, said = read_clue(entry)
        key = f"{panel}.sign/{question}"
        if question in CELL_INDEX:
            at = centre(_part(FULL, _corner(CELL_INDEX[question])))
            if said == "nothing":
                marks[key] = Sign(at, "cross", None, 56)
            else:
                letters = "D" if said == "transparent" else _mix(said)
                marks[key] = Fill((_box(at, 30),), said, ((letters, at, 36),), letters)
            continue
        counted = game.options.answer == "bounces" and said != ABSORBED
        tint, letters = ("transparent", f"x{said}") if counted else (said, _mix(said))
        for here, other in {question: port, port: question}.items():
            if here:
                marks[f"{panel}.sign/{here}"] = _port_fill(here, other, tint, letters)
    return marks


@lru_cache(maxsize=1024)
def _port_fill(here: str, other: str, tint: str, letters: str) -> Fill:
    x, y = _before(PORT_INDEX[here], _TOLD + 3)
    texts = [(other or "–", (x, y - 16 if letters else y), 42)]
    if letters:
        texts.append((letters, (x, y + 22), 28 if len(letters) < 4 else 23))
    return Fill((_box((x, y), _TOLD),), tint, tuple(texts), f"{other or '-'} {letters}".strip())


def _wave_phrase(word: str, question: str, port: str, said: str) -> Phrase:
    """`word` with the port, its exit and the colour or the number of bounces, in the form for what happened."""
    if said == ABSORBED:
        return Phrase(f"{word}.absorbed", {"port": question, "at": question})
    facts: dict[str, int | str] = {"port": question, "at": question, "exit": port}
    back = "back" if port == question else ""
    if said.isdigit():
        facts["n"] = int(said)
        return Phrase(f"{word}.{'back_bounces' if back else 'bounces'}", facts)
    facts["colour"] = Word(f"colour.{said}")
    return Phrase(f"{word}.{back or ('wave' if word == 'told' else 'exit')}", facts)


# Drafts


def _read_draft(text: str) -> tuple[Mine, tuple[_Note, ...]]:
    """The gems and notes of a draft's text. Raises NotationError."""
    parts = text.split("+") if text else []
    if len(parts) > _MOST_PARTS or len(text) > LONGEST_MOVE:
        raise NotationError(0, "notation")
    gems, notes = [], []
    at = 0
    for part in parts:
        found = _PART.fullmatch(part)
        if not found or found[2] not in CELL_INDEX or int(found[3]) > FULL - 1:
            raise NotationError(at, "bad_gem", text=part[:20])
        if found[1] in GEMS:
            gems.append(part)
        else:
            notes.append(_Note(found[1], CELL_INDEX[found[2]], int(found[3])))
        at += len(part) + 1
    return read_mine("+".join(gems)) if gems else (), tuple(notes)


class _Checked(NamedTuple):
    explained: list[str]
    contradicted: list[str]


def _check(game: Orapa, log: Sequence[str], mine: Mine, whole: bool) -> _Checked:
    """Which questions a draft answers as they were answered, and which it can't any more."""
    explained, contradicted = [], []
    where = contents(mine)
    for entry in log:
        question, _, said = entry.partition("=")
        covered = question in CELL_INDEX and CELL_INDEX[question] in where
        if answer(mine, question, game.options.answer) == said and (whole or question in PORT_INDEX or covered):
            explained.append(question)
        elif whole or covered:
            contradicted.append(question)
    return _Checked(explained, contradicted)


def _check_marks(checked: _Checked, panel: int) -> dict[str, Mark]:
    marks: dict[str, Mark] = {}
    for names, text, tint in ((checked.explained, "✓", "lightgreen"), (checked.contradicted, "✗", "pink")):
        for name in names:
            if name in PORT_INDEX:
                at = _before(PORT_INDEX[name], -8)
            else:
                x, y = _corner(CELL_INDEX[name])
                at = x + 78, y + 22
            # On ground of its own: it lies on gems of any tint.
            marks[f"{panel}.draft/clue-{name}"] = Fill((_box(at, 25),), tint, ((text, at, 48),))
    return marks


class _Drawing(PlainDrawing):
    def scene(self, game: Orapa) -> Scene:
        return _scene(game)

    def marks(self, view: Hunt, last: Sequence[str]) -> dict[str, Mark]:
        marks: dict[str, Mark] = {}
        for number, (text, log) in enumerate(zip(view.mines, view.logs, strict=True)):
            mine = read_mine(text) if text not in ("", "~") else ()
            marks |= _mine_marks(mine, number)
            marks |= _clue_marks(view.game, log, number)
            for told in last:
                question = told.partition("=")[0]
                if told in log and question in PORT_INDEX:
                    port = PORT_INDEX[question]
                    x, y = _before(port, _MARGIN - _LABEL)
                    # Below the board too the stroke is to stay on the panel.
                    marks[f"{number}.over/last"] = Last((x, y - 12))
                    if mine:
                        marks[f"{number}.over/{question}"] = _trail(mine, port, wave(mine, port))
                elif told in log:
                    marks[f"{number}.over/last"] = Last(centre(_part(FULL, _corner(CELL_INDEX[question]))))
        return marks

    def names(self, view: Hunt) -> dict[str, Name]:
        game = view.game
        names: dict[str, Name] = {}
        may_ask = view.to_move is not None and not view.hiding and not view.asked
        for number, (text, log) in enumerate(zip(view.mines, view.logs, strict=True)):
            before = _ids(game, number)
            mine = read_mine(text) if text not in ("", "~") else None
            told = {}
            for entry in log:
                question, port, said = read_clue(entry)
                told[question] = (port, said)
                told.setdefault(port, (question, said))
            opens = may_ask and view.sought(view.turn) == number
            for index, name in enumerate(PORTS):
                lit = tuple(dict.fromkeys(before + CELLS[cell] for cell in wave(mine, index).path)) if mine else ()
                said_at = told.get(name)
                phrase = _wave_phrase("port", name, *said_at) if said_at else Phrase("port.open", {"at": name})
                names[before + name] = Name(phrase, Move(name) if opens and not said_at else None, lit)
            where = contents(mine) if mine else {}
            for cell, name in enumerate(CELLS):
                names[before + name] = Name(
                    _cell_phrase(name, told.get(name), where.get(cell)),
                    Move(name) if opens and name not in told else None,
                )
        return names

    def remarks(self, view: Hunt, last: Sequence[str]) -> tuple[Phrase, ...]:
        if view.outcome:
            return _ladder(view)
        if view.hiding:
            return (Phrase("remark.hide"),)
        said = [Phrase("remark.last_turn", {"seat": seat}) for seat in view.right]
        if view.asked:
            said.append(Phrase("remark.asked"))
        elif not view.questions():
            said.append(Phrase("remark.nothing_left"))
        return tuple(said)

    def heard(self, game: Orapa, told: str) -> Phrase | None:
        move, _, said = told.partition("=")
        word, _, mine = move.partition(":")
        if word == "hide":
            return Phrase("told.hidden") if mine == "~" else Phrase("told.hid", {"mine": mine})
        if word == "answer":
            return Phrase(f"told.{said}") if mine == "~" else Phrase(f"told.answer_{said}", {"mine": mine})
        if move == "done":
            return Phrase("told.done")
        if move in PORT_INDEX:
            return _wave_phrase("told", *read_clue(told))
        if said == "nothing":
            return Phrase("told.nothing", {"cell": move})
        return Phrase("told.cell", {"cell": move, "colour": Word(f"colour.{said}")})

    def standing(self, view: Hunt) -> tuple[Phrase, ...]:
        return tuple(map(_standing, [view] * view.game.seats, range(view.game.seats)))

    def draft(self, view: Hunt, seat: int | None, text: str, help: House, act: str) -> Draft:
        game = view.game
        mine, notes = _read_draft(text)
        if view.outcome:
            # The mine itself is seen now.
            mine, notes = (), ()
        owner = seat or 0
        hides = view.hides(owner)
        panel = owner if hides else view.sought(owner)
        marks: dict[str, Mark] = {f"{panel}.draft/{placed.text}": _gem(placed.gem, _region(placed)) for placed in mine}
        found = game.faults(mine)
        reasons = tuple(
            reason if not game.duel else reason._replace(places=tuple(f"{panel}.{at}" for at in reason.places))
            for reason in found
            if reason.code != "missing"
        )
        if seat is not None and not hides and text_of(mine) in view.wrong(seat):
            reasons = (*reasons, Reason("tried"))
        whole = not found
        sends = None
        if whole and not reasons and seat is not None and not view.outcome and hides == view.hiding:
            sends = Move(f"{'hide' if hides else 'answer'}:{text_of(mine)}")
        says: list[Phrase] = []
        warning = None
        log = view.logs[panel]
        if help.check and mine and log and not view.outcome:
            checked = _check(game, log, mine, whole)
            marks |= _check_marks(checked, panel)
            says.append(Phrase("draft.clues", {"n": len(checked.explained), "m": len(log)}))
            if checked.contradicted:
                clues = ", ".join(checked.contradicted)
                says.append(Phrase("draft.contradicts", {"clues": clues}))
                warning = Phrase("draft.warning", {"clues": clues}) if sends else None
        marks = _note_marks(notes, panel) | marks
        if act:
            marks |= _traced(view, mine, panel, act, says)
        elsewhere = None
        if game.duel and seat is not None and not view.outcome:
            elsewhere = Phrase("elsewhere.hide" if hides else "elsewhere.seek")
        return Draft(marks, reasons, sends, panel, tuple(says), warning, elsewhere=elsewhere)

    def brief(self, game: Orapa) -> tuple[Phrase, ...]:
        options = game.options
        said = ["duel" if game.duel else "alone" if game.seats == 1 else "turns", "lie"]
        said += [] if options.whites == "free" else [options.whites]
        said += ["ask", options.answer, "cell"]
        said += [gem for gem in ("diamond", "blackbody") if getattr(options, gem)]
        said.append("answer_duel" if game.duel else "answer")
        return tuple(Phrase(f"paper.orapa.{word}", {"n": game.lives}) for word in said)

    def plan(self, game: Orapa) -> TextPlan:
        rows: list[tuple[str | Slot, ...]] = []
        for number in range(2 if game.duel else 1):
            if number:
                rows.append(("",))
            rows += _plan(number)
        return tuple(rows)


def _traced(view: Hunt, drafted: Mine, panel: int, place: str, says: list[Phrase]) -> dict[str, Mark]:
    """A wave's way along the draft; after the end, and where the mine is one's own, along the mine."""
    number, dot, name = place.rpartition(".")
    if name not in PORT_INDEX or f"{number}{dot}" not in (("0.", "1.") if view.game.duel else ("",)):
        raise NotationError(0, "no_place")
    at = int(number or 0)
    true = view.mines[at] not in ("", "~")
    if not true and at != panel:
        return {}
    mine = read_mine(view.mines[at]) if true else drafted
    port = PORT_INDEX[name]
    done = wave(mine, port)
    said = answer(mine, name, view.game.options.answer)
    says.append(_wave_phrase("path" if true else "trace", *read_clue(f"{name}={said}")))
    return {f"{at}.draft/trace": _trail(mine, port, done)}


def _cell_phrase(name: str, told: tuple[str, str] | None, gem: Placement | None) -> Phrase:
    if gem is not None:
        return Phrase("cell.gem", {"at": name, "gem": Word(f"gem.{gem.gem}")})
    if told is None:
        return Phrase("cell.unknown", {"at": name})
    if told[1] == "nothing":
        return Phrase("cell.nothing", {"at": name})
    return Phrase("cell.colour", {"at": name, "colour": Word(f"colour.{told[1]}")})


def _standing(view: Hunt, seat: int) -> Phrase:
    if seat in view.right:
        return Phrase("standing.solved")
    if view.lives(seat) <= 0:
        return Phrase("standing.out")
    return Phrase("standing.lives", {"n": view.lives(seat)})


def _ladder(view: Hunt) -> tuple[Phrase, ...]:
    """How a solo game stands on the ladder of human scores."""
    options = view.game.options
    if view.game.seats > 1 or not view.outcome:
        return ()
    asked = len(view.logs[0])
    if not view.right:
        return (Phrase("remark.ladder.lost", {"n": asked}),)
    bounds = _LADDERS[options.diamond + options.blackbody]
    step = next((step for bound, step in zip(bounds, _STEPS, strict=True) if asked <= bound), "more")
    return (Phrase(f"remark.ladder.{step}", {"n": asked}),)


def _plan(panel: int) -> Iterator[tuple[str | Slot, ...]]:
    side, wide = 9, 5

    def edge(names: Sequence[str], part: int | None) -> tuple[str | Slot, ...]:
        row: list[str | Slot] = [" " * (side + 3)]
        for name in names:
            row.append(name.rjust(wide) if part is None else Slot(f"{panel}.sign/{name}", " " * wide, part=part))
        return tuple(row)

    top, bottom = PORTS[18:28], PORTS[8:18]
    for part in (1, 0, None):
        yield edge(top, part)
    for row in range(ROWS):
        left, right = PORTS[row], PORTS[28 + row]
        cells = [
            Slot(f"{panel}.area/{name}", ".".rjust(wide), under=f"{panel}.sign/{name}")
            for name in CELLS[row * COLUMNS : (row + 1) * COLUMNS]
        ]
        yield (
            Slot(f"{panel}.sign/{left}", " " * side),
            f" {left} ",
            *cells,
            f"   {right} ",
            Slot(f"{panel}.sign/{right}", ""),
        )
    for part in (None, 0, 1):
        yield edge(bottom, part)


def _pieces(game: Orapa) -> Iterator[Piece]:
    for gem in game.gems:
        forms = []
        for number in range(len(FORMS[gem])):
            rows = shape(gem, number)
            covers = [(x, y) for y, row in enumerate(rows) for x, code in enumerate(row) if code != EMPTY]
            region = tuple(_part(rows[y][x], (x * UNIT, y * UNIT)) for x, y in covers)
            turned, flipped = _turned(gem, number)
            forms.append(Form((_gem(gem, region),), len(rows[0]), len(rows), tuple(covers), turned, flipped))
        yield Piece(gem, Phrase(f"piece.{gem}"), tuple(forms), True)
    for note, gem in _NOTE_GEMS.items():
        if gem in game.gems:
            codes = (FULL,) if gem == "K" else (FULL, LOWER_RIGHT, LOWER_LEFT, UPPER_RIGHT, UPPER_LEFT)
            yield Piece(note, Phrase(f"piece.note.{note}"), tuple(_note_forms(gem, codes)))
    cross = Sign((UNIT // 2, UNIT // 2), "cross", None, 56)
    yield Piece("x", Phrase("piece.note.x"), (Form((cross,), 1, 1, ((0, 0),)),))


def _turned(gem: str, form: int) -> tuple[int, int]:
    """The forms after a quarter turn clockwise, and after a flip from left to right."""
    rows = [list(row) for row in FORMS[gem][form].split("/")]
    mirror = {"1": "2", "2": "1", "3": "4", "4": "3"}
    quarter = {"1": "2", "2": "4", "4": "3", "3": "1"}
    flipped = ["".join(mirror.get(code, code) for code in reversed(row)) for row in rows]
    turned = ["".join(quarter.get(row[x], row[x]) for row in reversed(rows)) for x in range(len(rows[0]))]
    return FORMS[gem].index("/".join(turned)), FORMS[gem].index("/".join(flipped))


def _note_forms(gem: str, codes: Sequence[int]) -> Iterator[Form]:
    for number, code in enumerate(codes):
        polygon = _part(code, (0, 0), 14)
        mark = Fill((polygon,), GEM_COLOURS[gem], ((_LETTERS[gem], centre(polygon), 30),), "", True)
        turns = (_NOTE_TURNS[number], _NOTE_FLIPS[number]) if len(codes) > 1 else (0, 0)
        yield Form((mark,), 1, 1, ((0, 0),), *turns)


@cache
def _scene(game: Orapa) -> Scene:
    legend = []
    for colour in (*COLOURS.values(), *([ABSORBED] if game.options.blackbody else [])):
        letters = _mix(colour)
        fill = Fill((_part(FULL, (0, 0), 6),), colour, ((letters, (50, 50), 30),) if letters else ())
        legend.append((fill, Phrase(f"colour.{colour}", NO_FACTS)))
    return Scene(
        tuple(_panel(game, number) for number in range(2 if game.duel else 1)),
        tray=tuple(_pieces(game)),
        buttons=((Move("done"), Phrase("button.orapa.done")),),
        legend=tuple(legend) if game.options.answer == "colour" else (),
    )


DRAWING = _Drawing()
