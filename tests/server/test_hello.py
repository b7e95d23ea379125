"""The first message of a socket: what it missed, who is speaking, and who may speak at all."""

from __future__ import annotations

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kletka import words
from kletka.server.live import REPLAYED
from tests.server.markup import Board, shown
from tests.server.site import Person, Site


def _offers(people: list[Person], table: str, pairs: int) -> None:
    """Events that change nothing on the board: two for a pair."""
    for number in range(pairs):
        person = people[number % len(people)]
        assert person.do(table, "offer").status_code == 303
        assert person.do(table, "decline").status_code == 303


def test_who_is_in_step_is_told_so(site: Site) -> None:
    table, _ = site.together("tictactoe")
    wire = site.wire(table)
    wire.hello(2)
    assert wire.all()["here"] == 2
    assert wire.news() == []


def test_who_missed_little_hears_it_one_by_one(site: Site) -> None:
    table, (host, guest) = site.together("tictactoe")
    host.move(table, "b2")
    guest.move(table, "a1")
    wire = site.wire(table)
    wire.hello(1)
    heard = wire.news()
    assert [message["v"] for message in heard] == [2, 3, 4]
    assert not [message for message in heard if "whole" in message]
    assert heard == site.person().history(table)[2:]


def test_who_missed_much_hears_one_snapshot(site: Site) -> None:
    table, people = site.together("tictactoe")
    host = people[0]
    host.move(table, "b2")
    _offers(people, table, REPLAYED // 2)
    newest = 3 + REPLAYED
    wire = site.wire(table)
    wire.hello(newest - REPLAYED)
    assert len(wire.news()) == REPLAYED
    wire.hello(newest - REPLAYED - 1)
    (snapshot,) = wire.news()
    assert snapshot["whole"] == 1
    assert snapshot["v"] == newest
    board = Board()
    board.hear(snapshot)
    page = shown(host.page(table))
    assert (board.marks, board.places) == (page.marks, page.places)


@pytest.mark.parametrize("since", [3, 1000, 2**31])
def test_who_knows_a_future_hears_a_snapshot(site: Site, since: int) -> None:
    table, _ = site.together("tictactoe")
    wire = site.wire(table)
    wire.hello(since)
    (snapshot,) = wire.news()
    assert (snapshot["v"], snapshot["whole"]) == (2, 1)


def test_one_may_greet_again_in_another_language(site: Site) -> None:
    table, (host, guest) = site.together("tictactoe")
    wire = site.greeted(table, 2, host.token(table))
    assert wire.move("a", 0, "z9")["refused"][0]["say"] == words.say("en", "refusal.off_board")
    wire.hello(2, host.token(table), "ru")
    assert wire.all()["here"] == 2
    assert wire.move("b", 0, "z9")["refused"][0]["say"] == words.say("ru", "refusal.off_board")
    wire.hello(2, guest.token(table), "fr")
    assert wire.all()["here"] == 2
    assert wire.move("c", 0, "a1")["refused"][0]["code"] == "not_your_turn"
    wire.hello(2, lang="fr")
    assert wire.all()["here"] == 2
    assert wire.move("d", 0, "a1")["refused"][0]["code"] == "no_seat"
    host.move(table, "b2")
    assert [message["v"] for message in wire.news()] == [3], "it still hears each event once"


@pytest.mark.parametrize("token", ["x", "a" * 43, "é" * 64, "' OR 1=1 --"])
def test_a_token_that_opens_nothing_is_refused_and_its_owner_watches(site: Site, token: str) -> None:
    table, _ = site.together("tictactoe")
    before = site.log(table)
    wire = site.wire(table)
    wire.hello(2, token, "fr")
    refusal = {"code": "bad_token", "at": [], "say": words.say("fr", "refusal.bad_token")}
    assert wire.hear() == {"refused": [refusal]}
    assert wire.all()["here"] == 2
    assert wire.move("a", 0, "a1")["refused"][0]["code"] == "no_seat"
    assert site.log(table) == before


def test_an_empty_token_is_none(site: Site) -> None:
    table, _ = site.together("tictactoe")
    wire = site.wire(table)
    wire.hello(2, "")
    assert wire.all()["here"] == 2
    assert wire.news() == []


@pytest.mark.parametrize("table", ["nosuchtable", "a" * 300, "%00", "%ff", "..", "%F0%9F%98%80"])
def test_a_table_that_is_not_there_is_refused(site: Site, table: str) -> None:
    wire = site.wire(table)
    wire.hello(0, lang="ru")
    refusal = {"code": "no_table", "at": [], "say": words.say("ru", "refusal.no_table")}
    assert wire.hear() == {"refused": [refusal]}
    with pytest.raises(ConnectionClosed):
        wire.hear()


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1", "file://"])
def test_pages_of_other_sites_open_no_socket(site: Site, origin: str) -> None:
    table, _ = site.together("tictactoe")
    with pytest.raises(InvalidStatus) as refused:
        site.wire(table, headers={"Origin": origin})
    assert refused.value.response.status_code == 403


def test_our_own_pages_open_a_socket(site: Site) -> None:
    table, _ = site.together("tictactoe")
    wire = site.wire(table, headers={"Origin": site.url})
    wire.hello(2)
    assert wire.all()["here"] == 2


@pytest.mark.parametrize(
    "message",
    [
        {"do": "ping"},
        {"do": "move", "id": "early", "base": 0, "move": "a1"},
        {"do": "resign", "id": "early"},
        {"do": "nothing"},
    ],
)
def test_nothing_is_done_before_the_hello(site: Site, message: dict[str, object]) -> None:
    table, (host, _) = site.together("tictactoe")
    before = site.log(table)
    wire = site.wire(table)
    wire.say(message)
    answer = wire.hear()
    assert answer["refused"][0]["code"] == "malformed"
    assert answer.get("id") == message.get("id"), "who sent a command learns which one failed"
    wire.hello(2, host.token(table))
    assert wire.all()["here"] == 2
    assert site.log(table) == before


def test_noise_before_the_hello_does_not_silence_the_socket(site: Site) -> None:
    table, _ = site.together("tictactoe")
    wire = site.wire(table)
    wire.burst(["noise"] * 300)
    # A new second may have to begin before anything is read again.
    for _ in range(15):
        wire.hello(2)
        try:
            while "here" not in wire.all(0.2):
                pass
            return
        except TimeoutError:
            continue
    pytest.fail("the socket never answers again")


def test_watchers_are_greeted_in_their_language(site: Site) -> None:
    table, (host, _) = site.together("tictactoe")
    wires = {language: site.greeted(table, 2, lang=language) for language in words.LANGUAGES}
    host.move(table, "b2")
    said = {language: wire.until(3)[-1]["say"] for language, wire in wires.items()}
    for language in words.LANGUAGES:
        assert words.say(language, "seat.nought.to_move") in said[language]
