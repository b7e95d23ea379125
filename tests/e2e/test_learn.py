"""Every walk-through is walked to its end: by keys alone, by touch on a small phone, by mouse; in three languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from kletka import words
from kletka.lessons import Step, lesson
from tests.e2e.people import new_person, place, table
from tests.e2e.test_hands import PHONE, middle, press_until, touch
from tests.serving import Served

FAMILIES = ["tictactoe", "ultimate", "dots", "orapa", "crystals"]
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]


class Hand(Protocol):
    """How somebody presses what is on the page."""

    def place(self, name: str) -> None: ...

    def button(self, wanted: Locator) -> None: ...


class Mouse:
    def __init__(self, page: Page) -> None:
        self.page = page

    def place(self, name: str) -> None:
        # What is refused is greyed out: a person presses it all the same.
        place(self.page, name).click(force=True)

    def button(self, wanted: Locator) -> None:
        wanted.click()


class Finger:
    """A finger enlarges small boards first."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self.page, self.session = page, session

    def place(self, name: str) -> None:
        wanted = place(self.page, name)
        wanted.scroll_into_view_if_needed()
        small = self.page.locator("[data-block]").count() and self.page.locator(".board.zoomed").count() == 0
        self.tap(name)
        if small:
            expect(self.page.locator(".board.zoomed")).to_have_count(1)
            self.tap(name)

    def tap(self, name: str) -> None:
        touch(self.session, "touchStart", middle(self.page, name))
        touch(self.session, "touchEnd")

    def button(self, wanted: Locator) -> None:
        wanted.tap()


