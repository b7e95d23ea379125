"""The default store, whose process is killed again and again, whose disk is full, whose folder can't be written."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import psutil
import pytest

from kletka import words
from kletka.tables import Store
from tests.scale.games import WIDE, checked, connected, in_step, play
from tests.scale.players import Player
from tests.server.site import Site
from tests.serving import Served

ROUNDS = int(os.environ.get("KLETKA_ROUNDS", "20"))
pytestmark = pytest.mark.sqlite


def opened(site: Site, number: int) -> list[tuple[str, list[str]]]:
    """Tables with two people each."""
    tables = []
    for _ in range(number):
        table, people = site.together(WIDE)
        tables.append((table, [person.token(table) for person in people]))
    return tables


def test_a_process_killed_at_any_moment_loses_nothing_it_has_acknowledged(tmp_path: Path) -> None:
    served, rng = Served(tmp_path), Random(ROUNDS)
    served.start()
    site = Site(served.url, tmp_path)

    async def work() -> list[list[Player]]:
        players: list[list[Player]] = []
        for _ in range(0, ROUNDS, 10):
            tables = await asyncio.to_thread(opened, site, 10)
            async with connected([served.url], tables) as group:
                games = [asyncio.create_task(play(pair, 150)) for pair in group]
                for _ in range(10):
                    await asyncio.sleep(rng.uniform(0.05, 0.6))
                    await asyncio.to_thread(served.stop, signal.SIGKILL)
                    await asyncio.to_thread(served.start)
                await asyncio.gather(*games)
                await in_step(group)
                players += group
        return players

    try:
        players = asyncio.run(work())
        assert sum(len(player.acknowledged) for pair in players for player in pair) > 20 * ROUNDS
    finally:
        site.close()
        served.stop(signal.SIGKILL)
    checked(tmp_path, players)


def test_a_full_disk_is_said_and_costs_nothing(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.start()
    site = Site(served.url, tmp_path)
    tables = opened(site, 3)
    assert served.process is not None
    process = psutil.Process(served.process.pid)
    wal = tmp_path / "tables.sqlite-wal"

    async def work() -> list[list[Player]]:
        async with connected([served.url], tables) as players:
            process.rlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 40_000, resource.RLIM_INFINITY))
            games = [asyncio.create_task(play(pair, 120)) for pair in players]
            await asyncio.wait(
                [asyncio.create_task(player.stuck.wait()) for pair in players for player in pair],
                return_when=asyncio.FIRST_COMPLETED,
            )
            refused = await asyncio.to_thread(site.person().post, "/en/tables", {"spec": "tictactoe"})
            assert refused.status_code == 503
            assert "could not be stored" in refused.text or 'data-code="unavailable"' in refused.text
            process.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            await asyncio.gather(*games)
            await in_step(players)
            return players

    try:
        players = asyncio.run(work())
    finally:
        site.close()
        served.stop(signal.SIGKILL)
    checked(tmp_path, players)


@pytest.mark.parametrize("there", [False, True], ids=["empty", "with tables"])
def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, there: bool) -> None:
    """Somebody without root's power to write everywhere serves a folder that is read-only."""
    data = tmp_path / "data"
    data.mkdir()
    if there:
        Store(data).close()
    for path in (*data.iterdir(), data):
        path.chmod(0o555 if path.is_dir() else 0o444)
    bare = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    command = [*bare, sys.executable, "-m", "kletka", "serve", "--port", "0", "--data", str(data)]
    environment = os.environ | {"LANG": "fr_FR.UTF-8"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    said = words.say("fr", "cli.store.unwritable", name=str(data))
    assert done.stderr.split() == ["kletka:", *said.split()]
    data.chmod(0o755)
