"""Kletka as an app of the device: manifest, icons, the service worker, and what the server lets it keep."""

from __future__ import annotations

import io
import json
import re
from urllib.parse import unquote

import pytest

from kletka import words
from tests.server.site import Person, Site


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_manifest_speaks_the_language_of_the_page(site: Site, language: str) -> None:
    person = site.person(language)
    (link,) = re.findall('<link rel="manifest" href="([^"]*)">', person.get(f"/{language}/").text)
    answer = person.get(link)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest == person.get("/manifest.webmanifest").json(), "nobody has to know the language's address"
    assert (manifest["lang"], manifest["start_url"]) == (language, f"/{language}/")
    assert manifest["name"] == words.say(language, "page.name")
    assert manifest["description"] == words.say(language, "page.lead")
    assert person.get(manifest["start_url"]).status_code == 200


def test_the_icons_are_what_the_manifest_says(site: Site) -> None:
    person = site.person()
    icons = person.get("/en/manifest.webmanifest").json()["icons"]
    found = set()
    for icon in icons:
        answer = person.get(icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] != "image/png":
            continue
        # A PNG begins with its mark, then the header with width and height.
        data = io.BytesIO(answer.content)
        assert data.read(8) == b"\x89PNG\r\n\x1a\n"
        data.read(8)
        size = "x".join(str(int.from_bytes(data.read(4), "big")) for _ in range(2))
        assert size == icon["sizes"]
        found.add((size, icon.get("purpose", "any")))
    assert found == {(size, use) for size in ("192x192", "512x512") for use in ("any", "maskable")}
    assert person.get("/icon-64.png").status_code == 404


def test_the_worker_comes_from_the_root_and_is_asked_for_anew(site: Site) -> None:
    person = site.person()
    answer = person.get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert "worker-src 'self'" in answer.headers["content-security-policy"]
    first, _, code = answer.text.partition("\n")
    built = json.loads(first.removeprefix("const BUILT = ").removesuffix(";"))
    for address in (*built["files"], *built["pages"].values()):
        assert person.get(address).status_code == 200
    page = person.get("/en/").text
    assert set(re.findall(r"/static/assets/[\w.-]+", page)) <= set(built["files"])
    assert set(built["pages"]) == set(words.LANGUAGES)
    # One file that needs no other: older browsers know no worker that imports.
    assert not re.search(r"\b(import|export)\b", code)


def test_only_files_whose_names_change_are_kept_for_ever(site: Site) -> None:
    person = site.person()
    page = person.get("/en/").text
    (script,) = re.findall(r'src="(/static/assets/[\w.-]+[.]js)"', page)
    assert "immutable" in person.get(script).headers["cache-control"]
    for path in ("/static/worker.js", "/static/manifest.json"):
        assert "immutable" not in person.get(path).headers.get("cache-control", "")


def _marks(person: Person, table: str) -> set[str | None]:
    rest = ("", "/events?since=0", "/text")
    return {person.get(person.at(table, path)).headers.get("kletka-keep") for path in rest}


def test_a_game_may_be_kept_once_it_is_over(site: Site) -> None:
    table, people = site.together("tictactoe")
    watcher = site.person("fr")
    moves = ["b2", "a1", "a2", "c2", "b3", "b1", "c1", "a3"]
    for number, move in enumerate(moves):
        assert people[number % 2].move(table, move).status_code == 303
        assert _marks(watcher, table) == {None}
    assert people[0].move(table, "c3").status_code == 303
    for person in (*people, watcher):
        assert _marks(person, table) == {"finished"}
    answer = watcher.get(watcher.at(table))
    title = unquote(answer.headers["kletka-title"])
    assert words.say("fr", "preset.tictactoe.classic") in title
    assert re.findall("<p[^>]* data-say>([^<]*)</p>", answer.text)[0] in title


def test_a_hidden_game_may_be_kept_once_it_is_open(site: Site) -> None:
    table, people = site.together("secret")
    assert people[0].move(table, "hide-3").status_code == 303
    assert _marks(people[0], table) == {None}
    assert people[1].do(table, "resign").status_code == 303
    assert _marks(site.person(), table) == {"finished"}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_pages_that_never_change_may_be_kept(site: Site, language: str) -> None:
    person = site.person(language)
    for path in ("/", "/rules/tictactoe", "/rules/dots"):
        assert person.get(f"/{language}{path}").headers["kletka-keep"] == "page"
    for path in ("/new/dots", "/offline", "/rules/nothing"):
        assert "kletka-keep" not in person.get(f"/{language}{path}").headers
    assert words.say(language, "page.offline") in person.get(f"/{language}/offline").text
