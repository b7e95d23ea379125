"""The engine that plays any legal move; it works for every game."""

from __future__ import annotations

from random import Random

from kletka.engines.base import Choice, Limit, Progress, Stop
from kletka.games import State


class RandomEngine:
    """Plays a move drawn by the game itself. Has no opinion and needs no nodes."""

    name = "random"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """A legal move. Raises ValueError where the game is over."""
        if view.to_move is None:
            raise ValueError("the game is over")
        move = view.sample(rng)
        return Choice(move, None, (move,), 0, False)
