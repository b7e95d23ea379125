"""What a person does at a table, and what they look at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

LIVE = re.compile("on")
PATIENCE = 20_000
"""Longest wait for anything, in ms: a busy machine is no reason to fail, and what comes costs no wait."""


def new_person(browser: Browser, language: str = "en", **options: Any) -> BrowserContext:
    """A person with a browser of their own, which is new to Kletka.

    Without the service worker, which each of them would install anew; `service_workers="allow"` lets it in.
    """
    options.setdefault("service_workers", "block")
    context = browser.new_context(locale=language, **options)
    context.set_default_timeout(PATIENCE)
    return context


def table(page: Page) -> Locator:
    """The table's element."""
    return page.locator("kletka-table")


def in_step(page: Page, version: int | None = None) -> None:
    """Wait until the page is connected (and shows a version)."""
    expect(table(page)).to_have_attribute("data-live", "on")
    if version is not None:
        expect(table(page)).to_have_attribute("data-version", str(version))
    expect(table(page)).not_to_have_attribute("data-pending", "")


def place(page: Page, name: str) -> Locator:
    """A place of the board by its id."""
    return page.locator(f'[data-place="{name}"]')


def start(page: Page, url: str, preset: str, against: str = "friend") -> str:
    """From the home page, one press on a preset's button: gives the table's address."""
    page.goto(url)
    card = page.locator(f'.card:has(input[value="{preset}"])')
    if not card.is_visible():
        page.locator("details.others", has=card).locator("summary").click()
    card.locator(f'button[value="{against}"]').click()
    page.wait_for_url("**/t/*")
    in_step(page)
    return page.url


def open_table(
    page: Page, url: str, spec: str, against: str = "friend", language: str = "en", clock: str = "none"
) -> str:
    """Open a table of any spec without the home page's buttons, and sit down: gives its address."""
    answer = page.request.post(
        f"{url}/{language}/tables",
        form={"spec": spec, "with": against, "clock": clock},
        max_redirects=0,
        fail_on_status_code=False,
    )
    page.goto(url + answer.headers["location"])
    in_step(page)
    return page.url


def shared(page: Page) -> str:
    """The link that the page offers to share."""
    return page.locator("#link").input_value()


def join(page: Page, link: str, name: str = "") -> None:
    """Open a shared link and take a free seat by pressing its button."""
    page.goto(link)
    if name:
        page.locator("[data-part=take] input[name=name]").fill(name)
    page.locator("[data-part=take] button").first.click()
    page.wait_for_load_state()
    in_step(page)


def moves(page: Page) -> list[str]:
    """The list of moves as it is shown."""
    return page.locator("[data-moves] li").all_inner_texts()


def says(page: Page, text: str) -> None:
    """Wait until the sentence under the board says something."""
    expect(page.locator("[data-say]")).to_contain_text(text)


def shows(page: Page, names: Sequence[str]) -> None:
    """Wait until the list of moves is this one."""
    expect(page.locator("[data-moves] li")).to_have_text(names)


def act(page: Page, what: str) -> None:
    """Press an action, behind "More" where it stands there."""
    button = page.locator(f"[data-part=actions] {what}")
    if not button.is_visible():
        page.locator("[data-part=actions] details.others summary").click()
    button.click()


def turn_of(page: Page, seat: int) -> None:
    """Wait until it is a seat's turn here."""
    expect(table(page)).to_have_attribute("data-to", str(seat))
    in_step(page)


def play(players: list[Page], names: str, watchers: list[Page] | None = None) -> None:
    """Two people play by pressing places in turn; after each press all pages show the move."""
    for name in names.split():
        before = len(moves(players[0]))
        mover = players[before % 2]
        turn_of(mover, before % 2)
        place(mover, name).click()
        for page in (*players, *(watchers or [])):
            expect(page.locator("[data-moves] li")).to_have_count(before + 1)


def marks(page: Page) -> list[str]:
    """The board's marks with all their attributes, in order; new marks settle within a second."""
    expect(page.locator(".board .new")).to_have_count(0)
    found: list[str] = page.locator("[data-m]").evaluate_all(
        """nodes => nodes.map(node => [...node.querySelectorAll("*"), node].map(one => one.tagName + [...one.attributes]
            .map(a => ` ${a.name}=${a.value}`).sort().join("")).join("|")).sort()"""
    )
    return found


def draws(page: Page, drawn: list[str]) -> None:
    """Wait until the board's marks are these."""
    for _ in range(50):
        if marks(page) == drawn:
            return
        page.wait_for_timeout(100)
    assert marks(page) == drawn
