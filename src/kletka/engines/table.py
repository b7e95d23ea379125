"""Engines by name, and levels 1..8 for every family.

Families of other packages bring a table by an attribute `ENGINES` on the module that the entry point names:
eight pairs (engine's name, nodes), level 1 first. Without it they get UCT, or random moves where seats know
different things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kletka.engines import crystals, facets, kernels, orapa
from kletka.engines.alphabeta import AlphaBeta
from kletka.engines.base import Engine, Limit, Player
from kletka.engines.dots import Chains, KernelDots, Sampled
from kletka.engines.forced import Careful
from kletka.engines.kernel_uct import KEEN, KernelUct
from kletka.engines.levels import BY_RULES, CAREFUL_FROM, WITH_KERNELS
from kletka.engines.random import RandomEngine
from kletka.engines.tictactoe import KernelAlphaBeta
from kletka.engines.uct import Uct
from kletka.games import Game, State, family_of
from kletka.games.crystals import Crystals
from kletka.games.registry import plugins

LEVELS = range(1, 9)

_ENGINES: Mapping[str, Callable[[], Engine]] = {
    "random": RandomEngine,
    "alphabeta": AlphaBeta,
    "uct": Uct,
    "chains": Chains,
    "sampled": Sampled,
    "kernel-alphabeta": KernelAlphaBeta,
    "kernel-dots": KernelDots,
    "kernel-uct": KernelUct,
    "kernel-uct-keen": lambda: KEEN,
    "kernel-orapa": lambda: orapa.KERNEL,
    "echoes": lambda: orapa.RULES,
    "kernel-crystals": lambda: crystals.KERNEL,
    "kernel-greedy": lambda: crystals.GREEDY,
    "facets": lambda: facets.FACETS,
}

_SETTLED: Mapping[type, Callable[[Any, int], bool]] = {
    Crystals: lambda view, seat: seat in view.staying and crystals.settled(view),
}
"""Where engines agree to end a game: when they do, by the view and the seat of the one that is asked."""

_OPEN = tuple(("uct", nodes) for nodes in (10, 30, 90, 270, 810, 2_430, 7_290, 21_870))
_HIDDEN = (("random", 0),) * 8


def names() -> tuple[str, ...]:
    """The engines that can run here."""
    return tuple(name for name in _ENGINES if kernels.enabled() or not name.startswith("kernel-"))


def engine(name: str) -> Engine:
    """The engine of that name, as strong as its limit lets it be. Raises ValueError."""
    if name not in names():
        raise ValueError(f"no engine {name!r}; there are {', '.join(names())}")
    return _ENGINES[name]()


def level(game: Game, number: int) -> Player:
    """Who plays a game at a level, 1 (weakest) to 8. Raises ValueError for other numbers."""
    if number not in LEVELS:
        raise ValueError(f"no level {number}: levels go from {LEVELS[0]} to {LEVELS[-1]}")
    made = (WITH_KERNELS if kernels.enabled() else BY_RULES).get(type(game))
    if made is not None and (player := made(game, number)) is not None:
        return player
    name, nodes = _listed(game)[number - 1]
    chosen = engine(name)
    return Player(Careful(chosen) if number >= CAREFUL_FROM else chosen, Limit(nodes=nodes))


def consents(game: Game) -> bool:
    """Whether engines ever agree to end this game; where not, nobody need ask them."""
    return type(game) in _SETTLED


def agrees(view: State, seat: int) -> bool:
    """Whether an engine on that seat agrees to end here, knowing only the seat's view."""
    settled = _SETTLED.get(type(view.game))
    return settled is not None and settled(view, seat)


def _listed(game: Game) -> Sequence[tuple[str, int]]:
    family = family_of(game)
    for module in plugins().values():
        if module.FAMILY is family and (listed := getattr(module, "ENGINES", None)) is not None:
            pairs: Sequence[tuple[str, int]] = listed
            return pairs
    return _HIDDEN if game.hidden else _OPEN
