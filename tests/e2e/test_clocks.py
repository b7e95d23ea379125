"""Clocks of seconds, driven by the real server."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import in_step, join, new_person, open_table, place, play, shared, table, turn_of
from tests.serving import Served

WRONG = "const now = Date.now; Date.now = () => now() + 3_600_000;"
"""A machine whose clock is an hour fast."""


def clock(page: Page, seat: int) -> str:
    """What a seat's clock shows."""
    return page.locator(f'[data-clock="{seat}"]').inner_text()


def test_a_short_clock_ticks_hurries_and_falls(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser, language).new_page() for language in ("fr", "en"))
    host.add_init_script(WRONG)
    open_table(host, served.url, "tictactoe", language="fr", clock="move:12")
    join(friend, shared(host).replace("/t/", "/en/t/"))
    # First moves aren't counted.
    expect(host.locator('[data-clock="0"]')).to_have_text("0:12")
    expect(host.locator(".clocks .runs")).to_have_count(0)
    play([host, friend], "b2 a1")
    turn_of(host, 0)
    own, seen = host.locator('[data-clock="0"]'), friend.locator('[data-clock="0"]')
    expect(host.locator('[data-clock-row="0"]')).to_have_class(re.compile("runs"))
    expect(host.locator('[data-clock="1"]')).to_have_text("0:12")
    expect(own).to_have_text(re.compile(r"^\d,\d – vite.!$"))
    expect(own).to_have_class(re.compile("low"))
    expect(seen).to_have_text(re.compile(r"^\d\.\d$"))
    # Told aloud once, not every second, and to nobody else.
    expect(host.locator("[data-clock-words]")).to_have_text("Il vous reste dix secondes.")
    expect(friend.locator("[data-clock-words]")).to_be_empty()
    for page in (host, friend):
        expect(table(page)).to_have_attribute("data-to", "")
        expect(page.locator(".clocks .runs, .clock.low")).to_have_count(0)
    expect(friend.locator("[data-say]")).to_contain_text("Noughts win.")


def test_a_long_clock_is_counted_in_days_and_a_total_one_stands_while_the_other_runs(
    browser: Browser, served: Served
) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    open_table(host, served.url, "tictactoe", clock="move:172800")
    join(friend, shared(host))
    turn_of(host, 0)
    expect(host.locator('[data-clock="0"]')).to_have_text(re.compile("^[12].d.(0|23).h$"))
    open_table(host, served.url, "tictactoe", clock="total:75+5")
    join(friend, shared(host))
    play([host, friend], "b2 a1")
    turn_of(host, 0)
    expect(host.locator('[data-clock-row="0"]')).to_have_class(re.compile("runs"))
    expect(host.locator('[data-clock="0"]')).to_have_text(re.compile("^1:1[0-9]$"))
    stood = clock(host, 1)
    place(host, "c3").click()
    turn_of(friend, 1)
    # What the turn took is gone, and the increment has come.
    expect(host.locator('[data-clock="0"]')).to_have_text(re.compile("^1:(1[5-9]|2[0-5])$"))
    expect(host.locator('[data-clock-row="1"]')).to_have_class(re.compile("runs"))
    expect(host.locator('[data-clock="1"]')).not_to_have_text(stood)
    host.reload()
    in_step(host)
    expect(host.locator('[data-clock="1"]')).to_have_text(re.compile(r"^(1:[01]\d|0:5\d)$"))


def test_a_small_phone_shows_who_leads_without_scrolling(browser: Browser, served: Served) -> None:
    page = new_person(browser, viewport={"width": 360, "height": 640}).new_page()
    open_table(page, served.url, "dots:size=2x2", "screen", clock="total:36000+59")
    for number, name in enumerate(["a1-b1", "a2-b2", "a1-a2", "b1-b2"]):
        turn_of(page, number % 2)
        place(page, name).press("Enter")
    rows = [page.locator(f'[data-clock-row="{seat}"]') for seat in (0, 1)]
    for row, score in zip(rows, ("0", "1"), strict=True):
        expect(row).to_be_in_viewport(ratio=1)
        expect(row.locator(".score")).to_have_text(re.compile(f"{score}$"))
        expect(row.locator(".clock")).to_be_visible()
    assert rows[0].evaluate("e => e.offsetTop") == rows[1].evaluate("e => e.offsetTop")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
