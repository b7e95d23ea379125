"""The rules: the contract of a game, the registry, and a module for each family."""

from kletka.games.contract import (
    BaseGame,
    BaseState,
    Game,
    IllegalMove,
    KletkaError,
    Move,
    NotationError,
    OpenGame,
    OpenState,
    Outcome,
    Reason,
    SpecError,
    State,
)
from kletka.games.family import Family, Preset
from kletka.games.perft import perft
from kletka.games.registry import families, family_of, full_spec, game, presets, schema, seat_words

__all__ = [
    "BaseGame",
    "BaseState",
    "Family",
    "Game",
    "IllegalMove",
    "KletkaError",
    "Move",
    "NotationError",
    "OpenGame",
    "OpenState",
    "Outcome",
    "Preset",
    "Reason",
    "SpecError",
    "State",
    "families",
    "family_of",
    "full_spec",
    "game",
    "perft",
    "presets",
    "schema",
    "seat_words",
]
