"""The kernel of Orapa Mine and its players against the rules, published numbers and a search in Python alone."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

import kletka
from kletka.engines import level
from kletka.engines.base import Limit
from kletka.engines.echoes import every_mine, search
from kletka.engines.kernels import enabled, orapa
from kletka.engines.orapa import KERNEL, RULES, Sleuth, by_kernel, by_rules
from kletka.games import State
from kletka.games.orapa import Hunt, Orapa
from kletka.games.orapa.gems import CELLS, PORTS, placements
from kletka.games.orapa.mine import GEM_COLOURS, INGREDIENTS, Mine, contents, random_mine, text_of, wave

needs_kernel = pytest.mark.skipif(not enabled(), reason="without kernels")
SAMPLE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
PUBLISHED = ("B", "2", "C", "E", "8", "15", "M", "H", "13", "9", "K", "N", "6", "7", "D")
"""The waves of a game on Board Game Arena in this mine."""
BITS = {"R": 1, "Y": 2, "B": 4, "W": 8}
TOLD = ("nothing", "red", "yellow", "blue", "white", "transparent", "absorbed")


def game(spec: str) -> Orapa:
    made = kletka.game(spec)
    assert isinstance(made, Orapa)
    return made


def numbers(mine: Mine) -> list[int]:
    return [placements(placed.gem).index(placed) for placed in mine]


def after(waves: tuple[str, ...], spec: str = "orapa:whites=free") -> Hunt:
    state = game(spec).start(SAMPLE)
    for port in waves:
        state = state.play(state.game.parse(port)).play(state.game.parse("done"))
    return state.seen_by(0)


@needs_kernel
@pytest.mark.parametrize("spec", ["orapa", "orapa:diamond=true", "orapa:diamond=true,blackbody=true,whites=free"])
def test_waves_and_squares_equal_the_rules(spec: str) -> None:
    made = game(spec)
    kernel = orapa(made)
    assert kernel.counts == [len(placements(gem)) for gem in made.gems]
    rng = Random(spec)
    for _ in range(300):
        mine = random_mine(rng, made.gems, made.options.whites)
        assert kernel.legal(numbers(mine))
        for port, (exit_, colours, bounces) in enumerate(kernel.waves(numbers(mine))):
            done = wave(mine, port)
            if done.exit is None:
                assert exit_ == -1
            else:
                mixed = sum(BITS[letter] for letter in INGREDIENTS[done.colour])
                assert (exit_, colours, bounces) == (done.exit, mixed, done.bounces)
        where = contents(mine)
        told = [GEM_COLOURS[where[cell].gem] if cell in where else "nothing" for cell in range(len(CELLS))]
        assert [TOLD[said] for said in kernel.cells(numbers(mine))] == told


@needs_kernel
def test_random_arrangements_are_legal_where_the_rules_say_so() -> None:
    rng = Random(2)
    for whites in ("not_centred", "free", "no_common_axis"):
        made = game(f"orapa:whites={whites}")
        legal = 0
        for _ in range(3000):
            mine = tuple(rng.choice(placements(gem)) for gem in made.gems)
            legal += orapa(made).legal(numbers(mine))
            assert orapa(made).legal(numbers(mine)) == (made.faults(mine) == ())
        assert legal > 100


@needs_kernel
@pytest.mark.parametrize(
    ("whites", "total"),
    [("not_centred", 16_785_549_140), ("free", 17_053_178_776), ("no_common_axis", 15_332_817_284)],
)
def test_the_exact_numbers_of_legal_mines(whites: str, total: int) -> None:
    counted, holding = orapa(game(f"orapa:whites={whites}")).count()
    assert counted == total
    assert [sum(gem) for gem in holding] == [total] * 5
    if whites != "not_centred":
        return
    # 200,000 mines drawn by the rules, by placement: how far from what is expected, in standard deviations.
    rng = Random(2026)
    draws = 200_000
    seen = [[0] * len(gem) for gem in holding]
    index = [{placed: number for number, placed in enumerate(placements(gem))} for gem in "RYBWS"]
    for _ in range(draws):
        for gem, placed in enumerate(random_mine(rng, "RYBWS", whites)):
            seen[gem][index[gem][placed]] += 1
    for counts, exact in zip(seen, holding, strict=True):
        expected = [draws * number / total for number in exact]
        assert all(count == 0 for count, wanted in zip(counts, expected, strict=True) if not wanted)
        chi = sum((c - e) ** 2 / e for c, e in zip(counts, expected, strict=True) if e)
        freedom = sum(e > 0 for e in expected) - 1
        # The cube root of chi-square is nearly normal (Wilson and Hilferty 1931); 3.09 is p = 0.001.
        normal = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom))
        assert normal < 3.09


@pytest.mark.parametrize("engine", [pytest.param(KERNEL, marks=needs_kernel), RULES], ids=lambda e: e.name)
def test_the_published_game_has_one_mine_known_after_seven_waves(engine: Sleuth) -> None:
    for asked in (7, 15):
        known = engine.deduce(after(PUBLISHED[:asked]), Limit(nodes=2_000_000), 512, Random(1), None)
        assert known.complete
        assert [text_of(mine) for mine in known.mines] == [SAMPLE]
    known = engine.deduce(after(PUBLISHED[:6]), Limit(nodes=2_000_000), 512, Random(1), None)
    assert known.complete
    assert len({text_of(mine) for mine in known.mines}) == 10


@needs_kernel
def test_the_published_game_leaves_4182_mines_after_five_waves() -> None:
    known = by_kernel(after(PUBLISHED[:5]), Limit(nodes=5_000_000), 8192, Random(1), None)
    assert known.complete
    assert len({text_of(mine) for mine in known.mines}) == len(known.mines) == 4182


@needs_kernel
@pytest.mark.parametrize(
    ("spec", "waves", "cells"),
    [("orapa", 16, 4), ("orapa:answer=bounces", 8, 50), ("orapa:diamond=true,blackbody=true,whites=free", 10, 50)],
)
def test_kernel_and_python_list_the_same_mines(spec: str, waves: int, cells: int) -> None:
    made = game(spec)
    compared = 0
    for seed in range(6):
        rng = Random(f"{spec} {seed}")
        state: State = made.start(made.deal(rng))
        questions = [*rng.sample(PORTS, waves), *rng.sample(CELLS, cells)]
        for question in questions:
            if not state.refuses(question):
                state = state.play(made.parse(question)).play(made.parse("done"))
        view = state.seen_by(0)
        assert isinstance(view, Hunt)
        known = by_kernel(view, Limit(nodes=1_000_000), 400, rng, None)
        if known.complete:
            options = made.options
            listed = {text_of(mine) for mine in every_mine(made.gems, options.whites, options.answer, view.log)}
            assert {text_of(mine) for mine in known.mines} == listed
            compared += 1
    assert compared >= 3


def test_a_log_that_no_mine_explains_leaves_none() -> None:
    view = game("orapa").read("~ A=11.transparent,1A=white 0! - - -")
    assert by_rules(view, Limit(nodes=10_000), 16, Random(1), None).mines == ()
    if enabled():
        assert by_kernel(view, Limit(nodes=10_000), 16, Random(1), None).mines == []
    for number in (1, 8):
        move = level(view.game, number).choose(view, Random(1)).move
        assert view.refuses(move) == ()


def test_a_search_within_few_nodes_ends() -> None:
    log = after(PUBLISHED[:2]).log
    for nodes in (1, 10, 100):
        found = search("RYBWS", "free", "colour", log, (), nodes, 8, Random(3))
        assert not found.complete
        assert found.visited <= nodes + 200


@pytest.mark.parametrize(
    "spec",
    [
        "orapa",
        "orapa:players=3,lives=1,whites=no_common_axis",
        "orapa:answer=bounces",
        "orapa:mode=duel",
        "orapa:mode=duel,diamond=true,blackbody=true",
    ],
)
def test_levels_play_whole_games_and_only_legal_moves(spec: str) -> None:
    made = game(spec)
    for low, high in ((1, 8), (4, 6)):
        rng = Random(f"{spec} {low}")
        state: State = made.start(made.deal(rng))
        players = [level(made, high if seat % 2 else low) for seat in range(made.seats)]
        while state.to_move is not None:
            view = state.seen_by(state.to_move)
            choice = players[state.to_move].choose(view, rng)
            assert view.refuses(choice.move) == ()
            state = state.play(choice.move)


@needs_kernel
def test_the_top_level_needs_at_most_nine_questions_on_average() -> None:
    made = game("orapa:whites=free")
    player = level(made, 8)
    asked = wrong = 0
    games = 25
    for seed in range(games):
        rng = Random(f"mine {seed}")
        state: State = made.start(made.deal(rng))
        while state.to_move is not None:
            state = state.play(player.choose(state.seen_by(0), rng).move)
        assert isinstance(state, Hunt)
        assert state.right == (0,)
        asked += len(state.logs[0])
        wrong += len(state.tried[0]) - 1
    assert asked / games <= 9
    assert wrong == 0
