"""A table's game as a record: what stands of it, as a seat may know it."""

from __future__ import annotations

from kletka.records import Agreed, Played, Record, Result
from kletka.records import Left as Gone
from kletka.tables.model import Event, Moved, Resigned, TimedOut
from kletka.tables.table import Seat, Table


def record_of(table: Table, seat: int | None) -> Record:
    """The game as far as it stands: once the table is open with its set-up and every answer, before as that seat
    (None: a spectator) heard it. What was taken back isn't in it; names and the clock are tags."""
    events = [_event(table, event, seat) for event in table.line]
    if table.agreed:
        events.append(Agreed())
    outcome = table.outcome
    return Record(
        table.game,
        tuple(events),
        table.setup if table.open else None,
        _tags(table),
        Result(outcome.winners, outcome.reason) if outcome else None,
        table.opening.position or None,
    )


def _event(table: Table, event: Event, seat: int | None) -> Played | Gone | Agreed:
    match event.body:
        case Moved() as moved:
            return Played(table.heard(moved, seat))
        case Resigned(gone) | TimedOut(gone):
            return Gone(gone)
        case _:
            raise ValueError("only moves and seats that went stand in a line")


def _tags(table: Table) -> tuple[tuple[str, str], ...]:
    named = [(f"seat{number + 1}", name) for number, sits in enumerate(table.seats) if sits and (name := _name(sits))]
    clock = [("clock", str(table.opening.clock))] if table.opening.clock else []
    return (*named, *clock)


def _name(seat: Seat) -> str:
    return seat.name if seat.level is None else " ".join(filter(None, [seat.name, f"Kletka {seat.level}"]))
