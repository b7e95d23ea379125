"""Dots and Boxes, Dots and Triangles: two people by link, fingers on small boards, chains by one press."""

from __future__ import annotations

import math
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
    says,
    shared,
    shows,
    table,
    turn_of,
)
from tests.e2e.test_hands import PHONE, touch
from tests.serving import Served

GIFT = "a1-b1 b1-b2 a1-a2"
"""After these three lines of 3 x 3 boxes the fourth side of a1 closes it: the second player has drawn one of them."""


def people(browser: Browser, served: Served, spec: str, **options: Any) -> list[Page]:
    """Two people at a table."""
    host, friend = (new_person(browser, **options).new_page() for _ in range(2))
    open_table(host, served.url, spec)
    join(friend, shared(host))
    turn_of(host, 0)
    return [host, friend]


def draw(pages: list[Page], names: str) -> None:
    """Whoever is to move presses the next line."""
    for name in names.split():
        before = len(moves(pages[0]))
        mover = pages[int(table(pages[0]).get_attribute("data-to") or 0)]
        in_step(mover)
        place(mover, name).click()
        for page in pages:
            expect(page.locator("[data-moves] li")).to_have_count(before + 1)
            in_step(page)


def inked(page: Page) -> set[str]:
    """The lines that are drawn in a seat's ink, and in which."""
    expect(page.locator(".board .new")).to_have_count(0)
    found = page.locator('[data-layer="0.line"] [class]')
    return set(found.evaluate_all("nodes => nodes.map(one => one.dataset.m.slice(7) + ' ' + one.className.baseVal)"))


@pytest.mark.parametrize("width", [360, 1280])
def test_two_people_by_a_shared_link(browser: Browser, served: Served, width: int) -> None:
    pages = host, _ = people(browser, served, "dots:size=3x3", viewport={"width": width, "height": 800})
    draw(pages, GIFT)
    assert inked(host) == {"a1-a2 s0"}, "only the last turn is in ink"
    assert table(host).get_attribute("data-to") == "1"
    draw(pages, "a2-b2")
    assert table(host).get_attribute("data-to") == "1", "a closed box draws again"
    for page in pages:
        says(page, "Red closed a box and draws again.")
    draw(pages, "b2-c2")
    for page in pages:
        says(page, "Red closed a box. ")
        assert inked(page) == {"a2-b2 s1", "b2-c2 s1"}, "the whole last turn is in ink"
        assert page.locator(".players .score").all_inner_texts() == ["0", "1"]
        assert page.locator('[data-layer="0.area"] .hatch.s1').count() == 1
        assert page.locator('[data-layer="0.sign"] use.s1').count() == 1
        expect(table(page)).to_have_attribute("data-to", "0")
        seen = marks(page)
        page.reload()
        in_step(page)
        draws(page, seen)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    host.locator("[data-step=back]").click()
    expect(host.locator('[data-m="0.line/b2-c2"]')).to_have_count(0)
    assert inked(host) == {"a2-b2 s1"}
    host.locator("[data-step=now]").last.click()
    expect(host.locator('[data-m="0.line/b2-c2"]')).to_have_count(1)
    draws(host, seen)


def test_a_chain_is_taken_by_one_press_where_that_is_wished(browser: Browser, served: Served) -> None:
    """Twice a corridor of three boxes is opened at its left end: the wish is off at first and remembered."""
    _, friend = pages = people(browser, served, "dots:size=3x3")
    draw(pages, "a2-b2 b2-c2 c2-d2 a1-b1 b1-c1 c1-d1 a1-a2")
    assert place(friend, "b1-b2").get_attribute("data-then") == "c1-c2 d1-d2"
    draw(pages, "b1-b2")
    friend.wait_for_timeout(300)
    expect(friend.locator("[data-moves] li")).to_have_count(8)
    friend.locator("[data-chains]").check()
    friend.reload()
    in_step(friend)
    expect(friend.locator("[data-chains]")).to_be_checked()
    place(friend, "c1-c2").click()
    for page in pages:
        expect(page.locator("[data-moves] li")).to_have_text([*moves(friend)[:8], "c1-c2", "d1-d2"])
        expect(page.locator(".score").last).to_have_text("3")
        expect(table(page)).to_have_attribute("data-to", "1")
    expect(friend.locator("[data-notice]")).to_be_hidden()
    box = friend.locator(".wish").bounding_box()
    assert box is not None
    assert box["height"] >= 44


