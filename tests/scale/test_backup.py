"""Backups made while people play hold everything that was acknowledged before, and are served again."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kletka.tables import NoBackup, Store, backup, restore
from tests.scale.games import WIDE, checked, connected, in_step, play
from tests.server.site import Site
from tests.serving import Served

pytestmark = pytest.mark.sqlite
TABLES, MOVES = 12, 60


def kletka(*words: str | Path, language: str = "en") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kletka", *map(str, words)]
    environment = os.environ | {"LC_ALL": language}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)


def test_a_backup_under_load_is_a_moment_of_the_log(tmp_path: Path) -> None:
    served, file, again = Served(tmp_path / "a"), tmp_path / "copy", tmp_path / "b"
    served.folder.mkdir()
    served.start()
    site = Site(served.url, served.folder)
    tables = []
    for _ in range(TABLES):
        table, people = site.together(WIDE)
        tables.append((table, [person.token(table) for person in people]))

    async def work() -> tuple[dict[str, int], int]:
        async with connected([served.url], tables) as players:
            games = [asyncio.create_task(play(group, MOVES)) for group in players]
            await asyncio.gather(*(player.reach(12) for group in players for player in group))
            before = {one: at for group in players for p in group for one, at in p.acknowledged.items()}
            done = await asyncio.to_thread(kletka, "backup", file, "--data", served.folder)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            after = sum(len(player.acknowledged) for group in players for player in group)
            await asyncio.gather(*games)
            await in_step(players)
            assert not [code for group in players for player in group for code in player.refused]
            everybody.extend(players)
        return before, after

    everybody: list[list[Any]] = []
    try:
        before, after = asyncio.run(work())
    finally:
        site.close()
        served.stop(signal.SIGKILL)
    assert len(before) < after, "they played on meanwhile"
    checked(served.folder, everybody)
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("a", "copy")] == []
    assert file.stat().st_mode & 0o077 == 0

    done = kletka("restore", file, "--data", again)
    assert (done.returncode, done.stderr) == (0, "")
    whole, copied = Store(served.folder), Store(again)
    try:
        there: dict[str | None, int] = {}
        for table, _ in tables:
            log = copied.load(table)
            assert log == whole.load(table)[: len(log)], "as it was at one moment"
            there |= {event.command_id: event.version for event in log}
        assert {one: there.get(one) for one in before} == before
    finally:
        whole.close()
        copied.close()

    back = Served(again)
    back.start()
    site = Site(back.url, again)

    async def go_on() -> None:
        async with connected([back.url], tables) as players:
            await asyncio.gather(*(player.reach(12) for group in players for player in group))
            free = [player for player in players[0] if player.seat == player.to_move]
            answer = await free[0].say("resign")
            assert "applied" in answer
            await in_step(players)

    try:
        asyncio.run(go_on())
    finally:
        site.close()
        back.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Store(tmp_path / "data").close()
    return tmp_path / "data"


def test_nothing_is_ever_overwritten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(NoBackup, match="there"):
        backup(folder, tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    with pytest.raises(NoBackup, match="there"):
        backup(folder, tmp_path / "nowhere")
    backup(folder, tmp_path / "copy")
    before = (folder / "tables.sqlite").read_bytes()
    done = kletka("restore", tmp_path / "copy", "--data", folder, language="fr")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"kletka: « {folder} » contient déjà quelque chose ; rien n’a été écrasé.\n"
    assert (folder / "tables.sqlite").read_bytes() == before


def test_what_is_no_store_is_neither_copied_nor_served(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    backup(folder, copy)
    other, text, half = (tmp_path / name for name in ("other", "text", "half"))
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
    text.write_text("these are no tables at all" * 400)
    half.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    for file in (other, text, half, tmp_path / "missing"):
        with pytest.raises(NoBackup, match="no_tables"):
            restore(file, tmp_path / "new")
        assert not list(tmp_path.glob("new/*")), "nothing is left of it"
    done = kletka("backup", tmp_path / "x", "--data", tmp_path / "missing", language="ru")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"kletka: В «{tmp_path / 'missing'}» нет столов, или данные повреждены.\n"
    assert not (tmp_path / "missing").exists()


def test_a_full_disk_leaves_no_half_backup(folder: Path, tmp_path: Path) -> None:
    limited = [sys.executable, "-c", _LIMITED, str(folder), str(tmp_path / "copy")]
    done = subprocess.run(limited, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "unwritable\n", done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


_LIMITED = """
import resource, signal, sys
from pathlib import Path
from typing import Any
from kletka.tables import NoBackup, backup
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    backup(Path(sys.argv[1]), Path(sys.argv[2]))
except NoBackup as error:
    print(error)
"""
