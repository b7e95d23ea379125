"""Forms: tables are opened by specs and options, moves are played without script, and nonsense is refused in words."""

from __future__ import annotations

import json
import re

import pytest

from kletka import words
from kletka.games import full_spec, game
from tests.server.answers import coded, refused
from tests.server.markup import shown
from tests.server.site import Person, Site

BAD_SPECS = [
    ("", "unknown_game"),
    ("nosuchgame", "unknown_game"),
    ("<script>", "unknown_game"),
    ("tictactoe:", "unknown_game"),
    ("tictactoe:shape", "bad_spec"),
    ("tictactoe:colour=red", "unknown_option"),
    ("tictactoe:line=3,line=3", "repeated_option"),
    ("tictactoe:shape=0x0", "bad_value"),
    ("tictactoe:shape=<b>", "bad_value"),
    ("tictactoe:shape=99x99", "side_too_long"),
    ("tictactoe:shape=3x3,line=9", "line_too_long"),
    ("tictactoe:misere=True", "bad_value"),
    ("tictactoe:line=03", "bad_value"),
    (f"tictactoe:line={'9' * 5000}", "bad_spec"),
    (f"tictactoe:line={'9' * 1900}", "bad_value"),
    ("tictactoe\x00", "unknown_game"),
]


@pytest.mark.parametrize(("spec", "code"), BAD_SPECS)
def test_a_spec_that_names_no_game_opens_no_table(site: Site, spec: str, code: str) -> None:
    person = site.person("fr")
    answer = person.post("/fr/tables", {"spec": spec})
    assert answer.status_code == 422
    coded(answer, code, "fr")
    tags = shown(answer.text).tags
    assert "b" not in tags
    assert tags.count("script") == 1, "the page's own"
    program = person.post("/fr/tables", {"spec": spec}, headers={"Accept": "application/json"})
    assert refused(program) == code


@pytest.mark.parametrize(
    ("option", "value"),
    [("shape", "<b>9"), ("shape", "99x99"), ("line", "x"), ("line", "-1"), ("line", "9" * 5000), ("misere", "maybe")],
)
def test_a_wrong_option_is_shown_beside_its_field(site: Site, option: str, value: str) -> None:
    person = site.person("ru")
    answer = person.post("/ru/tables", {"family": "tictactoe", option: value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "b" not in shown(answer.text).tags
    assert "error." not in answer.text
    program = person.post("/ru/tables", {"family": "tictactoe", option: value}, headers={"Accept": "application/json"})
    assert program.status_code == 422
    assert refused(program) in ("bad_value", "side_too_long")


def test_the_fields_of_the_chosen_shape_count_and_no_others(site: Site) -> None:
    person = site.person()
    form = {"family": "dots", "lattice": "triangles", "triangles.size": "3", "triangles.players": "3"}
    opened = person.post("/en/tables", form | {"boxes.size": "<b>", "strip.size": "99", "seat": "2"})
    assert opened.status_code == 303, opened.text
    table = opened.headers["location"].rpartition("/")[2]
    page = shown(person.page(table))
    assert page.attributes["data-seat"] == "2"
    assert person.page(table).count("data-place=") == 18
    without = person.post("/en/tables", {"family": "dots", "boxes.size": " 1 Х 2 "})
    assert without.status_code == 303
    assert person.page(without.headers["location"].rpartition("/")[2]).count("data-place=") == 7


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"lattice": "triangles", "triangles.size": "9"}, 'id="field-triangles.size"'),
        ({"lattice": "boxes", "boxes.size": "1x1", "boxes.border": "closed"}, 'id="field-boxes.border"'),
        ({"boxes.players": "5"}, 'id="field-boxes.players"'),
        ({"lattice": "<b>"}, 'class="tag"'),
    ],
)
def test_a_wrong_option_of_a_shape_is_said_at_its_field(site: Site, form: dict[str, str], field: str) -> None:
    answer = site.person("fr").post("/fr/tables", {"family": "dots"} | form)
    assert answer.status_code == 422
    after = answer.text[answer.text.index(field) :]
    wrong = after.index('id="wrong"')
    assert wrong < after.find('<div class="field">') or wrong < after.find("</fieldset>")
    assert after.find('id="field-', 1) < 0 or after.find('id="field-', 5) > wrong
    for name, value in form.items():
        if name != "lattice":
            assert value in answer.text
    assert "b" not in shown(answer.text).tags


