"""The store: one writer thread that groups commits, and reading by anyone.

An event is durable before its append returns: SQLite with a write-ahead log and `synchronous=FULL`. Unique
(table, version) and (table, seat, command id) are the guard, so that any process may serve any table.
"""

from __future__ import annotations

import asyncio
import os
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError

from kletka.tables.clocks import DAY, LONGEST, Outage
from kletka.tables.migrating import TooNew, migrate
from kletka.tables.model import Event, Left, Opened, Seated, decode_body, encode_body
from kletka.tables.schema import beats, drafts, events, outages, places, races, tables
from kletka.tables.tokens import same_hash

FILE = "tables.sqlite"
"""The store's file in its folder."""
_GROUP = 128
"""Events in one commit at most."""
_GAP = 6.0
"""Seconds without a heart-beat of any process after which nobody was there: three are missing."""

_SQLITE = (3, 33)
"""The first version that brings rows up to date from a list."""

_LATER = 0.5
"""Seconds between an event and what is due by a clock that it started, at least."""

_DEADLINE = tables.c.due > tables.c.changed_at + _LATER
"""Whose time will run out. Engines are due with the event that asks them, the shortest clock a second later."""

_CLASHES = ("40001", "40P01")
"""PostgreSQL's codes for a transaction that lost against others and may be tried again."""
_TRIES = 3

T = TypeVar("T")

_CLOCK = sa.select(sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Float))
_insert_table = tables.insert()
_EVENT = ("table_id", "version", "at", "seat", "command_id", "command", "body")
_ROW = {
    "id": "TEXT",
    "before": "INTEGER",
    "version": "INTEGER",
    "status": "TEXT",
    "to_move": "INTEGER",
    "due": "DOUBLE PRECISION",
    "changed_at": "DOUBLE PRECISION",
}
"""What the row of a table that has a new event is told, and of which type that is."""


def _listed(sign: str, columns: int, rows: int) -> str:
    return ", ".join([f"({', '.join([sign] * columns)})"] * rows)


@lru_cache(maxsize=_GROUP)
def _insert_events(sign: str, count: int) -> str:
    """So many events in one statement: for each further one the writer's thread would wait for its turn again, and the
    library would look at each value. `sign` stands for a value."""
    return f"INSERT INTO events ({', '.join(_EVENT)}) VALUES {_listed(sign, len(_EVENT), count)}"  # noqa: S608


@lru_cache(maxsize=_GROUP)
def _update_tables(sign: str, count: int) -> str:
    """The rows of so many tables in one statement, where each is still at the version before."""
    cast = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in _ROW.items())
    values = _listed(sign, len(_ROW), count)
    return (
        "UPDATE tables SET version = now.version, status = now.status, to_move = now.to_move, due = now.due, "  # noqa: S608
        "changed_at = now.changed_at, leased_by = NULL, leased_until = NULL "
        f"FROM (WITH listed ({', '.join(_ROW)}) AS (VALUES {values}) SELECT {cast} FROM listed) AS now "
        "WHERE tables.id = now.id AND tables.version = now.before"
    )


class VersionTaken(Exception):
    """Another event has this version already (or the command was stored before): read on and decide again."""


class Unavailable(Exception):
    """The store can't be written or read now."""


class NoStore(Exception):
    """A store can't be opened. `code`: `unwritable` (a folder), `bad_database` (no address that is understood),
    `no_driver` (its driver isn't installed), `old_sqlite` (Python's is older than 3.33), `unreachable`, `too_new`
    (a newer Kletka has changed it)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@contextmanager
def _asking() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise Unavailable(str(error.orig)) from None


@dataclass(frozen=True)
class Written:
    """An entry of the log as it is written, whether or not it can be read."""

    version: int
    at: float
    body: str


class Row(NamedTuple):
    """Who acts when: a table's row after an event. `due` is when the server itself must act (seconds since 1970)."""

    status: str
    to_move: int | None
    due: float | None


