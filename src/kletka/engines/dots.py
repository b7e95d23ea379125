"""Players of dots games: by counting chains, by play-outs from the rules, and by the kernel's searches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from kletka.engines import answers, kernels
from kletka.engines.base import Choice, Limit, Progress, Stop, running
from kletka.engines.budget import Budget, Spent
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
from kletka.engines.shares import shares
from kletka.games import Outcome, State
from kletka.games.contract import next_seat
from kletka.games.dots import Lines

_MISERE_LINES = 20
"""In misère, where captures have no normal form, exact play begins later."""
_MEMORY = 1 << 27
"""Bytes of what is remembered while a position is played exactly."""
_MOST_SAMPLED = 24
"""Moves that play-outs from the rules compare."""


@dataclass(frozen=True)
class Chains:
    """Plays as people learn to, one thought further with each `care` from 1 to 4; looks at every line once.

    1 takes most of what is offered, 2 all of it and draws mostly safe lines, 3 opens no chain while there is a safe
    line and then the shortest, 4 counts: two seats leave the last coins of a string where control pays, and open the
    string that costs least. In misère a line that completes a coin is avoided, at 1 and 2 mostly. Never `exact`.
    """

    care: int = 4

    name = "chains"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The line to draw. Raises ValueError for other games and where the game is over."""
        state = running(view, Lines, "dots")
        move = state.game.lines[(self._avoid if state.game.options.misere else self._take)(state, rng)]
        return Choice(move, None, (move,), len(state.game.lines) - state.drawn.bit_count(), False)

    def _take(self, state: Lines, rng: Random) -> int:
        game, left = state.game, _left(state)
        offer = take_offer(game, left, offered(game, left))
        if offer.take is not None and (self.care > 1 or rng.random() < 0.75):
            pays = offer.leave is not None and not offer.taken and self.care > 3 and _of_two(state)
            if pays and not quiet(game, offer.rest) and offer.held + net_of_strings(game, offer.rest) < 0:
                assert offer.leave is not None
                return offer.leave
            return offer.take
        safe = quiet(game, left)
        if safe and (self.care > 2 or (self.care == 2 and rng.random() < 0.8)):
            return rng.choice(safe)
        if self.care < 3:
            return rng.choice(list(members(left)))
        found = strings(game, left)
        if self.care == 3 or not _of_two(state):
            return min(found, key=lambda string: len(string.coins)).opening
        # Equal lengths cost the same unless they meet other strings; the shortest of each length is enough.
        by_length = {len(string.coins): string for string in reversed(found)}
        offers = {string.opening: open_string(game, left, string) for string in by_length.values()}
        return min(offers, key=lambda line: net_of_offer(offers[line], net_of_strings(game, offers[line].rest)))

    def _avoid(self, state: Lines, rng: Random) -> int:
        left = _left(state)
        harmless = quiet(state.game, left, 1)
        if harmless and (self.care > 2 or rng.random() < (0.5, 0.8)[self.care - 1]):
            return rng.choice(harmless)
        return rng.choice(list(members(left)))