@pytest.mark.parametrize("seat", ["-1", "2", "64", "x", "1.0", "9" * 5000, "lots", "٣"])
def test_a_seat_that_is_none_breaks_nothing(site: Site, seat: str) -> None:
    person = site.person()
    opened = person.post("/en/tables", {"spec": "tictactoe", "seat": seat})
    assert opened.status_code in (303, 409, 422)
    table = site.person().open("tictactoe")
    taken = person.take(table, seat=seat)
    assert taken.status_code in (409, 422)
    coded(taken, "no_such_seat" if seat in ("2", "64") else "malformed")
    assert len(site.log(table)) == 2


@pytest.mark.parametrize("level", ["", "0", "9", "-1", "x", "1.5", "9" * 5000, "²"])
def test_a_level_that_is_none_becomes_a_friendly_one(site: Site, level: str) -> None:
    person = site.person()
    table = person.open("tictactoe", level=level, **{"with": "engine"})
    assert words.say("en", "table.engine", level=4) in person.page(table)


def test_by_lot_somebody_sits_down(site: Site) -> None:
    seats: set[str] = set()
    while len(seats) < 3:
        person = site.person()
        seats.add(shown(person.page(person.open("trio", seat="lot"))).attributes["data-seat"])
    assert seats == {"0", "1", "2"}


def test_moves_and_acts_by_form_are_refused_with_a_code(site: Site) -> None:
    table, (host, guest) = site.together("tictactoe")
    watcher = site.person()
    before = site.log(table)
    refusals: list[tuple[Person, str, dict[str, str | int], int, str]] = [
        (host, "/move", {"move": "z9", "base": 0}, 409, "off_board"),
        (host, "/move", {"move": "?", "base": 0}, 409, "notation"),
        (host, "/move", {"move": "a1", "base": 7}, 409, "stale"),
        (host, "/move", {"move": "a1"}, 422, "malformed"),
        (host, "/move", {"base": 0}, 422, "malformed"),
        (host, "/move", {"move": "a1", "base": "x"}, 422, "malformed"),
        (host, "/move", {"move": "a1" * 3000, "base": 0}, 422, "malformed"),
        (host, "/move", {"move": "a1" * 2400, "base": 0}, 409, "notation"),
        (guest, "/move", {"move": "a1", "base": 0}, 409, "not_your_turn"),
        (watcher, "/move", {"move": "a1", "base": 0}, 409, "no_seat"),
        (watcher, "/do", {"do": "resign"}, 409, "no_seat"),
        (host, "/do", {"do": "accept"}, 409, "no_offer"),
        (host, "/do", {"do": "decline"}, 409, "no_offer"),
        (host, "/do", {"do": "win"}, 422, "malformed"),
        (host, "/do", {}, 422, "malformed"),
    ]
    for person, path, form, status, code in refusals:
        answer = person.post(person.at(table, path), form)
        assert answer.status_code == status, (form, answer.text)
        coded(answer, code)
    assert site.log(table) == before


RAGGED = ".".join(["0-40"] * 3 + ["0-" + "-".join("1" * 39), "-".join("1" * 40)] * 18)
"""Nearly a chessboard: hardly any board takes a longer text."""


