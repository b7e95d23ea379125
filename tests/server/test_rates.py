"""How much one browser, address or connection may ask."""

from __future__ import annotations

import json
from pathlib import Path
from time import sleep

import httpx
import pytest
from fastapi import Request
from websockets.exceptions import ConnectionClosed

from kletka import words
from kletka.server import Rates
from kletka.server.doors import Asker, Rate, client
from kletka.tables import new_token
from tests.server.answers import code_of, coded, refused
from tests.server.inside import inside
from tests.server.site import Person, Site, Wire


def behind(site: Site, address: str, language: str = "en", *, key: bool = True) -> Person:
    """Somebody with a browser of their own at an address that others may share; `key`: they have been here before."""
    person = site.person(language)
    person.http.headers["X-Forwarded-For"] = address
    if key:
        person.http.cookies.set("kletka", new_token(), "127.0.0.1")
    return person


def hurried(answer: httpx.Response, code: str, language: str) -> int:
    """A refusal for people, in their language; gives the seconds that they are to wait."""
    assert answer.status_code == 429
    coded(answer, code, language)
    return int(answer.headers["retry-after"])


def test_people_open_only_so_many_tables_a_minute(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(tables_a_minute=3, at_one_address=2)) as site:
        for language in words.LANGUAGES:
            at = f"10.9.9.{words.LANGUAGES.index(language)}"
            hasty, other, third = (behind(site, at, language) for _ in range(3))
            stranger = behind(site, at, language, key=False)

            def asked(person: Person, headers: dict[str, str] | None = None) -> httpx.Response:
                return person.post(f"/{person.language}/tables", {"spec": "trio"}, headers=headers)

            opened = [asked(hasty) for _ in range(3)]
            assert [answer.status_code for answer in opened] == [303] * 3
            assert 1 <= hurried(asked(hasty), "too_many_tables", language) <= 60
            program = asked(hasty, {"Accept": "application/json"})
            assert (program.status_code, refused(program)) == (429, "too_many_tables")
            assert 1 <= int(program.headers["retry-after"]) <= 60
            # What was refused took nothing from the others there.
            assert [asked(other).status_code for _ in range(3)] == [303] * 3
            # All together are too many now: a key that is new is no way around it, nor is none.
            assert hurried(asked(third), "too_many_tables", language)
            assert hurried(asked(stranger), "too_many_tables", language)
            table = opened[0].headers["location"].rpartition("/")[2]
            assert hasty.take(table).status_code == 409, "other things may be done"


def test_whoever_has_no_key_yet_counts_by_the_address(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(tables_a_minute=1, at_one_address=4)) as site:
        newcomers = [behind(site, "10.9.9.1", key=False) for _ in range(5)]
        answers = [person.post("/en/tables", {"spec": "trio"}) for person in newcomers]
        assert [answer.status_code for answer in answers] == [303] * 4 + [429]
        assert behind(site, "10.9.9.2", key=False).open("trio")


def test_a_race_counts_for_all_its_tables(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(tables_a_minute=10)) as site:
        person = behind(site, "10.9.9.1")
        form: dict[str, str | int] = {"spec": "orapa", "racers": 8}
        assert person.post("/en/tables", form).status_code == 303
        assert hurried(person.post("/en/tables", form), "too_many_tables", "en")
        assert person.open("orapa")


def test_what_is_played_next_counts_as_a_table(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(tables_a_minute=2)) as site:
        person = behind(site, "10.9.9.1", "ru")
        against: dict[str, str | int] = {"with": "engine", "level": 1}
        table = person.open("tictactoe", **against)
        assert person.do(table, "resign").status_code == 303
        answer = person.do(table, "offer:rematch")
        assert answer.status_code == 303
        following = answer.headers["location"].rpartition("/")[2]
        assert following != table
        assert person.do(following, "resign").status_code == 303
        before = site.log(following)
        assert hurried(person.do(following, "offer:rematch"), "too_many_tables", "ru")
        cookie = f"kletka={person.http.cookies['kletka']}"
        wire = site.wire(following, headers={"Cookie": cookie, "X-Forwarded-For": "10.9.9.1"})
        wire.hello(len(before) - 1, person.token(following), "ru")
        wire.say({"do": "offer", "id": "again", "what": "rematch"})
        answered = wire.answer("again")
        said = words.say("ru", "refusal.too_many_tables")
        assert answered == {"id": "again", "refused": [{"code": "too_many_tables", "at": [], "say": said}]}
        assert site.log(following) == before


