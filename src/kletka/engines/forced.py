"""Never overlook a win in one, nor a way to keep the next mover from one: from the rules alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from kletka.engines.base import Choice, Engine, Limit, Progress, Stop
from kletka.games import Move, State


@dataclass(frozen=True)
class Careful:
    """An engine under watch: it wins at once where it can, and no choice loses at once needlessly.

    Only outcomes are asked, so misère rules and extra turns need no care. Games of hidden information pass
    through unchecked, since there a seat can't know what a move brings.
    """

    engine: Engine

    @property
    def name(self) -> str:
        """The name of the engine within."""
        return self.engine.name

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The engine's choice or a better one. Raises what the engine raises."""
        if view.game.hidden or view.to_move is None:
            return self.engine.choose(view, limit, rng, stop=stop, progress=progress)
        moves = view.moves()
        if (win := wins_at_once(view, moves)) is not None:
            return Choice(win, 1.0, (win,), len(moves), True)
        choice = self.engine.choose(view, limit, rng, stop=stop, progress=progress)
        if not loses(view, choice.move):
            return choice
        safe = safe_moves(view, moves)
        if not safe:
            return choice
        move = self._best(view, safe, limit, rng, stop)
        return Choice(move, None, (move,), choice.nodes, False)

    def _best(self, view: State, safe: Sequence[Move], limit: Limit, rng: Random, stop: Stop | None) -> Move:
        if len(safe) == 1 or view.game.seats != 2:
            return safe[0] if len(safe) == 1 else rng.choice(safe)
        each = Limit(limit.nodes and max(1, limit.nodes // len(safe)), limit.seconds and limit.seconds / len(safe))
        return max(safe, key=lambda move: self._share(view, view.play(move), each, rng, stop))

    def _share(self, view: State, after: State, limit: Limit, rng: Random, stop: Stop | None) -> float:
        if after.outcome is not None:
            return 0.5
        score = self.engine.choose(after, limit, rng, stop=stop).score
        if score is None:
            return 0.5
        return score if after.to_move == view.to_move else 1 - score


def wins_at_once(state: State, moves: Sequence[Move]) -> Move | None:
    """The first of the moves that ends the game with the mover as the only winner."""
    for move in moves:
        outcome = state.play(move).outcome
        if outcome is not None and outcome.winners == {state.to_move}:
            return move
    return None


def loses(state: State, move: Move) -> bool:
    """Whether the move loses at once or lets the next mover win at once."""
    after = state.play(move)
    return _lost(state, after) or winning_reply(state, after) is not None


def winning_reply(before: State, after: State, likely: Sequence[Move] = ()) -> Move | None:
    """A reply that wins at once, and not for the mover of `before`; `likely` ones are tried first."""
    if after.to_move is None or after.to_move == before.to_move:
        return None
    for move in (*(move for move in likely if not after.refuses(move)), *after.moves()):
        outcome = after.play(move).outcome
        if outcome is not None and after.to_move in outcome.winners and before.to_move not in outcome.winners:
            return move
    return None


def safe_moves(state: State, moves: Sequence[Move]) -> list[Move]:
    """The moves that don't lose in that way."""
    safe = []
    likely: list[Move] = []
    for move in moves:
        after = state.play(move)
        if _lost(state, after):
            continue
        reply = winning_reply(state, after, likely)
        if reply is None:
            safe.append(move)
        elif reply not in likely:
            likely.append(reply)
    return safe


def _lost(before: State, after: State) -> bool:
    outcome = after.outcome
    return outcome is not None and bool(outcome.winners) and before.to_move not in outcome.winners
