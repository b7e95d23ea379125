"""What is chosen before a game: signs."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.e2e.people import in_step, marks, new_person, shared, turn_of
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
    assert marks(friend) == live == marks(host)
