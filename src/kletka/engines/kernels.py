"""The only door to `kletka._kernels`: imported late, typed, and shut by KLETKA_KERNELS=0."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, Protocol, cast

from kletka.games.tictactoe import Marks, SharedTicTacToe, Signs, TicTacToe

Answer = tuple[int, int, list[int], int, bool]
"""Move, score, line, nodes, exact."""


class TicTacToeKernel(Protocol):
    """One tic-tac-toe game in C++. A position has `x`, `o` or `.` for each cell, in cell order.

    `score` is -30000..30000 by alpha-beta (30000 - n: won n plies away) and 0..1000 by UCT. All raise
    ValueError for a text that is no position, the searches also where the game is over.
    """

    @property
    def cells(self) -> int: ...

    @property
    def lines(self) -> int: ...

    def perft(self, position: str, depth: int) -> int: ...

    def playouts(self, position: str, seed: int, games: int, portable: bool = False) -> tuple[int, int, int, int]: ...

    def alphabeta(self, position: str, nodes: int, seed: int, **options: Any) -> Answer: ...

    def uct(self, position: str, nodes: int, seed: int, **options: Any) -> Answer: ...


class SharedTicTacToeKernel(Protocol):
    """One game of shared signs in C++; a move is its index in `actions`. The rest is as in TicTacToeKernel."""

    @property
    def cells(self) -> int: ...

    def perft(self, position: str, depth: int) -> int: ...

    def alphabeta(self, position: str, nodes: int, seed: int, **options: Any) -> Answer: ...


SHARED_CELLS = 512
"""The most cells, on all boards together, that a kernel of shared signs takes."""


def enabled() -> bool:
    """Whether the kernels are built and KLETKA_KERNELS is not 0."""
    return os.environ.get("KLETKA_KERNELS") != "0" and _module() is not None


@cache
def _module() -> Any:
    try:
        import kletka._kernels as module
    except ImportError:
        return None
    return module


def stop_flag() -> Any:
    """A new flag (`set`, `is_set`) that ends a kernel's search from any thread."""
    return _module().Stop()


@cache
def tictactoe(game: TicTacToe) -> TicTacToeKernel:
    """The kernel of a game. Raises RuntimeError where the kernels aren't built."""
    if (module := _module()) is None:
        raise RuntimeError("kletka._kernels is not built")
    options = game.options
    made = module.TicTacToe(list(options.sides), options.line, options.misere, options.gravity, options.exact)
    return cast(TicTacToeKernel, made)


@cache
def shared(game: SharedTicTacToe) -> SharedTicTacToeKernel:
    """The kernel of a game of shared signs. Raises RuntimeError where the kernels aren't built."""
    if (module := _module()) is None:
        raise RuntimeError("kletka._kernels is not built")
    options = game.options
    rules = (options.line, options.misere, options.gravity, options.exact, options.boards, game.wild)
    return cast(SharedTicTacToeKernel, module.SharedTicTacToe(list(options.sides), *rules))


def cells_text(state: Marks | Signs) -> str:
    """The marks of a position, cell by cell, as kernels read it."""
    return "".join([state.sign(cell) or "." for cell in range(state.game.cells)])
