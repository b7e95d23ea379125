"""Forms: tables are opened by specs and options, moves are played without script, and nonsense is refused in words."""

from __future__ import annotations

import pytest

from kletka import words
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