class _Append(NamedTuple):
    table_id: str
    event: Event
    row: Row
    opening: Opened | None
    done: asyncio.Future[None]


@dataclass(frozen=True)
class _Work:
    """Something else to write, in a transaction of its own."""

    write: Callable[[sa.Connection], Any]
    done: asyncio.Future[Any]


@dataclass(frozen=True)
class Sitting:
    """A table at which a browser sits: its seats there, and the table's row. `names` are those of the other seats."""

    table_id: str
    spec: str
    status: str
    seats: tuple[int, ...]
    to_move: int | None
    changed_at: float
    names: tuple[str, ...]


class Store:
    """An open store. `append` may be awaited from one event loop; reading is synchronous and safe in any thread."""

    def __init__(self, where: Path | str) -> None:
        """Open the store in a folder, made where it isn't there, or at a database's address (`postgresql://...`), and
        bring its schema up to date. Raises NoStore."""
        self.engine = _engine(where)
        self._ahead = 0.0
        try:
            migrate(self.engine)
            with self.engine.connect() as connection:
                self._set_clock(connection)
        except TooNew:
            raise NoStore("too_new") from None
        except DBAPIError:
            raise NoStore("unwritable" if isinstance(where, Path) else "unreachable") from None
        self.process = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._queue: queue.SimpleQueue[_Append | _Work | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="kletka-writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what waits, then close."""
        self._queue.put(None)
        self._writer.join()
        self.engine.dispose()

    def now(self) -> float:
        """The store's time in seconds since 1970: that of the database, which several hosts may share."""
        return time.time() + self._ahead

    def _set_clock(self, connection: sa.Connection) -> None:
        """Look at the database's clock, where it has its own."""
        if self.engine.dialect.name == "postgresql":
            before = time.time()
            there = connection.execute(_CLOCK).scalar_one()
            # It was read at some moment between asking and hearing.
            self._ahead = there - (before + time.time()) / 2

    async def append(self, table_id: str, event: Event, row: Row, opening: Opened | None = None) -> None:
        """Store an event with the table's new row; returns when both are durable.

        `opening` is the body of event 0. Raises VersionTaken or Unavailable.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(_Append(table_id, event, row, opening, done))
        await done

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Let the writer do something else in a transaction of its own. Raises Unavailable."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Work(work, done))
        return await done

    @property
    def queued(self) -> int:
        """How many events and other things wait for the writer."""
        return self._queue.qsize()

    async def probe(self) -> None:
        """Write and read what every move needs. Raises Unavailable where that can't be done now."""

        def read(connection: sa.Connection) -> None:
            for table in (tables, events):
                connection.execute(sa.select(table).limit(1)).first()

        await self.beat()
        await self.write(read)

    def waiting(self) -> int:
        """How many tables are due that no process has taken."""
        with _asking(), self.engine.connect() as connection:
            query = sa.select(sa.func.count()).select_from(tables).where(_due_at(self.now()))
            return connection.execute(query).scalar_one()

    def _write(self) -> None:
        while True:
            group: list[_Append] = []
            other: _Work | None = None
            one = self._queue.get()
            while isinstance(one, _Append):
                group.append(one)
                if len(group) == _GROUP or self._queue.empty():
                    break
                one = self._queue.get()
            if isinstance(one, _Work):
                other = one
            if group:
                self._write_group(group)
            if other is not None:
                self._work(other)
            if one is None:
                return

    def _work(self, one: _Work) -> None:
        result: Any = None
        error: Exception | None = None
        try:
            with self.engine.begin() as connection:
                result = one.write(connection)
        except DBAPIError as failed:
            error = Unavailable(str(failed.orig))
        one.done.get_loop().call_soon_threadsafe(_answer, one.done, result, error)

    def _write_group(self, group: list[_Append]) -> None:
        # Two processes whose groups touch the same tables in different orders would wait for each other for ever.
        group.sort(key=lambda one: one.table_id)
        # A row that conflicts breaks its whole group: then each is written alone, so that only it fails.
        error = self._try(group)
        alone = error is not None and len(group) > 1
        results = [self._try([one]) for one in group] if alone else [error] * len(group)
        answers = list(zip((one.done for one in group), results, strict=True))
        group[0].done.get_loop().call_soon_threadsafe(_answer_all, answers)

    def _try(self, group: Sequence[_Append]) -> Exception | None:
        for _ in range(_TRIES):
            try:
                with self.engine.begin() as connection:
                    _append(connection, group)
            except (IntegrityError, VersionTaken):
                return VersionTaken()
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", None) in _CLASHES:
                    continue
                return Unavailable(str(error.orig))
            return None
        return Unavailable("others write the same rows")

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

    def written(self, table_id: str) -> list[Written]:
        """The log of a table as it is written, in order."""
        query = sa.select(events.c.version, events.c.at, events.c.body).where(events.c.table_id == table_id)
        with _asking(), self.engine.connect() as connection:
            return [Written(*row) for row in connection.execute(query.order_by(events.c.version))]

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

    async def keep_draft(self, table_id: str, seat: int, text: str) -> None:
        """Keep a seat's draft instead of the one before."""
        here = sa.and_(drafts.c.table_id == table_id, drafts.c.seat == seat)

        def keep(connection: sa.Connection) -> None:
            connection.execute(drafts.delete().where(here))
            connection.execute(drafts.insert().values(table_id=table_id, seat=seat, text=text))

        await self.write(keep)

    async def beat(self) -> tuple[Outage, ...]:
        """Leave this process's sign of life, and give the outages that are known.

        A gap without a sign of any process becomes an outage, and what was due after its begin is due later by it.
        """
        process = self.process

        def beat(connection: sa.Connection) -> tuple[Outage, ...]:
            self._set_clock(connection)
            now = self.now()
            newest = connection.execute(sa.select(sa.func.max(beats.c.at))).scalar()
            if newest is not None and now - newest > _GAP:
                connection.execute(outages.insert().values(began=newest, ended=now))
                later = tables.update().where(tables.c.due > newest, tables.c.status == "running", _DEADLINE)
                connection.execute(later.values(due=tables.c.due + (now - newest)))
            connection.execute(beats.delete().where(sa.or_(beats.c.process == process, beats.c.at < now - DAY)))
            connection.execute(beats.insert().values(process=process, at=now))
            found = sa.select(outages).where(outages.c.ended > now - LONGEST).order_by(outages.c.began)
            return tuple((row.began, row.ended) for row in connection.execute(found))

        try:
            return await self.write(beat)
        except Unavailable:
            # Another process may have found the same gap at the same time: by now it is known.
            return await self.write(beat)

    def race(self, race: str) -> list[str]:
        """The ids of a race's tables, in the order in which they were opened."""
        query = sa.select(races.c.table_id).join(tables, tables.c.id == races.c.table_id).where(races.c.race == race)
        with _asking(), self.engine.connect() as connection:
            return list(connection.execute(query.order_by(tables.c.opened_at, tables.c.id)).scalars())

    def sittings(self, owner: str, limit: int) -> list[Sitting]:
        """The tables at which a browser sits, the last changed first."""
        at = sa.select(places.c.table_id).where(places.c.owner == owner)
        rows = sa.select(tables).where(tables.c.id.in_(at)).order_by(tables.c.changed_at.desc()).limit(limit)
        with _asking(), self.engine.connect() as connection:
            found = connection.execute(rows).all()
            ids = [row.id for row in found]
            mine: dict[str, list[int]] = {}
            named: dict[str, list[str]] = {}
            seated = sa.select(places).where(places.c.table_id.in_(ids)).order_by(places.c.seat)
            for place in connection.execute(seated):
                if same_hash(place.owner, owner):
                    mine.setdefault(place.table_id, []).append(place.seat)
                else:
                    named.setdefault(place.table_id, []).append(place.name)
        return [
            Sitting(
                row.id,
                row.spec,
                row.status,
                tuple(mine.get(row.id, ())),
                row.to_move,
                row.changed_at,
                tuple(named.get(row.id, ())),
            )
            for row in found
        ]

    def lease_due(self, holder: str, until: float, limit: int, *, deadlines: bool = False) -> list[tuple[str, int]]:
        """Take up to `limit` tables that are due and that nobody holds, the longest due first; gives ids and versions.

        `deadlines`: those where a time has run out, else those where an engine is asked. Each is taken by one
        conditional UPDATE, so two processes never take the same.
        """
        waiting = sa.and_(_due_at(self.now()), _DEADLINE if deadlines else sa.not_(_DEADLINE))
        look = sa.select(tables.c.id, tables.c.version).where(waiting).order_by(tables.c.due).limit(limit)
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
    alive = sa.select(beats.c.process).where(beats.c.at > now - _GAP)
    # Whoever has died keeps nothing.
    free = sa.or_(tables.c.leased_until.is_(None), tables.c.leased_until < now, tables.c.leased_by.not_in(alive))
    return sa.and_(tables.c.due <= now, tables.c.status == "running", free)


def _engine(where: Path | str) -> sa.Engine:
    if isinstance(where, Path):
        if sqlite3.sqlite_version_info < _SQLITE:
            raise NoStore("old_sqlite")
        try:
            where.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise NoStore("unwritable") from None
        engine = sa.create_engine(sa.URL.create("sqlite", database=str(where / FILE)))
        sa.event.listen(engine, "connect", _prepare_sqlite)
        return engine
    try:
        address = sa.make_url(where)
    except ArgumentError:
        raise NoStore("bad_database") from None
    if address.drivername not in ("postgresql", "postgres"):
        raise NoStore("bad_database")
    try:
        # A connection that broke while nobody used it is noticed before it is used.
        return sa.create_engine(address.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    except ImportError:
        raise NoStore("no_driver") from None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _answer(done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)


def _answer_all(answers: Sequence[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, error in answers:
        _answer(done, None, error)


def _append(connection: sa.Connection, group: Sequence[_Append]) -> None:
    """Insert events and bring the rows of their tables up to date. Raises VersionTaken and what the database raises."""
    opening = [_table_values(one, one.opening) for one in group if one.opening]
    if opening:
        connection.execute(_insert_table, opening)
    sign = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    connection.exec_driver_sql(_insert_events(sign, len(group)), tuple(chain(*map(_event_values, group))))
    updates = [_update_values(one) for one in group if one.opening is None]
    if updates:
        done = connection.exec_driver_sql(_update_tables(sign, len(updates)), tuple(chain(*updates)))
        if done.rowcount != len(updates):
            raise VersionTaken
    for one in group:
        _index(connection, one)


def _index(connection: sa.Connection, one: _Append) -> None:
    """Who sits where, and which tables are a race, for those who look for them."""
    body = one.event.body
    if isinstance(body, Opened) and body.race:
        connection.execute(races.insert().values(race=body.race, table_id=one.table_id))
    if isinstance(body, Seated | Left):
        here = sa.and_(places.c.table_id == one.table_id, places.c.seat == body.seat)
        connection.execute(places.delete().where(here))
    if isinstance(body, Seated) and body.owner:
        seat = {"owner": body.owner, "table_id": one.table_id, "seat": body.seat, "name": body.name}
        connection.execute(places.insert().values(seat))


def _table_values(one: _Append, opening: Opened) -> dict[str, Any]:
    return {
        "id": one.table_id,
        "spec": opening.spec,
        "version": one.event.version,
        "status": one.row.status,
        "to_move": one.row.to_move,
        "due": one.row.due,
        "opened_at": one.event.at,
        "changed_at": one.event.at,
    }


def _event_values(one: _Append) -> tuple[Any, ...]:
    event = one.event
    body = encode_body(event.body)
    return one.table_id, event.version, event.at, event.seat, event.command_id, event.command, body


def _update_values(one: _Append) -> tuple[Any, ...]:
    event, row = one.event, one.row
    return one.table_id, event.version - 1, event.version, row.status, row.to_move, row.due, event.at
