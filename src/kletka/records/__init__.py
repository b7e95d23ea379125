"""A game written down: text form, reading with exact complaints, replay."""

from __future__ import annotations

from kletka.records.record import (
    LONGEST_POSITION,
    Agreed,
    Left,
    Played,
    Record,
    RecordError,
    Result,
    parse,
    print_record,
    replay,
    told_by,
)

__all__ = [
    "LONGEST_POSITION",
    "Agreed",
    "Left",
    "Played",
    "Record",
    "RecordError",
    "Result",
    "parse",
    "print_record",
    "replay",
    "told_by",
]
