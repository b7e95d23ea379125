"""Copies of a folder's store, made while it is served, and a folder made from one."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Literal

from kletka.tables.store import FILE

Code = Literal["no_tables", "there", "unwritable"]


class NoBackup(Exception):
    """Nothing was copied. `code`: `no_tables` (what would be copied is no store, or damaged), `there` (it would
    overwrite something), `unwritable` (there is no room, or no right to write)."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code = code


def backup(folder: Path, file: Path) -> None:
    """Copy the store of a folder, as it is at one moment, to a new file; who serves it isn't held up.

    The file is there only when it is whole and safe on its disk; it stands alone, and is for its owner's eyes. Raises
    NoBackup.
    """
    if not (folder / FILE).is_file():
        raise NoBackup("no_tables")
    _copy(folder / FILE, file)


def restore(file: Path, folder: Path) -> None:
    """Make a folder, or fill an empty one, with what a backup holds. Raises NoBackup."""
    if not file.is_file():
        raise NoBackup("no_tables")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise NoBackup("unwritable") from None
    if any((folder / (FILE + end)).exists() for end in ("", "-wal", "-shm")):
        raise NoBackup("there")
    _copy(file, folder / FILE)


def _copy(source: Path, target: Path) -> None:
    """A whole copy under a new name, or none."""
    if target.exists() or target.is_symlink():
        raise NoBackup("there")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError:
        raise NoBackup("unwritable") from None
    os.close(handle)
    half = Path(name)
    try:
        _read(source, half)
        # A name that somebody has taken in between stays theirs.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL))
        half.replace(target)
        _settle(target.parent)
    except FileExistsError:
        raise NoBackup("there") from None
    except OSError:
        raise NoBackup("unwritable") from None
    finally:
        half.unlink(missing_ok=True)


def _read(source: Path, target: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as here,
            closing(sqlite3.connect(target)) as there,
        ):
            # All pages in one step: one moment's state, whatever is written meanwhile.
            here.backup(there)
            if not _whole(there):
                raise NoBackup("no_tables")
            # The copy needs no write-ahead log beside it.
            there.execute("PRAGMA journal_mode=DELETE")
            there.execute("PRAGMA synchronous=FULL")
    except sqlite3.OperationalError:
        raise NoBackup("unwritable") from None
    except sqlite3.DatabaseError:
        raise NoBackup("no_tables") from None
    _settle(target)


def _whole(copy: sqlite3.Connection) -> bool:
    """Whether every page can be read, and tables are there."""
    if copy.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
        return False
    known = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
    return {"tables", "events"} <= known


def _settle(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
