"""Other ways to look at a board: lights along lines, layers as a stack, one block at a time on small screens."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import in_step, join, moves, new_person, open_table, place, table, turn_of
from tests.e2e.test_hands import PHONE, middle, touch
from tests.serving import Served

QUBIC = "tictactoe:shape=4x4x4"


def through(name: str) -> set[str]:
    """The other cells of every line of four through a cell of the cube, by coordinates alone."""

    def point(cell: str) -> tuple[int, int, int]:
        return int(cell[0]) - 1, ord(cell[1]) - 97, int(cell[2]) - 1

    def in_line(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        along = [a != b for a, b in zip(one, other, strict=True)]
        run = [(a, b) for a, b, moved in zip(one, other, along, strict=True) if moved]
        return (
            len({min(a, 3 - a) for a, _ in run}) == 1
            and all((a == c) == (b == d) and (a == 3 - c) == (b == 3 - d) for a, b in run for c, d in run)
            if len(run) > 1
            else bool(run)
        )

    cells = [f"{z}{x}{y}" for z in range(1, 5) for x in "abcd" for y in range(1, 5)]
    return {cell for cell in cells if in_line(point(name), point(cell))}


def lit(page: Page) -> set[str]:
    """The places that are lit up."""
    return set(page.locator("[data-place].lit").evaluate_all("nodes => nodes.map(node => node.dataset.place)"))


@pytest.mark.parametrize("name", ["1a1", "2b2", "3c1"])
def test_pointing_lights_the_lines_through_a_cell(browser: Browser, served: Served, name: str) -> None:
    page = new_person(browser).new_page()
    open_table(page, served.url, QUBIC)
    place(page, name).hover()
    assert lit(page) == through(name)
    page.mouse.move(2, 2)
    expect(page.locator(".lit")).to_have_count(0)
    page.locator('[data-place][tabindex="0"]').focus()
    page.keyboard.press("PageUp")
    page.keyboard.press("PageDown")
    assert lit(page) == through(str(page.evaluate("document.activeElement.dataset.place")))


def test_layers_as_a_stack_are_for_looking(browser: Browser, served: Served) -> None:
    page = new_person(browser, viewport={"width": 1280, "height": 800}).new_page()
    open_table(page, served.url, QUBIC, "engine")
    turn_of(page, 0)
    page.locator("[data-stack]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-stack]")).to_have_attribute("aria-pressed", "true")
    tops = [panel.bounding_box()["y"] for panel in page.locator(".panel").all()]  # type: ignore[index]
    assert tops == sorted(tops, reverse=True), "the first layer lies at the bottom"
    place(page, "4a1").hover()
    assert lit(page) == through("4a1")
    place(page, "4a1").click()
    page.wait_for_timeout(200)
    assert moves(page) == []
    turned = "getComputedStyle(document.querySelector('.leaf')).transform"
    before = page.evaluate(turned)
    page.locator("[data-turn]").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(turned) != before
    before = page.locator("[data-turn]").input_value()
    x, y = middle(page, "4b2")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=3)
    page.mouse.up()
    now = page.locator("[data-turn]").input_value()
    assert now != before
    assert moves(page) == []
    page.reload()
    in_step(page)
    # A page begins with the board that plays; how the stack was turned is kept.
    expect(page.locator("[data-hint]")).to_be_hidden()
    page.locator("[data-stack]").click()
    expect(page.locator("[data-hint]")).to_contain_text("for looking")
    assert page.locator("[data-turn]").input_value() == now
    place(page, "4b2").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-moves] li").first).to_have_text("4b2")
    page.locator("[data-stack]").click()
    expect(page.locator(".stacked")).to_have_count(0)
    turn_of(page, 0)
    free = page.locator("[data-panel='0'] [data-place]:not([aria-disabled])").first
    name = str(free.get_attribute("data-place"))
    free.click()
    expect(page.locator("[data-moves] li").nth(2)).to_have_text(name)


def test_a_finger_turns_the_stack_and_lights_it(browser: Browser, served: Served) -> None:
    context = new_person(browser, **PHONE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    open_table(page, served.url, QUBIC, "engine")
    turn_of(page, 0)
    page.locator("[data-stack]").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    place(page, "4b2").scroll_into_view_if_needed()
    at = middle(page, "4b2")
    touch(session, "touchStart", at)
    touch(session, "touchEnd")
    expect(page.locator(".lit")).to_have_count(len(through("4b2")))
    before = page.locator("[data-turn]").input_value()
    touch(session, "touchStart", at)
    for step in range(1, 6):
        touch(session, "touchMove", (at[0] + 12 * step, at[1]))
    touch(session, "touchEnd")
    expect(page.locator("[data-turn]")).not_to_have_value(before)
    assert moves(page) == []
    for control in ("[data-stack]", "[data-turn]"):
        box = page.locator(control).bounding_box()
        assert box is not None
        assert box["height"] >= 43.5
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
    assert found.violations_count == 0, found.generate_report()


WITH_BLOCKS = """document.addEventListener("readystatechange", () => {
    const first = document.querySelector('[data-place="a9"]');
    if (document.readyState !== "interactive" || !first) return;
    const [left, top] = first.getAttribute("points").split(/[ ,]/).map(Number);
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    for (const n of Array(9).keys()) {
        const block = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
        const [x, y] = [left + 300 * (n % 3), top + 300 * Math.floor(n / 3)];
        block.setAttribute("data-block", "ABC"[n % 3] + (3 - Math.floor(n / 3)));
        block.setAttribute("points", `${x},${y} ${x + 300},${y} ${x + 300},${y + 300} ${x},${y + 300}`);
        group.append(block);
    }
    document.querySelector(".places").before(group);
    document.querySelector('[data-place="h8"]').setAttribute("data-lights", "B2");
})"""
"""A page of 9 x 9 cells as if each 3 x 3 were a block `A1`..`C3`; the cell `h8` lights the block of the middle."""


def seen_whole(page: Page, names: list[str]) -> bool:
    """Whether these places lie inside the board's room, each at least a finger wide."""
    room = page.locator(".board").bounding_box()
    assert room is not None
    for name in names:
        box = place(page, name).bounding_box()
        assert box is not None
        inside = box["x"] >= room["x"] - 1 and box["x"] + box["width"] <= room["x"] + room["width"] + 1
        inside = inside and box["y"] >= room["y"] - 1 and box["y"] + box["height"] <= room["y"] + room["height"] + 1
        if not inside or min(box["width"], box["height"]) < 44:
            return False
    return True


