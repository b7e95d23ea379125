"""The hall: the tables that this process serves. It decides, stores, then tells; the network is the caller's.

A command's answer is given after its event is durable. Computing may happen twice, applying can't.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import SystemRandom
from time import perf_counter

import msgspec

from kletka.drawing.scene import House
from kletka.games import Game, KletkaError, Reason, full_spec
from kletka.tables.clocks import Clock, Outage
from kletka.tables.commitment import Commitment, commit, new_salt
from kletka.tables.model import (
    Accepted,
    Answer,
    Applied,
    Body,
    Close,
    Command,
    Conflict,
    Disclose,
    Duplicate,
    Event,
    Offer,
    Offered,
    Opened,
    Play,
    Refused,
    Seated,
    Take,
    command_text,
)
from kletka.tables.observer import Observer
from kletka.tables.store import Row, Store, Unavailable, VersionTaken
from kletka.tables.table import Now, Table, decide, fold, opened
from kletka.version import version

_log = logging.getLogger(__name__)

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID = re.compile("[A-Za-z0-9]{1,32}")
"""What ids of tables and races look like; databases refuse some other texts."""
_KEPT = 256
"""Tables that nobody watches, kept in memory."""
BEAT = 2.0
"""Seconds between heart-beats."""

Watcher = Callable[["Room", Event], None]
"""Called in the event loop after each event of a table, when it is durable."""


def _new_id() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(10))


def _committed(game: Game, dealt: str | None) -> Commitment | None:
    return commit(new_salt(), dealt) if game.hidden and dealt is not None else None


def _opening(game: Game, dealt: str | None, house: House | None, clock: Clock | None, hints: bool) -> Opened:
    """How any table of this version is opened."""
    commitment = _committed(game, dealt)
    spec, rules = full_spec(game), house or House()
    return Opened(spec, dealt, version(), rules, clock=clock, hints=hints, commitment=commitment)


class Unreadable(KletkaError):
    """A log that this version can't play: another one has written it, or it is damaged."""

    def __init__(self) -> None:
        super().__init__("unreadable")


@contextmanager
def _playing() -> Iterator[None]:
    """Whatever goes wrong while a log is read and played: Unreadable, if not the store's own trouble."""
    try:
        yield
    except (Unavailable, Unreadable):
        raise
    except Exception as error:
        _log.warning("a log can't be played", exc_info=error)
        raise Unreadable from None


def read_room(store: Store, table_id: str) -> Room | None:
    """A table as the store has it; None where there is none. Raises Unreadable and Unavailable."""
    with _playing():
        log = store.load(table_id)
        return Room(table_id, log) if log else None


class Room:
    """A table in memory: its newest state, its log, and who watches it."""

    def __init__(self, table_id: str, log: list[Event]) -> None:
        self.id = table_id
        self.log: list[Event] = []
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.commands: dict[tuple[int | None, str], tuple[int, str]] = {}
        body = log[0].body
        if not isinstance(body, Opened) or [event.version for event in log] != list(range(len(log))):
            raise Unreadable
        self.table: Table = opened(body)
        self.log.append(log[0])
        for event in log[1:]:
            self.advance(event, fold(self.table, event))

    @property
    def series(self) -> str:
        """The first table of the series of games: the seats of all of them open with one token."""
        return self.table.opening.series or self.id

    def advance(self, event: Event, table: Table) -> None:
        """Take an event that is stored."""
        self.table = table
        self.log.append(event)
        if event.command_id is not None:
            self.commands[event.seat, event.command_id] = (event.version, event.command)


