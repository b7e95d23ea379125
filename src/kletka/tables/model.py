"""What happens at a table, as data: events, commands and answers.

The log of events is the table; everything else is derived from it. Bodies are what the store keeps (JSON with a
`kind`), commands are what people and engines ask for, answers are what they get.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kletka.drawing.scene import House
from kletka.games import Reason


class Opened(msgspec.Struct, frozen=True, tag_field="kind", tag="opened"):
    """Event 0: the full spec, the set-up where the game has one, the package version that dealt it, and the house's
    rules of the table."""

    spec: str
    setup: str | None
    version: str
    house: House = House()


class Seated(msgspec.Struct, frozen=True, tag_field="kind", tag="seated"):
    """A seat was taken: by a person (hash of the seat's token) or by an engine (its level). `sign` is the sign of its
    marks, where players choose theirs."""

    seat: int
    name: str = ""
    token_hash: str = ""
    level: int | None = None
    sign: str = ""


class Moved(msgspec.Struct, frozen=True, tag_field="kind", tag="moved"):
    """The seat to move played. Where views differ, `told` holds the text for every seat and then for spectators."""

    seat: int
    move: str
    told: tuple[str, ...] = ()

    def heard_by(self, seat: int | None) -> str:
        """The move as a seat (None: a spectator) heard it."""
        if not self.told:
            return self.move
        return self.told[-1 if seat is None else seat]

    @property
    def whole(self) -> str:
        """The move with its full answer: as the seat that played it heard it."""
        return self.heard_by(self.seat)


class Resigned(msgspec.Struct, frozen=True, tag_field="kind", tag="resigned"):
    """A seat gave up and is skipped from now on."""

    seat: int


class Offered(msgspec.Struct, frozen=True, tag_field="kind", tag="offered"):
    """A seat offers to end here by consent."""

    seat: int


class Accepted(msgspec.Struct, frozen=True, tag_field="kind", tag="accepted"):
    """A seat accepts the offer; when all that remain have, the game ends."""

    seat: int


class Declined(msgspec.Struct, frozen=True, tag_field="kind", tag="declined"):
    """A seat declines the offer, or takes its own back (`withdrawn`)."""

    seat: int
    withdrawn: bool = False


Body = Opened | Seated | Moved | Resigned | Offered | Accepted | Declined


@dataclass(frozen=True)
class Event:
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
    """Take a seat (None: the first free one), and a sign (empty: the first free one) where players choose theirs."""

    token_hash: str
    name: str = ""
    seat: int | None = None
    sign: str = ""


@dataclass(frozen=True)
class Play:
    """Play a move text; `base` is the version of the last event that changed the position, as the sender knew it."""

    base: int
    move: str


@dataclass(frozen=True)
class Resign:
    """Give up."""


@dataclass(frozen=True)
class Offer:
    """Offer to end here by consent."""


@dataclass(frozen=True)
class Accept:
    """Accept the offer that is on the table."""


@dataclass(frozen=True)
class Decline:
    """Decline the offer, or take one's own back."""


Command = Take | Play | Resign | Offer | Accept | Decline


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
    "unavailable",
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
        case _:
            return type(command).__name__.lower()
