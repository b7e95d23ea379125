"""`kletka show`: a record drawn, position by position."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import kletka
from kletka import words
from kletka.cli.common import LANGUAGE, AsJson, BadInput, print_json, say
from kletka.games import full_spec
from kletka.records import RecordError, parse, replay


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadInput(say("cli.no_file", name=name)) from None


def show(
    file: Annotated[str, typer.Argument(help="A record; - reads standard input.")],
    ply: Annotated[int | None, typer.Option("--ply", help="Show the position after this many moves.")] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture instead of letters.")] = False,
    numbers: Annotated[bool, typer.Option("--numbers", help="With --svg: number the marks in their order.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a record: its tags, the position and the result."""
    try:
        record = parse(_read(file))
    except RecordError as error:
        said = words.trouble(LANGUAGE, error)
        raise BadInput(say("cli.at_line", name=file, line=error.line, column=error.column, said=said)) from None
    states = list(replay(record))
    at = len(states) - 1 if ply is None else max(0, min(ply, len(states) - 1))
    state = states[at]
    if as_json:
        result = record.result
        print_json(
            {
                "spec": full_spec(record.game),
                "tags": dict(record.tags),
                "plies": len(states) - 1,
                "ply": at,
                "position": state.position,
                "result": result and {"winners": sorted(result.winners), "reason": result.reason},
            }
        )
    elif svg:
        print(kletka.draw(state, numbers=numbers))
    else:
        for name, text in record.tags:
            print(f"{name}: {words.plain(text)}")
        print(kletka.text(state))
        outcome = state.outcome or (state.agreed() if record.result and at == len(states) - 1 else None)
        if outcome:
            print(words.result(LANGUAGE, record.game, outcome))
        elif state.to_move is not None:
            print(words.to_move(LANGUAGE, record.game, state.to_move))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(show)
