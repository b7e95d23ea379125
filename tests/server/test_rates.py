"""How much one address or connection may ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from kletka import words
from kletka.server import Rates
from tests.server.answers import code_of, coded, refused
from tests.server.inside import inside
from tests.server.site import Site, Wire


def test_people_open_only_so_many_tables_a_minute(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(tables_a_minute=3)) as site:
        person = site.person("fr")
        here, there = {"X-Forwarded-For": "10.9.9.1"}, {"X-Forwarded-For": "10.9.9.2"}
        answers = [person.post("/fr/tables", {"spec": "trio"}, headers=here) for _ in range(7)]
        statuses = [answer.status_code for answer in answers]
        # The minute may end in between: then it counts from the beginning once.
        assert statuses[:3] == [303] * 3
        assert 429 in statuses[3:]
        coded(answers[statuses.index(429)], "too_fast", "fr")
        assert person.post("/fr/tables", {"spec": "trio"}, headers=there).status_code == 303
        table = answers[0].headers["location"].rpartition("/")[2]
        assert person.post(person.at(table, "/seat"), headers=here).status_code == 409, "other things may be done"


def test_people_send_only_so_many_forms_a_second(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(requests_a_second=2)) as site:
        person = site.person()
        here = {"X-Forwarded-For": "10.9.9.1", "Accept": "application/json"}
        table = person.open("tictactoe")
        answers = [person.post(person.at(table, "/do"), {"do": "accept"}, headers=here) for _ in range(30)]
        hasty = [answer for answer in answers if answer.status_code == 429]
        assert hasty
        assert {refused(answer) for answer in hasty} == {"too_fast"}
        assert person.get(person.at(table), headers=here).status_code == 200, "looking is no change"
        assert person.do(table, "accept").status_code == 409, "others aren't kept waiting"
        assert len(site.log(table)) == 2


def test_people_look_at_only_so_many_described_games_a_second(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(requests_a_second=2)) as site:
        person = site.person("ru")
        here, there = {"X-Forwarded-For": "10.9.9.1"}, {"X-Forwarded-For": "10.9.9.2"}
        for path in ("/ru/study", "/ru/embed/study", "/ru/paper/position", "/ru/export/record"):
            answers = [person.get(f"{path}?spec=tictactoe", headers=here) for _ in range(30)]
            hasty = [answer for answer in answers if answer.status_code != 200]
            assert hasty
            for answer in hasty:
                assert answer.status_code == 429
                coded(answer, "too_fast", "ru")
        assert person.get("/ru/study?spec=tictactoe", headers=there).status_code == 200, "others aren't kept waiting"


def test_who_sends_too_much_is_told_and_the_table_stays_as_it_is(site: Site) -> None:
    table, (host, _) = site.together("tictactoe")
    token, before = host.token(table), site.log(table)
    hasty, calm = site.greeted(table, 2, token, "ru"), site.greeted(table, 2)
    hasty.burst([json.dumps({"do": "move", "id": f"m{n}", "base": 0, "move": "z9"}) for n in range(50)])
    answers = [hasty.hear() for _ in range(50)]
    assert [answer["id"] for answer in answers] == [f"m{n}" for n in range(50)], "each is answered, in order"
    codes = [code_of(answer) for answer in answers]
    # 20 a second, the hello among them; a second may end in between.
    assert 19 <= codes.count("off_board") <= 40
    assert codes.count("off_board") + codes.count("too_fast") == 50
    hurried = answers[codes.index("too_fast")]["refused"][0]
    assert hurried == {"code": "too_fast", "at": [], "say": words.say("ru", "refusal.too_fast")}
    assert calm.news() == [], "others are not limited by it"
    assert site.log(table) == before


def test_a_flood_is_answered_by_a_snapshot_and_the_line_lives_on(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(messages_a_second=100_000)) as site:
        table, (host, _) = site.together("tictactoe")
        wire = site.greeted(table, 2, host.token(table))
        wire.burst(['{"do":"ping"}'] * 1000)
        wire.say({"do": "move", "id": "m", "base": 0, "move": "b2"})
        assert wire.answer("m") == {"id": "m", "applied": 3}
        wire.hello(3)
        while wire.all().get("here") != 3:
            pass


def test_an_address_holds_only_so_many_sockets(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(sockets=2)) as site:
        table, _ = site.together("tictactoe")
        here, there = {"X-Forwarded-For": "10.9.9.1"}, {"X-Forwarded-For": "10.9.9.2"}
        held = [site.wire(table, headers=here) for _ in range(2)]
        third = site.wire(table, headers=here)
        with pytest.raises(ConnectionClosed) as closed:
            third.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        other = site.wire(table, headers=there)
        for wire in (*held, other):
            wire.hello(2)
            assert wire.all()["here"] == 2
        held[0].close()
        held[1].socket.close_socket()
        again = [_let_in(site, table, here) for _ in range(2)]
        for wire in again:
            assert wire.news() == []


def _let_in(site: Site, table: str, headers: dict[str, str]) -> Wire:
    """A socket as soon as there is room for it: the server hears a moment later that another has left."""
    for _ in range(200):
        wire = site.wire(table, headers=headers)
        wire.hello(2)
        try:
            assert wire.all()["here"] == 2
        except ConnectionClosed:
            continue
        return wire
    raise AssertionError("there is never room again")
