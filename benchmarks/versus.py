"""The same load against boardgame.io's own server: 500 tables, two sockets each, a closed loop with think times.

    python -m benchmarks.versus [SECONDS]

The people are one Node process for both servers (benchmarks/boardgame/load.mjs), on the same cores as the server.
boardgame.io keeps moves in memory, or (FlatFile) writes them after it has told them; Kletka answers when a move is
durable (SQLite, FULL).
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.load import serve
from benchmarks.machine import write
from tests.conftest import ROOT
from tests.ports import free_port

TABLES = 500
SPEC = "tictactoe:shape=10x10,line=10"
THINK_MS = (0, 330, 1000)
SECONDS = 8.0
FOLDER = ROOT / "benchmarks" / "boardgame"
Tables = list[dict[str, Any]]


def kletka(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """Our server on its default store."""
    return serve(port, folder)


def other(store: str) -> Callable[[int, Path], subprocess.Popen[bytes]]:
    """boardgame.io's server with one of its stores."""

    def start(port: int, folder: Path) -> subprocess.Popen[bytes]:
        command = ["node", "server.cjs", str(port), store, str(folder)]
        process = subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert process.stdout is not None
        while b"ready" not in process.stdout.readline():
            if process.poll() is not None:
                raise RuntimeError("boardgame.io's server ended at once")
        return process

    return start


async def _ours(url: str) -> Tables:
    made: Tables = []

    async def one() -> None:
        async with httpx.AsyncClient(base_url=url) as host, httpx.AsyncClient(base_url=url) as friend:
            answer = await host.post("/en/tables", data={"spec": SPEC, "with": "friend"})
            path = answer.headers["location"]
            await friend.post(f"{path}/seat", data={})
            pages = [(await person.get(path)).text for person in (host, friend)]
            tokens = [page.split('data-token="')[1].split('"')[0] for page in pages]
            version = int(pages[1].split('data-version="')[1].split('"')[0])
            made.append({"id": path.rpartition("/")[2], "tokens": tokens, "version": version})

    for first in range(0, TABLES, 10):
        await asyncio.gather(*(one() for _ in range(first, min(first + 10, TABLES))))
    return made


def _theirs() -> Tables:
    """Its server opens a match for whoever asks first, and then nobody needs credentials."""
    return [{"id": f"match{number}", "tokens": [None, None]} for number in range(TABLES)]


SERVERS: dict[str, Callable[[int, Path], subprocess.Popen[bytes]]] = {
    "kletka": kletka,
    "boardgame.io in memory": other("memory"),
    "boardgame.io FlatFile": other("flatfile"),
}


def measure(name: str, think_ms: int, seconds: float) -> dict[str, Any]:
    """One run on a fresh server."""
    folder = Path(tempfile.mkdtemp())
    port = free_port()
    server = SERVERS[name](port, folder / "data")
    url = f"http://127.0.0.1:{port}"
    try:
        ours = name == "kletka"
        for _ in range(100):
            with suppress(httpx.TransportError):
                httpx.get(url)
                break
            time.sleep(0.1)
        tables = asyncio.run(_ours(url)) if ours else _theirs()
        (folder / "tables.json").write_text(json.dumps(tables))
        kind = "kletka" if ours else "boardgame"
        command = ["node", "load.mjs", kind, url, str(folder / "tables.json"), str(think_ms), str(seconds)]
        process = psutil.Process(server.pid)
        used = process.cpu_times()
        done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True, timeout=120)
        after = process.cpu_times()
        found: dict[str, Any] = json.loads(done.stdout)
        cpu = after.user + after.system - used.user - used.system
        return {
            "server": name,
            "think_ms": think_ms,
            **found,
            "cpu_s": round(cpu, 2),
            "memory": process.memory_info().rss,
        }
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    if not (FOLDER / "node_modules").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=FOLDER, check=True)
    runs = []
    for think_ms in THINK_MS:
        for name in SERVERS:
            runs.append(measure(name, think_ms, seconds))
            print(json.dumps(runs[-1]), flush=True)
    saturated = {run["server"]: run["per_second"] for run in runs if run["think_ms"] == 0}
    ours = saturated["kletka"]
    ratios = {name: round(ours / rate, 2) for name, rate in saturated.items() if name != "kletka"}
    write("versus", {"tables": TABLES, "spec": SPEC, "synchronous": "FULL", "runs": runs, "saturated_ratio": ratios})


if __name__ == "__main__":
    main()
