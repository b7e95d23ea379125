"""The kernel's searches of dots games: exact values, soundness, determinism, and what levels make of them."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from kletka.engines import Choice, Limit, engine, kernels, level
from kletka.engines.chains import members
from kletka.engines.dots import Chains, KernelDots, Sampled
from kletka.engines.kernel_uct import KernelUct
from kletka.games import game
from kletka.games.dots import Lines
from tests.engines.test_chains import net
from tests.engines.test_dots_kernel_rules import after_random, dots, start

MEMORY = 1 << 24

KNOWN = [
    # Well known or computed by full tables elsewhere: first player's coins minus the second's.
    ("dots:size=1x1", -1),
    ("dots:size=2x2", 2),
    ("dots:size=2x3", -2),
    ("dots:size=3x3", -3),
    ("dots:size=2x2,border=closed", -4),
    ("dots:size=2x2,border=icelandic", 2),
    ("dots:lattice=triangles,size=2", -2),
    ("dots:lattice=triangles,size=3", -3),
    ("dots:lattice=triangles,size=2,border=closed", 4),
    ("dots:lattice=triangles,size=3,border=closed", -3),
    ("dots:lattice=strip,size=1,border=closed", 1),
    ("dots:lattice=strip,size=2,border=closed", -3),
    ("dots:lattice=strip,size=3,border=closed", 5),
]
KNOWN_MISERE = [("dots:size=2x2", -2), ("dots:size=3x3", -1), ("dots:lattice=triangles,size=2", 2)]
"""The second player's coins minus the first's."""


def lines_left(state: Lines) -> int:
    return (state.game.all_lines & ~state.drawn).bit_count()


@pytest.mark.parametrize(("spec", "value"), KNOWN)
def test_known_values(spec: str, value: int) -> None:
    kernel = kernels.dots(dots(spec))
    low, high, best, _ = kernel.exact(start(spec), 500_000, MEMORY)
    assert (low, high) == (value, value)
    assert dots(spec).start().refuses(dots(spec).lines[best[0]]) == ()
    assert kernel.table(start(spec))[:2] == (value, value)


@pytest.mark.parametrize(("spec", "value"), KNOWN_MISERE)
def test_known_values_in_misere(spec: str, value: int) -> None:
    spec += ",misere=true"
    kernel = kernels.dots(dots(spec))
    assert kernel.table(start(spec))[:2] == (value, value)
    assert kernel.exact(start(spec), 2_000_000, MEMORY)[:2] == (value, value)


def test_every_opening_of_three_by_three_is_equally_good() -> None:
    # All 24 of them, one of those that turning and mirroring make of it.
    state = dots("dots:size=3x3").start()
    kernel = kernels.dots(state.game)
    openings = {min(moved[line] for moved in state.game.symmetries()) for line in range(24)}
    after = [state.play(state.game.lines[line]) for line in openings]
    assert len(after) == 4
    assert {kernel.exact(kernels.lines_text(opened), 500_000, MEMORY)[:2] for opened in after} == {(3, 3)}
    assert kernel.exact(start("dots:size=3x3"), 500_000, MEMORY, True)[2] == list(range(24))


def test_narrow_closed_strips_are_won_by_the_first_but_for_two() -> None:
    # Jobson, Sledd, White and Wildstrom (2017).
    for size in range(1, 8):
        spec = f"dots:lattice=strip,size={size},border=closed"
        value, high, _, _ = kernels.dots(dots(spec)).exact(start(spec), 500_000, MEMORY)
        assert value == high
        assert (value > 0) == (size != 2)


@pytest.mark.parametrize(
    "spec", ["dots:size=4x4", "dots:size=5x5,border=closed", "dots:lattice=triangles,size=8", "dots:size=3x3,players=4"]
)
def test_the_search_finds_the_value_of_the_rules(spec: str) -> None:
    rules = dots(spec)
    kernel = kernels.dots(rules)
    for seed in range(25):
        rng = Random(f"{spec}/{seed}")
        lines = list(range(len(rules.lines)))
        left = sum(1 << line for line in rng.sample(lines, 3 + seed % 8)) & ~rules.board.border
        gone = frozenset(range(2, rules.seats))
        state = Lines(rules, rules.all_lines & ~left, (None,) * len(rules.coins), 0, gone)
        if not left:
            continue
        text = kernels.lines_text(state)
        worth = {}
        for line in members(left):
            rest = left & ~(1 << line)
            closed = len(state.closed_by(line))
            worth[line] = closed + net(rules, rest) if closed else -net(rules, rest)
        most = max(worth.values())
        every = [line for line, value in worth.items() if value == most]
        one = kernel.exact(text, 100_000, MEMORY)
        assert one[:2] == (most, most)
        assert one[2][0] in every
        for found in (
            kernel.table(text),
            kernel.exact(text, 100_000, MEMORY, True),
            kernel.exact(text, 100_000, MEMORY, True, whole=True),
            kernel.exact(text, 100_000, 1, True, outward=True),
        ):
            assert found[:3] == (most, most, every)


@cache
def share(state: Lines) -> float:
    """What the mover gets at best, by looking at everything: 1, 1/2 or 0. Two seats."""
    best = 0.0
    for move in state.moves():
        after = state.play(move)
        if after.outcome is not None:
            value = 1 / len(after.outcome.winners) if state.to_move in after.outcome.winners else 0.0
        else:
            value = share(after) if after.to_move == state.to_move else 1 - share(after)
        best = max(best, value)
    return best


def endings(spec: str, lines: int, count: int) -> list[Lines]:
    rules = dots(spec)
    drawn = len(rules.lines) - rules.board.border.bit_count() - lines
    return [after_random(spec, drawn, seed) for seed in range(count)]


@pytest.mark.parametrize(
    "spec",
    [
        "dots:size=2x4",
        "dots:size=3x3",
        "dots:size=3x3,misere=true",
        "dots:size=3x4,misere=true",
        "dots:lattice=triangles,size=4",
        "dots:lattice=strip,size=6,misere=true",
    ],
)
def test_exact_only_where_it_is_right(spec: str) -> None:
    by_play_outs = 0
    for state in endings(spec, 7, 12):
        players = (KernelDots(), KernelDots(exact_lines=0), KernelUct())
        for player in players:
            choice = player.choose(state, Limit(nodes=30_000), Random(1))
            assert state.refuses(choice.move) == ()
            assert choice.line[0] == choice.move
            if player == players[0]:
                assert choice.exact
            by_play_outs += choice.exact and player != players[0]
            if choice.exact:
                assert choice.score == share(state)
                after = state.play(choice.move)
                if after.to_move is not None:
                    assert share(state) == (share(after) if after.to_move == state.to_move else 1 - share(after))
    assert by_play_outs > 5


def test_three_seats_of_which_two_are_left_are_played_exactly() -> None:
    state = after_random("dots:size=2x3,players=3", 9, 4).without(1)
    assert lines_left(state) >= 7
    assert KernelDots().choose(state, Limit(nodes=1000), Random(1)).exact
    whole = after_random("dots:size=2x3,players=3", 9, 4)
    assert not KernelDots().choose(whole, Limit(nodes=1000), Random(1)).exact


def test_a_search_cut_short_is_not_exact() -> None:
    state = dots("dots:size=4x4").start()
    low, high, best, nodes = kernels.dots(state.game).exact(kernels.lines_text(state), 100, MEMORY)
    assert low < high
    assert (best, nodes) == ([], 100)
    choice = KernelDots().choose(state, Limit(nodes=2_000), Random(1))
    assert not choice.exact
    assert choice.score is not None
    assert 0 < choice.score < 1


def test_the_same_for_the_same_seed() -> None:
    state = after_random("dots", 10, 1)
    chosen = [KernelDots(exact_lines=0).choose(state, Limit(nodes=20_000), Random(seed)) for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1]
    assert chosen[0] != chosen[2]


def test_stopping_and_progress() -> None:
    state = dots("dots").start()
    seen: list[Choice] = []
    choice = KernelDots().choose(state, Limit(nodes=10**9), Random(1), stop=lambda: len(seen) > 2, progress=seen.append)
    assert len(seen) == 3
    assert choice.nodes < 10**7
    timed = KernelDots().choose(state, Limit(seconds=0.05), Random(1))
    assert state.refuses(timed.move) == ()


def test_no_search_of_a_finished_game_nor_exact_play_of_three() -> None:
    over = dots("dots:size=1x1").read("1111 1 -")
    kernel = kernels.dots(over.game)
    with pytest.raises(ValueError, match="over"):
        kernel.uct(kernels.lines_text(over), 10, 1)
    with pytest.raises(ValueError, match="over"):
        kernel.exact(kernels.lines_text(over), 10, MEMORY)
    three = dots("dots:size=2x2,players=3")
    with pytest.raises(ValueError, match="two"):
        kernels.dots(three).exact(start(three.spec), 10, MEMORY)
    with pytest.raises(ValueError, match="too many lines"):
        kernels.dots(dots("dots")).table(start("dots"))
    for name in ("chains", "sampled", "kernel-dots"):
        with pytest.raises(ValueError, match="over"):
            engine(name).choose(over, Limit(nodes=10), Random(1))
        with pytest.raises(ValueError, match="dots"):
            engine(name).choose(game("tictactoe").start(), Limit(nodes=10), Random(1))


def test_who_plays_which_level() -> None:
    assert isinstance(level(game("dots"), 4).engine, Chains)
    assert isinstance(level(game("dots:misere=true"), 4).engine, KernelDots)
    assert isinstance(level(game("dots"), 5).engine, KernelDots)
    assert isinstance(level(game("dots:size=7x8"), 5).engine, KernelDots)
    assert isinstance(level(game("dots:size=8x8"), 5).engine, Sampled)
