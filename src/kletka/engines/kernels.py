"""The only door to `kletka._kernels`: imported late, typed, and shut by KLETKA_KERNELS=0."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Protocol, cast

from kletka.games import Game, State
from kletka.games.crystals import Crystals, Sheet, members
from kletka.games.dots import Dots, Lines
from kletka.games.orapa import Orapa
from kletka.games.tictactoe import Marks, SharedTicTacToe, Signs, TicTacToe
from kletka.games.ultimate import Boards, Ultimate

Answer = tuple[int, int, list[int], int, bool]
"""Move, score, line, nodes, exact."""


class Kernel(Protocol):
    """One game in C++. Moves are indices into its `actions`; `text_of` writes positions as it reads them.

    All raise ValueError for a text that is no position, UCT also where the game is over. Its score is 0..1000.
    """

    def perft(self, position: str, depth: int) -> int: ...

    def playouts(self, position: str, seed: int, games: int) -> tuple[int, ...]: ...

    def uct(self, position: str, nodes: int, seed: int, **options: Any) -> Answer: ...


class TicTacToeKernel(Kernel, Protocol):
    """One tic-tac-toe game in C++. A position has `x`, `o` or `.` for each cell, in cell order.

    `score` is -30000..30000 by alpha-beta (30000 - n: won n plies away). `portable` play-outs leave out
    instructions that not every processor has.
    """

    @property
    def cells(self) -> int: ...

    @property
    def lines(self) -> int: ...

    def playouts(self, position: str, seed: int, games: int, portable: bool = False) -> tuple[int, ...]: ...

    def alphabeta(self, position: str, nodes: int, seed: int, **options: Any) -> Answer: ...


class SearchTree(Protocol):
    """What UCT has learnt, for the search of a later position. One search at a time may hold it."""

    @property
    def visits(self) -> int:
        """How many iterations of the present root it holds."""


class DotsKernel(Kernel, Protocol):
    """One dots game in C++.

    `exact` and `table` say what the mover gets more than the other side from here on (in misère: less): at least, at
    most, best lines, nodes. Both raise ValueError where other than two seats are left, and all where too many lines
    are. `portable` play-outs leave out instructions that not every processor has.
    """

    @property
    def lines(self) -> int: ...

    @property
    def coins(self) -> int: ...

    def playouts(self, position: str, seed: int, games: int, portable: bool = False) -> tuple[int, ...]: ...

    def exact(
        self, position: str, nodes: int, memory: int, every: bool = False, **options: Any
    ) -> tuple[int, int, list[int], int]:
        """By search, with so many bytes of memory. `whole`, `outward`: other ways; tells `progress(low, high, nodes)`.

        One best line, or `every`; none where the search was stopped.
        """

    def table(self, position: str, **options: Any) -> tuple[int, int, list[int], int]:
        """By all subsets of at most 31 lines; every best line."""

    def shares(self, position: str, **options: Any) -> tuple[list[int], list[int], int]:
        """For three and four: coins from here on of each seat left, the mover's first, by max^n; best lines; nodes.

        At most 26 lines. Each seat wants the most coins of its own, in misère the fewest, and takes the first of equal
        lines. Empty where it was stopped.
        """


class SharedTicTacToeKernel(Protocol):
    """One game of shared signs in C++; a move is its index in `actions`. The rest is as in TicTacToeKernel."""

    @property
    def cells(self) -> int: ...

    def perft(self, position: str, depth: int) -> int: ...

    def alphabeta(self, position: str, nodes: int, seed: int, **options: Any) -> Answer: ...


class OrapaKernel(Protocol):
    """One game of Orapa Mine in C++. A mine lists the number of each gem's placement, in the order of `placements`."""

    @property
    def counts(self) -> list[int]: ...

    def legal(self, mine: list[int]) -> bool: ...

    def waves(self, mine: list[int]) -> list[tuple[int, int, int]]:
        """For each port exit (-1: absorbed), colours (1 red, 2 yellow, 4 blue, 8 white) and bounces."""

    def cells(self, mine: list[int]) -> list[int]:
        """For each cell 0 nothing, 1 red, 2 yellow, 3 blue, 4 white, 5 transparent, 6 absorbed."""

    def random(self, seed: int, count: int) -> list[list[int]]: ...

    def checksum(self, mines: list[list[int]], times: int = 1) -> int: ...

    def count(self) -> tuple[int, list[list[int]]]:
        """How many legal mines there are, and for each placement of each of five gems how many hold it."""

    def deduce(
        self,
        waves: list[tuple[int, int, int]],
        cells: list[tuple[int, int]],
        excluded: list[list[int]],
        nodes: int,
        seed: int,
        wanted: int,
        most: int,
        stop: Any = None,
        poll: Callable[[], bool] | None = None,
    ) -> tuple[list[list[int]], bool, int, list[int]]:
        """Mines that agree with waves (port, exit, colours or bounces) and cells (cell, answer).

        All of them, at most `most`, or `wanted` drawn evenly; whether all; nodes; and what each port and cell would
        tell, in 1024ths of a bit.
        """


