"""Games of simulated people, and what must be true of every log afterwards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from kletka.tables import Hall, Store
from tests.scale.players import Player, meanwhile

WIDE = "tictactoe:shape=15x15,line=5"


@asynccontextmanager
async def connected(
    urls: Sequence[str], tables: Sequence[tuple[str, Sequence[str]]], *, twice: bool = False
) -> AsyncIterator[list[list[Player]]]:
    """The players of tables, the seats of each on different processes; `twice`: each seat is on both."""
    players = [
        [
            Player(urls, table, token, seat, seat + other)
            for other in range(1 + twice)
            for seat, token in enumerate(tokens)
        ]
        for table, tokens in tables
    ]
    async with meanwhile(player.live() for group in players for player in group):
        yield players


async def in_step(players: Sequence[Sequence[Player]]) -> None:
    """Within ten seconds everybody at a table sees the same version. Raises TimeoutError."""
    for group in players:
        newest = max(max(player.version, *player.acknowledged.values(), 0) for player in group)
        async with asyncio.timeout(10):
            for player in group:
                await player.reach(newest)


def checked(where: Path | str, players: Sequence[Sequence[Player]]) -> None:
    """Nothing that was acknowledged is lost or there twice; every log plays and leads to what all have seen."""
    store = Store(where)
    try:
        for group in players:
            log = store.load(group[0].table)
            assert [event.version for event in log] == list(range(len(log)))
            ids = Counter((event.seat, event.command_id) for event in log if event.command_id)
            assert not [one for one, count in ids.items() if count > 1]
            at = {event.command_id: event.version for event in log}
            for player in group:
                assert {one: at.get(one) for one in player.acknowledged} == player.acknowledged
                assert player.version == log[-1].version
            row = store.row(group[0].table)
            assert row is not None
            assert row["version"] == log[-1].version

            async def replayed(table: str = group[0].table) -> int:
                room = await Hall(store).room(table)
                assert room is not None
                return room.table.version

            assert asyncio.run(replayed()) == log[-1].version
    finally:
        store.close()


def cells(seed: str) -> list[str]:
    """The cells of WIDE in some order."""
    named = [f"{column}{row}" for column in "abcdefghijklmno" for row in range(1, 16)]
    Random(seed).shuffle(named)
    return named


async def play(group: Sequence[Player], moves: int) -> None:
    """A table's players move in turn until so many moves are made."""
    free = cells(group[0].table)

    async def one(player: Player) -> None:
        while len(free) > 225 - moves and await player.turn():
            answer = await player.say("move", base=player.base, move=free.pop())
            await player.reach(player.acknowledged.get(answer["id"], 0))

    await asyncio.gather(*map(one, group))
