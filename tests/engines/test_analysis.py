"""What is thought of positions: proofs equal those of a plain solver, and moves are judged by what they gave away."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from random import Random

import pytest

from kletka.engines import Judgement, Line, analyse, effort, judge, review, think, weigh
from kletka.engines.shares import shares
from kletka.games import Move, State, game

SOLVED = (
    ("tictactoe", 0),
    ("tictactoe:misere=true", 0),
    ("tictactoe:gravity=true", 0),
    ("tictactoe:claim=true", 2),
    ("tictactoe:misere=true,marks=crosses", 0),
    ("tictactoe:marks=wild", 3),
    ("dots:size=2x2", 4),
    ("dots:size=2x2,misere=true", 4),
    ("dots:lattice=triangles,size=2", 0),
)
"""Games, and after how many moves a plain solver knows all about them soon enough."""


@cache
def share(state: State) -> float:
    """The first seat's share of the win where both seats play their best: plain minimax on the rules."""
    if state.outcome is not None:
        return shares(state.outcome, 2)[0]
    best = max if state.to_move == 0 else min
    return best(share(state.play(move)) for move in state.moves())


def worth(state: State, move: Move) -> float:
    """What a move is worth to its mover."""
    first = share(state.play(move))
    return first if state.to_move == 0 else 1 - first


def positions(spec: str, after: int, count: int) -> Iterator[State]:
    """Positions of random games from a number of moves on."""
    rng = Random(spec)
    while count:
        state = game(spec).start()
        for _ in range(after + rng.randrange(3)):
            if state.to_move is not None:
                state = state.play(rng.choice(state.moves()))
        if state.to_move is not None:
            count -= 1
            yield state


@pytest.mark.parametrize(("spec", "after"), SOLVED)
def test_every_score_of_a_small_game_is_proven_and_right(spec: str, after: int) -> None:
    for state in positions(spec, after, 6):
        found = analyse(state, effort(state), Random(1), lines=10)
        assert len(found.lines) == min(10, len(state.moves()))
        for line in found.lines:
            assert line.exact
            assert line.score == worth(state, line.move)
        assert found.lines[0].score == max(worth(state, move) for move in state.moves())


@pytest.mark.parametrize(("spec", "after"), SOLVED)
def test_marks_of_a_small_game_are_those_of_a_solver(spec: str, after: int) -> None:
    for state in positions(spec, after, 4):
        best = max(worth(state, move) for move in state.moves())
        for move in state.moves():
            weighed = weigh(state, move, effort(state), Random(2))
            assert (weighed.best.score, weighed.played.score) == (best, worth(state, move))
            assert weighed.judgement.proven
            assert weighed.judgement.fell == best - worth(state, move)
            if not weighed.judgement.fell:
                assert weighed.judgement.kind in ("best", "good")
            elif (best, worth(state, move)) == (1, 0):
                assert weighed.judgement.kind == "blunder"
            else:
                assert weighed.judgement.kind == "mistake"


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:misere=true,marks=crosses", "dots:size=2x2"])
def test_what_is_the_same_by_symmetry_is_worth_the_same(spec: str) -> None:
    state = game(spec).start()
    actions = state.game.actions
    assert actions is not None
    found = {line.move: line.score for line in analyse(state, effort(state), Random(3), lines=99).lines}
    assert set(found) == set(actions)
    assert state.game.symmetries()
    for turned in state.game.symmetries():
        assert {actions[turned[number]]: found[move] for number, move in enumerate(actions)} == found


OPEN = ("tictactoe:shape=4x4x4", "tictactoe:shape=15x15,line=5", "ultimate", "dots", "crystals", "polish")


@pytest.mark.parametrize("spec", OPEN)
def test_lines_can_be_played_and_are_in_order(spec: str) -> None:
    for state in positions(spec, 6, 2):
        found = analyse(state, effort(state), Random(4))
        assert 2 <= len(found.lines) <= 3
        assert len({line.move for line in found.lines}) == len(found.lines)
        # The stages of the search round up: a node more for each move that is looked at.
        assert found.nodes <= 3 * effort(state)
        scores = [line.score for line in found.lines]
        assert None not in scores
        assert scores == sorted(scores, key=lambda score: -(score or 0))
        for line in found.lines:
            assert line.line[0] == line.move
            assert line.score is not None
            assert 0 <= line.score <= 1
            after = state
            for move in line.line:
                after = after.play(move)