class Keys:
    """Tab from one thing to the next, arrows on the board, Enter."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def place(self, name: str) -> None:
        board = self.page.locator('[data-place][tabindex="0"]')
        # The tools stand behind the board, or before it comes the end of the page.
        press_until(self.page, "Shift+Tab", board)
        seen: set[tuple[str, str]] = set()
        for _ in range(60):
            here, across, up, panels = place(self.page, name).evaluate(
                """wanted => {
                  const middle = node => {
                    const box = node.getBBox();
                    return [box.x + box.width / 2, box.y + box.height / 2];
                  };
                  const here = document.activeElement;
                  const [[x, y], [u, v]] = [middle(here), middle(wanted)];
                  const panel = node => Number(node.closest("[data-panel]").dataset.panel);
                  return [here.dataset.place, u - x, y - v, panel(wanted) - panel(here)];
                }"""
            )
            if here == name:
                self.page.keyboard.press("Enter")
                return
            keys = ["ArrowRight" if across > 0 else "ArrowLeft", "ArrowUp" if up > 0 else "ArrowDown"]
            if abs(up) > abs(across):
                keys.reverse()
            if panels:
                keys = ["PageUp" if panels > 0 else "PageDown"]
            key = next((one for one in keys if (here, one) not in seen), keys[0])
            seen.add((here, key))
            self.page.keyboard.press(key)
        raise AssertionError(f"the keys don't lead to {name}")

    def button(self, wanted: Locator) -> None:
        press_until(self.page, "Tab", wanted.first)
        self.page.keyboard.press("Enter")


def twice(page: Page, hand: Hand, wanted: Locator) -> None:
    """Press what asks to be pressed again; the second half of a double press would confirm nothing."""
    hand.button(wanted)
    page.wait_for_timeout(750)
    hand.button(wanted)


def claim(page: Page, hand: Hand, step: Step) -> None:
    hand.button(page.locator("[data-pair]"))
    for end in step.move.removeprefix("claim:").split("-"):
        hand.place(end)


def lay(page: Page, hand: Hand, step: Step) -> None:
    hand.button(page.locator(f'[data-piece="{step.lays[0]}"]'))
    hand.place(step.lays[1:-1])


def answer(page: Page, hand: Hand, step: Step) -> None:
    twice(page, hand, page.locator("[data-send]"))


def idle(page: Page, text: str) -> None:
    """Wait until the server has answered to all that was brushed."""
    expect(page.locator("[data-brush]")).to_have_attribute("data-text", text)
    expect(page.locator("[data-brush]")).to_have_attribute("data-idle", "")


def brush(page: Page, hand: Hand, step: Step) -> None:
    hand.button(page.locator("[data-compose]"))
    for name in ("e5", "e5", "e6", "f6"):
        hand.place(name)
    idle(page, f"+e5~{step.move.removeprefix('pass+')}")
    twice(page, hand, page.locator("[data-send]"))


def largest(page: Page, hand: Hand, step: Step) -> None:
    hand.button(page.locator("[data-compose]"))
    for mode, name in (("atom", "e5"), ("centre", "d4")):
        hand.button(page.locator(f"[data-mode={mode}]"))
        hand.place(name)
    idle(page, "e5+d4~")
    hand.button(page.locator("[data-act=largest]"))
    idle(page, step.move.replace("+", "+d4~"))
    hand.button(page.locator("[data-send]"))


def again(page: Page, hand: Hand, step: Step) -> None:
    """A square is asked about by a second press."""
    hand.place(step.move)
    expect(page.locator("[data-hint]")).to_contain_text(step.move)
    hand.place(step.move)


def pressed(page: Page, hand: Hand, step: Step) -> None:
    button = page.locator(f'[data-move="{step.move}"]')
    if button.count() == 0:
        hand.place(step.move)
    elif button.get_attribute("data-confirm"):
        twice(page, hand, button)
    else:
        hand.button(button)


WAYS: dict[str, Callable[[Page, Hand, Step], None]] = {
    "tictactoe-claim": claim,
    "orapa-cell": again,
    "orapa-hide": answer,
    "orapa-lay": lay,
    "orapa-answer": answer,
    "crystals-brush": brush,
    "crystals-end": largest,
}


def ready(page: Page, number: int) -> None:
    """Wait until a step is there and its board can be pressed."""
    expect(table(page)).to_have_attribute("data-step-number", str(number))
    expect(table(page)).to_have_attribute("data-live", "on")


def walk_through(page: Page, hand: Hand, served: Served, name: str, language: str) -> None:
    """From the first step to the last, each by what it asks for."""
    steps = lesson(name)
    page.goto(f"{served.url}/{language}/learn/{name}")
    ready(page, 1)
    if isinstance(hand, Keys):
        press_until(page, "Tab", page.locator('[data-place][tabindex="0"]'))
    for number, step in enumerate(steps, 1):
        ready(page, number)
        bubble = page.locator("[data-bubble]")
        expect(bubble).to_have_text(words.say(language, f"learn.{name}.{step.id}"))
        WAYS.get(f"{name}-{step.id}", pressed)(page, hand, step)
        expect(table(page)).to_have_attribute("data-fulfilled", "")
        expect(bubble).to_have_text(words.say(language, f"learn.{name}.{step.id}.done"))
        if step.refused:
            state = step.before()
            said = words.refusal(language, state.game, state.refuses(step.move)[0])
            expect(page.locator("[data-notice]")).to_have_text(said)
            assert "refused" in (place(page, step.move).get_attribute("class") or "")
        expect(page.locator("[data-next]").first).to_be_focused()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if number < len(steps):
            hand.button(page.locator("[data-next]"))
    outcome = steps[-1].before().play(steps[-1].move).outcome
    expect(page.locator("[data-say]")).to_contain_text(words.result(language, steps[-1].before().game, outcome))
    assert page.url.endswith(f"?step={len(steps)}")


@pytest.mark.parametrize("name", FAMILIES)
def test_by_keys_alone(browser: Browser, served: Served, name: str) -> None:
    page = new_person(browser, "en").new_page()
    walk_through(page, Keys(page), served, name, "en")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")


@pytest.mark.parametrize("name", FAMILIES)
def test_by_touch_on_a_small_phone(browser: Browser, served: Served, name: str) -> None:
    context = new_person(browser, "fr", **PHONE)
    page = context.new_page()
    walk_through(page, Finger(page, context.new_cdp_session(page)), served, name, "fr")
    sizes = page.locator("kletka-lesson :is(button, .button):visible").evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"
    )
    assert min(sizes) >= 43.5


@pytest.mark.parametrize("name", FAMILIES)
def test_by_mouse(browser: Browser, served: Served, name: str) -> None:
    page = new_person(browser, "ru").new_page()
    walk_through(page, Mouse(page), served, name, "ru")
    found = Axe().run(page, options={"runOnly": RULES})
    assert found.violations_count == 0, found.generate_report()


def test_another_legal_move_is_answered_and_taken_back(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    page.goto(f"{served.url}/en/learn/tictactoe?step=3")
    ready(page, 3)
    before = page.locator("[data-m]").count()
    place(page, "c1").click()
    expect(page.locator("[data-bubble]")).to_contain_text("That is allowed, but try b3.")
    expect(table(page)).to_have_attribute("data-version", "4")
    expect(page.locator("[data-m]")).to_have_count(before)
    assert table(page).get_attribute("data-fulfilled") is None
    # Nothing blocks: one may go on, and back, and try again.
    page.locator("[data-next]").click()
    ready(page, 4)
    page.locator("[data-go='3']").click()
    ready(page, 3)
    place(page, "b3").click()
    expect(table(page)).to_have_attribute("data-fulfilled", "")


def test_without_script_all_steps_are_there_as_pictures(browser: Browser, served: Served) -> None:
    options: dict[str, Any] = {"java_script_enabled": False}
    page = new_person(browser, **options).new_page()
    page.goto(f"{served.url}/en/")
    page.locator('.links a[href="/en/learn/dots"]').click()
    expect(page.locator("kletka-table")).to_be_hidden()
    shown = page.locator(".pictures li:visible")
    assert shown.count() == len(lesson("dots"))
    for step, item in zip(lesson("dots"), shown.all(), strict=True):
        assert item.locator("svg.drawn, svg").count() >= 1
        for word in (f"learn.dots.{step.id}", f"learn.dots.{step.id}.done"):
            assert words.say("en", word) in item.inner_text()
