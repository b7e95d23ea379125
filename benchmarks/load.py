"""Load: 500 tables with two sockets each; every move is durable (FULL) before its answer.

    python -m benchmarks.load [MOVES_A_SECOND ...]

Server and clients are processes of one machine and share its cores. Moves begin at fixed times (an open loop), so
that a slow server can't slow its own load down. Latency is from sending a move to its answer; `seen` is from sending
to the other player's event.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import httpx
import psutil
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.machine import write
from tests.ports import free_port
from tests.scale.players import messages

TABLES = 500
SPEC = "tictactoe:shape=5x5,line=5"
_ROWS = ("xxoox", "ooxxo", "xxoox", "ooxxo", "xxoox")
_CELLS = [
    (sign, f"{column}{row}") for row, signs in enumerate(_ROWS, 1) for column, sign in zip("abcde", signs, strict=True)
]
_CROSSES, _NOUGHTS = ([cell for sign, cell in _CELLS if sign == mine] for mine in "xo")
ORDER = [cell for pair in zip_longest(_CROSSES, _NOUGHTS) for cell in pair if cell]
"""A whole game: the full board of _ROWS, which holds no line."""
RATES = (500, 1000, 1500, 2000, 2500, 3000, 4000)
SECONDS = 8.0

_SERVER = """
import socket, sys
from pathlib import Path
from kletka.server import Rates, Serving, run
port, folder = int(sys.argv[1]), Path(sys.argv[2])
listening = socket.socket()
listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listening.bind(("127.0.0.1", port))
many = 10**6
run(listening, Serving(folder, rates=Rates(many, many, many, many), log="json"))
"""


@dataclass
class Player:
    """One side of a table: its socket and what it waits for."""

    socket: ClientConnection
    answers: dict[str, asyncio.Future[int]] = field(default_factory=dict)
    seen: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    base: int = 0

    async def sees(self, version: int) -> float:
        """When the event of a version came in."""
        while version not in self.seen:
            self.news.clear()
            await self.news.wait()
        return self.seen[version]

    async def listen(self) -> None:
        """Take in events and answers."""
        async for message in (message async for frame in self.socket for message in messages(frame)):
            if "v" in message:
                self.base = message["base"]
                self.seen[message["v"]] = time.perf_counter()
                self.news.set()
            elif "id" in message and (waiting := self.answers.pop(message["id"], None)):
                if "applied" in message:
                    waiting.set_result(message["applied"])
                else:
                    waiting.set_exception(RuntimeError(message))


async def open_tables(url: str) -> tuple[list[tuple[Player, Player]], list[asyncio.Task[None]]]:
    """Open the tables over HTTP and connect both players of each; gives them with the tasks that keep them going."""
    made: list[tuple[Player, Player]] = []
    ears: list[asyncio.Task[None]] = []

    async def one() -> None:
        players = []
        async with httpx.AsyncClient(base_url=url) as host, httpx.AsyncClient(base_url=url) as friend:
            answer = await host.post("/en/tables", data={"spec": SPEC, "with": "friend"})
            path = answer.headers["location"]
            await friend.post(f"{path}/seat", data={})
            for person in (host, friend):
                page = (await person.get(path)).text
                token = page.split('data-token="')[1].split('"')[0]
                version = int(page.split('data-version="')[1].split('"')[0])
                line = await connect(
                    url.replace("http", "ws") + f"{path[3:]}/socket", compression=None, ping_interval=None
                )
                await line.send(json.dumps({"do": "hello", "since": version, "lang": "en", "token": token}))
                players.append(Player(line))
        made.append((players[0], players[1]))
        ears.extend([*(asyncio.create_task(player.listen()) for player in players), asyncio.create_task(beat(players))])

    for first in range(0, TABLES, 10):
        await asyncio.gather(*(one() for _ in range(first, min(first + 10, TABLES))))
    return made, ears


async def beat(players: Sequence[Player]) -> None:
    """Ping as the page does, each player every 2.5 s."""
    while True:
        for player in players:
            await player.socket.send('{"do":"ping"}')
            await asyncio.sleep(2.5 / len(players))


@dataclass
class Measured:
    """Latencies in seconds of a run at one rate."""

    rate: float
    answered: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    late: int = 0
    began: float = 0.0
    ended: float = 0.0


async def play(pair: tuple[Player, Player], first: float, every: float, until: float, measured: Measured) -> None:
    """Play a table's moves at their times."""
    ply = 0
    at = first
    while at < until and ply < len(ORDER):
        await asyncio.sleep(max(0.0, at - time.perf_counter()))
        mover, other = pair[ply % 2], pair[1 - ply % 2]
        sent = time.perf_counter()
        measured.late += sent > at + 0.05
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        name = f"{ply}"
        mover.answers[name] = done
        message = {"do": "move", "id": name, "base": mover.base, "move": ORDER[ply]}
        await mover.socket.send(json.dumps(message))
        version = await done
        now = time.perf_counter()
        measured.answered.append(now - sent)
        measured.seen.append(await other.sees(version) - sent)
        measured.ended = max(measured.ended, now)
        ply += 1
        at += every


def share(values: Sequence[float], part: float) -> float:
    """A quantile in milliseconds."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)


async def at_rate(url: str, rate: float, process: psutil.Process) -> dict[str, Any]:
    """One run on fresh tables."""
    pairs, ears = await open_tables(url)
    await asyncio.sleep(0.5)
    every = TABLES / rate
    begin = time.perf_counter() + 0.2
    used = process.cpu_times()
    print("playing", file=sys.stderr, flush=True)
    measured = Measured(rate, began=begin)
    until = begin + min(SECONDS, every * len(ORDER))
    await asyncio.gather(
        *(play(pair, begin + every * n / TABLES, every, until, measured) for n, pair in enumerate(pairs))
    )
    after = process.cpu_times()
    memory = process.memory_info().rss
    for ear in ears:
        ear.cancel()
    await asyncio.gather(*(player.socket.close() for pair in pairs for player in pair))
    count = len(measured.answered)
    seconds = measured.ended - begin
    return {
        "asked_moves_a_second": rate,
        "moves_a_second": round(count / seconds, 1),
        "moves": count,
        "answer_p50_ms": share(measured.answered, 0.5),
        "answer_p99_ms": share(measured.answered, 0.99),
        "answer_max_ms": share(measured.answered, 1),
        "seen_p50_ms": share(measured.seen, 0.5),
        "seen_p99_ms": share(measured.seen, 0.99),
        "begun_late": measured.late,
        "server_cpu_us_a_move": round(1e6 * (after.user + after.system - used.user - used.system) / count),
        "server_memory_mb": round(memory / 1e6, 1),
    }


def serve(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """The server in a process of its own, with doors wide open; what it logs goes to a file, as it would."""
    folder.mkdir(exist_ok=True)
    with (folder / "log.jsonl").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-c", _SERVER, str(port), str(folder)], stderr=log)
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.05)
    raise RuntimeError("the server does not answer")


def main() -> None:
    rates = [float(rate) for rate in sys.argv[1:]] or RATES
    runs = []
    for rate in rates:
        folder = Path(tempfile.mkdtemp())
        port = free_port()
        server = serve(port, folder)
        try:
            run = asyncio.run(at_rate(f"http://127.0.0.1:{port}", rate, psutil.Process(server.pid)))
        finally:
            server.terminate()
            server.wait(20)
            shutil.rmtree(folder)
        print(json.dumps(run))
        runs.append(run)
    write("load", {"tables": TABLES, "sockets": 2 * TABLES, "spec": SPEC, "synchronous": "FULL", "runs": runs})


if __name__ == "__main__":
    main()
