"""Drafts: what the endpoint says, to whom, and what it never says; drafts that are kept; set-ups that are given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from kletka.games import State, game
from kletka.server import Rates
from kletka.server.doors import LONGEST_BODY
from tests.server.answers import coded, refused
from tests.server.inside import inside
from tests.server.markup import shown
from tests.server.site import Person, Site

MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
OTHER = "R8B1+Y8E0+B5A1+W2F2+S2B0"
"""The same but for the white square, a column further to the left."""
QUESTIONS = ("H", "K", "4E", "B")
TWIN = "R6A0+Y8E0+B5A1+W2F2+S3B0"
"""A mine that answers these questions as the first one does; its red gem lies elsewhere."""
PROGRAM = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site where one may ask much."""
    rates = Rates(messages_a_second=100_000, requests_a_second=100_000)
    with inside(tmp_path_factory.mktemp("drafts"), rates=rates) as made:
        yield made


def draft(person: Person, table: str, text: str, act: str = "", rest: str = "") -> httpx.Response:
    """Ask what a draft looks like, or have it kept."""
    body = {"text": text} | ({"act": act} if act else {})
    return person.http.post(person.at(table, f"/draft{rest}"), json=body, headers=PROGRAM)


def said(person: Person, table: str, text: str, act: str = "") -> dict[str, Any]:
    answer = draft(person, table, text, act)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found: dict[str, Any] = answer.json()
    return found


def hunt(site: Site, seats: int = 1, **form: str) -> tuple[str, list[Person]]:
    """A table with the known mine and somebody on every seat."""
    people = [site.person() for _ in range(seats)]
    spec = "orapa" if seats == 1 else f"orapa:players={seats}"
    table = people[0].open(spec, code=MINE, **form)
    for person in people[1:]:
        assert person.take(table).status_code == 303
    return table, people


def test_a_draft_is_drawn_and_becomes_a_move(site: Site) -> None:
    table, (person,) = hunt(site)
    begun = said(person, table, "R8B1+x4E0")
    assert set(begun["marks"]) == {"0.draft/R8B1", "0.draft/x4E0"}
    assert (begun["sends"], begun["label"], begun["refused"], begun["panel"]) == (None, "", [], 0)
    whole = said(person, table, MINE)
    assert whole["sends"] == f"answer:{MINE}"
    assert whole["label"]
    assert not whole["label"].startswith("button.")
    clash = said(person, table, "R1A0+Y1A0")
    assert {reason["code"] for reason in clash["refused"]} == {"overlap"}
    assert "2A" in clash["refused"][0]["at"] or "1A" in clash["refused"][0]["at"]
    assert clash["refused"][0]["say"][0].isupper()


def test_a_press_on_another_board_than_the_draft_s_has_its_sentence(site: Site) -> None:
    alone, (person,) = hunt(site)
    assert said(person, alone, "")["elsewhere"] == ""
    duel, (blue, red) = site.together("orapa:mode=duel")
    watcher = site.person()
    hides = said(blue, duel, "")["elsewhere"]
    assert hides == said(red, duel, "")["elsewhere"] == "This is the other player’s board: hide your mine on your own."
    assert blue.move(duel, f"hide:{MINE}").status_code == 303
    assert said(blue, duel, "")["elsewhere"] == "This is your own mine: ask about the other player’s."
    assert said(red, duel, "")["elsewhere"] == hides
    assert said(watcher, duel, "")["elsewhere"] == ""


def test_a_check_follows_the_table_s_rule(site: Site) -> None:
    for checked in (True, False):
        form = {"house": "1"} | ({"check": "true"} if checked else {})
        table, (person,) = hunt(site, 1, **form)
        assert person.move(table, "B").status_code == 303
        wrong = said(person, table, OTHER)
        assert wrong["sends"] == f"answer:{OTHER}"
        assert bool(wrong["warning"]) == checked == bool(wrong["says"])
        assert ("0.draft/clue-B" in wrong["marks"]) == checked
        assert not said(person, table, MINE)["warning"]


def test_a_table_opened_without_the_form_checks(site: Site) -> None:
    table, (person,) = hunt(site)
    person.move(table, "B")
    assert said(person, table, OTHER)["warning"]


def test_a_wave_is_shown_along_the_draft_and_after_the_end_along_the_mine(site: Site) -> None:
    table, (person,) = hunt(site)
    watcher = site.person()
    for who in (person, watcher):
        straight = said(who, table, "", "B")
        assert set(straight["marks"]) == {"0.draft/trace"}
        assert "11" not in straight["says"][0]
        assert straight != said(who, table, MINE, "B")
    before = said(watcher, table, "", "B")["marks"]
    person.do(table, "resign")
    for who in (person, watcher):
        after = said(who, table, "", "B")
        assert after["marks"] != before
        assert said(who, table, MINE, "B")["marks"]["0.draft/trace"] == after["marks"]["0.draft/trace"]
        assert said(who, table, MINE)["sends"] is None


