"""Walk-throughs as they are served: every step's board is what the rules say, in every language; hostile addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

import pytest

from kletka import words
from kletka.drawing import drawing_of
from kletka.games import families
from kletka.lessons import lesson
from tests.server.answers import coded
from tests.server.markup import shown
from tests.server.site import Site

TAUGHT = [name for name in families() if lesson(name)]


def beneath(marks: Iterable[str]) -> set[str]:
    """Marks without those that point at the last turn."""
    return {key for key in marks if ".over/" not in key}


@pytest.mark.parametrize("name", TAUGHT)
def test_a_step_stands_as_the_rules_have_it(site: Site, name: str) -> None:
    for number, step in enumerate(lesson(name), 1):
        language = words.LANGUAGES[number % len(words.LANGUAGES)]
        person = site.person(language)
        state = step.before()
        answer = person.get(f"/{language}/learn/{name}/{number}")
        assert answer.status_code == 200
        drawn = drawing_of(state.game).marks(state.seen_by(state.to_move), ())
        assert beneath(shown(answer.text).marks) == beneath(drawn)
        # Loaded anew, the page begins at this step.
        whole = person.get(f"/{language}/learn/{name}?step={number}").text
        assert answer.text.strip() in whole
        for other in words.LANGUAGES:
            assert f'href="/{other}/learn/{name}' in whole
        # One may play at once, or after the last step without having done it.
        leaves = f'href="/{language}/new/{name}" data-leave' in answer.text
        assert leaves == (number in (1, len(lesson(name))))
        assert words.say(language, f"learn.{name}.{step.id}") in unescape(answer.text)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_family_that_has_a_walk_through_leads_there(site: Site, language: str) -> None:
    person = site.person(language)
    home = person.get(f"/{language}/").text
    for name in families():
        link = f'href="/{language}/learn/{name}"'
        for html in (home, *(person.get(f"/{language}/{kind}/{name}").text for kind in ("rules", "new"))):
            assert (link in html) == bool(lesson(name))


@pytest.mark.parametrize(
    "path",
    ["nosuchgame", "nosuchgame/1", "tictactoe/0", "tictactoe/99", "tictactoe/-1", "tictactoe/1/1", "tictactoe/x"],
)
def test_there_is_nothing_else(site: Site, path: str) -> None:
    for language in words.LANGUAGES:
        answer = site.person(language).get(f"/{language}/learn/{path}")
        assert answer.status_code == 404
        coded(answer, "no_page", language)


@pytest.mark.parametrize(("step", "number"), [("0", 1), ("999", len(lesson("dots"))), ("2", 2)])
def test_a_step_beside_the_walk_through_is_the_nearest_one(site: Site, step: str, number: int) -> None:
    html = site.person().get(f"/en/learn/dots?step={step}").text
    assert re.findall('data-step-number="([0-9]+)"', html) == [str(number)]


@pytest.mark.parametrize("step", ["x", "-1", "1" * 400, "", "%00", "1;2"])
def test_a_step_that_is_no_number_is_refused(site: Site, step: str) -> None:
    answer = site.person().get(f"/en/learn/dots?step={step}")
    assert answer.status_code == 422
    coded(answer, "malformed", "en")
