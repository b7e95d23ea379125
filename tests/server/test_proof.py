"""What a page shows of hidden things while they are hidden, and the page that checks them at the end."""

from __future__ import annotations

import re
from hashlib import sha256
from html import unescape

import pytest

from tests.alike import alike
from tests.server.markup import Board, shown
from tests.server.site import Site

FINGERPRINT = re.compile("<code>([0-9a-f]{64})</code>")
SALT, TEXT = "0123456789abcdef" * 2, "R2C3+Y4B2+B7C1+W5D1+S3C0"
GOOD = sha256(f"{SALT}{TEXT}".encode()).hexdigest()


def test_the_fingerprint_that_was_shown_first_is_checked_by_a_link_at_the_end(site: Site) -> None:
    host = site.person()
    table = host.open("orapa")
    first = FINGERPRINT.findall(host.page(table))
    assert len(first) == 1
    assert FINGERPRINT.findall(site.person().page(table)) == first
    assert "/check?" not in host.page(table)
    host.do(table, "resign")
    page = host.page(table)
    assert FINGERPRINT.findall(page) == first
    assert site.secret(table) in page
    (link,) = re.findall('href="(/en/check[^"]+)"', page)
    checking = host.get(unescape(link)).text
    assert 'data-is="same"' in checking
    assert {site.secret(table), first[0]} <= set(re.findall('[>"]([^<>"]+)[<"]', checking))


def test_fingerprints_come_to_an_open_page_as_moves_are_hidden_and_open_at_the_end(site: Site) -> None:
    (deal, _), _ = alike("orapa:mode=duel")
    table, people = site.together("orapa:mode=duel")
    watcher = site.person()
    wire = site.wire(table)
    wire.hello(1000)
    board, seen = Board(), []
    for seat, move in deal.moves[:3]:
        people[seat].move(table, move)
        for message in wire.news():
            board.hear(message)
        board.same(watcher.page(table))
        seen.append(FINGERPRINT.findall(watcher.page(table)))
    assert [len(found) for found in seen] == [1, 2, 2]
    people[0].do(table, "resign")
    for message in wire.news():
        board.hear(message)
    page = watcher.page(table)
    board.same(page)
    assert FINGERPRINT.findall(page) == seen[-1]
    assert "proof" in shown(page).parts
    for link in re.findall('href="(/en/check[^"]+)"', page):
        assert 'data-is="same"' in watcher.get(unescape(link)).text


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_the_page_says_what_belongs_together(site: Site, language: str) -> None:
    def verdict(**given: str) -> str:
        answer = site.person(language).get(f"/{language}/check", params=given)
        assert answer.status_code == 200
        found = re.search('data-is="([a-z]+)"', answer.text)
        return found[1] if found else ""

    assert verdict() == ""
    assert verdict(text=TEXT, salt=SALT) == ""
    assert verdict(text=f" {TEXT}\n", salt=SALT.upper(), hash=f" {GOOD.upper()}") == "same"
    assert verdict(text=TEXT.lower(), salt=SALT, hash=GOOD) == "other"
    assert verdict(text=TEXT, salt=SALT[::-1], hash=GOOD) == "other"
    assert verdict(text=f"{SALT[-1]}{TEXT}", salt=SALT[:-1], hash=GOOD) == "unreadable"
    assert verdict(text=TEXT, salt=SALT, hash="x") == "unreadable"


def test_the_page_shows_what_was_typed_and_runs_none_of_it(site: Site) -> None:
    typed = '"></textarea><script>alert(1)</script>'
    page = site.person().get("/en/check", params={"text": typed, "salt": typed[:60], "hash": typed}).text
    assert "<script>alert" not in page
    assert 'data-is="unreadable"' in page
    assert site.person().get("/en/check", params={"text": "x" * 5000}).status_code == 422
    assert site.person().get("/en/check", params={"text": "\x00\ud800".encode("utf-8", "replace")}).status_code == 200


def test_open_games_promise_nothing(site: Site) -> None:
    host = site.person()
    assert 'class="proof"' not in host.page(host.open("tictactoe"))
