"""A table as its log makes it, and what a command does to it: pure functions without clock, store or network."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
from msgspec.structs import replace

from kletka.drawing import drawing_of
from kletka.drawing.scene import SIGNS, House
from kletka.engines import LEVELS, consents
from kletka.games import Game, IllegalMove, Move, NotationError, Outcome, Reason, State, game
from kletka.games.contract import LONGEST_MOVE
from kletka.tables.clocks import DAY, Outage, deadline, spent
from kletka.tables.commitment import Committed, commit
from kletka.tables.model import (
    Accept,
    Accepted,
    Body,
    Close,
    Command,
    Decline,
    Declined,
    Disclose,
    Disclosed,
    Event,
    Flag,
    Leave,
    Left,
    Lend,
    Lent,
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
    TimedOut,
    What,
)
from kletka.tables.tokens import same_hash
from kletka.words import JOINERS

LONGEST_NAME = 30
FIRST_MOVE = DAY
"""Seconds that everybody has at least for their first move, which no clock counts: who was asked to a table may come
later."""
SILENCE = 1800
"""Seconds without a move after which others in a race need not wait any more."""
LENDING = 600
"""Seconds within which a lent seat may be moved to another browser."""
MOST_ASKS = 10
"""Offers, lendings and leavings of one seat until the position changes: without a move no log grows for ever."""
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and a symbol that nobody sees: Hangul's fillers and the empty Braille cell."""


@dataclass(frozen=True)
class Seat:
    """Who sits on a seat: a person by the hash of the seat's token, or an engine by its level; and the chosen sign.

    `owner` is the hash of the person's browser key.
    """

    name: str
    token_hash: str
    level: int | None
    sign: str = ""
    owner: str = ""