def test_people_send_only_so_many_forms_a_second(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(requests_a_second=2)) as site:
        person, other = behind(site, "10.9.9.1", "fr"), behind(site, "10.9.9.1")
        table = person.open("tictactoe")
        answers = [
            person.post(person.at(table, "/do"), {"do": "accept"}, headers={"Accept": accept})
            for accept in ("application/json", "text/html") * 15
        ]
        assert {answer.headers["retry-after"] for answer in answers if answer.status_code == 429} == {"1"}
        said = [answer for answer in answers[1::2] if answer.status_code == 429]
        told = [answer for answer in answers[::2] if answer.status_code == 429]
        assert said
        assert told
        coded(said[0], "too_fast", "fr")
        assert {refused(answer) for answer in told} == {"too_fast"}
        assert person.get(person.at(table)).status_code == 200, "looking is no change"
        assert other.do(table, "accept").status_code == 409, "others there aren't kept waiting"
        assert len(site.log(table)) == 2


def test_people_look_at_only_so_many_described_games_a_second(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(requests_a_second=2)) as site:
        person, other = behind(site, "10.9.9.1", "ru"), behind(site, "10.9.9.1")
        for path in ("/ru/study", "/ru/embed/study", "/ru/paper/position", "/ru/export/record"):
            answers = [person.get(f"{path}?spec=tictactoe") for _ in range(30)]
            hasty = [answer for answer in answers if answer.status_code != 200]
            assert hasty
            for answer in hasty:
                assert hurried(answer, "too_fast", "ru") == 1
        assert other.get("/en/study?spec=tictactoe").status_code == 200, "others there aren't kept waiting"


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


def test_who_only_floods_is_cut_off(site: Site) -> None:
    table, (host, _) = site.together("tictactoe")
    wire, calm = site.greeted(table, 2, host.token(table)), site.greeted(table, 2)
    wire.burst(['{"do":"ping"}'] * 1100)
    with pytest.raises(ConnectionClosed) as closed:
        list(iter(wire.all, None))
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    assert calm.news() == []
    assert site.greeted(table, 2, host.token(table)).news() == [], "who comes again is let in"


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


def turned_away(wire: Wire, language: str) -> None:
    """A socket for which there is no room says so, and is closed."""
    said = words.say(language, "refusal.too_many")
    assert wire.hear() == {"refused": [{"code": "too_many", "at": [], "say": said}]}
    with pytest.raises(ConnectionClosed) as closed:
        wire.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013


def test_a_browser_holds_only_so_many_sockets_and_an_address_several_times_that(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(sockets=2, at_one_address=2)) as site:
        table, _ = site.together("tictactoe")
        one, two = ({"X-Forwarded-For": "10.9.9.1", "Cookie": f"kletka={new_token()}"} for _ in range(2))
        nobody, there = {"X-Forwarded-For": "10.9.9.1"}, {"X-Forwarded-For": "10.9.9.2"}
        held = [site.wire(table, headers=one) for _ in range(2)]
        turned_away(site.wire(table, headers=one | {"Accept-Language": "ru"}), "ru")
        held += [site.wire(table, headers=headers) for headers in (two, nobody)]
        for language in words.LANGUAGES:
            for headers in (two, nobody):
                with Wire(f"{site.url}/{language}", table, headers=headers) as wire:
                    turned_away(wire, language)
        held.append(site.wire(table, headers=there))
        for wire in held:
            wire.hello(2)
            assert wire.all()["here"] == 2
        held[0].close()
        held[1].socket.close_socket()
        for wire in [_let_in(site, table, one) for _ in range(2)]:
            assert wire.news() == []


def test_a_token_opens_only_so_many_sockets_wherever_they_come_from(tmp_path: Path) -> None:
    """Nor does another key, or another token before it, help."""
    with inside(tmp_path, rates=Rates(sockets=2)) as site:
        table, (host, guest) = site.together("tictactoe")
        token = host.token(table)
        held = [site.greeted(table, 2, token) for _ in range(2)]
        for language in words.LANGUAGES:
            wire = site.wire(table, headers={"Cookie": f"kletka={new_token()}"})
            wire.hello(2, "no token", language)
            assert [wire.all().get("here") for _ in range(2)] == [None, 2]
            wire.hello(2, token, language)
            turned_away(wire, language)
        # One that greets again is the same one.
        held[0].hello(2, token)
        assert held[0].all()["here"] == 2
        assert site.greeted(table, 2, guest.token(table)).news() == []
        held[1].hello(2, guest.token(table))
        assert held[1].all()["here"] == 2
        assert site.greeted(table, 2, token).news() == [], "there is room again for the host"


