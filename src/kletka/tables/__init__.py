"""People at a game: seats, offers, the event log, the store, who acts when."""

from __future__ import annotations

from kletka.drawing.scene import House
from kletka.tables.clerk import Clerk
from kletka.tables.hall import Hall, Room, Watcher, new_token, token_hash
from kletka.tables.model import (
    Accept,
    Accepted,
    Answer,
    Applied,
    Command,
    Conflict,
    Decline,
    Declined,
    Duplicate,
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
from kletka.tables.observer import Observer
from kletka.tables.store import Store, Unavailable
from kletka.tables.table import LONGEST_NAME, Seat, Table, clean_name, fold, opened

__all__ = [
    "LONGEST_NAME",
    "Accept",
    "Accepted",
    "Answer",
    "Applied",
    "Clerk",
    "Command",
    "Conflict",
    "Decline",
    "Declined",
    "Duplicate",
    "Event",
    "Hall",
    "House",
    "Moved",
    "Observer",
    "Offer",
    "Offered",
    "Opened",
    "Play",
    "Refused",
    "Resign",
    "Resigned",
    "Room",
    "Seat",
    "Seated",
    "Store",
    "Table",
    "Take",
    "Unavailable",
    "Watcher",
    "clean_name",
    "fold",
    "new_token",
    "opened",
    "token_hash",
]
