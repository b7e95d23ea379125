"""The thinker: one worker, the same question once, a bounded queue, and a worker that may die."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from kletka.engines import think
from kletka.games import KletkaError
from kletka.server.thinking import MOST_OF_ONE, Thinker
from kletka.server.turns import Busy
from kletka.tables import Workers


class Slow:
    """Work that waits until it may go on, and counts how often it was begun."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.goes_on = threading.Event()

    def work(self, number: int) -> int:
        self.begun.append(number)
        assert self.goes_on.wait(20)
        return number * number


def test_questions_wait_in_a_bounded_queue_and_the_same_is_asked_once() -> None:
    async def run() -> None:
        slow = Slow()
        work = slow.work
        thinker = Thinker(waiting=2, executor=ThreadPoolExecutor)
        first = [asyncio.create_task(thinker.ask("me", work, 3)) for _ in range(5)]
        second = asyncio.create_task(thinker.ask("me", work, 4))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await thinker.ask("me", work, 5)
        # Somebody goes away: the others still get their answer.
        first[0].cancel()
        slow.goes_on.set()
        assert await asyncio.gather(*first[1:], second) == [9, 9, 9, 9, 16]
        assert await thinker.ask("me", work, 3) == 9
        assert await thinker.ask("me", work, 5) == 25
        assert slow.begun == [3, 4, 5]
        await thinker.close()

    asyncio.run(run())


def test_only_so_many_answers_are_kept_those_asked_last() -> None:
    async def run() -> None:
        slow = Slow()
        work = slow.work
        slow.goes_on.set()
        thinker = Thinker(kept=2, executor=ThreadPoolExecutor)
        for number in (1, 2, 1, 3, 1, 2):
            await thinker.ask("me", work, number)
        assert slow.begun == [1, 2, 3, 2]
        await thinker.close()

    asyncio.run(run())


def test_one_address_leaves_room_for_others() -> None:
    async def run() -> None:
        slow = Slow()
        work = slow.work
        thinker = Thinker(executor=ThreadPoolExecutor)
        mine = [asyncio.create_task(thinker.ask("me", work, number)) for number in range(MOST_OF_ONE)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await thinker.ask("me", work, 100)
        theirs = asyncio.create_task(thinker.ask("them", work, 100))
        slow.goes_on.set()
        assert await asyncio.gather(*mine, theirs) == [*(number * number for number in range(MOST_OF_ONE)), 10_000]
        assert await thinker.ask("me", work, 101) == 10_201
        await thinker.close()

    asyncio.run(run())


def test_addresses_are_answered_by_turns_and_tables_first() -> None:
    async def run() -> None:
        slow = Slow()
        work = slow.work
        thinker = Thinker(executor=ThreadPoolExecutor)
        mine = [asyncio.create_task(thinker.ask("me", work, number)) for number in range(4)]
        theirs = asyncio.create_task(thinker.ask("them", work, 100))
        table = asyncio.create_task(thinker.ask("table", work, 200, first=True))
        await asyncio.sleep(0)
        slow.goes_on.set()
        await asyncio.gather(*mine, theirs, table)
        assert slow.begun == [0, 200, 100, 1, 2, 3]
        await thinker.close()

    asyncio.run(run())


def test_what_went_wrong_is_told_and_not_kept() -> None:
    async def run() -> None:
        thinker = Thinker(executor=ThreadPoolExecutor)
        with pytest.raises(KletkaError):
            await thinker.ask("me", think, "tictactoe", "nonsense", 1, 3)
        found = await thinker.ask("me", think, "tictactoe", "xx./oo./...", 1, 3)
        assert (found.lines[0].move, found.lines[0].exact) == ("c3", True)
        await thinker.close()

    asyncio.run(run())


def test_a_worker_that_dies_is_replaced() -> None:
    async def run() -> None:
        workers = Workers(1)
        os.kill(await workers.run(os.getpid), signal.SIGKILL)
        assert await workers.run(abs, -3) == 3
        with pytest.raises(RuntimeError):
            await workers.run(os._exit, 1)
        assert await workers.run(abs, -4) == 4
        await workers.close()

    asyncio.run(run())


def test_a_worker_stands_back_for_whoever_serves_people() -> None:
    async def run() -> int:
        workers = Workers(1)
        try:
            return await workers.run(os.nice, 0)
        finally:
            await workers.close()

    assert asyncio.run(run()) == min(19, os.nice(0) + 5)