WITHOUT_BUDGET = (1 << 64) - 1


class CrystalsKernel(Protocol):
    """One game of Crystals in C++; `crystals_text` writes positions as it reads them."""

    def maximal(
        self, position: str, seat: int, budget: int = WITHOUT_BUDGET
    ) -> list[tuple[int, int, list[int], int, bool]]:
        """All maximal crystals of a seat: centre in half squares (across, up), squares, atoms, whether exact.

        `budget` bounds the states looked at for a centre where boundaries may interlock.
        """

    def survey(self, position: str, seat: int, times: int = 1) -> int:
        """A checksum of sizes and atoms of the maximal crystals that don't interlock, so many times over."""

    def reach(self, position: str, seat: int) -> int:
        """How many squares a seat's crystals may still cover, all together."""

    def dead(self, position: str) -> bool:
        """Whether no seat at the table can ever grow a crystal."""

    def perft(self, position: str, depth: int) -> int: ...

    def checksum(self, position: str, seed: int, games: int, turns: int) -> int:
        """Of random games, of at most so many turns each, among the principal moves."""

    def choose(self, position: str, nodes: int, seed: int, **options: Any) -> tuple[int, list[list[int]], float, int]:
        """The square to place an atom on (-1: none), crystals to grow, what the move is worth, nodes."""

    def exact(
        self, position: str, nodes: int, most: int = 26, bits: int = 18, **options: Any
    ) -> tuple[int, list[list[int]], int, int, bool]:
        """A best move as in `choose`, the squares that the mover gets more from here on, nodes, whether it is known.

        It is not where more than `most` free squares, or 26 in all, matter to any crystal. Raises ValueError for other
        than two seats, and where a swap is possible.
        """


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
    options = game.options
    made = _built().TicTacToe(list(options.sides), options.line, options.misere, options.gravity, options.exact)
    return cast(TicTacToeKernel, made)


@cache
def ultimate(game: Ultimate) -> Kernel:
    """The kernel of a game. Raises RuntimeError where the kernels aren't built."""
    options = game.options
    return cast(Kernel, _built().Ultimate(not game.closes, options.no_line == "count", options.misere))


def kernel_of(game: Game) -> Kernel:
    """The kernel of a game of any family that has one. Raises ValueError, and RuntimeError where none is built."""
    made = _KERNELS.get(type(game))
    if made is None:
        raise ValueError(f"no kernel for {game.spec}")
    return made(game)


def text_of(state: State) -> str:
    """A position as its game's kernel reads it. Raises ValueError where there is none."""
    made = _TEXTS.get(type(state))
    if made is None:
        raise ValueError(f"no kernel for {state.game.spec}")
    return made(state)


def new_tree(game: Game) -> SearchTree:
    """An empty tree for UCT. Raises ValueError for games whose kernel keeps none."""
    if type(game) not in _WITH_TREES:
        raise ValueError(f"no tree for {game.spec}")
    return cast(SearchTree, _built().Tree())


