"""Which mines agree with what was heard, in Python alone: for machines without kernels, and to check the kernel by.

Waves are followed one after another. At a square of which nothing is known a wave divides the mines left into those
with nothing there and those with one gem's code; a part is a set of placements for each gem, so that it can be sized at
once, and parts share no mine. A random descent takes parts by their size; a full one lists all mines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import log2, prod
from random import Random
from typing import NamedTuple

from kletka.games.orapa.gems import (
    CELL_INDEX,
    CELLS,
    COLUMNS,
    FULL,
    PORT_INDEX,
    PORTS,
    ROWS,
    STEPS,
    Placement,
    placements,
    port_at,
    start_of,
)
from kletka.games.orapa.mine import (
    GEM_COLOURS,
    INGREDIENTS,
    PAINTS,
    TURNS,
    Mine,
    answer,
    contents,
    hidden_gems,
    read_clue,
    text_of,
    thrown,
    whites_clash,
)

_TRIES = 12
"""Random arrangements of one part before another is tried."""


class Found(NamedTuple):
    """Mines that agree: all of them where `complete`, else some; `gains` are bits for each port and each square."""

    mines: Sequence[Mine]
    complete: bool
    visited: int
    gains: Sequence[float]


class _Part(NamedTuple):
    """Placements left to each gem, as masks, and how far which wave has come."""

    left: tuple[int, ...]
    wave: int
    column: int
    row: int
    way: int
    touched: frozenset[str]
    bounces: int


@cache
def _touching(gem: str) -> tuple[tuple[int, ...], ...]:
    """For each square the masks of a gem's placements by what they hold there; code 0: anything at all."""
    masks = [[0] * (FULL + 1) for _ in CELLS]
    for number, placed in enumerate(placements(gem)):
        for cell, code in placed.cells:
            masks[cell][code] |= 1 << number
            masks[cell][0] |= 1 << number
    return tuple(map(tuple, masks))


class _Search:
    def __init__(self, gems: str, whites: str, kind: str, log: Sequence[str], tried: Sequence[str], most: int) -> None:
        self.gems, self.whites, self.kind, self.most = gems, whites, kind, most
        self.tried = set(tried)
        self.visited = 0
        clues = [read_clue(entry) for entry in log]
        self.squares = [(CELL_INDEX[clue.question], clue.said) for clue in clues if clue.question in CELL_INDEX]
        waves = [clue for clue in clues if clue.question in PORT_INDEX]
        self.begins = [PORT_INDEX[clue.question] for clue in waves]
        self.ends = [PORT_INDEX[clue.exit] if clue.exit else None for clue in waves]
        self.told = [clue.said for clue in waves]

    def root(self) -> _Part | None:
        """Everything that squares leave, before the first wave; None where no mine agrees with them."""
        left = []
        for gem in self.gems:
            mask = (1 << len(placements(gem))) - 1
            for cell, said in self.squares:
                if said != GEM_COLOURS[gem]:
                    mask &= ~_touching(gem)[cell][0]
                elif [GEM_COLOURS[other] for other in self.gems].count(said) == 1:
                    mask &= _touching(gem)[cell][0]
            left.append(mask)
        return self._begun(_Part(tuple(left), -1, 0, 0, 0, frozenset(), 0)) if all(left) else None

    def _begun(self, part: _Part) -> _Part:
        """The part at the start of the next wave."""
        wave = part.wave + 1
        if wave == len(self.begins):
            return part._replace(wave=wave)
        return _Part(part.left, wave, *start_of(self.begins[wave]), frozenset(), 0)

    def _agrees(self, wave: int, touched: frozenset[str], bounces: int) -> bool:
        told = self.told[wave]
        return bounces == int(told) if self.kind == "bounces" else set(INGREDIENTS[told]) == touched

    def _may(self, wave: int, touched: frozenset[str], bounces: int) -> bool:
        """Whether a wave that goes on may still be told as it was."""
        if self.ends[wave] is None:
            return True
        told = self.told[wave]
        return bounces <= int(told) if self.kind == "bounces" else touched <= set(INGREDIENTS[told])

    def parts(self, part: _Part) -> list[_Part] | None:
        """What a part divides into at the next square of which nothing is known; None where all waves have ended."""
        while part.wave < len(self.begins):
            column, row = part.column, part.row
            if not (0 <= column < COLUMNS and 0 <= row < ROWS):
                if port_at(column, row) != self.ends[part.wave]:
                    return []
                if not self._agrees(part.wave, part.touched, part.bounces):
                    return []
                part = self._begun(part)
                continue
            found = list(self._next(part, row * COLUMNS + column))
            self.visited += 1
            if len(found) != 1:
                return found
            part = found[0]
        return None if part.wave == len(self.begins) and self._ended(part) else []

    def _ended(self, part: _Part) -> bool:
        self.leaf = part
        return True

    def _next(self, part: _Part, cell: int) -> Iterator[_Part]:
        dx, dy = STEPS[part.way]
        without = tuple(mask & ~_touching(gem)[cell][0] for gem, mask in zip(self.gems, part.left, strict=True))
        if all(without):
            yield part._replace(left=without, column=part.column + dx, row=part.row + dy)
        for index, gem in enumerate(self.gems):
            if not all(without[:index] + without[index + 1 :]):
                continue
            for code in range(1, FULL + 1):
                mask = part.left[index] & _touching(gem)[cell][code]
                if mask:
                    left = (*without[:index], mask, *without[index + 1 :])
                    yield from self._met(part._replace(left=left), gem, code)

    def _met(self, part: _Part, gem: str, code: int) -> Iterator[_Part]:
        wave = part.wave
        if gem == "K":
            if self.ends[wave] is None:
                yield self._begun(part)
            return
        touched = part.touched | set(PAINTS[gem])
        way = TURNS[part.way][code]
        back = STEPS[way] == tuple(-step for step in STEPS[part.way])
        if back:
            # From here it runs back the same way: every bounce but this one comes again.
            bounces = 2 * part.bounces + 1
            if self.ends[wave] == self.begins[wave] and self._agrees(wave, touched, bounces):
                yield self._begun(part)
            return
        if self._may(wave, touched, part.bounces + 1):
            dx, dy = STEPS[way]
            yield part._replace(
                way=way, column=part.column + dx, row=part.row + dy, touched=touched, bounces=part.bounces + 1
            )

    def legal(self, mine: Mine) -> bool:
        """What parts don't look at: lines of sight, white gems, squares that either white gem may explain, tries."""
        where = contents(mine)
        squares = all(said == "nothing" or cell in where for cell, said in self.squares)
        return (
            squares
            and not whites_clash(mine, self.whites)
            and not hidden_gems(mine)
            and text_of(mine) not in self.tried
        )

    def some(self, part: _Part, rng: Random) -> Mine | None:
        """A mine of a part, by random descent."""
        while (parts := self.parts(part)) is not None:
            if not parts or self.visited > self.most:
                return None
            sizes = [prod(mask.bit_count() for mask in one.left) for one in parts]
            part = rng.choices(parts, sizes)[0] if len(parts) > 1 else parts[0]
        choices = [_listed(gem, mask) for gem, mask in zip(self.gems, self.leaf.left, strict=True)]
        for _ in range(_TRIES):
            self.visited += 1
            mine = thrown(rng, choices)
            if mine and self.legal(mine):
                return mine
        return None

    def all(self, part: _Part) -> Iterator[Mine]:
        """Every mine of a part, each once. Ends early beyond the nodes that were allowed."""
        parts = self.parts(part)
        if parts is not None:
            for one in parts:
                if self.visited > self.most:
                    return
                yield from self.all(one)
            return
        pairs = sorted(zip(self.gems, self.leaf.left, strict=True), key=lambda pair: pair[1].bit_count())
        yield from self._laid([(gem, _listed(gem, mask)) for gem, mask in pairs], 0, {})

    def _laid(
        self, choices: Sequence[tuple[str, Sequence[Placement]]], body: int, laid: dict[str, Placement]
    ) -> Iterator[Mine]:
        if not choices:
            mine = tuple(laid[gem] for gem in self.gems)
            if self.legal(mine):
                yield mine
            return
        gem, among = choices[0]
        for placed in among:
            if not body & placed.body:
                self.visited += 1
                if self.visited > self.most:
                    return
                yield from self._laid(choices[1:], body | placed.body, {**laid, gem: placed})


