"""The store that tests use: SQLite in the test's folder, or a database of its own with KLETKA_TEST_STORE=postgres."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from kletka.tables import Store
from tests.postgres import Postgres

POSTGRES = os.environ.get("KLETKA_TEST_STORE") == "postgres"


@cache
def server() -> Postgres:
    """The PostgreSQL of this process of tests."""
    made = Postgres()
    atexit.register(made.close)
    return made


@cache
def _database(folder: Path) -> str:
    return server().database()


def store_of(folder: Path) -> Path | str:
    """Where the store of a test's folder is."""
    return _database(folder.resolve()) if POSTGRES else folder


def open_store(folder: Path) -> Store:
    """The store of a test's folder."""
    return Store(store_of(folder))


@cache
def engine_of(folder: Path) -> sa.Engine:
    """Another program that looks into the store of a test's folder."""
    where = store_of(folder)
    if isinstance(where, Path):
        return sa.create_engine(f"sqlite:///{folder / 'tables.sqlite'}", poolclass=sa.NullPool)
    return sa.create_engine(sa.make_url(where).set(drivername="postgresql+psycopg"), poolclass=sa.NullPool)


def sql(folder: Path, query: str, **values: object) -> list[tuple[Any, ...]]:
    """What another program asks or changes in the store of a test's folder."""
    with engine_of(folder).begin() as connection:
        found = connection.execute(sa.text(query), values)
        return [tuple(row) for row in found] if found.returns_rows else []


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """As long as this goes on nothing can be written into the store of a test's folder."""
    with engine_of(folder).execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql("BEGIN" if POSTGRES else "BEGIN IMMEDIATE")
        if POSTGRES:
            connection.exec_driver_sql("LOCK TABLE events IN EXCLUSIVE MODE")
        yield
        connection.exec_driver_sql("ROLLBACK")