def test_a_finger_enlarges_one_block_and_then_plays(browser: Browser, served: Served) -> None:
    context = new_person(browser, **PHONE | {"viewport": {"width": 320, "height": 640}})
    page = context.new_page()
    session = context.new_cdp_session(page)
    page.add_init_script(WITH_BLOCKS)
    open_table(page, served.url, "tictactoe:shape=9x9,line=5", "engine")
    turn_of(page, 0)
    block = [f"{column}{row}" for column in "ghi" for row in (7, 8, 9)]

    def tap(name: str) -> None:
        at = middle(page, name)
        touch(session, "touchStart", at)
        touch(session, "touchEnd")

    enlarged = page.locator(".board.zoomed")
    tap("h8")
    expect(enlarged).to_have_count(1)
    assert seen_whole(page, block)
    expect(page.locator("[data-hint]")).to_contain_text("Board C3")
    assert moves(page) == []
    expect(page.locator("[data-block=B2]")).to_have_class("lit")
    page.locator("[data-zoom=out]").tap()
    expect(enlarged).to_have_count(0)
    expect(page.locator("[data-hint]")).to_be_hidden()
    expect(page.locator("[data-zoom=out]")).to_have_attribute("aria-disabled", "true")
    tap("h8")
    expect(enlarged).to_have_count(1)
    box = place(page, "g7").bounding_box()
    assert box is not None
    beside = (box["x"] - 8, box["y"] + box["height"] / 2)
    touch(session, "touchStart", beside)
    touch(session, "touchEnd")
    expect(enlarged).to_have_count(0)
    assert moves(page) == []
    tap("h8")
    expect(enlarged).to_have_count(1)
    tap("i9")
    expect(enlarged).to_have_count(0)
    expect(page.locator("[data-moves] li").first).to_have_text("i9")
    assert page.evaluate("scrollX") == 0


def test_a_mouse_and_keys_play_in_blocks_directly(browser: Browser, served: Served) -> None:
    page = new_person(browser, viewport={"width": 320, "height": 640}).new_page()
    page.add_init_script(WITH_BLOCKS)
    open_table(page, served.url, "tictactoe:shape=9x9,line=5", "engine")
    turn_of(page, 0)
    place(page, "h8").hover()
    expect(page.locator("[data-block=B2]")).to_have_class("lit")
    place(page, "h8").click()
    expect(page.locator("[data-moves] li").first).to_have_text("h8")
    turn_of(page, 0)
    free = page.locator("[data-place]:not([aria-disabled])").first
    free.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-moves] li")).to_have_count(4)
    expect(page.locator(".board.zoomed")).to_have_count(0)


def test_a_line_is_claimed_by_pressing_its_two_ends(browser: Browser, served: Served) -> None:
    host, guest = (new_person(browser).new_page() for _ in range(2))
    link = open_table(host, served.url, "tictactoe:claim=true")
    join(guest, link)
    for number, name in enumerate(("a1", "a2", "b1", "b2", "c1", "b3"), 1):
        player = host if number % 2 else guest
        turn_of(player, (number + 1) % 2)
        place(player, name).click()
        expect(host.locator("[data-moves] li")).to_have_count(number)
    turn_of(host, 0)
    claim = host.locator("[data-pair]")
    claim.click()
    expect(claim).to_have_attribute("aria-pressed", "true")
    # Whose mark stands there can't be written on; it can be pointed at all the same.
    place(host, "a1").click(force=True)
    expect(place(host, "a1")).to_have_class("picked")
    expect(host.locator("[data-hint]")).to_contain_text("other end")
    place(host, "a3").click(force=True)
    expect(host.locator("[data-notice]")).to_be_visible()
    expect(claim).to_have_attribute("aria-pressed", "false")
    claim.click()
    place(host, "c1").click(force=True)
    place(host, "a1").focus()
    host.keyboard.press("Enter")
    for page in (host, guest):
        expect(page.locator("[data-moves] li").last).to_have_attribute("title", "claim:a1-c1")
        expect(table(page)).to_have_attribute("data-to", "")
    assert guest.locator("[data-pair]").count() == 1
