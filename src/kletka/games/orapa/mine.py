"""A mine: gems on the board. Whether it is legal, and what a wave through it does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import gcd, prod
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from kletka.games.contract import NotationError, Reason, Word
from kletka.games.orapa.gems import (
    CELL_INDEX,
    CELLS,
    COLUMNS,
    DOWN,
    EMPTY,
    FORMS,
    GEMS,
    LEFT,
    PORTS,
    RIGHT,
    ROWS,
    STEPS,
    UP,
    Placement,
    by_text,
    lines,
    placements,
    port_at,
    start_of,
)

MOST_GEMS = 20
"""Gems in an arrangement that is read; none needs as many."""

_PLACED = re.compile(r"([RYBWSDK])([0-9]{1,2})([A-H])([0-9])")

TURNS = {
    RIGHT: (RIGHT, UP, LEFT, DOWN, LEFT, LEFT),
    LEFT: (LEFT, RIGHT, UP, RIGHT, DOWN, RIGHT),
    DOWN: (DOWN, LEFT, RIGHT, UP, UP, UP),
    UP: (UP, DOWN, DOWN, LEFT, RIGHT, DOWN),
}
"""The direction after a square, by the direction before and what the square holds."""

COLOURS = {
    "": "transparent",
    "R": "red",
    "Y": "yellow",
    "B": "blue",
    "W": "white",
    "RY": "orange",
    "RB": "purple",
    "YB": "green",
    "RW": "pink",
    "YW": "lemon",
    "BW": "skyblue",
    "RYW": "lightorange",
    "RBW": "lightpurple",
    "YBW": "lightgreen",
    "RYB": "black",
    "RYBW": "grey",
}
"""The colour that a wave has after the gems that it touched, by their colours' letters in the order of GEMS."""
INGREDIENTS = {colour: letters for letters, colour in COLOURS.items()}
ABSORBED = "absorbed"
PAINTS = {"R": "R", "Y": "Y", "B": "B", "W": "W", "S": "W", "D": "", "K": ""}
"""The letter that a gem adds to a wave."""
GEM_COLOURS = {gem: ABSORBED if gem == "K" else COLOURS[PAINTS[gem]] for gem in GEMS}
"""What a question about a square of each gem is answered; the diamond is transparent."""


class Clue(NamedTuple):
    """An answered question: a port or square, where its wave left (empty where none did), and what else was said."""

    question: str
    exit: str
    said: str


def read_clue(entry: str) -> Clue:
    """The parts of a told text such as `B=3.white`, `H=absorbed` or `4E=red`."""
    question, _, said = entry.partition("=")
    port, dot, rest = said.partition(".")
    return Clue(question, port, rest) if dot else Clue(question, "", said)


Mine = tuple[Placement, ...]
"""An arrangement in the canonical order of gems."""


class Wave(NamedTuple):
    """What a wave did: the port where it left (None: it was absorbed), its colour, bounces, and the squares it met."""

    exit: int | None
    colour: str
    bounces: int
    path: tuple[int, ...]


def text_of(mine: Iterable[Placement]) -> str:
    """The arrangement as text: `R8B1+Y8E0+B5A1+W2F2+S3B0`."""
    return "+".join(placed.text for placed in mine)


def read_mine(text: str) -> Mine:
    """The gems that a text names, in canonical order, whether or not they may lie so. Raises NotationError."""
    placed = []
    at = 0
    parts = text.split("+")
    if len(parts) > MOST_GEMS:
        raise NotationError(0, "notation")
    for part in parts:
        found = _PLACED.fullmatch(part)
        if not found or int(found[4]) >= len(FORMS[found[1]]) or f"{found[2]}{found[3]}" not in CELL_INDEX:
            raise NotationError(at, "bad_gem", text=part[:20])
        if part not in by_text():
            raise NotationError(at, "off_board", text=part[:20])
        placed.append(by_text()[part])
        at += len(part) + 1
    return tuple(sorted(placed, key=lambda one: (GEMS.index(one.gem), placements(one.gem).index(one))))


def contents(mine: Iterable[Placement]) -> dict[int, Placement]:
    """The gem of each touched square; the last where gems overlap."""
    return {cell: placed for placed in mine for cell, _ in placed.cells}