def test_nothing_is_counted_any_more_when_all_have_gone(tmp_path: Path) -> None:
    with inside(tmp_path, rates=Rates(sockets=3)) as site:
        table, (host, _) = site.together("tictactoe")
        token, cookie = host.token(table), f"kletka={new_token()}"
        wires = [site.wire(table, headers={"Cookie": cookie}) for _ in range(4)]
        for wire in wires[:3]:
            wire.hello(2, token)
            assert wire.all()["here"] == 2
        turned_away(wires[3], "en")
        assert sorted(site.rate._sockets.values()) == [1, 1, 1, 3, 3]
        for wire in wires:
            wire.close()
        for _ in range(500):
            if not site.rate._sockets and not len(site.rate._seconds):
                return
            sleep(0.01)
        raise AssertionError("somebody is still counted")


@pytest.mark.parametrize("by", ["token", "browser", "address"])
def test_many_sockets_say_no_more_than_a_few_together(tmp_path: Path, by: str) -> None:
    with inside(tmp_path, rates=Rates(messages_a_second=10, at_one_address=1 if by == "address" else 10)) as site:
        table, (host, _) = site.together("tictactoe")
        token = host.token(table) if by == "token" else None
        shown = {"address": {"X-Forwarded-For": "10.9.9.1"}, "browser": {"Cookie": f"kletka={new_token()}"}}
        headers = shown.get(by, {})
        wires = [site.wire(table, headers=headers) for _ in range(3)]
        for wire in wires:
            wire.hello(2, token)
            assert wire.all()["here"] == 2
        before = site.log(table)
        for wire in wires:
            wire.burst([json.dumps({"do": "move", "id": f"m{n}", "base": 0, "move": "z9"}) for n in range(9)])
        codes = [code_of(wire.hear()) for wire in wires for _ in range(9)]
        # Each socket by itself might say all of it.
        assert set(codes) == {"too_fast", "off_board" if by == "token" else "no_seat"}
        assert site.log(table) == before
        # In the next second.
        sleep(1)
        assert wires[0].news() == [], "everybody may ping"


SCHOOL = "10.1.1.1"


def test_a_school_may_play() -> None:
    """Three hundred browsers behind one address, all at once."""
    rate = Rate(Rates())
    for number in range(300):
        asker = Asker(SCHOOL, f"browser {number}")
        assert rate.table(asker) == 0
        assert rate.request(asker) == 0
        assert rate.enter(asker)
        assert rate.enter(asker)


def test_one_browser_takes_its_share_and_nothing_from_the_others() -> None:
    rates = Rates(tables_a_minute=4, sockets=3)
    rate, greedy = Rate(rates), Asker(SCHOOL, "greedy")
    assert [rate.table(greedy) > 0 for _ in range(200)] == [False] * 4 + [True] * 196
    assert [rate.enter(greedy) for _ in range(200)] == [True] * 3 + [False] * 197
    for number in range(rates.at_one_address - 1):
        asker = Asker(SCHOOL, f"browser {number}")
        assert [rate.table(asker) for _ in range(4)] == [0] * 4
        assert all(rate.enter(asker) for _ in range(3))
    late = Asker(SCHOOL, "late")
    assert 1 <= rate.table(late) <= 60
    assert not rate.enter(late)
    assert rate.table(Asker("10.1.1.2", "late")) == 0
    rate.leave(greedy)
    assert rate.enter(late)


def test_keys_that_are_made_up_leave_nothing_once_the_address_has_had_its_share() -> None:
    rates = Rates(tables_a_minute=1, requests_a_second=1, sockets=1)
    rate = Rate(rates)
    for number in range(500):
        asker = Asker(SCHOOL, f"made up {number}")
        rate.table(asker)
        rate.enter(asker)
    counted = list(rate._limiter.storage.storage)  # type: ignore[attr-defined]
    assert len(counted) == len(rate._sockets) == rates.at_one_address + 1, "so many browsers, and the address"


@pytest.mark.parametrize(
    ("host", "same", "other"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:2::1"),
        ("::ffff:10.1.1.1", "10.1.1.1", "::ffff:10.1.1.2"),
        ("fe80::1%eth0", "fe80::2", "fe81::1"),
        ("somewhere", "somewhere", "elsewhere"),
    ],
)
def test_an_address_is_what_one_household_has(host: str, same: str, other: str) -> None:
    def seen(from_: str) -> str:
        return client(Request({"type": "http", "client": (from_, 5000), "headers": []}))

    assert seen(host) == seen(same) != seen(other)


def _let_in(site: Site, table: str, headers: dict[str, str]) -> Wire:
    """A socket as soon as there is room for it: the server hears a moment later that another has left."""
    for _ in range(200):
        wire = site.wire(table, headers=headers)
        wire.hello(2)
        try:
            if wire.all().get("here") == 2:
                return wire
        except ConnectionClosed:
            pass
    raise AssertionError("there is never room again")
