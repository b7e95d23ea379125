"""The clerk: acts for the server where a table is due, which means that an engine is to move or to answer an offer, or
that somebody's time is up.

A due table is taken by one conditional UPDATE with a lease; the move (or answer) is computed in a worker process from
what the seat was told, and its command id `engine:<seat>:<base>` (`engine:<seat>:offer:<version>`) lets it be applied
once only.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from time import perf_counter
from zlib import crc32

from kletka.engines import Told, choose_move, would_agree
from kletka.games import KletkaError
from kletka.tables.hall import Hall, Room
from kletka.tables.model import Accept, Decline, Flag, Moved, Play, Resigned, TimedOut
from kletka.tables.store import Unavailable
from kletka.tables.workers import Workers

_LEASE = 15.0
"""Seconds; far above the longest thinking of a level. A process that dies leaves its tables to others after this."""

_FLAGS = 64
"""Tables whose time is up that are taken at once: that takes no computing."""

_LOOK = 1.0
"""Seconds between looks into the store for tables that other processes left."""

_log = logging.getLogger(__name__)


def heard(room: Room, seat: int) -> list[Told]:
    """Where the game began, if not at its start, and everything that stands since, as a seat heard it."""
    position = room.table.opening.position
    told: list[Told] = [("from", position)] if position else []
    for event in room.table.line:
        match event.body:
            case Moved() as moved:
                told.append(("told", moved.heard_by(seat)))
            case Resigned(gone) | TimedOut(gone):
                told.append(("left", gone))
    return told


class Clerk:
    """Leaves heart-beats and works through due tables until cancelled; at most `workers` engines think at once."""

    def __init__(
        self, hall: Hall, workers: int | None = None, executor: Callable[[int], Executor] | None = None
    ) -> None:
        self.hall = hall
        self.name = hall.store.process
        self.workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self._minds = Workers(self.workers, executor)
        self._jobs: set[asyncio.Task[None]] = set()
        self.works = False

    @property
    def thinking(self) -> int:
        """How many engines' turns are being served."""
        return len(self._jobs)

    async def run(self) -> None:
        """Look whenever an engine is called, and once a second."""
        self.works = True
        try:
            while True:
                self.hall.engine_called.clear()
                await self._beat()
                for table_id in await self._due(_FLAGS, deadlines=True):
                    await self._flag(table_id)
                room_for = self.workers - len(self._jobs)
                if room_for > 0:
                    for table_id in await self._due(room_for):
                        job = asyncio.create_task(self._serve(table_id))
                        self._jobs.add(job)
                        job.add_done_callback(self._finished)
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK):
                        await self.hall.engine_called.wait()
        finally:
            self.works = False
            for job in self._jobs:
                job.cancel()
            with suppress(Unavailable):
                self.hall.store.release(self.name)
            await self._minds.close()

    async def _beat(self) -> None:
        try:
            await self.hall.beat()
        except Unavailable:
            _log.warning("the store could not be told that this process lives")

    async def _due(self, most: int, *, deadlines: bool = False) -> list[str]:
        until = self.hall.store.now() + _LEASE
        try:
            due = await asyncio.to_thread(self.hall.store.lease_due, self.name, until, most, deadlines=deadlines)
        except Unavailable:
            _log.warning("the store could not be asked for tables that are due")
            return []
        return [table_id for table_id, _ in due]

    def _finished(self, job: asyncio.Task[None]) -> None:
        self._jobs.discard(job)
        self.hall.engine_called.set()
        if not job.cancelled() and (error := job.exception()):
            _log.error("an engine's turn failed", exc_info=error)

    async def _flag(self, table_id: str) -> None:
        try:
            room = await self.hall.room(table_id)
            if room is not None:
                base = room.table.base
                await self.hall.command(room, Flag(base), None, f"flag:{base}")
        except (Unavailable, KletkaError):
            _log.warning("a table whose time is up could not be served")

    async def _serve(self, table_id: str) -> None:
        room = await self.hall.room(table_id)
        if room is None:
            return
        table = room.table
        if (asked := table.engine_asked) is not None:
            agrees = await self._minds.run(would_agree, table.game.spec, heard(room, asked), asked)
            answer = Accept(table.offer) if agrees else Decline(table.offer)
            await self.hall.command(room, answer, asked, f"engine:{asked}:offer:{table.offer}")
            return
        seat, level = table.to_move, table.engine_to_move
        if seat is None or level is None or not table.engine_due:
            return
        # What an engine hides must not follow from what everybody knows.
        seed = secrets.randbits(32) if table.game.hidden else crc32(f"{table_id}:{table.base}".encode())
        began = perf_counter()
        move = await self._minds.run(choose_move, table.game.spec, heard(room, seat), level, seed, seat)
        self.hall.observer.thought(room, level, perf_counter() - began)
        await self.hall.command(room, Play(table.base, move), seat, f"engine:{seat}:{table.base}")