def hidden_gems(mine: Sequence[Placement]) -> tuple[Placement, ...]:
    """The gems that no port sees in a straight line."""
    where = contents(mine)
    seen = set()
    for line in lines():
        for cell in line:
            if cell in where:
                seen.add(where[cell].gem)
                break
    return tuple(placed for placed in mine if placed.gem not in seen)


def whites_clash(mine: Iterable[Placement], rule: str) -> bool:
    """Whether the white gems lie more symmetrically than the option `whites` allows."""
    first, second = ([p for p in mine if p.gem == gem] for gem in "WS")
    if rule == "free" or not first or not second:
        return False
    common = first[0].axes & second[0].axes
    return bool(common & {("x", COLUMNS), ("y", ROWS)}) if rule == "not_centred" else bool(common)


def _word(placed: Placement) -> Word:
    return Word(f"gem.{placed.gem}")


def _cells(*gems: Placement) -> tuple[str, ...]:
    return tuple(CELLS[cell] for placed in gems for cell, _ in placed.cells)


def faults(mine: Mine, gems: str, whites: str) -> tuple[Reason, ...]:
    """Every reason why an arrangement of these gems isn't legal."""
    return tuple(_faults(mine, gems, whites))


def _faults(mine: Mine, gems: str, whites: str) -> Iterator[Reason]:
    laid = [placed.gem for placed in mine]
    for gem in gems:
        if gem not in laid:
            yield Reason("missing", (), {"gem": Word(f"gem.{gem}")})
    for gem in dict.fromkeys(laid):
        if laid.count(gem) > 1:
            again = tuple(placed for placed in mine if placed.gem == gem)
            yield Reason("twice", _cells(*again), {"gem": Word(f"gem.{gem}")})
        if gem not in gems:
            foreign = tuple(placed for placed in mine if placed.gem == gem)
            yield Reason("foreign", _cells(*foreign), {"gem": Word(f"gem.{gem}")})
    for one, other in combinations(mine, 2):
        if one.gem == other.gem:
            continue
        shared = {cell for cell, _ in one.cells} & {cell for cell, _ in other.cells}
        facts = {"gem": _word(one), "other": _word(other)}
        if shared:
            yield Reason("overlap", tuple(CELLS[cell] for cell in sorted(shared)), facts)
        elif one.body & other.body:
            yield Reason("touch", _cells(one, other), facts)
    for placed in hidden_gems(mine):
        yield Reason("unseen", _cells(placed), {"gem": _word(placed)})
    if whites_clash(mine, whites):
        yield Reason(whites, _cells(*(placed for placed in mine if placed.gem in "WS")))


def trace(codes: Mapping[int, int], gems: Mapping[int, Placement], port: int) -> Wave:
    """The way of a wave from a port through squares that hold these codes and gems.

    From outside no way can be endless: each square and direction has one successor and one predecessor.
    """
    x, y, way = start_of(port)
    touched: set[str] = set()
    path: list[int] = []
    bounces = 0
    while 0 <= x < COLUMNS and 0 <= y < ROWS:
        cell = y * COLUMNS + x
        path.append(cell)
        code = codes.get(cell, EMPTY)
        if code != EMPTY:
            gem = gems[cell].gem
            if gem == "K":
                return Wave(None, ABSORBED, bounces, tuple(path))
            touched.add(PAINTS[gem])
            bounces += 1
            way = TURNS[way][code]
        x, y = x + STEPS[way][0], y + STEPS[way][1]
    colour = COLOURS["".join(letter for letter in "RYBW" if letter in touched)]
    return Wave(port_at(x, y), colour, bounces, tuple(path))


def wave(mine: Sequence[Placement], port: int) -> Wave:
    """The way of a wave from a port (an index of PORTS) through a mine."""
    return trace({cell: code for placed in mine for cell, code in placed.cells}, contents(mine), port)


def answer(mine: Sequence[Placement], question: str, kind: str) -> str:
    """What a mine answers to a port's or a square's name; `kind` is the option `answer`."""
    if question in CELL_INDEX:
        placed = contents(mine).get(CELL_INDEX[question])
        return GEM_COLOURS[placed.gem] if placed else "nothing"
    done = wave(mine, PORTS.index(question))
    if done.exit is None:
        return ABSORBED
    return f"{PORTS[done.exit]}.{done.colour if kind == 'colour' else done.bounces}"


