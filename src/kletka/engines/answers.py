"""Between the engine protocol and the kernels' numbers."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from kletka.engines.base import Choice, Limit, Progress, Stop
from kletka.engines.kernels import Answer
from kletka.games import State

_WITHOUT_LIMIT = 1 << 62
DEFAULT_NODES = 100_000
"""Where a limit names neither nodes nor seconds."""


def nodes(limit: Limit) -> int:
    """A limit's nodes as kernels take them."""
    if limit.nodes is not None:
        return limit.nodes
    return _WITHOUT_LIMIT if limit.seconds is not None else DEFAULT_NODES


def poll(limit: Limit, stop: Stop | None) -> Callable[[], bool] | None:
    """What a kernel asks from time to time whether to end: the limit's seconds and `stop`."""
    if limit.seconds is None:
        return stop
    until = monotonic() + limit.seconds
    return lambda: monotonic() > until or (stop is not None and stop())


def choice(state: State, answer: Answer, share: Callable[[int], float]) -> Choice:
    """A kernel's answer as a choice; `share` turns its score into a share of the win."""
    move, score, line, visited, exact = answer
    actions = state.game.actions
    assert actions is not None
    return Choice(actions[move], share(score), tuple(actions[index] for index in line), visited, exact)


def telling(state: State, share: Callable[[int], float], progress: Progress | None) -> Callable[[Answer], Any] | None:
    """What a kernel calls with its answers so far."""
    if progress is None:
        return None
    return lambda answer: progress(choice(state, answer, share))
