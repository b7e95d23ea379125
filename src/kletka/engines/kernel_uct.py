"""The kernels' UCT behind the engine protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from kletka.engines import answers, kernels
from kletka.engines.base import Choice, Limit, Progress, Stop
from kletka.games import State


@dataclass(frozen=True)
class KernelUct:
    """UCT by random play-outs, with proven wins, losses and draws; for every family that has a kernel.

    `keen` play-outs take and prevent what a move brings at once, where the family's kernel knows how (ultimate).
    With a `tree` (`kernels.new_tree`) what was learnt below the position is kept from search to search, and the
    choice depends on these searches too; without one it depends on position, nodes and random numbers alone.
    """

    exploration: float = 0.7
    keen: bool = False
    tree: kernels.SearchTree | None = field(default=None, compare=False)

    name = "kernel-uct"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The most visited move. Raises ValueError for games without a kernel and where the game is over."""
        if view.to_move is None:
            raise ValueError("the game is over")
        position = kernels.text_of(view)
        beyond = {name: value for name, value in (("keen", self.keen), ("tree", self.tree)) if value}
        answer = kernels.kernel_of(view.game).uct(
            position,
            answers.nodes(limit),
            rng.getrandbits(64),
            exploration=self.exploration,
            poll=answers.poll(limit, stop),
            progress=answers.telling(view, _thousandths, progress),
            **beyond,
        )
        return answers.choice(view, answer, _thousandths)


KEEN = KernelUct(exploration=0.4, keen=True)
"""With the play-outs and the exploration that serve Ultimate best."""


def _thousandths(score: int) -> float:
    return score / 1000
