"""Matches repeat by their seed, pair their openings, and end when the result is clear."""

from __future__ import annotations

from random import Random

import pytest

from kletka.engines import (
    Choice,
    Limit,
    MatchResult,
    Player,
    Progress,
    Sprt,
    Stop,
    engine,
    level,
    play_match,
)
from kletka.engines.match import expected_score
from kletka.games import State, game
from tests.engines.games import heap

CUBE = "tictactoe:shape=4x4x4"
CHANCE = Player(engine("random"), Limit())


def test_a_match_repeats_by_its_seed() -> None:
    assert _ends(6, 1) == _ends(6, 1) != _ends(6, 2)


def _ends(games: int, seed: int) -> list[State]:
    ends: list[State] = []
    rules = game(CUBE)
    play_match(
        rules,
        level(rules, 3),
        level(rules, 1),
        games,
        seed,
        opening=4,
        watch=lambda number, end, result: ends.append(end),
    )
    return ends


def test_games_do_not_depend_on_how_many_are_played() -> None:
    assert _ends(8, 1)[:4] == _ends(4, 1)


def test_a_pair_shares_its_opening_and_exchanges_the_seats() -> None:
    rules = game(CUBE)
    first = Player(_First(), Limit())
    result = play_match(rules, first, first, 20, 3, opening=5)
    # The same player on both sides repeats the game of a pair, so each pair is even.
    assert result.pairs == (0.5,) * 10
    assert result.interval == (0.5, 0.5)


class _First:
    name = "first"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        move = view.moves()[0]
        return Choice(move, None, (move,), 0, False)


def test_counts_and_score() -> None:
    rules = game(CUBE)
    result = play_match(rules, level(rules, 5), CHANCE, 20, 1, opening=2)
    assert result.games == 20 == result.wins + result.draws + result.losses
    assert len(result.pairs) == 10
    assert result.score == sum(result.pairs) / 10 > 0.9
    assert result.interval[0] <= result.score <= result.interval[1]
    assert MatchResult().score == 0.5
    assert MatchResult().interval == (0.0, 1.0)


def test_the_sequential_test_ends_a_clear_match() -> None:
    rules = game(CUBE)
    better = play_match(rules, level(rules, 5), CHANCE, 200, 1, opening=2, sprt=Sprt(0, 100))
    assert better.verdict == "better"
    assert better.games < 200
    assert better.games % 2 == 0
    worse = play_match(rules, CHANCE, level(rules, 5), 200, 1, opening=2, sprt=Sprt(0, 100))
    assert worse.verdict == "not better"


def test_the_sequential_test_keeps_its_odds() -> None:
    # Simulated pairs of two independent games at the score of either hypothesis: errors stay near 5 %.
    sprt = Sprt(0, 60)
    for elo, wrong in ((0, "better"), (60, "not better")):
        errors = 0
        for seed in range(200):
            rng = Random(seed)
            pairs: tuple[float, ...] = ()
            while (verdict := sprt.verdict(pairs)) is None and len(pairs) < 3000:
                pairs += tuple(sum(rng.random() < expected_score(elo) for _ in range(2)) / 2 for _ in range(20))
            errors += verdict == wrong
        assert errors <= 20


def test_expected_score() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)


def test_odd_numbers_of_games_are_refused() -> None:
    with pytest.raises(ValueError, match="even"):
        play_match(game("tictactoe"), CHANCE, CHANCE, 3, 1)


def test_openings_that_always_end_the_game_are_refused() -> None:
    with pytest.raises(ValueError, match="ends within"):
        play_match(game("tictactoe"), CHANCE, CHANCE, 2, 1, opening=9)


def test_more_than_two_seats() -> None:
    result = play_match(heap(9, 3), Player(engine("alphabeta"), Limit(nodes=2_000)), CHANCE, 60, 1)
    assert result.games == 60
    assert result.score > 0.4