class Table(msgspec.Struct, frozen=True, dict=True):
    """A table after its last event.

    `opening` is what it was opened with. `base` is the version of the last event that changed the position, and `line`
    are the events that stand: moves, and seats that went. `gone` are the seats that resigned or ran out of time.
    `offered` is the offer on the table, made by the event of version `offer` (0: none is), `accepted` are those that
    agree to it, the one who made it first. `left` are the seconds on each seat's clock, that of the seat to move as it
    was at the time `since`; `moved` are the seats whose clock has begun to count, with their first move, and `began` is
    when all seats were taken. `lent` are seats that may be moved to other browsers, `next` is the next table of the
    series, and `disclosed` says that a race is over. `asks` are the seats that offered, lent or left something since
    the position changed, once for each time.
    """

    game: Game
    state: State
    opening: Opened
    seats: tuple[Seat | None, ...]
    version: int = 0
    base: int = 0
    line: tuple[Event, ...] = ()
    gone: frozenset[int] = frozenset()
    offered: Offered | None = None
    offer: int = 0
    accepted: tuple[int, ...] = ()
    agreed: Outcome | None = None
    left: tuple[float, ...] = ()
    since: float = 0.0
    moved: frozenset[int] = frozenset()
    began: float = 0.0
    lent: tuple[Lent, ...] = ()
    next: str = ""
    disclosed: bool = False
    asks: tuple[int, ...] = ()

    @property
    def setup(self) -> str | None:
        """The set-up's text, where the game has one."""
        return self.opening.setup

    @property
    def house(self) -> House:
        """What the table allows."""
        return self.opening.house

    @property
    def hints(self) -> bool:
        """Whether an engine may be asked for help."""
        return self.opening.hints

    @cached_property
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
    def staying(self) -> tuple[int, ...]:
        """The seats that are still in the game."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.gone)

    @property
    def alone(self) -> bool:
        """Whether only one seat is left, so that there is nobody to agree with."""
        return len(self.staying) == 1

    @cached_property
    def to_move(self) -> int | None:
        """The seat to move; None before the start and after the end."""
        return self.state.to_move if self.started and not self.outcome else None

    @property
    def status(self) -> str:
        """`waiting`, `running` or `over`."""
        return "over" if self.outcome else "running" if self.started else "waiting"

    def level(self, seat: int | None) -> int | None:
        """The level of the engine on a seat; None where none sits there."""
        sits = None if seat is None else self.seats[seat]
        return sits.level if sits else None

    @property
    def engine_to_move(self) -> int | None:
        """The level of the engine that is to move, if one is."""
        return self.level(self.to_move)

    @property
    def consenting(self) -> bool:
        """Whether an offer to end here may come to something: no engine plays or this game's engines agree at times."""
        return consents(self.game) or not any(self.level(seat) for seat in self.staying)

    @property
    def engine_asked(self) -> int | None:
        """The seat of an engine that has not answered the offer on the table, if there is one."""
        if self.offered is None or self.offered.what != "end" or self.outcome:
            return None
        return next((seat for seat in self.staying if seat not in self.accepted and self.level(seat)), None)

    @property
    def engine_due(self) -> bool:
        """Whether the server itself must act now: an engine is to answer an offer, or to move."""
        return self.engine_asked is not None or self.engine_to_move is not None

    @property
    def sealed(self) -> bool:
        """Whether this is a table of a race that isn't over, which nobody but its own seat may look at."""
        return bool(self.opening.race) and not self.disclosed

    @cached_property
    def open(self) -> bool:
        """Whether everybody may see everything: once the game is over, however it ended."""
        return self.outcome is not None and not self.sealed

    def view(self, seat: int | None) -> State:
        """What a seat (None: a spectator) may see: its own view, and everything once the table is open."""
        return self.state if self.open else self.state.seen_by(seat)

    def heard(self, moved: Moved, seat: int | None) -> str:
        """A move as a seat (None: a spectator) may read it: as it heard it, and whole once the table is open."""
        return moved.whole if self.open else moved.heard_by(seat)

    def committed(self, seat: int | None) -> tuple[Committed, ...]:
        """The commitments to what a seat (None: a spectator) doesn't know, and once the table is open to all that was
        hidden, with what it was and the salts. Before, which there are follows from what the seat has heard."""
        if not self.game.hidden:
            return ()
        shown = []
        if (dealt := self.opening.commitment) and self.setup is not None:
            shown.append(Committed(dealt.hash, None, 0, *((self.setup, dealt.salt) if self.open else ())))
        for event in self.line:
            moved = event.body
            if isinstance(moved, Moved) and (hid := moved.commitment) and (self.open or moved.hidden_from(seat)):
                revealed = (moved.move, hid.salt) if self.open else ()
                shown.append(Committed(hid.hash, moved.seat, event.version, *revealed))
        return tuple(shown)

    @cached_property
    def turn(self) -> tuple[Moved, ...]:
        """The last turn: the moves that one seat made in a row; the last move alone in games for one."""
        turn: list[Moved] = []
        for event in reversed(self.line):
            body = event.body
            if not isinstance(body, Moved) or (turn and (turn[-1].seat != body.seat or self.game.seats == 1)):
                break
            turn.append(body)
        return tuple(reversed(turn))

    def last_heard(self, seat: int | None) -> tuple[str, ...]:
        """The last turn's moves as a seat (None: a spectator) may read them."""
        return tuple(self.heard(moved, seat) for moved in self.turn)

    def seats_of(self, token_hash: str) -> tuple[int, ...]:
        """The seats that a token opens: several where people share a screen."""
        # Every seat is compared, whichever matches.
        return tuple(
            number for number, seat in enumerate(self.seats) if seat and same_hash(seat.token_hash, token_hash)
        )

    def beside(self, seat: int) -> tuple[int, ...]:
        """The seats at the same screen as this one, itself among them."""
        sits = self.seats[seat]
        token = sits.token_hash if sits else ""
        return tuple(
            [at for at, one in enumerate(self.seats) if at == seat or (one and token and one.token_hash == token)]
        )

    def looking(self, own: tuple[int, ...]) -> int | None:
        """Which of the seats at one screen looks: the one to move, else the one that moved last."""
        if self.to_move in own or not own:
            return self.to_move if own else None
        moved = (event.body.seat for event in reversed(self.line) if isinstance(event.body, Moved))
        return next((seat for seat in moved if seat in own), own[0])

    def asked(self, what: What, seat: int) -> frozenset[int]:
        """The seats that have to agree to what a seat offers, without those at its own screen."""
        if what == "end":
            asked = set(self.staying)
        elif what == "takeback":
            asked = {other for other in self.staying if not self.level(other)}
        else:
            agreed = self.opening.round < self.opening.rounds
            asked = set() if agreed else {other for other in range(len(self.seats)) if not self.level(other)}
        return frozenset(asked.difference(self.beside(seat)))

    def before(self, seat: int, whole_turn: bool) -> int | None:
        """The version before the last move (or the whole last turn) of whoever sits at a seat's screen; None where
        there is no such move, or a seat has gone since."""
        own, line = self.beside(seat), self.line
        at = len(line) - 1
        while at >= 0 and isinstance(body := line[at].body, Moved) and body.seat not in own:
            at -= 1
        if at < 0 or not isinstance(body := line[at].body, Moved):
            return None
        while whole_turn and at and isinstance(one := line[at - 1].body, Moved) and one.seat == body.seat:
            at -= 1
        return line[at - 1].version if at else 0

    def undone(self, to: int) -> tuple[Moved, ...]:
        """The moves that go when only the events up to a version stand."""
        return tuple(event.body for event in self.line if event.version > to and isinstance(event.body, Moved))

    def waits(self, now: float) -> bool:
        """Whether a race waits in vain, it seems: for somebody to come, or to move after a long time."""
        heard = self.line[-1].at if self.line else self.began
        return not self.outcome and (not self.started or now - heard >= SILENCE)

    @property
    def timed(self) -> bool:
        """Whether the seat to move has to move in time."""
        return self.opening.clock is not None and self.to_move is not None and not self.engine_to_move

    @property
    def runs(self) -> bool:
        """Whether the clock of the seat to move counts: from its second move on."""
        return self.timed and self.to_move in self.moved

    def deadline(self, outages: Sequence[Outage]) -> float | None:
        """When the time of the seat to move is up; None where it has all the time in the world."""
        if not self.timed or self.to_move is None:
            return None
        left = self.left[self.to_move]
        return deadline(self.since, left if self.runs else max(left, FIRST_MOVE), outages)

    @property
    def points(self) -> tuple[float, ...]:
        """The points of each seat's person in the series, with this game's once it is over."""
        before = self.opening.tally or (0.0,) * len(self.seats)
        won = self.outcome.winners if self.outcome else frozenset()
        return tuple(had + (seat in won) / max(1, len(won)) for seat, had in enumerate(before))


