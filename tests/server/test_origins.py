"""Nothing is changed by pages of other sites."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.answers import coded
from tests.server.inside import inside
from tests.server.site import Person, Site


def _posts(person: Person, table: str) -> list[tuple[str, dict[str, str | int]]]:
    """Everything that changes something."""
    return [
        ("/en/tables", {"spec": "tictactoe"}),
        (person.at(table, "/seat"), {}),
        (person.at(table, "/move"), {"move": "a1", "base": 0}),
        (person.at(table, "/do"), {"do": "resign"}),
    ]


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "", "file://", "http://127.0.0.1", "http://127.0.0.1:1", "["]
)
def test_nothing_is_changed_from_another_site(site: Site, origin: str) -> None:
    person = site.person()
    table = person.open("tictactoe")
    for path, form in _posts(person, table):
        answer = person.post(path, form, headers={"Origin": origin})
        assert answer.status_code == 403
        coded(answer, "foreign_origin")
    assert len(site.log(table)) == 2


def test_our_own_pages_change_things(site: Site) -> None:
    table = site.person().open("tictactoe")
    own, shouted = site.person(), site.person()
    assert own.post(own.at(table, "/seat"), headers={"Origin": site.url}).status_code == 303
    answer = shouted.post(
        "/en/tables", {"spec": "trio"}, headers={"Host": "Kletka.Example", "Origin": "https://kletka.example"}
    )
    assert answer.status_code == 303, "behind a proxy the scheme of the page can't be known"


def test_the_configured_address_may_change_things_too(tmp_path: Path) -> None:
    with inside(tmp_path, address="https://kletka.example/") as site:
        person = site.person()
        for origin, status in (
            ("https://kletka.example", 303),
            (site.url, 303),
            ("https://other.example", 403),
            ("null", 403),
            ("https://kletka.example.evil.example", 403),
        ):
            assert person.post("/en/tables", {"spec": "trio"}, headers={"Origin": origin}).status_code == status
        page = person.page(person.open("trio"))
        assert 'value="https://kletka.example/t/' in page, "the link to share has the configured address"
