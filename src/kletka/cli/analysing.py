"""`kletka analyse`: what an engine thinks of a position."""

from __future__ import annotations

from random import Random
from typing import Annotated

import typer

from kletka import words
from kletka.cli.common import LANGUAGE, AsJson, BadInput, Position, Seed, begin, print_json, progress_bar, say
from kletka.drawing import drawing_of
from kletka.engines import MOST_LINES, Analysis, Line, analyse, effort
from kletka.games import Game, Move


def analysis(
    spec: Annotated[str, typer.Argument(help="The game.")],
    position: Position = None,
    lines: Annotated[int, typer.Option("--lines", help="How many moves to name, the best first.")] = 3,
    nodes: Annotated[int | None, typer.Option("--nodes", help="How many positions to visit, about.")] = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Name the best moves for the seat to move, with their scores: proven ones, and estimates."""
    made, state = begin(spec, position)
    if state.to_move is None:
        raise BadInput(say("refusal.over"))
    if not 1 <= lines <= MOST_LINES:
        raise BadInput(say("cli.lines", most=MOST_LINES))
    if nodes is not None and nodes < 1:
        raise BadInput(say("cli.nodes"))
    view = state.seen_by(state.to_move)
    most = nodes or effort(view)
    with progress_bar("analyse", most) as advance:
        done = 0

        def told(found: Analysis) -> None:
            nonlocal done
            reached = min(found.nodes, most)
            if reached > done:
                advance(reached - done)
                done = reached

        found = analyse(view, most, Random(seed), lines=lines, progress=told)
    if as_json:
        print_json(
            {
                "spec": made.spec,
                "position": view.position,
                "seat": view.to_move,
                "seed": seed,
                "nodes": found.nodes,
                "lines": [
                    {"move": line.move, "score": line.score, "exact": line.exact, "line": line.line}
                    for line in found.lines
                ],
            }
        )
        return
    print(words.to_move(LANGUAGE, made, state.to_move))
    for number, line in enumerate(found.lines, 1):
        print(f"{number:>2}. {_said(made, line)}")


def _said(made: Game, line: Line) -> str:
    first, *rest = (_named(made, move) for move in line.line)
    scored = f"{first} ({words.chances(LANGUAGE, line.score, line.exact)})"
    return f"{scored}: {', '.join(rest)}" if rest else scored


def _named(made: Game, move: Move) -> str:
    return words.told(LANGUAGE, made, move, None if made.hidden else drawing_of(made).heard(made, move))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyse")(analysis)
