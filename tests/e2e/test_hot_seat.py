"""Several people at one screen: in open games they go on, in hidden ones they pass the screen on."""

from __future__ import annotations

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import in_step, moves, new_person, open_table, place, shows, table, turn_of
from tests.e2e.test_orapa import MIDDLES, MINE, send
from tests.serving import Served


def is_me(page: Page, seat: int) -> None:
    """Behind the curtain: say who one is."""
    expect(page.locator("[data-curtain] button")).to_be_focused()
    page.locator("[data-curtain] button").click()
    expect(page.locator("[data-curtain]")).to_be_hidden()
    expect(table(page)).to_have_attribute("data-seat", str(seat))
    turn_of(page, seat)


def test_an_open_game_just_goes_on(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    open_table(page, served.url, "tictactoe", "screen")
    for number, name in enumerate(["b2", "a1", "c3", "c1", "b1", "a2", "b3"]):
        turn_of(page, number % 2)
        expect(table(page)).to_have_class(re.compile("mine"))
        place(page, name).click()
        expect(page.locator("[data-moves] li")).to_have_count(number + 1)
    expect(page.locator("[data-curtain], [data-passing]:visible")).to_have_count(0)
    expect(page.locator("[data-say]")).to_contain_text("Crosses win.")


def test_a_hidden_game_is_passed_on_behind_a_curtain(browser: Browser, served: Served) -> None:
    page = new_person(browser, viewport={"width": 360, "height": 640}).new_page()
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    open_table(page, served.url, "secret", "screen")
    expect(page.locator(".sheet, [data-moves], .say, .status")).not_to_have_count(0)
    for hidden in (".sheet", "[data-moves]", ".say", ".twin", "[data-part=players]"):
        expect(page.locator(hidden).first).to_be_hidden()
    is_me(page, 0)
    page.locator("details.twin summary").click()
    place(page, "hide-2").press("Enter")
    # Nothing was answered: there is nothing left to read.
    expect(page.locator("[data-curtain]")).to_be_visible()
    expect(page.locator("[data-curtain-says]")).to_contain_text("Next: Red.")
    expect(page.locator(".sheet")).to_be_hidden()
    assert table(page).get_attribute("data-seat") == "0"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.play, .status, .side')") is None
    del heard[:]
    page.locator("[data-curtain] button").focus()
    is_me(page, 1)
    shows(page, ["hide=~"])
    [told] = [json.loads(text) for text in heard if '"whole"' in text]
    assert "hide-2" not in json.dumps(told["items"])
    place(page, "hide-5").click()
    is_me(page, 0)
    shows(page, ["hide-2", "hide=~"])
    page.reload()
    is_me(page, 0)
    for seat, name in ((0, "ask-1"), (1, "ask-3"), (0, "ask-5")):
        turn_of(page, seat)
        place(page, name).click()
        if name != "ask-5":
            # Whoever has asked still sees their own board with the answer, and nobody else's.
            expect(page.locator("[data-passing] button")).to_be_in_viewport(ratio=1)
            expect(page.locator("[data-moves]")).to_contain_text(f"{name}=")
            assert table(page).get_attribute("data-seat") == str(seat)
            page.locator("[data-step=first]").click()
            expect(page.locator("[data-shown-text]")).to_have_text(re.compile(r"^Move (\d) of \1$"))
            page.locator("[data-passing] button").press("Enter")
            is_me(page, 1 - seat)
    # In the end everybody sees everything, unless the number that was drawn for both was hit.
    if table(page).get_attribute("data-to") == "":
        assert moves(page)[:2] == ["hide-2", "hide-5"]
        expect(page.locator("[data-passing]")).to_be_hidden()


def test_notes_on_the_board_are_not_the_next_ones_to_see(browser: Browser, served: Served) -> None:
    """Pieces that one of them has laid are gone with the screen, and there again when it comes back."""
    page = new_person(browser).new_page()
    open_table(page, served.url, "orapa:players=2", "screen")
    tray, turn = page.locator("[data-tray]"), int(table(page).get_attribute("data-to") or 0)

    def ask_and_pass(seat: int) -> None:
        # A port is closed where the wave came out that was sent before.
        ports = (place(page, name) for name in ("B", "12", "C"))
        next(port for port in ports if port.get_attribute("aria-disabled") is None).click()
        in_step(page)
        page.locator("[data-move=done]").click()
        is_me(page, seat)

    is_me(page, turn)
    page.locator("[data-piece=R]").click()
    place(page, "5D").click()
    expect(tray).to_have_attribute("data-text", re.compile("^R"))
    laid = tray.get_attribute("data-text") or ""
    ask_and_pass(1 - turn)
    expect(tray).to_have_attribute("data-text", "")
    expect(page.locator('[data-layer="0.draft"] > *')).to_have_count(0)
    ask_and_pass(turn)
    expect(tray).to_have_attribute("data-text", laid)


def test_each_hides_a_mine_and_then_has_nothing_on_the_other_s_board(browser: Browser, served: Served) -> None:
    page = new_person(browser, viewport={"width": 1280, "height": 900}).new_page()
    open_table(page, served.url, "orapa:mode=duel", "screen")
    tray, hint = page.locator("[data-tray]"), page.locator("[data-hint]")

    def own_is_left(seat: int, works: int) -> None:
        expect(page.locator(f'.leaf.active[data-owner="{works}"]')).to_have_count(1)
        lefts = [page.locator(f'[data-panel="{n}"]').bounding_box() for n in (seat, 1 - seat)]
        assert [box["x"] for box in lefts if box] == sorted({box["x"] for box in lefts if box})

    def hide(seat: int) -> None:
        own_is_left(seat, seat)
        # Nor do the pieces lie in the tray as the other has turned them.
        expect(page.locator('[data-once] .form:visible:not([data-form="0"])')).to_have_count(0)
        page.locator("[data-piece=R]").click()
        # Nothing lies on the other's board, and the page says why; there is no picture of how it would.
        place(page, f"{1 - seat}.8C").click(force=True)
        expect(hint).to_contain_text("hide your mine on your own")
        expect(page.locator(".ghost")).to_be_hidden()
        assert tray.get_attribute("data-text") == ""
        page.locator("[data-piece=R]").click()
        for letter, (name, turns) in MIDDLES.items():
            page.locator(f'[data-piece="{letter}"]').click()
            for _ in range(turns):
                page.locator("[data-handle=turn]").click()
            place(page, f"{seat}.{name}").click(force=True)
        expect(tray).to_have_attribute("data-text", MINE)
        expect(hint).to_be_hidden()
        send(page)
        is_me(page, 1 - seat)

    is_me(page, 0)
    hide(0)
    hide(1)
    for seat in (0, 1):
        own_is_left(seat, 1 - seat)
        expect(tray).to_have_attribute("data-text", "")
        expect(page.locator(f'[data-layer="{1 - seat}.draft"] > *')).to_have_count(0)
        expect(page.locator(f'[data-layer="{seat}.area"] .fill').first).to_be_visible()
        place(page, f"{seat}.B").click(force=True)
        expect(hint).to_contain_text("This is your own mine")
        # What is laid on the other's board is still there when the screen comes back.
        page.locator("[data-piece=R]").click()
        place(page, f"{1 - seat}.5D").click(force=True)
        expect(tray).to_have_attribute("data-text", re.compile("^R"))
        place(page, f"{1 - seat}.H").click()
        in_step(page)
        page.locator("[data-move=done]").click()
        is_me(page, 1 - seat)
    expect(tray).to_have_attribute("data-text", re.compile("^R"))


@pytest.mark.parametrize(("language", "said"), [("en", "It’s me"), ("fr", "C’est moi"), ("ru", "Это я")])
def test_the_curtain_speaks_and_axe_finds_nothing(browser: Browser, served: Served, language: str, said: str) -> None:
    page = new_person(browser, language, viewport={"width": 360, "height": 740}).new_page()
    open_table(page, served.url, "secret", "screen", language)
    expect(page.locator("[data-curtain] button")).to_contain_text(said)
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag22aa", "best-practice"]})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