def opened(body: Opened) -> Table:
    """The table that event 0 makes. Raises KletkaError where this version can't play it."""
    made = game(body.spec)
    left = (float(body.clock.seconds),) * made.seats if body.clock else ()
    return Table(made, _begin(made, body), body, (None,) * made.seats, left=left)


def _begin(made: Game, body: Opened) -> State:
    return made.read(body.position) if body.position else made.start(body.setup)


def fold(table: Table, event: Event) -> Table:
    """The table after an event of its log."""
    after = _fold(table, event)
    return replace(after, version=event.version, asks=_asks(table, after, event.body))


def _asks(before: Table, after: Table, body: Body) -> tuple[int, ...]:
    if (before.base, before.agreed) != (after.base, after.agreed):
        return ()
    return (*before.asks, body.seat) if isinstance(body, Offered | Lent | Left) else before.asks


def _fold(table: Table, event: Event) -> Table:
    match event.body:
        case Seated(seat, name, token_hash, level, sign, owner):
            begins = not table.started
            table = _with_seat(table, seat, Seat(name, token_hash, level, sign, owner))
            table = replace(table, lent=tuple(lent for lent in table.lent if lent.seat != seat))
            if begins:
                return replace(table, since=event.at, began=event.at)
            # An engine needn't be asked what was asked of whoever left.
            return _come_about(table, event)
        case Left(seat):
            return _with_seat(table, seat, None)
        case Lent(seat) as lent:
            return replace(table, lent=(*(other for other in table.lent if other.seat != seat), lent))
        case Moved() as moved:
            return _moved(table, event, moved)
        case Resigned(seat) | TimedOut(seat):
            mover, state = table.to_move, table.state.without(seat)
            table = replace(table, state=state, line=(*table.line, event), gone=table.gone | {seat}, base=event.version)
            return _withdrawn(replace(table, since=table.since if state.to_move == mover else event.at))
        case Offered(seat, what) as offered:
            free = set(range(len(table.seats))) - table.asked(what, seat) - {seat}
            table = replace(table, offered=offered, offer=event.version, accepted=(seat, *sorted(free)))
            return _come_about(table, event)
        case Accepted(seat):
            joined = [other for other in table.beside(seat) if other not in table.accepted]
            return _come_about(replace(table, accepted=(*table.accepted, *joined)), event)
        case Declined():
            return _withdrawn(table)
        case Disclosed():
            return replace(table, disclosed=True)
        case Opened():
            raise ValueError("a table is opened once")


