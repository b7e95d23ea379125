"""Whose turn it is to be computed for: so many at once, addresses by turns, and whoever is one too many is refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

THREADS = 2
"""Boards that are computed at once, one of an address."""
MOST_BOARDS = 64
"""Requests for boards that may be there and not answered yet; for those of tables as many again."""
MOST_BOARDS_OF_ONE = 32
"""Of these, those that may come from one address: it can be a whole school."""

T = TypeVar("T")
Line = tuple[bool, str]
"""Where one waits: whether for a table, and the address."""


class Busy(Exception):
    """Too many wait to be computed for."""


@dataclass(frozen=True)
class _Waiting:
    line: Line
    round: int
    turn: asyncio.Future[None]


class Turns:
    """Lets things be done, `at_once` of them, one of an address at a time: what tables need first, then one of each
    address after the other, however many of them it asks for.

    At most `most` things wait or are being done, and `of_one` of one address; tables' things are counted by themselves.
    """

    def __init__(self, at_once: int, most: int, of_one: int) -> None:
        self.at_once, self.most, self.of_one = at_once, most, of_one
        self._waiting: list[_Waiting] = []
        self._done_for: set[Line] = set()
        self._held: Counter[Line] = Counter()
        self._round = 0
        self._last: dict[Line, int] = {}

    def begin(self, asker: str, work: Callable[[], Awaitable[T]], first: bool = False) -> asyncio.Task[T]:
        """Does `work` for an address as soon as it is its turn; `first` where a table waits for it. Raises Busy."""
        line = (first, asker)
        there = sum(held for (kind, _), held in self._held.items() if kind is first)
        if there >= self.most or self._held[line] >= self.of_one:
            raise Busy
        self._held[line] += 1
        # Each thing of an address belongs to a later round; who comes anew begins in the round that is on.
        self._last[line] = max(self._round, self._last.get(line, 0) + 1)
        waiting = _Waiting(line, self._last[line], asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        task = asyncio.create_task(self._in_turn(waiting.turn, work))
        task.add_done_callback(partial(self._over, waiting))
        self._call()
        return task

    async def _in_turn(self, turn: asyncio.Future[None], work: Callable[[], Awaitable[T]]) -> T:
        await turn
        return await work()

    def _call(self) -> None:
        """Whoever may begin now does."""
        while len(self._done_for) < self.at_once:
            ready = [waiting for waiting in self._waiting if waiting.line not in self._done_for]
            if not ready:
                return
            called = min(ready, key=lambda waiting: (not waiting.line[0], waiting.round))
            self._waiting.remove(called)
            self._done_for.add(called.line)
            if called.round > self._round:
                self._round = called.round
                self._last = {line: last for line, last in self._last.items() if last >= self._round}
            called.turn.set_result(None)

    def _over(self, waiting: _Waiting, _: asyncio.Task[T]) -> None:
        line = waiting.line
        if waiting in self._waiting:
            self._waiting.remove(waiting)
        else:
            self._done_for.discard(line)
        self._held[line] -= 1
        if not self._held[line]:
            del self._held[line]
        if not self._held:
            self._last.clear()
        self._call()


class Desk:
    """Computes boards for pages in threads of its own, so that the tables' store and sockets never wait for them."""

    def __init__(self, most: int = MOST_BOARDS, of_one: int = MOST_BOARDS_OF_ONE) -> None:
        self._turns = Turns(THREADS, most, of_one)
        self._threads = ThreadPoolExecutor(THREADS, "desk")

    async def compute(self, asker: str, work: Callable[[], T], first: bool = False) -> T:
        """What `work` says, for an address; `first` where it is of a table. Raises Busy and what `work` raises."""

        async def computed() -> T:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

        # Whoever asked may go away: the thread is taken until the work is done.
        return await asyncio.shield(self._turns.begin(asker, computed, first))

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
