"""Where pages ask for the engines' opinion: one worker process of its own, so that the engines that play never wait."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from functools import partial
from typing import Any, TypeVar

from kletka.tables import Workers

MOST_WAITING = 16
"""Questions that may be asked and not answered yet."""
MOST_OF_ONE = 6
"""Of these, those that may come from one address."""
KEPT = 1024
"""Answers that are kept."""

T = TypeVar("T")


class Busy(Exception):
    """Too many questions wait for an answer."""


class Thinker:
    """Answers questions one after another; the same question is thought about once.

    The worker starts with the first question and ends with `close`.
    """

    def __init__(
        self, waiting: int = MOST_WAITING, kept: int = KEPT, executor: Callable[[int], Executor] | None = None
    ) -> None:
        self.waiting, self.kept = waiting, kept
        self._workers = Workers(1, executor)
        self._asked: dict[Hashable, asyncio.Task[Any]] = {}
        self._waiting: Counter[str] = Counter()
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    async def ask(self, asker: str, work: Callable[..., T], *question: str | int) -> T:
        """What `work` says to a question from an address. Raises Busy, what `work` raises, and RuntimeError where
        workers die."""
        key = (work, question)
        if key in self._answers:
            self._answers.move_to_end(key)
            known: T = self._answers[key]
            return known
        asked = self._asked.get(key)
        if asked is None:
            if len(self._asked) >= self.waiting or self._waiting[asker] >= MOST_OF_ONE:
                raise Busy
            self._waiting[asker] += 1
            asked = self._asked[key] = asyncio.create_task(self._workers.run(work, *question))
            asked.add_done_callback(partial(self._answered, key, asker))
        # Whoever asked may go away: others may have asked the same.
        answer: T = await asyncio.shield(asked)
        return answer

    def _answered(self, key: Hashable, asker: str, asked: asyncio.Task[Any]) -> None:
        del self._asked[key]
        self._waiting[asker] -= 1
        if not self._waiting[asker]:
            del self._waiting[asker]
        if asked.cancelled() or asked.exception() is not None:
            return
        self._answers[key] = asked.result()
        while len(self._answers) > self.kept:
            self._answers.popitem(last=False)

    async def close(self) -> None:
        """Answer nothing more, and end the worker."""
        for asked in self._asked.values():
            asked.cancel()
        await self._workers.close()
