"""What a server needs: memory of sockets and of finished tables, people beside engines, and a second process.

    python -m benchmarks.capacity [PART ...]

The parts are memory, finished, engines, processes; all of them together write docs/results/capacity.md and the table of
docs/operations.md anew (which takes moves a second from what benchmarks.load has found).

Each part has servers of its own. Clients, servers and databases are processes of one machine and share its cores, so
what counts are the ratios; runs that are compared take turns. Moves begin at fixed times (an open loop). Every move is
durable before its answer: SQLite with `synchronous=FULL`, PostgreSQL as it comes.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import psutil
from websockets.asyncio.client import connect
from websockets.typing import Origin

from benchmarks.load import ORDER, Measured, Player, beat, play, share
from benchmarks.load import SPEC as SMALL
from benchmarks.machine import RESULTS, write
from kletka.games import game
from kletka.tables import Hall, Store, Take, token_hash
from kletka.tables.store import FILE
from tests.conftest import ROOT
from tests.ports import free_port
from tests.postgres import Postgres
from tests.redis import Redis
from tests.scale.players import meanwhile, messages

RATE = 200.0
"""Moves a second that people make at TABLES."""
TABLES = 100
SECONDS = 10.0
WARM = 4
SOCKETS = (0, 500, 1000, 2000)
GAMES = 2000
THOUGHTFUL = ("tictactoe:shape=4x4x4", "dots", "ultimate", "crystals")
"""What engines play against themselves, at ENGINES tables of level 8."""
ENGINES = 40
REPEATS = 2
KINDS = (
    *("kletka.tables.hall.Room", "kletka.tables.table.Table", "kletka.tables.model.Event"),
    *("kletka.server.live.Line", "kletka.server.live.Broadcast"),
    *("kletka.server.present.Shown", "kletka.server.present.Step"),
)
"""Of what there is nothing left."""

_SERVER = """
import collections, gc, signal, socket, sys
from pathlib import Path
from kletka.server import Rates, Serving, run
port, folder, database, news = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]

def count(*_):
    gc.collect()
    kinds = collections.Counter(map(type, gc.get_objects()))
    found = collections.Counter()
    for kind, number in kinds.items():
        found[f"{kind.__module__}.{kind.__qualname__}"] += number
    lines = [f"{count} {name}" for name, count in found.most_common()]
    (folder / "counting").write_text(chr(10).join(lines))
    (folder / "counting").rename(folder / "counted")

