"""What the commands share: the terminal's language, the options they have in common, saying and printing."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_data_path
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from kletka import words
from kletka.games import Game, State, game


class BadInput(Exception):
    """Something a person typed can't be used; the text is the line to show."""


def _from_environment() -> str:
    wish = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "en")
    return words.choose_language([wish.partition(".")[0].replace("_", "-")])


LANGUAGE = _from_environment()

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Data = Annotated[Path | None, typer.Option(help="The folder of the tables; by default your user data folder.")]
Position = Annotated[str | None, typer.Option("--position", help="Begin from this position text.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of everything random.")]


def say(word: str, **facts: int | str) -> str:
    """A word in the terminal's language."""
    return words.say(LANGUAGE, word, **facts)


def data_folder(named: Path | None) -> Path:
    """The folder of the tables: the one that was named, or the user's."""
    return named or user_data_path("kletka", appauthor=False)


def print_json(value: Any) -> None:
    """JSON on one line per top-level value."""
    print(json.dumps(value, ensure_ascii=False))


def begin(spec: str, position: str | None) -> tuple[Game, State]:
    """The game of a spec and the state to begin from. Raises SpecError or NotationError."""
    made = game(spec)
    return made, made.start() if position is None else made.read(position)


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Any]:
    """A progress bar on standard error, for people only; gives a function `advance(steps)`."""
    console = Console(file=sys.stderr)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda steps=1: progress.advance(task, steps)
