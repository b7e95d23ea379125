"""Perft: how many move sequences of exactly a given length a position has."""

from __future__ import annotations

from kletka.games.contract import State


def perft(state: State, depth: int) -> int:
    """Count the move sequences of exactly `depth` moves; games that end earlier count nothing.

    In hidden games the moves are those that the state itself lists.
    """
    if depth == 0:
        return 1
    moves = state.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(state.play(move), depth - 1) for move in moves)