@pytest.mark.parametrize("spec", ["tictactoe:shape=4x4x4", "ultimate", "dots:size=4x4", "crystals:board=11x11"])
def test_the_same_in_every_process(spec: str) -> None:
    (state,) = positions(spec, 5, 1)
    found = analyse(state, effort(state), Random(7))
    assert analyse(state, effort(state), Random(7)) == found
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(think, spec, state.position, 7).result() == found
        played = state.moves()[0]
        assert pool.submit(review, spec, state.position, played, 7).result() == weigh(
            state, played, effort(state), Random(7)
        )


def test_giving_away_a_win_in_one_is_a_blunder() -> None:
    state = game("tictactoe:shape=4x4x4").start()
    for move in ("1a4", "1a1", "2a4", "1b1", "3a4", "1c1"):
        state = state.play(state.game.parse(move))
    best = analyse(state, effort(state), Random(1)).lines[0]
    assert (best.move, best.score, best.exact) == ("4a4", 1.0, True)
    # Three in a row of the other side: only a block doesn't lose at once.
    weighed = weigh(state, Move("3c3"), effort(state), Random(1))
    assert weighed.played.exact
    assert weighed.judgement == (1.0, "blunder", True)


def test_secrets_and_more_seats_leave_one_line() -> None:
    for spec in ("orapa:players=2", "orapa:mode=duel", "dots:size=4x4,players=3", "secret", "trio"):
        made = game(spec)
        state = made.start(made.deal(Random(1)))
        assert state.to_move is not None
        view = made.read(state.seen_by(state.to_move).position)
        found = analyse(view, effort(view), Random(2))
        assert len(found.lines) == 1
        assert not view.refuses(found.lines[0].move)
        other = next(move for move in view.moves() if move != found.lines[0].move)
        assert weigh(view, other, effort(view), Random(2)).judgement == (None, "unknown", False)


def test_a_search_that_is_stopped_names_a_move() -> None:
    state = game("ultimate").start()
    found = analyse(state, effort(state), Random(1), stop=lambda: True)
    assert not state.refuses(found.lines[0].move)
    assert found.nodes < effort(state) / 10


def test_a_settled_game_of_crystals_is_won_whatever_is_played() -> None:
    rng = Random(5)
    made = game("crystals:board=15x15")
    settled = 0
    for _ in range(12):
        state = made.start()
        while state.to_move is not None:
            state = state.play(rng.choice(state.moves()[-20:]))
            if state.to_move is None or state.moves()[-1] != "pass" or rng.random() < 0.5:
                continue
            line = analyse(state, 40, Random(1), lines=1).lines[0]
            if line.move != "pass" or not line.exact:
                continue
            settled += 1
            ahead = {state.to_move} if line.score == 1 else {1 - state.to_move}
            end = state
            while end.outcome is None:
                end = end.play(end.sample(rng))
            assert end.outcome.winners == ahead
    assert settled


def line(move: str, score: float | None, exact: bool = False) -> Line:
    return Line(Move(move), score, (Move(move),), exact)


@pytest.mark.parametrize(
    ("best", "played", "kind"),
    [
        (line("a", 0.6), line("a", 0.6), "best"),
        (line("a", 0.6), line("b", 0.51), "good"),
        (line("a", 0.6), line("b", 0.49), "inaccuracy"),
        (line("a", 0.6), line("b", 0.39), "mistake"),
        (line("a", 0.6), line("b", 0.25), "blunder"),
        (line("a", 0.5, True), line("b", 0.5, True), "good"),
        (line("a", 1.0, True), line("b", 0.5, True), "mistake"),
        (line("a", 0.5, True), line("b", 0.0, True), "mistake"),
        (line("a", 1.0, True), line("b", 0.0, True), "blunder"),
        (line("a", 1.0, True), line("b", 0.95), "good"),
        (line("a", None), line("b", 0.5), "unknown"),
        (line("a", 0.5), line("b", None), "unknown"),
    ],
)
def test_thresholds(best: Line, played: Line, kind: str) -> None:
    judged: Judgement = judge(best, played)
    assert judged.kind == kind
    assert judged.proven == (best.exact and played.exact)
