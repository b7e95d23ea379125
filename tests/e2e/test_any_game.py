"""A table of every game that came in by an entry point is played to its end in browsers, by pressing places."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from kletka.games import game
from kletka.games.registry import plugins
from tests.e2e.people import draws, in_step, join, marks, moves, new_person, place, shared, start, table, turn_of
from tests.serving import Served

FAMILIES = [module.FAMILY for module in plugins().values()]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_a_table_is_played_to_its_end(browser: Browser, served: Served, family: object, language: str) -> None:
    spec = family.presets[0].spec  # type: ignore[attr-defined]
    made = game(spec)
    people = [new_person(browser, language).new_page() for _ in range(made.seats)]
    start(people[0], f"{served.url}/{language}/", spec)
    link = shared(people[0])
    for page in people[1:]:
        join(page, link)
    for _ in range(60):
        in_step(people[0])
        to = table(people[0]).get_attribute("data-to")
        if not to:
            break
        mover = people[int(to)]
        turn_of(mover, int(to))
        before = len(moves(people[0]))
        free = mover.locator("[data-place]:not([aria-disabled])").first
        free.click()
        # Where pieces are laid on squares, a square is played by a second press.
        if mover.locator("[data-tray]").count():
            free.click()
        for page in people:
            expect(page.locator("[data-moves] li")).to_have_count(before + 1)
    for page in people:
        expect(table(page)).to_have_attribute("data-to", "")
        expect(page.locator("[data-say]")).not_to_be_empty()
        seen = marks(page)
        page.reload()
        in_step(page)
        draws(page, seen)
        page.goto(f"{served.url}/{language}/rules/{spec.partition(':')[0]}")
        expect(page.locator("article h1")).to_be_visible()
        page.goto(f"{served.url}/{language}/new/{spec.partition(':')[0]}")
        expect(page.locator("form[data-setup]")).to_be_visible()


@pytest.mark.skipif("polish" not in {family.name for family in FAMILIES}, reason="a test game of this house")
def test_a_composite_move_is_laid_from_the_tray(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    start(host, f"{served.url}/en/", "polish")
    join(friend, shared(host))
    turn_of(host, 0)
    for piece, names in (("m", ["b2"]), ("p", ["b2", "a1"])):
        host.locator(f'[data-piece="{piece}"]').click()
        for name in names:
            place(host, name).click()
    expect(host.locator("[data-draft-faults]")).to_contain_text("a1")
    expect(place(host, "a1")).to_have_class("fault")
    expect(host.locator("[data-send]")).to_be_hidden()
    # A note is taken away by laying it again.
    place(host, "a1").click()
    expect(host.locator("[data-tray]")).to_have_attribute("data-text", "mb20+pb20")
    host.locator("[data-send]").click()
    host.wait_for_timeout(750)
    host.locator("[data-send]").click()
    expect(friend.locator("[data-moves] li")).to_have_text("b2:b2")
