"""Players of Crystals in C++, and what every player of the family keeps to: when to pass, and when to swap.

An engine passes, and accepts an end by consent, exactly when the game is settled: one seat leads each other seat by
more than that one can still take.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from kletka.engines import kernels
from kletka.engines.answers import nodes, poll
from kletka.engines.base import Choice, Limit, Progress, Stop, running
from kletka.games import Move, State
from kletka.games.crystals import Board, Sheet, members
from kletka.games.crystals.frontier import component
from kletka.games.crystals.paper import convex

PASS, SWAP = Move("pass"), Move("swap")
_EXACT_NODES = 40_000


# When to pass


def settled(state: Sheet) -> bool:
    """Whether one seat at the table leads each other seat there by more than that one can still take.

    That is at most all squares of its maximal crystals, whatever atoms they hold so far.
    """
    scores = state.scores
    first = max(state.staying, key=lambda seat: (scores[seat], -seat))
    others = sorted(state.staying - {first}, key=lambda seat: -scores[seat])
    return all(_out_of_reach(state, seat, scores[first] - scores[seat]) for seat in others)


def _out_of_reach(state: Sheet, seat: int, lead: int) -> bool:
    if lead <= 0:
        return False
    if lead > state.available(seat).bit_count():
        return True
    if kernels.enabled():
        return kernels.crystals(state.game).reach(kernels.crystals_text(state), seat) < lead
    return _covers_less(state, seat, lead)


def _covers_less(state: Sheet, seat: int, lead: int) -> bool:
    """Whether a seat's crystals can cover fewer squares than that. Where boundaries may interlock, everything joined to
    a centre counts: one outline covers no more."""
    paper, covered = state.game.paper, 0
    barred = ~state.available(seat)
    for centre in paper.centres:
        found = [component(paper, centre, barred)[0]] if paper.interlock else convex(paper, centre, barred)
        for mask in found:
            if mask.bit_count() >= paper.least:
                covered |= mask
        if covered.bit_count() >= lead:
            return False
    return True


# When to swap


def takes_over(board: Board, square: int) -> bool:
    """Whether to take over a first atom there: one far enough from the border, which has room to grow.

    Measured by play between engines on 21x21: a first atom in the fifth row and column from a corner loses to the
    best reply, one in the sixth wins; in the fourth row from an edge it loses everywhere, in the fifth it wins where
    that is longest away from the corners.
    """
    near, far = _distances(board, square)
    side = min(board.width, board.height) - 1
    return 5 * near >= side and 2 * (near + far) >= side


def _distances(board: Board, square: int) -> tuple[int, int]:
    """How far a square is from the nearer sides, across and up; the smaller number first."""
    x, y = board.spot(square)
    across, up = min(x, board.width - 1 - x), min(y, board.height - 1 - y)
    return min(across, up), max(across, up)


def agreed_move(state: Sheet, rng: Random) -> Move | None:
    """The move that every player of the family makes by these rules; None: one that has to be looked for."""
    if settled(state):
        return PASS
    if not state.game.options.swap or len(state.order) > 1 or state.crystals:
        return None
    board = state.game.board
    if not state.order:
        # The first atom as far inside as the other seat would leave it alone.
        kept = [square for square in members(state.free) if not takes_over(board, square)]
        best = max((_distances(board, square) for square in kept), default=None)
        return state.game.move(rng.choice([at for at in kept if _distances(board, at) == best]), ()) if kept else None
    return SWAP if not state.refuses(SWAP) and takes_over(board, state.order[0]) else None


def agreed_choice(state: Sheet, rng: Random) -> Choice | None:
    """That move as a choice: a settled game is won by the seat that leads, whatever is played."""
    move = agreed_move(state, rng)
    if move is None or move != PASS:
        return None if move is None else Choice(move, None, (move,), 0, False)
    assert state.to_move is not None
    leads = all(state.scores[state.to_move] > state.scores[seat] for seat in state.staying - {state.to_move})
    return Choice(move, float(leads), (move,), 0, True)


# The kernel's player


def share(state: Sheet, lead: float) -> float:
    """What a lead of so many squares, estimated ones too, is called as a share of the win: three quarters where it is a
    third of the board."""
    return 0.5 + lead / (2 * (abs(lead) + len(state.game.board.squares) / 3))


@dataclass(frozen=True)
class Grower:
    """The kernel's beam; `plies` 1 looks at no replies and is the plain one-ply player.

    The other fields are what it sees: how many moves it looks at further, rings around a centre within which it sees
    crystals (0: all), centres that it overlooks in a hundred, and the error of its judgment in hundredths of a square.
    With at most `exact` free squares that matter, two seats play perfectly as far as that can be worked out.
    """

    plies: int = 3
    width: int = 16
    reach: int = 0
    miss: int = 0
    noise: int = 0
    exact: int = 0
    name: str = "kernel-crystals"

    def choose(
        self,
        view: State,
        limit: Limit,
        rng: Random,
        *,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Choice:
        """The best move seen. Raises ValueError where the game is over."""
        state = running(view, Sheet, "Crystals")
        seat = state.to_move
        assert seat is not None
        if (agreed := agreed_choice(state, rng)) is not None:
            return agreed
        ahead = state.scores[seat] - max(state.scores[other] for other in state.staying - {seat})
        text, kernel, beyond = kernels.crystals_text(state), kernels.crystals(state.game), poll(limit, stop)
        spent = 0
        if self._solvable(state):
            most = min(nodes(limit), _EXACT_NODES)
            square, grown, net, spent, known = kernel.exact(text, most, self.exact, poll=beyond)
            move = _move(state, square, grown)
            if known and move != PASS:
                lead = ahead + net
                return Choice(move, (lead > 0) + (lead == 0) / 2, (move,), spent, True)
        square, grown, worth, more = kernel.choose(
            text,
            nodes(limit),
            rng.getrandbits(63),
            plies=self.plies,
            width=self.width,
            reach=self.reach,
            miss=self.miss,
            noise=self.noise,
            poll=beyond,
        )
        move = _move(state, square, grown)
        return Choice(move, share(state, ahead + worth), (move,), spent + more, False)

    def _solvable(self, state: Sheet) -> bool:
        return self.exact > 0 and state.game.seats == 2 and not state.gone and bool(state.refuses(SWAP))


def _move(state: Sheet, square: int, crystals: list[list[int]]) -> Move:
    outlines = [sum(1 << at for at in squares) for squares in crystals]
    return state.game.move(None if square < 0 else square, outlines)


KERNEL = Grower(exact=16)
GREEDY = Grower(plies=1, name="kernel-greedy")
