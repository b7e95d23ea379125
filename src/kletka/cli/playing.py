"""`kletka play`: a game at the terminal, against an engine or between people at one screen."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random, SystemRandom
from typing import Annotated

import typer
from rich.console import Console

import kletka
from kletka import words
from kletka.cli.common import LANGUAGE, BadInput, begin, say
from kletka.engines import LEVELS, Player, level
from kletka.games import Game, Move, NotationError, State
from kletka.records import Left, Played, Record, Result, print_record


class _Quit(Exception):
    pass


def play(
    spec: Annotated[str, typer.Argument(help="What to play, for example tictactoe:shape=4x4x4.")],
    level_number: Annotated[int | None, typer.Option("--level", help="Play against the engine, 1 to 8.")] = None,
    seat: Annotated[int, typer.Option("--seat", help="Your seat against the engine; 1 begins.")] = 1,
    seed: Annotated[int | None, typer.Option("--seed", help="The seed of everything random.")] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write the record to this file.")] = None,
) -> None:
    """Play a game at the terminal; without --level all seats are people at this screen."""
    made, _ = begin(spec, None)
    if level_number is not None and level_number not in LEVELS:
        raise BadInput(say("cli.bad_level"))
    if not 1 <= seat <= made.seats:
        raise BadInput(say("error.no_such_seat", seat=seat))
    rng = SystemRandom() if seed is None else Random(seed)
    setup = made.deal(rng)
    engine = None if level_number is None else level(made, level_number)
    people = range(made.seats) if engine is None else range(seat - 1, seat)
    events: list[Played | Left] = []
    try:
        state = _game(made, made.start(setup), people, engine, rng, events)
    except _Quit:
        return
    outcome = state.outcome
    assert outcome is not None
    print(words.result(LANGUAGE, made, outcome))
    if save is not None:
        record = Record(made, tuple(events), setup, (), Result(outcome.winners, outcome.reason))
        try:
            save.write_text(print_record(record), "utf-8")
        except OSError:
            raise BadInput(say("cli.no_file", name=str(save))) from None


def _game(
    made: Game, state: State, people: range, engine: Player | None, rng: Random, events: list[Played | Left]
) -> State:
    print(say("cli.help"))
    last: dict[int, str] = {}
    shown: int | None = None
    while (mover := state.to_move) is not None:
        if mover in people:
            if made.hidden and len(people) > 1 and shown not in (None, mover):
                _line(say("cli.pass_screen"))
                Console().clear()
            shown = mover
            event = _ask(state, mover, last.get(mover))
        else:
            assert engine is not None
            with Console(stderr=True).status(say("cli.thinking")):
                event = Played(engine.choose(state.seen_by(mover), rng).move)
        events.append(event)
        if isinstance(event, Left):
            state = state.without(event.seat)
            continue
        for seat in people:
            last[seat] = words.played(LANGUAGE, made, mover, state.told(event.move, seat))
        if len(people) == 1:
            print(last[people[0]])
        state = state.play(event.move)
    print(kletka.text(state.seen_by(people[0]) if len(people) == 1 else state))
    return state


def _ask(state: State, mover: int, heard: str | None) -> Played | Left:
    view = state.seen_by(mover)
    print()
    print(kletka.text(view))
    if heard:
        print(heard)
    print(words.to_move(LANGUAGE, state.game, mover))
    while True:
        text = _line(say("cli.prompt"))
        if text in ("quit", "exit"):
            raise _Quit
        if text == "resign":
            return Left(mover)
        if text == "moves":
            print(" ".join(view.moves()))
            continue
        if not text:
            continue
        try:
            move: Move = state.game.parse(text)
        except NotationError as error:
            print(words.trouble(LANGUAGE, error))
            continue
        if reasons := view.refuses(move):
            for reason in reasons:
                print(words.refusal(LANGUAGE, state.game, reason))
            continue
        return Played(move)


def _line(prompt: str) -> str:
    print(prompt, end=" ", flush=True)
    line = sys.stdin.readline()
    if not line:
        print()
        raise _Quit
    return line.strip()


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)
