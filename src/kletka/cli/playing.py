"""`kletka play`: a game at the terminal, against an engine or between people at one screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Annotated

import typer
from rich.console import Console

import kletka
from kletka import words
from kletka.cli.common import LANGUAGE, BadInput, begin, say
from kletka.drawing import drawing_of
from kletka.engines import LEVELS, Player, level
from kletka.games import Game, Move, NotationError, State, family_of
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
    heard: dict[int, list[str]] = {seat: [] for seat in people}
    told: dict[int, list[str]] = {seat: [] for seat in people}
    before: int | None = None
    shown: int | None = None
    typed: list[str] = []
    while (mover := state.to_move) is not None:
        if mover in people:
            if made.hidden and len(people) > 1 and shown not in (None, mover):
                _line(say("cli.pass_screen"))
                Console().clear()
            shown = mover
            if not typed:
                _show(state, mover, heard[mover], told[mover])
            event = _ask(state, mover, typed)
        else:
            assert engine is not None
            with Console(stderr=True).status(say("cli.thinking")):
                event = Played(engine.choose(state.seen_by(mover), rng).move)
        events.append(event)
        if isinstance(event, Left):
            typed.clear()
            for seat in people:
                heard[seat].clear()
                told[seat].clear()
            state = state.without(event.seat)
            continue
        for seat in people:
            if before != mover:
                heard[seat].clear()
                told[seat].clear()
            told[seat].append(state.told(event.move, seat))
            heard[seat].append(words.played(LANGUAGE, made, mover, told[seat][-1]))
        before = mover
        if len(people) == 1:
            print(heard[people[0]][-1])
        state = state.play(event.move)
        if state.to_move != mover and typed:
            print(say("cli.turn_over", rest=",".join(typed)))
            typed.clear()
    print(kletka.text(state.seen_by(people[0]) if len(people) == 1 else state))
    return state


def _show(state: State, mover: int, heard: Sequence[str], told: Sequence[str]) -> None:
    view = state.seen_by(mover)
    print()
    print(kletka.text(view))
    for sentence in heard:
        print(sentence)
    if family_of(state.game).scored:
        print(words.score(LANGUAGE, state.scores))
    for phrase in drawing_of(state.game).remarks(view, told):
        print(words.sentence(words.spoken(LANGUAGE, state.game, *phrase)))
    print(words.to_move(LANGUAGE, state.game, mover))


def _ask(state: State, mover: int, typed: list[str]) -> Played | Left:
    """What a person does; moves of one turn may be typed together, with commas, and wait in `typed`."""
    view = state.seen_by(mover)
    while True:
        if not typed:
            typed.extend(_line(say("cli.prompt")).split(","))
        text = typed.pop(0).strip()
        if text in ("quit", "exit"):
            raise _Quit
        if text == "resign":
            return Left(mover)
        if text == "moves":
            print(" ".join(_offered(view)))
            continue
        if not text:
            continue
        try:
            move: Move = state.game.parse(text)
        except NotationError as error:
            print(words.trouble(LANGUAGE, error))
            typed.clear()
            continue
        if reasons := view.refuses(move):
            for reason in reasons:
                print(words.refusal(LANGUAGE, state.game, reason))
            typed.clear()
            continue
        return Played(move)


def _offered(view: State) -> Sequence[str]:
    """The moves that the board offers: all there are, but for those that a player has to find on their own."""
    names = drawing_of(view.game).names(view).values()
    return list(dict.fromkeys(name.sends for name in names if name.sends is not None)) or view.moves()


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
