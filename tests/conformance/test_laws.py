"""The laws that every registered game and preset keeps."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from kletka.games import (
    Game,
    IllegalMove,
    KletkaError,
    Move,
    NotationError,
    State,
    family_of,
    full_spec,
    game,
)
from kletka.games.contract import LONGEST_MOVE, MOVE_TEXT
from tests.conformance.playing import GAMES, odd_texts, random_game, watchers

SEEDS = range(3)
ENOUGH = 2_000
"""Plies of random play after which a game has shown that it ends."""
each_game = pytest.mark.parametrize("played", GAMES, ids=lambda g: g.spec)


@each_game
def test_the_spec_makes_the_game_again(played: Game) -> None:
    assert game(played.spec) == played
    assert hash(game(played.spec)) == hash(played)
    assert game(full_spec(played)) == played
    assert game(full_spec(played)).spec == played.spec
    assert repr(played) == f"kletka.game({played.spec!r})"


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_moves_and_positions_are_texts(played: Game, seed: int) -> None:
    for step in random_game(played, seed, leaving=0.02):
        state = step.state
        moves = state.moves()
        assert moves, "never empty before the end"
        assert len(set(moves)) == len(moves)
        for move in (*moves, step.move):
            if move is not None:
                assert MOVE_TEXT.fullmatch(move)
                assert len(move) <= LONGEST_MOVE
                assert played.parse(move) == move
                assert state.refuses(move) == ()
        for view in {state, *(state.seen_by(seat) for seat in watchers(played))}:
            again = played.read(view.position)
            assert again == view
            assert hash(again) == hash(view)
            assert again.position == view.position == str(view)
            assert (again.to_move, again.scores, again.outcome) == (view.to_move, view.scores, view.outcome)
            assert pickle.loads(pickle.dumps(view)) == view  # noqa: S301 (our own bytes)
            assert repr(view).startswith(repr(played))


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_over_means_one_thing(played: Game, seed: int) -> None:
    last: State | None = None
    for step in random_game(played, seed, leaving=0.01):
        for state in (step.state, step.after):
            over = state.outcome is not None
            assert (state.to_move is None) == over
            assert (len(state.moves()) == 0) == over
            assert len(state.scores) == played.seats
            for seat in watchers(played):
                view = state.seen_by(seat)
                assert (view.to_move, view.scores, view.outcome) == (
                    state.to_move,
                    state.scores,
                    state.outcome,
                )
        last = step.after
    assert last is not None
    if last.outcome:
        assert last.outcome.winners <= set(range(played.seats))
        assert last.outcome.reason in family_of(played).results
        assert last.without(0).outcome == last.outcome, "nothing a leaving seat does changes a result"
        agreed = last.agreed()
        assert agreed.reason in family_of(played).results
        for text in odd_texts(last, Random(seed)):
            reasons = last.refuses(text)
            assert reasons
            try:
                last.play(played.parse(text))
            except (IllegalMove, NotationError):
                continue
            raise AssertionError("a finished game took a move")


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_seeing_and_hearing_agree(played: Game, seed: int) -> None:
    for step in random_game(played, seed, leaving=0.05):
        for seat in watchers(played):
            view = step.state.seen_by(seat)
            assert view.seen_by(seat) == view
            if step.move is not None:
                told = step.state.told(step.move, seat)
                assert MOVE_TEXT.fullmatch(told)
                assert step.after.seen_by(seat) == view.hear(told)
            else:
                assert step.left is not None
                assert step.after.seen_by(seat) == view.without(step.left)


@each_game
def test_every_seat_starts_with_what_everybody_knows(played: Game) -> None:
    for seed in SEEDS:
        state = played.start(played.deal(Random(seed)))
        for seat in watchers(played):
            assert state.seen_by(seat) == played.start()
    if not played.hidden:
        assert played.deal(Random(0)) is None
    with pytest.raises(NotationError):
        played.start("no such set-up")


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_legality_tells_the_mover_nothing_new(played: Game, seed: int) -> None:
    rng = Random(seed)
    codes = set(family_of(played).reasons)
    for step in random_game(played, seed, leaving=0.02):
        state = step.state
        assert state.to_move is not None
        view = state.seen_by(state.to_move)
        assert view.moves() == state.moves()
        for text in odd_texts(state, rng):
            reasons = state.refuses(text)
            assert view.refuses(text) == reasons
            assert {reason.code for reason in reasons} <= codes
            if reasons:
                with pytest.raises(IllegalMove) as caught:
                    state.play(Move(text))
                assert caught.value.reasons == reasons
            else:
                assert played.parse(text) == text


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_told_texts_are_not_moves(played: Game, seed: int) -> None:
    for step in random_game(played, seed):
        if step.move is None:
            continue
        for seat in watchers(played):
            told = step.state.told(step.move, seat)
            if told != step.move:
                assert step.state.refuses(told)
                with pytest.raises(NotationError):
                    played.parse(told)


@each_game
def test_two_deals_that_sounded_the_same_print_the_same(played: Game) -> None:
    if not played.hidden:
        return
    compared = 0
    for seed in range(40):
        rng = Random(seed)
        states = [played.start(played.deal(rng)) for _ in range(2)]
        heard: list[list[str]] = [[], []]
        for _ in range(60):
            first = states[0]
            if first.to_move is None or any(s.refuses(move := first.sample(rng)) for s in states):
                break
            for i, state in enumerate(states):
                heard[i].append(state.told(move, None))
            states = [state.play(move) for state in states]
            for seat in watchers(played):
                views = [state.seen_by(seat) for state in states]
                if views[0] == views[1]:
                    compared += 1
                    assert repr(views[0]) == repr(views[1])
                    assert hash(views[0]) == hash(views[1])
    assert compared > 40


@each_game
def test_random_play_ends(played: Game) -> None:
    plies = 0
    for seed in range(10):
        if plies > ENOUGH:
            return
        plies += _plies_to_the_end(played, Random(seed))


def _plies_to_the_end(played: Game, rng: Random) -> int:
    state = played.start(played.deal(rng))
    for ply in range(5000):
        if state.to_move is None:
            return ply
        state = state.play(state.sample(rng))
    raise AssertionError("5,000 plies without an end")


@each_game
def test_declared_symmetries_change_nothing(played: Game) -> None:
    symmetries = played.symmetries()
    if not symmetries:
        return
    actions = played.actions
    assert actions is not None
    rng = Random(5)
    for permutation in rng.sample(list(symmetries), min(len(symmetries), 12)):
        index = {move: i for i, move in enumerate(actions)}
        state = other = played.start()
        while state.to_move is not None:
            image = {actions[permutation[index[move]]] for move in state.moves()}
            assert image == set(other.moves())
            move = state.sample(rng)
            state, other = state.play(move), other.play(actions[permutation[index[move]]])
            assert state.to_move == other.to_move
        assert state.outcome == other.outcome


@each_game
def test_hostile_positions_are_refused_by_name(played: Game) -> None:
    rng = Random(9)
    texts = ["", " ", "x", "/", "é", "\x00", "x" * 5000, "~ " * 50, "9/9/9"]
    for step in random_game(played, 1):
        letters = list(step.state.position)
        for _ in range(3):
            letters[rng.randrange(len(letters))] = rng.choice("xo.~/ 0129-yn")
        texts.append("".join(letters))
    for text in texts:
        try:
            state = played.read(text)
        except NotationError as error:
            assert 0 <= error.at <= len(text)
            assert isinstance(error, KletkaError)
        else:
            assert played.read(state.position) == state


@each_game
def test_a_view_cannot_answer_for_the_secret(played: Game) -> None:
    """Playing on from a view either needs no secret or raises; it never invents an answer."""
    if not played.hidden:
        return
    raised = 0
    for seed in range(10):
        for step in random_game(played, seed):
            if step.move is None or step.state.to_move is None:
                continue
            view = step.state.seen_by(step.state.to_move)
            try:
                after = view.play(step.move)
            except KletkaError:
                raised += 1
            else:
                assert after == step.after.seen_by(step.state.to_move)
    assert raised
