"""Hours of play at full speed by simulated people on bad lines; see `make soak`.

    python -m benchmarks.soak [HOURS] [SEED]

So many tables at once, of every family, are opened, played to an end (or resigned, or left) and replaced. Lines break,
stop reading for a while and send what was answered once more; spectators come and go; some play against engines; pages
and exports of finished games are fetched. Every half minute the server's memory, queues and objects are noted.
Afterwards every log is played again and compared with what its players saw.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import httpx
import psutil

from benchmarks.load import serve
from benchmarks.machine import write
from kletka.games import Outcome, State, game
from kletka.tables import Hall, Moved, Store
from tests.ports import free_port
from tests.scale.players import Player, meanwhile

AT_ONCE = 120
"""Tables that are played at the same time."""
EVERY = 30.0
"""Seconds between looks at the server."""
PATIENCE = 120.0
"""Seconds after which something that should have come won't: a failure."""
SPECS = (
    "tictactoe",
    "tictactoe",
    "tictactoe:shape=4x4x4",
    "tictactoe:marks=wild",
    "ultimate",
    "dots:size=3x3",
    "dots:lattice=triangles,size=4",
    "orapa:players=2",
    "orapa:mode=duel",
    "crystals:board=11x11",
)
ENGINES = 4
"""Of the tables at once, those at which somebody plays against an engine."""
_GAUGES = {
    "tables": "kletka_tables_in_memory",
    "sockets": "kletka_sockets",
    "queue": "kletka_store_queue",
    "turns": "kletka_engine_turns_waiting",
}


@dataclass
class Played:
    """A table as its players saw it."""

    table: str
    moves: list[tuple[int, str]]
    outcome: Outcome | None


@dataclass
class Town:
    """All who play: where, and what has come of it."""

    url: str
    rng: Random
    until: float
    http: httpx.AsyncClient
    played: list[Played] = field(default_factory=list)
    engines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def open(self) -> bool:
        """Whether new tables are opened."""
        return time.monotonic() < self.until

    async def asked(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A request, made again where the line breaks or the server has no time. Every person has a cookie jar, so
        none is kept here."""
        for _ in range(50):
            with suppress(httpx.TransportError):
                answer = await self.http.request(method, path, **options)
                self.http.cookies.clear()
                if answer.status_code < 429:
                    return answer
            self.counts["requests again"] += 1
            await asyncio.sleep(0.5)
        raise TimeoutError(path)


async def _open(town: Town, form: Mapping[str, str], people: int) -> tuple[str, list[str]]:
    """A table with so many people: its id and their tokens."""
    tokens: list[str] = []
    path = ""
    for number in range(people):
        answer = await town.asked("POST", f"{path}/seat" if number else "/en/tables", data={} if number else form)
        path = path or answer.headers["location"]
        cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
        page = (await town.asked("GET", path, headers=cookie)).text
        found = re.search('data-token="([^"]*)"', page)
        assert found is not None, page
        tokens.append(found[1])
    return path.rpartition("/")[2], tokens


def _player(town: Town, table: str, token: str, seat: int) -> Player:
    return Player([town.url], table, token, seat, 0, PATIENCE)


def _on_bad_lines(town: Town, people: Sequence[Player]) -> AbstractAsyncContextManager[None]:
    """Everybody's line is open, more or less."""
    return meanwhile([*(one.live() for one in people), *(one.bad_line(town.rng) for one in people)])


async def _told(player: Player, do: str, **more: Any) -> int:
    """Say something that must be carried out: gives the version."""
    async with asyncio.timeout(PATIENCE):
        answer = await player.say(do, **more)
    version: int | None = answer.get("applied", answer.get("duplicate"))
    assert version is not None, (do, more, answer)
    await player.reach(version)
    return version


async def _agree(town: Town, players: Sequence[Player], offers: int, what: str) -> bool:
    """Somebody offers something, and the others accept or decline; whether they agreed."""
    others = [player for player in players if player.seat != offers]
    version = await _told(players[offers], "offer", what=what)
    agreed = town.rng.random() < 0.5
    for other in others if agreed else others[:1]:
        await other.reach(version)
        await _told(other, "accept" if agreed else "decline", offer=version)
    town.counts[f"{what} {'agreed' if agreed else 'declined'}"] += 1
    return agreed


async def _game(town: Town, players: Sequence[Player], start: State) -> Played:
    """Play a game to its end, or until somebody resigns, all agree to stop, or all walk away."""
    rng, state, table = town.rng, start, players[0].table
    moves: list[tuple[int, str]] = []
    stops = {rng.randrange(1, 300): what for what in ("leave", "resign", "end", "end") if rng.random() < 0.15}
    while (seat := state.to_move) is not None:
        player, stop = players[seat], stops.get(len(moves))
        if stop == "leave":
            town.counts["left"] += 1
            return Played(table, moves, None)
        if stop == "resign":
            await _told(player, "resign")
            town.counts["resigned"] += 1
            return Played(table, moves, state.without(seat).outcome)
        if stop == "end" and await _agree(town, players, seat, "end"):
            return Played(table, moves, state.agreed())
        move = state.sample(rng)
        assert await player.turn()
        base = player.base
        await _told(player, "move", base=base, move=move)
        if rng.random() < 0.05:
            async with asyncio.timeout(PATIENCE):
                again = await player.say("move", again=[*player.acknowledged][-1], base=base, move=move)
            assert "duplicate" in again, again
            town.counts["sent twice"] += 1
        moves.append((seat, move))
        state = state.play(move)
        town.counts["moves"] += 1
    for player in players:
        await player.end()
    return Played(table, moves, state.outcome)


async def _people(town: Town) -> None:
    """One table of people, from opening to the end."""
    spec = town.rng.choice(SPECS)
    made = game(spec)
    setup = made.deal(town.rng)
    table, tokens = await _open(town, {"spec": spec, "with": "friend", "code": setup or ""}, made.seats)
    players = [_player(town, table, token, seat) for seat, token in enumerate(tokens)]
    watching = [_player(town, table, "", len(tokens)) for _ in range(town.rng.choice((0, 0, 1, 3)))]
    async with _on_bad_lines(town, [*players, *watching]):
        played = await _game(town, players, made.start(setup))
        town.played.append(played)
        if played.outcome and town.rng.random() < 0.1:
            await _agree(town, players, 0, "rematch")
    town.counts["games"] += 1
    if town.rng.random() < 0.1:
        for rest in ("", "/events?since=0", "/record", "/picture.svg"):
            answer = await town.asked("GET", f"/fr/t/{table}{rest}")
            assert answer.status_code in (200, 409), (rest, answer.text)
            town.counts["pages"] += 1


async def _with_engine(town: Town) -> None:
    """Somebody tries squares against an engine."""
    table, (token,) = await _open(town, {"spec": "tictactoe", "with": "engine", "level": "2"}, 1)
    player = _player(town, table, token, 0)
    squares = list(game("tictactoe").start().moves())
    town.rng.shuffle(squares)
    async with _on_bad_lines(town, [player]):
        for square in squares:
            if not await player.turn():
                break
            async with asyncio.timeout(PATIENCE):
                answer = await player.say("move", base=player.base, move=square)
            await player.reach(answer.get("applied", answer.get("duplicate", 0)))
        await player.end()
    town.engines.append(table)
    town.counts["games with an engine"] += 1


async def _again(town: Town, life: Callable[[Town], Awaitable[None]]) -> None:
    while town.open:
        await life(town)


def _metrics(text: str) -> dict[str, float]:
    found = dict(re.findall(r"^(\w+) ([0-9.e+-]+)$", text, re.MULTILINE))
    return {name: float(found[metric]) for name, metric in _GAUGES.items() if metric in found}


async def _look(town: Town, process: psutil.Process, began: float) -> dict[str, Any]:
    memory = process.memory_full_info().uss
    seen = _metrics((await town.asked("GET", "/metrics")).text)
    counts = {name: town.counts[name] for name in ("games", "moves")}
    look = {"at_s": round(time.monotonic() - began), "uss_mb": round(memory / 1e6, 1), "fds": process.num_fds()}
    return look | {"threads": process.num_threads()} | seen | counts


async def soak(url: str, process: psutil.Process, seconds: float, seed: int) -> tuple[Town, list[dict[str, Any]]]:
    """Play for so many seconds; gives what was played, and what was seen of the server."""
    began = time.monotonic()
    limits = httpx.Limits(max_connections=20, max_keepalive_connections=20)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=30) as http:
        town = Town(url, Random(seed), began + seconds, http)
        lives = [asyncio.create_task(_again(town, _people)) for _ in range(AT_ONCE - ENGINES)]
        lives += [asyncio.create_task(_again(town, _with_engine)) for _ in range(ENGINES)]
        looks = [await _look(town, process, began)]
        while not all(life.done() for life in lives):
            await asyncio.wait(lives, timeout=EVERY)
            looks.append(await _look(town, process, began))
            print(json.dumps(looks[-1]), flush=True)
            for life in lives:
                if life.done() and (error := life.exception()) is not None:
                    raise error
        for _ in range(40):
            # Lines that were broken off are noticed after a while.
            looks.append(await _look(town, process, began))
            if looks[-1]["sockets"] == 0:
                break
            await asyncio.sleep(1)
        print(json.dumps(looks[-1]), flush=True)
    return town, looks


