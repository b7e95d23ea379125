"""The study page and its embedded form: where a game comes from, what the page says of it, what it refuses, and that
pages of others may frame nothing else."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from kletka.games import families, game
from kletka.words import LANGUAGES
from tests.server.answers import coded, refused
from tests.server.site import Person, Site

PROGRAM = {"Accept": "application/json"}
MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
RECORD = """[game "dots:size=3x3,players=2"]
[seat1 "Anna"]

1. a1-b1 2. b1-c1 (1 left) 2 left
"""


def query(answer: httpx.Response) -> dict[str, str]:
    """What the address says that an answer leads to."""
    assert answer.status_code == 303, answer.text
    parts = urlsplit(answer.headers["location"])
    assert re.fullmatch("/(en|fr|ru)/study", parts.path)
    return {name: values[0] for name, values in parse_qs(parts.query).items()}


def attributes(page: str) -> dict[str, str]:
    """The data attributes of the page's table."""
    found = re.search("<kletka-table[^>]*>", page)
    assert found is not None
    return {name: unescape(value) for name, value in re.findall(r'data-([a-z]+)="([^"]*)"', found[0])}


def labels(page: str) -> list[str]:
    return [unescape(text) for text in re.findall("<span data-label>([^<]*)</span>", page)]


def steps(page: str) -> tuple[str, dict[str, str]]:
    """Where the steps of the line lead without script, and what they say besides their number."""
    found = re.search('<form action="([^"]*)">(.*?)</form>', page, re.S)
    assert found is not None
    hidden = re.findall('<input type="hidden" name="([a-z]+)" value="([^"]*)">', found[2])
    return found[1], {name: unescape(value) for name, value in hidden}


def study(person: Person, language: str = "en", **parts: str) -> httpx.Response:
    return person.get(f"/{language}/study", params=parts)


def test_every_family_is_studied_in_every_language(site: Site) -> None:
    person = site.person()
    for family in families().values():
        made = game(family.presets[0].spec)
        state = made.start(setup := (MINE if family.name == "orapa" else None))
        for language in LANGUAGES:
            parts = {"spec": made.spec} | ({"setup": setup} if setup else {})
            answer = study(person, language, **parts)
            assert answer.status_code == 200, answer.text
            assert "set-cookie" not in answer.headers
            assert attributes(answer.text)["to"] == str(state.to_move)
            assert not re.findall(r">(?:study|table|page|refusal)[.][a-z_.]+<", answer.text)


def test_a_finished_table_leads_to_its_study_with_all_that_happened(site: Site) -> None:
    table, (host, friend) = site.together("tictactoe")
    assert refused(host.get(host.at(table, "/study"), headers=PROGRAM)) == "not_over"
    for mover, move in ((host, "b2"), (friend, "a1"), (host, "c3")):
        mover.move(table, move)
    friend.do(table, "resign")
    for visitor in (host, site.person("fr")):
        page = visitor.get(visitor.at(table, "/study"))
        assert page.status_code == 200
        said = attributes(page.text)
        assert (said["spec"], said["line"], said["version"]) == ("tictactoe", "b2,a1,c3,(2 left)", "4")
    assert labels(page.text)[:3] == ["b2", "a1", "c3"]
    assert "abandon" in labels(page.text)[3]
    # Its steps needn't say the game again.
    assert steps(page.text) == (f"/fr/t/{table}/study", {})
    second = visitor.get(visitor.at(table, "/study"), params={"at": "2"})
    assert attributes(second.text)["moves"] == "b2,a1"
    other = re.findall('href="(/ru/t/[^"]*)"', second.text)
    assert attributes(visitor.get(unescape(other[0])).text)["moves"] == "b2,a1"
    assert refused(visitor.get(visitor.at(table, "/study"), params={"at": "x"}, headers=PROGRAM)) == "malformed"
    assert f'href="/en/t/{table}/study"' in host.page(table)


def test_a_hidden_game_is_studied_open(site: Site) -> None:
    person = site.person()
    table = person.open("orapa", code=MINE)
    person.move(table, "B")
    person.do(table, "resign")
    page = person.get(person.at(table, "/study")).text
    assert attributes(page)["setup"] == MINE
    # The answer is the mine's to give: what is pressed is the move alone.
    assert attributes(page)["moves"] == "B,(1 left)"
    assert attributes(study(person, spec="orapa", setup=MINE, moves="B=3.white").text)["moves"] == "B"
    assert "t-red" in page.partition("data-tray")[0]