STROLL = """steps => {
    const arrows = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"];
    const seen = new Set();
    let chance = 7;
    document.querySelector('[data-place][tabindex="0"]').focus();
    for (let n = 0; n < steps; n++) {
        chance = (chance * 48271) % 2147483647;
        const key = arrows[chance % 4];
        for (let times = chance % 7; times >= 0; times--) {
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            seen.add(document.activeElement.dataset.place);
        }
    }
    return [...document.querySelectorAll("[data-place]")].map(one => one.dataset.place).filter(one => !seen.has(one));
}"""


@pytest.mark.parametrize("spec", ["dots:size=5x5", "dots:lattice=triangles,size=8", "dots:lattice=strip,size=7"])
def test_arrow_keys_reach_every_line(browser: Browser, served: Served, spec: str) -> None:
    """A long stroll by arrow keys from the line where Tab leads, each kept pressed for a while."""
    page = new_person(browser).new_page()
    open_table(page, served.url, spec)
    assert page.evaluate(STROLL, 3000) == []


LINES = """() => [...document.querySelectorAll("[data-place]")].map(place => {
    const matrix = place.getScreenCTM();
    const points = place.getAttribute("points").split(" ").map(pair => {
        const [x, y] = pair.split(",").map(Number);
        const at = new DOMPoint(x, y).matrixTransform(matrix);
        return [at.x, at.y];
    });
    return [place.dataset.place, points[0], points[2]];
})"""
Spot = tuple[float, float]


