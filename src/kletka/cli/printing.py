"""`kletka print`: a sheet of paper for a game, or for a position of it."""

from __future__ import annotations

from typing import Annotated

import typer

from kletka import words
from kletka.cli.common import LANGUAGE, BadInput, Position, begin, say
from kletka.drawing.paper import PAPERS


def print_(
    spec: Annotated[str, typer.Argument(help="What to print, for example tictactoe:shape=4x4x4.")],
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter.")] = "a4",
    position: Position = None,
    language: Annotated[str, typer.Option("--lang", help="The language of the sheet: en, fr or ru.")] = LANGUAGE,
) -> None:
    """Print a sheet as SVG: empty boards with the rules, or a position."""
    from kletka.server.paper_pages import blank, positioned

    made, state = begin(spec, position)
    size = next((one for one in PAPERS if one == paper), None)
    if size is None:
        raise BadInput(say("cli.bad_paper", papers=", ".join(PAPERS)))
    if language not in words.LANGUAGES:
        raise BadInput(say("cli.bad_language", languages=", ".join(words.LANGUAGES)))
    print((blank(language, made, size) if position is None else positioned(language, state, size)).svg)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("print")(print_)
