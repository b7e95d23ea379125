"""What is chosen before a game: signs, and boards that people draw."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.e2e.people import draws, in_step, marks, new_person, place, shared, turn_of
from tests.serving import Served


def test_players_choose_their_signs(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser, language).new_page() for language in ("en", "ru"))
    host.goto(f"{served.url}/en/new/polish")
    host.get_by_role("group", name="Your sign").get_by_label("star").check()
    assert Axe().run(host).violations_count == 0
    host.get_by_role("button", name="Start the game").click()
    host.wait_for_url("**/t/*")
    in_step(host)
    link = shared(host)
    friend.goto(link)
    choices = friend.get_by_role("group", name="Ваш знак")
    expect(choices.get_by_role("radio")).to_have_count(5)
    choices.get_by_label("ромб").check()
    assert Axe().run(friend).violations_count == 0
    friend.locator("[data-part=take] button").first.click()
    friend.wait_for_load_state()
    in_step(friend)
    rows = host.locator("[data-seat-row] use")
    for number, sign in enumerate(("star", "diamond")):
        expect(rows.nth(number)).to_have_attribute("href", f"#k-{sign}")
    for number, (mover, name) in enumerate(((host, "a1"), (friend, "b2"))):
        turn_of(mover, number)
        mover.locator("details.twin summary").click()
        mover.locator("#typed").fill(name)
        mover.locator("#typed").press("Enter")
    for page in (host, friend):
        expect(page.locator('[data-m="0.sign/a1"]')).to_have_attribute("href", "#k-star")
        expect(page.locator('[data-m="0.sign/b2"]')).to_have_attribute("href", "#k-diamond")
    live = marks(friend)
    friend.reload()
    in_step(friend)
    draws(friend, live)
    draws(host, live)


def test_a_board_is_drawn_and_played_on(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    page.goto(f"{served.url}/en/new/crystals")
    page.locator("details.more summary").click()
    field, ready, squares = (page.locator(at) for at in ("input[name=board]", "[data-ready]", ".squares"))
    expect(field).to_be_hidden()
    ready.select_option("11x11")
    ready.select_option("")
    for count in ("[data-rows]", "[data-columns]"):
        page.locator(count).fill("7")
    expect(field).to_have_value("7x7")
    squares.scroll_into_view_if_needed()
    box = squares.bounding_box()
    assert box is not None
    wide = box["width"] / 7
    corner = page.get_by_role("gridcell", name="row 7, column 1", exact=True)
    corner.click()
    expect(corner).to_have_attribute("aria-selected", "false")
    # A quick stroke along the lowest row but one leaves no square out.
    page.mouse.move(box["x"] + wide / 2, box["y"] + 5.5 * wide)
    page.mouse.down()
    page.mouse.move(box["x"] + 6.5 * wide, box["y"] + 5.5 * wide)
    page.mouse.up()
    for key in ("ArrowDown", " ", "ArrowRight", "ArrowUp", "Space"):
        page.keyboard.press(key)
    expect(field).to_have_value("1-6.0-7.0-7.0-7.0-7.1-1.1-6")
    assert Axe().run(page).violations_count == 0
    page.get_by_role("radio", name="the engine").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/t/*")
    in_step(page)
    expect(page.locator("[data-place]")).to_have_count(41)
    expect(page.locator('[data-place="a7"], [data-place="c2"]')).to_have_count(0)
    place(page, "b2").click()
    expect(page.locator('[data-m="0.sign/b2"]')).to_have_count(1)
    expect(page.locator("[data-moves] li").first).to_have_text("b2")


def test_a_board_is_drawn_by_touch(browser: Browser, served: Served) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = new_person(browser, "ru", **phone).new_page()
    page.goto(f"{served.url}/ru/new/crystals")
    page.locator("details.more summary").click()
    page.locator("[data-ready]").select_option("40x40")
    page.locator("[data-ready]").select_option("")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("gridcell", name="строка 40, столбец 1", exact=True).tap()
    expect(page.locator("input[name=board]")).to_have_value(re.compile(r"^1-39\.0-40"))
    assert Axe().run(page).violations_count == 0
    page.locator("[data-whole]").tap()
    expect(page.locator("input[name=board]")).to_have_value("40x40")


def test_without_script_a_board_is_typed(browser: Browser, served: Served) -> None:
    page = new_person(browser, java_script_enabled=False).new_page()
    page.goto(f"{served.url}/en/new/crystals")
    page.locator("details.more summary").click()
    expect(page.locator("[data-ready]")).to_be_hidden()
    page.locator("input[name=board]").fill("1-1.0-3.1-1")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("[data-place]")).to_have_count(5)
