"""The kernel plays by the Python rules: same counts of move sequences, same random games, move for move."""

from __future__ import annotations

import pytest

from kletka.engines import kernels
from kletka.engines.playouts import playouts
from kletka.games import game, perft
from kletka.games.tictactoe import TicTacToe
from tests.engines.twins import after_random


def kernel(spec: str) -> kernels.TicTacToeKernel:
    rules = game(spec)
    assert isinstance(rules, TicTacToe)
    return kernels.tictactoe(rules)


def test_the_kernels_are_built() -> None:
    assert kernels.enabled()


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("tictactoe", 7),
        ("tictactoe:misere=true", 6),
        ("tictactoe:gravity=true", 9),
        ("tictactoe:shape=1x7,line=3", 7),
        ("tictactoe:shape=7x1,line=2", 6),
        ("tictactoe:shape=3x3,line=1", 3),
        ("tictactoe:shape=5x4,line=3", 4),
        ("tictactoe:shape=4x5,line=4,gravity=true,misere=true", 6),
        ("tictactoe:shape=2x2x2", 8),
        ("tictactoe:shape=2x3x4", 4),
        ("tictactoe:shape=3x3x3", 4),
        ("tictactoe:shape=3x3x3,gravity=true,misere=true", 5),
        ("tictactoe:shape=4x4x4", 3),
        ("tictactoe:shape=4x4x4,gravity=true", 4),
        ("tictactoe:shape=8x8,line=2", 3),
        ("tictactoe:shape=9x9,line=3", 3),
        ("tictactoe:shape=19x19,line=5", 2),
        ("tictactoe:shape=8x8x8,line=2", 2),
        ("tictactoe:shape=1x8,line=3,exact=true", 8),
        ("tictactoe:shape=4x4,line=2,exact=true", 4),
        ("tictactoe:shape=5x4,line=3,gravity=true,misere=true,exact=true", 6),
        ("tictactoe:shape=3x4x3,line=3,exact=true", 3),
        ("tictactoe:shape=3x3,line=1,exact=true", 3),
    ],
)
def test_perft(spec: str, depth: int) -> None:
    state = game(spec).start()
    empty = "." * kernel(spec).cells
    for ply in range(depth + 1):
        assert kernel(spec).perft(empty, ply) == perft(state, ply)


def test_perft_of_the_whole_classic_game() -> None:
    # The first five are OpenSpiel's counts too; 127,872 of all 255,168 games fill the board (well known).
    k = kernel("tictactoe")
    assert [k.perft("." * 9, depth) for depth in range(10)] == [
        1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe:shape=4x4x4",
        "tictactoe:shape=4x4x4,gravity=true",
        "tictactoe:shape=15x15,line=5",
        "tictactoe:shape=4x4,line=3,misere=true",
    ],
)
def test_perft_from_positions_within_games(spec: str) -> None:
    for seed in range(20):
        state = after_random(spec, 3 + seed % 12, seed)
        assert kernel(spec).perft(kernels.cells_text(state), 2) == perft(state, 2)


@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("tictactoe", 400),
        ("tictactoe:misere=true", 400),
        ("tictactoe:gravity=true", 300),
        ("tictactoe:shape=4x3,line=3", 200),
        ("tictactoe:shape=3x3x3", 100),
        ("tictactoe:shape=3x3x3,misere=true,gravity=true", 100),
        ("tictactoe:shape=4x4x4", 100),
        ("tictactoe:shape=4x4x4,gravity=true", 100),
        ("tictactoe:shape=8x8,line=5", 50),
        ("tictactoe:shape=10x12,line=4,gravity=true", 30),
        ("tictactoe:shape=15x15,line=5", 20),
        ("tictactoe:shape=19x19,line=6,misere=true", 5),
        ("tictactoe:shape=8x8x8", 3),
        ("tictactoe:shape=8x8x8,line=3,gravity=true", 10),
        ("tictactoe:shape=1x9,line=3,exact=true", 300),
        ("tictactoe:shape=5x5,line=3,exact=true", 100),
        ("tictactoe:shape=4x4x4,line=3,misere=true,exact=true", 50),
        ("tictactoe:shape=10x12,line=4,gravity=true,exact=true", 30),
        ("tictactoe:shape=15x15,line=5,exact=true", 20),
    ],
)
def test_the_same_random_games(spec: str, games: int) -> None:
    state = game(spec).start()
    for seed in (0, 1, 2**64 - 1):
        assert kernel(spec).playouts("." * kernel(spec).cells, seed, games) == playouts(state, seed, games)


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:shape=4x4x4", "tictactoe:shape=15x15,line=5"])
def test_the_same_random_games_on_every_processor(spec: str) -> None:
    empty = "." * kernel(spec).cells
    assert kernel(spec).playouts(empty, 7, 2000, portable=True) == kernel(spec).playouts(empty, 7, 2000)


def test_the_same_random_games_from_a_position() -> None:
    for seed in range(20):
        state = after_random("tictactoe:shape=4x4x4", 10, seed)
        text = kernels.cells_text(state)
        assert kernel("tictactoe:shape=4x4x4").playouts(text, seed, 20) == playouts(state, seed, 20)


def test_play_outs_of_a_finished_game_count_its_result() -> None:
    won = kernel("tictactoe").playouts("xxxoo....", 1, 5)
    assert won[:3] == (5, 0, 0)
    assert kernel("tictactoe:misere=true").playouts("xxxoo....", 1, 5)[:3] == (0, 5, 0)
    assert kernel("tictactoe").playouts("xoxxoooxx", 1, 5)[:3] == (0, 0, 5)


@pytest.mark.parametrize("text", ["", "x", "........o", "xx.......", "........?", "." * 10])
def test_no_position(text: str) -> None:
    with pytest.raises(ValueError, match="position"):
        kernel("tictactoe").perft(text, 1)


def test_floating_marks_are_no_position() -> None:
    with pytest.raises(ValueError, match="floating"):
        kernel("tictactoe:gravity=true").perft("......x..", 1)
    assert kernel("tictactoe:gravity=true").perft("x........", 1) == 3


def test_no_search_of_a_finished_game() -> None:
    for search in (kernel("tictactoe").alphabeta, kernel("tictactoe").uct):
        with pytest.raises(ValueError, match="over"):
            search("xxxoo....", 10, 1)


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        ("tictactoe", 8),
        ("tictactoe:shape=3x3x3", 49),
        ("tictactoe:shape=4x4x4", 76),
        ("tictactoe:shape=5x5x5", 109),
        ("tictactoe:shape=8x8x8", 244),
        ("tictactoe:shape=15x15,line=5", 572),
        ("tictactoe:shape=3x3,line=1", 9),
    ],
)
def test_number_of_lines(spec: str, lines: int) -> None:
    # ((n + 2)^k - n^k) / 2 on a cube of side n in k dimensions; 2 * 15 * 11 + 2 * 11 * 11 on 15x15.
    assert kernel(spec).lines == lines
