"""What people at a table ask of each other, by the page's buttons: to take back, to play on, to play again."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import in_step, join, moves, new_person, play, shared, start, table, turn_of
from tests.serving import Served


def press(page: Page, what: str) -> None:
    """Press an action's button, behind "More" if it is there."""
    button = page.locator(f".actions {what}")
    expect(button).to_be_attached()
    if not button.is_visible():
        page.locator(".actions summary").click()
    button.click()
    if button.count() and button.get_attribute("data-confirm"):
        page.wait_for_timeout(800)
        button.click()


def test_takebacks_rematches_and_leaving(browser: Browser, served: Served) -> None:
    host, friend = players = [new_person(browser).new_page() for _ in range(2)]
    first = start(host, f"{served.url}/en/", "tictactoe")
    join(friend, shared(host))
    watcher = new_person(browser).new_page()
    watcher.goto(host.url)
    play(players, "b2 a1 c3")
    press(host, "[data-what=takeback]")
    press(friend, "[data-do=decline]")
    expect(host.locator("[data-say]")).to_contain_text("goes on")
    press(host, "[data-what=takeback]")
    press(friend, "[data-do=accept]")
    for page in (host, friend, watcher):
        expect(page.locator("[data-moves] li")).to_have_text(["b2", "a1"])
        expect(page.locator('[data-m="0.sign/c3"]')).to_have_count(0)
    turn_of(host, 0)
    play(players, "a2")
    press(friend, "[data-do=resign]")
    expect(host.locator("[data-say]")).to_contain_text("Crosses win.")
    press(host, "[data-what=rematch]")
    press(friend, "[data-do=accept]")
    for page in players:
        page.wait_for_url(lambda url: url != first)
        in_step(page)
    assert host.url.split("/t/")[1] == friend.url.split("/t/")[1]
    # Sides are changed, and whoever only watched is shown the way.
    assert [table(page).get_attribute("data-seat") for page in players] == ["1", "0"]
    expect(watcher).to_have_url(first)
    watcher.locator(".actions a[href*='/t/']").click()
    expect(watcher).to_have_url(host.url)
    turn_of(friend, 0)
    press(friend, "[data-do=leave]")
    expect(table(friend)).not_to_have_attribute("data-seat", re.compile("."))
    expect(host.locator("[data-moves] li")).to_have_count(1)
    expect(host.locator("[data-part=players]")).to_contain_text("engine")
    assert moves(host) == moves(friend)
