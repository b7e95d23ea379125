"""People at a served Kletka without a browser: pages by httpx, sockets by websockets, the log by SQL."""

from __future__ import annotations

import json
import re
import ssl
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from kletka.server import Rates
from tests.stores import sql

Message = dict[str, Any]
Entry = tuple[int, int | None, str | None, str, str]

_NUMBERS = count(1)
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_CALM = Rates().requests_a_second // 2
"""Requests in a second of somebody who doesn't hurry: windows that follow each other count alone."""
_PATIENCE = 60.0
"""Seconds after which something that should have come won't."""


def new_address() -> str:
    """An address that nobody has used: the server believes this machine, as it would a proxy, whom it speaks for."""
    number = next(_NUMBERS)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def _from_elsewhere(request: httpx.Request) -> None:
    request.headers.setdefault("X-Forwarded-For", new_address())


class Person:
    """Somebody with a browser of their own. So that no limit is met by chance, every request has another address and,
    but for who `hurries`, comes not too soon after others."""

    def __init__(self, url: str, language: str = "en", hurries: bool = True) -> None:
        self.language = language
        self._asked = deque([0.0] * (_CALM if not hurries else 0), _CALM)
        self.http = httpx.Client(
            base_url=url,
            headers={"Accept": "text/html,*/*", "Accept-Language": language},
            event_hooks={"request": [_from_elsewhere, self._without_haste]},
            timeout=_PATIENCE,
            verify=_NO_TLS,
        )

    def _without_haste(self, _: httpx.Request) -> None:
        if self._asked:
            sleep(max(0.0, self._asked[0] + 1 - monotonic()))
            self._asked.append(monotonic())

    def at(self, table: str, rest: str = "") -> str:
        """The path of a table in this person's language."""
        return f"/{self.language}/t/{table}{rest}"

    def get(self, path: str, **options: Any) -> httpx.Response:
        """A page as it is answered, without going where it leads."""
        return self.http.get(path, **options)

    def post(self, path: str, form: Mapping[str, str | int] | None = None, **options: Any) -> httpx.Response:
        """A form sent, without going where the answer leads."""
        return self.http.post(path, data={name: str(value) for name, value in (form or {}).items()}, **options)

    def open(self, spec: str, **form: str | int) -> str:
        """Open a table and sit down at it: gives its id."""
        answer = self.post(f"/{self.language}/tables", {"spec": spec, **form})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def take(self, table: str, **form: str | int) -> httpx.Response:
        """Press the button that takes a seat."""
        return self.post(self.at(table, "/seat"), form)

    def page(self, table: str) -> str:
        """The table's page."""
        answer = self.get(self.at(table))
        assert answer.status_code == 200, answer.text
        return answer.text

    def token(self, table: str) -> str:
        """The token of this person's seat, as the page gives it to its script."""
        found = re.search('data-token="([^"]*)"', self.page(table))
        assert found is not None
        return found[1]

    def base(self, table: str) -> int:
        """The version of the last event that changed the position."""
        found = re.search('data-base="([0-9]+)"', self.page(table))
        assert found is not None
        return int(found[1])

    def move(self, table: str, move: str, base: int | None = None) -> httpx.Response:
        """Play a move by form, on the newest position unless told otherwise."""
        return self.post(self.at(table, "/move"), {"move": move, "base": self.base(table) if base is None else base})

    def do(self, table: str, what: str) -> httpx.Response:
        """Resign, offer, accept or decline by form: what the page that this person sees would send."""
        found = re.search(r'name="offer" value="([0-9]+)"', self.page(table))
        offer = found[1] if found else "0"
        return self.post(self.at(table, "/do"), {"do": "offer:end" if what == "offer" else what, "offer": offer})

    def history(self, table: str) -> list[Message]:
        """Everything that happened, as this person heard it."""
        answer = self.get(self.at(table, "/events?since=0"))
        assert answer.status_code == 200, answer.text
        heard: list[Message] = answer.json()["events"]
        return heard


