"""The kernel's alpha-beta of tic-tac-toe behind the engine protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from kletka.engines import answers, kernels
from kletka.engines.base import Choice, Limit, Progress, Stop
from kletka.games import State
from kletka.games.tictactoe import Claims, Marks, Signs

_WIN = 30_000
_PROVEN = _WIN - 1_000
_EVEN_CHANCE = 100
"""The estimate, in the kernel's units, at which half of the way to a sure win is made."""


@dataclass(frozen=True)
class Sight:
    """How far alpha-beta sees: `depth` in plies, at most `width` moves in a position, `threats` more plies of
    forcing moves only; `noise` is the greatest error added to an estimate."""

    depth: int = 600
    width: int = 600
    threats: int = 40
    noise: int = 0


@dataclass(frozen=True)
class KernelAlphaBeta:
    """Alpha-beta with counts for every line and a search of forcing moves; `exact` only where proven.

    It never overlooks a line that it can complete or must stop, however few the nodes. Where lines must be claimed
    it claims at once, and otherwise plays as if its line won by itself, never `exact` then.
    """

    sight: Sight = Sight()

    name = "kernel-alphabeta"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The best move found. Raises ValueError for other games and where the game is over."""
        state = _running(view)
        past_lines = isinstance(state, Claims)
        if past_lines and (claim := state.moves()[-1]) not in state.game.index:
            return Choice(claim, 1.0, (claim,), 1, True)
        sight = self.sight
        kernel = kernels.shared(state.game) if isinstance(state, Signs) else kernels.tictactoe(state.game)
        answer = kernel.alphabeta(
            kernels.cells_text(state),
            answers.nodes(limit),
            rng.getrandbits(64),
            depth=sight.depth,
            width=sight.width,
            threats=sight.threats,
            noise=sight.noise,
            poll=answers.poll(limit, stop),
            progress=answers.telling(state, _share, progress),
            **({"past_lines": True} if past_lines else {}),
        )
        choice = answers.choice(state, answer, _share)
        return replace(choice, exact=False) if past_lines else choice


def _running(view: State) -> Marks | Signs:
    beyond = isinstance(view, Signs) and view.game.cells > kernels.SHARED_CELLS
    if beyond or not isinstance(view, (Marks, Signs)):
        raise ValueError(f"no kernel for {view.game.spec}")
    if view.to_move is None:
        raise ValueError("the game is over")
    return view


def _share(score: int) -> float:
    if abs(score) >= _PROVEN:
        return 1.0 if score > 0 else 0.0
    return 0.5 + 0.5 * score / (_EVEN_CHANCE + abs(score))
