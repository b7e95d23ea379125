"""`kletka solve`: what a game or a position is worth under best play."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from kletka import words
from kletka.cli.common import LANGUAGE, AsJson, BadInput, Position, begin, print_json, progress_bar, say
from kletka.engines.solving import Solution, solve

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def solving(
    spec: Annotated[str, typer.Argument(help="The game, for example dots:size=3x4.")],
    position: Position = None,
    memory: Annotated[str, typer.Option("--memory", help="How much the search may remember, for example 4G.")] = "1G",
    as_json: AsJson = False,
) -> None:
    """Solve a game: its value under best play and every best move. Ctrl-C ends it with what is known by then."""
    made, state = begin(spec, position)
    if state.to_move is None:
        raise BadInput(say("refusal.over"))
    most = _bytes(memory)
    began = time.perf_counter()
    with progress_bar("solve", None) as advance, _interrupted() as stop:
        told = 0

        def halved(low: int, high: int, nodes: int) -> None:
            nonlocal told
            advance(nodes - told)
            told = nodes

        found = solve(state, memory=most, poll=stop.is_set, progress=halved)
    seconds = time.perf_counter() - began
    if as_json:
        print_json(
            {
                "spec": made.spec,
                **({} if position is None else {"position": state.position}),
                "value": (found.coins or found.low) if found.exact else None,
                "exact": found.exact,
                "best": found.best,
                "nodes": found.nodes,
                "seconds": round(seconds, 3),
            }
        )
    else:
        for line in _said(found):
            print(line)
        print(say("cli.solved_effort", nodes=found.nodes, seconds=words.decimal(LANGUAGE, seconds)))
    if not found.exact:
        raise typer.Exit(130)


def _bytes(text: str) -> int:
    """A number of bytes, with K, M or G."""
    read = re.fullmatch("([1-9][0-9]{0,5})([KMG]?)", text)
    if read is None:
        raise BadInput(say("cli.memory"))
    return int(read[1]) * _UNITS[read[2]]


@contextmanager
def _interrupted() -> Iterator[threading.Event]:
    """Set by Ctrl-C, which ends nothing else meanwhile."""
    asked = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: asked.set())
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def _said(found: Solution) -> Iterator[str]:
    if found.coins:
        yield say("cli.solved_coins", coins=", ".join(map(str, found.coins)))
    elif found.low == found.high and found.coins is None:
        yield say("cli.solved", value=f"{found.low:+d}")
    elif found.coins is None:
        yield say("cli.solved_between", low=f"{found.low:+d}", high=f"{found.high:+d}")
    if found.best:
        yield say("cli.solved_best", moves=" ".join(found.best))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("solve")(solving)
