"""A watcher that doesn't read delays nobody, and is in step again as soon as it reads."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.exceptions import ConnectionClosed

from kletka.server import Rates
from kletka.server.live import Line, Switchboard
from tests.server.inside import inside
from tests.server.markup import Board
from tests.server.site import Message, Wire

SMALL = 16_384
"""Bytes that the system may keep between server and watcher: little, so that the server notices soon."""


@pytest.fixture(autouse=True)
def _asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers make long logs here, more of them than people may make."""
    monkeypatch.setattr("kletka.tables.table.MOST_ASKS", 10**6)


def _narrow(url: str) -> socket.socket:
    """A connection that holds little."""
    host, port = url.removeprefix("http://").split(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    made.connect((host, int(port)))
    return made


def _busy_play(wires: list[Wire], boards: list[Board], rounds: int) -> int:
    """Two seats move, offer and decline; each hears every event at once. Gives the newest version."""
    version = 2
    moves = iter(f"{layer}{column}{row}" for layer in (1, 2, 3) for row in (1, 2, 3) for column in "abc")
    turn = 0
    for number in range(rounds):
        asked: list[Message] = [{"do": "offer"}, {"do": "decline", "offer": version + 1}]
        if number % 25 == 0:
            asked.append({"do": "move", "base": boards[0].base, "move": next(moves)})
        for what in asked:
            seat = turn % 2 if what["do"] == "move" else number % 2
            turn += what["do"] == "move"
            version += 1
            wires[seat].say(what | {"id": f"n{version}"})
            for wire, board in zip(wires, boards, strict=True):
                while board.version < version:
                    board.hear(wire.hear())
            assert wires[seat].answer(f"n{version}") == {"id": f"n{version}", "applied": version}
    return version


def test_who_does_not_read_delays_nobody(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(messages_a_second=100_000), buffer=SMALL) as site:
        table, people = site.together("tictactoe:shape=3x3x3")
        slow = site.wire(table, sock=_narrow(site.url), max_queue=1)
        slow.hello(2)
        wires = [site.greeted(table, 2, person.token(table)) for person in people]
        boards = [Board() for _ in range(3)]
        for board, person in zip(boards, (*people, site.person()), strict=True):
            for message in person.history(table):
                board.hear(message)
        version = _busy_play(wires, boards[:2], 150)
        assert version > 300
        watcher = boards[2]
        heard = 0
        while watcher.version < version:
            watcher.hear(slow.hear())
            heard += 1
        assert watcher.snapshots == 2, "it missed some, and got one snapshot for them"
        assert heard < 290
        for board, person in zip(boards, (*people, site.person()), strict=True):
            board.same(person.page(table))
        # It is an ordinary watcher again.
        assert people[0].do(table, "offer").status_code == 303
        while watcher.version == version:
            watcher.hear(slow.hear())
        assert watcher.version == version + 1


def test_answers_are_kept_for_who_reads_late(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(messages_a_second=100_000), buffer=SMALL) as site:
        table, people = site.together("tictactoe:shape=3x3x3")
        slow = site.wire(table, sock=_narrow(site.url), max_queue=1)
        slow.hello(2, people[0].token(table))
        wires = [site.greeted(table, 2, person.token(table)) for person in people]
        boards = [Board() for _ in range(2)]
        for board, person in zip(boards, people, strict=True):
            for message in person.history(table):
                board.hear(message)
        slow.say({"do": "move", "id": "mine", "base": 0, "move": "3c3"})
        for wire, board in zip(wires, boards, strict=True):
            while board.version < 3:
                board.hear(wire.hear())
        version = 3
        for number in range(150):
            for what in ("offer", "decline"):
                version += 1
                more = {"offer": version - 1} if what == "decline" else {}
                assert wires[number % 2].do(f"n{version}", what, **more) == {"id": f"n{version}", "applied": version}
        slow.say({"do": "move", "id": "late", "base": 0, "move": "3a3"})
        assert slow.answer("mine") == {"id": "mine", "applied": 3}
        answer = slow.answer("late")
        assert answer["refused"][0]["code"] == "stale"


def test_who_neither_reads_nor_speaks_is_let_go_and_so_are_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kletka.server.live.SWEEP", 0.05)
    with inside(tmp_path, rates=Rates(messages_a_second=100_000), buffer=SMALL) as site:
        table, people = site.together("tictactoe:shape=3x3x3")
        stuck = site.wire(table, sock=_narrow(site.url), max_queue=1)
        stuck.hello(2)
        wire = site.greeted(table, 2, people[0].token(table))
        for number in range(150):
            offer = wire.do(f"offer{number}", "offer")["applied"]
            assert "applied" in wire.do(f"decline{number}", "decline", offer=offer)
        monkeypatch.setattr("kletka.server.live.SILENCE", 0.2)
        for _ in range(2):
            silent = site.greeted(table, 302)
            with pytest.raises(ConnectionClosed):
                silent.hear(5)


def test_a_stop_waits_for_all_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many who read nothing any more hold it up no longer than one does."""

    class Deaf:
        sending = False

        def put(self, text: str) -> None:
            self.sending = True

    waits: list[float] = []

    async def slept(seconds: float) -> None:
        waits.append(seconds)

    board = Switchboard(cast(Any, None), cast(Any, None))
    board.open = cast(Any, {Deaf() for _ in range(50)})
    # Not the sleep of every loop: another one may run in this process.
    monkeypatch.setattr("kletka.server.live.asyncio", SimpleNamespace(sleep=slept))
    asyncio.run(board.stop())
    assert all(line.sending for line in board.open)
    assert sum(waits) < 0.3


def test_who_cannot_be_told_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong while a message is made, its watcher doesn't wait for ever: the page connects again."""

    async def spoilt(line: Line, waiting: list[str]) -> None:
        raise ArithmeticError

    with inside(tmp_path) as site:
        table, _, (wire, other) = site.connected("tictactoe")
        monkeypatch.setattr(Line, "_send_at_once", spoilt)
        wire.say({"do": "ping"})
        with pytest.raises(ConnectionClosed):
            wire.raw()
        monkeypatch.undo()
        assert other.news() == []
        assert site.greeted(table, 2).news() == []
