"""Several serving processes on one port: started, replaced where one dies, stopped together.

uvicorn's own supervisor makes servers of its own kind; ours also tell their watchers that they stop.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import socket
import time
from collections.abc import Callable
from multiprocessing.context import SpawnProcess
from types import FrameType

_SOON = 10.0
"""A process that ends within so many seconds of its start has failed to start."""
_FAILURES = 3
"""Failed starts in a row after which nothing is tried any more."""
_LOOK = 0.5

_log = logging.getLogger(__name__)


class Supervisor:
    """Keeps `count` processes running that call `serve` (which can be pickled) with the listening socket and their
    number, from 0; whichever takes another's place has its number."""

    def __init__(self, count: int, serve: Callable[[socket.socket, int], None], listening: socket.socket) -> None:
        self._count, self._serve, self._listening = count, serve, listening
        self._context = multiprocessing.get_context("spawn")
        self._running: list[tuple[SpawnProcess, float]] = []
        self._stopping = False
        self._failures = 0

    def run(self) -> bool:
        """Serve until interrupted; false where processes only ever die at once."""
        before = {sign: signal.signal(sign, self._stop) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._running = [self._start(number) for number in range(self._count)]
            while not self._stopping:
                multiprocessing.connection.wait([process.sentinel for process, _ in self._running], _LOOK)
                self._running = [self._kept(number, *one) for number, one in enumerate(self._running)]
        finally:
            for process, _ in self._running:
                process.terminate()
            for process, _ in self._running:
                process.join()
            for sign, handler in before.items():
                signal.signal(sign, handler)
        return self._failures < _FAILURES

    def _stop(self, sign: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _start(self, number: int) -> tuple[SpawnProcess, float]:
        process = self._context.Process(target=self._serve, args=(self._listening, number))
        process.start()
        return process, time.monotonic()

    def _kept(self, number: int, process: SpawnProcess, began: float) -> tuple[SpawnProcess, float]:
        """A process that runs, or the one that takes its place."""
        if process.is_alive() or self._stopping:
            return process, began
        self._failures = self._failures + 1 if time.monotonic() - began < _SOON else 0
        _log.warning("a serving process has ended (%s)", process.exitcode)
        if self._failures >= _FAILURES:
            self._stopping = True
            return process, began
        return self._start(number)