def _with_seat(table: Table, number: int, seat: Seat | None) -> Table:
    seats = list(table.seats)
    seats[number] = seat
    return replace(table, seats=tuple(seats))


def _moved(table: Table, event: Event, moved: Moved) -> Table:
    seat, state = moved.seat, table.state.play(Move(moved.move))
    table = _charged(table, moved.spent)
    clock, left = table.opening.clock, list(table.left)
    if clock and clock.kind == "total" and state.to_move != seat:
        left[seat] += clock.increment
    # People who move on decline what they were asked, but an engine's move or one's own declines nothing.
    kept = seat in table.accepted and (table.level(seat) or (table.offered and table.offered.what == "end"))
    if not kept or state.outcome:
        table = _withdrawn(table)
    line, begun = (*table.line, event), table.moved | {seat}
    table = replace(table, state=state, line=line, left=tuple(left), moved=begun)
    return replace(table, base=event.version, since=event.at)


def _charged(table: Table, thought: float | None) -> Table:
    """The seat to move has spent this time, where all its moves together have a time."""
    if table.opening.clock is None or table.opening.clock.kind != "total" or thought is None or table.to_move is None:
        return table
    left = list(table.left)
    left[table.to_move] -= thought
    return replace(table, left=tuple(left))


def _withdrawn(table: Table) -> Table:
    return replace(table, offered=None, offer=0, accepted=())


def _come_about(table: Table, event: Event) -> Table:
    """The offer comes about once nobody is to be asked any more."""
    offered = table.offered
    if offered is None or not table.asked(offered.what, offered.seat) <= set(table.accepted):
        return table
    match offered.what:
        case "end":
            return replace(_withdrawn(table), agreed=table.state.agreed())
        case "takeback":
            body = event.body
            thought = body.spent if isinstance(body, Offered | Accepted) else None
            back = _withdrawn(_rewound(table, offered.to))
            if back.to_move == table.to_move:
                # The same clock runs on.
                return replace(back, base=event.version)
            left = _unwound(_charged(table, thought), table.undone(offered.to))
            return replace(back, left=left, base=event.version, since=event.at)
        case "rematch":
            return replace(_withdrawn(table), next=offered.table)


def _rewound(table: Table, to: int) -> Table:
    """The table as it was when only the events up to a version stood; the time that was spent stays spent."""
    line = tuple(event for event in table.line if event.version <= to)
    left = _unwound(table, table.undone(to))
    state = _begin(table.game, table.opening)
    for event in line:
        match event.body:
            case Moved(_, move):
                state = state.play(Move(move))
            case Resigned(seat) | TimedOut(seat):
                state = state.without(seat)
    return replace(table, state=state, line=line, left=left)


