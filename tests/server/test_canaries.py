"""Nothing hidden gets out by any door: for every game with secrets, all that is answered to who mustn't know it is the
same whatever is hidden, byte for byte, and holds neither what is hidden nor the salts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from kletka.games import game
from kletka.server import Rates
from kletka.tables import Workers
from tests.alike import HIDDEN, Deal, alike
from tests.server.inside import Inside, inside
from tests.server.site import Person, Wire
from tests.server.test_observing import until

QUERIES = {
    "/{lang}/t/{table_id}": ("", "?seat=0", "?seat=1"),
    "/{lang}/t/{table_id}/events": ("", "?since=3"),
    "/{lang}/t/{table_id}/picture.{kind}": ("", "?at=3"),
    "/{lang}/t/{table_id}/bring": ("?code=none",),
    "/t/{table_id}/bring": ("?code=none",),
}
"""What is asked of doors that take more than a table."""
FORMS: dict[str, tuple[dict[str, str], ...]] = {
    "/{lang}/t/{table_id}/seat": ({"name": "Eve"}, {"seat": "0"}),
    "/{lang}/t/{table_id}/move": ({"move": "nothing", "base": "BASE"}, {"move": "done", "base": "0"}),
    "/{lang}/t/{table_id}/do": ({"do": "accept", "offer": "99"}, {"do": "offer:takeback", "base": "BASE"}),
    "/{lang}/t/{table_id}/lend": ({},),
    "/{lang}/t/{table_id}/bring": ({"code": "none"},),
    "/{lang}/t/{table_id}/draft": ({"text": "", "act": ""}, {"text": "hide-1"}),
    "/{lang}/t/{table_id}/draft/save": ({"text": ""},),
    "/{lang}/t/{table_id}/hint": ({},),
}
"""What is sent to doors that change something, or would."""
BY_CHANCE = "/lend"
"""A door that answers with a code of its own."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A site where one may ask much."""
    rates = Rates(messages_a_second=100_000, requests_a_second=100_000, tables_a_minute=10_000)
    with inside(tmp_path_factory.mktemp("canaries"), rates=rates) as made:
        yield made


@dataclass
class Ear:
    """Everything that somebody receives of a table: `all`, and `alike` with what differs by chance taken out."""

    site: Inside
    table: str
    person: Person
    token: str | None
    dots: bool
    wire: Wire = field(init=False)
    all: list[str] = field(default_factory=list)
    alike: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wire = self.site.wire(self.table)
        self.wire.hello(0, self.token)

    def take(self, text: str) -> None:
        """Receive something."""
        self.all.append(text)
        text = re.sub('"now":[0-9]+', '"now":0', text.replace(self.table, "TABLE"))
        text = re.sub("[0-9a-f]{64}", "HASH", text)
        self.alike.append(text.replace(self.token, "TOKEN") if self.token else text)

    def answered(self, answer: httpx.Response, chance: bool = False) -> None:
        """Receive an answer by HTTP: status, headers, body."""
        headers = {name: value for name, value in answer.headers.items() if name not in ("date", "set-cookie")}
        body = answer.content.decode("utf-8", "replace")
        if chance:
            self.all.append(f"{headers} {body}")
        else:
            self.take(f"{answer.status_code} {headers}")
            self.take(body)

    def _paths(self, method: str) -> list[tuple[str, str]]:
        """The doors of a table, as routes and as paths."""
        found = []
        for route in self.site.routes:
            if "{table_id}" in route.path and method in (route.methods or ()):
                path = route.path.replace("{lang}", "en").replace("{table_id}", self.table)
                # A picture in dots is made of the other one, and takes long: one game's are enough.
                kinds = ("svg", "png") if self.dots and "{kind}" in path else ("svg",)
                found += [(route.path, path.replace("{kind}", kind)) for kind in kinds]
        assert found
        return found

    def look(self) -> None:
        """Open every door behind which there is something to see."""
        for route, path in self._paths("GET"):
            for query in QUERIES.get(route, ("",)):
                self.answered(self.person.get(path + query))
        self.news()

    def try_all(self, base: int) -> None:
        """Knock at every door that changes something, with what is refused; as people do and as programs do."""
        for route, path in self._paths("POST"):
            for form in FORMS[route]:
                filled = {name: value.replace("BASE", str(base)) for name, value in form.items()}
                if "/draft" in path:
                    self.answered(self.person.http.post(path, json=filled))
                    continue
                self.answered(self.person.post(path, filled), BY_CHANCE in path)
                self.answered(self.person.post(path, filled, headers={"Accept": "*/*"}), BY_CHANCE in path)

    def refused(self, base: int) -> None:
        """Send by the socket what is refused."""
        told = ("hide:~", "answer:~=wrong", "hide=~", "ask-1=~", "nothing", "B=3.white", "")
        for number, move in enumerate(told):
            self.wire.say({"do": "move", "id": f"{number}-{len(self.all)}", "base": base, "move": move})
        for text in ("{", '{"do":"move"}', '{"do":"accept","id":"a","offer":99}', '{"do":"look"}'):
            self.wire.say(text)
        self.news()

    def news(self) -> None:
        """Hear what the socket has said until now."""
        self.wire.say({"do": "ping"})
        while not (text := self.wire.raw()).startswith('{"pong"'):
            self.take(text)

    def afresh(self) -> None:
        """Come back: once with everything missed, once with a snapshot, once with a token that is none's."""
        for since, token in ((0, self.token), (1000, self.token), (0, "nobody's")):
            wire = self.site.wire(self.table)
            wire.hello(since, token)
            wire.say({"do": "ping"})
            while not (text := wire.raw()).startswith('{"pong"'):
                self.take(text)


