"""Messages that are none: each is answered, none changes the table, and nobody else notices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kletka import words
from kletka.server import Rates
from kletka.server.doors import LONGEST_FRAME, LONGEST_MESSAGE
from tests.server.answers import code_of
from tests.server.inside import inside
from tests.server.site import Message, Site, Wire

MALFORMED = [
    "",
    " ",
    "hello",
    "null",
    "true",
    "17",
    "[]",
    "{}",
    '"{}"',
    '{"do"}',
    '{"do":"ping"',
    '{"do":"ping"}}',
    '{"do":"ping"} {"do":"ping"}',
    "{'do':'ping'}",
    '\ufeff{"do":"ping"}',
    '{"do":null}',
    '{"do":1}',
    '{"do":["ping"]}',
    '{"do":"PING"}',
    '{"do":"win"}',
    '{"do":"take"}',
    '{"do":"ping","id":"a"}',
    '{"do":"ping","x":1}',
    '{"do":"hello"}',
    '{"do":"hello","since":0}',
    '{"do":"hello","since":0,"lang":"de"}',
    '{"do":"hello","since":0,"lang":null}',
    '{"do":"hello","since":"0","lang":"en"}',
    '{"do":"hello","since":-1,"lang":"en"}',
    '{"do":"hello","since":true,"lang":"en"}',
    '{"do":"hello","since":0.0,"lang":"en"}',
    '{"do":"hello","since":NaN,"lang":"en"}',
    '{"do":"hello","since":0,"lang":"en","token":17}',
    '{"do":"hello","since":0,"lang":"en","token":"' + "a" * 65 + '"}',
    '{"do":"hello","since":0,"lang":"en","place":0}',
    "[" * 10_000,
    '{"do":' * 2_000,
    '{"do":"move","id":"a","base":0,"move":"\\ud800"}',
    '{"do":"resign","id":"\\udc00"}',
]

UNREADABLE = [
    {"do": "move", "base": "0", "move": "b2"},
    {"do": "move", "base": True, "move": "b2"},
    {"do": "move", "base": None, "move": "b2"},
    {"do": "move", "base": 0.0, "move": "b2"},
    {"do": "move", "base": 0.5, "move": "b2"},
    {"do": "move", "base": -1, "move": "b2"},
    {"do": "move", "base": 2**31 + 1, "move": "b2"},
    {"do": "move", "base": 2**64, "move": "b2"},
    {"do": "move", "base": 10**300, "move": "b2"},
    {"do": "move", "base": [0], "move": "b2"},
    {"do": "move", "base": 0, "move": None},
    {"do": "move", "base": 0, "move": 17},
    {"do": "move", "base": 0, "move": ["b2"]},
    {"do": "move", "base": 0, "move": {"at": "b2"}},
    {"do": "move", "base": 0},
    {"do": "move", "move": "b2"},
    {"do": "move", "base": 0, "move": "b2", "seat": 0},
    {"do": "move", "base": 0, "move": "b2", "x": [[[[[[[[]]]]]]]]},
    {"do": "resign", "base": 0},
    {"do": "win"},
    {"do": None},
    {},
]

BAD_IDS: list[object] = [None, "", 1, True, [], "a" * 65, ["a"], {"a": 1}]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, str, str]]:
    """A started table that no message here may change: the site, its id and the token of the seat to move, by which one
    may say much."""
    with inside(tmp_path_factory.mktemp("messages"), rates=Rates(messages_a_second=100_000, sockets=1000)) as site:
        table, (host, _) = site.together("tictactoe")
        token = host.token(table)
        before = site.log(table)
        yield site, table, token
        assert site.log(table) == before


@pytest.fixture
def wire(running: tuple[Site, str, str]) -> Iterator[Wire]:
    """The socket of the seat to move, in French; afterwards nothing has changed and the server still answers."""
    site, table, token = running
    before = site.log(table)
    made = site.greeted(table, 2, token, "fr")
    yield made
    assert site.log(table) == before
    other = site.wire(table)
    other.hello(2)
    assert other.all()["here"] == 2
    other.close()


def malformed(answer: Message) -> None:
    """The one answer to what can't be read."""
    assert code_of(answer) == "malformed"
    assert answer["refused"][0]["say"] == words.say("fr", "refusal.malformed")


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_no_message_is_malformed(wire: Wire, text: str) -> None:
    wire.say(text)
    malformed(wire.hear())
    assert wire.news() == []


