"""A table as its log makes it, and what a command does to it: pure functions without clock, store or network."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace

from kletka.drawing import drawing_of
from kletka.drawing.scene import SIGNS, House
from kletka.engines import consents
from kletka.games import Game, IllegalMove, Move, NotationError, Outcome, Reason, State, game
from kletka.games.contract import LONGEST_MOVE
from kletka.tables.model import (
    Accept,
    Accepted,
    Body,
    Command,
    Decline,
    Declined,
    Event,
    Moved,
    Offer,
    Offered,
    Opened,
    Play,
    Refused,
    Resign,
    Resigned,
    Seated,
    Take,
)

LONGEST_NAME = 30
_JOINERS = "\u200c\u200d"
"""Format characters that emoji and Persian words are made with."""


@dataclass(frozen=True)
class Seat:
    """Who sits on a seat: a person by the hash of the seat's token, or an engine by its level; and the chosen sign."""

    name: str
    token_hash: str
    level: int | None
    sign: str = ""


@dataclass(frozen=True)
class Table:
    """A table after its last event.

    `base` is the version of the last event that changed the position. `gone` are the seats that resigned; `accepted`
    those that agree to the offer on the table, the one who made it first (empty: no offer). `turn` are the events of
    the last turn: moves that one seat made in a row; the last move alone in games for one. `setup` is the set-up's
    text, where the game has one.
    """

    game: Game
    state: State
    seats: tuple[Seat | None, ...]
    version: int = 0
    base: int = 0
    gone: frozenset[int] = frozenset()
    accepted: tuple[int, ...] = ()
    agreed: Outcome | None = None
    turn: tuple[Moved, ...] = ()
    setup: str | None = None
    house: House = field(default_factory=House)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it has."""
        return self.agreed or self.state.outcome

    @property
    def started(self) -> bool:
        """Whether every seat is taken."""
        return None not in self.seats

    @property
    def _choosing(self) -> bool:
        return drawing_of(self.game).scene(self.game).signs

    @property
    def free_signs(self) -> tuple[str, ...]:
        """The signs that nobody has yet, where players choose theirs; else none."""
        if not self._choosing:
            return ()
        chosen = {seat.sign for seat in self.seats if seat}
        return tuple(sign for sign in SIGNS if sign not in chosen)

    @property
    def signs(self) -> tuple[str, ...]:
        """The sign of each seat's marks, where players choose theirs; else none. Free seats get the next free ones."""
        if not self._choosing:
            return ()
        free = iter(self.free_signs)
        return tuple(seat.sign if seat and seat.sign else next(free, "") for seat in self.seats)

    @property
    def alone(self) -> bool:
        """Whether only one seat is left, so that there is nobody to agree with."""
        return len(self.seats) - len(self.gone) == 1

    @property
    def to_move(self) -> int | None:
        """The seat to move; None before the start and after the end."""
        return self.state.to_move if self.started and not self.outcome else None

    @property
    def status(self) -> str:
        """`waiting`, `running` or `over`."""
        return "over" if self.outcome else "running" if self.started else "waiting"

    @property
    def engine_to_move(self) -> int | None:
        """The level of the engine that is to move, if one is."""
        seat = None if self.to_move is None else self.seats[self.to_move]
        return seat.level if seat else None

    @property
    def consenting(self) -> bool:
        """Whether an offer to end here may come to something: no engine plays or this game's engines agree at times."""
        return consents(self.game) or not any(s and s.level for n, s in enumerate(self.seats) if n not in self.gone)

    @property
    def engine_asked(self) -> int | None:
        """The seat of an engine that has not answered the offer on the table, if there is one."""
        if not self.accepted or self.outcome:
            return None
        waiting = (seat for seat in range(len(self.seats)) if seat not in self.gone and seat not in self.accepted)
        return next((seat for seat in waiting if (sits := self.seats[seat]) and sits.level is not None), None)

    @property
    def engine_due(self) -> bool:
        """Whether the server itself must act now: an engine is to answer an offer, or to move while there is none."""
        return self.engine_asked is not None or (not self.accepted and self.engine_to_move is not None)

    @property
    def open(self) -> bool:
        """Whether everybody may see everything: once the game is over, however it ended."""
        return self.outcome is not None

    def view(self, seat: int | None) -> State:
        """What a seat (None: a spectator) may see: its own view, and everything once the table is open."""
        return self.state if self.open else self.state.seen_by(seat)

    def heard(self, moved: Moved, seat: int | None) -> str:
        """A move as a seat (None: a spectator) may read it: as it heard it, and whole once the table is open."""
        return moved.whole if self.open else moved.heard_by(seat)

    def last_heard(self, seat: int | None) -> tuple[str, ...]:
        """The last turn's moves as a seat (None: a spectator) may read them."""
        return tuple(self.heard(moved, seat) for moved in self.turn)

    def seat_of(self, token_hash: str) -> int | None:
        """The seat that a token opens."""
        for number, seat in enumerate(self.seats):
            if seat and token_hash and seat.token_hash == token_hash:
                return number
        return None


