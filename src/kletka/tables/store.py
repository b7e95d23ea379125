"""The store: one writer thread that groups commits, and reading by anyone.

An event is durable before its append returns: SQLite with a write-ahead log and `synchronous=FULL`. Unique
(table, version) and (table, seat, command id) are the guard, so that any process may serve any table.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from kletka.tables.model import Event, decode_body, encode_body

_GROUP = 128
"""Events in one commit at most."""

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("spec", sa.String(4000), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("to_move", sa.Integer),
    sa.Column("due", sa.Float),
    sa.Column("leased_by", sa.String(64)),
    sa.Column("leased_until", sa.Float),
    sa.Column("opened_at", sa.Float, nullable=False),
    sa.Column("changed_at", sa.Float, nullable=False),
    sa.Index(
        "tables_due",
        "due",
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    ),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("command_id", sa.String(64)),
    sa.Column("command", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.UniqueConstraint("table_id", "seat", "command_id"),
)

probes = sa.Table(
    "probes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)
"""One row, written to learn whether the store can be written."""

drafts = sa.Table(
    "drafts",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("text", sa.String(2000), nullable=False),
)
"""What a seat has put together for itself: nobody else's, and no part of the log."""

_insert_table = tables.insert()
_insert_event = events.insert()
_update_table = (
    tables.update()
    .where(tables.c.id == sa.bindparam("table_id"), tables.c.version == sa.bindparam("before"))
    .values(
        version=sa.bindparam("now_version"),
        status=sa.bindparam("now_status"),
        to_move=sa.bindparam("now_to_move"),
        due=sa.bindparam("now_due"),
        changed_at=sa.bindparam("now_at"),
        leased_by=None,
        leased_until=None,
    )
)


class VersionTaken(Exception):
    """Another event has this version already (or the command was stored before): read on and decide again."""


class Unavailable(Exception):
    """The store can't be written or read now."""


@contextmanager
def _asking() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise Unavailable(str(error.orig)) from None


@dataclass(frozen=True)
class Row:
    """Who acts when: a table's row after an event. `due` is when the server itself must act (seconds since 1970)."""

    status: str
    to_move: int | None
    due: float | None


@dataclass(frozen=True)
class _Append:
    table_id: str
    event: Event
    row: Row
    spec: str | None
    done: asyncio.Future[None]