def _unwound(table: Table, undone: Sequence[Moved]) -> tuple[float, ...]:
    """What is left on the clocks when turns that are undone have added nothing to them."""
    clock, left = table.opening.clock, list(table.left)
    if clock is None or not clock.increment:
        return table.left
    followed = [*(moved.seat for moved in undone[1:]), table.to_move]
    for moved, after in zip(undone, followed, strict=False):
        if after != moved.seat:
            left[moved.seat] -= clock.increment
    return tuple(left)


def _refused(code: str, *, stale: bool = False) -> Refused:
    return Refused((Reason(code),), stale)


def clean_name(name: str) -> str | None:
    """A name to show: spaces joined, control and direction marks gone; None where it is too long.

    A name in which nothing can be seen is none: empty.
    """
    if not any(unicodedata.category(c)[0] in "LNPS" and c not in _BLANKS for c in name):
        return ""
    kept = "".join(c if unicodedata.category(c)[0] != "C" or c in JOINERS else " " for c in name)
    joined = " ".join(kept.split())
    return joined if len(joined) <= LONGEST_NAME else None


@dataclass(frozen=True)
class Now:
    """When something is decided: seconds since 1970 by the store's time, and the outages that are known."""

    time: float
    outages: tuple[Outage, ...] = ()


def decide(table: Table, command: Command, seat: int | None, now: Now) -> Body | Refused:
    """The event that a command of a seat (None: nobody's yet) causes, or why it is refused."""
    body = _decide(table, command, seat, now)
    if isinstance(body, Offered | Lent | Left) and table.asks.count(body.seat) >= MOST_ASKS:
        return _refused("too_often")
    return body


def _decide(table: Table, command: Command, seat: int | None, now: Now) -> Body | Refused:
    match command:
        case Take():
            return _take(table, command, now)
        case Disclose():
            return Disclosed() if table.sealed and table.outcome else _refused("not_over")
        case Close():
            return _close(table, now)
        case Flag():
            return _flag(table, command, now)
    if seat is None:
        return _refused("no_seat")
    match command:
        case Lend(code_hash):
            return Lent(seat, code_hash, now.time + LENDING)
        case Leave() if not table.started:
            return Left(seat)
        case Offer("rematch"):
            return _offer_rematch(table, command, seat)
        case Accept(offer) | Decline(offer) if table.offered and table.offered.what == "rematch":
            return _answer(table, command, offer, seat)
    if not table.started:
        return _refused("not_started")
    if table.outcome or seat in table.gone:
        return _refused("over")
    ends = table.deadline(now.outages)
    if ends is not None and now.time >= ends:
        return _refused("out_of_time")
    match command:
        case Play():
            return _play(table, command, seat, now)
        case Resign():
            return Resigned(seat)
        case Leave(level):
            return _replace(table, seat, level)
        case Offer():
            return _spending(table, _offer(table, command, seat), now)
        case Accept(offer) | Decline(offer):
            return _spending(table, _answer(table, command, offer, seat), now)


def _close(table: Table, now: Now) -> Body | Refused:
    return Resigned(0) if table.opening.race and table.waits(now.time) else _refused("over")


def _spending(table: Table, body: Body | Refused, now: Now) -> Body | Refused:
    """An offer or an answer that may lead to a takeback says how long the seat to move has thought until then."""
    asked = body.what == "takeback" if isinstance(body, Offered) else table.offered and table.offered.what == "takeback"
    if not table.runs or not asked or not isinstance(body, Offered | Accepted):
        return body
    thought = spent(table.since, now.time, now.outages)
    return replace(body, spent=thought)


