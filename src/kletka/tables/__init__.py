"""People at a game: seats, offers, the event log, the store, who acts when."""

from __future__ import annotations

from kletka.drawing.scene import House
from kletka.tables.backup import NoBackup, backup, restore
from kletka.tables.clerk import Clerk
from kletka.tables.clocks import Clock, read_clock
from kletka.tables.hall import Hall, Room, Unreadable, Watcher, read_room
from kletka.tables.model import (
    Accept,
    Accepted,
    Answer,
    Applied,
    Command,
    Conflict,
    Decline,
    Declined,
    Disclosed,
    Duplicate,
    Event,
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
)
from kletka.tables.observer import Observer
from kletka.tables.recording import record_of
from kletka.tables.remains import Remnant, remains
from kletka.tables.store import NoStore, Sitting, Store, Unavailable
from kletka.tables.table import LONGEST_NAME, Seat, Table, clean_name, fold, opened
from kletka.tables.tokens import new_token, token_hash
from kletka.tables.workers import Workers

__all__ = [
    "LONGEST_NAME",
    "Accept",
    "Accepted",
    "Answer",
    "Applied",
    "Clerk",
    "Clock",
    "Command",
    "Conflict",
    "Decline",
    "Declined",
    "Disclosed",
    "Duplicate",
    "Event",
    "Hall",
    "House",
    "Leave",
    "Left",
    "Lend",
    "Lent",
    "Moved",
    "NoBackup",
    "NoStore",
    "Observer",
    "Offer",
    "Offered",
    "Opened",
    "Play",
    "Refused",
    "Remnant",
    "Resign",
    "Resigned",
    "Room",
    "Seat",
    "Seated",
    "Sitting",
    "Store",
    "Table",
    "Take",
    "TimedOut",
    "Unavailable",
    "Unreadable",
    "Watcher",
    "Workers",
    "backup",
    "clean_name",
    "fold",
    "new_token",
    "opened",
    "read_clock",
    "read_room",
    "record_of",
    "remains",
    "restore",
    "token_hash",
]
