"""Deals of hidden games that sound the same: they differ in what is hidden, and nobody who mustn't know hears it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from kletka.games import Move, State, families, game

HIDDEN = [preset.spec for family in families().values() for preset in family.presets if game(preset.spec).hidden]
"""Every preset of every registered game in which something is hidden, those of the test games too."""


@dataclass(frozen=True)
class Deal:
    """A game from its deal: the set-up, each move with its seat, and the texts of what is hidden."""

    spec: str
    setup: str | None
    moves: tuple[tuple[int, str], ...]
    hidden: tuple[str, ...]

    @property
    def canaries(self) -> set[str]:
        """What is hidden, its code, and its pieces, where they are long enough to be nothing else and nobody names them
        by chance."""
        pieces = {piece for text in self.hidden for piece in re.split("[^A-Za-z0-9.-]", text)}
        codes = {game(self.spec).share_code(self.setup)} if self.setup else set()
        public = [move for _, move in self.moves if move not in self.hidden]
        named = " ".join(("hide", *public, *(game(self.spec).actions or ())))
        return {text for text in {*self.hidden, *codes, *pieces} if len(text) > 3 and text not in named}


def _private(states: Sequence[Any], rng: Random) -> tuple[Move, ...] | None:
    """A move for each state that differ though all others hear the same: as where a seat hides something."""
    if not states[0].moves()[0].startswith("hide"):
        return None
    others = [seat for seat in (*range(states[0].game.seats), None) if seat != states[0].to_move]
    while True:
        moves = tuple(state.sample(rng) for state in states)
        heard = {tuple(state.told(move, seat) for seat in others) for state, move in zip(states, moves, strict=True)}
        if len(set(moves)) == len(states) and len(heard) == 1:
            return moves


def _common(states: Sequence[State], rng: Random) -> Move | None:
    """A move that sounds the same to everybody in all states and ends none; None where there is no such move."""
    seats = (*range(states[0].game.seats), None)
    candidates = list(states[0].moves())
    rng.shuffle(candidates)
    for move in (*(states[0].sample(rng) for _ in range(5)), *candidates):
        if any(state.refuses(move) for state in states):
            continue
        heard = {tuple(state.told(move, seat) for seat in seats) for state in states}
        if len(heard) == 1 and all(state.play(move).outcome is None for state in states):
            return move
    return None


def alike(spec: str, most: int = 8, count: int = 2, seed: int = 0) -> tuple[tuple[Deal, ...], tuple[int | None, ...]]:
    """Deals that sound the same over at most so many moves, and who mustn't know of any difference (None: a spectator).

    Where seats hide something themselves, the first one hides something else in each.
    """
    made, rng = game(spec), Random(f"{spec} {seed}")
    setups: list[str | None] = []
    while len(setups) < count:
        if (dealt := made.deal(rng)) is None or dealt not in setups:
            setups.append(dealt)
    states: list[Any] = [made.start(setup) for setup in setups]
    moves: list[list[tuple[int, str]]] = [[] for _ in setups]
    hidden = [[setup] if setup is not None else [] for setup in setups]
    knowing: set[int | None] = set()
    for number in range(most):
        seat = states[0].to_move
        played = _private(states, rng) if number == 0 else None
        if played is not None:
            knowing.add(seat)
            for texts, move in zip(hidden, played, strict=True):
                texts.append(move)
        elif (common := _common(states, rng)) is not None:
            played = (common,) * count
        else:
            break
        for deal, move in zip(moves, played, strict=True):
            deal.append((seat, move))
        states = [state.play(move) for state, move in zip(states, played, strict=True)]
    deals = [
        Deal(spec, setup, tuple(played_), tuple(texts))
        for setup, played_, texts in zip(setups, moves, hidden, strict=True)
    ]
    ignorant = tuple(seat for seat in (*range(made.seats), None) if seat not in knowing)
    return tuple(deals), ignorant
