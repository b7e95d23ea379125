"""Random games for the laws: seeded, with seats leaving now and then, and texts that are no legal moves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from kletka.games import Game, Move, State, families, game, presets
from tests.conformance.data import perft_lines

ONLY = os.environ.get("KLETKA_ONLY")
"""A family to which the suite is limited: for work on one game."""

SPECS = tuple(
    spec
    for spec in dict.fromkeys(
        [preset.spec for _, preset in presets()]
        + [line.spec for family in families().values() for line in perft_lines(family)]
    )
    if ONLY in (None, spec.partition(":")[0])
)
"""Every preset, and every game that a perft file names."""
ONE_EACH = tuple({spec.partition(":")[0]: spec for spec in reversed(SPECS)}.values())
"""The first preset of each family."""

GAMES = tuple(game(spec) for spec in SPECS)
LONGEST = 120
"""Plies of a random game on large boards; small ones go to their end."""


class Step(NamedTuple):
    """A state and what happened in it: a move, or a seat that left (with move None)."""

    state: State
    move: Move | None
    left: int | None
    after: State


def watchers(game: Game) -> tuple[int | None, ...]:
    """Every seat, and a spectator."""
    return (*range(game.seats), None)


def random_game(game: Game, seed: int, leaving: float = 0.0) -> Iterator[Step]:
    """A game by `sample`; before each move a seat leaves with probability `leaving`."""
    rng = Random(f"{game.spec}/{seed}")
    state = game.start(game.deal(rng))
    for _ in range(LONGEST):
        if state.to_move is None:
            return
        if rng.random() < leaving:
            seat = rng.randrange(game.seats)
            after = state.without(seat)
            yield Step(state, None, seat, after)
        else:
            move = state.sample(rng)
            after = state.play(move)
            yield Step(state, move, None, after)
        state = after


def odd_texts(state: State, rng: Random) -> list[str]:
    """Texts to refuse or accept: legal moves, moves of other moments, told texts, and rubbish."""
    game = state.game
    texts = [
        "",
        " ",
        "?",
        "zz99",
        "a0",
        "\x00",
        "1" * 300,
        "é1",
        "a1=~",
        "=",
        "a1:",
        "a1:b1+b1",
        "A1",
        "hide=~",
    ]
    texts += [str(move) for move in (game.actions or ())[:40]]
    if state.to_move is not None:
        move = state.sample(rng)
        texts += [move, *(state.told(move, seat) for seat in watchers(game))]
    return texts
