"""Whole games solved: values from elsewhere, ways that were written apart, and the rules themselves."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from kletka.engines import kernels
from kletka.engines.solving import MOST_SHARED, Unsolvable, solve
from kletka.games import game
from kletka.games.contract import next_seat
from kletka.games.dots import Lines
from tests.engines.test_dots_kernel_rules import after_random, dots

BOARDS = [
    "dots:size=3x4",
    "dots:size=4x4,border=closed",
    "dots:size=3x5,border=icelandic",
    "dots:size=5x5",
    "dots:size=6x6",
    "dots:size=7x7",
    "dots:size=1x8",
    "dots:lattice=triangles,size=4",
    "dots:lattice=triangles,size=6",
    "dots:lattice=triangles,size=8",
    "dots:lattice=triangles,size=7,border=closed",
    "dots:lattice=strip,size=9",
    "dots:size=4x4,misere=true",
    "dots:lattice=triangles,size=5,misere=true",
]


@pytest.mark.parametrize("spec", BOARDS)
def test_searches_agree_with_all_subsets(spec: str) -> None:
    rules = dots(spec)
    free = len(rules.lines) - rules.board.border.bit_count()
    for seed in range(4):
        state = after_random(spec, max(free - 17, 0), seed)
        if state.outcome is not None:
            continue
        low, high, lines, _ = kernels.dots(rules).table(kernels.lines_text(state))
        assert low == high
        for whole in (False, True):
            found = solve(state, whole=whole, outward=seed % 2 == 1, memory=1 << 20)
            assert (found.low, found.high) == (low, low)
            assert list(found.best) == [rules.lines[line] for line in lines]


@cache
def max_n(state: Lines) -> tuple[int, ...]:
    """The coins from here on of each seat under best play of each for itself, by the rules."""
    if state.outcome is not None:
        return (0,) * state.game.seats
    seat = state.to_move
    assert seat is not None
    found: tuple[int, ...] | None = None
    for move in state.moves():
        after = state.play(move)
        then = tuple(more + new - old for more, new, old in zip(max_n(after), after.scores, state.scores, strict=True))
        sign = -1 if state.game.options.misere else 1
        if found is None or sign * then[seat] > sign * found[seat]:
            found = then
    assert found is not None
    return found


@pytest.mark.parametrize(
    "spec",
    [
        "dots:size=2x2,players=3",
        "dots:size=2x3,players=4",
        "dots:size=2x3,players=3,misere=true",
        "dots:lattice=triangles,size=3,players=3",
    ],
)
def test_three_and_four_each_for_itself(spec: str) -> None:
    rules = dots(spec)
    for seed in range(6):
        state = after_random(spec, len(rules.lines) - 8, seed)
        if rules.seats == 4 and seed % 2:
            state = state.without((seed * 3) % 4)
        seat = state.to_move
        assert seat is not None
        order = [seat]
        while (then := next_seat(order[-1], rules.seats, state.gone)) != seat:
            order.append(then)
        found = solve(state)
        assert found.exact
        assert found.coins == tuple(max_n(state)[one] for one in order)
        for move in state.moves():
            after = state.play(move)
            own = max_n(after)[seat] + after.scores[seat] - state.scores[seat]
            assert (move in found.best) == (own == found.coins[0])


def test_what_was_stopped_is_not_known() -> None:
    state = game("dots").start()
    asked = iter(range(10**9))
    found = solve(state, poll=lambda: next(asked) > 5)
    assert not found.exact
    assert found.best == ()
    assert found.low < found.high
    shared = solve(game("dots:size=3x3,players=3").start(), poll=lambda: True)
    assert not shared.exact


def test_progress_tells_what_is_known() -> None:
    told: list[tuple[int, int, int]] = []
    found = solve(game("dots:size=3x3").start(), progress=lambda *known: told.append(known))
    assert told
    assert all(low <= -3 <= high for low, high, _ in told)
    assert told[-1][:2] == (found.low, found.high) == (-3, -3)
    assert [nodes for *_, nodes in told] == sorted(nodes for *_, nodes in told)


def test_an_answer_does_not_hang_on_memory() -> None:
    state = after_random("dots:size=5x5", 36, 3)
    assert len({(solve(state, memory=memory).low, solve(state, memory=memory).best) for memory in (1, 1 << 26)}) == 1


def test_games_without_a_solver() -> None:
    with pytest.raises(Unsolvable) as refused:
        solve(game("crystals").start())
    assert refused.value.code == "no_solver"
    large = game("dots:players=3").start()
    with pytest.raises(Unsolvable) as refused:
        solve(large)
    assert (refused.value.code, refused.value.facts) == ("too_large_to_solve", {"most": MOST_SHARED})


def test_the_same_for_every_seat_order() -> None:
    # Who has how many coins by now takes no part.
    state = after_random("dots:size=4x4", 24, 5)
    rng = Random(1)
    owners = tuple(None if owner is None else rng.randrange(2) for owner in state.owners)
    other = Lines(state.game, state.drawn, owners, state.turn, state.gone)
    assert solve(state).low == solve(other).low


@pytest.mark.parametrize(("spec", "lines"), [("dots:size=2x2", 12), ("dots:size=1x3", 10), ("dots:size=1x4", 13)])
def test_tables_count_every_subset(spec: str, lines: int) -> None:
    for state in (game(spec).start(), game(f"{spec},players=3").start()):
        assert isinstance(state, Lines)
        kernel, text = kernels.dots(state.game), kernels.lines_text(state)
        nodes = kernel.table(text)[3] if state.game.seats == 2 else kernel.shares(text)[2]
        assert nodes == 1 << lines
