"""What a seat hides is hidden behind every door: others receive the same bytes whatever it is, until the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import pytest

from kletka.server import Rates
from tests.server.inside import inside
from tests.server.markup import shown
from tests.server.site import Person, Site, Wire

HIDDEN = [("1", "2"), ("2", "1"), ("3", "3"), ("4", "2")]
"""What one seat hides, and the set-up; nobody else asks for any of these."""
SEEKER = ("5", "6")
"""What the other seat asks for: in vain. It hides a 6, which is found in the end."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site where one may ask much."""
    with inside(
        tmp_path_factory.mktemp("secrets"), rates=Rates(requests_a_second=100_000, messages_a_second=100_000)
    ) as made:
        yield made


@dataclass
class Ear:
    """Everything that somebody receives of a table, with what differs by chance taken out."""

    site: Site
    table: str
    person: Person
    token: str | None
    wire: Wire = field(init=False)
    received: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wire = self.site.greeted(self.table, 2, self.token)

    def take(self, text: str) -> None:
        """Receive something."""
        text = re.sub('"now":[0-9]+', '"now":0', text.replace(self.table, "TABLE"))
        text = re.sub("[0-9a-f]{64}", "HASH", text)
        self.received.append(text.replace(self.token, "TOKEN") if self.token else text)

    def listen(self) -> None:
        """Open every door: page, text, history, and the socket up to now."""
        for path in ("", "/text", "/events", "/events?since=3", "/record", "/picture.svg?at=3", "/paper/sheet.svg"):
            answer = self.person.get(self.person.at(self.table, path))
            self.take(f"{answer.status_code} {answer.headers['content-length']}")
            self.take(answer.text)
        self.wire.say({"do": "ping"})
        while not (text := self.wire.raw()).startswith('{"pong"'):
            self.take(text)

    def try_things(self, base: int) -> None:
        """Ask for what is none of one's business; the refusals are received too."""
        name = f"try{len(self.received)}"
        for number, move in enumerate(("ask-1=yes", "ask-2=~", "hide=~", "nothing", "hide-1")):
            # The last one may be a move: on a position that isn't there, so that a snapshot comes.
            known = base + 100 * (move == "hide-1")
            self.wire.say({"do": "move", "id": f"{name}-{number}", "base": known, "move": move})
            while not (text := self.wire.raw()).startswith('{"id"'):
                self.take(text)
            self.take(text)
        answer = self.person.post(self.person.at(self.table, "/move"), {"move": "ask-3=yes", "base": base})
        self.take(f"{answer.status_code} {answer.text}")

    def afresh(self) -> None:
        """Come back: once with everything missed, once with a snapshot."""
        for since in (0, 1000):
            wire = self.site.wire(self.table)
            wire.hello(since, self.token)
            wire.say({"do": "ping"})
            while not (text := wire.raw()).startswith('{"pong"'):
                self.take(text)


def _dealt(site: Site, setup: str) -> tuple[str, list[Person]]:
    """A table with this set-up."""
    host, guest = site.person(), site.person()
    table = host.open("secret", code=setup)
    assert guest.take(table).status_code == 303
    return table, [host, guest]


def _game(site: Site, hider: int, hidden: str, setup: str, end: bool = False) -> tuple[Ear, Ear, Ear]:
    """A game in which one seat hides a number: what the other seat, a spectator and itself received.

    It goes on until its last move, and where `end` is set to the end.
    """
    table, people = _dealt(site, setup)
    seeker = 1 - hider
    ears = [
        Ear(site, table, people[seeker], people[seeker].token(table)),
        Ear(site, table, site.person(), None),
        Ear(site, table, people[hider], people[hider].token(table)),
    ]
    numbers = {hider: iter(("1", "2", "3")), seeker: iter(SEEKER)}
    hides = {hider: hidden, seeker: "6"}
    moves = [(seat, f"hide-{hides[seat]}") for seat in (0, 1)]
    moves += [(turn % 2, f"ask-{next(numbers[turn % 2])}") for turn in range(4 - hider)]
    moves += [(hider, "ask-6")] if end else []
    base = 0
    for seat, move in moves:
        for ear in ears:
            ear.listen()
        ears[0].try_things(base)
        ears[1].try_things(base)
        if seat != hider:
            assert people[seat].move(table, move, base).status_code == 303
        else:
            assert "applied" in _by_wire(ears[2].wire, base, move)
        base = base + 1 if base else 3
    for ear in ears:
        ear.listen()
        ear.afresh()
    assert ('"to":null' in ears[1].received[-2]) == end, "the last message is the end of a greeting"
    return ears[0], ears[1], ears[2]


def _by_wire(wire: Wire, base: int, move: str) -> dict[str, object]:
    wire.say({"do": "move", "id": f"at{base}", "base": base, "move": move})
    return wire.answer(f"at{base}")


