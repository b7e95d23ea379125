"""What an engine is: who to ask for a move, within a limit, knowing only what its seat knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeVar

from kletka.games import Move, State


@dataclass(frozen=True)
class Limit:
    """How long to think: nodes (levels use these, so that a slow machine doesn't reorder them) or seconds."""

    nodes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Choice:
    """An engine's answer. `score` is the mover's expected share of the win, 0..1 (None: no opinion).

    `line` is the expected continuation, the move first; `nodes` counts positions visited; `exact` holds only
    where the score is proven.
    """

    move: Move
    score: float | None
    line: tuple[Move, ...]
    nodes: int
    exact: bool


Progress = Callable[[Choice], None]
"""Called from time to time with the best answer so far."""

Stop = Callable[[], bool]
"""Asked from time to time; true ends the search with the best answer so far."""


S = TypeVar("S")


def running(view: State, kind: type[S], named: str) -> S:
    """The view as a state of one kind of game. Raises ValueError where the game is over or of another kind."""
    if view.to_move is None:
        raise ValueError("the game is over")
    if not isinstance(view, kind):
        raise ValueError(f"no game of {named}: {view.game.spec}")
    return view


def check_open(view: State) -> None:
    """Raise ValueError where the rules alone can't be searched: the game is over, or seats know different things."""
    if view.to_move is None:
        raise ValueError("the game is over")
    if view.game.hidden:
        raise ValueError(f"seats of {view.game.spec} know different things")


class Engine(Protocol):
    """A way to choose moves. Engines hold no state between moves."""

    @property
    def name(self) -> str:
        """What the engine is called in tables and command lines."""

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The move to play in a view whose seat is to move. Raises ValueError where the game is over."""


@dataclass(frozen=True)
class Player:
    """An engine with its limit: all that choosing a move takes besides the view and random numbers."""

    engine: Engine
    limit: Limit

    def choose(self, view: State, rng: Random, *, stop: Stop | None = None, progress: Progress | None = None) -> Choice:
        """The engine's choice within the limit. Raises ValueError where the game is over."""
        return self.engine.choose(view, self.limit, rng, stop=stop, progress=progress)
