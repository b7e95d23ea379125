"""What to think of a position: the best moves with their scores, and how much of the win a move gave away.

Everything is said by the strongest level of the game: it names the best move, and then searches the positions after
that move and after others, each with as many nodes as the others, so that their scores can be compared. A score is
proven where the engine, or the rules alone, proved it; everything else is an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any, Literal, NamedTuple

from kletka.engines.alphabeta import AlphaBeta
from kletka.engines.base import Choice, Engine, Limit, Stop
from kletka.engines.facets import likely
from kletka.engines.forced import Careful
from kletka.engines.shares import shares
from kletka.engines.table import LEVELS, level
from kletka.games import Move, State, game
from kletka.games.crystals import Crystals

INACCURACY, MISTAKE, BLUNDER = 0.10, 0.20, 0.35
"""From how much of the win given away, by an estimate, a move is called so."""
MOST_LINES = 10
_MOST_TRIED = 64
"""Moves of a position that are looked at besides the best; where there are more, some drawn evenly."""
_LEAST_TRIED = 10
_NODES_TRIED = 2_000
"""Below so many nodes for each of them, slow engines look at fewer, down to _LEAST_TRIED."""
_FEW = 10
"""Moves up to which the rules alone are asked for a proof where the engine has none."""
_PROOF_NODES = 4_000
_PATIENCE = 4.0
"""Seconds after which a worker's search says what it has: far above what the nodes take."""

_LIKELY: Mapping[type, Callable[[Any, Random], Sequence[Move]]] = {Crystals: likely}
"""The moves to look at where a game has too many for all, and one look at the position tells better from worse."""


@dataclass(frozen=True)
class Line:
    """A move, its mover's share of the win after it (0..1; None: no opinion), how the game would go on (the move
    first), and whether the score is proven."""

    move: Move
    score: float | None
    line: tuple[Move, ...]
    exact: bool


@dataclass(frozen=True)
class Analysis:
    """The best moves, the best first, and how many positions were visited for it."""

    lines: tuple[Line, ...]
    nodes: int


class Judgement(NamedTuple):
    """What a move gave away: shares of the win (None: nobody knows), and what that is called.

    `proven` where the scores of both moves are. Then any fall is a mistake, and from a win to a loss it is a blunder.
    """

    fell: float | None
    kind: Literal["best", "good", "inaccuracy", "mistake", "blunder", "unknown"]
    proven: bool


class Weighed(NamedTuple):
    """A move that was played beside the best one."""

    best: Line
    played: Line
    judgement: Judgement


Progress = Callable[[Analysis], None]
"""Called with what is known so far."""


def effort(view: State) -> int:
    """The nodes that the strongest level takes for a move of this game."""
    return level(view.game, LEVELS[-1]).limit.nodes or 0


