"""Tic-tac-toe in two and three dimensions, with the many ways to play it: one family, three kinds of state."""

from __future__ import annotations

from kletka.games.family import Family, Preset
from kletka.games.tictactoe.board import SIGNS, Board, Options
from kletka.games.tictactoe.claim import Claims, ClaimTicTacToe
from kletka.games.tictactoe.own import Marks, TicTacToe
from kletka.games.tictactoe.shared import SharedTicTacToe, Signs


def make(options: Options) -> TicTacToe | SharedTicTacToe:
    """The game of these options."""
    if options.claim:
        return ClaimTicTacToe(options)
    return TicTacToe(options) if options.marks == "own" else SharedTicTacToe(options)


FAMILY = Family(
    name="tictactoe",
    options=Options,
    make=make,
    presets=(
        Preset("classic", "tictactoe"),
        Preset("qubic", "tictactoe:shape=4x4x4"),
        Preset("cube3", "tictactoe:shape=3x3x3"),
        Preset("gravity", "tictactoe:shape=4x4x4,gravity=true"),
        Preset("five", "tictactoe:shape=15x15,line=5"),
        Preset("wild", "tictactoe:marks=wild"),
        Preset("notakto", "tictactoe:misere=true,marks=crosses"),
        Preset("notakto3", "tictactoe:misere=true,marks=crosses,boards=3"),
        Preset("unnoticed", "tictactoe:shape=4x4x4,claim=true"),
    ),
    reasons=(
        "over",
        "notation",
        "off_board",
        "taken",
        "floating",
        "which_sign",
        "dead_board",
        "not_straight",
        "no_line",
    ),
    results=("line", "misere", "full", "left", "agreed"),
    seat_words=("cross", "nought"),
)

__all__ = [
    "FAMILY",
    "SIGNS",
    "Board",
    "ClaimTicTacToe",
    "Claims",
    "Marks",
    "Options",
    "SharedTicTacToe",
    "Signs",
    "TicTacToe",
    "make",
]
