"""Who hears how the tables are doing: what commands led to and how long it took, never what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kletka.tables.model import Answer, Command

if TYPE_CHECKING:
    from kletka.tables.hall import Room


class Observer:
    """Hears of everything that a hall and its clerk do; this one makes nothing of it. Called in the event loop."""

    def opened(self, room: Room) -> None:
        """A table was opened."""

    def commanded(self, room: Room, command: Command, seat: int | None, answer: Answer, seconds: float) -> None:
        """A command of a seat was answered, after so many seconds."""

    def thought(self, room: Room, level: int, seconds: float) -> None:
        """An engine of a level has computed what to do at a table."""
