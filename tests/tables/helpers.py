"""Tables without sockets: a hall on a fresh store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from kletka.games import game
from kletka.tables import Applied, Hall, Play, Refused, Room, Take, token_hash
from tests.stores import open_store

T = TypeVar("T")


def in_hall(folder: Path, work: Callable[[Hall], Awaitable[T]]) -> T:
    """Run a coroutine on a hall whose store lies in the folder."""

    async def run() -> T:
        store = open_store(folder)
        try:
            return await work(Hall(store))
        finally:
            store.close()

    return asyncio.run(run())


def code(answer: object) -> str:
    """Why a command was refused."""
    assert isinstance(answer, Refused)
    return answer.reasons[0].code


async def seated(hall: Hall, spec: str, levels: dict[int, int] | None = None) -> Room:
    """A table whose free seats are all taken, by the tokens `seat0`, `seat1`, ..."""
    room = await hall.room(await hall.open(game(spec), levels))
    assert room is not None
    for seat in range(room.table.game.seats):
        if seat not in (levels or {}):
            answer = await hall.command(room, Take(token_hash(f"seat{seat}"), f"Player {seat}", seat), None, f"t{seat}")
            assert isinstance(answer, Applied)
    return room


async def play(hall: Hall, room: Room, move: str, command_id: str = "") -> object:
    """The seat to move plays."""
    seat = room.table.to_move
    return await hall.command(room, Play(room.table.base, move), seat, command_id or f"m{room.table.version}")


async def play_out(hall: Hall, room: Room, seed: int = 0) -> None:
    """Random moves to the end."""
    rng = Random(seed)
    while room.table.to_move is not None:
        assert isinstance(await play(hall, room, room.table.state.sample(rng)), Applied)
