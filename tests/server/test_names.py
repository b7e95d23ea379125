"""Names that people give themselves are text and nothing else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.server.answers import coded, refused
from tests.server.markup import nodes, shown
from tests.server.site import Site

HOSTILE = [
    "<b>Anna</b>",
    "<img src=x onerror=alert(1)>",
    "</bdi><script>x</script>",
    "\"'`><&amp;",
    "{{7*7}}{% x %}",
    "{told}{seat}",
    "😀👍🏽é́",
    "\u202eevil\u2066\u200f",
    "שלום عالم",
    "%s%n\\n",
]


def _texts(inner: tuple[Any, ...], tag: str) -> list[str]:
    """What stands in all elements of a kind."""
    found: list[str] = []
    for node in inner:
        if not isinstance(node, str):
            found += ["".join(node[2])] if node[0] == tag else _texts(node[2], tag)
    return found


def _all(inner: tuple[Any, ...], tag: str) -> list[Any]:
    """All elements of a kind."""
    found: list[Any] = []
    for node in inner:
        if not isinstance(node, str):
            found += [node, *_all(node[2], tag)] if node[0] == tag else _all(node[2], tag)
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_and_nothing_else_wherever_they_stand(site: Site, name: str) -> None:
    host = site.person()
    table = host.open("trio", name=name)
    wire = site.wire(table)
    wire.hello(1)
    assert site.person().take(table, name=name).status_code == 303
    heard = [message for message in wire.until(2) if "v" in message]
    written = json.loads(site.log(table)[1][4])["name"]
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f]", written)
    for html in (host.page(table), heard[-1]["parts"]["players"], host.history(table)[2]["parts"]["players"]):
        tags = shown(html).tags
        assert not {"b", "img"} & set(tags)
        assert tags.count("script") == ("<head>" in html)
        assert [text for text in _texts(nodes(html), "bdi") if text] == [written] * 2, (
            "the name is what it was, as text"
        )


@pytest.mark.parametrize("name", ["x" * 31, "x" * 10_000, "é" * 200, "a b " * 8, "\u202e" + "я" * 31])
def test_a_name_that_is_too_long_takes_no_seat(site: Site, name: str) -> None:
    table = site.person().open("tictactoe")
    guest = site.person("fr")
    answer = guest.take(table, name=name)
    assert answer.status_code in (409, 422)
    coded(answer, "bad_name", "fr")
    assert len(site.log(table)) == 2


def _tables(site: Site) -> int:
    return int(site.sql("SELECT count(*) FROM tables")[0][0])


def test_a_name_that_is_too_long_opens_no_table(site: Site) -> None:
    host = site.person()
    before = _tables(site)
    answer = host.post("/en/tables", {"spec": "tictactoe", "name": "x" * 31}, headers={"Accept": "application/json"})
    assert refused(answer) == "bad_name"
    assert _tables(site) == before


def test_spaces_and_marks_around_a_name_do_not_count(site: Site) -> None:
    host = site.person()
    table = host.open("tictactoe", name="  Anna \u202e\n\t Maria\x00 " + " " * 40)
    assert "<bdi>Anna Maria</bdi>" in host.page(table)


def _names(site: Site, table: str) -> list[str]:
    """The names of those who sat down, as they were written down."""
    bodies = [json.loads(entry[4]) for entry in site.log(table)]
    return [body["name"] for body in bodies if body["kind"] == "seated"]


@pytest.mark.parametrize(
    "name", ["\u3164", "\u115f\u1160\uffa0", "\u2800 \u2800", "\u0301", "\u200d\u200c", "\u3164" * 31]
)
def test_a_name_that_nobody_sees_is_none(site: Site, name: str) -> None:
    host = site.person()
    table = host.open("tictactoe", name=name)
    assert site.person().take(table, name=name).status_code == 303
    assert _names(site, table) == ["", ""]
    assert not any(_texts(nodes(host.page(table)), "bdi"))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_in_sentences_are_text_and_keep_their_direction_to_themselves(site: Site, name: str) -> None:
    for language, one, two in (
        ("en", "with {}", "with {} and {}"),
        ("fr", "avec {}", "avec {} et {}"),
        ("ru", "Соперник: {}", "Соперники: {} и {}"),
    ):
        host = site.person(language)
        tables = [host.open(spec) for spec in ("tictactoe", "trio")]
        for table in (tables[0], tables[1], tables[1]):
            assert site.person().take(table, name=name).status_code == 303
        isolated = f"\u2068{_names(site, tables[0])[-1]}\u2069"
        html = host.get(f"/{language}/mine").text
        assert {one.format(isolated), two.format(isolated, isolated)} <= set(_texts(nodes(html), "span"))
        assert not {"b", "img"} & set(shown(html).tags)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_shared_screen_that_is_passed_on_names_people_the_same_way(site: Site, name: str) -> None:
    host = site.person()
    table = host.open("secret", **{"with": "screen", "name": name})
    isolated = f"\u2068{_names(site, table)[0]}\u2069"
    said = [dict(node[1])["data-am"] for node in _all(nodes(host.page(table)), "i") if "data-am" in dict(node[1])]
    assert len([text for text in said if isolated in text]) == 1
