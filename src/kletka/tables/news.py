"""News between processes: which table has which version now, told over Redis.

It only makes things quicker: every process also looks into the store again and again, so that a lost Redis (or Valkey)
costs a moment and nothing else. Moves that everybody may know are told whole, so that nobody need read them; under a
sign that only those can make who know the database's address, and could write there as well.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from functools import partial

import msgspec
from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.exceptions import RedisError

from kletka.tables.hall import Hall, Room
from kletka.tables.model import Event, Moved
from kletka.tables.store import Unavailable

_CHANNEL = "kletka"
_AGAIN = 1.0
"""Seconds between attempts to reach it."""
_PAUSE = 0.02
"""Seconds after telling in which news are gathered, to be told together: telling costs more than what is told."""
_MOST = 4096
"""News that may wait to be told; the oldest are dropped, and found by looking."""
_DIGITS = 10
"""Of a version: whatever else stands there is no news of ours."""

_SIGN = 64
"""Letters of a sign."""

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode


def check_address(address: str) -> None:
    """Raises ValueError for what is no address of a Redis."""
    parse_url(address)


class News:
    """Tells what a hall has stored, and lets it hear of what others have."""

    def __init__(self, hall: Hall, address: str, secret: bytes = b"") -> None:
        """`address` is Redis' own (`redis://host:6379/0`), `secret` what all processes know and Redis doesn't; without
        one moves are told by their versions only. Raises ValueError for what is no address."""
        self._hall = hall
        self._secret = secret
        self._redis = Redis.from_url(
            address, decode_responses=True, encoding_errors="replace", socket_connect_timeout=2
        )
        self._waiting: asyncio.Queue[str] = asyncio.Queue(_MOST)
        hall.told = self.tell

    def tell(self, room: Room, event: Event) -> None:
        """Let other processes know; waits for nobody."""
        if self._waiting.full():
            self._waiting.get_nowait()
        news = f"{room.id} {event.version}"
        known = not room.table.game.hidden and not room.table.sealed
        if self._secret and known and isinstance(event.body, Moved):
            told = _encode(event).decode()
            news = f"{news} {self._sign(room.id, told)} {told}"
        self._waiting.put_nowait(news)

    def _sign(self, table_id: str, told: str) -> str:
        return hmac.digest(self._secret, f"{table_id} {told}".encode(), "sha256").hex()

    def _told(self, table_id: str, told: str) -> Event | None:
        """The event, where whoever told it knew the secret, and is no newer Kletka whose events aren't known here."""
        sign, event = told[:_SIGN], told[_SIGN + 1 :]
        if not self._secret or not hmac.compare_digest(sign.encode(), self._sign(table_id, event).encode()):
            return None
        try:
            return _decode(event)
        except msgspec.DecodeError:
            return None

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
                await self._redis.publish(_CHANNEL, "\n".join(told))
                await asyncio.sleep(_PAUSE)
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
                        await asyncio.gather(*map(self._heard, str(message["data"]).split("\n")))
            except (RedisError, OSError, Unavailable):
                if not lost:
                    _log.warning("no news come in: what others store is seen a little later")
                lost = True
                await asyncio.sleep(_AGAIN)

    async def _heard(self, text: str) -> None:
        table_id, version, told = (*text.split(" ", 2), "", "")[:3]
        if version.isascii() and version.isdigit() and len(version) <= _DIGITS:
            await self._hall.hear(table_id, int(version), partial(self._told, table_id, told))