def salts(site: Inside, table: str) -> set[str]:
    """The salts in a table's log."""
    return {salt for _, _, _, _, body in site.log(table) for salt in re.findall('"salt":"([0-9a-f]+)"', body)}


def _played(site: Inside, deal: Deal, ignorant: tuple[int | None, ...]) -> tuple[list[Ear], Ear, str, list[Person]]:
    """A deal as it is played: what who mustn't know received, what the first seat did, the table and the people."""
    seats = game(deal.spec).seats
    people = [site.person() for _ in range(seats)]
    code = {} if deal.setup is None else {"code": deal.setup}
    table = people[0].open(deal.spec, **code)
    for person in people[1:]:
        assert person.take(table).status_code == 303
    tokens = [person.token(table) for person in people]
    dots = "duel" in deal.spec
    ears = [
        Ear(site, table, site.person() if seat is None else people[seat], None if seat is None else tokens[seat], dots)
        for seat in ignorant
    ]
    own = Ear(site, table, people[0], tokens[0], dots)
    base = 0
    for number, (seat, move) in enumerate(deal.moves):
        if number in (1, len(deal.moves) - 1):
            for ear in ears:
                ear.refused(base)
        answer = people[seat].move(table, move, base)
        assert answer.status_code == 303, answer.text
        base = base + 1 if base else seats + 1
    for ear in ears:
        ear.look()
        ear.refused(base)
        ear.afresh()
    for ear in ears:
        ear.try_all(base)
        ear.afresh()
    own.look()
    return ears, own, table, people


@pytest.mark.parametrize("spec", HIDDEN)
def test_whatever_is_hidden_every_door_answers_the_same_bytes(site: Inside, spec: str) -> None:
    deals, ignorant = alike(spec)
    played = [_played(site, deal, ignorant) for deal in deals]
    for number, one, other in zip(ignorant, played[0][0], played[1][0], strict=True):
        assert len(one.alike) == len(other.alike)
        for heard, same in zip(one.alike, other.alike, strict=True):
            assert heard == same, number
    for deal, (ears, own, table, people) in zip(deals, played, strict=True):
        secrets = salts(site, table)
        assert len(secrets) >= 1
        for canary in deal.canaries | secrets:
            assert not [text for ear in ears for text in ear.all if canary in text], canary
        # Whoever hid something sees it, but no salt; at the end everybody sees everything.
        assert 0 in ignorant or [text for text in own.all if deal.hidden[-1] in text]
        assert not [text for text in own.all for salt in secrets if salt in text]
        for person in people:
            person.do(table, "resign")
        page = ears[-1].person.page(table)
        assert all(secret in page for secret in (*deal.hidden, *secrets))


