"""Seats: taken by a press only, and by one browser only."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from kletka import words
from tests.server.answers import coded
from tests.server.markup import Board, shown
from tests.server.site import Person, Site


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_opening_the_shared_link_takes_no_seat(site: Site, method: str) -> None:
    table = site.person().open("tictactoe")
    before = site.log(table)
    visitor = site.person("fr")
    for path in (
        f"/t/{table}",
        f"/fr/t/{table}",
        f"/fr/t/{table}/text",
        f"/fr/t/{table}/events",
        f"/fr/t/{table}/seat",
    ):
        for _ in range(5):
            visitor.http.request(method, path, follow_redirects=True)
    assert site.log(table) == before
    assert "data-seat=" not in visitor.page(table)


def test_the_shared_link_leads_to_the_visitors_language(site: Site) -> None:
    table = site.person().open("tictactoe")
    for language in words.LANGUAGES:
        answer = site.person(language).get(f"/t/{table}")
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/{language}/t/{table}"
        assert answer.headers["vary"] == "Accept-Language"


def test_the_link_to_share_is_the_address_that_the_page_was_opened_with(site: Site) -> None:
    person = site.person()
    table = person.open("tictactoe")
    codes = set()
    for host, scheme in (("192.168.1.7:8000", "http"), ("kletka.local", "http"), ("kletka.example", "https")):
        page = person.get(person.at(table), headers={"Host": host, "X-Forwarded-Proto": scheme}).text
        assert f'value="{scheme}://{host}/t/{table}"' in page
        codes.add(re.findall(r'<div class="code".*?</div>', page)[0])
    assert len(codes) == 3, "the picture is of the same link"
    person.take(table)
    site.person().take(table)
    assert 'class="code"' not in person.page(table), "nobody is invited when every seat is taken"


def test_a_press_takes_a_seat_and_a_second_press_none(site: Site) -> None:
    table = site.person().open("trio")
    guest = site.person("ru")
    assert guest.take(table, seat=2, name="Аня").status_code == 303
    before = site.log(table)
    for form in ({}, {"seat": 1}, {"seat": 2}):
        again = guest.take(table, **form)
        assert again.status_code == 409
        coded(again, "seated", "ru")
    assert site.log(table) == before
    page = guest.page(table)
    assert shown(page).attributes["data-seat"] == "2"
    assert "<bdi>Аня</bdi>" in page


def test_a_taken_seat_is_refused(site: Site) -> None:
    table, _ = site.together("tictactoe")
    late = site.person("fr")
    for form in ({}, {"seat": 0}, {"seat": 1}):
        answer = late.take(table, **form)
        assert answer.status_code == 409
        coded(answer, "seat_taken", "fr")
    assert len(site.log(table)) == 3


def test_of_many_who_press_at_once_exactly_one_gets_the_seat(site: Site) -> None:
    table = site.person().open("tictactoe")
    crowd = [site.person() for _ in range(8)]
    start = Barrier(len(crowd))

    def press(person: Person) -> int:
        start.wait(10)
        return person.take(table, seat=1).status_code

    with ThreadPoolExecutor(len(crowd)) as pool:
        statuses = sorted(pool.map(press, crowd))
    assert statuses == [303] + [409] * 7
    assert len(site.log(table)) == 3
    assert ["data-seat=" in person.page(table) for person in crowd].count(True) == 1


def test_one_browser_that_presses_many_times_at_once_gets_one_seat(site: Site) -> None:
    table = site.person().open("trio")
    guest = site.person()
    guest.open("tictactoe")
    start = Barrier(6)

    def press(_: int) -> int:
        start.wait(10)
        return guest.take(table).status_code

    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(pool.map(press, range(6)))
    assert statuses == [303] + [409] * 5
    assert len(site.log(table)) == 3


def test_others_see_a_seat_being_taken(site: Site) -> None:
    host = site.person()
    table = host.open("tictactoe")
    watcher = site.wire(table)
    watcher.hello(1, lang="ru")
    board = Board()
    board.hear(host.history(table)[0])
    site.person().take(table, name="Zoé")
    event = watcher.until(2)[-1]
    assert event["to"] == 0
    assert "Zoé" in event["parts"]["players"]
    assert event["parts"]["take"] == event["parts"]["invite"] == ""
    assert event["say"] == f"{words.say('ru', 'seat.cross.to_move')} {words.say('ru', 'table.watching')}"


def test_signs_are_chosen_and_drawn(site: Site) -> None:
    host, guest, late = site.person(), site.person("fr"), site.person("ru")
    opened = host.post("/en/tables", {"family": "polish", "sign": "star"})
    table = opened.headers["location"].rpartition("/")[2]
    wire = site.wire(table)
    wire.hello(1)
    take = shown(guest.page(table)).parts["take"]
    assert "croix" in str(take)
    assert "étoile" not in str(take), "somebody has it"
    coded(guest.take(table, sign="star"), "sign_taken", "fr")
    coded(guest.take(table, sign="heart"), "no_such_sign", "fr")
    coded(guest.take(table, sign="<b>"), "malformed", "fr")
    assert guest.take(table, sign="diamond").status_code == 303
    assert host.move(table, "a1").status_code == 303
    assert guest.move(table, "b1").status_code == 303
    events = wire.until(4)
    assert "#k-diamond" in events[-3]["parts"]["players"]
    assert "#k-star" in events[-2]["marks"]["0.sign/a1"]
    assert "#k-diamond" in events[-1]["marks"]["0.sign/b1"]
    for person in (host, guest, late):
        page = person.page(table)
        assert re.search(r'data-m="0.sign/a1"[^>]* href="#k-star"', page)
        assert re.search(r'data-m="0.sign/b1"[^>]* href="#k-diamond"', page)
    assert "#k-star" in host.history(table)[-2]["marks"]["0.sign/a1"]


def test_a_sign_that_is_none_and_engines_break_nothing(site: Site) -> None:
    person = site.person()
    for sign, mine in (("", "cross"), ("<b>", "cross"), ("nought", "nought")):
        table = person.open("polish", sign=sign, seat="1", **{"with": "engine"})
        page = person.page(table)
        players = page[page.index('class="players"') :]
        assert re.findall("#k-([a-z]+)", players)[:2] == ["cross" if mine == "nought" else "nought", mine]


def test_only_games_with_signs_let_them_be_chosen(site: Site) -> None:
    person = site.person()
    assert 'name="sign"' in person.get("/en/new/polish").text
    assert 'name="sign"' not in person.get("/en/new/tictactoe").text
    assert 'name="sign"' not in site.person().page(person.open("tictactoe"))
    assert 'name="sign" value="star"' in site.person().page(person.open("polish"))
