"""News between processes: which table has which version now, told over Redis.

It only makes things quicker: every process also looks into the store again and again, so that a lost Redis (or Valkey)
costs a moment and nothing else.
"""

from __future__ import annotations

import asyncio
import logging

from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.exceptions import RedisError

from kletka.tables.hall import Hall
from kletka.tables.store import Unavailable

_CHANNEL = "kletka"
_AGAIN = 1.0
"""Seconds between attempts to reach it."""
_MOST = 4096
"""News that may wait to be told; the oldest are dropped, and found by looking."""
_DIGITS = 10
"""Of a version: whatever else stands there is no news of ours."""

_log = logging.getLogger(__name__)


def check_address(address: str) -> None:
    """Raises ValueError for what is no address of a Redis."""
    parse_url(address)


class News:
    """Tells what a hall has stored, and lets it hear of what others have."""

    def __init__(self, hall: Hall, address: str) -> None:
        """`address` is Redis' own (`redis://host:6379/0`). Raises ValueError for what is none."""
        self._hall = hall
        self._redis = Redis.from_url(address, decode_responses=True, socket_connect_timeout=2)
        self._waiting: asyncio.Queue[str] = asyncio.Queue(_MOST)
        hall.told = self.tell

    def tell(self, table_id: str, version: int) -> None:
        """Let other processes know; waits for nobody."""
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(f"{table_id} {version}")

    async def run(self) -> None:
        """Tell and hear until cancelled."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._tell_all())
                both.create_task(self._hear_all())
        finally:
            await self._redis.aclose()

    async def _tell_all(self) -> None:
        while True:
            first = await self._waiting.get()
            told = [first, *(self._waiting.get_nowait() for _ in range(self._waiting.qsize()))]
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for one in told:
                        pipeline.publish(_CHANNEL, one)
                    await pipeline.execute()
            except (RedisError, OSError):
                await asyncio.sleep(_AGAIN)

    async def _hear_all(self) -> None:
        lost = False
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(_CHANNEL)
                    if lost:
                        # What was told meanwhile.
                        await self._hall.refresh()
                        _log.warning("news come in again")
                    lost = False
                    async for message in channel.listen():
                        await self._heard(str(message["data"]))
            except (RedisError, OSError, Unavailable):
                if not lost:
                    _log.warning("no news come in: what others store is seen a little later")
                lost = True
                await asyncio.sleep(_AGAIN)

    async def _heard(self, text: str) -> None:
        table_id, _, version = text.partition(" ")
        if version.isascii() and version.isdigit() and len(version) <= _DIGITS:
            await self._hall.hear(table_id, int(version))