class Store:
    """An open store. `append` may be awaited from one event loop; reading is synchronous and safe in any thread."""

    def __init__(self, url: str) -> None:
        self.engine = sa.create_engine(url)
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
        metadata.create_all(self.engine)
        self._queue: queue.SimpleQueue[_Append | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="kletka-writer", daemon=True)
        self._writer.start()

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        """The store of a data folder, made where it isn't there. Raises OSError where the folder can't be made."""
        folder.mkdir(parents=True, exist_ok=True)
        return cls(f"sqlite:///{folder / 'tables.sqlite'}")

    def close(self) -> None:
        """Write what waits, then close."""
        self._queue.put(None)
        self._writer.join()
        self.engine.dispose()

    def now(self) -> float:
        """The store's time in seconds since 1970."""
        return time.time()

    async def append(self, table_id: str, event: Event, row: Row, spec: str | None = None) -> None:
        """Store an event with the table's new row; returns when both are durable.

        `spec` opens the table (event 0). Raises VersionTaken or Unavailable.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(_Append(table_id, event, row, spec, done))
        await done

    @property
    def queued(self) -> int:
        """How many events wait for the writer."""
        return self._queue.qsize()

    def probe(self) -> None:
        """Read and write something, as every move does. Raises Unavailable where that can't be done now."""
        now = self.now()
        with _asking(), self.engine.begin() as connection:
            # Written first: a transaction that has read already can't wait for its turn to write.
            if connection.execute(probes.update().values(at=now)).rowcount == 0:
                connection.execute(probes.insert().values(id=0, at=now))
            connection.execute(sa.select(tables.c.id).limit(1)).first()
            connection.execute(sa.select(events.c.version).limit(1)).first()
        if not self._writer.is_alive():
            raise Unavailable("the writer is gone")

    def waiting(self) -> int:
        """How many tables are due that no process has taken."""
        with _asking(), self.engine.connect() as connection:
            query = sa.select(sa.func.count()).select_from(tables).where(_due_at(self.now()))
            return connection.execute(query).scalar_one()

    def _write(self) -> None:
        while True:
            first = self._queue.get()
            if first is None:
                return
            group = [first]
            last = False
            while len(group) < _GROUP:
                try:
                    more = self._queue.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    last = True
                    break
                group.append(more)
            self._write_group(group)
            if last:
                return

    def _write_group(self, group: list[_Append]) -> None:
        # A row that conflicts breaks its whole group: then each is written alone, so that only it fails.
        error = self._try(group)
        alone = error is not None and len(group) > 1
        results = [self._try([one]) for one in group] if alone else [error] * len(group)
        loop = group[0].done.get_loop()
        loop.call_soon_threadsafe(_settle, group, results)

    def _try(self, group: Sequence[_Append]) -> Exception | None:
        try:
            with self.engine.begin() as connection:
                opening = [_table_values(one) for one in group if one.spec is not None]
                if opening:
                    connection.execute(_insert_table, opening)
                connection.execute(_insert_event, [_event_values(one) for one in group])
                updates = [_update_values(one) for one in group if one.spec is None]
                if updates and connection.execute(_update_table, updates).rowcount != len(updates):
                    raise VersionTaken
        except (IntegrityError, VersionTaken):
            return VersionTaken()
        except DBAPIError as error:
            return Unavailable(str(error.orig))
        return None

    def load(self, table_id: str, after: int = -1) -> list[Event]:
        """The events of a table after a version, in order; empty where there is no such table."""
        query = (
            sa.select(events).where(events.c.table_id == table_id, events.c.version > after).order_by(events.c.version)
        )
        with _asking(), self.engine.connect() as connection:
            return [
                Event(row.version, decode_body(row.body), row.at, row.seat, row.command_id, row.command)
                for row in connection.execute(query)
            ]

    def row(self, table_id: str) -> dict[str, Any] | None:
        """A table's row as it stands; None where there is none."""
        with _asking(), self.engine.connect() as connection:
            found = connection.execute(sa.select(tables).where(tables.c.id == table_id)).first()
        return dict(found._mapping) if found else None

    def draft(self, table_id: str, seat: int) -> str:
        """What a seat has kept of its draft; empty where it has kept none."""
        query = sa.select(drafts.c.text).where(drafts.c.table_id == table_id, drafts.c.seat == seat)
        with _asking(), self.engine.connect() as connection:
            return connection.execute(query).scalar() or ""

    def keep_draft(self, table_id: str, seat: int, text: str) -> None:
        """Keep a seat's draft instead of the one before."""
        update = drafts.update().where(drafts.c.table_id == table_id, drafts.c.seat == seat).values(text=text)
        insert = drafts.insert().values(table_id=table_id, seat=seat, text=text)
        with _asking():
            try:
                with self.engine.begin() as connection:
                    if connection.execute(update).rowcount == 0:
                        connection.execute(insert)
            except IntegrityError:
                # Another process was first to keep one.
                with self.engine.begin() as connection:
                    connection.execute(update)

    def lease_due(self, holder: str, until: float, limit: int) -> list[tuple[str, int]]:
        """Take up to `limit` tables that are due and that nobody holds; gives ids and versions.

        Each is taken by one conditional UPDATE, so two processes never take the same.
        """
        waiting = _due_at(self.now())
        look = sa.select(tables.c.id, tables.c.version).where(waiting).limit(limit)
        with _asking(), self.engine.connect() as connection:
            due = connection.execute(look).all()
        taken = []
        for found in due:
            update = (
                tables.update()
                .where(tables.c.id == found.id, tables.c.version == found.version, waiting)
                .values(leased_by=holder, leased_until=until)
            )
            with _asking(), self.engine.begin() as connection:
                if connection.execute(update).rowcount == 1:
                    taken.append((found.id, found.version))
        return taken

    def release(self, holder: str) -> None:
        """Give back every table that a holder has taken."""
        update = tables.update().where(tables.c.leased_by == holder).values(leased_by=None, leased_until=None)
        with _asking(), self.engine.begin() as connection:
            connection.execute(update)

    def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """The versions of tables, for a process that shows them to notice what another one wrote."""
        found: dict[str, int] = {}
        with _asking(), self.engine.connect() as connection:
            for first in range(0, len(ids), 500):
                query = sa.select(tables.c.id, tables.c.version).where(tables.c.id.in_(ids[first : first + 500]))
                found |= {row.id: row.version for row in connection.execute(query)}
        return found


def _due_at(now: float) -> sa.ColumnElement[bool]:
    """Which tables the server has to act at, and no process does."""
    free = sa.or_(tables.c.leased_until.is_(None), tables.c.leased_until < now)
    return sa.and_(tables.c.due <= now, tables.c.status == "running", free)


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _settle(group: Sequence[_Append], results: Sequence[Exception | None]) -> None:
    for one, result in zip(group, results, strict=True):
        if one.done.done():
            continue
        if result is None:
            one.done.set_result(None)
        else:
            one.done.set_exception(result)


def _table_values(one: _Append) -> dict[str, Any]:
    return {
        "id": one.table_id,
        "spec": one.spec,
        "version": one.event.version,
        "status": one.row.status,
        "to_move": one.row.to_move,
        "due": one.row.due,
        "opened_at": one.event.at,
        "changed_at": one.event.at,
    }


def _event_values(one: _Append) -> dict[str, Any]:
    event = one.event
    return {
        "table_id": one.table_id,
        "version": event.version,
        "at": event.at,
        "seat": event.seat,
        "command_id": event.command_id,
        "command": event.command,
        "body": encode_body(event.body),
    }


def _update_values(one: _Append) -> dict[str, Any]:
    return {
        "table_id": one.table_id,
        "before": one.event.version - 1,
        "now_version": one.event.version,
        "now_status": one.row.status,
        "now_to_move": one.row.to_move,
        "now_due": one.row.due,
        "now_at": one.event.at,
    }
