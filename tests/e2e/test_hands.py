"""A whole game by the keyboard alone, and by touch on a small phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from tests.e2e.people import in_step, moves, new_person, open_table, place, says, shared, shows, start, table, turn_of
from tests.serving import Served

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def press_until(page: Page, key: str, wanted: Locator, most: int = 60) -> None:
    """Press a key until something has the focus."""
    for _ in range(most):
        if wanted.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never reaches it")


def walk(page: Page, name: str) -> None:
    """Go to a cell by arrow keys and page keys, from wherever the focus is on the board."""

    def where() -> str:
        return str(page.evaluate("document.activeElement.dataset.place"))

    def split(cell: str) -> tuple[int, int, int]:
        layer, rest = (int(cell[0]), cell[1:]) if cell[0].isdigit() else (1, cell)
        return layer, ord(rest[0]) - 97, int(rest[1:])

    wanted = split(name)
    for _ in range(40):
        here = split(where())
        if here == wanted:
            return
        if here[0] != wanted[0]:
            page.keyboard.press("PageUp" if here[0] < wanted[0] else "PageDown")
        elif here[1] != wanted[1]:
            page.keyboard.press("ArrowRight" if here[1] < wanted[1] else "ArrowLeft")
        else:
            page.keyboard.press("ArrowUp" if here[2] < wanted[2] else "ArrowDown")
    raise AssertionError(f"the keys don't lead to {name}")


@pytest.mark.parametrize(
    ("preset", "names"),
    [("classic", "b2 a1 c3 a3 a2 c2 b1 b3 c1"), ("qubic", "1a1 4a1 1b1 4b1 1c1 4c2 1d1")],
)
def test_a_whole_game_by_keyboard_alone(browser: Browser, served: Served, preset: str, names: str) -> None:
    spec = {"classic": "tictactoe", "qubic": "tictactoe:shape=4x4x4"}[preset]
    host, friend = (new_person(browser).new_page() for _ in range(2))
    host.goto(f"{served.url}/en/")
    press_until(host, "Tab", host.locator(f'.card:has(input[value="{spec}"]) button[value=friend]'))
    host.keyboard.press("Enter")
    host.wait_for_url("**/t/*")
    in_step(host)
    friend.goto(shared(host))
    press_until(friend, "Tab", friend.locator("[data-part=take] button").first)
    friend.keyboard.press("Enter")
    friend.wait_for_load_state()
    for page in (host, friend):
        in_step(page)
        press_until(page, "Tab", page.locator('[data-place][tabindex="0"]'))
    for number, name in enumerate(names.split()):
        mover = (host, friend)[number % 2]
        turn_of(mover, number % 2)
        walk(mover, name)
        mover.keyboard.press("Enter" if number % 3 else "Space")
        expect(mover.locator("[data-moves] li")).to_have_count(number + 1)
        assert mover.evaluate("document.activeElement.dataset.place") == name, "the focus stays"
    for page in (host, friend):
        expect(table(page)).to_have_attribute("data-to", "")
    shows(host, names.split())
    says(friend, "draw" if preset == "classic" else "Crosses win")


def test_arrows_reach_every_place(browser: Browser, served: Served) -> None:
    """Breadth-first over real key presses: every cell of 3x3x3 is reached from the first."""
    page = new_person(browser).new_page()
    start(page, f"{served.url}/en/", "tictactoe:shape=3x3x3")
    page.locator('[data-place][tabindex="0"]').focus()
    seen = set()
    for key in ["Home", *(["ArrowRight"] * 8 + ["ArrowDown"] + ["ArrowLeft"] * 8 + ["ArrowDown"]) * 2]:
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.dataset.place"))
    for key in ["PageUp", "PageUp", "PageDown"]:
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.dataset.place"))
    assert len(seen) == 27


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """A touch event of the browser: touchStart, touchMove, touchEnd."""
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def middle(page: Page, name: str) -> tuple[float, float]:
    """Where a place is on the screen."""
    box = place(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_whole_game_by_touch_on_a_phone(browser: Browser, served: Served) -> None:
    pages, sessions = [], []
    for _ in range(2):
        context = new_person(browser, **PHONE)
        page = context.new_page()
        pages.append(page)
        sessions.append(context.new_cdp_session(page))
    host, friend = pages
    host.goto(f"{served.url}/en/")
    host.locator('.card:has(input[value="tictactoe:shape=4x4x4"]) button[value=friend]').tap()
    host.wait_for_url("**/t/*")
    friend.goto(shared(host))
    friend.locator("[data-part=take] button").first.tap()
    for page in pages:
        in_step(page)
    names = ["1a1", "4a1", "1b1", "4b1", "1c1", "4c2", "1d1"]
    for number, name in enumerate(names):
        page, session = pages[number % 2], sessions[number % 2]
        turn_of(page, number % 2)
        x, y = middle(page, name)
        touch(session, "touchStart", (x, y))
        if number == 2:
            # A second finger takes the first one's aim back.
            touch(session, "touchStart", (x, y), (x + 60, y + 60))
            touch(session, "touchEnd")
            page.wait_for_timeout(150)
            expect(page.locator("[data-moves] li")).to_have_count(2)
            touch(session, "touchStart", (x, y))
        if number % 2:
            touch(session, "touchMove", (x + 7, y - 5))
        touch(session, "touchEnd")
        for other in pages:
            expect(other.locator("[data-moves] li")).to_have_count(number + 1)
    says(friend, "Crosses win")


def test_sliding_changes_the_aim(browser: Browser, served: Served) -> None:
    context = new_person(browser, **PHONE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    start(page, f"{served.url}/en/", "tictactoe:shape=15x15,line=5", "engine")
    turn_of(page, 0)
    touch(session, "touchStart", middle(page, "c3"))
    expect(place(page, "c3")).to_have_class("aim")
    touch(session, "touchMove", middle(page, "h8"))
    expect(place(page, "h8")).to_have_class("aim")
    assert page.evaluate("scrollY") == 0
    touch(session, "touchEnd")
    expect(page.locator("[data-moves] li").first).to_have_text("h8")


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:shape=4x4x4"])
def test_targets_are_large_enough_on_a_small_phone(browser: Browser, served: Served, spec: str) -> None:
    page = new_person(browser, viewport={"width": 320, "height": 640}).new_page()
    start(page, f"{served.url}/en/", spec)
    for element in page.locator("[data-place]").all():
        box = element.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
    for element in page.locator("button:visible, a.button:visible").all():
        box = element.bounding_box()
        assert box is not None
        assert box["height"] >= 43.5


def wish(page: Page, name: str) -> None:
    """Switch something on at "At this table"."""
    page.locator("details.wishes summary").click()
    page.locator(f"[data-wish={name}]").check()


def test_a_move_that_is_asked_for(browser: Browser, served: Served) -> None:
    """The first press marks, the second plays: by keys, by the button, by a finger."""
    page = new_person(browser).new_page()
    start(page, f"{served.url}/en/", "tictactoe", "engine")
    turn_of(page, 0)
    wish(page, "sure")
    place(page, "b2").press("Enter")
    expect(place(page, "b2")).to_have_class("held")
    expect(page.locator("[data-hint]")).to_contain_text("b2 is marked")
    place(page, "a1").press("Enter")
    expect(place(page, "b2")).not_to_have_class("held")
    page.keyboard.press("Escape")
    expect(page.locator("[data-holding]")).to_be_hidden()
    place(page, "a1").dblclick()
    expect(place(page, "a1")).to_have_class("held")
    assert moves(page) == []
    page.locator("[data-held=play]").click()
    expect(page.locator("[data-moves] li").first).to_have_text("a1")
    expect(page.locator("[data-holding]")).to_be_hidden()
    context = new_person(browser, **PHONE)
    phone, session = context.new_page(), context.new_cdp_session(context.pages[0])
    start(phone, f"{served.url}/en/", "tictactoe", "engine")
    turn_of(phone, 0)
    wish(phone, "sure")
    place(phone, "c3").scroll_into_view_if_needed()
    for _ in range(2):
        assert moves(phone) == []
        x, y = middle(phone, "c3")
        touch(session, "touchStart", (x, y))
        touch(session, "touchEnd")
        phone.wait_for_timeout(400)
    expect(phone.locator("[data-moves] li").first).to_have_text("c3")


@pytest.mark.parametrize("zooms", [0, 2])
def test_a_tap_that_drifts_counts_at_the_nearest_place(browser: Browser, served: Served, zooms: int) -> None:
    context = new_person(browser, **PHONE)
    page, session = context.new_page(), context.new_cdp_session(context.pages[0])
    start(page, f"{served.url}/en/", "tictactoe:shape=15x15,line=5", "engine")
    turn_of(page, 0)
    for _ in range(zooms):
        page.locator("[data-zoom=in]").tap()
    place(page, "h8").scroll_into_view_if_needed()
    x, y = middle(page, "h8")
    touch(session, "touchStart", (x - 4, y - 3))
    touch(session, "touchMove", (x, y))
    touch(session, "touchMove", (x + 3, y + 2))
    touch(session, "touchEnd")
    expect(page.locator("[data-moves] li").first).to_have_text("h8")


@pytest.mark.parametrize("spec", ["tictactoe:shape=4x4x4", "orapa", "crystals"])
def test_nothing_is_cut_off_at_two_hundred_per_cent(browser: Browser, served: Served, spec: str) -> None:
    """A screen of 1280 by 800 enlarged twice, and no motion wanted."""
    page = new_person(
        browser, viewport={"width": 640, "height": 400}, device_scale_factor=2, reduced_motion="reduce"
    ).new_page()
    open_table(page, served.url, spec, "engine")
    page.locator("details.wishes summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    cut = page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, summary, label, p, h1, h2, input, svg.panel)")]
            .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden, .moves, .skip"))
            .filter((one) => { const box = one.getBoundingClientRect(); return box.left < -1 || box.right > 641; })
            .map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert cut == []
    assert page.evaluate("document.getAnimations().length") == 0
