"""Commands over a socket: applied once, stored before anybody hears of them, and safe from rude ends."""

from __future__ import annotations

import json

import pytest

from kletka import words
from tests.server.answers import code_of
from tests.server.markup import Board, shown
from tests.server.site import Site
from tests.stores import locked


def test_a_move_is_heard_by_all_and_answered(site: Site) -> None:
    table, people, (host, guest) = site.connected("tictactoe")
    watcher = site.greeted(table, 2)
    host.say({"do": "move", "id": "m1", "base": 0, "move": " B2 "})
    event, answer = host.hear(), host.hear()
    assert answer == {"id": "m1", "applied": 3}
    assert (event["v"], event["to"], event["base"]) == (3, 1, 3)
    assert list(event["marks"]) == ["0.sign/b2", "0.over/last"]
    assert event["places"] == {"b2": ["b2, crosses", 0]}
    assert "item" in event
    assert guest.news()[0]["marks"] == watcher.news()[0]["marks"] == event["marks"]
    assert guest.move("m2", 3, "a1") == {"id": "m2", "applied": 4}
    assert people[0].history(table)[3] == event


def test_a_move_is_in_the_file_when_its_answer_is_read(site: Site) -> None:
    table, _, wires = site.connected("tictactoe")
    for number, move in enumerate(["b2", "a1", "c3", "a3", "a2", "c2", "b1", "b3", "c1"]):
        mover = wires[number % 2]
        assert mover.move(f"m{number}", 2 + number if number else 0, move) == {
            "id": f"m{number}",
            "applied": 3 + number,
        }
        version, seat, command_id, command, body = site.log(table)[-1]
        assert (version, seat, command_id) == (3 + number, number % 2, f"m{number}")
        assert command == f"play {2 + number if number else 0} {move}"
        assert json.loads(body)["move"] == move


def test_nobody_hears_of_a_move_that_is_not_stored_yet(site: Site) -> None:
    table, people, (host, guest) = site.connected("tictactoe")
    with locked(site.folder):
        host.say({"do": "move", "id": "m1", "base": 0, "move": "b2"})
        for _ in range(3):
            assert guest.news() == [], "while nothing can be stored nothing has happened"
            assert shown(people[1].page(table)).attributes["data-version"] == "2"
        with pytest.raises(TimeoutError):
            host.hear(0.05)
    assert host.answer("m1") == {"id": "m1", "applied": 3}
    assert guest.until(3)


def test_a_command_sent_again_is_applied_once(site: Site) -> None:
    table, people, (host, guest) = site.connected("tictactoe")
    assert host.move("m1", 0, "b2") == {"id": "m1", "applied": 3}
    log = site.log(table)
    assert host.move("m1", 0, "b2") == {"id": "m1", "duplicate": 3}
    assert guest.move("m1", 3, "a1") == {"id": "m1", "applied": 4}, "ids belong to a seat"
    again = site.greeted(table, 4, people[0].token(table))
    assert again.move("m1", 0, "b2") == {"id": "m1", "duplicate": 3}, "over another connection too"
    assert site.log(table)[:-1] == log


def test_an_id_used_for_something_else_is_a_conflict(site: Site) -> None:
    table, _, (host, _) = site.connected("tictactoe")
    host.move("m1", 0, "b2")
    before = site.log(table)
    conflict = {"id": "m1", "conflict": True, "say": words.say("en", "refusal.conflict")}
    assert host.move("m1", 0, "a1") == conflict
    assert host.move("m1", 3, "b2") == conflict
    assert host.do("m1", "resign") == conflict
    assert site.log(table) == before


def test_a_stale_move_gets_the_new_picture_and_a_refusal(site: Site) -> None:
    table, people, (host, guest) = site.connected("tictactoe")
    host.move("m1", 0, "b2")
    guest.news()
    before = site.log(table)
    guest.say({"do": "move", "id": "late", "base": 0, "move": "a1"})
    snapshot, answer = guest.hear(), guest.hear()
    assert code_of(answer) == "stale"
    assert (snapshot["v"], snapshot["whole"]) == (3, 1)
    board, page = Board(), shown(people[1].page(table))
    board.hear(snapshot)
    assert (board.marks, board.places, str(board.to)) == (page.marks, page.places, page.attributes["data-to"])
    assert site.log(table) == before
    assert guest.move("now", 3, "a1") == {"id": "now", "applied": 4}


def test_offers_do_not_make_a_move_stale(site: Site) -> None:
    _, _, (host, guest) = site.connected("tictactoe")
    assert guest.do("o", "offer") == {"id": "o", "applied": 3}
    assert host.move("m", 0, "b2") == {"id": "m", "applied": 4}


def test_offers_are_made_taken_back_declined_and_accepted(site: Site) -> None:
    table, _, wires = site.connected("trio", 3)
    first, second, third = wires
    assert first.do("a", "offer") == {"id": "a", "applied": 4}
    assert code_of(first.do("aa", "offer")) == "offered"
    assert code_of(first.do("b", "accept", offer=4)) == "no_offer", "nobody accepts their own"
    assert first.do("c", "decline", offer=4) == {"id": "c", "applied": 5}
    assert second.do("c", "offer") == {"id": "c", "applied": 6}
    assert code_of(third.do("cc", "accept", offer=4)) == "no_offer", "that was another offer"
    assert third.do("c", "decline", offer=6) == {"id": "c", "applied": 7}
    assert code_of(first.do("d", "accept", offer=6)) == "no_offer"
    assert third.do("d", "offer") == {"id": "d", "applied": 8}
    assert first.do("e", "accept", offer=8) == {"id": "e", "applied": 9}
    assert code_of(first.do("f", "accept", offer=8)) == "no_offer", "once is enough"
    assert second.do("g", "offer") == {"id": "g", "applied": 10}, "who offers the same agrees"
    event = third.until(10)[-1]
    assert event["to"] is None
    assert words.say("en", "why.agreed") in event["say"]
    assert len(site.log(table)) == 11


def test_who_leaves_rudely_disturbs_nobody(site: Site) -> None:
    table, people, (host, guest) = site.connected("tictactoe")
    watchers = [site.greeted(table, 2) for _ in range(5)]
    for rude in watchers[:3]:
        # Half a frame, then the line is cut: no closing, no end of anything.
        rude.socket.socket.sendall(b"\x81\xfe\x10")
        rude.socket.close_socket()
    host.say({"do": "move", "id": "m1", "base": 0, "move": "b2"})
    host.socket.close_socket()
    assert guest.until(3)
    assert guest.move("m2", 3, "a1") == {"id": "m2", "applied": 4}
    assert [event["v"] for event in watchers[3].news()] == [3, 4]
    back = site.wire(table)
    back.hello(2, people[0].token(table))
    assert [event["v"] for event in back.news()] == [3, 4]
    assert back.move("m1", 0, "b2") == {"id": "m1", "duplicate": 3}
    assert back.move("m3", 4, "c3") == {"id": "m3", "applied": 5}


def test_moves_of_two_windows_of_one_seat_are_applied_once(site: Site) -> None:
    table, people, (host, _) = site.connected("tictactoe")
    window = site.greeted(table, 2, people[0].token(table))
    for wire, move in ((host, "b2"), (window, "a1")):
        wire.say({"do": "move", "id": f"w-{move}", "base": 0, "move": move})
    answers = [host.answer("w-b2"), window.answer("w-a1")]
    assert ["applied" in answer for answer in answers].count(True) == 1
    (refused,) = [answer for answer in answers if "refused" in answer]
    assert code_of(refused) == "stale"
    assert len(site.log(table)) == 4
