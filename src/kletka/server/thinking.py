"""Where pages ask for the engines' opinion: one worker process of its own, so that the engines that play never wait."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from functools import partial
from typing import Any, TypeVar

from kletka.server.turns import Turns
from kletka.tables import Workers

MOST_WAITING = 16
"""Questions that may be asked and not answered yet; those of tables are counted by themselves."""
MOST_OF_ONE = 6
"""Of these, those that may come from one address."""
KEPT = 1024
"""Answers that are kept."""

T = TypeVar("T")


class Thinker:
    """Answers questions one after another, those of tables first; the same question is thought about once.

    The worker starts with the first question and ends with `close`.
    """

    def __init__(
        self, waiting: int = MOST_WAITING, kept: int = KEPT, executor: Callable[[int], Executor] | None = None
    ) -> None:
        self.kept = kept
        self._workers = Workers(1, executor)
        self._asked: dict[Hashable, asyncio.Task[Any]] = {}
        self._turns = Turns(1, waiting, MOST_OF_ONE)
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    async def ask(self, asker: str, work: Callable[..., T], *question: str | int, first: bool = False) -> T:
        """What `work` says to a question from an address; `first` where it is a table's. Raises Busy, what `work`
        raises, and RuntimeError where workers die."""
        key = (work, question)
        if key in self._answers:
            self._answers.move_to_end(key)
            known: T = self._answers[key]
            return known
        asked = self._asked.get(key)
        if asked is None:
            asked = self._turns.begin(asker, partial(self._workers.run, work, *question), first)
            self._asked[key] = asked
            asked.add_done_callback(partial(self._answered, key))
        # Whoever asked may go away: others may have asked the same.
        answer: T = await asyncio.shield(asked)
        return answer

    def _answered(self, key: Hashable, asked: asyncio.Task[Any]) -> None:
        del self._asked[key]
        if asked.cancelled() or asked.exception() is not None:
            return
        self._answers[key] = asked.result()
        while len(self._answers) > self.kept:
            self._answers.popitem(last=False)

    async def close(self) -> None:
        """Answer nothing more, and end the worker."""
        for asked in list(self._asked.values()):
            asked.cancel()
        await self._workers.close()