class Hall:
    """All tables of a store, as seen from one event loop."""

    def __init__(self, store: Store, observer: Observer | None = None) -> None:
        self.store = store
        self.observer = observer or Observer()
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self.engine_called = asyncio.Event()
        self.outages: tuple[Outage, ...] = ()
        self._beaten = 0.0
        self.told: Watcher = lambda room, event: None
        """Called after each event that is stored here."""

    async def open(
        self,
        game: Game,
        levels: dict[int, int] | None = None,
        setup: str | None = None,
        house: House | None = None,
        sign: str = "",
        *,
        position: str = "",
        clock: Clock | None = None,
        hints: bool = False,
        rounds: int = 0,
    ) -> str:
        """Open a table, with engines of these levels on these seats, and give its id. `sign` is left to the host.

        The set-up is dealt where none is given; `position` is where an open game begins, `rounds` how many games will
        be played. Raises Unavailable; KletkaError for a set-up or a position that isn't the game's.
        """
        dealt = game.deal(SystemRandom()) if setup is None and not position else setup
        begun = _opening(game, dealt, house, clock, hints)
        body = msgspec.structs.replace(begun, position=position, rounds=rounds)
        room = await self._open(_new_id(), body)
        for seat, level in sorted((levels or {}).items()):
            async with room.lock:
                left = (free for free in room.table.free_signs if free != sign)
                await self._apply(room, Seated(seat, level=level, sign=next(left, "")), None, None, "")
        return room.id

    async def open_race(
        self,
        game: Game,
        racers: int,
        setup: str | None = None,
        house: House | None = None,
        *,
        clock: Clock | None = None,
        hints: bool = False,
    ) -> str:
        """Open a table for each of several people who play the same game for one, and give the id of the race.

        Raises as `open` does.
        """
        dealt = game.deal(SystemRandom()) if setup is None else setup
        race = _new_id()
        body = msgspec.structs.replace(_opening(game, dealt, house, clock, hints), race=race)
        for _ in range(racers):
            await self._open(_new_id(), body)
        return race

    async def _open(self, table_id: str, body: Opened) -> Room:
        event = Event(0, body, self.store.now())
        table = opened(body)
        await self.store.append(table_id, event, self._row(table, event.at), body)
        room = self._rooms[table_id] = Room(table_id, [event])
        self.observer.opened(room)
        self._drop_idle()
        return room

    async def racers(self, race: str) -> list[Room]:
        """The tables of a race, in the order in which they were opened; empty where there is no such race."""
        ids = await asyncio.to_thread(self.store.race, race) if _ID.fullmatch(race) else []
        rooms = [room for table_id in ids if (room := await self.room(table_id)) is not None]
        versions = await asyncio.to_thread(self.store.versions, ids)
        for room in rooms:
            # Another process may serve the others.
            await self._reach(room, versions.get(room.id, 0))
        return rooms

    async def close_race(self, race: str) -> None:
        """Wait for nobody else: the free places of a race are given up."""
        for room in await self.racers(race):
            await self.command(room, Close(), None, "close")

    async def settle(self, race: str) -> None:
        """Open the tables of a race to everybody once all are over: may be asked at any time, and does it once."""
        rooms = await self.racers(race)
        if all(room.table.outcome for room in rooms):
            for room in rooms:
                if room.table.sealed:
                    await self.command(room, Disclose(), None, "disclose")

    async def beat(self) -> None:
        """Leave a sign of life in the store, if the last is old: a gap without any becomes an outage."""
        if self.store.now() - self._beaten >= BEAT:
            self.outages = await self.store.beat()
            self._beaten = self.store.now()

    async def room(self, table_id: str) -> Room | None:
        """A table by id, read from the store where it isn't in memory; None where there is none.

        Raises Unreadable where its log can't be played by this version.
        """
        if room := self._rooms.get(table_id):
            return room
        if not _ID.fullmatch(table_id):
            return None
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def fresh(self, table_id: str) -> Room | None:
        """A table as the store has it now, whoever wrote there; raises as `room` does."""
        known = table_id in self._rooms
        room = await self.room(table_id)
        if room is not None and known:
            # While the store is away nothing is written: what is known here is the newest.
            with suppress(Unavailable):
                newest = await asyncio.to_thread(self.store.versions, [table_id])
                await self._reach(room, newest.get(table_id, 0))
        return room

    async def _load(self, table_id: str) -> Room | None:
        room = await asyncio.to_thread(read_room, self.store, table_id)
        if room is not None:
            self._rooms[table_id] = room
            self._drop_idle()
        return room

    def _drop_idle(self) -> None:
        idle = [r for r in self._rooms.values() if not r.watchers and not r.lock.locked()]
        for room in idle[: max(0, len(idle) - _KEPT)]:
            del self._rooms[room.id]

    def watch(self, room: Room, watcher: Watcher) -> Callable[[], None]:
        """Be called after each event; gives the function that ends it.

        Raises ValueError where the room was dropped in between and its table read anew.
        """
        if self._rooms.setdefault(room.id, room) is not room:
            raise ValueError("another room serves this table by now")
        room.watchers.add(watcher)

        def leave() -> None:
            room.watchers.discard(watcher)
            if not room.watchers and room.table.outcome:
                self._rooms.pop(room.id, None)

        return leave

    @property
    def held(self) -> int:
        """How many tables are in memory."""
        return len(self._rooms)

    def watched(self) -> list[str]:
        """The tables that somebody watches here."""
        return [room.id for room in self._rooms.values() if room.watchers]

    async def command(self, room: Room, command: Command, seat: int | None, command_id: str) -> Answer:
        """Carry out a command of a seat; the answer comes when its event is durable."""
        began = perf_counter()
        answer = await self._command(room, command, seat, command_id)
        self.observer.commanded(room, command, seat, answer, perf_counter() - began)
        table = room.table
        if isinstance(answer, Applied) and table.opening.race and table.outcome and not isinstance(command, Disclose):
            try:
                await self.settle(table.opening.race)
            except (Unavailable, KletkaError):
                # Whoever looks at the race asks again.
                _log.warning("a race could not be settled")
        return answer

    async def _command(self, room: Room, command: Command, seat: int | None, command_id: str) -> Answer:
        said = command_text(command)
        if isinstance(command, Offer) and command.what == "rematch":
            command = replace(command, table=_new_id())
        if isinstance(command, Play) and room.table.game.hidden:
            command = replace(command, salt=new_salt())
        async with room.lock:
            for _ in range(5):
                if known := room.commands.get((seat, command_id)):
                    return Duplicate(known[0]) if known[1] == said else Conflict()
                try:
                    if room.table.runs:
                        # After a sleep of the machine clocks count only once the gap is known.
                        await self.beat()
                    body = decide(room.table, command, seat, Now(self.store.now(), self.outages))
                    if isinstance(body, Refused):
                        if body.reasons[0].code == "out_of_time":
                            self.engine_called.set()
                        return body
                    owner = body.seat if isinstance(command, Take) and isinstance(body, Seated) else seat
                    stored = await self._apply(room, body, owner, command_id, said)
                except VersionTaken:
                    try:
                        await self._catch_up(room)
                    except Unreadable as error:
                        return Refused((Reason(error.code),))
                except Unavailable:
                    return Refused((Reason("unavailable"),))
                else:
                    return Applied(stored, owner)
            return Refused((Reason("unavailable"),))

    async def _apply(self, room: Room, body: Body, seat: int | None, command_id: str | None, said: str) -> int:
        event = Event(room.table.version + 1, body, self.store.now(), seat, command_id, said)
        if isinstance(body, Offered | Accepted):
            # A takeback plays all that stands anew.
            table = await asyncio.to_thread(fold, room.table, event)
        else:
            table = fold(room.table, event)
        await self.store.append(room.id, event, self._row(table, event.at))
        if table.next and not room.table.next:
            try:
                await self._open_next(room, table)
            except (Unavailable, Unreadable):
                _log.warning("the next table of a series could not be opened")
        self._news(room, event, table)
        self.told(room, event)
        return event.version

    async def follow(self, room: Room) -> None:
        """Make sure that the next table of a series is there: the process that was to open it may have died."""
        if room.table.next:
            await self._follow(room, room.table)

    async def _follow(self, room: Room, table: Table) -> None:
        # One that can't be read is there.
        with suppress(Unreadable):
            if await self.room(table.next) is None:
                await self._open_next(room, table)

    async def _open_next(self, room: Room, table: Table) -> None:
        """Open the next table of a series, with everybody one seat further. Where that was begun before, it goes on."""
        body, count = table.opening, len(table.seats)
        again = body.rounds == 0 or body.round < body.rounds
        dealt = table.game.deal(SystemRandom()) if body.setup is not None else None
        points = table.points[1:] + table.points[:1]
        follows = Opened(
            body.spec,
            dealt,
            version(),
            body.house,
            body.position,
            body.clock,
            body.hints,
            room.series,
            body.round + 1 if again else 1,
            body.rounds,
            points if again else (),
            commitment=_committed(table.game, dealt),
        )
        try:
            opened_room = await self._open(table.next, follows)
        except VersionTaken:
            known = await self.room(table.next)
            if known is None:
                raise Unavailable(table.next) from None
            opened_room = known
        async with opened_room.lock:
            for number in range(count):
                sits = table.seats[(number + 1) % count]
                if opened_room.table.seats[number] is None and sits is not None:
                    seated = Seated(number, sits.name, sits.token_hash, sits.level, sits.sign, sits.owner)
                    await self._apply(opened_room, seated, None, None, "")

    def _row(self, table: Table, at: float) -> Row:
        """`at`: when the event happened that made the table so."""
        due = at if table.engine_due else table.deadline(self.outages)
        return Row(table.status, table.to_move, due)

    def _news(self, room: Room, event: Event, table: Table) -> None:
        room.advance(event, table)
        if table.engine_due:
            self.engine_called.set()
        for watcher in tuple(room.watchers):
            watcher(room, event)

    async def _catch_up(self, room: Room, known: Event | None = None) -> None:
        """Read what another process has written, if that isn't just what is known already. The room's lock is held.

        Raises Unreadable and Unavailable.
        """
        try:
            if known is not None and known.version == room.table.version + 1:
                news = [known]
            else:
                with _playing():
                    news = await asyncio.to_thread(self.store.load, room.id, room.table.version)
            for event in news:
                with _playing():
                    table = fold(room.table, event)
                if table.next and not room.table.next:
                    await self._follow(room, table)
                self._news(room, event, table)
        except Unreadable:
            # Whoever comes now is told so at once.
            self._rooms.pop(room.id, None)
            raise

    async def refresh(self) -> None:
        """Ask the store for news of the tables that are watched here."""
        watched = self.watched()
        versions = await asyncio.to_thread(self.store.versions, watched) if watched else {}
        for table_id, newest in versions.items():
            await self.hear(table_id, newest)

    async def hear(self, table_id: str, version: int, event: Callable[[], Event | None] = lambda: None) -> None:
        """Another process has stored this version of a table; `event` gives it, if that is known."""
        room = self._rooms.get(table_id)
        if room is not None and room.watchers:
            # Whoever asks for it is told.
            with suppress(Unreadable):
                await self._reach(room, version, event)

    async def _reach(self, room: Room, version: int, event: Callable[[], Event | None] = lambda: None) -> None:
        if version > room.table.version:
            async with room.lock:
                await self._catch_up(room, event())
