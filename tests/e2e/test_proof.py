"""Fingerprints of what is hidden: shown from the start, opened at the end, checked by the browser itself."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.alike import alike
from tests.e2e.people import in_step, join, new_person, open_table, shared
from tests.serving import Served

pytestmark = pytest.mark.browser


def _accessible(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
    found = Axe().run(page, options=rules)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("fr", "dark"), ("ru", "light")])
def test_a_fingerprint_stays_and_is_checked_in_the_browser(
    browser: Browser, served: Served, language: str, scheme: str
) -> None:
    context = new_person(browser, language, viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page = context.new_page()
    open_table(page, served.url, "orapa", language=language)
    page.locator(".proof summary").click()
    first = page.locator("[data-part=proof] code").all_inner_texts()
    assert len(first) == 1
    _accessible(page)
    # Resigning by its button takes two presses with a pause between them.
    assert page.request.post(f"{page.url}/do", form={"do": "resign"}, max_redirects=0).status == 303
    link = page.locator("[data-part=proof] a")
    expect(link).to_be_visible()
    assert page.locator("[data-part=proof] code").first.inner_text() == first[0]
    link.click()
    verdict = page.locator("[data-verdict]")
    expect(verdict).to_have_attribute("data-is", "same")
    expect(verdict).to_contain_text(page.locator("[data-proof]").get_attribute("data-here") or "?")
    expect(page.locator("#hash")).to_have_value(first[0])
    _accessible(page)
    page.locator("#text").press("End")
    page.keyboard.type("x")
    expect(verdict).to_have_text("")
    page.locator("#hash").press("Enter")
    expect(verdict).to_have_attribute("data-is", "other")
    context.close()


def test_a_fingerprint_comes_when_the_other_hides_something(browser: Browser, served: Served) -> None:
    (deal, _), _ = alike("orapa:mode=duel")
    people = [new_person(browser), new_person(browser)]
    one, other = (person.new_page() for person in people)
    open_table(one, served.url, "orapa:mode=duel")
    join(other, shared(one))
    in_step(one)
    other.locator(".proof summary").click()
    expect(other.locator("[data-part=proof] code")).to_have_count(0)
    one.locator("details.twin summary").click()
    one.locator("#typed").fill(deal.moves[0][1])
    one.locator("#typed").press("Enter")
    expect(other.locator("[data-part=proof] code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    expect(one.locator("[data-part=proof] code")).to_have_count(0)
    for person in people:
        person.close()
