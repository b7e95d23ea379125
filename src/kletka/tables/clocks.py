"""Clocks as arithmetic: what a clock says follows from when it was started, by the store's time, and from the outages
in between. Nothing ticks here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from kletka.games import KletkaError

DAY = 86_400
LONGEST = 60 * DAY
"""Seconds of a clock at most."""

_TEXT = re.compile(r"(move|total):([0-9]{1,8})(?:\+([0-9]{1,5}))?")


class Clock(msgspec.Struct, frozen=True):
    """`move`: every move has `seconds`; `total`: all moves of a seat together, and `increment` more after each turn."""

    kind: Literal["move", "total"]
    seconds: int
    increment: int = 0

    def __str__(self) -> str:
        return f"{self.kind}:{self.seconds}" + (f"+{self.increment}" if self.increment else "")


def read_clock(text: str) -> Clock | None:
    """The clock of a text such as `move:30`, `total:300+5`; None for `none` and no text. Raises KletkaError."""
    if text in ("", "none"):
        return None
    found = _TEXT.fullmatch(text)
    if not found:
        raise KletkaError("bad_clock")
    kind, seconds, increment = found[1], int(found[2]), int(found[3] or 0)
    if not 1 <= seconds <= LONGEST or increment > LONGEST or (kind == "move" and increment):
        raise KletkaError("bad_clock")
    return Clock("move" if kind == "move" else "total", seconds, increment)


Outage = tuple[float, float]
"""From when to when no server was alive, in seconds since 1970."""


def outage(since: float, until: float, outages: Iterable[Outage]) -> float:
    """Seconds between two times in which no server was alive; outages don't overlap."""
    return sum(max(0.0, min(until, end) - max(since, begin)) for begin, end in outages)


def spent(since: float, now: float, outages: Iterable[Outage]) -> float:
    """Seconds of thinking from one time to another: those in which a server was there to be told."""
    return max(0.0, now - since - outage(since, now, outages))


def deadline(since: float, left: float, outages: Sequence[Outage]) -> float:
    """When a clock with so many seconds left, started at a time, runs out, as far as outages are known."""
    end = since + left
    for begin, until in sorted(outages):
        if until > since and begin < end:
            end += until - max(begin, since)
    return end