def _built() -> Any:
    if (module := _module()) is None:
        raise RuntimeError("kletka._kernels is not built")
    return module


@cache
def shared(game: SharedTicTacToe) -> SharedTicTacToeKernel:
    """The kernel of a game of shared signs. Raises RuntimeError where the kernels aren't built."""
    options = game.options
    rules = (options.line, options.misere, options.gravity, options.exact, options.boards, game.wild)
    return cast(SharedTicTacToeKernel, _built().SharedTicTacToe(list(options.sides), *rules))


def cells_text(state: Marks | Signs) -> str:
    """The marks of a position, cell by cell, as kernels read it."""
    return "".join([state.sign(cell) or "." for cell in range(state.game.cells)])


@cache
def orapa(game: Orapa) -> OrapaKernel:
    """The kernel of a game. Raises RuntimeError where the kernels aren't built."""
    options = game.options
    return cast(OrapaKernel, _built().Orapa(game.gems, options.whites, options.answer == "bounces"))


MOST_LINES = 128
"""Of a dots game in C++."""


@cache
def dots(game: Dots) -> DotsKernel:
    """The kernel of a game. Raises RuntimeError where the kernels aren't built, ValueError above MOST_LINES."""
    board = game.board
    drawn = [line for line in range(len(board.lines)) if board.border >> line & 1]
    coins = [list(sides) for sides in board.sides]
    return cast(DotsKernel, _built().Dots(len(board.lines), coins, drawn, game.options.misere, game.seats))


def lines_text(state: Lines) -> str:
    """Lines, turn, who has left and scores, as kernels read them."""
    lines = f"{state.drawn:0{len(state.game.lines)}b}"[::-1]
    gone = "".join(str(int(seat in state.gone)) for seat in range(state.game.seats))
    return f"{lines} {state.turn or 0} {gone} {','.join(map(str, state.scores))}"


@lru_cache(maxsize=32)
def crystals(game: Crystals) -> CrystalsKernel:
    """The kernel of a game. Raises RuntimeError where the kernels aren't built."""
    options, board, paper = game.options, game.board, game.paper
    cut = "".join(".#"[not board.mask >> i & 1] for i in range(board.width * board.height))
    rules = (game.seats, paper.axes, paper.interlock, paper.full, paper.least, options.claims == "any", options.swap)
    return cast(CrystalsKernel, _built().Crystals(board.width, board.height, cut, *rules))


def crystals_text(state: Sheet) -> str:
    """The squares row by row from below, turn, scores, who has passed and who has left, as the kernel reads them."""
    board, seats = state.game.board, range(state.game.seats)
    signs = ["#"] * (board.width * board.height)
    for number in members(state.free):
        signs[number] = "."
    for seat in seats:
        for number in members(state.atoms(seat)):
            signs[number] = "abcdef"[seat]
    passed, gone = ("".join(str(int(seat in some)) for seat in seats) for some in (state.passed, state.gone))
    turn = "-" if state.turn is None else state.turn
    return f"{''.join(signs)} {turn} {','.join(map(str, state.scores))} {passed} {gone}"


def boards_text(state: Boards) -> str:
    """The marks, move by move, the owners, and the board to play in (`-` for any), as the kernel reads them."""
    marks = [state.sign(board, cell) or "." for board in range(9) for cell in range(9)]
    owners = ["." if (owner := state.owner(board)) is None else "xo"[owner] for board in range(9)]
    return "".join([*marks, *owners, "-" if state.target is None else str(state.target)])


_KERNELS: Mapping[type, Callable[[Any], Kernel]] = {TicTacToe: tictactoe, Ultimate: ultimate, Dots: dots}
_TEXTS: Mapping[type, Callable[[Any], str]] = {Marks: cells_text, Boards: boards_text, Lines: lines_text}
_WITH_TREES = (Ultimate, Dots)
