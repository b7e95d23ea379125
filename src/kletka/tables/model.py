"""What happens at a table, as data: events, commands and answers.

The log of events is the table; everything else is derived from it. Bodies are what the store keeps (JSON with a
`kind`), commands are what people and engines ask for, answers are what they get.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import msgspec

from kletka.drawing.scene import House
from kletka.games import Reason
from kletka.tables.clocks import Clock
from kletka.tables.commitment import Commitment

What = Literal["end", "takeback", "rematch"]
"""What is offered: to end here by consent, to take moves back, another game."""


class Opened(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="opened"):
    """Event 0: the full spec, the set-up where the game has one, the package version that dealt it, and what the table
    has agreed on beside the rules.

    `position` is where the game begins, if not at its start. `hints`: an engine may be asked for help. `series` is the
    first table of a series of games (empty: this one), `round` which game of it this is, `rounds` how many there will
    be (0: as many as they like), `tally` the points that each seat's person brings from the games before. `race` is
    the group of tables for one that are compared when all are over. `commitment` is to the set-up, where it is secret;
    older tables have none.
    """

    spec: str
    setup: str | None
    version: str
    house: House = House()
    position: str = ""
    clock: Clock | None = None
    hints: bool = False
    series: str = ""
    round: int = 1
    rounds: int = 0
    tally: tuple[float, ...] = ()
    race: str = ""
    commitment: Commitment | None = None


class Seated(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="seated"):
    """A seat was taken: by a person (hash of the seat's token, hash of the browser's key) or by an engine (its level).

    `sign` is the sign of its marks, where players choose theirs. A seat that was taken before has been moved to
    another browser, or its engine plays for whoever left.
    """

    seat: int
    name: str = ""
    token_hash: str = ""
    level: int | None = None
    sign: str = ""
    owner: str = ""


class Left(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="left"):
    """A seat was left before the start, and is free again."""

    seat: int


class Lent(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="lent"):
    """Until a time, whoever knows the code with this hash may move the seat to their browser, once."""

    seat: int
    code_hash: str
    until: float


class Moved(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="moved"):
    """The seat to move played. Where views differ, `told` holds the text for every seat and then for spectators.

    `spent` are the seconds that it took, where there is a clock. `commitment` is to the move, where not everybody heard
    it.
    """

    seat: int
    move: str
    told: tuple[str, ...] = ()
    spent: float | None = None
    commitment: Commitment | None = None

    def heard_by(self, seat: int | None) -> str:
        """The move as a seat (None: a spectator) heard it."""
        if not self.told:
            return self.move
        return self.told[-1 if seat is None else seat]

    def hidden_from(self, seat: int | None) -> bool:
        """Whether a seat (None: a spectator) didn't hear which move it was, whatever it was answered."""
        heard = self.heard_by(seat)
        return heard != self.move and not heard.startswith(f"{self.move}=")

    @property
    def whole(self) -> str:
        """The move with its full answer: as the seat that played it heard it."""
        return self.heard_by(self.seat)

    @property
    def answered(self) -> bool:
        """Whether the game answered: the seat that played it heard more than the move."""
        return self.whole != self.move


class Resigned(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="resigned"):
    """A seat gave up and is skipped from now on."""

    seat: int


class TimedOut(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="timed_out"):
    """A seat's time ran out, and it is skipped from now on."""

    seat: int


class Offered(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="offered"):
    """A seat offers something, which comes about at once where nobody has to be asked.

    A takeback leaves the events up to version `to`; a rematch will be at `table`. `spent` are the seconds that the seat
    to move has thought until then, where there is a clock.
    """

    seat: int
    what: What = "end"
    to: int = 0
    table: str = ""
    spent: float | None = None


class Accepted(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="accepted"):
    """A seat accepts the offer; when all that have to be asked did, it comes about. `spent` as in an offer."""

    seat: int
    spent: float | None = None


class Declined(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="declined"):
    """A seat declines the offer, or takes its own back (`withdrawn`)."""

    seat: int
    withdrawn: bool = False


class Disclosed(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="disclosed"):
    """All tables of the race are over: everybody may see everything."""


Body = Opened | Seated | Left | Lent | Moved | Resigned | TimedOut | Offered | Accepted | Declined | Disclosed


class Event(msgspec.Struct, frozen=True, gc=False):
    """An entry of the log. `command_id` and `command` say which command of which seat caused it, if one did.

    `at` is in seconds since 1970 by the store's time.
    """

    version: int
    body: Body
    at: float
    seat: int | None = None
    command_id: str | None = None
    command: str = ""


