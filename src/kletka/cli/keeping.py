"""`kletka backup` and `kletka restore`: the tables of a folder as one file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kletka.cli.common import BadInput, Data, data_folder, say


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; nothing is overwritten.")],
    data: Data = None,
) -> None:
    """Copy all tables to FILE, also while they are served."""
    from kletka.tables import backup as copy

    folder = data_folder(data)
    _carried(partial(copy, folder, file), folder, file)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `kletka backup` has written.")],
    data: Data = None,
) -> None:
    """Fill a folder that holds no tables yet with those of FILE."""
    from kletka.tables import restore as fill

    folder = data_folder(data)
    _carried(partial(fill, file, folder), file, folder)


def _carried(work: Callable[[], None], source: Path, target: Path) -> None:
    from kletka.tables import NoBackup

    try:
        work()
    except NoBackup as error:
        named = source if error.code == "no_tables" else target
        raise BadInput(say(f"cli.backup.{error.code}", name=str(named))) from None


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (backup, restore):
        app.command()(command)
