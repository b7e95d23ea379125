"""The socket of a table: hello, commands, events.

An event is queued for each watcher; a watcher whose queue is full is dropped to a snapshot, so that a slow one
never delays the others.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from time import monotonic
from typing import Annotated, Any, Literal
from weakref import WeakKeyDictionary

import msgspec
from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from kletka import words
from kletka.games import Reason
from kletka.server.doors import LONGEST_MESSAGE, Asker, Rate, Second
from kletka.server.present import Shown, Step, Viewer, clock, encode, history, passed_to, reasons, viewer_of, whole
from kletka.server.templating import built
from kletka.tables import (
    Accept,
    Answer,
    Applied,
    Command,
    Conflict,
    Decline,
    Duplicate,
    Event,
    Hall,
    Leave,
    Left,
    Offer,
    Play,
    Refused,
    Resign,
    Room,
    Seated,
    Table,
    Unavailable,
    Unreadable,
    token_hash,
)

_log = logging.getLogger(__name__)

QUEUE = 64
"""Messages that may wait for one watcher."""
REPLAYED = 32
"""Missed events up to which a watcher gets them one by one; more become a snapshot."""
SILENCE = 30
"""Seconds without a message after which a watcher is gone."""
GREETING = 10
"""Seconds within which a socket must say hello."""
SWEEP = 5
"""Seconds between looks for silent sockets."""

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[^\x00]*$")]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class Hello(msgspec.Struct, tag_field="do", tag="hello", forbid_unknown_fields=True):
    since: Version
    lang: Literal["en", "fr", "ru"]
    seat: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    token: Annotated[str, msgspec.Meta(max_length=64)] | None = None


class MoveMessage(msgspec.Struct, tag_field="do", tag="move", forbid_unknown_fields=True):
    id: Id
    base: Version
    move: str


class ResignMessage(msgspec.Struct, tag_field="do", tag="resign", forbid_unknown_fields=True):
    id: Id


class OfferMessage(msgspec.Struct, tag_field="do", tag="offer", forbid_unknown_fields=True):
    id: Id
    what: Literal["end", "takeback", "turn", "rematch"] = "end"
    base: Version = 0


class AcceptMessage(msgspec.Struct, tag_field="do", tag="accept", forbid_unknown_fields=True):
    id: Id
    offer: Version


class DeclineMessage(msgspec.Struct, tag_field="do", tag="decline", forbid_unknown_fields=True):
    id: Id
    offer: Version


class LeaveMessage(msgspec.Struct, tag_field="do", tag="leave", forbid_unknown_fields=True):
    id: Id
    level: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0


class Look(msgspec.Struct, tag_field="do", tag="look", forbid_unknown_fields=True):
    """A screen that several share was passed on to the seat to move."""


class Ping(msgspec.Struct, tag_field="do", tag="ping", forbid_unknown_fields=True):
    pass


Said = Hello | Look | Ping | MoveMessage | ResignMessage | OfferMessage | AcceptMessage | DeclineMessage | LeaveMessage
_decode = msgspec.json.Decoder(Said).decode
_STOP = encode({"stop": True})
_SNAPSHOT = ""
"""Stands in the queue for a snapshot, which is drawn when it is sent: so no event goes out before an older one."""
_ANSWER = '{"id"'


def _command(message: Said) -> Command:
    """What a message asks of the table."""
    match message:
        case MoveMessage(base=base, move=move):
            return Play(base, move)
        case OfferMessage(what=what, base=base):
            return Offer(what, base)
        case AcceptMessage(offer=offer):
            return Accept(offer)
        case DeclineMessage(offer=offer):
            return Decline(offer)
        case LeaveMessage(level=level):
            return Leave(level)
        case _:
            return Resign()


class Broadcast:
    """Turns each event of a room into a step that all its watchers share."""

    def __init__(self, room: Room) -> None:
        self.shown = Shown(room.table)
        self.step: Step | None = None

    def at(self, event: Event, room: Room) -> Step:
        """The step of an event that has just been stored."""
        if self.step is None or self.step.event is not event:
            before, self.shown = self.shown, Shown(room.table)
            self.step = Step(before, self.shown, event)
        return self.step


class Switchboard:
    """All sockets of a process."""

    def __init__(self, hall: Hall, rate: Rate) -> None:
        self.hall = hall
        self.rate = rate
        self.open: set[Line] = set()
        self._broadcasts: WeakKeyDictionary[Room, Broadcast] = WeakKeyDictionary()

    def broadcast(self, room: Room) -> Broadcast:
        """The one broadcast of a room."""
        made = self._broadcasts.get(room)
        if made is None or (made.shown.table is not room.table and not room.watchers):
            made = self._broadcasts[room] = Broadcast(room)
        return made

    def drop(self, room: Room) -> None:
        """Forget what a room looked like, unless somebody watches it."""
        if not room.watchers:
            self._broadcasts.pop(room, None)

    async def watch_silence(self) -> None:
        """Close, until cancelled, the connections that have been silent too long."""
        while True:
            await asyncio.sleep(SWEEP)
            now = monotonic()
            silent = [line for line in self.open if now - line.heard_at > (SILENCE if line.room else GREETING)]
            for line in silent:
                line.let_go()

    async def stop(self) -> None:
        """Tell every watcher that the server goes down, and wait a moment until they are told."""
        for line in tuple(self.open):
            line.put(_STOP)
        for _ in range(20):
            if not any(line.sending for line in self.open):
                return
            await asyncio.sleep(0.01)

    async def serve(self, socket: WebSocket, table_id: str, asker: Asker, language: str) -> None:
        """Serve one connection to its end; until it says its language, in this one."""
        await socket.accept()
        line = Line(self, socket, asker, language)
        if not self.rate.enter(asker):
            await line.turn_away()
            return
        self.open.add(line)
        line.task = asyncio.current_task()
        try:
            await line.run(table_id)
        except WebSocketDisconnect:
            pass
        except asyncio.CancelledError:
            if not line.gone:
                raise
            assert line.task is not None
            line.task.uncancel()
        finally:
            line.task = None
            self.open.discard(line)
            self.rate.leave(asker)
            await line.close()


class Line:
    """One watcher's connection."""

    def __init__(self, switchboard: Switchboard, socket: WebSocket, asker: Asker, language: str) -> None:
        self.board = switchboard
        self.socket = socket
        self.asker = asker
        rates = switchboard.rate.rates
        self.rate = Second(rates.messages_a_second)
        count = switchboard.rate.messages
        self._of_asker = [count(asker.browser)] if asker.browser else []
        self._of_asker.append(count(asker.address, rates.at_one_address))
        self._shared = self._of_asker
        self._counted = Asker("")
        self.heard_at = monotonic()
        self.queue: list[str] = []
        self.viewer = Viewer(language, None)
        self.owner = ""
        self.room: Room | None = None
        self.task: asyncio.Task[None] | None = None
        self.gone = False
        self._greeting: list[str] | None = None
        self._leave: Any = None
        self._sender: asyncio.Task[None] | None = None

    async def run(self, table_id: str) -> None:
        """Greet, then answer messages until the other side goes."""
        while (text := await self._receive()) is not None:
            self.heard_at = monotonic()
            message = self._read(text)
            if message is None:
                if self.rate.flooded:
                    return await self._end(1008)
                continue
            try:
                if isinstance(message, Hello):
                    if not await self._hello(table_id, message):
                        return
                elif self.room is not None:
                    await self._do(self.room, message)
                else:
                    self._answer(_id_of(message) | self._refused("malformed"))
            except Unavailable:
                self._answer(_id_of(message) | self._refused("unavailable"))

    async def _receive(self) -> str | None:
        """The next message's text (a binary one is no text: empty); None when the other side is gone."""
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        return message.get("text") or ""

    async def _hello(self, table_id: str, hello: Hello) -> bool:
        """Greet a watcher; false where there is no such table, or no room for them."""
        self.viewer = Viewer(hello.lang, None)
        self.owner = token_hash(hello.token) if hello.token else ""
        if not self._count():
            await self.turn_away()
            return False
        room = self.room
        while room is None or (self.room is None and not self._watch(room)):
            try:
                room = await self.board.hall.fresh(table_id)
            except Unreadable as error:
                await self._end(1000, error.code)
                return False
            sealed = room is not None and room.table.sealed and not room.table.seats_of(self.owner)
            if room is None or sealed:
                await self._end(1000, "sealed" if sealed else "no_table")
                return False
        await self._greet(room, hello)
        return True

    def _count(self) -> bool:
        """Whether the token of the greeting may hold this socket; counts it if so."""
        rate, known = self.board.rate, Asker("", self.owner)
        if known != self._counted:
            rate.leave(self._counted)
            self._counted = Asker("")
            if not rate.enter(known):
                return False
            self._counted = known
            self._shared = [*([rate.messages(self.owner)] if self.owner else []), *self._of_asker]
        return True

    async def turn_away(self) -> None:
        """Say that too many sockets are open, and close this one."""
        await self._end(1013, "too_many")

    async def _end(self, status: int, code: str = "") -> None:
        """Close this socket, saying why."""
        # The other side may have gone, or this side have noticed that.
        with suppress(WebSocketDisconnect, RuntimeError):
            if code:
                await self.socket.send_text(encode(self._refused(code)))
            await self.socket.close(status)

    def _watch(self, room: Room) -> bool:
        self.board.broadcast(room)
        try:
            self._leave = self.board.hall.watch(room, self._heard)
        except ValueError:
            return False
        self.room = room
        return True

    def _answer(self, message: dict[str, Any]) -> None:
        self.put(encode(message))

    def _read(self, text: str) -> Said | None:
        """A message, or None after answering that it is none."""
        if not self.rate.hit(self.heard_at):
            code = "too_fast"
        elif len(text) > LONGEST_MESSAGE:
            code = "too_long"
        else:
            try:
                message = _decode(text)
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                code = "malformed"
            else:
                # Every page pings now and then, however many of them there are.
                if isinstance(message, Ping) or all(shared.hit(self.heard_at) for shared in self._shared):
                    return message
                code = "too_fast"
        self._answer(_id_in(text) | self._refused(code))
        return None

    def _refused(self, code: str) -> dict[str, Any]:
        return {"refused": reasons(self.room, Refused((Reason(code),)), self.viewer.language)}

    async def _greet(self, room: Room, hello: Hello) -> None:
        self.viewer = viewer_of(room.table, hello.lang, self.owner, hello.seat)
        # What happens while the missed events are drawn comes after them.
        self._greeting = []
        missed = await self._missed(room, hello.since)
        later, self._greeting = self._greeting, None
        # In step, and with which build of the page.
        here = encode(self._now(room, "here") | {"build": built()["script"]})
        known = bool(self.viewer.own) or not hello.token
        strange = () if known else (encode(self._refused("bad_token")),)
        for text in (*missed, *later, *strange, here):
            self.put(text)

    async def _missed(self, room: Room, since: int) -> list[str]:
        """What a watcher lacks since a version."""
        table, log, viewer = room.table, list(room.log), self.viewer
        if since == table.version:
            return []
        if since < table.version <= since + REPLAYED:
            missed = await asyncio.to_thread(history, log, viewer, since + 1)
            return [encode(message) for message in missed]
        return [await self._whole(table, log)]

    async def _whole(self, table: Table, log: list[Event]) -> str:
        """A snapshot, with what the clocks say now."""
        message = await asyncio.to_thread(whole, table, log, self.viewer)
        said = clock(table, self.board.hall.outages)
        return encode(message | {"clock": said} if said else message)

    def _now(self, room: Room, key: str) -> dict[str, Any]:
        """The table's version under a key, the server's time in milliseconds, and what clocks say."""
        hall = self.board.hall
        message = {key: room.table.version, "now": round(hall.store.now() * 1000)}
        said = clock(room.table, hall.outages)
        return message | {"clock": said} if said else message

    def _heard(self, room: Room, event: Event) -> None:
        before, table = self.viewer, room.table
        # The screen of a hidden game that several share is passed on first.
        passes = before.shares and table.game.hidden and not table.open
        if isinstance(event.body, Seated | Left) or (before.shares and not passes):
            self.viewer = viewer_of(table, before.language, self.owner, before.seat)
        if table.sealed and not self.viewer.own:
            self.let_go()
            return
        text = self.board.broadcast(room).at(event, room).text(self.viewer)
        if before.seat != self.viewer.seat and table.game.hidden:
            text = _SNAPSHOT
        if self._greeting is None:
            self.put(text)
        else:
            self._greeting.append(text)

    def put(self, text: str) -> None:
        """Queue a message; where too many wait, only answers are kept, and a snapshot goes before them."""
        self.queue.append(text)
        if len(self.queue) > QUEUE:
            answers = [kept for kept in self.queue if kept.startswith(_ANSWER)]
            first = () if self.room is None else (_SNAPSHOT,)
            self.queue[:] = (*first, *answers[-QUEUE // 2 :])
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())

    @property
    def sending(self) -> bool:
        """Whether something isn't sent yet."""
        return self._sender is not None and not self._sender.done()

    async def _send(self) -> None:
        """Send what waits; an idle watcher has no task."""
        try:
            while self.queue:
                waiting, self.queue = self.queue, []
                await self._send_at_once(waiting)
        except Exception as error:
            # That the other side has gone is heard by who receives.
            if self.socket.application_state is WebSocketState.CONNECTED:
                _log.warning("a watcher can't be told", exc_info=error)
                self.let_go()
            return
        self._sender = None

    async def _send_at_once(self, waiting: list[str]) -> None:
        """Send messages in one frame, one a line."""
        for at, text in enumerate(waiting):
            if text == _SNAPSHOT:
                assert self.room is not None
                table, log = self.room.table, list(self.room.log)
                waiting[at] = await self._whole(table, log)
        await self.socket.send_text("\n".join(waiting))

    async def _do(self, room: Room, message: Said) -> None:
        if isinstance(message, Ping):
            self.put(encode(self._now(room, "pong")))
            return
        if isinstance(message, Look):
            self.viewer = passed_to(room.table, self.viewer)
            self.put(_SNAPSHOT)
            return
        assert not isinstance(message, Hello)
        command = _command(message)
        if isinstance(command, Offer) and command.what == "rematch":
            # What is played next is another table.
            by = Asker(self.asker.address, self.asker.browser or self.owner)
            if self.board.rate.table(by):
                self.put(encode(_id_of(message) | self._refused("too_many_tables")))
                return
        answer = await self.board.hall.command(room, command, self.viewer.seat, message.id)
        if isinstance(answer, Refused) and answer.stale:
            self.put(_SNAPSHOT)
        self.put(self._said(room, message.id, answer))

    def _said(self, room: Room, command_id: str, answer: Answer) -> str:
        match answer:
            case Applied(version):
                return encode({"id": command_id, "applied": version})
            case Duplicate(version):
                return encode({"id": command_id, "duplicate": version})
            case Conflict():
                said = words.say(self.viewer.language, "refusal.conflict")
                return encode({"id": command_id, "conflict": True, "say": said})
            case Refused():
                return encode({"id": command_id, "refused": reasons(room, answer, self.viewer.language)})

    def let_go(self) -> None:
        """End a connection whose other side has been silent too long; it may not even read a farewell."""
        self.gone = True
        if self.task is not None:
            self.task.cancel()

    async def close(self) -> None:
        """Stop watching and sending."""
        self.board.rate.leave(self._counted)
        self._shared.clear()
        self._of_asker.clear()
        if self._leave is not None and self.room is not None:
            self._leave()
            self._leave = None
            self.board.drop(self.room)
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)


class _WithId(msgspec.Struct):
    id: Id


def _id_of(message: Said) -> dict[str, str]:
    """The id of a command, so that its sender learns which one failed."""
    return {} if isinstance(message, Hello | Ping | Look) else {"id": message.id}


def _id_in(text: str) -> dict[str, str]:
    """The id of a message that can't be read otherwise, so that its sender learns which one failed."""
    if len(text) > LONGEST_MESSAGE:
        return {}
    try:
        return {"id": msgspec.json.decode(text, type=_WithId).id}
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
