"""What an outcome is worth: shares of the win."""

from __future__ import annotations

from kletka.games import Outcome


def shares(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """For each seat its share of the win: 1 divided among the winners, 0 for all others."""
    each = 1 / len(outcome.winners) if outcome.winners else 0.0
    return tuple(each if seat in outcome.winners else 0.0 for seat in range(seats))


def advantage(outcome: Outcome, seat: int, seats: int) -> float:
    """A seat's share less those of all others: -1..1, 0 for an even draw of two and where nobody won."""
    mine = shares(outcome, seats)
    return 2 * mine[seat] - sum(mine)


def result_for(outcome: Outcome, seat: int) -> float:
    """1 for a win alone, 0 where only others won, otherwise 1/2 (shared, or nobody won)."""
    if outcome.winners == {seat}:
        return 1.0
    return 0.5 if seat in outcome.winners or not outcome.winners else 0.0