@dataclass(frozen=True)
class Sampled:
    """Compares a few dozen moves by play-outs from the rules, those that do better by more; never `exact`.

    Play-outs take what is offered, draw harmless lines at random, and then reckon strings. Where two seats have no
    harmless line left, chains are counted instead. Nodes are lines drawn and coins looked at.
    """

    name = "sampled"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The move that did best. Raises ValueError for other games and where the game is over."""
        state = running(view, Lines, "dots")
        game, left, misere = state.game, _left(state), state.game.options.misere
        lines = quiet(game, left, 1 if misere else 2)
        if not misere and (not lines or offered(game, left)):
            return Chains().choose(view, limit, rng)
        rng.shuffle(lines)
        lines = lines[:_MOST_SAMPLED] or list(members(left))
        budget = Budget(limit, stop)
        gains = dict.fromkeys(lines, 0.0)
        rounds = 0
        assert state.to_move is not None
        try:
            while len(lines) > 1:
                # Each halving of the field plays twice as often as the one before.
                for _ in range(2 + 2 * rounds):
                    for line in lines:
                        gains[line] += _play_out(state.play(game.lines[line]), budget, rng)[state.to_move]
                rounds += 1
                if rounds % 4 == 0:
                    lines = sorted(lines, key=lambda line: -gains[line])[: (len(lines) + 1) // 2]
        except Spent:
            pass
        move = game.lines[max(lines, key=lambda line: gains[line])]
        return Choice(move, None, (move,), budget.nodes, False)


@dataclass(frozen=True)
class KernelDots:
    """UCT by careful play-outs of the kernel, and exact play once few lines are left.

    Exact play is tried for two seats at `exact_lines` lines or fewer, looking at no more than `exact_nodes` positions.
    UCT looks only at moves among which there is a best one (for two seats).
    """

    exploration: float = 0.7
    exact_lines: int = 40
    exact_nodes: int = 100_000

    name = "kernel-dots"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """A proven move, or the most visited one. Raises ValueError for other games and where the game is over."""
        state = running(view, Lines, "dots")
        poll = answers.poll(limit, stop)
        solved = self._solved(state, limit, poll)
        if solved is not None and solved.exact:
            return solved
        spent = solved.nodes if solved is not None else 0
        answer = kernels.dots(state.game).uct(
            kernels.lines_text(state),
            answers.nodes(limit),
            rng.getrandbits(64),
            exploration=self.exploration,
            careful=True,
            poll=poll,
            progress=answers.telling(state, _thousandths, progress),
        )
        choice = answers.choice(state, answer, _thousandths)
        return replace(choice, nodes=spent + choice.nodes)

    def _solved(self, state: Lines, limit: Limit, poll: Stop | None) -> Choice | None:
        left = _left(state).bit_count()
        lines = min(self.exact_lines, _MISERE_LINES) if state.game.options.misere else self.exact_lines
        if not _of_two(state) or left > lines:
            return None
        most = self.exact_nodes if limit.nodes is None else min(self.exact_nodes, limit.nodes)
        kernel = kernels.dots(state.game)
        net, high, best, nodes = kernel.exact(kernels.lines_text(state), most, _MEMORY, poll=poll)
        if net < high or not best:
            move = state.game.lines[next(iter(members(_left(state))))]
            return Choice(move, None, (move,), nodes, False)
        move = state.game.lines[best[0]]
        assert state.to_move is not None
        other = next_seat(state.to_move, state.game.seats, state.gone)
        ahead = state.scores[state.to_move] - state.scores[other]
        net += -ahead if state.game.options.misere else ahead
        return Choice(move, 1.0 if net > 0 else 0.5 if net == 0 else 0.0, (move,), nodes, True)


def _left(state: Lines) -> int:
    return state.game.all_lines & ~state.drawn


def _of_two(state: Lines) -> bool:
    return state.game.seats - len(state.gone) == 2


def _thousandths(score: int) -> float:
    return score / 1000


def _play_out(state: Lines, budget: Budget, rng: Random) -> tuple[float, ...]:
    """The share of the win of each seat at the end of one careful game."""
    game, left, seat = state.game, _left(state), state.turn
    scores = list(state.scores)
    if seat is None:
        assert state.outcome is not None
        return shares(state.outcome, game.seats)
    misere = game.options.misere
    fewest = 1 if misere else 2
    if not misere:
        offer = take_offer(game, left, offered(game, left))
        scores[seat] += offer.taken + offer.held
        left = offer.rest
    lacks = [(left & around).bit_count() for around in game.coins]
    harmless = quiet(game, left, fewest)
    rng.shuffle(harmless)
    for line in harmless:
        beside = game.board.beside[line]
        if all(lacks[coin] > fewest for coin in beside):
            left ^= 1 << line
            for coin in beside:
                lacks[coin] -= 1
            seat = next_seat(seat, game.seats, state.gone)
            budget.visit()
    rest = sum(lack > 0 for lack in lacks)
    if misere:
        scores[seat] += rest
    elif _of_two(state):
        net = net_of_strings(game, left)
        scores[seat] += (rest + net) // 2
        scores[next_seat(seat, game.seats, state.gone)] += (rest - net) // 2
    else:
        for string in sorted(strings(game, left), key=lambda string: len(string.coins)):
            seat = next_seat(seat, game.seats, state.gone)
            scores[seat] += len(string.coins)
            rest -= len(string.coins)
        # Coins at which strings meet go with the last one.
        scores[seat] += rest
    for _ in range(len(game.coins)):
        budget.visit()
    playing = {seat: score for seat, score in enumerate(scores) if seat not in state.gone}
    best = min(playing.values()) if misere else max(playing.values())
    winners = frozenset(seat for seat, score in playing.items() if score == best)
    return shares(Outcome(winners, tuple(scores), "most"), game.seats)
