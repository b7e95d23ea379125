"""Hints in the browser: proven where they can be, marked on the board, gone with the next event; drafts stay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from kletka.games import State, game
from tests.e2e.people import in_step, new_person, open_table, place, shared, turn_of
from tests.e2e.test_hands import PHONE
from tests.e2e.test_orapa import MINE, accessible, ask, drafted, lay
from tests.e2e.test_orapa import start as start_orapa
from tests.engines.twins import value_of
from tests.serving import Served

ADVICE, BUTTON, MARKS = "[data-advice]", "[data-advise]", ".advised"


def opened(page: Page, served: Served, spec: str, against: str, **form: str) -> str:
    """Open a table where hints are allowed and sit down: gives its address."""
    fields: dict[str, str | float | bool] = {"spec": spec, "with": against, "hints": "1", **form}
    answer = page.request.post(f"{served.url}/en/tables", form=fields, max_redirects=0, fail_on_status_code=False)
    page.goto(served.url + answer.headers["location"])
    in_step(page)
    return page.url


def advised(page: Page, text: str) -> None:
    """Wait for a hint that says this; the first question of all starts the process that thinks."""
    expect(page.locator(ADVICE)).to_contain_text(text)


def marked(page: Page) -> str:
    """The place that the hint's frame is drawn around: the one with the same middle."""
    name = page.evaluate(
        """() => {
            const middle = (node) => { const { x, y, width, height } = node.getBoundingClientRect();
                                       return [x + width / 2, y + height / 2]; };
            const [x, y] = middle(document.querySelector(".advised"));
            const near = (node) => { const [u, v] = middle(node); return Math.hypot(u - x, v - y); };
            return [...document.querySelectorAll("[data-place]")].sort((a, b) => near(a) - near(b))[0].dataset.place;
        }"""
    )
    assert isinstance(name, str)
    return name


def best(state: State) -> set[str]:
    """The moves that a plain solver finds best."""
    most = max(value_of(state, move) for move in state.moves())
    return {move for move in state.moves() if value_of(state, move) == most}


def test_a_hint_is_proven_marked_and_gone_with_the_next_event(browser: Browser, served: Served) -> None:
    host, guest = (new_person(browser, language).new_page() for language in ("en", "fr"))
    opened(host, served, "tictactoe", "friend")
    guest.goto(shared(host))
    expect(guest.locator(BUTTON)).to_have_count(0)
    guest.locator("[data-part=take] button").first.click()
    guest.wait_for_load_state()
    in_step(guest)
    state = game("tictactoe").start()
    for number, page in enumerate((host, guest, host, guest, host)):
        turn_of(page, number % 2)
        waiting = guest if page is host else host
        turn_of(waiting, number % 2)
        expect(waiting.locator(BUTTON)).to_be_hidden()
        page.locator(BUTTON).click()
        advised(page, "proven" if page is host else "prouvé")
        expect(page.locator(f"{MARKS}.frame")).to_have_count(1)
        name = marked(page)
        assert name in best(state)
        assert name in page.locator(ADVICE).inner_text()
        expect(waiting.locator(ADVICE)).to_be_hidden()
        if number == 0:
            accessible(page)
        # Something else is played than was advised: always the first square.
        played = state.moves()[0]
        place(page, played).click()
        state = state.play(played)
        expect(page.locator("[data-moves] li")).to_have_count(number + 1)
        expect(page.locator(ADVICE)).to_be_hidden()
        expect(page.locator(MARKS)).to_have_count(0)


def test_no_hints_where_the_table_allows_none(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    address = open_table(page, served.url, "tictactoe", "engine")
    expect(page.locator(BUTTON)).to_have_count(0)
    answer = page.request.post(f"{address}/hint", headers={"Accept": "application/json"})
    assert answer.status == 409
    assert answer.json()["refused"][0]["code"] == "no_hints"


def test_a_refusal_is_said_where_the_hint_would_be(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    address = opened(page, served, "tictactoe", "engine", seat="0", level="1")
    page.route("**/hint", lambda route: route.fulfill(status=503, json={"refused": [{"code": "busy", "say": "Busy."}]}))
    page.locator(BUTTON).click()
    expect(page.locator("[data-notice]")).to_have_text("Busy.")
    expect(page.locator(BUTTON)).to_have_text("Hint")
    page.unroute("**/hint")
    page.locator(BUTTON).press("Enter")
    advised(page, "a draw, proven")
    expect(page.locator("[data-notice]")).to_be_hidden()
    # Looking at what was played hides what is advised for now.
    place(page, "b2").click()
    expect(page.locator("[data-moves] li")).to_have_count(2)
    turn_of(page, 0)
    page.locator(BUTTON).click()
    expect(page.locator(ADVICE)).to_be_visible()
    page.locator("[data-step=first]").click()
    expect(page.locator(ADVICE)).to_be_hidden()
    expect(page.locator(MARKS).first).to_be_hidden()
    page.locator("[data-step=now]").last.click()
    expect(page.locator(ADVICE)).to_be_visible()
    assert address == page.url


def test_without_script_the_hint_is_a_page_of_its_own(browser: Browser, served: Served) -> None:
    context = new_person(browser, java_script_enabled=False)
    page = context.new_page()
    answer = page.request.post(
        f"{served.url}/ru/tables",
        form={"spec": "tictactoe", "with": "engine", "seat": "0", "hints": "1"},
        max_redirects=0,
        fail_on_status_code=False,
    )
    page.goto(served.url + answer.headers["location"])
    page.locator(BUTTON).click()
    expect(page.locator("main")).to_contain_text("доказано")
    page.locator("main a").click()
    expect(page.locator("[data-board]")).to_be_visible()


def test_a_hint_in_a_hidden_game_leaves_the_draft_alone(browser: Browser, served: Served) -> None:
    page = new_person(browser, viewport={"width": 1280, "height": 900}).new_page()
    start_orapa(page, served, hints="1")
    gem = '[data-layer="0.draft"] .fill'
    lay(page, {"B": ("5B", 1)})
    drafted(page, "B5A1")
    expect(page.locator(gem)).to_have_count(1)
    page.locator(BUTTON).click()
    advised(page, "Hint")
    expect(page.locator(MARKS)).to_have_count(1)
    expect(page.locator(gem)).to_have_count(1)
    # The best question is one of those that nobody has asked: the mine itself isn't known to the hint.
    name = marked(page)
    assert not re.search("[RYBWS][0-9]", page.locator(ADVICE).inner_text())
    expect(place(page, name)).not_to_have_attribute("aria-disabled", "true")
    lay(page, {"Y": ("8E", 0)})
    drafted(page, "B5A1+Y8E0")
    expect(page.locator(MARKS)).to_have_count(1)
    ask(page, "B", 1)
    expect(page.locator(ADVICE)).to_be_hidden()
    expect(page.locator(MARKS)).to_have_count(0)
    expect(page.locator(gem)).to_have_count(2)
    drafted(page, "B5A1+Y8E0")
    assert MINE not in page.content()


@pytest.mark.parametrize("spec", ["tictactoe:shape=4x4x4", "crystals:board=11x11"])
def test_by_touch_on_a_phone(browser: Browser, served: Served, spec: str) -> None:
    page = new_person(browser, **PHONE).new_page()
    opened(page, served, spec, "engine", seat="0", level="1")
    button = page.locator(BUTTON)
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    button.tap()
    advised(page, "an estimate")
    expect(page.locator(MARKS).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    accessible(page)