def compare(folder: Path, town: Town) -> int:
    """Play every log again: it has the moves that its players made, and ends as they saw it. Gives how many events."""
    store, events = Store(folder), 0

    async def replayed(table: str) -> Any:
        room = await Hall(store).room(table)
        assert room is not None
        return room

    try:
        for played in town.played:
            room = asyncio.run(replayed(played.table))
            moved = [(event.body.seat, event.body.move) for event in room.log if isinstance(event.body, Moved)]
            assert moved == played.moves, played.table
            assert room.table.outcome == played.outcome, played.table
            events += len(room.log)
        for table in town.engines:
            room = asyncio.run(replayed(table))
            assert room.table.outcome is not None, table
            events += len(room.log)
    finally:
        store.close()
    return events


def main() -> None:
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    folder = Path(tempfile.mkdtemp(prefix="soak"))
    port = free_port()
    server = serve(port, folder)
    try:
        process = psutil.Process(server.pid)
        town, looks = asyncio.run(soak(f"http://127.0.0.1:{port}", process, hours * 3600, seed))
        server.terminate()
        server.wait(30)
        events = compare(folder, town)
        size = sum(path.stat().st_size for path in folder.glob("tables.sqlite*"))
    finally:
        server.kill()
        shutil.rmtree(folder)
    busy = [look for look in looks if look["at_s"] <= hours * 3600]
    quarters = [busy[len(busy) * part // 4 : len(busy) * (part + 1) // 4] for part in range(4)]
    values = {
        "hours": hours,
        "seed": seed,
        "tables_at_once": AT_ONCE,
        "specs": sorted(set(SPECS)),
        "counts": dict(sorted(town.counts.items())),
        "events_compared": events,
        "store_mb": round(size / 1e6, 1),
        "uss_mb_of_quarters": [median(look["uss_mb"] for look in quarter) for quarter in quarters if quarter],
        "queue_most": max(look["queue"] for look in busy),
        "last": looks[-1],
        "looks": looks,
    }
    write("soak", values)
    print(json.dumps({name: value for name, value in values.items() if name != "looks"}, indent=1))


if __name__ == "__main__":
    main()
