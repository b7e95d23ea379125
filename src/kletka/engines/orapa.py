"""Players of Orapa Mine: they know what their seat knows, and ask what would tell them most.

The mines that agree with everything heard are listed, or drawn evenly where there are too many. A question is worth the
information that its answer is expected to carry among them; when one mine is left, it is the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from kletka.engines import kernels
from kletka.engines.answers import nodes, poll
from kletka.engines.base import Choice, Limit, Progress, Stop, running
from kletka.engines.echoes import search
from kletka.games import Move, State
from kletka.games.orapa import Hunt
from kletka.games.orapa.gems import CELL_INDEX, CELLS, PORT_INDEX, PORTS, placements
from kletka.games.orapa.mine import ABSORBED, INGREDIENTS, Mine, random_mine, read_clue, read_mine, text_of

_BITS = {"R": 1, "Y": 2, "B": 4, "W": 8}
_CELL_ANSWERS = ("nothing", "red", "yellow", "blue", "white", "transparent", ABSORBED)
_FIRST = ("B", "G", "12", "17")
"""What to ask where nothing is known: ports that tell most on average."""


class Known(NamedTuple):
    """Mines that agree with what was heard: all of them where `complete`, else some drawn evenly.

    `gains` are the bits that each port and then each cell is expected to tell; `visited` counts nodes.
    """

    mines: Sequence[Mine]
    complete: bool
    visited: int
    gains: Sequence[float]


Deduce = Callable[[Hunt, Limit, int, Random, Stop | None], Known]
"""From a view, a limit, a number of mines wanted and random numbers to what is known."""


def by_kernel(view: Hunt, limit: Limit, wanted: int, rng: Random, stop: Stop | None) -> Known:
    """Deduce with the kernel."""
    game = view.game
    waves, cells = [], []
    for entry in view.log:
        question, port, said = read_clue(entry)
        if question in CELL_INDEX:
            cells.append((CELL_INDEX[question], _CELL_ANSWERS.index(said)))
        elif said == ABSORBED:
            waves.append((PORT_INDEX[question], -1, 0))
        else:
            told = int(said) if said.isdigit() else sum(_BITS[letter] for letter in INGREDIENTS[said])
            waves.append((PORT_INDEX[question], PORT_INDEX[port], told))
    excluded = [[placements(placed.gem).index(placed) for placed in read_mine(text)] for text in view.tried[view.turn]]
    found, complete, visited, gains = kernels.orapa(game).deduce(
        waves, cells, excluded, nodes(limit), rng.getrandbits(63), wanted, wanted, poll=poll(limit, stop)
    )
    mines = [
        tuple(placements(gem)[number] for gem, number in zip(game.gems, numbers, strict=True)) for numbers in found
    ]
    return Known(mines, complete, visited, [gain / 1024 for gain in gains])


def by_rules(view: Hunt, limit: Limit, wanted: int, rng: Random, stop: Stop | None) -> Known:
    """Deduce in Python alone."""
    game = view.game
    found = search(
        game.gems, game.options.whites, game.options.answer, view.log, view.tried[view.turn], nodes(limit), wanted, rng
    )
    return Known(found.mines, found.complete, found.visited, found.gains)


@dataclass(frozen=True)
class Sleuth:
    """Searches a mine; `wanted` mines are looked at to judge a question, and a list is at most as long.

    With a life to spare it guesses among at most `guesses` mines rather than leave them to the next seat. Where the
    game is a duel it hides a random mine.
    """

    name: str
    deduce: Deduce
    wanted: int = 512
    guesses: int = 0

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The question that tells most, or the answer. Raises ValueError where the game is over."""
        hunt = running(view, Hunt, "Orapa Mine")
        game = hunt.game
        if hunt.hiding:
            return _chosen(f"hide:{text_of(random_mine(rng, game.gems, game.options.whites))}", 0)
        known = self.deduce(hunt, limit, self.wanted, rng, stop)
        sure = known.complete and len(known.mines) == 1
        if sure or (known.mines and (hunt.asked or not hunt.questions()) and self._dares(hunt, known)):
            mine = known.mines[0] if sure else rng.choice(known.mines)
            share = 1 / len(known.mines) if known.complete else None
            return _chosen(f"answer:{text_of(mine)}", known.visited, share, sure)
        if hunt.asked:
            return _chosen("done", known.visited)
        return _chosen(_question(hunt, known, rng), known.visited)

    def _dares(self, view: Hunt, known: Known) -> bool:
        """Whether to answer without being sure: nothing is left to ask or to lose, or the next seat would find it."""
        game = view.game
        if not view.questions() or (game.duel and view.right):
            return True
        rivals = [seat for seat in range(game.seats) if seat != view.turn and view.lives(seat) > 0]
        few = known.complete and len(known.mines) <= self.guesses
        return bool(rivals) and view.lives(view.turn) > 1 and few


def _chosen(move: str, visited: int, score: float | None = None, exact: bool = False) -> Choice:
    return Choice(Move(move), score, (Move(move),), visited, exact)


def _question(view: Hunt, known: Known, rng: Random) -> str:
    """The open question of greatest expected information; where nothing is known, a port that tells much on average."""
    names = (*PORTS, *CELLS)
    asked = view.questions()
    if not asked:
        return view.moves()[0]
    gains = dict(zip(names, known.gains, strict=True)) if known.gains else {}
    best = max(gains.get(name, 0) for name in asked)
    if best <= 0:
        first = [name for name in _FIRST if name in asked]
        return rng.choice(first or [name for name in asked if name in PORT_INDEX] or asked)
    return max(asked, key=lambda name: gains[name])


KERNEL = Sleuth("kernel-orapa", by_kernel, guesses=4)
RULES = Sleuth("echoes", by_rules, guesses=4)