signal.signal(signal.SIGUSR1, count)
listening = socket.socket()
listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listening.bind(("127.0.0.1", port))
many = 10**6
where = database or folder
run(listening, Serving(where, rates=Rates(many, many, many, many), log="json", news=news or None, engines=1))
"""


_BROWSER = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7,fr;q=0.6",
    "Cache-Control": "no-cache",
    "Pragma": "no-cache",
    "Cookie": f"kletka={'x' * 32}; kletka_sign=x",
}
"""What a browser sends with a socket: the server may keep it."""


class Server:
    """A serving process with doors wide open; what it logs is in its folder."""

    def __init__(self, folder: Path, database: str = "", news: str = "") -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-c", _SERVER, str(port), str(folder), database, news]
        with (folder / "log.jsonl").open("wb") as log:
            self._process = subprocess.Popen(command, stderr=log)
        self.process = psutil.Process(self._process.pid)
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("the server does not answer")

    def stop(self) -> None:
        """Stop it politely."""
        self._process.terminate()
        self._process.wait(30)

    def objects(self) -> Counter[str]:
        """How many objects of each type its collector follows, after a collection."""
        found = self.folder / "counted"
        found.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        end = time.monotonic() + 20
        while not found.exists():
            if time.monotonic() > end:
                raise RuntimeError("the server does not count")
            time.sleep(0.02)
        lines = (line.partition(" ") for line in found.read_text().splitlines())
        return Counter({name: int(count) for count, _, name in lines})

    def memory(self) -> int:
        """Bytes that are its alone, after a collection."""
        self.objects()
        return int(self.process.memory_full_info().uss)

    def cpu(self) -> float:
        """Seconds of computing so far, without worker processes."""
        times = self.process.cpu_times()
        return float(times.user + times.system)


@contextmanager
def served(folder: Path, database: str = "", news: str = "") -> Iterator[Server]:
    """A fresh server, stopped at the end."""
    server = Server(folder, database, news)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    made = Path(tempfile.mkdtemp(prefix="kletka-capacity-"))
    try:
        yield made
    finally:
        shutil.rmtree(made)


def opened(where: Path | str, specs: Sequence[str], level: int = 0) -> list[str]:
    """Tables with people on all seats, whose tokens are `seat0` and `seat1`, or with engines of a level; their ids."""

    async def one(hall: Hall, spec: str) -> str:
        made = game(spec)
        table = await hall.open(made, dict.fromkeys(range(made.seats), level) if level else None)
        room = await hall.room(table)
        assert room is not None
        for seat in range(0 if level else made.seats):
            await hall.command(room, Take(token_hash(f"seat{seat}"), f"Player {seat}", seat), None, f"take{seat}")
        return table

    async def work(store: Store) -> list[str]:
        hall, found = Hall(store), []
        for first in range(0, len(specs), 50):
            found += await asyncio.gather(*(one(hall, spec) for spec in specs[first : first + 50]))
        return found

    with closing(Store(where)) as store:
        return asyncio.run(work(store))


async def sit(url: str, table: str, token: str | None, since: int) -> Player:
    """A socket that has said hello, and heard that it is in step."""
    line = await connect(
        f"{url.replace('http', 'ws')}/t/{table}/socket",
        compression=None,
        ping_interval=None,
        origin=Origin(url),
        user_agent_header=_BROWSER["User-Agent"],
        additional_headers={name: value for name, value in _BROWSER.items() if name != "User-Agent"},
    )
    hello = {"do": "hello", "since": since, "lang": "en"} | ({"token": token} if token else {})
    await line.send(json.dumps(hello))
    while not any("here" in message for message in messages(await line.recv())):
        pass
    return Player(line)


@asynccontextmanager
async def paired(tables: Sequence[tuple[str, str, str]]) -> AsyncIterator[list[tuple[Player, Player]]]:
    """Both players of tables (id, and the server of each), who listen and ping as pages do."""
    pairs: list[tuple[Player, Player]] = []
    for table, first, second in tables:
        pairs.append((await sit(first, table, "seat0", 2), await sit(second, table, "seat1", 2)))
    ears = [player.listen() for pair in pairs for player in pair]
    try:
        async with meanwhile([*ears, *map(beat, pairs)]):
            yield pairs
    finally:
        await asyncio.gather(*(player.socket.close() for pair in pairs for player in pair))


async def people(tables: Sequence[tuple[str, str, str]], processes: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """RATE moves a second at tables; latencies, and microseconds of CPU a move by name of those who spent it.

    The first WARM tables play a whole game before anything is counted: a process that has just started draws and says
    everything for the first time.
    """
    async with paired(tables) as everybody:
        warm, pairs = everybody[:WARM], everybody[WARM:]
        now = time.perf_counter()
        await asyncio.gather(*(play(pair, now, 0.05, now + 60, Measured(0)) for pair in warm))
        await asyncio.sleep(1)
        every = len(pairs) / RATE
        begin = time.perf_counter() + 0.2
        used = {name: sum(one.cpu() for one in those) for name, those in processes.items()}
        measured = Measured(RATE)
        until = begin + min(SECONDS, every * len(ORDER))
        moves = (play(pair, begin + every * n / len(pairs), every, until, measured) for n, pair in enumerate(pairs))
        await asyncio.gather(*moves)
        spent = {name: sum(one.cpu() for one in those) - used[name] for name, those in processes.items()}
    count = len(measured.answered)
    return {
        "moves": count,
        "answer_p50_ms": share(measured.answered, 0.5),
        "answer_p99_ms": share(measured.answered, 0.99),
        "seen_p50_ms": share(measured.seen, 0.5),
        "seen_p99_ms": share(measured.seen, 0.99),
        "begun_late": measured.late,
        "cpu_us_a_move": {name: round(1e6 * seconds / count) for name, seconds in spent.items()},
    }


# Memory of idle sockets


async def _idle(server: Server, places: Sequence[tuple[str, str | None]], since: int) -> list[int]:
    """Bytes of the server with so many of SOCKETS open."""
    players: list[Player] = []
    found = []
    for count in SOCKETS:
        for first in range(len(players), count, 50):
            sat = (sit(server.url, table, token, since) for table, token in places[first : min(first + 50, count)])
            players += await asyncio.gather(*sat)
        for player in players:
            await player.socket.send('{"do":"ping"}')
        await asyncio.sleep(1)
        found.append(await asyncio.to_thread(server.memory))
    used, began = server.cpu(), time.monotonic()
    ears = [asyncio.create_task(beat([player])) for player in players]
    await asyncio.sleep(5)
    spent = (server.cpu() - used) / (time.monotonic() - began)
    for ear in ears:
        ear.cancel()
    found.append(round(1e6 * spent / len(players)))
    for first in range(0, len(players), 100):
        await asyncio.gather(*(player.socket.close() for player in players[first : first + 100]))
    return found


def memory() -> dict[str, Any]:
    """Sockets that only ping: two at each table, and all at one."""
    found: dict[str, Any] = {"sockets": SOCKETS}
    for name, count, players in (("pairs", SOCKETS[-1] // 2, True), ("spectators", 1, False)):
        with folder() as data:
            tables = opened(data, [SMALL] * count)
            with served(data) as server:
                httpx.get(f"{server.url}/en/t/{tables[0]}")
                places: list[tuple[str, str | None]] = (
                    [(table, token) for table in tables for token in ("seat0", "seat1")]
                    if players
                    else [(tables[0], None)] * SOCKETS[-1]
                )
                *used, cpu = asyncio.run(_idle(server, places, 2))
        found[name] = {
            "memory": used,
            "bytes_a_socket": round((used[-1] - used[0]) / SOCKETS[-1]),
            "cpu_us_a_second_of_a_socket": cpu,
        }
    return found


# Finished tables


async def _games(url: str, tables: Sequence[str]) -> None:
    """Two people at each table see its page, play a move, and leave when one has resigned; ten tables at a time."""
    waiting = list(tables)

    async def some(http: httpx.AsyncClient) -> None:
        while waiting:
            table = waiting.pop()
            first, second = [await sit(url, table, f"seat{seat}", 2) for seat in range(2)]
            await http.get(f"/en/t/{table}")
            for do in ('{"do":"move","id":"1","base":0,"move":"a1"}', '{"do":"resign","id":"2"}'):
                await first.socket.send(do)
            for line in (first.socket, second.socket):
                while not any(message.get("over") for message in messages(await line.recv())):
                    pass
                await line.close()

    async with httpx.AsyncClient(base_url=url) as http:
        await asyncio.gather(*(some(http) for _ in range(10)))


def finished() -> dict[str, Any]:
    """A server after some games whose people have left, after GAMES more, and after as many again."""
    rounds: list[dict[str, Any]] = []
    with folder() as data:
        tables = opened(data, [SMALL] * (500 + 2 * GAMES))
        with served(data) as server:
            for first, end in ((0, 500), (500, 500 + GAMES), (500 + GAMES, 500 + 2 * GAMES)):
                asyncio.run(_games(server.url, tables[first:end]))
                time.sleep(1)
                objects = server.objects()
                kinds = {kind: objects[kind] for kind in KINDS}
                used = int(server.process.memory_full_info().uss)
                rounds.append({"games": end - first, "memory": used, "objects": objects.total(), "kinds": kinds})
    return {"rounds": rounds, "bytes_a_game": round((rounds[-1]["memory"] - rounds[-2]["memory"]) / GAMES)}


# People beside engines


def _rows(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def engines() -> dict[str, Any]:
    """People's moves without engines, and while engines of level 8 think at many tables without a pause."""
    runs: list[dict[str, Any]] = []
    sizes = []
    thought: dict[str, list[float]] = {}
    for number in range(2 * REPEATS):
        with folder() as data:
            tables = opened(data, [SMALL] * (WARM + TABLES))
            if number % 2:
                opened(data, [THOUGHTFUL[n % len(THOUGHTFUL)] for n in range(ENGINES)], level=8)
            before = (data / FILE).stat().st_size
            with served(data) as server:
                places = [(table, server.url, server.url) for table in tables]
                run = asyncio.run(people(places, {"server": [server]}))
            if not number % 2:
                sizes.append((((data / FILE).stat().st_size) - before) / run["moves"])
            turns = [row for row in _rows(data / "log.jsonl") if row["event"] == "engine"]
            for turn in turns:
                thought.setdefault(turn["family"], []).append(turn["ms"])
            served_tables = len({turn["table"] for turn in turns})
        runs.append({"engines": bool(number % 2), "turns": len(turns), "tables_served": served_tables} | run)
        print(json.dumps(runs[-1]), flush=True)
    p99 = {name: median(run["answer_p99_ms"] for run in runs if run["engines"] is name) for name in (False, True)}
    return {
        "rate": RATE,
        "tables": TABLES,
        "engine_tables": ENGINES,
        "runs": runs,
        "p99_ratio": round(p99[True] / p99[False], 2),
        "bytes_a_move": round(median(sizes)),
        "level_8_ms": {
            family: {"turns": len(ms), "median": median(ms), "longest": max(ms)} for family, ms in thought.items()
        },
    }


