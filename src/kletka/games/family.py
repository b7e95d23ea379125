"""What a rules module says of itself: its name, options, presets and closed lists of codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kletka.games.contract import Game

INKS = ("blue", "red", "green", "violet", "orange", "graphite")
"""The inks in seat order: they name the seats of games whose seats have no names of their own."""


@dataclass(frozen=True)
class Preset:
    """A named choice of options. `id` names it within its family and in the catalogues.

    `example` is the text of a position that shows well what the game is about, where play at random doesn't.
    """

    id: str
    spec: str
    example: str = ""


@dataclass(frozen=True)
class Family:
    """A family of games as the floors above see it.

    `options` is a frozen dataclass (or a discriminated union of them) whose defaults make the plain game; `make`
    turns one into a game and may raise SpecError where options don't fit together. `seat_words` name the seats in
    sentences; `reasons` and `results` are the closed lists of codes that `refuses` and `outcome` give.
    """

    name: str
    options: Any
    make: Callable[[Any], Game]
    presets: tuple[Preset, ...]
    reasons: tuple[str, ...]
    results: tuple[str, ...]
    seat_words: tuple[str, ...] = INKS
    scored: bool = False
