"""What can be taken away: records, pictures and sheets, as much of them as whoever asks may know, under plain names."""

from __future__ import annotations

import json
import re
import struct
from xml.etree import ElementTree

import httpx
import pytest

import kletka
from kletka import words
from kletka.games import game
from kletka.records import Record, parse, print_record, replay, told_by
from tests.server.answers import refused
from tests.server.site import Person, Site

MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
OTHER = "R2B2+Y2C3+B6A1+W4E3+S4C0"
SVG = "{http://www.w3.org/2000/svg}"


def marks(text: str) -> set[str]:
    """The keys of the marks in a picture."""
    return {node.attrib["data-m"] for node in ElementTree.fromstring(text).iter() if "data-m" in node.attrib}  # noqa: S314


def size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG file."""
    assert png[:16] == b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def file_name(answer: httpx.Response) -> str:
    found = re.fullmatch('attachment; filename="([a-z0-9.-]+)"', answer.headers["content-disposition"])
    assert found is not None
    return found[1]


def played(site: Site) -> tuple[str, list[Person]]:
    """A table of noughts and crosses with two moves."""
    table, people = site.together("tictactoe")
    assert people[0].move(table, "b2", 0).status_code == 303
    assert people[1].move(table, "a1", 3).status_code == 303
    return table, people


def test_a_table_gives_its_record_and_its_pictures(site: Site) -> None:
    table, people = played(site)
    stranger = site.person("ru")
    for person in (*people, stranger):
        record = person.get(person.at(table, "/record"))
        assert file_name(record) == f"tictactoe-{table}.kletka"
        assert record.headers["content-type"] == "text/plain; charset=utf-8"
        assert [event.told for event in parse(record.text).events] == ["b2", "a1"]  # type: ignore[union-attr]
        drawn = person.get(person.at(table, "/picture.svg"))
        assert file_name(drawn) == f"tictactoe-{table}.svg"
        assert {"0.sign/b2", "0.sign/a1"} <= marks(drawn.text)
        png = person.get(person.at(table, "/picture.png"))
        assert file_name(png) == f"tictactoe-{table}.png"
        assert size(png.content) == (640, 640)


def test_a_picture_shows_any_version(site: Site) -> None:
    table, people = played(site)
    signs = {}
    for at in (0, 2, 3, 4, 9999999999):
        answer = people[0].get(people[0].at(table, f"/picture.svg?at={at}"))
        signs[at] = {key for key in marks(answer.text) if ".sign/" in key}
    assert signs[0] == signs[2] == set()
    assert signs[3] == {"0.sign/b2"}
    assert signs[4] == signs[9999999999] == {"0.sign/b2", "0.sign/a1"}
    for wrong in ("-1", "x", "1e3", "99999999999"):
        assert people[0].get(people[0].at(table, f"/picture.png?at={wrong}")).status_code == 422


def test_nobody_gets_what_they_may_not_know(site: Site) -> None:
    table, (blue, red) = site.together("orapa:mode=duel")
    assert blue.move(table, f"hide:{MINE}", 0).status_code == 303
    assert red.move(table, f"hide:{OTHER}", 3).status_code == 303
    assert blue.move(table, "A", 4).status_code == 303
    hidden = {"blue": (blue, MINE, OTHER), "red": (red, OTHER, MINE), "none": (site.person(), "", MINE)}
    for person, own, others in hidden.values():
        record = person.get(person.at(table, "/record")).text
        assert others not in record
        assert not own or own in record
        assert parse(record).setup is None
        for path in ("/picture.svg", "/paper/sheet.svg", "/picture.svg?at=3", "/picture.svg?at=4"):
            shown = marks(person.get(person.at(table, path)).text)
            for number, mine in enumerate((MINE, OTHER)):
                seen = {f"{number}.area/8B", f"{number}.area/2B"} & shown
                assert not seen or mine == own, path
    assert blue.do(table, "resign").status_code == 303
    whole = site.person().get(f"/en/t/{table}/record").text
    assert MINE in whole
    assert OTHER in whole
    early = site.person().get(f"/en/t/{table}/picture.svg?at=4").text
    assert {"0.area/8B", "1.area/2B"} <= marks(early), "now everybody may see how it was"


def test_names_get_into_records_alone(site: Site) -> None:
    name = 'a"b\\c]/..%0d<x>'
    person = site.person()
    table = person.open("tictactoe", name=name)
    record = person.get(person.at(table, "/record"))
    assert dict(parse(record.text).tags) == {"seat1": name}
    for path in ("/record", "/picture.svg", "/picture.png", "/paper", "/paper/sheet.svg"):
        answer = person.get(person.at(table, path))
        assert answer.status_code == 200
        assert path == "/record" or (b"a&#34;b" not in answer.content and b'a"b' not in answer.content)
        assert name not in str(answer.headers)


def test_pictures_opened_by_themselves_run_nothing(site: Site) -> None:
    table, (person, _) = played(site)
    for path in ("/picture.svg", "/paper/sheet.svg"):
        answer = person.get(person.at(table, path))
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        assert answer.headers["x-content-type-options"] == "nosniff"


# Described games


def test_a_described_game_is_exported(site: Site) -> None:
    person = site.person("fr")
    moves = ["b2", "a1", "(1 left)"]
    query = {"spec": "tictactoe", "moves": ",".join(moves)}
    by_address = person.get("/fr/export/record", params=query)
    by_form = person.post("/fr/export/record", query)
    by_json = person.post("/fr/export/record", json={"spec": "tictactoe", "moves": moves})
    want = print_record(told_by(Record(game("tictactoe")), moves))
    assert by_address.text == by_form.text == by_json.text == want
    assert file_name(by_address) == "tictactoe.kletka"
    drawn = person.post("/fr/export/svg", {**query, "at": 1})
    assert {key for key in marks(drawn.text) if ".sign" in key} == {"0.sign/b2"}
    assert size(person.post("/fr/export/png?at=2", query).content) == (640, 640)


def test_a_described_game_may_begin_from_a_position_or_a_set_up(site: Site) -> None:
    person = site.person()
    begun = person.get("/en/export/record", params={"spec": "tictactoe", "position": "x../.o./...", "moves": "c3"})
    assert [*replay(parse(begun.text))][-1].position == "x.x/.o./..."
    hunt = {"spec": "orapa", "setup": MINE, "moves": "A,done,4E"}
    record = parse(person.get("/en/export/record", params=hunt).text)
    assert record.setup is not None
    told = [event.told for event in record.events]  # type: ignore[union-attr]
    assert told[0].startswith("A=")
    assert "0.area/8B" in marks(person.get("/en/export/svg", params={**hunt, "open": "1"}).text)
    assert "0.area/8B" not in marks(person.get("/en/export/svg", params=hunt).text)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"spec": "nogame"}, "unknown_game"),
        ({"spec": "tictactoe:shape=99x99"}, "side_too_long"),
        ({"spec": "tictactoe", "position": "../?"}, "position_rows"),
        ({"spec": "tictactoe", "setup": "x"}, "bad_setup"),
        ({"spec": "tictactoe", "moves": "b2,b2"}, "taken"),
        ({"spec": "tictactoe", "moves": "(3 left)"}, "no_such_seat"),
        ({"spec": "tictactoe", "moves": "a1,b2,(agreed),c3"}, "over"),
        ({"spec": "tictactoe", "moves": "<script>"}, "bad_token"),
        ({"spec": "orapa", "setup": MINE, "position": "~ - 0? - - -"}, "two_starts"),
        ({"spec": "tictactoe", "moves": ",".join(["a1"] * 2001)}, "malformed"),
        ({"spec": "tictactoe", "moves": "a1", "at": "-1"}, "malformed"),
        ({"spec": "tictactoe", "open": "maybe"}, "malformed"),
        ({"moves": "a1"}, "malformed"),
    ],
)
def test_bad_descriptions_are_refused(site: Site, query: dict[str, str], code: str) -> None:
    person = site.person("ru")
    for kind in ("record", "svg", "png"):
        answer = person.get(f"/ru/export/{kind}", params=query, headers={"Accept": "application/json"})
        assert answer.status_code == 422
        assert refused(answer) == code
        sent = person.post(f"/ru/export/{kind}", query, headers={"Accept": "application/json"})
        assert sent.status_code == 422 or "open" in query
    assert person.get("/ru/export/exe", params=query).status_code in (404, 422)


@pytest.mark.parametrize(
    "body", ["", "{", "[]", '{"spec":1}', '{"spec":"tictactoe","more":1}', '{"spec":"tictactoe","moves":"a1"}']
)
def test_bad_bodies_are_refused(site: Site, body: str) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    answer = site.person().http.post("/en/export/svg", content=body, headers=headers)
    assert answer.status_code == 422
    assert json.loads(answer.text)["refused"][0]["code"] == "malformed"


# Sheets


def test_every_preset_has_a_sheet_in_every_language(site: Site) -> None:
    for language in words.LANGUAGES:
        person = site.person(language)
        index = person.get(f"/{language}/paper").text
        links = re.findall(f'href="(/{language}/paper/[a-z0-9]+/[a-z0-9]+)"', index)
        assert links == [
            f"/{language}/paper/{family.name}/{preset.id}" for family, preset in kletka.games.registry.presets()
        ]
        for link in links[:: len(words.LANGUAGES)]:
            page = person.get(link, params={"paper": "letter"})
            assert page.status_code == 200
            source = re.search('<img src="([^"]+)"', page.text)
            assert source is not None
            assert 'width="215.9mm" height="279.4mm"' in person.get(source[1].replace("&amp;", "&")).text


def test_a_position_has_a_sheet(site: Site) -> None:
    person = site.person()
    query = {"spec": "tictactoe:shape=3x4", "position": "x.../.o../....", "paper": "letter"}
    page = person.get("/en/paper/position", params=query)
    assert 'data-paper="letter"' in page.text
    sheet = person.get("/en/paper/position/sheet.svg", params=query)
    assert {"0.sign/a3", "0.sign/b2"} <= marks(sheet.text)
    assert ">Crosses to move.<" in sheet.text
    hunt = {"spec": "orapa", "setup": MINE, "moves": "A,done,4E"}
    assert "0.sign/A" in marks(person.get("/en/paper/position/sheet.svg", params=hunt).text)
    assert "0.area/8B" not in marks(person.get("/en/paper/position/sheet.svg", params=hunt).text)
    assert "0.area/8B" in marks(person.get("/en/paper/position/sheet.svg", params={**hunt, "open": "1"}).text)
    for moves, at, said in (
        ("a1,b1,a2,b2,a3", "9", "Crosses win."),
        ("a1,b1,a2,b2,a3", "2", "Crosses to move."),
        ("a1,(agreed)", "2", "It is a draw."),
        ("a1,(agreed)", "1", "Noughts to move."),
    ):
        told = {"spec": "tictactoe", "moves": moves, "at": at}
        assert f">{said}" in person.get("/en/paper/position/sheet.svg", params=told).text
    for wrong, code in (
        ({"spec": "nogame"}, "unknown_game"),
        ({"spec": "tictactoe", "position": "zz"}, "position_rows"),
        ({"spec": "tictactoe", "paper": "a3"}, "malformed"),
        ({"spec": "tictactoe", "position": "x" * 20_001}, "malformed"),
        ({}, "malformed"),
    ):
        for path in ("/en/paper/position", "/en/paper/position/sheet.svg"):
            answer = person.get(path, params=wrong, headers={"Accept": "application/json"})
            assert (answer.status_code, refused(answer)) == (422, code)
    assert person.get("/en/paper/tictactoe/nothing").status_code == 404
    assert person.get("/en/paper/nothing/classic").status_code == 404


def test_a_tables_sheet_shows_its_position(site: Site) -> None:
    table, people = played(site)
    page = people[0].get(people[0].at(table, "/paper"))
    assert f'src="/en/t/{table}/paper/sheet.svg?paper=a4"' in page.text
    sheet = people[0].get(people[0].at(table, "/paper/sheet.svg?paper=a4"))
    assert {"0.sign/b2", "0.sign/a1"} <= marks(sheet.text)
    assert 'width="210mm"' in sheet.text
    for path in ("/record", "/picture.svg", "/picture.png", "/paper", "/paper/sheet.svg"):
        assert people[0].get(f"/en/t/nosuchtable{path}").status_code == 404