# A second process


class _Tree:
    """A program of the system with all its processes."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)

    def cpu(self) -> float:
        """Seconds of computing so far."""
        times = [one.cpu_times() for one in (self._process, *self._process.children(recursive=True))]
        return sum(one.user + one.system for one in times) + times[0].children_user + times[0].children_system


def processes() -> dict[str, Any]:
    """The same moves through one process and through two, with half of the tables between the two."""
    runs: list[dict[str, Any]] = []
    postgres = Postgres()
    try:
        with folder() as data:
            redis = Redis(data)
            for number in range(2 * REPEATS):
                runs.append(_through(1 + number % 2, data / str(number), postgres, redis))
                print(json.dumps(runs[-1]), flush=True)
            redis.stop()
    finally:
        postgres.close()
    spent = {
        count: median(run["cpu_us_a_move"]["server"] for run in runs if run["processes"] == count) for count in (1, 2)
    }
    return {"rate": RATE, "tables": TABLES, "runs": runs, "cpu_ratio": round(spent[2] / spent[1], 2)}


def _through(count: int, data: Path, postgres: Postgres, redis: Redis) -> dict[str, Any]:
    data.mkdir()
    database = postgres.database()
    tables = opened(database, [SMALL] * (WARM + TABLES))
    servers = [Server(data / str(number), database, redis.address) for number in range(count)]
    try:
        urls = [server.url for server in servers]
        places = [(table, urls[n % count], urls[(n + n // 2) % count]) for n, table in enumerate(tables)]
        apart = sum(first != second for _, first, second in places[WARM:])
        master = int((postgres.folder / "postmaster.pid").read_text().split()[0])
        assert redis.pid is not None
        spenders: dict[str, Sequence[Any]] = {
            "server": servers,
            "PostgreSQL": [_Tree(master)],
            "Redis": [_Tree(redis.pid)],
        }
        return {"processes": count, "tables_apart": apart} | asyncio.run(people(places, spenders))
    finally:
        for server in servers:
            server.stop()


# The report

_REPORT = """# What a server needs

