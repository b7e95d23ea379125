"""Second, plain writings of what the engines claim, from the rules alone, and positions to try them on."""

from __future__ import annotations

from random import Random

from kletka.games import Move, State, game
from kletka.games.tictactoe import Marks

_VALUES: dict[State, int] = {}


def marks(state: State) -> Marks:
    """The state, known to be of tic-tac-toe."""
    assert isinstance(state, Marks)
    return state


def value(state: State) -> int:
    """1, 0 or -1: what perfect play brings the seat to move, by looking at everything."""
    if state not in _VALUES:
        _VALUES[state] = max(value_of(state, move) for move in state.moves())
    return _VALUES[state]


def value_of(state: State, move: Move) -> int:
    """1, 0 or -1: what the move brings the seat that makes it."""
    after = state.play(move)
    if after.outcome is None:
        return -value(after)
    if len(after.outcome.winners) != 1:
        return 0
    return 1 if after.outcome.winners == {state.to_move} else -1


def wins(state: State) -> set[Move]:
    """The moves that win at once."""
    return {move for move in state.moves() if _won_by(state, move)}


def blocks(state: State) -> set[Move]:
    """The moves after which the other seat has no win in one."""
    return {move for move in state.moves() if not wins(state.play(move))}


def _won_by(state: State, move: Move) -> bool:
    outcome = state.play(move).outcome
    return outcome is not None and outcome.winners == {state.to_move}


def lost(state: State, move: Move) -> bool:
    """Whether the move ends the game with the other seat as the winner."""
    outcome = state.play(move).outcome
    return outcome is not None and len(outcome.winners) == 1 and state.to_move not in outcome.winners


def after_random(spec: str, moves: int, seed: object) -> Marks:
    """A position after so many random moves, drawn again while that ends the game."""
    for attempt in range(1000):
        rng = Random(f"{seed}/{attempt}")
        state = game(spec).start()
        for _ in range(moves):
            if state.to_move is None:
                break
            state = state.play(state.sample(rng))
        if state.to_move is not None:
            return marks(state)
    raise AssertionError("no such position")
