"""The kernel of dots games plays by the Python rules: same counts of move sequences, same random games."""

from __future__ import annotations

from random import Random

import pytest

from kletka.engines import kernels
from kletka.engines.playouts import playouts
from kletka.games import game, perft
from kletka.games.dots import Dots, Lines


def dots(spec: str) -> Dots:
    rules = game(spec)
    assert isinstance(rules, Dots)
    return rules


def after_random(spec: str, moves: int, seed: object, leaving: tuple[int, ...] = ()) -> Lines:
    """A position after so many random moves, with these seats leaving somewhere on the way."""
    rng = Random(f"{spec}/{seed}")
    state = dots(spec).start()
    when = {rng.randrange(moves): seat for seat in leaving}
    for number in range(moves):
        if number in when:
            state = state.without(when[number])
        if state.to_move is None:
            break
        state = state.play(state.sample(rng))
    return state


def start(spec: str) -> str:
    return kernels.lines_text(dots(spec).start())


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("dots:size=1x1", 4),
        ("dots:size=2x2", 4),
        ("dots:size=3x3,border=icelandic", 3),
        ("dots:size=2x2,border=closed", 4),
        ("dots:size=2x3,players=3", 4),
        ("dots:lattice=triangles,size=2", 5),
        ("dots:lattice=triangles,size=3,border=closed,players=4", 4),
        ("dots:lattice=strip,size=2,border=closed", 4),
        ("dots:lattice=strip,size=1", 3),
        ("dots:size=7x7,misere=true", 2),
    ],
)
def test_perft(spec: str, depth: int) -> None:
    kernel = kernels.dots(dots(spec))
    for ply in range(depth + 2):
        assert kernel.perft(start(spec), ply) == perft(dots(spec).start(), ply)


def test_perft_of_two_by_two() -> None:
    # OpenSpiel's counts of dots_and_boxes(num_rows=2,num_cols=2).
    kernel = kernels.dots(dots("dots:size=2x2"))
    counts = [kernel.perft(start("dots:size=2x2"), depth) for depth in range(1, 6)]
    assert counts == [12, 132, 1320, 11880, 95040]


SPECS = [
    "dots:size=1x1",
    "dots:size=2x2",
    "dots:size=3x4",
    "dots:size=3x3,misere=true",
    "dots:size=5x5",
    "dots:size=4x4,border=closed",
    "dots:size=4x5,border=icelandic,misere=true",
    "dots:size=6x6,players=3",
    "dots:size=7x7",
    "dots:size=7x8",
    "dots:lattice=triangles",
    "dots:lattice=triangles,size=4,players=4",
    "dots:lattice=triangles,size=8,border=closed,misere=true,players=3",
    "dots:lattice=strip,size=6",
    "dots:lattice=strip,size=4,border=closed,misere=true",
]


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_random_games(spec: str) -> None:
    kernel = kernels.dots(dots(spec))
    for seed in (0, 1, 2**64 - 1):
        assert kernel.playouts(start(spec), seed, 12) == playouts(dots(spec).start(), seed, 12)


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_random_games_on_every_processor(spec: str) -> None:
    kernel = kernels.dots(dots(spec))
    assert kernel.playouts(start(spec), 7, 300, portable=True) == kernel.playouts(start(spec), 7, 300)


@pytest.mark.parametrize("spec", ["dots:size=4x4", "dots:size=8x6,players=4", "dots:lattice=triangles,players=3"])
def test_the_same_random_games_from_a_position(spec: str) -> None:
    seats = dots(spec).seats
    for seed in range(12):
        state = after_random(spec, 4 + 2 * seed, seed, tuple(range(seed % (seats - 1))))
        assert kernels.dots(dots(spec)).playouts(kernels.lines_text(state), seed, 10) == playouts(state, seed, 10)


def test_play_outs_of_a_finished_game_count_its_result() -> None:
    left = dots("dots:players=3").start().without(0).without(2)
    assert kernels.dots(left.game).playouts(kernels.lines_text(left), 1, 5)[:4] == (0, 5, 0, 0)
    full = dots("dots:size=1x2").read("1111111 12 -")
    assert kernels.dots(full.game).playouts(kernels.lines_text(full), 1, 5)[:3] == (0, 0, 5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0000",
        "0000 0 00",
        "000 0 00 0,0",
        "00000 0 00 0,0",
        "0002 0 00 0,0",
        "0000 2 00 0,0",
        "0000 0 0 0,0",
        "0000 0 10 0,0 ",
        "0000 0 10 0,0,0",
        "0000 0 11 0,0",
        "0000 0 02 0,0",
        "0000 0 00 0",
        "0000 0 00 ,0",
        "0000 0 00 0,",
        "0000 0 00 0,x",
        "0000 0 00 1,0",
        "1111 0 00 1,1",
        "1111 0 00 999999999999,0",
        "0000 0 00 0,0 0",
    ],
)
def test_no_position(text: str) -> None:
    with pytest.raises(ValueError, match="position"):
        kernels.dots(dots("dots:size=1x1")).perft(text, 1)


def test_lines_of_the_border_are_always_drawn() -> None:
    game = dots("dots:size=2x2,border=closed")
    assert kernels.dots(game).perft(start(game.spec), 1) == 4
    with pytest.raises(ValueError, match="border"):
        kernels.dots(game).perft("0" * 12 + " 0 00 0,0", 1)


def test_a_seat_that_left_has_no_turn() -> None:
    with pytest.raises(ValueError, match="turn"):
        kernels.dots(dots("dots:size=1x1,players=3")).perft("0000 1 010 0,0,0", 1)


def test_no_kernel_above_its_size() -> None:
    with pytest.raises(ValueError, match="lines"):
        kernels.dots(dots("dots:size=8x8"))


@pytest.mark.parametrize("lines", [1, 63, 64, 65, 127, 128, 129])
def test_any_graph_up_to_128_lines(lines: int) -> None:
    """Lines in a row, each closing a coin with the next: a graph that no lattice has."""
    from kletka import _kernels

    coins = [[line, line + 1] for line in range(lines - 1)] or [[0]]
    if lines > kernels.MOST_LINES:
        with pytest.raises(ValueError, match="lines"):
            _kernels.Dots(lines, coins, [])
        return
    kernel = _kernels.Dots(lines, coins, [])
    empty = "0" * lines + " 0 00 0,0"
    assert [kernel.perft(empty, depth) for depth in range(3)] == [1, lines, lines * (lines - 1)]
    *wins, draws, _ = kernel.playouts(empty, 1, 50)
    assert sum(wins) + draws == 50
    move, _, _, _, _ = kernel.uct(empty, 500, 1)
    assert 0 <= move < lines