@pytest.mark.parametrize("act", [".B", "B.", ".", "2.B", "B.0", "0.B"])
def test_where_there_is_one_board_a_wave_names_none(site: Site, act: str) -> None:
    table, (person,) = hunt(site)
    assert refused(draft(person, table, "", act)) == "no_place"


TEXTS = ["+", "R8B1+", "Q1A0", "R99Z9", "R8B9", "r4E7", "R10H3", "x" * 4096, "+".join(["x4E0"] * 300), "R0A0", "1A0R"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_is_no_draft_is_refused(site: Site, text: str) -> None:
    table, (person,) = hunt(site)
    answer = draft(person, table, text)
    assert answer.status_code == 422
    refused(answer)


BODIES = [
    b"",
    b"null",
    b"[]",
    b'"R8B1"',
    b"{",
    b"{}",
    b'{"text":1}',
    b'{"text":null}',
    b'{"text":["R8B1"]}',
    b'{"text":"R8B1","more":1}',
    b'{"text":"R8B1","act":1}',
    b'{"text":"R8B1","act":"<b>"}',
    b'{"text":"\\ud800"}',
    b'{"text":"\xff"}',
    b'{"text":"R8B1\\u0000"}',
    b'{"text":"R8B1\\n"}',
    b'{"text":"%s"}' % (b"x" * 4097),
    b'{"text":' + b"[" * 20_000,
    b'{"text":"R8B1","text":"<b>"}',
    b"NaN",
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:24].decode("latin-1"))
@pytest.mark.parametrize("rest", ["", "/save"])
def test_a_body_of_any_kind_is_refused_in_words(site: Site, body: bytes, rest: str) -> None:
    table, (person,) = hunt(site)
    headers = PROGRAM | {"Content-Type": "application/json"}
    answer = person.http.post(person.at(table, f"/draft{rest}"), content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert refused(answer) == "malformed"
    assert "Traceback" not in answer.text
    assert not shown(person.page(table)).attributes.get("data-draft")


def test_doors_of_drafts_are_those_of_the_house(site: Site) -> None:
    table, (person,) = hunt(site)
    for rest in ("", "/save"):
        path = person.at(table, f"/draft{rest}")
        foreign = {"Origin": "https://elsewhere.example"} | PROGRAM
        assert person.http.post(path, json={"text": ""}, headers=foreign).status_code == 403
        long = person.http.post(path, content=b"a" * (LONGEST_BODY + 1), headers=PROGRAM)
        assert (long.status_code, refused(long)) == (413, "too_long")
        nowhere = person.http.post(f"/en/t/nosuchtable/draft{rest}", json={"text": ""}, headers=PROGRAM)
        assert (nowhere.status_code, refused(nowhere)) == (404, "no_table")
        assert person.get(path).status_code == 405


def test_games_without_a_tray_have_no_drafts(site: Site) -> None:
    person = site.person()
    table = person.open("tictactoe")
    assert refused(draft(person, table, "")) == "no_drafts"
    assert refused(draft(person, table, "", rest="/save")) == "no_drafts"


def kept(person: Person, table: str) -> str | None:
    found = re.search('data-draft="([^"]*)"', person.page(table))
    return found[1] if found else None


def test_a_draft_is_kept_for_its_seat_alone(site: Site) -> None:
    table, (host, guest) = hunt(site, 2)
    watcher = site.person()
    assert draft(host, table, "R8B1+x4E0", rest="/save").json()["kept"]
    assert kept(host, table) == "R8B1+x4E0"
    assert kept(guest, table) is None
    assert kept(watcher, table) is None
    assert draft(guest, table, "b7H0", rest="/save").status_code == 200
    assert draft(host, table, "x4E0", rest="/save").status_code == 200
    assert (kept(host, table), kept(guest, table)) == ("x4E0", "b7H0")
    stranger = draft(watcher, table, "R8B1", rest="/save")
    assert (stranger.status_code, refused(stranger)) == (409, "no_seat")
    for who in (guest, watcher):
        assert "x4E0" not in str(who.history(table)) + who.page(table)
    draft(host, table, "", rest="/save")
    assert kept(host, table) is None


def test_a_set_up_that_is_no_set_up_is_refused_at_its_field(site: Site) -> None:
    person = site.person()
    for code in ("abc", MINE.replace("S3B0", "S3B0+S3B0"), "1" * 3000, "<b>", "\u0661", "~"):
        form = {"family": "orapa", "code": code}
        page = person.post("/en/tables", form)
        assert page.status_code == 422
        assert 'aria-describedby="help-code wrong" aria-invalid="true"' in page.text
        program = person.http.post("/en/tables", data=form, headers=PROGRAM)
        assert (program.status_code, refused(program)) == (422, "bad_setup")
        assert "<b>" not in page.text
    coded(person.post("/en/tables", {"spec": "tictactoe", "code": "abc"}), "bad_setup")


def test_a_code_leads_a_friend_to_the_same_mine(site: Site) -> None:
    table, (person,) = hunt(site)
    assert site.secret(table) == MINE
    code = game("orapa").share_code(MINE)
    assert code not in person.page(table)
    assert person.do(table, "resign").status_code == 303
    page = person.page(table)
    assert f">{code}<" in page
    (link,) = [at for at in shown(page).addresses if "code=" in at]
    friend = site.person()
    form = friend.get(link)
    assert f'name="code" value="{code}"' in form.text
    answer = friend.post("/en/tables", {"family": "orapa", "code": f" {code} "})
    again = answer.headers["location"].rpartition("/")[2]
    assert game("orapa").start(site.secret(again)) == game("orapa").start(MINE)
    # Options of one's own travel as a spec.
    table = person.open("orapa:lives=5", code=MINE)
    person.do(table, "resign")
    (link,) = [at for at in shown(person.page(table)).addresses if "code=" in at]
    assert 'value="5"' in friend.get(link).text


def test_one_seat_is_company_enough(site: Site) -> None:
    person = site.person()
    table = person.open("orapa")
    page = shown(person.page(table))
    assert page.attributes["data-to"] == "0"
    assert page.parts["invite"] == ()
    assert "data-do', 'offer" not in str(page.parts["actions"])
    coded(person.do(table, "offer"), "alone")
    home = person.get("/en/").text
    card = re.search('<input type="hidden" name="spec" value="orapa">(.*?)</form>', home, re.DOTALL)
    assert card is not None
    assert card[1].count("<button") == 1


def test_moves_that_no_place_sends_have_a_button_while_they_are_legal(site: Site) -> None:
    table, (person, other) = hunt(site, 2)
    wire = site.greeted(table, 2, person.token(table))
    assert 'value="done"' not in person.page(table)
    person.move(table, "B")
    (event,) = wire.news()
    assert 'data-move="done"' in event["parts"]["actions"]
    assert 'value="done"' in person.page(table)
    assert 'value="done"' not in other.page(table)
    assert person.post(person.at(table, "/do"), {"move": "done", "base": person.base(table)}).status_code == 303
    (event,) = wire.news()
    assert "data-move" not in event["parts"]["actions"]
    coded(person.post(person.at(table, "/do"), {}), "malformed")


def test_lives_that_are_left_stand_beside_the_names(site: Site) -> None:
    table, (person, other) = hunt(site, 2)
    wire = site.greeted(table, 2)
    before = shown(other.page(table)).parts["players"]
    assert person.move(table, f"answer:{OTHER}").status_code == 303
    (event,) = wire.news()
    assert "players" in event["parts"]
    assert shown(other.page(table)).parts["players"] != before


# Outlines that are brushed


def paper(site: Site, **form: str) -> tuple[str, list[Person]]:
    """A table of Crystals with four atoms of the first seat around e5, and the first seat to move."""
    people = [site.person(), site.person()]
    table = people[0].open("crystals:board=9x9,claims=any", **form)
    assert people[1].take(table).status_code == 303
    for number, square in enumerate(["d4", "a1", "d6", "a3", "f4", "b2", "f6", "a5"]):
        assert people[number % 2].move(table, square).status_code == 303
    return table, people


def test_an_outline_is_brushed_act_by_act(site: Site) -> None:
    table, (mover, other) = paper(site)
    watcher = site.person()
    text = ""
    for act, after in (
        ("centre:e5", "+e5~"),
        ("brush:e6.f6", "+e5~d-f4.d5.f5.d-f6"),
        ("brush:e5", "+e5~d-f4.d-f5.d-f6"),
        ("atom:h8", "h8+e5~d-f4.d-f5.d-f6"),
    ):
        answer = said(mover, table, text, act)
        text = answer["text"]
        assert text == after
    assert answer["sends"] == "h8+d-f4.d-f5.d-f6"
    assert "9" in answer["label"]
    assert not answer["warning"]
    assert said(mover, table, "+e5~d-f4.d-f5.d-f6")["warning"]
    holed = said(mover, table, "h8+e5~d-f4.d5.f5.d-f6")
    assert [(reason["code"], reason["at"]) for reason in holed["refused"]] == [("hole", ["e5"])]
    assert holed["refused"][0]["say"]
    assert holed["sends"] is None
    for who in (other, watcher):
        assert said(who, table, text)["sends"] is None
    assert mover.move(table, answer["sends"]).status_code == 303
    assert said(mover, table, text)["sends"] is None


def test_help_with_outlines_follows_the_table_s_rule(site: Site) -> None:
    for assist, counts, shows in (("off", False, False), ("count", True, False), ("outline", True, True)):
        table, (mover, _) = paper(site, house="1", assist=assist)
        assert bool(said(mover, table, "")["says"]) == counts
        answer = draft(mover, table, "", "next")
        assert (answer.status_code == 200) == shows
        assert ('data-act="next"' in mover.page(table)) == shows


ACTS = [
    "brush",
    "brush:",
    "brush:z99",
    "atom:e5.e6",
    "centre:a1.a2",
    "zz",
    "next",
    "e5",
    "drop",
    ":",
    "brush:..",
    "atom:",
]


@pytest.mark.parametrize("act", ACTS)
def test_an_act_that_can_t_be_done_is_refused(site: Site, act: str) -> None:
    table, (mover, _) = paper(site)
    answer = draft(mover, table, "", act)
    assert answer.status_code == 422
    refused(answer)


def test_a_stroke_may_go_over_the_whole_board_and_no_further(site: Site) -> None:
    table, (mover, _) = paper(site)
    squares = ".".join(f"{column}{row}" for column in "abcdefghi" for row in range(1, 10))
    assert "+e5~a-i1" in said(mover, table, "+e5~", f"brush:{squares}")["text"]
    answer = draft(mover, table, "+e5~", "brush:" + ".".join(["a1"] * 700))
    assert (answer.status_code, refused(answer)) == (422, "malformed")


def test_only_who_sits_at_the_table_gets_the_brush(site: Site) -> None:
    table, (mover, other) = paper(site)
    for who in (mover, other):
        assert "data-brush" in who.page(table)
    assert "data-brush" not in site.person().page(table)
    assert "data-numbers" in site.person().page(table)
    assert refused(draft(mover, table, "", rest="/save")) == "no_drafts"
    for spec in ("tictactoe", "orapa"):
        assert not {"data-brush", "data-numbers"} & set(re.findall(r"data-\w+", mover.page(mover.open(spec))))


# What nobody may learn before the end


def _everything(site: Site, mine: str, seats: int) -> list[str]:
    """All that two players or a lone one, and a spectator, receive of a game up to its last move."""
    people = [site.person() for _ in range(seats)]
    watcher = site.person()
    table = people[0].open("orapa" if seats == 1 else "orapa:players=2", code=mine)
    for person in people[1:]:
        assert person.take(table).status_code == 303
    tokens = [person.token(table) for person in people]
    wires = [site.greeted(table, seats, token) for token in tokens] + [site.greeted(table, seats)]
    received: list[str] = []
    for number, question in enumerate(QUESTIONS):
        mover = people[number % seats]
        for move in (question, "done"):
            assert mover.move(table, move).status_code == 303
        for who in (*people, watcher):
            for path in ("", "/text", "/events", "/events?since=3"):
                received.append(who.get(who.at(table, path)).text)
            for text, act in (("", ""), ("R1A0+Y5E1", "B"), ("x4E0", "4E"), ("R8B1+Y8E0", "15")):
                received.append(draft(who, table, text, act).text)
        for wire in wires:
            received += map(str, wire.news())
        late = site.wire(table)
        late.hello(1000)
        received += map(str, late.news())
    secret = game("orapa").share_code(mine)
    for text in received:
        assert mine not in text
        assert secret not in text
        assert "setup" not in text.replace("setup_code", "")
        assert "answer:" not in text
    for token in tokens:
        received = [text.replace(token, "TOKEN") for text in received]
    return [re.sub("[0-9a-f]{64}", "HASH", text.replace(table, "TABLE")) for text in received]


@pytest.mark.parametrize("seats", [1, 2])
def test_two_mines_that_sound_the_same_are_the_same_to_everybody(site: Site, seats: int) -> None:
    made = game("orapa")
    heard: list[list[str]] = []
    for mine in (MINE, TWIN):
        state: State = made.start(mine)
        heard.append([])
        for question in map(made.parse, QUESTIONS):
            heard[-1].append(state.told(question, None))
            state = state.play(question).play(made.parse("done"))
    assert heard[0] == heard[1], "this test compares mines that sound the same"
    assert _everything(site, MINE, seats) == _everything(site, TWIN, seats)