def test_the_signs_that_players_chose_are_kept(site: Site) -> None:
    person, friend = site.person(), site.person()
    table = person.open("crystals:board=11x11", sign="star")
    friend.take(table, sign="diamond")
    person.move(table, "a1")
    friend.do(table, "resign")
    page = person.get(person.at(table, "/study")).text
    assert attributes(page)["signs"] == "star,diamond"
    pictures = (unescape(link) for link in re.findall('href="(/en/export/svg[^"]*)"', page))
    for shown in (
        page.partition("data-board")[2],
        *(person.get(link).text.partition("</symbol></svg>")[2] for link in pictures),
    ):
        assert '#k-star"' in shown
        assert '#k-cross"' not in shown
    for wrong in ("star", "star,star", "star,moon", "cross,nought"):
        assert '#k-cross"' in study(person, spec="crystals:board=11x11", moves="a1", signs=wrong).text


def test_records_and_positions_are_pasted(site: Site) -> None:
    person = site.person()
    answer = person.post("/ru/study", {"text": RECORD.replace("\n", "\r\n"), "spec": "tictactoe"})
    assert query(answer) == {"spec": "dots:size=3x3", "moves": "a1-b1,b1-c1,(1 left)"}
    position = game("tictactoe").start().play(game("tictactoe").parse("b2")).position
    assert query(person.post("/en/study", {"text": f" {position} ", "spec": "tictactoe"})) == {
        "spec": "tictactoe",
        "position": position,
    }
    assert query(person.post("/en/study", {"spec": "tictactoe:shape=4x4x4"})) == {"spec": "tictactoe:shape=4x4x4"}
    dealt = query(person.post("/en/study", {"spec": "orapa"}))
    assert game("orapa").start(dealt["setup"]).game.spec == "orapa"
    typed = {"spec": "tictactoe", "moves": "b2", "move": "a1"}
    assert query(person.post("/en/study", typed)) == {"spec": "tictactoe", "moves": "b2,a1"}


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"text": '[game "chess"]\n\n*', "spec": "tictactoe"}, "unknown_game"),
        ({"text": '[game "tictactoe"]\n\n1. b2 2. b2 *'}, "taken"),
        ({"text": "nonsense", "spec": "tictactoe"}, "position_rows"),
        ({"text": "", "spec": ""}, "unknown_game"),
        ({"spec": "tictactoe", "moves": "b2", "move": "b2"}, "taken"),
        ({"spec": "tictactoe", "moves": "," * 3000, "move": "b2"}, "bad_token"),
        ({"text": "<script>alert(1)</script>", "spec": "tictactoe"}, "position_rows"),
    ],
)
def test_what_is_none_is_refused_in_words(site: Site, form: dict[str, str], code: str) -> None:
    person = site.person("fr")
    assert refused(person.post("/fr/study", form, headers=PROGRAM)) == code
    if "move" in form:
        return
    page = person.post("/fr/study", form)
    assert (page.status_code, page.text.count('role="alert"')) == (200, 1)
    assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"spec": "chess"}, "unknown_game"),
        ({"spec": "tictactoe", "moves": "b2,b2"}, "taken"),
        ({"spec": "tictactoe", "moves": "b2,"}, "notation"),
        ({"spec": "tictactoe", "moves": "b2," * 2001}, "bad_token"),
        ({"spec": "tictactoe", "position": "x" * 200}, "position_rows"),
        ({"spec": "tictactoe", "at": "-1"}, "malformed"),
        ({"spec": "tictactoe", "at": "1000000"}, "malformed"),
        ({"spec": "x" * 4001}, "malformed"),
    ],
)
@pytest.mark.parametrize("page", ["study", "embed/study"])
def test_addresses_that_say_no_game_are_refused(site: Site, parts: dict[str, str], code: str, page: str) -> None:
    answer = site.person("ru").get(f"/ru/{page}", params=parts)
    assert answer.status_code == 422
    coded(answer, code, "ru")


def test_what_is_studied_can_be_taken_away(site: Site) -> None:
    person = site.person()
    page = study(person, spec="dots:size=3x3", moves="a1-b1,b1-c1", at="1").text
    record, svg, png = (unescape(link) for link in re.findall('href="(/en/export/[^"]*)"', page))
    assert query(person.post("/en/study", {"text": person.get(record).text})) == {
        "spec": "dots:size=3x3",
        "moves": "a1-b1,b1-c1",
    }
    assert person.get(svg).text.startswith("<svg")
    assert person.get(png).content.startswith(b"\x89PNG")


def test_a_link_leads_to_a_position(site: Site) -> None:
    page = study(site.person(), spec="tictactoe", moves="b2,a1,c3", at="2").text
    said = attributes(page)
    assert (said["moves"], said["line"], said["version"], said["to"]) == ("b2,a1", "b2,a1,c3", "2", "0")
    assert len(re.findall('aria-current="step"', page)) == 1
    assert labels(page) == ["b2", "a1", "c3"]
    beyond = study(site.person(), spec="tictactoe", moves="b2,a1,c3", at="99").text
    assert attributes(beyond)["version"] == "3"
    other = re.findall('href="(/fr/study[^"]*)"', page)
    assert attributes(site.person().get(unescape(other[0])).text)["moves"] == "b2,a1"


