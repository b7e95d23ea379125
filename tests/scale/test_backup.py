"""Backups made while people play hold everything that was acknowledged before, and are served again."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from kletka.tables import NoBackup, Store, backup, restore
from tests.postgres import SERVERS, Postgres
from tests.scale.games import WIDE, checked, connected, in_step, play
from tests.scale.players import Player
from tests.server.site import Site
from tests.serving import Served

pytestmark = pytest.mark.sqlite
TABLES, MOVES = 8, 40


def kletka(*words: str | Path, language: str = "en") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kletka", *map(str, words)]
    environment = os.environ | {"LC_ALL": language}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)


class Folder:
    """The default store, with our own commands."""

    def __init__(self, folder: Path) -> None:
        self.where, self.again = folder / "a", folder / "b"
        self.where.mkdir()
        self.file = folder / "copy"

    def backup(self) -> None:
        done = kletka("backup", self.file, "--data", self.where)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def restore(self) -> None:
        done = kletka("restore", self.file, "--data", self.again)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert self.file.stat().st_mode & 0o077 == 0
        assert sorted(path.name for path in self.file.parent.iterdir() if path.is_file()) == ["copy"]

    def close(self) -> None:
        pass


class Database:
    """PostgreSQL, with its own programs as the documents show them."""

    def __init__(self, folder: Path) -> None:
        self.postgres = Postgres()
        self.where, self.again = self.postgres.database(), self.postgres.database()
        self.file = folder / "copy"

    def _program(self, name: str, *words: str | Path) -> None:
        program = max(SERVERS.iterdir(), key=lambda version: int(version.name)) / "bin" / name
        subprocess.run([program, *words], check=True, capture_output=True, timeout=60)

    def backup(self) -> None:
        self._program("pg_dump", "--format=custom", f"--file={self.file}", self.where)

    def restore(self) -> None:
        self._program("pg_restore", "--no-owner", f"--dbname={self.again}", self.file)

    def close(self) -> None:
        self.postgres.close()


def serve(where: Path | str, folder: Path) -> Served:
    """A server on a store."""
    options = () if isinstance(where, Path) else ("--database", where)
    served = Served(where if isinstance(where, Path) else folder, None, *options)
    served.start()
    return served


@pytest.mark.parametrize("kind", [Folder, Database])
def test_a_backup_under_load_is_a_moment_of_the_log(tmp_path: Path, kind: type[Folder | Database]) -> None:
    kept = kind(tmp_path)
    (tmp_path / "served").mkdir()
    served = serve(kept.where, tmp_path / "served")
    site = Site(served.url, served.folder)
    tables = []
    for _ in range(TABLES):
        table, people = site.together(WIDE)
        tables.append((table, [person.token(table) for person in people]))

    async def work() -> tuple[dict[str, int], int, list[list[Player]]]:
        async with connected([served.url], tables) as players:
            games = [asyncio.create_task(play(group, MOVES)) for group in players]
            await asyncio.gather(*(player.reach(12) for group in players for player in group))
            before = {one: at for group in players for p in group for one, at in p.acknowledged.items()}
            await asyncio.to_thread(kept.backup)
            after = sum(len(player.acknowledged) for group in players for player in group)
            await asyncio.gather(*games)
            await in_step(players)
            return before, after, players

    async def go_on(url: str) -> None:
        """Whoever was there goes on from what was restored."""
        async with connected([url], tables) as players:
            await asyncio.gather(*(player.reach(12) for group in players for player in group))
            (mover,) = [player for player in players[0] if player.seat == player.to_move]
            assert "applied" in await mover.say("resign")
            await in_step(players)

    try:
        before, after, players = asyncio.run(work())
        site.close()
        served.stop(signal.SIGKILL)
        assert not [code for group in players for player in group for code in player.refused]
        assert len(before) < after, "they played on meanwhile"
        checked(kept.where, players)
        kept.restore()
        compare(kept.where, kept.again, [table for table, _ in tables], before)
        served = serve(kept.again, tmp_path / "served")
        asyncio.run(go_on(served.url))
    finally:
        site.close()
        served.stop()
        kept.close()


def compare(whole: Path | str, copy: Path | str, tables: Sequence[str], acknowledged: Mapping[str, int]) -> None:
    """Every log is as it was at one moment, after all that was acknowledged before."""
    first, second = Store(whole), Store(copy)
    try:
        there: dict[str | None, int] = {}
        for table in tables:
            log = second.load(table)
            assert log == first.load(table)[: len(log)]
            there |= {event.command_id: event.version for event in log}
        assert {one: there.get(one) for one in acknowledged} == acknowledged
    finally:
        first.close()
        second.close()


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
from collections.abc import Mapping, Sequence
from pathlib import Path
from kletka.tables import NoBackup, backup
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    backup(Path(sys.argv[1]), Path(sys.argv[2]))
except NoBackup as error:
    print(error)
"""
