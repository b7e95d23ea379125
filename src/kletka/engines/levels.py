"""Who plays levels 1..8 of the families that have searches of their own.

A level is an engine and a number of nodes, each below about a third of the next level's, and for the kernel's
alpha-beta how far it sees. Levels from CAREFUL_FROM on never overlook a win in one or a block in one
(`forced.Careful`; the kernel's alpha-beta sees these by itself, and the last line of a dots game leaves no choice).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kletka.engines import kernels
from kletka.engines.base import Limit, Player
from kletka.engines.crystals import Grower
from kletka.engines.dots import Chains, KernelDots, Sampled
from kletka.engines.facets import Facets
from kletka.engines.forced import Careful
from kletka.engines.kernel_uct import KEEN
from kletka.engines.orapa import Sleuth, by_kernel, by_rules
from kletka.engines.tictactoe import KernelAlphaBeta, Sight
from kletka.engines.uct import Uct
from kletka.games.crystals import Crystals
from kletka.games.dots import Dots
from kletka.games.orapa import Orapa
from kletka.games.tictactoe import Board, ClaimTicTacToe, SharedTicTacToe, TicTacToe
from kletka.games.ultimate import Ultimate

CAREFUL_FROM = 3

_SIGHTS = (
    Sight(depth=1, threats=0, noise=300),
    Sight(depth=1, threats=0, noise=120),
    Sight(depth=2, threats=0, noise=90),
    Sight(depth=2, threats=0, noise=30),
    Sight(depth=3, threats=3),
    Sight(depth=5, threats=9),
    Sight(threats=17),
    Sight(),
)
_SMALL_BOARD = 64
"""Cells; wider boards take about four times as long a node."""
_NODES_SMALL = (120, 380, 1_200, 3_700, 11_000, 35_000, 110_000, 350_000)
_NODES_WIDE = (30, 95, 300, 950, 3_000, 9_500, 30_000, 95_000)
_NODES_DOTS = (240, 740, 2_200, 6_700, 20_000, 62_000, 190_000, 580_000)
_NODES_DOTS_BY_RULES = (25, 80, 240, 740, 2_200, 6_700, 20_000, 56_000)
_EXACT_LINES = {4: 6, 5: 12, 6: 18, 7: 26, 8: 40}
"""From how many lines on a level plays dots games exactly where it can."""
_FEW_SHARED = 54
"""Moves; where signs are shared every move is looked at in every position."""
_NODES_SHARED_WIDE = (4, 13, 40, 130, 400, 1_200, 4_000, 12_000)
_WIDE_BOARD = 256
"""Cells; beyond these play-outs from the rules are cut down."""
_NODES_WIDE_BY_RULES = (3, 8, 25, 75, 220, 660, 2_000, 6_000)
_NODES_HUGE = (1, 2, 4, 10, 30, 90, 270, 810)
"""For UCT from the rules where there are too many cells for the kernel of shared signs."""
_NODES_ULTIMATE = (1_800, 5_500, 16_500, 50_000, 150_000, 450_000, 1_350_000, 4_000_000)
_NODES_ORAPA = (8, 24, 72, 220, 660, 2_000, 12_000, 200_000)
_MINES_ORAPA = (2, 4, 8, 12, 12, 16, 64, 2_048)
"""How many mines a level looks at to judge a question."""
_GUESSES_ORAPA = (0, 0, 0, 0, 0, 0, 2, 6)
_NODES_ORAPA_BY_RULES = (30, 90, 270, 800, 2_400, 5_000, 10_000, 20_000)
_GROWERS = (
    Grower(plies=1, reach=2, miss=60, noise=200),
    Grower(plies=1, reach=3, miss=40, noise=100),
    Grower(plies=1, reach=4, miss=25, noise=50),
    Grower(plies=1, miss=25, noise=25),
    Grower(plies=1),
    Grower(plies=2, width=4),
    Grower(plies=3, width=6, exact=10),
    Grower(plies=4, width=12, exact=16),
)
_NODES_CRYSTALS = (1_300, 4_000, 12_000, 36_000, 110_000, 330_000, 1_000_000, 3_000_000)
_FACETS = (
    *(Facets(miss, 0) for miss in (90, 80, 65, 45, 25, 10)),
    Facets(0, 4),
    Facets(0, 32),
)
_NODES_CRYSTALS_BY_RULES = (20, 60, 180, 600, 2_000, 6_000, 18_000, 55_000)
_MINES_ORAPA_BY_RULES = (2, 4, 8, 12, 16, 24, 32, 48)


def _tictactoe(game: TicTacToe, number: int) -> Player:
    nodes = _NODES_SMALL if game.cells <= _SMALL_BOARD else _NODES_WIDE
    return Player(KernelAlphaBeta(_SIGHTS[number - 1]), Limit(nodes=nodes[number - 1]))


def _dots_by_rules(game: Dots, number: int) -> Player:
    nodes = _NODES_DOTS_BY_RULES[number - 1]
    if number <= 3 or (number == 4 and game.seats == 2 and not game.options.misere):
        return Player(Chains(number), Limit(nodes=nodes))
    return Player(Sampled(), Limit(nodes=nodes))


def _dots(game: Dots, number: int) -> Player:
    player = _dots_by_rules(game, number)
    if len(game.lines) > kernels.MOST_LINES or isinstance(player.engine, Chains):
        return player
    return Player(KernelDots(exact_lines=_EXACT_LINES[number]), Limit(nodes=_NODES_DOTS[number - 1]))


def _shared(game: SharedTicTacToe, number: int) -> Player:
    if game.cells > kernels.SHARED_CELLS:
        return Player(Careful(Uct()), Limit(nodes=_NODES_HUGE[number - 1]))
    nodes = _NODES_SMALL if len(game.actions) <= _FEW_SHARED else _NODES_SHARED_WIDE
    return Player(KernelAlphaBeta(_SIGHTS[number - 1]), Limit(nodes=nodes[number - 1]))


def _ultimate(game: Ultimate, number: int) -> Player:
    return Player(Careful(KEEN) if number >= CAREFUL_FROM else KEEN, Limit(nodes=_NODES_ULTIMATE[number - 1]))


def _orapa(game: Orapa, number: int) -> Player:
    engine = Sleuth("kernel-orapa", by_kernel, _MINES_ORAPA[number - 1], _GUESSES_ORAPA[number - 1])
    return Player(engine, Limit(nodes=_NODES_ORAPA[number - 1]))


def _orapa_by_rules(game: Orapa, number: int) -> Player:
    engine = Sleuth("echoes", by_rules, _MINES_ORAPA_BY_RULES[number - 1], _GUESSES_ORAPA[number - 1])
    return Player(engine, Limit(nodes=_NODES_ORAPA_BY_RULES[number - 1]))


def _crystals(game: Crystals, number: int) -> Player:
    return Player(_GROWERS[number - 1], Limit(nodes=_NODES_CRYSTALS[number - 1]))


def _crystals_by_rules(game: Crystals, number: int) -> Player:
    return Player(_FACETS[number - 1], Limit(nodes=_NODES_CRYSTALS_BY_RULES[number - 1]))


def _many_cells_by_rules(game: Board, number: int) -> Player | None:
    """Play-outs of large boards take long; None where the usual number of them will do."""
    if game.cells <= _WIDE_BOARD:
        return None
    nodes = _NODES_HUGE if game.cells > kernels.SHARED_CELLS else _NODES_WIDE_BY_RULES
    return Player(Careful(Uct()) if number >= CAREFUL_FROM else Uct(), Limit(nodes=nodes[number - 1]))


WITH_KERNELS: Mapping[type, Callable[[Any, int], Player | None]] = {
    TicTacToe: _tictactoe,
    ClaimTicTacToe: _tictactoe,
    SharedTicTacToe: _shared,
    Ultimate: _ultimate,
    Dots: _dots,
    Orapa: _orapa,
    Crystals: _crystals,
}
"""Who plays a level of a kernel's games; None where the options are beyond the kernel."""

BY_RULES: Mapping[type, Callable[[Any, int], Player | None]] = {
    TicTacToe: _many_cells_by_rules,
    ClaimTicTacToe: _many_cells_by_rules,
    SharedTicTacToe: _many_cells_by_rules,
    Dots: _dots_by_rules,
    Orapa: _orapa_by_rules,
    Crystals: _crystals_by_rules,
}
"""Who plays a level without kernels, where the rules have better players than play-outs."""