def opened(body: Opened) -> Table:
    """The table that event 0 makes. Raises KletkaError where this version can't play it."""
    made = game(body.spec)
    return Table(made, made.start(body.setup), (None,) * made.seats, setup=body.setup, house=body.house)


def fold(table: Table, event: Event) -> Table:
    """The table after an event of its log."""
    version = event.version
    match event.body:
        case Seated(seat, name, token_hash, level, sign):
            seats = list(table.seats)
            seats[seat] = Seat(name, token_hash, level, sign)
            return replace(table, version=version, seats=tuple(seats))
        case Moved(seat, move):
            goes_on = table.game.seats > 1 and table.state.to_move == seat
            same = goes_on and bool(table.turn) and table.turn[-1].seat == seat
            state = table.state.play(Move(move))
            turn = (*table.turn, event.body) if same else (event.body,)
            return replace(table, version=version, state=state, base=version, accepted=(), turn=turn)
        case Resigned(seat):
            state = table.state.without(seat)
            gone = table.gone | {seat}
            return replace(table, version=version, state=state, base=version, gone=gone, accepted=(), turn=())
        case Offered(seat):
            return replace(table, version=version, accepted=(seat,))
        case Accepted(seat):
            accepted = (*table.accepted, seat)
            everybody = len(accepted) == table.game.seats - len(table.gone)
            agreed = table.state.agreed() if everybody else None
            return replace(table, version=version, accepted=accepted, agreed=agreed)
        case Declined():
            return replace(table, version=version, accepted=())
        case Opened():
            raise ValueError("a table is opened once")


def _refused(code: str, *, stale: bool = False) -> Refused:
    return Refused((Reason(code),), stale)


def clean_name(name: str) -> str | None:
    """A name to show: spaces joined, control and direction marks gone; None where it is too long."""
    kept = "".join(c if unicodedata.category(c)[0] != "C" or c in _JOINERS else " " for c in name)
    joined = " ".join(kept.split())
    return joined if len(joined) <= LONGEST_NAME else None


def decide(table: Table, command: Command, seat: int | None) -> Body | Refused:
    """The event that a command of a seat (None: nobody's yet) causes, or why it is refused."""
    if isinstance(command, Take):
        return _take(table, command)
    if seat is None:
        return _refused("no_seat")
    if not table.started:
        return _refused("not_started")
    if table.outcome or seat in table.gone:
        return _refused("over")
    match command:
        case Play():
            return _play(table, command, seat)
        case Resign():
            return Resigned(seat)
        case Offer():
            if not table.consenting:
                return _refused("no_consent")
            if table.alone:
                return _refused("alone")
            return _refused("offered") if table.accepted else Offered(seat)
        case Accept():
            if not table.accepted or seat in table.accepted:
                return _refused("no_offer")
            return Accepted(seat)
        case Decline():
            withdrawn = table.accepted[:1] == (seat,)
            return Declined(seat, withdrawn) if table.accepted else _refused("no_offer")


def _take(table: Table, command: Take) -> Body | Refused:
    free = [number for number, seat in enumerate(table.seats) if seat is None]
    name = clean_name(command.name)
    if table.seat_of(command.token_hash) is not None:
        return _refused("seated")
    if name is None:
        return _refused("bad_name")
    if command.seat is not None and not 0 <= command.seat < len(table.seats):
        return _refused("no_such_seat")
    wished = command.seat if command.seat is not None else free[0] if free else None
    if wished not in free:
        return _refused("seat_taken")
    if command.sign and command.sign not in SIGNS:
        return _refused("no_such_sign")
    signs = table.free_signs
    if command.sign and signs and command.sign not in signs:
        return _refused("sign_taken")
    return Seated(wished, name, command.token_hash, sign=(command.sign or signs[0]) if signs else "")


def _play(table: Table, command: Play, seat: int) -> Body | Refused:
    if command.base != table.base:
        return _refused("stale", stale=True)
    if table.to_move != seat:
        return _refused("not_your_turn")
    if len(command.move) > LONGEST_MOVE:
        return _refused("notation")
    try:
        move = table.game.parse(command.move)
    except NotationError as error:
        return Refused((Reason(error.code, (), error.facts),))
    if reasons := table.state.refuses(move):
        return Refused(reasons)
    try:
        told = [table.state.told(move, s) for s in (*range(table.game.seats), None)] if table.game.hidden else []
    except IllegalMove as error:
        return Refused(error.reasons)
    return Moved(seat, move, tuple(told))
