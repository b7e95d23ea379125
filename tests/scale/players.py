"""Simulated people on lines that break: each plays for one seat, over whichever process answers, and sends a move again
under its id until an answer comes."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.server.site import new_address

_LOST = (ConnectionClosed, InvalidMessage, InvalidStatus, OSError, TimeoutError)
_IDS = itertools.count()


def messages(frame: str | bytes) -> list[dict[str, Any]]:
    """What a frame says: a message a line."""
    return [json.loads(text) for text in str(frame).split("\n")]


@asynccontextmanager
async def meanwhile(work: Iterable[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """All this goes on until the block ends."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class Player:
    """One seat's connection. `acknowledged` are the versions under which moves were applied, by command id; `stuck`
    is set with the first answer that something could not be stored. After `patience` seconds what should have come
    won't: TimeoutError."""

    urls: Sequence[str]
    table: str
    token: str
    seat: int
    at: int
    patience: float = 180.0
    address: str = field(default_factory=new_address)
    version: int = 0
    base: int = 0
    to_move: int | None = None
    over: bool = False
    acknowledged: dict[str, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    stuck: asyncio.Event = field(default_factory=asyncio.Event)
    _answers: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    _line: ClientConnection | None = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _ear: asyncio.Task[None] | None = None

    async def live(self) -> None:
        """Stay connected until cancelled: after a loss over the next process."""
        while True:
            try:
                await self._listen()
            except _LOST:
                self._lose()
                self.at += 1
                await asyncio.sleep(0.2)

    async def _listen(self) -> None:
        url = self.urls[self.at % len(self.urls)].replace("http", "ws")
        address = f"{url}/t/{self.table}/socket"
        # Everybody has an address of their own, as people do, so that no limit of one address is met.
        at = {"X-Forwarded-For": self.address}
        async with connect(
            address, additional_headers=at, compression=None, ping_interval=None, open_timeout=5
        ) as line:
            await line.send(json.dumps({"do": "hello", "since": self.version, "lang": "en", "token": self.token}))
            self._line = line
            async for frame in line:
                for message in messages(frame):
                    self._take(message)
        raise ConnectionResetError

    def _lose(self) -> None:
        self._line = None
        self._ready.clear()
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(ConnectionResetError())

    def _take(self, message: dict[str, Any]) -> None:
        if "v" in message:
            self.version, self.base, self.to_move = message["v"], message["base"], message["to"]
            self.over = self.over or bool(message.get("over"))
        if "here" in message:
            self.version = max(self.version, message["here"])
            self._ready.set()
        if (waiting := self._answers.pop(str(message.get("id")), None)) and not waiting.done():
            waiting.set_result(message)
        self._news.set()

    async def say(self, do: str, again: str = "", **more: Any) -> dict[str, Any]:
        """Send a command until it is answered, always under the same id (`again`: one that was answered already);
        gives the answer.

        What could not be stored is sent again: the answer says so, and nothing may have happened.
        """
        command_id = again or f"c{next(_IDS)}"
        while True:
            await self._ready.wait()
            answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
            self._answers[command_id] = answer
            try:
                assert self._line is not None
                await self._line.send(json.dumps({"do": do, "id": command_id, **more}))
                async with asyncio.timeout(20):
                    heard = await answer
            except (*_LOST, AssertionError):
                await asyncio.sleep(0.05)
                continue
            codes = [reason["code"] for reason in heard.get("refused", ())]
            if codes == ["unavailable"]:
                self.stuck.set()
            if codes in (["unavailable"], ["too_fast"]):
                await asyncio.sleep(0.1)
                continue
            version = heard.get("applied", heard.get("duplicate"))
            if version is not None:
                self.acknowledged[command_id] = version
            self.refused += codes
            return heard

    async def reach(self, version: int) -> None:
        """Wait until a version is seen here. Raises TimeoutError."""
        async with asyncio.timeout(self.patience):
            while self.version < version:
                await self._changed()

    async def turn(self) -> bool:
        """Wait until it is this seat's turn; false where the game is over. Raises TimeoutError."""
        async with asyncio.timeout(self.patience):
            while not self.over and self.to_move != self.seat:
                await self._changed()
        return not self.over

    async def end(self) -> None:
        """Wait until the game is over. Raises TimeoutError."""
        async with asyncio.timeout(self.patience):
            while not self.over:
                await self._changed()

    async def bad_line(self, rng: Random) -> None:
        """Until cancelled, break the line now and then, or read nothing for a while."""
        while True:
            await asyncio.sleep(rng.expovariate(1 / 10))
            if (line := self._line) is None:
                continue
            if rng.random() < 0.6:
                line.transport.abort()
            elif not line.transport.is_closing():
                line.transport.pause_reading()
                await asyncio.sleep(rng.uniform(0.2, 4))
                with suppress(RuntimeError):
                    line.transport.resume_reading()

    async def _changed(self) -> None:
        self._news.clear()
        await self._news.wait()
