"""A player of Crystals from the Python rules: the largest crystal at every centre, and what a square changes about it.

The estimate is that of the kernel's one-ply player: a seat's potential is the root of the sum of (w * M)^2, M the
squares of its largest crystal at a centre and w a weight by how many atoms it lacks. All squares get a rough value from
one look at the position; the best of them are then judged by the estimate itself, as far as the limit goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from random import Random
from typing import NamedTuple

from kletka.engines.base import Choice, Limit, Progress, Stop, running
from kletka.engines.budget import Budget, Spent
from kletka.engines.crystals import agreed_choice, share
from kletka.games import Move, State
from kletka.games.crystals import Centre, Crystal, Paper, Sheet, members
from kletka.games.crystals.paper import convex

_WEIGHTS = (100, 80, 50, 25, 10)
"""In hundredths, by how many atoms a crystal lacks."""
_MOST_CENTRES = 8_000
"""Looked at in one position, those of all seats together; on larger sheets some drawn evenly."""


class Hope(NamedTuple):
    """A crystal that a seat may hope for: its squares, and how many atoms it lacks."""

    squares: int
    lacks: int

    @property
    def size(self) -> int:
        return self.squares.bit_count()

    @property
    def worth(self) -> int:
        """Squared, in hundredths of squares."""
        return (_WEIGHTS[min(self.lacks, 4)] * self.size) ** 2

    @property
    def with_another(self) -> int:
        """What one atom more makes of that."""
        return (_WEIGHTS[min(max(self.lacks - 1, 0), 4)] * self.size) ** 2


@lru_cache(maxsize=16)
def _small(paper: Paper) -> tuple[int, ...]:
    """The smallest crystals: where every square must hold an atom, larger ones are rarely finished."""
    found = []
    for centre in paper.centres:
        for rings in (1, 2):
            first = [row[:rings] for fold in centre.folds[:1] for row in fold.rows[:rings]]
            if min(centre.across, centre.up) < rings or centre.room < rings:
                continue
            mask = centre.unfold(sum(orbit for row in first for orbit in row))
            for shape in convex(paper, centre, ~mask):
                if paper.least <= shape.bit_count() <= 3 * paper.least and not shape & ~paper.board.mask:
                    found.append(shape)
    return tuple(dict.fromkeys(found))


def hopes(state: Sheet, seat: int, centres: Sequence[Centre]) -> Iterator[Hope]:
    """The crystals that a seat may hope for at some centres, none of them interlocking.

    Where every square must hold an atom they are the small ones anywhere.
    """
    paper, own = state.game.paper, state.atoms(seat)
    barred = ~state.available(seat)
    if paper.full:
        for mask in _small(paper):
            if not mask & barred and mask & own and (lacks := (mask & ~own).bit_count()) <= len(_WEIGHTS) - 1:
                yield Hope(mask, lacks)
        return
    for centre in centres:
        for mask in convex(paper, centre, barred):
            if mask.bit_count() >= paper.least:
                yield Hope(mask, max(0, paper.least - (mask & own).bit_count()))


def estimate(state: Sheet, seat: int) -> float:
    """What a position that a seat has moved to is worth to it, in squares, besides what it has gained."""
    mine, best, threat = 0, 0, 0
    for other in state.staying:
        found = list(hopes(state, other, state.game.paper.centres))
        total = sum(hope.worth for hope in found)
        if other == seat:
            mine = total
        else:
            best = max(best, total)
            threat = max(threat, *(hope.size for hope in found if hope.lacks <= 1), 0)
    return 0.003 * (sqrt(mine) - 1.2 * sqrt(best)) - 0.9 * threat


def _grown(state: Sheet, seat: int) -> int:
    """The largest crystal that a seat can grow now; 0: none."""
    found = state.growable(seat, 0)
    return found[0].squares if found else 0


@dataclass(frozen=True)
class Facets:
    """Plays by one look at every centre, of which it overlooks `miss` in a hundred, and judges some squares better."""

    miss: int = 0
    candidates: int = 24

    name = "facets"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The best move seen. A node is a centre looked at. Raises ValueError where the game is over."""
        state = running(view, Sheet, "Crystals")
        seat = state.to_move
        assert seat is not None
        if (agreed := agreed_choice(state, rng)) is not None:
            return agreed
        ahead = state.scores[seat] - max(state.scores[other] for other in state.staying - {seat})
        budget = Budget(limit, stop)
        paper = state.game.paper
        cost = len(paper.centres) * len(paper.centres[0].folds) * len(state.staying)
        ranked = self._ranked(state, seat, rng)
        worth, atom, crystal = ranked[0]
        judged = []
        try:
            for _, square, claimed in ranked[: self.candidates]:
                for _ in range(cost):
                    budget.visit()
                after = state.with_atom(square)
                if claimed:
                    after = replace(after, crystals=(*after.crystals, Crystal(seat, claimed)))
                judged.append((claimed.bit_count() + estimate(after, seat), square, claimed))
        except Spent:
            pass
        if len(judged) > 1:
            worth, atom, crystal = max(judged, key=lambda one: one[0])
        move = _turn(state, seat, atom, crystal)
        return Choice(move, share(state, ahead + worth), (move,), budget.nodes, False)

    def _ranked(self, state: Sheet, seat: int, rng: Random) -> list[tuple[float, int | None, int]]:
        """All squares by what one look says, the best first: worth, square, crystal to grow then (0: none)."""
        free = state.free
        if not free:
            return [(0.0, None, _grown(state, seat))]
        hoped, blocked = dict.fromkeys(members(free), 0.0), dict.fromkeys(members(free), 0)
        claims = dict.fromkeys(members(free), 0)
        centres = state.game.paper.centres
        seen = min(len(centres) * (100 - self.miss) // 100, _MOST_CENTRES // len(state.staying))
        if seen < len(centres):
            centres = tuple(rng.sample(centres, seen))
        for other in state.staying:
            for hope in hopes(state, other, centres):
                if state.game.paper.full and rng.randrange(100) < self.miss:
                    continue
                change = hope.with_another - hope.worth if other == seat else 1.44 * hope.worth
                # A crystal that is grown already wherever the atom goes.
                everywhere = other == seat and hope.lacks == 0
                for square in members(free if everywhere else hope.squares & free):
                    hoped[square] += change
                    if hope.lacks <= 1 and other != seat:
                        blocked[square] = max(blocked[square], hope.size)
                    elif hope.lacks <= 1 and hope.size > claims[square].bit_count():
                        claims[square] = hope.squares
        worth = {
            square: claims[square].bit_count() + 0.9 * blocked[square] + 0.003 * sqrt(hoped[square]) for square in hoped
        }
        order = sorted(worth, key=lambda square: (-worth[square], rng.random()))
        return [(worth[square], square, claims[square]) for square in order]


def _turn(state: Sheet, seat: int, atom: int | None, crystal: int) -> Move:
    """The move that places an atom and grows a crystal, or a larger one where there is one then."""
    if atom is not None and crystal:
        crystal = max(crystal, _grown(state.with_atom(atom), seat), key=int.bit_count)
    return state.game.move(atom, (crystal,) if crystal else ())


def likely(state: Sheet, rng: Random) -> Sequence[Move]:
    """The moves that are best by one look at every centre, the best first."""
    seat = state.to_move
    assert seat is not None
    ranked = FACETS._ranked(state, seat, rng)[: FACETS.candidates]
    return [_turn(state, seat, atom, crystal) for _, atom, crystal in ranked]


FACETS = Facets()
