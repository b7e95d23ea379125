"""Alpha-beta from the Python rules: any open game, any number of seats, extra turns allowed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from kletka.engines.base import Choice, Limit, Progress, Stop, check_open
from kletka.engines.budget import Budget, Spent
from kletka.engines.shares import advantage
from kletka.games import Move, State

_FAR = 2.0
_LEAD = 0.9


class AlphaBeta:
    """Deepens ply by ply with a transposition table keyed by whole states.

    Two seats: minimax on the difference of their shares of the win. More seats: paranoid, all others against
    the mover, so that only a sure win is ever `exact`. Nothing is `exact` where the game has no closed list
    of moves, since `moves` may then leave some out. Away from the end a position is judged by the scores
    alone.
    """

    name = "alphabeta"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The best move found. Raises ValueError for hidden games and where the game is over."""
        check_open(view)
        return _Search(view, Budget(limit, stop), rng).run(progress)


@dataclass(frozen=True, slots=True)
class _Known:
    """What a search of some depth said: the value lies within low..high; proven: at any depth."""

    depth: int
    low: float
    high: float
    move: Move
    proven: bool


class _Search:
    def __init__(self, root: State, budget: Budget, rng: Random) -> None:
        assert root.to_move is not None
        self.root = root
        self.me: int = root.to_move
        self.seats = root.game.seats
        self.complete = root.game.actions is not None
        self.budget = budget
        self.known: dict[State, _Known] = {}
        self.moves = list(root.moves())
        rng.shuffle(self.moves)

    def run(self, progress: Progress | None) -> Choice:
        best = Choice(self.moves[0], None, (self.moves[0],), 0, False)
        depth = 0
        try:
            while not best.exact:
                depth += 1
                before = self.budget.nodes
                value, proven = self.search_root(depth)
                move = self.moves[0]
                best = Choice(
                    move,
                    (value + 1) / 2,
                    self.line(move),
                    self.budget.nodes,
                    proven and self.complete and (self.seats == 2 or value == 1),
                )
                if progress is not None:
                    progress(best)
                if proven or self.budget.nodes == before:
                    break
        except Spent:
            # A move that proved better before the limit already stands first.
            move = self.moves[0]
            if move != best.move:
                best = Choice(move, None, (move,), 0, False)
        return Choice(best.move, best.score, best.line, self.budget.nodes, best.exact)

    def search_root(self, depth: int) -> tuple[float, bool]:
        best = -_FAR
        all_proven = True
        for i, move in enumerate(list(self.moves)):
            self.budget.visit()
            value, proven = self.search(self.root.play(move), depth - 1, max(best, -1.0), _FAR)
            all_proven = all_proven and proven
            if value > best:
                best = value
                self.moves.insert(0, self.moves.pop(i))
                if value >= 1 and proven:
                    return best, True
        return best, all_proven

    def search(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, bool]:
        """The root seat's advantage (a bound outside alpha..beta), and whether it holds at any depth."""
        if state.outcome is not None:
            return advantage(state.outcome, self.me, self.seats), True
        if depth == 0:
            return self.estimate(state), False
        known = self.known.get(state)
        if known is not None and (known.proven or known.depth >= depth):
            if known.low == known.high or known.low >= beta:
                return known.low, known.proven
            if known.high <= alpha:
                return known.high, known.proven
        return self.expand(state, depth, alpha, beta, known)

    def expand(self, state: State, depth: int, alpha: float, beta: float, known: _Known | None) -> tuple[float, bool]:
        mine = state.to_move == self.me
        sign = 1 if mine else -1
        low, high = (alpha, beta) if mine else (-beta, -alpha)
        floor = low
        best, best_move, best_proven, all_proven = -_FAR, None, False, True
        for move in _first(state.moves(), known.move if known else None):
            self.budget.visit()
            window = (low, high) if mine else (-high, -low)
            value, proven = self.search(state.play(move), depth - 1, *window)
            value *= sign
            all_proven = all_proven and proven
            if value > best:
                best, best_move, best_proven = value, move, proven
            low = max(low, best)
            if low >= high or (best >= 1 and proven):
                break
        assert best_move is not None
        cut = best >= high
        proven = best_proven if cut or best >= 1 else all_proven
        bounds = (best, _FAR) if cut and best < 1 else (-_FAR, best) if best <= floor else (best, best)
        if not mine:
            bounds = (-bounds[1], -bounds[0])
        self.known[state] = _Known(depth, bounds[0], bounds[1], best_move, proven)
        return sign * best, proven

    def estimate(self, state: State) -> float:
        scores = state.scores
        if not any(scores):
            return 0.0
        others = max(score for seat, score in enumerate(scores) if seat != self.me) if self.seats > 1 else 0
        lead = scores[self.me] - others
        return _LEAD * lead / (1 + abs(lead))

    def line(self, move: Move) -> tuple[Move, ...]:
        found = [move]
        state = self.root.play(move)
        while (known := self.known.get(state)) is not None and len(found) < 64:
            found.append(known.move)
            state = state.play(known.move)
        return tuple(found)


def _first(moves: Iterable[Move], first: Move | None) -> Iterable[Move]:
    if first is None:
        return moves
    return [first, *(move for move in moves if move != first)]