@pytest.mark.parametrize("hider", [0, 1])
def test_whatever_a_seat_hides_others_receive_the_same_bytes(site: Site, hider: int) -> None:
    games = [_game(site, hider, hidden, setup) for hidden, setup in HIDDEN]
    for seeker, watcher, own in games[1:]:
        assert seeker.received == games[0][0].received
        assert watcher.received == games[0][1].received
        assert own.received != games[0][2].received, "the seat itself sees what it hid: this test can fail"


SAID = partial(re.findall, r'data-step=\\?"[0-9]+\\?">([^<]*)<')
"""The moves that a text of any door lists."""


@pytest.mark.parametrize("hider", [0, 1])
def test_moves_are_named_only_as_they_were_told(site: Site, hider: int) -> None:
    seeker, watcher, own = _game(site, hider, "3", "2")
    for ear in (seeker, watcher):
        told = {move for text in ear.received for move in SAID(text)}
        assert "hide=~" in told
        assert not told & {"hide-3", "ask-1=no", "ask-2=nothing", "ask-1=yes"}
        assert "ask-1=~" in told
        assert not [text for text in ear.received if "setup" in text or "cursed" in text]
    assert "ask-5=no" in {move for text in seeker.received for move in SAID(text)}
    assert "ask-5=~" in {move for text in watcher.received for move in SAID(text)}
    assert "hide-3" in {move for text in own.received for move in SAID(text)}


@pytest.mark.parametrize("hider", [0, 1])
def test_at_the_end_everything_is_told_to_everybody(site: Site, hider: int) -> None:
    ears = _game(site, hider, "3", "2", end=True)
    whole = ["hide-3", "hide-6"] if hider == 0 else ["hide-6", "hide-3"]
    for ear in ears:
        page = ear.person.page(ear.table)
        listed = SAID(page)
        assert listed[:2] == whole
        assert "~" not in "".join(listed)
        assert {"0.sign/hide-3", "0.sign/hide-6"} <= set(shown(page).marks)
        text = ear.person.get(ear.person.at(ear.table, "/text")).text
        assert text.count("*") == 2
        history = ear.person.history(ear.table)
        # Before, everybody heard what they heard.
        assert all("over" not in message for message in history[:-1])
        assert "~" in "".join(str(message.get("item")) for message in history[:-1])
        assert SAID(history[-1]["items"]) == listed
        assert history[-1]["over"] == 1
    news = [SAID(text)[:2] for text in ears[1].received if '"over":1' in text and '"whole"' not in text]
    assert whole in news, "the page that is open hears it too"


def test_a_shared_screen_passes_by_itself_where_nothing_was_answered(site: Site) -> None:
    host = site.person()
    table = host.open("secret", **{"with": "screen"})
    wire = site.wire(table)
    wire.say({"do": "hello", "since": host.base(table), "lang": "en", "token": host.token(table), "seat": 0})
    passed = []
    for seat, move in ((0, "hide-2"), (1, "hide-5"), (0, "ask-1"), (1, "ask-1")):
        wire.say({"do": "look"})
        while (message := wire.hear()).get("seat") != seat:
            pass
        wire.say({"do": "move", "id": f"{seat}{move}", "base": message["base"], "move": move})
        while "item" not in (message := wire.hear()):
            pass
        passed.append(message.get("passes"))
    assert passed == [1, 1, None, None]
    # Nobody else has such a screen.
    assert not any("passes" in message for message in host.history(table))
    other, (one, two) = site.together("secret")
    one.move(other, "hide-2")
    two.move(other, "hide-5")
    assert not any("passes" in message for who in (one, two) for message in who.history(other))


def test_a_move_is_not_echoed_to_who_may_not_hear_it(site: Site) -> None:
    table, (host, guest) = site.together("secret")
    wires = [site.greeted(table, 2, host.token(table)), site.greeted(table, 2, guest.token(table))]
    watcher = site.greeted(table, 2)
    wires[0].say({"do": "move", "id": "mine", "base": 0, "move": "hide-4"})
    own = wires[0].until(3)[-1]
    assert next(iter(own["marks"])) == "0.sign/hide-4"
    assert "0.sign/hide-4" in shown(host.page(table)).marks, "the seat itself sees what it hid"
    assert "hide-4" in own["item"]
    for wire in (wires[1], watcher):
        (event,) = wire.news()
        assert event["marks"] == {}
        assert "hide=~" in event["say"]
        assert "hide-" not in event["say"] + event["item"]
    # Another seat may use the same id, and learns nothing by it.
    assert _by_wire(wires[1], 0, "hide-4")["refused"]
    assert _by_wire(watcher, 0, "hide-4")["refused"]
