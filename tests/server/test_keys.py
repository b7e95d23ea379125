"""Keys and tokens: kept in a cookie, told to the own page only, written in no address."""

from __future__ import annotations

import json
import re
from http.cookies import SimpleCookie

import pytest

from tests.server.markup import shown
from tests.server.site import Site


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
def test_the_cookie_is_kept_from_scripts_and_from_other_sites(site: Site, scheme: str, secure: bool) -> None:
    person = site.person()
    answer = person.post("/en/tables", {"spec": "tictactoe"}, headers={"X-Forwarded-Proto": scheme})
    (cookie,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", cookie.value)
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "lax"
    assert cookie["path"] == "/"
    assert cookie["domain"] == ""
    assert bool(cookie["secure"]) is secure
    assert int(cookie["max-age"]) >= 30 * 24 * 3600


@pytest.mark.parametrize("key", ["", "x", "a" * 31, "a" * 33, "a" * 31 + "!", "é" * 32])
def test_a_cookie_that_is_none_of_ours_is_replaced(site: Site, key: str) -> None:
    table = site.person().open("tictactoe")
    person = site.person()
    cookie = {"Cookie": f"kletka={key}".encode("latin-1")}
    assert person.get(person.at(table), headers=cookie).status_code == 200
    answer = person.post(person.at(table, "/seat"), headers=cookie)
    assert answer.status_code == 303
    kept = SimpleCookie(answer.headers["set-cookie"])["kletka"].value
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", kept)
    assert kept != key


def test_the_token_stands_in_no_address_and_not_in_the_store(site: Site) -> None:
    person, other = site.person(), site.person()
    opened = person.post("/en/tables", {"spec": "tictactoe"})
    table = opened.headers["location"].rpartition("/")[2]
    taken = other.take(table)
    key = person.http.cookies["kletka"]
    secrets = [person.token(table), other.token(table), key, other.http.cookies["kletka"]]
    assert len(set(secrets)) == 4
    pages = [person.page(table), other.page(table), site.person().page(table)]
    addresses = [opened.headers["location"], taken.headers["location"]]
    addresses += [address for page in pages for address in shown(page).addresses]
    stored = json.dumps(site.log(table))
    for secret in secrets:
        assert not [address for address in addresses if secret in address]
        assert secret not in stored
    assert not [page for page in pages if key in page], "the browser's key opens all its seats: it is in no page"
    assert pages[0].count(secrets[0]) == 1
    assert secrets[0] not in pages[1] + pages[2]


def test_a_token_opens_a_seat_at_its_own_table_only(site: Site) -> None:
    person = site.person()
    first, second = person.open("tictactoe"), person.open("tictactoe")
    assert person.token(first) != person.token(second)
    wire = site.wire(second)
    wire.hello(1, person.token(first))
    assert wire.hear()["refused"][0]["code"] == "bad_token"
    assert wire.all()["here"] == 1