def away(at: Spot, start: Spot, end: Spot) -> float:
    """How far a point is from a stroke."""
    along = (end[0] - start[0], end[1] - start[1])
    part = ((at[0] - start[0]) * along[0] + (at[1] - start[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    part = min(1.0, max(0.0, part))
    return math.hypot(start[0] + part * along[0] - at[0], start[1] + part * along[1] - at[1])


@pytest.mark.parametrize("spec", ["dots:size=16x16", "dots:lattice=triangles,size=8"])
def test_the_finger_means_the_nearest_line(browser: Browser, served: Served, spec: str) -> None:
    """Measured to the stroke itself, also near its ends and beside the border."""
    context = new_person(browser, **PHONE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    open_table(page, served.url, spec)
    join(new_person(browser).new_page(), shared(page))
    turn_of(page, 0)
    page.locator(".board").scroll_into_view_if_needed()
    lines = page.evaluate(LINES)
    rng = Random(spec)
    checked = 0
    touch(session, "touchStart", tuple(lines[0][1]))
    while checked < 40:
        _, start, end = rng.choice(lines)
        part, side = rng.uniform(0.04, 0.96), rng.uniform(-6, 6)
        at = (start[0] + part * (end[0] - start[0]) + side, start[1] + part * (end[1] - start[1]) + side)
        near = sorted((away(at, *ends), name) for name, *ends in lines)
        if near[1][0] - near[0][0] < 0.5:
            continue
        touch(session, "touchMove", at)
        expect(page.locator(".aim")).to_have_attribute("data-place", near[0][1])
        checked += 1
    touch(session, "touchMove", (at[0], page.locator(".board").bounding_box()["y"] - 30))  # type: ignore[index]
    touch(session, "touchEnd")
    assert moves(page) == []


def phones(browser: Browser, served: Served, spec: str) -> tuple[list[Page], list[CDPSession]]:
    """Two people with small phones at a table."""
    pages, sessions = [], []
    for _ in range(2):
        context = new_person(browser, **PHONE)
        pages.append(context.new_page())
        sessions.append(context.new_cdp_session(pages[-1]))
    open_table(pages[0], served.url, spec)
    join(pages[1], shared(pages[0]))
    return pages, sessions


def tap(pages: list[Page], sessions: list[CDPSession], name: str) -> None:
    """Whoever is to move taps a line; both hear it."""
    version = int(table(pages[0]).get_attribute("data-version") or 0)
    to = int(table(pages[0]).get_attribute("data-to") or 0)
    in_step(pages[to], version)
    x, y = pages[to].evaluate(
        """name => {
            const place = document.querySelector(`[data-place="${name}"]`);
            place.scrollIntoView({ block: "nearest", inline: "nearest" });
            const box = place.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        name,
    )
    touch(sessions[to], "touchStart", (x, y))
    touch(sessions[to], "touchEnd")
    for page in pages:
        expect(table(page)).to_have_attribute("data-version", str(version + 1))


def test_a_whole_triangle_by_touch_on_small_phones(browser: Browser, served: Served) -> None:
    """All 108 lines of the largest triangle, unenlarged: aim, then lift."""
    pages, sessions = phones(browser, served, "dots:lattice=triangles,size=8")
    names = list(game("dots:lattice=triangles,size=8").actions or ())
    Random(8).shuffle(names)
    assert len(names) == 108
    for name in names:
        tap(pages, sessions, name)
    for page in pages:
        expect(table(page)).to_have_attribute("data-to", "")
        shows(page, names)
        assert sum(map(int, page.locator(".players .score").all_inner_texts())) == 64
        assert page.evaluate("scrollX") == 0


def test_sixty_lines_of_the_largest_board_on_small_phones(browser: Browser, served: Served) -> None:
    pages, sessions = phones(browser, served, "dots:size=16x16")
    for page in pages:
        for _ in range(4):
            page.locator("[data-zoom=in]").click()
        expect(page.locator("[data-zoom=in]")).to_have_attribute("aria-disabled", "true")
        # A circle that fits between the two ends and the two middles beside the line.
        least = page.locator("[data-place]").evaluate_all(
            """places => Math.min(...places.map(place => {
                const box = place.getBoundingClientRect();
                return box.width * box.height / Math.hypot(box.width, box.height);
            }))"""
        )
        assert least >= 24
    names = list(game("dots:size=16x16").actions or ())
    for name in Random(16).sample(names, 60):
        tap(pages, sessions, name)
    expect(pages[1].locator("[data-moves] li")).to_have_count(60)
    for page in pages:
        assert page.evaluate("scrollX") == 0
        page.locator("[data-zoom=out]").click(click_count=1)


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_axe_finds_nothing(browser: Browser, served: Served, width: int, scheme: str) -> None:
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    pages = people(browser, served, "dots:size=3x3", color_scheme=scheme, viewport={"width": width, "height": 800})
    draw(pages, f"{GIFT} a2-b2")
    for path in ("", "/en/new/dots", "/ru/new/dots?preset=three"):
        page = pages[0]
        if path:
            page.goto(served.url + path)
            page.locator("details.more summary").click()
        found = Axe().run(page, options=options)
        assert found.violations_count == 0, f"{path}\n{found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_form_shows_the_fields_of_the_chosen_lattice(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    page.goto(f"{served.url}/en/new/dots")
    page.locator("details.more summary").click()
    shapes = page.locator(".shape:visible")
    expect(shapes).to_have_count(1)
    assert shapes.get_attribute("data-shape") == "boxes"
    seats = page.locator("[data-seat-choice]:visible")
    expect(seats).to_have_count(2)
    page.locator("input[name=preset][value=three]").check()
    expect(seats).to_have_count(3)
    assert page.locator("[name='boxes.size']").input_value() == "6x6"
    page.locator("input[name=preset][value=closed5]").check()
    expect(seats).to_have_count(2)
    assert shapes.get_attribute("data-shape") == "triangles"
    assert page.locator("[name='triangles.border']").input_value() == "closed"
    page.locator("[name='triangles.size']").fill("9")
    page.keyboard.press("Tab")
    expect(page.locator("input[name=preset]:checked")).to_have_count(0)
    page.locator("form[data-setup] button.first").click()
    expect(page.locator("[name='triangles.size']")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".shape:visible #wrong")).to_be_visible()
    page.locator("[name='triangles.size']").fill("3")
    page.locator("[name='triangles.players']").fill("4")
    page.locator("input[name=seat][value='3']").check()
    page.locator("form[data-setup] button.first").click()
    page.wait_for_url("**/t/*")
    in_step(page)
    assert table(page).get_attribute("data-seat") == "3"
    assert page.locator("[data-place]").count() == 9, "the border of side 3 is drawn already"
