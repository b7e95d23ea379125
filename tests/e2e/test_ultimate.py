"""Ultimate tic-tac-toe: small boards under large fingers, a whole game by keys, and where a move would lead."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, CDPSession, Page, expect

from kletka.games import game
from tests.e2e.people import (
    draws,
    in_step,
    join,
    marks,
    moves,
    new_person,
    open_table,
    place,
    shared,
    shows,
    table,
    turn_of,
)
from tests.e2e.test_hands import PHONE, middle, touch
from tests.serving import Served

SMALL: dict[str, Any] = PHONE | {"viewport": {"width": 320, "height": 640}}


def people(browser: Browser, served: Served, **options: Any) -> list[Page]:
    """Two people at a table, the first with crosses."""
    pages = [new_person(browser, **options).new_page() for _ in range(2)]
    open_table(pages[0], served.url, "ultimate")
    join(pages[1], shared(pages[0]))
    turn_of(pages[0], 0)
    return pages


def short_game() -> list[str]:
    """The shortest of some random games that somebody wins."""
    found: list[list[str]] = []
    for seed in range(80):
        rng = Random(seed)
        state = game("ultimate").start()
        played: list[str] = []
        while state.outcome is None:
            move = state.sample(rng)
            state = state.play(move)
            played.append(move)
        if len(state.outcome.winners) == 1:
            found.append(played)
    return min(found, key=len)


def offered(page: Page) -> set[str]:
    """The places that a press would play."""
    return set(page.locator("[data-place]:not([aria-disabled])").evaluate_all("all => all.map(p => p.dataset.place)"))


def boards(page: Page, kind: str) -> set[str]:
    """The small boards that are lit up, or framed because they are open."""
    if kind == "lit":
        return set(page.locator("[data-block].lit").evaluate_all("all => all.map(b => b.dataset.block)"))
    return set(page.locator("[data-m^='0.area/open-']").evaluate_all("all => all.map(m => m.dataset.m.slice(-2))"))


def walk(page: Page, name: str) -> None:
    """Go to a cell by arrow keys, from wherever the focus is: nine columns and nine rows."""

    def split(cell: str) -> tuple[int, int]:
        across = 3 * "abc".index(cell[0]) + "abc".index(cell[2])
        return across, 3 * int(cell[1]) + int(cell[3])

    wanted = split(name)
    for _ in range(20):
        here = split(str(page.evaluate("document.activeElement.dataset.place")))
        if here == wanted:
            return
        if here[0] != wanted[0]:
            page.keyboard.press("ArrowRight" if here[0] < wanted[0] else "ArrowLeft")
        else:
            page.keyboard.press("ArrowUp" if here[1] < wanted[1] else "ArrowDown")
    raise AssertionError(f"the keys don't lead to {name}")


def test_a_whole_game_by_keys(browser: Browser, served: Served) -> None:
    """At every turn the page offers what the rules allow, and frames and lights the boards that they name."""
    pages = people(browser, served)
    state = game("ultimate").start()
    for page in pages:
        page.locator('[data-place][tabindex="0"]').focus()
    names = short_game()
    for number, name in enumerate(names):
        mover = pages[number % 2]
        turn_of(mover, number % 2)
        assert offered(mover) == set(state.moves())
        assert boards(mover, "open") == {move[:2] for move in state.moves()}
        walk(mover, name)
        state = state.play(game("ultimate").parse(name))
        assert boards(mover, "lit") == {move[:2] for move in state.moves()}
        mover.keyboard.press("Enter")
        for page in pages:
            expect(page.locator("[data-moves] li")).to_have_count(number + 1)
    assert state.outcome is not None
    for page in pages:
        expect(table(page)).to_have_attribute("data-to", "")
        assert boards(page, "open") == set()
        assert page.locator("[data-layer='0.area'] .hatch").count() == 1
        shows(page, names)
    seen = marks(pages[0])
    pages[0].reload()
    in_step(pages[0])
    draws(pages[0], seen)
    draws(pages[1], seen)


def tap(page: Page, session: CDPSession, name: str) -> None:
    """A finger on a cell, lifted at once."""
    touch(session, "touchStart", middle(page, name))
    touch(session, "touchEnd")


def test_fingers_enlarge_a_board_and_then_play(browser: Browser, served: Served) -> None:
    contexts = [new_person(browser, **SMALL) for _ in range(2)]
    pages = [context.new_page() for context in contexts]
    sessions = [context.new_cdp_session(page) for context, page in zip(contexts, pages, strict=True)]
    open_table(pages[0], served.url, "ultimate")
    join(pages[1], shared(pages[0]))
    for number, name in enumerate(short_game()[:10]):
        page, session = pages[number % 2], sessions[number % 2]
        turn_of(page, number % 2)
        least = place(page, name).bounding_box()
        assert least is not None
        assert least["width"] < 44
        tap(page, session, name)
        expect(page.locator(".board.zoomed")).to_have_count(1)
        expect(page.locator("[data-moves] li")).to_have_count(number)
        leads = (place(page, name).get_attribute("data-lights") or "").split()
        assert boards(page, "lit") == set(leads) != set()
        wide = place(page, name).bounding_box()
        assert wide is not None
        assert min(wide["width"], wide["height"]) >= 44
        tap(page, session, name)
        for other in pages:
            expect(other.locator("[data-moves] li")).to_have_count(number + 1)
        expect(page.locator(".board.zoomed")).to_have_count(0)
        assert page.evaluate("scrollX") == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_look_into_another_board_plays_nothing(browser: Browser, served: Served) -> None:
    context = new_person(browser, **SMALL)
    page = context.new_page()
    session = context.new_cdp_session(page)
    open_table(page, served.url, "ultimate", "engine")
    turn_of(page, 0)
    for back in ("button", "beside"):
        tap(page, session, "b2b2")
        expect(page.locator(".board.zoomed")).to_have_count(1)
        way = page.locator("[data-zoom=out]")
        expect(way).to_have_text("Whole board")
        # Beside the enlarged board there is room for a finger.
        room, cell = page.locator(".board").bounding_box(), place(page, "b2a1").bounding_box()
        assert room is not None
        assert cell is not None
        assert cell["x"] - room["x"] >= 44
        if back == "button":
            way.tap()
            expect(way).to_have_text("Smaller")
        else:
            touch(session, "touchStart", (room["x"] + 40, room["y"] + room["height"] / 2))
            touch(session, "touchEnd")
        expect(page.locator(".board.zoomed")).to_have_count(0)
        expect(page.locator(".lit")).to_have_count(0)
    assert moves(page) == []


def test_the_mouse_shows_where_a_move_leads(browser: Browser, served: Served) -> None:
    page, friend = people(browser, served)
    place(page, "b2c1").hover()
    assert boards(page, "lit") == {"c1"}
    place(page, "b2a3").hover()
    assert boards(page, "lit") == {"a3"}
    place(page, "b2a3").click()
    expect(friend.locator("[data-moves] li")).to_have_count(1)
    turn_of(friend, 1)
    assert boards(friend, "open") == {"a3"}
    page.mouse.move(2, 2)
    expect(page.locator(".lit")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_axe_finds_nothing(browser: Browser, served: Served, width: int, scheme: str) -> None:
    page = new_person(browser, color_scheme=scheme, viewport={"width": width, "height": 800}).new_page()
    address = open_table(page, served.url, "ultimate", "engine")
    turn_of(page, 0)
    place(page, "b2a3").click()
    turn_of(page, 0)
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    for path in (address, f"{served.url}/fr/new/ultimate"):
        page.goto(path)
        found = Axe().run(page, options=options)
        assert found.violations_count == 0, f"{path}\n{found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
