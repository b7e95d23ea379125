"""Chain counting against plain looking at everything, on small boards and random ones that no lattice has."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from kletka.engines import Limit, kernels, level
from kletka.engines.chains import (
    members,
    net_of_offer,
    net_of_strings,
    offered,
    open_string,
    quiet,
    strings,
    take_offer,
)
from kletka.engines.dots import Chains
from kletka.games import game
from kletka.games.dots import Dots, Lines
from tests.engines.test_dots_kernel_rules import after_random, dots

BOARDS = [
    "dots:size=2x3",
    "dots:size=3x3",
    "dots:size=3x4,border=closed",
    "dots:size=4x4,border=icelandic",
    "dots:lattice=triangles,size=3",
    "dots:lattice=triangles,size=4,border=closed",
    "dots:lattice=strip,size=5",
]


@cache
def net(rules: Dots, left: int) -> int:
    """The coins that the mover gets more than the other side, by looking at everything."""
    best = -len(rules.coins) - 1
    for line in members(left):
        rest = left & ~(1 << line)
        closed = sum(not rest & around for _, around in rules.beside[line])
        best = max(best, closed + net(rules, rest) if closed else -net(rules, rest))
    return best if left else 0


def position(spec: str, lines: int, seed: object, careful: bool = False) -> tuple[Dots, int]:
    """A random position with so many lines left; `careful`: safe lines were drawn first."""
    rules = dots(spec)
    rng = Random(f"{spec}/{lines}/{seed}")
    left = rules.all_lines & ~rules.board.border
    while left.bit_count() > lines:
        left &= ~(1 << rng.choice((careful and quiet(rules, left)) or list(members(left))))
    return rules, left


def calm(spec: str, count: int) -> list[tuple[Dots, int]]:
    """Random positions of 4 to 10 lines from which all that was offered has been taken."""
    found = []
    for seed in range(count * 20):
        rules, left = position(spec, 8 + seed % 10, seed, careful=seed % 2 == 0)
        left = take_offer(rules, left, offered(rules, left)).rest
        if 4 <= left.bit_count() <= 10:
            found.append((rules, left))
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("spec", BOARDS)
@pytest.mark.parametrize("careful", [False, True])
def test_taking_in_normal_form_loses_nothing(spec: str, careful: bool) -> None:
    offers = 0
    for seed in range(60):
        rules, left = position(spec, 6 + seed % 6, seed, careful)
        offer = take_offer(rules, left, offered(rules, left))
        offers += offer.take is not None
        assert net_of_offer(offer, net(rules, offer.rest)) == net(rules, left)
        assert not offered(rules, offer.rest)
    assert offers > 5


@pytest.mark.parametrize("spec", BOARDS)
def test_safe_lines_and_openings_hold_a_best_move(spec: str) -> None:
    positions = calm(spec, 30)
    assert len(positions) == 30
    for rules, left in positions:
        offers = [open_string(rules, left, string) for string in strings(rules, left)]
        values = [-net_of_offer(offer, net(rules, offer.rest)) for offer in offers]
        values += [-net(rules, left & ~(1 << line)) for line in quiet(rules, left)]
        assert max(values) == net(rules, left)


def test_strings_that_stand_alone_are_reckoned_right() -> None:
    tried = 0
    for spec in BOARDS:
        for rules, left in calm(spec, 60):
            if not quiet(rules, left) and all(string.alone for string in strings(rules, left)):
                tried += 1
                assert net_of_strings(rules, left) == net(rules, left)
    assert tried > 50


def test_the_last_two_of_a_chain_are_left_where_that_keeps_control() -> None:
    # Nothing but the upright lines of 2x4 is left: two chains of four, the first of which is opened.
    rules = dots("dots:size=2x4")
    upright = sum(1 << i for i, (first, second) in enumerate(rules.board.lines) if first[1] != second[1])
    start = Lines(rules, rules.all_lines & ~upright, (None,) * 8, 0).play(rules.lines[next(members(upright))])
    ends = {}
    for care in (3, 4):
        state = start
        while state.to_move is not None:
            player = Chains(care) if state.to_move == 1 else Chains(3)
            state = state.play(player.choose(state, Limit(), Random(1)).move)
        ends[care] = state.scores
    assert ends == {3: (4, 4), 4: (2, 6)}


@pytest.mark.parametrize("spec", ["dots", "dots:lattice=triangles", "dots:size=6x6,players=3"])
@pytest.mark.parametrize("care", [3, 4])
def test_no_chain_is_opened_while_a_safe_line_is_left(spec: str, care: int) -> None:
    for seed in range(30):
        state = after_random(spec, 4 + seed, seed)
        left = state.game.all_lines & ~state.drawn
        move = state.game.index[Chains(care).choose(state, Limit(), Random(seed)).move]
        if offered(state.game, left):
            assert state.closed_by(move)
        elif safe := quiet(state.game, left):
            assert move in safe


@pytest.mark.parametrize("care", [3, 4])
def test_in_misere_no_coin_is_taken_while_another_line_is_left(care: int) -> None:
    for seed in range(30):
        state = after_random("dots:misere=true,size=4x4", 10 + seed, seed)
        move = Chains(care).choose(state, Limit(), Random(seed)).move
        harmless = [m for m in state.moves() if not state.closed_by(state.game.index[m])]
        if harmless:
            assert move in harmless


@pytest.mark.parametrize("spec", ["dots:size=16x16", "dots:size=16x16,misere=true", "dots:size=9x9,players=4"])
def test_boards_beyond_the_kernel_are_played_to_the_end(spec: str) -> None:
    rules = game(spec)
    assert isinstance(rules, Dots)
    assert len(rules.lines) > kernels.MOST_LINES
    for number in (1, 4, 6):
        rng = Random(number)
        state: Lines = rules.start()
        thinking = level(rules, number)
        others = level(rules, 3)
        while state.to_move is not None:
            seldom = state.drawn.bit_count() % 64 == 0 or number < 6
            state = state.play((thinking if seldom else others).choose(state, rng).move)


def test_without_kernels_dots_games_are_played_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLETKA_KERNELS", "0")
    for spec in ("dots:size=3x3", "dots:size=3x3,misere=true", "dots:size=2x3,players=4"):
        for number in (2, 4, 5):
            rng = Random(number)
            state = game(spec).start()
            while state.to_move is not None:
                state = state.play(level(state.game, number).choose(state, rng).move)