@lru_cache(maxsize=256)
def told_by_mine(text: str, kind: str) -> Mapping[str, str]:
    """What a mine answers to every question there is, by port or square; `kind` is the option `answer`.

    All is worked out at once, so that no single answer takes longer than another and tells by that what it doesn't say.
    """
    mine = read_mine(text)
    return MappingProxyType({question: answer(mine, question, kind) for question in (*PORTS, *CELLS)})


def thrown(rng: Random, choices: Sequence[Sequence[Placement]]) -> Mine | None:
    """One placement of each gem, each as likely as any other; None where they can't lie together."""
    body = 0
    mine = []
    for among in choices:
        placed = among[int(rng.random() * len(among))]
        if body & placed.body:
            return None
        body |= placed.body
        mine.append(placed)
    return tuple(mine)


def random_mine(rng: Random, gems: str, whites: str) -> Mine:
    """A mine, each legal one as likely as any other."""
    choices = [placements(gem) for gem in gems]
    while True:
        mine = thrown(rng, choices)
        if mine and not hidden_gems(mine) and not whites_clash(mine, whites):
            return mine


def some_mines(gems: str, whites: str, log: Sequence[str], kind: str) -> Iterator[Mine]:
    """Legal mines in a fixed order, those alone that agree with every answered question of a log."""
    asked = [entry.partition("=")[::2] for entry in log]
    cells = {CELL_INDEX[question]: said for question, said in asked if question in CELL_INDEX}
    waves = [(question, said) for question, said in asked if question not in CELL_INDEX]

    def agrees(placed: Placement) -> bool:
        return all(cells.get(cell, GEM_COLOURS[placed.gem]) == GEM_COLOURS[placed.gem] for cell, _ in placed.cells)

    choices = [[placed for placed in placements(gem) if agrees(placed)] for gem in gems]

    def laid(gem: int, body: int, mine: Mine) -> Iterator[Mine]:
        if gem == len(choices):
            where = contents(mine)
            known = all(said == "nothing" or cell in where for cell, said in cells.items())
            legal = known and not hidden_gems(mine) and not whites_clash(mine, whites)
            if legal and all(answer(mine, question, kind) == said for question, said in waves):
                yield mine
            return
        for placed in choices[gem]:
            if not body & placed.body:
                yield from laid(gem + 1, body | placed.body, (*mine, placed))

    return laid(0, 0, ())


_CODE = "0123456789abcdefghjkmnpqrstvwxyz"
_STRIDE = 0x9E3779B97F4A7C15


def _sizes(gems: str) -> list[int]:
    return [len(placements(gem)) for gem in gems]


def _stride(whole: int) -> int:
    stride = _STRIDE % whole
    while gcd(stride, whole) != 1:
        stride += 1
    return stride


def share_code(mine: Mine) -> str:
    """A short code for a mine: its number among all arrangements of its gems, stirred so that no eye sees the mine."""
    sizes = _sizes("".join(placed.gem for placed in mine))
    number = 0
    for placed, size in zip(mine, sizes, strict=True):
        number = number * size + placements(placed.gem).index(placed)
    whole = prod(sizes)
    number = (number * _stride(whole) + whole // 3) % whole
    digits = ""
    while whole:
        digits = _CODE[number % 32] + digits
        number, whole = number // 32, whole // 32
    return digits


def read_code(code: str, gems: str) -> Mine | None:
    """The arrangement of these gems that a code means; None where it means none."""
    sizes = _sizes(gems)
    whole = prod(sizes)
    length = 1
    while whole >> 5 * length:
        length += 1
    if len(code) != length or set(code) - set(_CODE):
        return None
    number = 0
    for letter in code:
        number = number * 32 + _CODE.index(letter)
    if number >= whole:
        return None
    number = (number - whole // 3) * pow(_stride(whole), -1, whole) % whole
    placed = []
    for gem, size in zip(reversed(gems), reversed(sizes), strict=True):
        number, index = divmod(number, size)
        placed.append(placements(gem)[index])
    return tuple(reversed(placed))
