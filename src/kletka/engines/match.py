"""Matches: paired openings, seats exchanged, a score with its interval, and a sequential test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import log, sqrt
from random import Random
from typing import Literal

from kletka.engines.base import Player
from kletka.engines.shares import result_for
from kletka.games import Game, Outcome, State

_NORMAL_95 = 1.959964
_TRIES = 100


@dataclass(frozen=True)
class Sprt:
    """A sequential test of "`elo1` better" against "`elo0` better", with the odds of either error.

    The generalised test of normal approximation over pairs of games, as used for chess engines
    (Van den Bergh, "Normalized Elo, practical and theoretical", 2021).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def ratio(self, results: tuple[float, ...]) -> float:
        """The logarithm of the likelihood ratio of `elo1` to `elo0`."""
        if len(results) < 2:
            return 0.0
        mean, variance = _moments(results)
        # One imagined odd pair keeps the variance off 0 while all pairs agree.
        variance = max(variance, 1 / (16 * len(results)))
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        return len(results) * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, results: tuple[float, ...]) -> Literal["better", "not better"] | None:
        """What the results prove at these odds; None where the match must go on."""
        ratio = self.ratio(results)
        if ratio >= log((1 - self.beta) / self.alpha):
            return "better"
        return "not better" if ratio <= log(self.beta / (1 - self.alpha)) else None


@dataclass(frozen=True)
class MatchResult:
    """The first player's side of a match. `pairs` holds the mean score of each finished pair of games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[float, ...] = ()
    verdict: Literal["better", "not better"] | None = None

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game: 1 for a win alone, 1/2 for a draw. 1/2 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, from the spread among pairs, whose games depend on each other."""
        if len(self.pairs) < 2:
            return (0.0, 1.0)
        mean, variance = _moments(self.pairs)
        half = _NORMAL_95 * sqrt(variance / (len(self.pairs) - 1))
        return (max(0.0, mean - half), min(1.0, mean + half))


Watcher = Callable[[int, State, MatchResult], None]
"""Called after each game with its number from 0, its last state and the result so far."""

Pair = tuple[State, State]
"""The last states of two games from the same start, seats exchanged."""

Spread = Callable[[Callable[[int], Pair], Iterable[int]], Iterable[Pair]]
"""Where pairs are played: calls a function with numbers, wherever it likes, and gives the results in the order of the
numbers, as `map` does. What is left over when nobody asks for more is dropped."""


def expected_score(elo: float) -> float:
    """The score that a difference in Elo points promises."""
    return 1 / (1 + 10 ** (-elo / 400))


def play_match(
    game: Game,
    first: Player,
    second: Player,
    games: int,
    seed: int,
    *,
    opening: int = 0,
    sprt: Sprt | None = None,
    watch: Watcher | None = None,
    spread: Spread = map,
) -> MatchResult:
    """Play up to `games` games (an even number), two and two from the same start with the seats exchanged.

    Each pair begins with `opening` random moves by `State.sample`, drawn again where they end the game; a
    secret set-up is dealt once for a pair. In games of more than two seats `first` has one seat, which moves
    on from pair to pair, and `second` all others; the second game of a pair exchanges the two at that seat
    and its neighbour. Every random number follows from the seed and the number of the game or pair, so the result
    doesn't depend on where `spread` plays them. A verdict of `sprt` ends the match early, after a whole pair. Raises
    ValueError for an odd number of games, and what `spread` raises.
    """
    if games % 2 or games < 0:
        raise ValueError(f"an even number of games, not {games}")
    result = MatchResult()
    play = partial(_play_pair, game, first, second, seed, opening)
    for pair, ends in enumerate(spread(play, range(games // 2))):
        points: tuple[float, ...] = ()
        for turn, end in enumerate(ends):
            points += (result_for(_outcome(end), _seat(game, pair, turn)),)
            result = _counted(result, points[-1], points, sprt)
            if watch is not None:
                watch(2 * pair + turn, end, result)
        if result.verdict is not None:
            break
    return result


def _seat(game: Game, pair: int, turn: int) -> int:
    """The seat of the first player in the first or second game of a pair."""
    return (pair + turn) % game.seats


def _play_pair(game: Game, first: Player, second: Player, seed: int, opening: int, pair: int) -> Pair:
    start = _opening(game, Random(f"{seed}/pair/{pair}"), opening)

    def played(turn: int) -> State:
        seat = _seat(game, pair, turn)
        players = [first if s == seat else second for s in range(game.seats)]
        return play_game(start, players, f"{seed}/game/{2 * pair + turn}")

    return played(0), played(1)


def play_game(start: State, players: list[Player], seed: str) -> State:
    """Play on to the end; each player sees what its seat may know and has its own random numbers."""
    rngs = [Random(f"{seed}/{seat}") for seat in range(len(players))]
    state = start
    while (seat := state.to_move) is not None:
        view = state.seen_by(seat)
        state = state.play(players[seat].choose(view, rngs[seat]).move)
    return state


def _opening(game: Game, rng: Random, moves: int) -> State:
    for _ in range(_TRIES):
        state = game.start(game.deal(rng))
        for _ in range(moves):
            if state.to_move is None:
                break
            state = state.play(state.sample(rng))
        if state.to_move is not None:
            return state
    raise ValueError(f"{game.spec} ends within {moves} random moves")


def _outcome(state: State) -> Outcome:
    assert state.outcome is not None
    return state.outcome


def _counted(before: MatchResult, point: float, points: tuple[float, ...], sprt: Sprt | None) -> MatchResult:
    pairs = (*before.pairs, sum(points) / 2) if len(points) == 2 else before.pairs
    return MatchResult(
        before.wins + (point == 1),
        before.draws + (point == 0.5),
        before.losses + (point == 0),
        pairs,
        sprt.verdict(pairs) if sprt is not None and len(points) == 2 else None,
    )


def _moments(values: tuple[float, ...]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values)