def test_doors_of_no_table_know_nothing_of_one(site: Inside) -> None:
    (deal, _), _ = alike("orapa:mode=duel")
    ears, own, table, _ = _played(site, deal, ())
    answers = [
        own.person.get(path) for path in ("/en/", "/en/mine", "/en/mine/list", "/openapi.json", "/health", "/ready")
    ]
    answers += [
        own.person.get("/en/no/page"),
        own.person.get("/en/t/none"),
        own.person.post("/en/tables", {"spec": "x"}),
    ]
    answers.append(httpx.get(f"{site.url}/metrics", trust_env=False))
    assert [answer.status_code for answer in answers] == [200] * 6 + [404, 404, 422, 200]
    for canary in deal.canaries | salts(site, table):
        assert not [answer.url for answer in answers if canary in answer.text]
    assert ears == []


def test_a_race_tells_nobody_what_all_look_for(site: Inside) -> None:
    deals, _ = alike("orapa")
    received: list[list[str]] = []
    for deal in deals:
        assert deal.setup is not None
        people = [site.person(), site.person(), site.person()]
        opened = people[0].post("/en/tables", {"spec": deal.spec, "racers": "2", "code": deal.setup})
        race = opened.headers["location"].rpartition("/")[2]
        assert people[1].post(f"/en/race/{race}/join").status_code == 303
        (first,), (second,) = [
            [table for table in site.hall.store.race(race) if f"/t/{table}" in person.get(f"/en/race/{race}").text]
            for person in people[:2]
        ]
        base = 0
        for _, move in deal.moves:
            assert people[0].move(first, move, base).status_code == 303
            base = base + 1 if base else 2
        heard = []
        for number, person in enumerate(people):
            paths = [f"/en/race/{race}", f"/en/race/{race}/list"]
            for table in (first, second):
                paths += [
                    person.at(table, rest) for rest in ("", "/events", "/text", "/record", "/picture.svg", "/study")
                ]
                paths += [f"/en/embed/t/{table}", f"/en/embed/t/{table}/events"]
            for path in paths:
                answer = person.get(path)
                text = f"{path} {answer.status_code} {answer.headers} {answer.text}"
                for canary in deal.canaries | salts(site, first):
                    assert canary not in text, (number, path)
                token = re.search('data-token="([^"]*)"', text)
                for chance, name in (
                    (first, "FIRST"),
                    (second, "SECOND"),
                    (race, "RACE"),
                    (token and token[1], "TOKEN"),
                ):
                    text = text.replace(chance, name) if chance else text
                text = re.sub("'date': '[^']*'|'set-cookie': '[^']*'|<svg[^>]*segno.*?</svg>", "", text)
                heard.append(re.sub("[0-9a-f]{64}", "HASH", text))
        assert len(salts(site, first) & salts(site, second)) == 1, "everybody sees the same fingerprint"
        received.append(heard)
    for one, other in zip(*received, strict=True):
        assert one == other


@pytest.mark.parametrize("spec", HIDDEN)
def test_engines_are_asked_the_same_whatever_is_hidden(
    site: Inside, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals, _ = alike(spec, 12)
    asked: list[list[tuple[Any, ...]]] = []

    async def notes(workers: Workers, work: Callable[..., Any], *args: Any, **named: Any) -> Any:
        asked[-1].append((work.__name__, *args, *named.items()))
        raise RuntimeError

    monkeypatch.setattr(Workers, "run", notes)
    for deal in deals:
        asked.append([])
        person = site.person()
        code = {} if deal.setup is None else {"code": deal.setup}
        engine = {"with": "engine", "level": "1"} if game(spec).seats > 1 else {}
        table = person.open(spec, hints="1", **code, **engine)
        base, level = 0, 2 if engine else 1
        for seat, move in deal.moves:
            if seat == 0:
                # A hint for whoever knows what they hid themselves may follow from it.
                knows = deal.setup is None or spec == "secret"
                assert knows or person.post(person.at(table, "/hint")).status_code == 503
                assert person.move(table, move, base).status_code == 303
                level += 1
                base = level
            if seat == 1:
                break
        if engine:
            until(lambda: any(name == "choose_move" for name, *_ in asked[-1]))
        said = json.dumps(asked[-1])
        assert asked[-1]
        assert not [canary for canary in deal.canaries | salts(site, table) if canary in said]
    same = [{tuple(map(str, _without_seed(question))) for question in questions} for questions in asked]
    assert same[0] == same[1]


def _without_seed(question: tuple[Any, ...]) -> tuple[Any, ...]:
    """A question to an engine without the number by which it chooses."""
    return (*question[:4], *question[5:]) if question[0] == "choose_move" else (*question[:3], *question[4:])