def _listed(gem: str, mask: int) -> list[Placement]:
    return [placed for number, placed in enumerate(placements(gem)) if mask >> number & 1]


def every_mine(gems: str, whites: str, kind: str, log: Sequence[str]) -> Iterator[Mine]:
    """Every mine that agrees with a log, each once."""
    found = _Search(gems, whites, kind, log, (), 1 << 62)
    root = found.root()
    return iter(()) if root is None else found.all(root)


def search(
    gems: str, whites: str, kind: str, log: Sequence[str], tried: Sequence[str], nodes: int, wanted: int, rng: Random
) -> Found:
    """Mines that agree with a log, at most `wanted`, none of those tried; drawn first, then listed where they seem few.

    A node is a square that a wave comes to, or a gem laid.
    """
    at_work = _Search(gems, whites, kind, log, tried, nodes // 2)
    root = at_work.root()
    if root is None:
        return Found((), True, 0, ())
    drawn: dict[str, Mine] = {}
    tries = 0
    while at_work.visited < at_work.most and len(drawn) < wanted:
        tries += 1
        if (mine := at_work.some(root, rng)) is not None:
            drawn[text_of(mine)] = mine
        if tries >= 4 * wanted or (tries >= 16 and len(drawn) * 4 < tries):
            break
    complete = False
    if len(drawn) < wanted:
        at_work.most = nodes
        listed: list[Mine] = []
        for mine in at_work.all(root):
            listed.append(mine)
            if len(listed) > wanted:
                break
        complete = at_work.visited <= nodes and len(listed) <= wanted
        if complete:
            drawn = {text_of(mine): mine for mine in listed}
        else:
            drawn |= {text_of(mine): mine for mine in listed[: wanted - len(drawn)]}
    mines = tuple(drawn.values())
    return Found(mines, complete, at_work.visited, _gains(mines, kind))


def _gains(mines: Sequence[Mine], kind: str) -> list[float]:
    """The bits that each port and each square is expected to tell, these mines being equally likely."""
    if not mines:
        return []
    gains = [_entropy(Counter(answer(mine, port, kind) for mine in mines)) for port in PORTS]
    where = [contents(mine) for mine in mines]
    for cell in range(len(CELLS)):
        told = Counter(GEM_COLOURS[laid[cell].gem] if cell in laid else "" for laid in where)
        gains.append(_entropy(told))
    return gains


def _entropy(counts: Counter[str]) -> float:
    whole = counts.total()
    return log2(whole) - sum(count * log2(count) for count in counts.values()) / whole
