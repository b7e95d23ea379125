"""UCT from the Python rules: any open game, any number of seats, any order of turns."""

from __future__ import annotations

from math import sqrt
from random import Random

from kletka.engines.base import Choice, Limit, Progress, Stop, check_open
from kletka.engines.budget import Budget, Spent
from kletka.engines.shares import shares
from kletka.games import Move, State

_LONGEST_PLAYOUT = 2_000


class Uct:
    """Upper confidence bounds on a tree of play-outs (Kocsis, Szepesvári 2006).

    The tree holds the moves that `moves` lists; play-outs draw by `sample`. Nodes are positions visited,
    those of play-outs included. Never `exact`.
    """

    name = "uct"

    def __init__(self, exploration: float = 0.7) -> None:
        self.exploration = exploration

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The most visited move. Raises ValueError for hidden games and where the game is over."""
        check_open(view)
        root = _Node(None, None, view)
        budget = Budget(limit, stop)
        root.expand(rng)
        told_at = 1_000
        try:
            while True:
                self._iterate(root, budget, rng)
                if progress is not None and budget.nodes >= told_at:
                    progress(root.choice(budget.nodes))
                    told_at *= 2
        except Spent:
            return root.choice(budget.nodes)

    def _iterate(self, root: _Node, budget: Budget, rng: Random) -> None:
        node = root
        budget.visit()
        while node.children:
            node = node.select(self.exploration)
            budget.visit()
            if node.visits == 0:
                break
            if not node.children:
                node.expand(rng)
        state = node.state()
        for _ in range(_LONGEST_PLAYOUT):
            if state.to_move is None:
                break
            budget.visit()
            state = state.play(state.sample(rng))
        outcome = state.outcome if state.outcome is not None else state.agreed()
        node.credit(shares(outcome, state.game.seats))


def _rough_log2(n: int) -> float:
    """The logarithm to base 2, straight between powers of two; unlike `math.log` the same everywhere."""
    whole = n.bit_length() - 1
    return whole + n / (1 << whole) - 1


class _Node:
    """A position of the tree. `gain` sums the shares of the seat that moved into it."""

    __slots__ = ("_state", "children", "gain", "move", "mover", "parent", "visits")

    def __init__(self, parent: _Node | None, move: Move | None, state: State | None) -> None:
        self.parent = parent
        self.move = move
        self._state = state
        self.mover = parent.state().to_move if parent is not None else None
        self.children: list[_Node] = []
        self.visits = 0
        self.gain = 0.0

    def state(self) -> State:
        if self._state is None:
            assert self.parent is not None
            assert self.move is not None
            self._state = self.parent.state().play(self.move)
        return self._state

    def expand(self, rng: Random) -> None:
        moves = list(self.state().moves())
        rng.shuffle(moves)
        self.children = [_Node(self, move, None) for move in moves]

    def select(self, exploration: float) -> _Node:
        logarithm = _rough_log2(self.visits + 1)
        best, best_value = self.children[0], -1.0
        for child in self.children:
            if child.visits == 0:
                return child
            value = child.gain / child.visits + exploration * sqrt(logarithm / child.visits)
            if value > best_value:
                best, best_value = child, value
        return best

    def credit(self, gains: tuple[float, ...]) -> None:
        node: _Node | None = self
        while node is not None:
            node.visits += 1
            if node.mover is not None:
                node.gain += gains[node.mover]
            node = node.parent

    def preferred(self) -> _Node:
        return max(self.children, key=lambda child: child.visits)

    def choice(self, nodes: int) -> Choice:
        best = self.preferred()
        assert best.move is not None
        line = [best.move]
        node = best
        while node.children and node.preferred().visits > 0:
            node = node.preferred()
            assert node.move is not None
            line.append(node.move)
        score = best.gain / best.visits if best.visits else None
        return Choice(best.move, score, tuple(line), nodes, False)