@pytest.mark.parametrize("message", UNREADABLE)
def test_a_command_of_wrong_parts_is_malformed_and_told_by_its_id(wire: Wire, message: dict[str, object]) -> None:
    wire.say({"id": "wrong"} | message)
    answer = wire.hear()
    malformed(answer)
    assert answer["id"] == "wrong"


@pytest.mark.parametrize("wrong", BAD_IDS)
def test_an_id_that_is_none_is_malformed(wire: Wire, wrong: object) -> None:
    for message in ({"do": "move", "base": 0, "move": "b2"}, {"do": "resign"}):
        wire.say({"id": wrong} | message)
        answer = wire.hear()
        malformed(answer)
        assert "id" not in answer
    wire.say({"do": "resign"})
    malformed(wire.hear())


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b'{"do":"ping"}', b'{"do":"resign","id":"a"}'])
def test_binary_messages_are_malformed(wire: Wire, data: bytes) -> None:
    wire.say(data)
    malformed(wire.hear())
    assert wire.news() == []


def _closed_by(wire: Wire, data: Any, **options: Any) -> int | None:
    """The code that the server closes the connection with after this was sent, or while it was."""
    try:
        wire.socket.send(data, **options)
        while True:
            wire.hear()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else None


def test_what_is_no_text_closes_the_connection(wire: Wire) -> None:
    assert _closed_by(wire, b'{"do":"ping","x":"\xff\xfe"}', text=True) == 1007


@pytest.mark.parametrize("size", [LONGEST_MESSAGE + 1, 17_000, 40_000, LONGEST_FRAME])
def test_a_long_message_is_answered(wire: Wire, size: int) -> None:
    start, end = '{"do":"move","id":"long","base":0,"move":"', '"}'
    wire.say(start + "a" * (size - len(start) - len(end)) + end)
    assert code_of(wire.hear()) == "too_long"
    wire.say("é" * (size // 2) if size < LONGEST_FRAME else " " * size)
    answer = wire.hear()
    assert code_of(answer) in ("too_long", "malformed")
    assert wire.news() == []


def test_the_longest_message_is_read(wire: Wire) -> None:
    start, end = '{"do":"move","id":"long","base":0,"move":"', '"}'
    wire.say(start + "a" * (LONGEST_MESSAGE - len(start) - len(end)) + end)
    assert code_of(wire.answer("long")) == "notation"


@pytest.mark.parametrize("size", [LONGEST_FRAME + 1, 200_000])
def test_a_huge_message_closes_the_connection(wire: Wire, size: int) -> None:
    assert _closed_by(wire, "a" * size) == 1009


def test_a_huge_message_in_pieces_closes_the_connection(wire: Wire) -> None:
    assert _closed_by(wire, ["a" * 16_000] * 5) == 1009


def test_a_message_in_pieces_is_one_message(wire: Wire) -> None:
    wire.socket.send(iter(['{"do"', ":", '"ping"', "}"]))
    assert wire.hear() == {"pong": 2}


def test_of_repeated_fields_one_counts(wire: Wire) -> None:
    wire.say('{"do":"move","id":"a","id":"b","base":9,"base":0,"move":"b2","move":"z9"}')
    answer = wire.answer("b")
    assert code_of(answer) == "off_board"


def test_a_socket_of_a_page_that_is_none_is_refused(running: tuple[Site, str, str]) -> None:
    site, _, _ = running
    with pytest.raises(InvalidStatus):
        site.wire("a/b")
