"""Commands that are refused: with a code and a sentence in the language of the hello, and without a trace."""

from __future__ import annotations

from typing import Any

import pytest

from kletka import words
from tests.server.answers import code_of
from tests.server.site import Entry, Site, Wire


def _unchanged(site: Site, table: str, before: list[Entry]) -> None:
    assert site.log(table) == before
    assert site.sql("SELECT version FROM tables WHERE id = :table", table=table) == [(before[-1][0],)]


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_refusals_say_why_in_the_language_of_the_hello(site: Site, language: str) -> None:
    table, people, _ = site.connected("tictactoe:shape=3x3,gravity=true")
    people[0].move(table, "a1", 0)
    before = site.log(table)
    host, guest, watcher = (
        site.greeted(table, 3, token, language) for token in (*(p.token(table) for p in people), None)
    )
    asked: list[tuple[Wire, dict[str, Any], str, list[str]]] = [
        (guest, {"do": "move", "move": "a1"}, "taken", ["a1"]),
        (guest, {"do": "move", "move": "b3"}, "floating", ["b3"]),
        (guest, {"do": "move", "move": "d4"}, "off_board", []),
        (guest, {"do": "move", "move": "d4" * 3000}, "notation", []),
        (guest, {"do": "move", "move": ""}, "notation", []),
        (guest, {"do": "move", "move": "a2\x00"}, "notation", []),
        (guest, {"do": "move", "move": "😀<b>&"}, "notation", []),
        (host, {"do": "move", "move": "b1"}, "not_your_turn", []),
        (host, {"do": "accept", "offer": 3}, "no_offer", []),
        (host, {"do": "decline", "offer": 3}, "no_offer", []),
        (watcher, {"do": "move", "move": "b1"}, "no_seat", []),
        (watcher, {"do": "resign"}, "no_seat", []),
        (watcher, {"do": "offer"}, "no_seat", []),
    ]
    for number, (wire, message, expected, at) in enumerate(asked):
        base = {"base": 3} if message["do"] == "move" else {}
        wire.say({"id": f"x{number}"} | base | message)
        answer = wire.answer(f"x{number}")
        assert code_of(answer) == expected
        assert answer["refused"][0]["at"] == at
        said = answer["refused"][0]["say"]
        if expected not in ("taken", "floating"):
            assert said == words.say(language, f"refusal.{expected}")
        else:
            assert at[0] in said
    _unchanged(site, table, before)


def test_before_the_start_and_after_the_end_nothing_is_played(site: Site) -> None:
    host, guest = site.person(), site.person()
    table = host.open("tictactoe")
    wire = site.greeted(table, 1, host.token(table))
    early = site.log(table)
    assert code_of(wire.move("a", 0, "b2")) == "not_started"
    assert code_of(wire.do("b", "resign")) == "not_started"
    assert code_of(wire.do("c", "offer")) == "not_started"
    _unchanged(site, table, early)
    guest.take(table)
    assert wire.do("d", "resign") == {"id": "d", "applied": 3}
    late = site.log(table)
    other = site.greeted(table, 3, guest.token(table))
    for number, what in enumerate(("resign", "offer", "accept", "decline", "leave")):
        more = {"offer": 3} if what in ("accept", "decline") else {}
        assert code_of(wire.do(f"e{number}", what, **more)) == "over"
        assert code_of(other.do(f"e{number}", what, **more)) == "over"
    assert code_of(other.move("f", 3, "b2")) == "over"
    assert wire.do("d", "resign") == {"id": "d", "duplicate": 3}, "what was done stays done"
    _unchanged(site, table, late)


def test_an_engine_takes_no_offers(site: Site) -> None:
    host = site.person()
    table = host.open("trio", level=1, **{"with": "engine"})
    wire = site.greeted(table, 3, host.token(table))
    assert code_of(wire.do("a", "offer")) == "no_consent"


def test_who_resigned_among_three_plays_no_more(site: Site) -> None:
    table, _, (first, second, third) = site.connected("trio", 3)
    assert first.do("a", "resign") == {"id": "a", "applied": 4}
    before = site.log(table)
    assert code_of(first.move("b", 4, "a1")) == "over"
    assert code_of(first.do("c", "offer")) == "over"
    assert code_of(third.move("b", 4, "a1")) == "not_your_turn"
    _unchanged(site, table, before)
    assert second.move("b", 4, "a1") == {"id": "b", "applied": 5}


def test_told_texts_are_no_moves(site: Site) -> None:
    table, people, (first, second) = site.connected("secret")
    before = site.log(table)
    for number, text in enumerate(("hide=~", "hide-3=~", "hide-7", "~")):
        assert code_of(first.move(f"h{number}", 0, text)) == "notation"
    _unchanged(site, table, before)
    assert "applied" in first.move("h", 0, "hide-3")
    assert "applied" in second.move("h", 3, "hide-4")
    before = site.log(table)
    for text in ("ask-5=yes", "ask-5=no", "ask-5=nothing", "ask-5=~", "ask-4=yes", "ask-4=no"):
        assert code_of(first.move(text, 4, text)) == "notation", "right or wrong, the answer is the same"
    assert people[0].move(table, "ask-5=yes").status_code == 409
    _unchanged(site, table, before)


def test_a_composite_move_is_told_why_it_is_refused_in_all_its_parts(site: Site) -> None:
    table, _, (first, second) = site.connected("polish")
    assert "applied" in first.move("a", 0, "a1:a1")
    before = site.log(table)
    second.say({"do": "move", "id": "b", "base": 3, "move": "a1:b2+c3"})
    answer = second.answer("b")
    assert [reason["code"] for reason in answer["refused"]] == ["taken", "not_dull"]
    assert [reason["at"] for reason in answer["refused"]] == [["a1"], ["b2", "c3"]]
    _unchanged(site, table, before)