@pytest.mark.parametrize(
    ("board", "places", "said"),
    [
        ("15x15", 225, "15×15"),
        ("diamond21", 221, words.say("en", "board.diamond", n=21)),
        ("1-1.0-3.1-1", 5, words.say("en", "board.drawn")),
        (RAGGED, 120 + 36 * 20, words.say("en", "board.drawn")),
    ],
)
def test_a_board_is_chosen_or_drawn(site: Site, board: str, places: int, said: str) -> None:
    person = site.person()
    # Other options than a preset's, so that the page names them.
    opened = person.post("/en/tables", {"family": "crystals", "board": board, "least": "5", "players": "6"})
    assert opened.status_code == 303, opened.text
    table = opened.headers["location"].rpartition("/")[2]
    page = person.page(table)
    assert page.count("data-place=") == places
    assert f" {said}" in page
    assert RAGGED not in page, "nobody wants to read it"
    made = game(f"crystals:board={board},least=5,players=6")
    assert json.loads(site.log(table)[0][4])["spec"] == full_spec(made)
    form = person.get("/en/new/crystals", params={"spec": made.spec})
    assert f'value="{board}"' in form.text


@pytest.mark.parametrize("board", ["2-1", "1-1.0-3.1-1-1", "0", "41x3", "-", "<b>", "0-41", "9" * 3500, "diamond4"])
def test_a_board_that_is_none_is_said_at_its_field(site: Site, board: str) -> None:
    answer = site.person("fr").post("/fr/tables", {"family": "crystals", "board": board})
    assert answer.status_code == 422
    assert 'name="board"' in answer.text
    assert 'aria-describedby="help-board wrong" aria-invalid="true"' in answer.text
    assert "b" not in shown(answer.text).tags


def test_ready_boards_are_pictured_for_who_draws_their_own(site: Site) -> None:
    form = site.person("ru").get("/ru/new/crystals").text
    found = dict(re.findall('<option value="([^"]+)" data-squares="([^"]+)">', form))
    assert found["11x11"] == "/".join(["#" * 11] * 11)
    drawn = found["diamond21"].split("/")
    assert [row.count("#") for row in drawn] == [*range(1, 22, 2), *range(19, 0, -2)]
    assert all(row == row[::-1] for row in drawn)
    assert found["ring21"].count("#") == 21 * 21 - 7 * 7
    assert found["cross21"].count("#") == 2 * 7 * 21 - 7 * 7


@pytest.mark.parametrize("assist", ["off", "count", "outline", "", "all", "<b>"])
def test_help_is_chosen_for_the_whole_table(site: Site, assist: str) -> None:
    host, guest = site.person(), site.person()
    opened = host.post("/en/tables", {"family": "crystals", "board": "7x7", "assist": assist})
    table = opened.headers["location"].rpartition("/")[2]
    meant = assist if assist in ("count", "outline") else "off"
    assert json.loads(site.log(table)[0][4])["house"] == {"check": True, "assist": meant}
    for person in (host, guest):
        told = [kind for kind in ("count", "outline") if words.say("en", f"table.assist.{kind}") in person.page(table)]
        assert told == ([] if meant == "off" else [meant])
    assert "assist" not in site.person().get("/en/new/orapa").text


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ("total:300+3", ("Clock: 5:00 each, plus 3 s a turn", "Часы: по 5:00 каждому и ещё 3 с за каждый ход")),
        ("total:300+0", ("Clock: 5:00 each", "Часы: по 5:00 каждому")),
        ("move:30", ("Clock: 0:30 a move", "Часы: 0:30 на ход")),
        ("move:172800", ("Clock: 2 days a move", "Часы: 2 дня на ход")),
    ],
)
def test_a_clock_is_said_at_its_table(site: Site, clock: str, said: tuple[str, str]) -> None:
    for language, text in zip(("en", "ru"), said, strict=True):
        person = site.person(language)
        page = person.page(person.open("tictactoe", clock=clock)).replace("\u00a0", " ")
        assert f">{text}. {words.say(language, 'table.clock.first')}</p>" in page