def analyse(
    view: State,
    nodes: int,
    rng: Random,
    *,
    lines: int = 3,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """The best move of the seat to move and up to `lines - 1` others, within about `nodes` nodes.

    Others are given only where two seats play and know everything. With the same view, nodes and random numbers the
    answer is the same on every machine, unless `stop` ended it. Raises ValueError where the game is over.
    """
    search = _Search(view, rng, stop, progress)
    best = search.root(max(1, nodes // 2))
    if not _comparable(view):
        return Analysis((best,), search.nodes)
    others = [move for move in _tried(view, nodes, rng) if move != best.move] if lines > 1 else []
    rough: list[Line | None] = []
    for move in others:
        # One look at a large sheet can cost more than a move's part of the nodes.
        if search.nodes > 2 * nodes and len(rough) >= lines:
            break
        rough.append(search.after(move, max(1, nodes // (4 * len(others)))))
    closer = sorted((line for line in rough if line and line.score is not None), key=_rank)[: 2 * (lines - 1)]
    each = max(1, nodes // (4 * (len(closer) + 1)))
    best = _surer(best, search.after(best.move, each))
    search.tell((best,))
    judged = [line if line.exact else (search.after(line.move, each) or line) for line in closer]
    return Analysis(_ordered(best, judged)[:lines], search.nodes)


def weigh(view: State, played: Move, nodes: int, rng: Random, *, stop: Stop | None = None) -> Weighed:
    """What a legal move was worth beside the best one, each by the same nodes. Raises ValueError where the game is
    over."""
    search = _Search(view, rng, stop, None)
    each = max(1, nodes // 3)
    best = search.root(each)
    if not _comparable(view):
        line = best if played == best.move else Line(played, None, (played,), False)
        return Weighed(best, line, judge(best, line))
    best = _surer(best, search.after(best.move, each))
    if played == best.move:
        return Weighed(best, best, judge(best, best))
    line = search.after(played, each) or Line(played, None, (played,), False)
    first, second = _ordered(best, [line])
    line = first if first.move == played else second
    return Weighed(first, line, judge(first, line))


def judge(best: Line, played: Line) -> Judgement:
    """How a move compares with the best one of the same position."""
    proven = best.exact and played.exact
    if played.move == best.move:
        return Judgement(0.0, "best", proven)
    if best.score is None or played.score is None:
        return Judgement(None, "unknown", False)
    fell = max(0.0, best.score - played.score)
    if proven:
        lost = best.score == 1 and played.score == 0
        return Judgement(fell, "blunder" if lost else "mistake" if fell else "good", True)
    if fell >= BLUNDER:
        return Judgement(fell, "blunder", False)
    if fell >= MISTAKE:
        return Judgement(fell, "mistake", False)
    return Judgement(fell, "inaccuracy" if fell >= INACCURACY else "good", False)


# For worker processes: text in, text and numbers out


def think(spec: str, position: str, seed: int, lines: int = 3) -> Analysis:
    """The best moves in a position, as much of it as a seat may know, with the effort of the strongest level.

    The same for the same arguments, unless patience ended it. Raises KletkaError, and ValueError where the game is
    over.
    """
    view = game(spec).read(position)
    return analyse(view, effort(view), Random(seed), lines=lines, stop=_patient())


def review(spec: str, position: str, played: str, seed: int) -> Weighed:
    """What a move played in a position was worth beside the best one; see `think`."""
    view = game(spec).read(position)
    return weigh(view, view.game.parse(played), effort(view), Random(seed), stop=_patient())


def _patient() -> Stop:
    until = monotonic() + _PATIENCE
    return lambda: monotonic() > until


def _comparable(view: State) -> bool:
    """Whether moves can be compared by looking at the positions after them: what one seat loses the other gains."""
    return view.game.seats == 2 and not view.game.hidden


def _tried(view: State, nodes: int, rng: Random) -> Sequence[Move]:
    """The moves to look at besides the engine's."""
    most = min(_MOST_TRIED, max(_LEAST_TRIED, nodes // _NODES_TRIED))
    if (named := _LIKELY.get(type(view.game))) is not None:
        return named(view, rng)[:most]
    moves = view.moves()
    if len(moves) <= most:
        return moves
    chosen = set(rng.sample(range(len(moves)), most))
    return [move for number, move in enumerate(moves) if number in chosen]


def _rank(line: Line) -> float:
    """Lines sorted by this have the best first."""
    return 1.0 if line.score is None else -line.score


def _surer(root: Line, after: Line | None) -> Line:
    """One of two answers about a move: a proof; else that of the position after it, as for every other move."""
    if root.exact or after is None or after.score is None:
        return root
    return Line(root.move, after.score, after.line, after.exact)


def _ordered(best: Line, others: Sequence[Line]) -> tuple[Line, ...]:
    """Lines with the best first: the engine's choice, unless another is proven better. No estimate exceeds that of the
    move that the engine preferred."""
    proven = max((line for line in others if line.exact), key=lambda line: line.score or 0.0, default=None)
    first = best
    if proven is not None and not best.exact and (best.score is None or (proven.score or 0.0) > best.score):
        first = proven
    top = first.score
    rest = [
        Line(line.move, top, line.line, False)
        if top is not None and line.score is not None and line.score > top
        else line
        for line in (best, *others)
        if line is not first
    ]
    return (first, *sorted(rest, key=_rank))


class _Search:
    """The engine at work on one position: counts nodes, and tells what is known so far."""

    def __init__(self, view: State, rng: Random, stop: Stop | None, progress: Progress | None) -> None:
        self.view, self.rng, self.stop, self.progress = view, rng, stop, progress
        self.engine: Engine = level(view.game, LEVELS[-1]).engine
        # What happens at once after a move is for the search to see, and needs no second look at each of them.
        self.plain = self.engine.engine if isinstance(self.engine, Careful) else self.engine
        self.nodes = 0
        self.best: tuple[Line, ...] = ()
        self.small = False

    def root(self, nodes: int) -> Line:
        """The engine's choice in the position itself, or what the rules alone prove of a small game."""
        choice = self._chosen(self.engine, self.view, nodes, self._heard)
        if not choice.exact and not self.view.game.hidden and len(self.view.moves()) <= _FEW:
            proof = self._proof(self.view)
            self.small = proof.exact
            choice = proof if proof.exact else choice
        return self._line(choice)

    def after(self, move: Move, nodes: int) -> Line | None:
        """What a move is worth to its mover, by the position after it; None where the search has been stopped."""
        if self.stop is not None and self.stop():
            return None
        view, after = self.view, self.view.play(move)
        if after.outcome is not None:
            assert view.to_move is not None
            return Line(move, shares(after.outcome, view.game.seats)[view.to_move], (move,), True)
        choice = self._chosen(self.plain, after, nodes)
        if self.small and not choice.exact and (proof := self._proof(after)).exact:
            choice = proof
        score = choice.score
        if score is not None and after.to_move != view.to_move:
            score = 1 - score
        self.tell(self.best)
        return Line(move, score, (move, *choice.line), choice.exact)

    def tell(self, lines: tuple[Line, ...]) -> None:
        """Say what is known so far."""
        self.best = lines
        if self.progress is not None:
            self.progress(Analysis(lines, self.nodes))

    def _heard(self, choice: Choice) -> None:
        self.best = (self._line(choice),)
        if self.progress is not None:
            self.progress(Analysis(self.best, choice.nodes))

    def _line(self, choice: Choice) -> Line:
        return Line(choice.move, choice.score, choice.line, choice.exact)

    def _chosen(self, engine: Engine, view: State, nodes: int, heard: Callable[[Choice], None] | None = None) -> Choice:
        choice = engine.choose(view, Limit(nodes=nodes), self.rng, stop=self.stop, progress=heard)
        self.nodes += choice.nodes
        return choice

    def _proof(self, view: State) -> Choice:
        proof = AlphaBeta().choose(view, Limit(nodes=_PROOF_NODES), self.rng, stop=self.stop)
        self.nodes += proof.nodes
        return proof
