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
from kletka.games import Game, Move, NotationError, Outcome, State, family_of
from kletka.records import Left, Played, Record, Result, print_record


class _Quit(Exception):
    pass


def play(
    spec: Annotated[str, typer.Argument(help="What to play, for example tictactoe:shape=4x4x4.")],
    level_number: Annotated[int | None, typer.Option("--level", help="Play against the engine, 1 to 8.")] = None,
    seat: Annotated[int, typer.Option("--seat", help="Your seat against the engine; 1 begins.")] = 1,
    seed: Annotated[int | None, typer.Option("--seed", help="The seed of everything random.")] = None,
    setup: Annotated[str | None, typer.Option("--setup", help="The secret to play with: its text or its code.")] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write the record to this file.")] = None,
) -> None:
    """Play a game at the terminal; without --level all seats are people at this screen.

    A game that is left early is saved as the people at the screen heard it.
    """
    made, _ = begin(spec, None)
    if level_number is not None and level_number not in LEVELS:
        raise BadInput(say("cli.bad_level"))
    if not 1 <= seat <= made.seats:
        raise BadInput(say("error.no_such_seat", seat=seat))
    rng = SystemRandom() if seed is None else Random(seed)
    secret = made.deal(rng) if setup is None else setup
    try:
        start = made.start(secret)
    except NotationError as error:
        raise BadInput(words.trouble(LANGUAGE, error)) from None
    engine = None if level_number is None else level(made, level_number)
    people = range(made.seats) if engine is None else range(seat - 1, seat)
    log = _Log(made, people[0] if len(people) == 1 else None)
    outcome = None
    try:
        outcome = _game(made, start, people, engine, rng, log).outcome
    except _Quit:
        if save is None:
            return
    if outcome is not None:
        print(words.result(LANGUAGE, made, outcome))
    if save is not None:
        try:
            save.write_text(print_record(log.record(secret, outcome)), "utf-8")
        except OSError:
            raise BadInput(say("cli.no_file", name=str(save))) from None


class _Log:
    """What happened, as each mover heard it, and as the people at the screen did."""

    def __init__(self, made: Game, ears: int | None) -> None:
        self.made, self.ears = made, ears
        self.whole: list[Played | Left] = []
        self.heard: list[Played | Left] = []

    def left(self, seat: int) -> None:
        self.whole.append(Left(seat))
        self.heard.append(Left(seat))

    def played(self, state: State, move: Move) -> None:
        self.whole.append(Played(state.told(move, state.to_move)))
        self.heard.append(Played(state.told(move, self.ears)))

    def record(self, setup: str | None, outcome: Outcome | None) -> Record:
        """The whole game after its end; before it only what was heard."""
        if outcome is None:
            return Record(self.made, tuple(self.heard))
        return Record(self.made, tuple(self.whole), setup, (), Result(outcome.winners, outcome.reason))


def _game(made: Game, state: State, people: range, engine: Player | None, rng: Random, log: _Log) -> State:
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
            done = _ask(state, mover, typed)
        else:
            assert engine is not None
            with Console(stderr=True).status(say("cli.thinking")):
                done = engine.choose(state.seen_by(mover), rng).move
        if isinstance(done, Left):
            log.left(done.seat)
            typed.clear()
            for seat in people:
                heard[seat].clear()
                told[seat].clear()
            state = state.without(done.seat)
            continue
        log.played(state, done)
        for seat in people:
            if before != mover:
                heard[seat].clear()
                told[seat].clear()
            told[seat].append(state.told(done, seat))
            said = words.told(LANGUAGE, made, told[seat][-1], drawing_of(made).heard(made, told[seat][-1]))
            heard[seat].append(words.played(LANGUAGE, made, mover, said))
        before = mover
        if len(people) == 1:
            print(heard[people[0]][-1])
        state = state.play(done)
        if state.to_move != mover and typed:
            print(say("cli.turn_over", rest=",".join(typed)))
            typed.clear()
    # After the end nothing is hidden any more.
    print(kletka.text(state))
    for phrase in drawing_of(made).remarks(state, ()):
        print(words.sentence(words.spoken(LANGUAGE, made, *phrase)))
    return state


def _show(state: State, mover: int, heard: Sequence[str], told: Sequence[str]) -> None:
    view = state.seen_by(mover)
    print()
    print(kletka.text(view))
    for sentence in heard:
        print(sentence)
    if family_of(state.game).scored:
        print(words.score(LANGUAGE, state.scores))
    for seat, phrase in enumerate(drawing_of(state.game).standing(view)):
        name = words.sentence(words.seat_name(LANGUAGE, state.game, seat))
        print(say("page.pair", a=name, b=words.spoken(LANGUAGE, state.game, *phrase)))
    for phrase in drawing_of(state.game).remarks(view, told):
        print(words.sentence(words.spoken(LANGUAGE, state.game, *phrase)))
    print(words.to_move(LANGUAGE, state.game, mover))


def _ask(state: State, mover: int, typed: list[str]) -> Move | Left:
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
        return move


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
