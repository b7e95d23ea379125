"""Stores that older versions have left are opened, read and played on."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from kletka import words
from kletka.tables import Applied, Hall, NoStore, Play, Store
from kletka.tables.model import Moved
from kletka.tables.schema import metadata
from tests.stores import engine_of, open_store, sql, store_of
from tests.tables.helpers import in_hall

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.sql"))
"""What SQLite dumped of a store that the first version with each schema has made: a table with three moves, its id in
the first line. The last one is from before revisions were written down."""


@pytest.mark.sqlite
@pytest.mark.parametrize("dumped", SCHEMAS, ids=lambda path: path.stem)
def test_a_store_of_every_schema_is_read_and_played_on(tmp_path: Path, dumped: Path) -> None:
    text = dumped.read_text("utf-8")
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as file:
        file.executescript(text)
    table_id = text.splitlines()[0].removeprefix("-- ")

    async def work(hall: Hall) -> None:
        room = await hall.room(table_id)
        assert room is not None
        assert [seat.name for seat in room.table.seats if seat] == ["Player 0", "Player 1"]
        assert [event.body.move for event in room.table.line if isinstance(event.body, Moved)] == ["b2", "a1", "c3"]
        answer = await hall.command(room, Play(room.table.base, "a3"), 1, "m3")
        assert isinstance(answer, Applied)
        await hall.store.keep_draft(table_id, 0, "kept")

    in_hall(tmp_path, work)
    assert sql(tmp_path, "SELECT version FROM tables") == [(6,)]
    assert _differences(tmp_path) == []


def _differences(folder: Path) -> list[object]:
    """What the store's schema lacks of what the code expects, or has beyond it."""
    with engine_of(folder).connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))


def test_a_new_store_is_as_the_code_expects(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    assert _differences(tmp_path) == []
    open_store(tmp_path).close()


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    sql(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NoStore) as refused:
        open_store(tmp_path)
    assert refused.value.code == "too_new"
    assert sql(tmp_path, "SELECT version_num FROM alembic_version") == [("9999",)]


def test_processes_that_start_at_once_migrate_once(tmp_path: Path) -> None:
    where = store_of(tmp_path)
    code = f"from pathlib import PosixPath; from kletka.tables import Store; Store({where!r}).close()"
    for process in [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]:
        assert process.wait(60) == 0
    assert sql(tmp_path, "SELECT count(*) FROM alembic_version") == [(1,)]
    assert _differences(tmp_path) == []


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("nonsense", "bad_database"),
        ("", "bad_database"),
        ("mysql://localhost/x", "bad_database"),
        ("sqlite:///x", "bad_database"),
        ("postgresql://nobody:secret@127.0.0.1:1/nothing", "unreachable"),
    ],
)
def test_what_cannot_be_opened_is_said_by_a_code(where: str, code: str) -> None:
    with pytest.raises(NoStore) as refused:
        Store(where)
    assert refused.value.code == code
    assert "secret" not in str(refused.value)


@pytest.mark.sqlite
def test_a_folder_that_cannot_be_written_is_said_by_a_code(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoStore) as refused:
        Store(tmp_path / "file" / "data")
    assert refused.value.code == "unwritable"
    (tmp_path / "tables.sqlite").write_text("this is no database" * 100)
    with pytest.raises(NoStore) as refused:
        Store(tmp_path)
    assert refused.value.code == "unwritable"


@pytest.mark.sqlite
def test_a_sqlite_that_is_too_old_is_said_by_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 32, 3))
    with pytest.raises(NoStore) as refused:
        Store(tmp_path)
    assert refused.value.code == "old_sqlite"
    assert all("cli.store.old_sqlite" in words.known(language) for language in words.LANGUAGES)
    assert not list(tmp_path.iterdir())


def test_all_hosts_tell_the_time_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process whose own clock is an hour fast, beside one whose clock is right."""
    right = open_store(tmp_path)
    real = time.time
    monkeypatch.setattr("kletka.tables.store.time.time", lambda: real() + 3600)
    fast = open_store(tmp_path)
    told = fast.now()
    monkeypatch.undo()
    if fast.engine.dialect.name == "postgresql":
        assert abs(told - right.now()) < 5
    else:
        assert abs(told - right.now() - 3600) < 5, "SQLite's processes share a machine and its clock"
    right.close()
    fast.close()