{machine_line}

## Sockets that are idle

Each sent what a browser sends, said hello, and pings every 2.5 s. Memory is the server's alone (USS), after a
collection.

| sockets | two at each table, MB | all at one table, MB |
| --- | --- | --- |
{sockets}
| bytes a socket | {pairs:,} | {spectators:,} |

A socket of the first column carries half a table. The aim was at most 30,000. An idle socket's pings take {ping} µs
of CPU a second.

## Finished games

Two people at each table see its page, play, and leave when one has resigned. The first games fill what is kept for
all (pictures, sentences, at most 256 tables that nobody watches); what is left of the others is the difference of
the last two lines.

| games | memory, MB | objects that the collector follows | tables, sockets, steps and pictures among them |
| --- | --- | --- | --- |
{finished}

## People beside engines

{rate} moves a second at {tables} tables, one server process, SQLite; in every other run engines of level 8 play
each other at {engine_tables} more tables without a pause, one at once.

| engines | answer p50, ms | answer p99, ms | seen p99, ms | engines' turns | tables they served |
| --- | --- | --- | --- | --- | --- |
{engines}

The ratio of the median p99 is {p99_ratio}. Turns of engines among them, in ms:

| family | turns | median | longest |
| --- | --- | --- | --- |
{levels}

## A second process

The same moves over PostgreSQL and Redis, through one process and through two. With two, the players of half of the
tables are on different ones.

| processes | tables apart | answer p50, ms | seen p99, ms | server, µs a move | PostgreSQL, µs | Redis, µs |
| --- | --- | --- | --- | --- | --- | --- |
{processes}

Two spend {cpu_ratio} times the server CPU a move of one; the aim was 1.2. What load two carry where four cores are
free can't be measured on {cores} cores that also carry clients and the database.

With SQLite a move of {spec} takes {bytes_a_move} bytes of the database.

