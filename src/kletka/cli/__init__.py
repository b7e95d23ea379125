"""The commands. `kletka --help` lists them; bad input gives one line and exit code 2."""

from __future__ import annotations

import os
import sys

import typer

from kletka import words
from kletka.cli import analysing, files, keeping, listing, measuring, playing, printing, serving, solving
from kletka.cli.common import LANGUAGE, BadInput
from kletka.games import KletkaError

app = typer.Typer(
    name="kletka",
    help="Pencil-and-paper games: play, serve, measure.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for module in (serving, keeping, playing, listing, files, printing, analysing, solving, measuring):
    module.register(app)


def main() -> None:
    """Run a command; every complaint about input is one line on standard error with exit code 2."""
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
    except typer.TyperException as error:
        message = getattr(error, "format_message", error.__str__)
        _complain(message())
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except KletkaError as error:
        _complain(words.trouble(LANGUAGE, error))
    except BadInput as error:
        _complain(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _complain(line: str) -> None:
    print(f"kletka: {words.plain(' '.join(line.split()))}", file=sys.stderr)
    sys.exit(2)
