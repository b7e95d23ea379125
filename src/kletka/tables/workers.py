"""Worker processes: started when they are first needed, and again should they die."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import ParamSpec, TypeVar

_NICE = 5
"""By how much a worker stands back: beside a process that serves without a pause it still gets a quarter of a core."""

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """So many processes that compute for an event loop; everything comes and goes as plain text and numbers."""

    def __init__(self, count: int, executor: Callable[[int], Executor] | None = None) -> None:
        self.count = count
        self._make = executor or _processes
        self._executor: Executor | None = None

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a worker computes; raises what it raises, and RuntimeError where workers keep dying."""
        for _ in range(2):
            if self._executor is None:
                self._executor = self._make(self.count)
            executor = self._executor
            try:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(executor, partial(work, *args, **kwargs))
            except BrokenProcessPool:
                if self._executor is executor:
                    self._executor = None
        raise RuntimeError("worker processes keep dying")

    async def close(self) -> None:
        """Let go of what waits, and wait for what is being computed."""
        if self._executor is not None:
            await asyncio.to_thread(self._executor.shutdown, wait=True, cancel_futures=True)


def _processes(count: int) -> Executor:
    context = multiprocessing.get_context("spawn")
    if not hasattr(os, "nice"):
        return ProcessPoolExecutor(count, mp_context=context)
    # Where cores are few, whoever serves people goes first. (A function of ours would bring all that is imported here.)
    return ProcessPoolExecutor(count, mp_context=context, initializer=os.nice, initargs=(_NICE,))