Command `{command}`, commit {commit}, {machine}; data in
[benchmarks/results/capacity.json](../../benchmarks/results/capacity.json). No randomness but that of engines, whose
seeds follow from their tables. Other work may share the machine: what runs side by side in one table took turns.
"""
_MARKS = ("<!-- sizing: python -m benchmarks.capacity -->\n", "<!-- end of sizing -->\n")


def _row(*cells: object) -> str:
    return f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in cells)} |"


def _mega(count: int) -> str:
    return f"{count / 1e6:.1f}"


def report() -> None:
    """Write what was found where people read it."""
    found = json.loads((RESULTS / "capacity.json").read_text("utf-8"))
    memory, finished, engines, processes = (found[name] for name in PARTS)
    pairs, spectators = memory["pairs"], memory["spectators"]
    level8 = engines["level_8_ms"]
    text = _REPORT.format(
        machine_line="Clients, servers and databases are processes of one machine and share its cores.",
        sockets="\n".join(
            _row(count, _mega(one), _mega(other))
            for count, one, other in zip(memory["sockets"], pairs["memory"], spectators["memory"], strict=True)
        ),
        pairs=pairs["bytes_a_socket"],
        spectators=spectators["bytes_a_socket"],
        ping=pairs["cpu_us_a_second_of_a_socket"],
        finished="\n".join(
            _row(one["games"], _mega(one["memory"]), one["objects"], sum(one["kinds"].values()))
            for one in finished["rounds"]
        ),
        rate=round(engines["rate"]),
        tables=engines["tables"],
        engine_tables=engines["engine_tables"],
        engines="\n".join(
            _row(
                "at all times" if run["engines"] else "none",
                *(run[name] for name in ("answer_p50_ms", "answer_p99_ms", "seen_p99_ms", "turns", "tables_served")),
            )
            for run in engines["runs"]
        ),
        p99_ratio=engines["p99_ratio"],
        levels="\n".join(
            _row(family, one["turns"], round(one["median"]), round(one["longest"])) for family, one in level8.items()
        ),
        processes="\n".join(
            _row(
                *(run[name] for name in ("processes", "tables_apart", "answer_p50_ms", "seen_p99_ms")),
                *run["cpu_us_a_move"].values(),
            )
            for run in processes["runs"]
        ),
        cpu_ratio=processes["cpu_ratio"],
        cores=psutil.cpu_count(),
        spec=f"`{SMALL}`",
        bytes_a_move=engines["bytes_a_move"],
        **{name: found[name] for name in ("command", "commit", "machine")},
    )
    (ROOT / "docs" / "results" / "capacity.md").write_text(text, "utf-8")
    place = ROOT / "docs" / "operations.md"
    before, _, rest = place.read_text("utf-8").partition(_MARKS[0])
    after = rest.partition(_MARKS[1])[2]
    place.write_text(before + _MARKS[0] + _sizing(found) + _MARKS[1] + after, "utf-8")


def _sizing(found: dict[str, Any]) -> str:
    runs = json.loads((RESULTS / "load.json").read_text("utf-8"))["runs"]
    quick = max(run["moves_a_second"] for run in runs if run["answer_p99_ms"] < 50)
    spent = {
        count: round(
            median(run["cpu_us_a_move"]["server"] for run in found["processes"]["runs"] if run["processes"] == count)
        )
        for count in (1, 2)
    }
    memory, engines = found["memory"], found["engines"]
    medians = [one["median"] for one in engines["level_8_ms"].values()]
    longest = max(one["longest"] for one in engines["level_8_ms"].values())
    rows = (
        ("moves a second of one process, SQLite, p99 under 50 ms", round(quick)),
        ("moves a second saturated, one process, SQLite", round(max(run["moves_a_second"] for run in runs))),
        (
            f"server CPU a move at {round(engines['rate'])} a second, PostgreSQL, one process and two",
            f"{spent[1]:,} and {spent[2]:,} µs",
        ),
        (
            "memory of a process, and of an idle socket",
            f"{memory['pairs']['memory'][0] / 1e6:.0f} MB, {memory['pairs']['bytes_a_socket'] / 1000:.0f} kB",
        ),
        ("memory that a finished game leaves", f"{found['finished']['bytes_a_game']} bytes"),
        ("database bytes a move", engines["bytes_a_move"]),
        (
            "an engine's move, level 8: medians of the families, and the longest",
            f"{min(medians) / 1000:.2f} to {max(medians) / 1000:.2f} s, {longest / 1000:.1f} s",
        ),
    )
    return "\n".join(("| | measured |", "| --- | --- |", *(_row(*row) for row in rows))) + "\n"


PARTS = {"memory": memory, "finished": finished, "engines": engines, "processes": processes}


def main() -> None:
    asked = sys.argv[1:] or list(PARTS)
    found = {}
    for name in asked:
        found[name] = PARTS[name]()
        print(name, json.dumps(found[name]), flush=True)
    if len(found) == len(PARTS):
        write("capacity", found)
        report()


if __name__ == "__main__":
    main()