class Wire:
    """A socket of a table."""

    def __init__(self, url: str, table: str, **options: Any) -> None:
        headers = {"X-Forwarded-For": new_address()} | options.pop("headers", {})
        self._stack = ExitStack()
        self._came: deque[str] = deque()
        self.socket: ClientConnection = self._stack.enter_context(
            connect(
                f"{url.replace('http', 'ws', 1)}/t/{table}/socket",
                additional_headers=headers,
                compression=None,
                max_size=None,
                proxy=None,
                close_timeout=1,
                **options,
            )
        )

    def say(self, message: Message | str | bytes) -> None:
        """Send a message: a dict as JSON, a text or bytes as they are."""
        self.socket.send(json.dumps(message) if isinstance(message, dict) else message)

    def burst(self, messages: list[str]) -> None:
        """Send short messages in one packet, so that the server has them all at once."""
        texts = [message.encode() for message in messages]
        # A frame of text, complete, under a mask of zeros.
        self.socket.socket.sendall(b"".join(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text for text in texts))

    def hello(self, since: int = 0, token: str | None = None, lang: str = "en") -> None:
        """Greet, saying which version is known; hear what is answered by `hear` or `news`."""
        self.say({"do": "hello", "since": since, "lang": lang} | ({} if token is None else {"token": token}))

    def move(self, name: str, base: int, move: str) -> Message:
        """Play a move with a command id: gives its answer, what came before it is passed over."""
        self.say({"do": "move", "id": name, "base": base, "move": move})
        return self.answer(name)

    def do(self, name: str, what: str, **more: Any) -> Message:
        """Resign, offer, accept, decline or leave: gives the answer."""
        self.say({"do": what, "id": name, **more})
        return self.answer(name)

    def raw(self, patience: float = _PATIENCE) -> str:
        """The next message as it came: a frame has one a line."""
        if not self._came:
            frame = self.socket.recv(patience)
            assert isinstance(frame, str)
            self._came.extend(frame.split("\n"))
        return self._came.popleft()

    def hear(self, patience: float = _PATIENCE) -> Message:
        """The next message; the end of a greeting is none, and the server's time isn't looked at."""
        while "here" in (message := self.all(patience)):
            pass
        message.pop("now", None)
        return message

    def all(self, patience: float = _PATIENCE) -> Message:
        """The next message whatever it is."""
        message: Message = json.loads(self.raw(patience))
        return message

    def answer(self, name: str) -> Message:
        """The next answer to a command id."""
        while (message := self.hear()).get("id") != name:
            pass
        return message

    def news(self) -> list[Message]:
        """All that was sent until now: a ping is answered after it."""
        self.say({"do": "ping"})
        heard = []
        while "pong" not in (message := self.hear()):
            heard.append(message)
        return heard

    def until(self, version: int) -> list[Message]:
        """Messages up to the event of a version."""
        heard = [self.hear()]
        while heard[-1].get("v") != version:
            heard.append(self.hear())
        return heard

    def close(self) -> None:
        """Leave politely."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Site:
    """A served Kletka: makes people and wires, closes them all, and reads the log that lies on the disk."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.hurries = False
        self._people: list[Person] = []
        self._wires: list[Wire] = []

    def person(self, language: str = "en") -> Person:
        """Somebody new."""
        self._people.append(Person(self.url, language, self.hurries))
        return self._people[-1]

    def wire(self, table: str, **options: Any) -> Wire:
        """A new socket of a table."""
        self._wires.append(Wire(self.url, table, **options))
        return self._wires[-1]

    def greeted(self, table: str, since: int, token: str | None = None, lang: str = "en") -> Wire:
        """A socket of somebody who knows the newest version, and is told so."""
        wire = self.wire(table)
        wire.hello(since, token, lang)
        assert wire.all()["here"] == since
        return wire

    def together(self, spec: str, seats: int = 2, language: str = "en") -> tuple[str, list[Person]]:
        """A table with somebody on every seat."""
        people = [self.person(language) for _ in range(seats)]
        table = people[0].open(spec)
        for person in people[1:]:
            assert person.take(table).status_code == 303
        return table, people

    def connected(self, spec: str, seats: int = 2) -> tuple[str, list[Person], list[Wire]]:
        """A table with somebody on every seat, and their sockets in step."""
        table, people = self.together(spec, seats)
        return table, people, [self.greeted(table, seats, person.token(table)) for person in people]

    def log(self, table: str) -> list[Entry]:
        """The table's events as another process finds them in the store."""
        query = "SELECT version, seat, command_id, command, body FROM events WHERE table_id = :table ORDER BY version"
        return self.sql(query, table=table)

    def sql(self, query: str, **values: object) -> list[tuple[Any, ...]]:
        """What another program asks or changes in the store."""
        return sql(self.folder, query, **values)

    def secret(self, table: str) -> str:
        """The set-up that was dealt."""
        setup: str = json.loads(self.log(table)[0][4])["setup"]
        return setup

    def close(self) -> None:
        """Everybody leaves."""
        for wire in self._wires:
            wire.close()
        for person in self._people:
            person.http.close()