def test_without_script_the_line_is_stepped_through_too(site: Site) -> None:
    person = site.person()
    page = study(person, "ru", spec="crystals:board=11x11", moves="a1,b2,c3", signs="star,diamond").text
    where, said = steps(page)
    assert (where, said["moves"], said["signs"]) == ("/ru/study", "a1,b2,c3", "star,diamond")
    assert re.findall('<button name="at" value="([0-9]+)"', page) == ["1", "2", "3"]
    shown = person.get(where, params=said | {"at": "2"}).text
    assert (attributes(shown)["moves"], attributes(shown)["line"]) == ("a1,b2", "a1,b2,c3")


def test_a_long_game_is_studied_without_saying_it_at_every_step(site: Site) -> None:
    person, made, state, rng = site.person(), game("dots:size=16x16"), game("dots:size=16x16").start(), Random(1)
    moves: list[str] = []
    while state.to_move is not None:
        moves.append(state.sample(rng))
        state = state.play(made.parse(moves[-1]))
    line = ",".join(moves)
    page = study(person, spec=made.spec, moves=line)
    assert page.status_code == 200
    assert len(labels(page.text)) == len(moves)
    assert page.text.count(line) + page.text.count(line.replace(",", "%2C")) < 20
    # What is too long for a header is drawn in place.
    record = person.get("/en/export/record", params={"spec": made.spec, "moves": line}).text
    pasted = person.post("/en/study", {"text": record})
    assert pasted.status_code == 200
    assert attributes(pasted.text)["line"] == line


def test_only_embedded_pages_may_be_framed_and_they_know_nobody(site: Site) -> None:
    table, (host, _) = site.together("tictactoe")
    host.move(table, "b2")
    duel, (hiding, _) = site.together("orapa:mode=duel")
    for path in (f"/en/embed/t/{table}", f"/en/embed/t/{duel}", "/en/embed/study?spec=tictactoe&moves=b2"):
        known, stranger = host.get(path), site.person().get(path)
        assert known.status_code == 200
        assert known.text == stranger.text == hiding.get(path).text
        assert "frame-ancestors *;" in known.headers["content-security-policy"]
        assert "require-trusted-types-for 'script'" in known.headers["content-security-policy"]
        assert "set-cookie" not in known.headers
        assert "data-token" not in known.text
        assert "data-seat=" not in known.text
    for path in (f"/en/t/{table}", "/en/study?spec=tictactoe", "/en/", f"/en/embed/t/{table}/events"):
        assert "frame-ancestors 'none'" in host.get(path).headers["content-security-policy"]
    assert host.get("/en/embed/t/nowhere").status_code == 404
    heard = host.get(f"/en/embed/t/{table}/events").json()["events"]
    assert heard[-1]["say"].endswith("You are watching.")


def test_a_race_is_shown_to_nobody_before_it_is_over(site: Site) -> None:
    person = site.person()
    race = person.post("/en/tables", {"spec": "orapa", "code": MINE, "racers": "2"}).headers["location"]
    table = re.findall('href="/en/t/([a-z0-9]+)"', person.get(race).text)[0]
    for rest in ("", "/events"):
        for visitor in (person, site.person()):
            answer = visitor.get(f"/en/embed/t/{table}{rest}", headers=PROGRAM)
            assert (answer.status_code, refused(answer)) == (403, "sealed")
    person.do(table, "resign")
    assert refused(person.get(person.at(table, "/study"), headers=PROGRAM)) == "not_over"


def graph(person: Person, body: object) -> httpx.Response:
    return person.http.post("/en/study/graph", json=body, headers=PROGRAM)


def test_the_course_of_a_game_is_drawn(site: Site) -> None:
    person = site.person()
    drawn = graph(person, {"scores": [0.5, None, 0.2, 1, 0], "falls": {"2": "mistake", "3": "blunder", "4": "nice"}})
    assert drawn.status_code == 200
    svg = drawn.json()["drawn"]
    assert re.findall(">([?!]+)</text>", svg) == ["?", "??"]
    # From move to move where both are known: 2 to 3, 3 to 4; the start stands alone.
    assert sorted(re.findall('data-m="(0.line/[0-9]+)"', svg)) == ["0.line/2", "0.line/3"]
    assert 'data-m="0.over/0"' in svg
    assert graph(person, {"scores": [0.5]}).status_code == 200
    assert graph(person, {"scores": []}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"scores": [2]},
        {"scores": ["1"]},
        {"scores": [0.5] * 2002},
        {"scores": [], "falls": {"x": "mistake"}},
        {"scores": [], "falls": {"1": 1}},
        {"scores": [], "x": 1},
    ],
)
def test_hostile_courses_are_malformed(site: Site, body: dict[str, Any]) -> None:
    answer = graph(site.person(), body)
    assert (answer.status_code, refused(answer)) == (422, "malformed")
