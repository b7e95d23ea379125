"""Exact values of whole games and of positions, for `kletka solve` and for whoever publishes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kletka.engines import kernels
from kletka.games import KletkaError, Move, State
from kletka.games.dots import Lines

MOST_SHARED = 26
"""Lines left up to which three and four are solved: all subsets are looked at."""

Halved = Callable[[int, int, int], None]
"""Told what is known: the value is at least, at most; nodes so far."""


class Unsolvable(KletkaError):
    """A game or a position that has no solver here: `no_solver` or `too_large_to_solve`."""


@dataclass(frozen=True)
class Solution:
    """What a position is worth under best play.

    For two the mover's coins minus the other side's from here on (in misère the other way round) are `low` to `high`,
    the same once they are known. For three and four `coins` has those of each seat that is left, the mover's first.
    `best` are all moves that are worth that, none where the search was stopped. `nodes` are positions.
    """

    low: int
    high: int
    coins: tuple[int, ...] | None
    best: tuple[Move, ...]
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether the value is known, every best move too."""
        return bool(self.best)


def solve(
    state: State,
    *,
    memory: int = 1 << 30,
    whole: bool = False,
    outward: bool = False,
    poll: Callable[[], bool] | None = None,
    progress: Halved | None = None,
) -> Solution:
    """Solve a position with so many bytes of memory; `whole` and `outward` are other ways to do the same.

    Raises Unsolvable, and ValueError where the game is over. `poll` is asked often and ends the search.
    """
    if not isinstance(state, Lines) or not kernels.enabled():
        raise Unsolvable("no_solver")
    game = state.game
    kernel, text = kernels.dots(game), kernels.lines_text(state)
    if game.seats - len(state.gone) == 2:
        low, high, lines, nodes = kernel.exact(
            text, kernels.WITHOUT_BUDGET, memory, True, whole=whole, outward=outward, poll=poll, progress=progress
        )
        return Solution(low, high, None, tuple(game.lines[line] for line in lines), nodes)
    if (game.all_lines & ~state.drawn).bit_count() > MOST_SHARED:
        raise Unsolvable("too_large_to_solve", most=MOST_SHARED)
    coins, lines, nodes = kernel.shares(text, poll=poll)
    return Solution(0, 0, tuple(coins), tuple(game.lines[line] for line in lines), nodes)