@dataclass(frozen=True)
class Take:
    """Take a seat (None: the first free one), and a sign (empty: the first free one) where players choose theirs.

    `beside`: another person at the same screen, who may take a seat though the screen has one already. The code
    with `code_hash` moves a seat that was lent from another browser to this one.
    """

    token_hash: str
    name: str = ""
    seat: int | None = None
    sign: str = ""
    owner: str = ""
    beside: bool = False
    code_hash: str = ""


@dataclass(frozen=True)
class Leave:
    """Leave: before the start the seat is free again, after it an engine of this level plays on."""

    level: int = 0


@dataclass(frozen=True)
class Lend:
    """Let the code with this hash move the seat to another browser."""

    code_hash: str


@dataclass(frozen=True)
class Play:
    """Play a move text; `base` is the version of the last event that changed the position, as the sender knew it.

    `salt` is the server's own, for the commitment to a move that others don't hear.
    """

    base: int
    move: str
    salt: str = field(default="", repr=False)


@dataclass(frozen=True)
class Resign:
    """Give up."""


@dataclass(frozen=True)
class Flag:
    """The server's own: the time of the seat to move has run out."""

    base: int


@dataclass(frozen=True)
class Offer:
    """Offer to end here by consent, to take back the own last move (`takeback`) or the own last turn (`turn`), or
    another game. `base` as in Play: what is taken back is what the sender saw. `table` is where another game will be.
    """

    what: Literal["end", "takeback", "turn", "rematch"] = "end"
    base: int = 0
    table: str = ""


@dataclass(frozen=True)
class Accept:
    """Accept the offer on the table, which was made by the event of this version."""

    offer: int


@dataclass(frozen=True)
class Decline:
    """Decline the offer that was made by the event of this version, or take one's own back."""

    offer: int


@dataclass(frozen=True)
class Close:
    """The server's own: nobody is waited for any more at this table of a race, if nobody came or moved for long."""


@dataclass(frozen=True)
class Disclose:
    """The server's own: all tables of the race are over."""


Command = Take | Leave | Lend | Play | Resign | Flag | Offer | Accept | Decline | Close | Disclose


@dataclass(frozen=True)
class Applied:
    """The command is stored as this version."""

    version: int
    seat: int | None = None


@dataclass(frozen=True)
class Duplicate:
    """The same command was stored before, as this version."""

    version: int


@dataclass(frozen=True)
class Conflict:
    """The id was used before for another command."""


@dataclass(frozen=True)
class Refused:
    """Nothing was stored, and why; `stale` where the sender's picture of the game is old."""

    reasons: tuple[Reason, ...]
    stale: bool = False


Answer = Applied | Duplicate | Conflict | Refused

CODES = (
    "stale",
    "not_your_turn",
    "no_seat",
    "bad_token",
    "not_started",
    "over",
    "seat_taken",
    "sign_taken",
    "seated",
    "no_offer",
    "offered",
    "no_such_seat",
    "no_such_sign",
    "no_consent",
    "alone",
    "bad_name",
    "out_of_time",
    "in_time",
    "no_takeback",
    "nothing_to_take_back",
    "not_over",
    "no_rematch",
    "bad_code",
    "no_such_level",
    "sealed",
    "all_engines",
    "too_often",
    "unavailable",
    "unreadable",
)
"""The closed list of codes by which a table refuses, besides those of its game."""

_BODIES = msgspec.json.Decoder(Body)
_ENCODER = msgspec.json.Encoder()


def encode_body(body: Body) -> str:
    """The body as the store keeps it."""
    return _ENCODER.encode(body).decode()


def decode_body(text: str) -> Body:
    """A stored body. Raises msgspec.DecodeError or msgspec.ValidationError."""
    return _BODIES.decode(text)


def command_text(command: Command) -> str:
    """What a command asks, as text to compare a repeated id with; without secrets."""
    match command:
        case Play(base, move):
            return f"play {base} {move}"
        case Take(seat=seat, sign=sign):
            return f"take {seat} {sign}".rstrip()
        case Offer(what, base):
            return f"offer {what} {base}"
        case Accept(offer) | Decline(offer):
            return f"{type(command).__name__.lower()} {offer}"
        case Leave(level):
            return f"leave {level}"
        case _:
            return type(command).__name__.lower()
