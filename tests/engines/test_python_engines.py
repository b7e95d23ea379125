"""The searches written from the rules: right where they say so, on games of any seats and order of turns."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from kletka.engines import Choice, Limit, engine
from kletka.engines.forced import Careful, safe_moves, winning_reply, wins_at_once
from kletka.engines.random import RandomEngine
from kletka.engines.shares import advantage, result_for, shares
from kletka.games import Outcome, State, game
from tests.engines import twins
from tests.engines.games import Heaped, SecretHeap, heap


@cache
def best_for(state: Heaped, seat: int) -> float:
    """The share that a seat gets if it plays for itself and all others against it."""
    if state.outcome is not None:
        return advantage(state.outcome, seat, state.game.seats)
    values = [best_for(state.play(move), seat) for move in state.moves()]
    return max(values) if state.to_move == seat else min(values)


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:misere=true", "tictactoe:gravity=true"])
def test_alphabeta_agrees_with_minimax(spec: str) -> None:
    for seed in range(60):
        state = twins.after_random(spec, 2 + seed % 4, seed)
        choice = engine("alphabeta").choose(state, Limit(nodes=100_000), Random(seed))
        assert choice.exact
        assert choice.score == (1 + twins.value(state)) / 2
        assert twins.value_of(state, choice.move) == twins.value(state)
        cut = engine("alphabeta").choose(state, Limit(nodes=150), Random(seed))
        if cut.exact:
            assert cut.score == choice.score


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("misere", [False, True])
def test_alphabeta_with_extra_turns_and_more_seats(seats: int, misere: bool) -> None:
    for size in range(1, 13):
        state = heap(size, seats, misere).start()
        choice = engine("alphabeta").choose(state, Limit(nodes=200_000), Random(size))
        assert choice.score is not None
        assert 2 * choice.score - 1 == pytest.approx(best_for(state, 0))
        assert best_for(state.play(choice.move), 0) == pytest.approx(best_for(state, 0))
        if seats == 2:
            assert choice.exact
        elif choice.exact:
            assert best_for(state, 0) == 1


def test_alphabeta_is_never_exact_without_a_list_of_all_moves() -> None:
    choice = engine("alphabeta").choose(heap(5, closed=False).start(), Limit(nodes=10_000), Random(1))
    assert not choice.exact
    assert choice.move == "3"


@pytest.mark.parametrize("name", ["alphabeta", "uct"])
def test_searches_refuse_games_of_secrets(name: str) -> None:
    with pytest.raises(ValueError, match="different"):
        engine(name).choose(SecretHeap((5, 2, False, True)).start(), Limit(nodes=10), Random(1))
    assert RandomEngine().choose(SecretHeap((5, 2, False, True)).start(), Limit(), Random(1)).score is None


@pytest.mark.parametrize("seats", [2, 3])
def test_uct_finds_the_winning_heap(seats: int) -> None:
    # 3, then 2 more at the same turn: the whole heap of 5 is taken before anybody else moves.
    choice = engine("uct").choose(heap(5, seats).start(), Limit(nodes=5_000), Random(1))
    assert choice.move == "3"
    assert choice.score is not None
    assert choice.score > 0.8
    assert not choice.exact


def test_uct_agrees_with_minimax_where_it_matters() -> None:
    for seed in range(25):
        state = twins.after_random("tictactoe", 4, seed)
        choice = engine("uct").choose(state, Limit(nodes=15_000), Random(seed))
        assert twins.value_of(state, choice.move) == twins.value(state)


@pytest.mark.parametrize("name", ["random", "alphabeta", "uct"])
def test_the_same_seed_gives_the_same_choice(name: str) -> None:
    state = twins.after_random("tictactoe:shape=3x3x3", 4, 1)
    choices = {engine(name).choose(state, Limit(nodes=500), Random(5)) for _ in range(3)}
    assert len(choices) == 1
    assert choices.pop().nodes <= 500


@pytest.mark.parametrize("name", ["alphabeta", "uct"])
def test_stop_and_progress(name: str) -> None:
    told: list[Choice] = []
    state = game("tictactoe:shape=3x3x3").start()
    choice = engine(name).choose(state, Limit(seconds=1000), Random(1), stop=lambda: bool(told), progress=told.append)
    assert told
    assert choice.nodes < 5_000
    by_time = engine(name).choose(state, Limit(seconds=0.01), Random(1))
    assert not state.refuses(by_time.move)


@pytest.mark.parametrize(
    ("spec", "position", "wanted"),
    [
        ("tictactoe", "oo./xx./...", {"c2"}),
        ("tictactoe", "oo./x../x..", {"c3"}),
        ("tictactoe:gravity=true", ".../xoo/xox", {"a3"}),
        ("tictactoe:gravity=true", ".../o../oxx", {"a3"}),
    ],
)
def test_careful_play(spec: str, position: str, wanted: set[str]) -> None:
    state = game(spec).read(position)
    for seed in range(20):
        assert Careful(RandomEngine()).choose(state, Limit(), Random(seed)).move in wanted


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:misere=true", "tictactoe:shape=2x3x3,gravity=true"])
def test_careful_play_against_the_rules(spec: str) -> None:
    for seed in range(150):
        state: State = twins.after_random(spec, 3 + seed % 4, seed)
        move = Careful(RandomEngine()).choose(state, Limit(), Random(seed)).move
        if wins := twins.wins(state):
            assert move in wins
        elif safe := {m for m in twins.blocks(state) if not twins.lost(state, m)}:
            assert move in safe


def test_careful_play_minds_extra_turns_and_misere() -> None:
    state = heap(5).start()
    assert wins_at_once(state, state.moves()) is None
    assert winning_reply(state, state.play(state.moves()[2])) is None
    assert winning_reply(state, state.play(state.moves()[1])) == "3"
    assert safe_moves(state, state.moves()) == ["1", "3"]
    last = heap(2, misere=True).start()
    assert wins_at_once(last, last.moves()) is None
    assert safe_moves(last, last.moves()) == ["1"]
    assert safe_moves(heap(4, 3).start(), heap(4, 3).start().moves()) == ["3"]


def test_careful_play_leaves_secrets_alone() -> None:
    state = SecretHeap((3, 2, False, True)).start()
    assert {Careful(RandomEngine()).choose(state, Limit(), Random(seed)).move for seed in range(30)} == {
        "1",
        "2",
        "3",
    }


def test_shares() -> None:
    alone, shared, nobody = (Outcome(frozenset(w), (0, 0, 0), "x") for w in ({1}, {0, 1}, set[int]()))
    assert shares(alone, 3) == (0, 1, 0)
    assert shares(shared, 3) == (0.5, 0.5, 0)
    assert shares(nobody, 3) == (0, 0, 0)
    assert [advantage(alone, seat, 3) for seat in range(3)] == [-1, 1, -1]
    assert advantage(shared, 0, 2) == advantage(nobody, 0, 2) == 0
    assert [result_for(one, 0) for one in (alone, shared, nobody)] == [0, 0.5, 0.5]
    assert result_for(alone, 1) == 1
