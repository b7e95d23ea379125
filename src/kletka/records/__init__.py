"""A game written down: text form, reading with exact complaints, replay."""

from __future__ import annotations

from kletka.records.record import (
    Agreed,
    Left,
    Played,
    Record,
    RecordError,
    Result,
    parse,
    print_record,
    replay,
)

__all__ = ["Agreed", "Left", "Played", "Record", "RecordError", "Result", "parse", "print_record", "replay"]