def _answer(table: Table, command: Accept | Decline, offer: int, seat: int) -> Body | Refused:
    """The offer may be another one by now than the one that was read."""
    if table.offered is None or offer != table.offer:
        return _refused("no_offer")
    if isinstance(command, Accept):
        return _refused("no_offer") if seat in table.accepted else Accepted(seat)
    return Declined(seat, withdrawn=seat in table.beside(table.offered.seat))


def _offer(table: Table, command: Offer, seat: int) -> Body | Refused:
    if command.what == "end":
        if not table.consenting:
            return _refused("no_consent")
        if table.alone:
            return _refused("alone")
        return _made(table, Offered(seat), seat)
    if table.game.hidden:
        return _refused("no_takeback")
    if command.base != table.base:
        return _refused("stale", stale=True)
    to = table.before(seat, command.what == "turn")
    return _refused("nothing_to_take_back") if to is None else _made(table, Offered(seat, "takeback", to), seat)


def _offer_rematch(table: Table, command: Offer, seat: int) -> Body | Refused:
    if not table.outcome:
        return _refused("not_over")
    if table.opening.race or table.next:
        return _refused("no_rematch")
    return _made(table, Offered(seat, "rematch", table=command.table), seat)


def _made(table: Table, offer: Offered, seat: int) -> Body | Refused:
    """An offer, or an answer to the same one that somebody else has made already."""
    if table.offered is None:
        return offer
    same = (table.offered.what, table.offered.to) == (offer.what, offer.to)
    return Accepted(seat) if same and seat not in table.accepted else _refused("offered")


def _replace(table: Table, seat: int, level: int) -> Body | Refused:
    if level not in LEVELS:
        return _refused("no_such_level")
    if all(table.level(other) for other in table.staying if other != seat):
        return _refused("all_engines")
    sits = table.seats[seat]
    assert sits is not None
    return Seated(seat, sits.name, level=level, sign=sits.sign)


def _flag(table: Table, command: Flag, now: Now) -> Body | Refused:
    ends = table.deadline(now.outages)
    if table.to_move is None or ends is None or command.base != table.base or now.time < ends:
        return _refused("in_time")
    return TimedOut(table.to_move)


def _take(table: Table, command: Take, now: Now) -> Body | Refused:
    free = [number for number, seat in enumerate(table.seats) if seat is None]
    name = clean_name(command.name)
    if command.code_hash:
        return _bring(table, command, now)
    if table.seats_of(command.token_hash) and not command.beside:
        return _refused("seated")
    if name is None:
        return _refused("bad_name")
    if command.seat is not None and not 0 <= command.seat < len(table.seats):
        return _refused("no_such_seat")
    wished = command.seat if command.seat is not None else free[0] if free else None
    if wished not in free or table.outcome:
        return _refused("seat_taken")
    if command.sign and command.sign not in SIGNS:
        return _refused("no_such_sign")
    signs = table.free_signs
    if command.sign and signs and command.sign not in signs:
        return _refused("sign_taken")
    sign = (command.sign or signs[0]) if signs else ""
    return Seated(wished, name, command.token_hash, sign=sign, owner=command.owner)


def _bring(table: Table, command: Take, now: Now) -> Body | Refused:
    """Move a lent seat to the browser that knows the code."""
    known = [lent for lent in table.lent if same_hash(lent.code_hash, command.code_hash) and now.time < lent.until]
    lent = known[0] if known else None
    sits = table.seats[lent.seat] if lent else None
    if lent is None or sits is None or sits.level is not None:
        return _refused("bad_code")
    if same_hash(sits.token_hash, command.token_hash):
        return _refused("seated")
    return Seated(lent.seat, sits.name, command.token_hash, sign=sits.sign, owner=command.owner)


def _play(table: Table, command: Play, seat: int, now: Now) -> Body | Refused:
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
    thought = spent(table.since, now.time, now.outages) if table.runs else None
    moved = Moved(seat, move, tuple(told), thought)
    if command.salt and any(moved.hidden_from(other) for other in (*range(len(told) - 1), None)):
        return replace(moved, commitment=commit(command.salt, move))
    return moved
