"""The processes that serve one port: whichever is asked says what all of them count.

Each listens at a socket of its own in a folder that is theirs alone, and says there what it counts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

_PATIENCE = 1.0
"""Seconds after which a process that says nothing is left out."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Siblings:
    """This process is the one with this `number`, from 0, of `count`; their sockets are in the folder."""

    folder: Path
    count: int
    number: int

    async def tell(self, counted: Callable[[], bytes]) -> None:
        """Say what is counted here to whoever asks, until cancelled; `counted` is called in a thread."""

        async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await asyncio.to_thread(counted))
            writer.close()

        place = self.folder / str(self.number)
        # The process that had this number before may have died.
        place.unlink(missing_ok=True)
        try:
            server = await asyncio.start_unix_server(one, place)
        except OSError:
            _log.warning("other processes can't ask this one what it counts")
            return
        async with server:
            await server.serve_forever()

    async def ask(self) -> dict[str, str]:
        """What each of the others counts, by its number; one that doesn't say is left out."""
        numbers = [number for number in range(self.count) if number != self.number]
        said = await asyncio.gather(*map(self._ask, numbers))
        return {str(number): text for number, text in zip(numbers, said, strict=True) if text}

    async def _ask(self, number: int) -> str:
        try:
            async with asyncio.timeout(_PATIENCE):
                reader, writer = await asyncio.open_unix_connection(self.folder / str(number))
                try:
                    said = (await reader.read()).decode()
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return ""
        # One that died meanwhile may have broken off within a line.
        return said if said.endswith("\n") else ""


class _Together(Collector):
    def __init__(self, counted: Mapping[str, str]) -> None:
        self._counted = counted

    def collect(self) -> Iterator[Metric]:
        found: dict[str, Metric] = {}
        for process, text in sorted(self._counted.items()):
            for one in text_string_to_metric_families(text):
                into = found.setdefault(one.name, Metric(one.name, one.documentation, one.type))
                into.samples += [s._replace(labels={"process": process} | s.labels) for s in one.samples]
        yield from found.values()


def together(counted: Mapping[str, str]) -> bytes:
    """What several processes count, by their numbers, as one text, where the label `process` tells them apart."""
    return generate_latest(_Together(counted))
