"""Company at a table: takebacks, rematches, leaving, another device, races, and the tables of a browser."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import act, in_step, join, new_person, place, play, says, shared, shows, start, table, turn_of
from tests.serving import Served


def two(browser: Browser, served: Served, preset: str = "tictactoe") -> tuple[Page, Page]:
    """Two people at a table."""
    host, friend = (new_person(browser).new_page() for _ in range(2))
    start(host, f"{served.url}/en/", preset)
    join(friend, shared(host), "Friend")
    turn_of(host, 0)
    return host, friend


def test_a_takeback_that_both_see_and_its_history(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served)
    play([host, friend], "b2 a1")
    act(host, "[data-what=takeback]")
    expect(friend.locator("[data-part=actions] .offer")).to_contain_text("b2 and a1")
    says(friend, "Crosses would like to take back b2 and a1.")
    friend.reload()
    in_step(friend)
    friend.locator("[data-do=accept]").click()
    for page in (host, friend):
        says(page, "Taken back.")
        expect(page.locator("[data-moves] li")).to_have_count(0)
        expect(page.locator("[data-layer='0.sign'] > *")).to_have_count(0)
    play([host, friend], "c3")
    shows(host, ["c3"])
    shows(friend, ["c3"])
    # Stepping back goes through what was taken back as well: it was on the board.
    friend.locator("[data-step=back]").click()
    expect(friend.locator("[data-layer='0.sign'] > *")).to_have_count(0)


def test_against_an_engine_a_takeback_asks_nobody(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    start(page, f"{served.url}/en/", "tictactoe", "engine")
    place(page, "b2").click()
    expect(page.locator("[data-moves] li")).to_have_count(2)
    turn_of(page, 0)
    act(page, "[data-what=takeback]")
    expect(page.locator("[data-moves] li")).to_have_count(0)
    turn_of(page, 0)


def test_a_rematch_changes_sides_and_takes_both_there(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served)
    first = host.url
    act(friend, "[data-do=resign]")
    friend.wait_for_timeout(800)
    act(friend, "[data-do=resign]")
    says(host, "Crosses win.")
    friend.goto("about:blank")
    host.locator("[data-what=rematch]").click()
    expect(host.locator("[data-part=actions] .offer")).to_contain_text("You offered a rematch")
    friend.goto(first)
    in_step(friend)
    expect(friend.locator("[data-part=actions] .offer")).to_contain_text("Play again")
    friend.locator("[data-do=accept]").click()
    for page in (host, friend):
        page.wait_for_url(lambda url: url != first and "/t/" in url)
        in_step(page)
        expect(page.locator("h1 ~ .options").first).to_contain_text("Game 2")
    expect(table(host)).to_have_attribute("data-seat", "1")
    expect(host.locator("[data-seat-row='1'] .points")).to_have_text("series: 1")
    turn_of(friend, 0)
    place(friend, "b2").click()
    expect(host.locator("[data-moves] li")).to_have_count(1)


def test_leaving_before_the_start_and_being_replaced_after_it(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    start(host, f"{served.url}/en/", "trio")
    link = shared(host)
    join(friend, link)
    expect(host.locator("[data-seat-row='1']")).not_to_contain_text("free")
    friend.locator("[data-do=leave]").click()
    expect(host.locator("[data-seat-row='1']")).to_contain_text("free")
    expect(friend.locator("[data-part=take] button").first).to_be_visible()
    join(friend, link)
    third = new_person(browser).new_page()
    join(third, link)
    turn_of(host, 0)
    act(host, "[data-do=leave]")
    host.wait_for_timeout(800)
    act(host, "[data-do=leave]")
    expect(friend.locator("[data-seat-row='0']")).to_contain_text("engine, level 4")
    expect(friend.locator("[data-moves] li")).to_have_count(1)
    turn_of(friend, 1)
    expect(table(host)).not_to_have_attribute("data-seat", re.compile("."))


def test_a_seat_moves_to_the_phone(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served)
    phone, robot = new_person(browser).new_page(), new_person(browser).new_page()
    host.locator("[data-lend]").click()
    link = shared(host)
    assert robot.request.get(link).ok
    assert robot.request.head(link).ok
    host.locator("article a.button").click()
    in_step(host)
    expect(table(host)).to_have_attribute("data-seat", "0")
    phone.goto(link)
    phone.locator("form button.first").click()
    phone.wait_for_url("**/t/*")
    in_step(phone)
    turn_of(phone, 0)
    expect(table(host)).not_to_have_attribute("data-seat", re.compile("."))
    place(phone, "b2").click()
    expect(friend.locator("[data-moves] li")).to_have_count(1)
    robot.goto(link)
    robot.locator("form button.first").click()
    expect(robot.locator("[role=alert]")).to_contain_text("has been used")


def test_my_tables(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served)
    at = host.url.rpartition("/")[2]
    for page, group in ((host, "turn"), (friend, "running")):
        page.goto(f"{served.url}/ru/mine")
        row = page.locator(f"[data-group={group}] a[href='/ru/t/{at}']")
        expect(row).to_be_visible()
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
    expect(host.locator("[data-group=turn]")).to_contain_text("Friend")
    host.locator("[data-group=turn] a").first.click()
    in_step(host)
    place(host, "b2").click()
    in_step(host)
    expect(friend.locator(f"[data-group=turn] a[href='/ru/t/{at}']")).to_be_visible()


def test_a_race_of_two(browser: Browser, served: Served) -> None:
    small = {"width": 360, "height": 640}
    host, friend, watcher = (new_person(browser, viewport=small).new_page() for _ in range(3))
    host.goto(f"{served.url}/en/new/orapa")
    host.locator("#racers").select_option("2")
    host.locator("#name").fill("Анна")
    host.locator("form.setup button.first").last.click()
    host.wait_for_url("**/race/*")
    friend.goto(shared(host))
    assert Axe().run(friend).violations_count == 0
    friend.locator("#name").fill("Б" * 12)
    friend.locator("form[action$=join] button").click()
    own = [page.locator(".racers .mine a") for page in (host, friend)]
    addresses = [str(link.get_attribute("href")) for link in own]
    assert addresses[0] != addresses[1]
    watcher.goto(served.url + addresses[0])
    watcher.wait_for_url("**/race/*")
    race = host.url
    for page, link in zip((host, friend), own, strict=True):
        link.click()
        in_step(page)
        if page is host:
            # What ends a turn is no move that anybody counts.
            place(page, "B").click()
            page.locator("[data-move=done]").click()
            turn_of(page, 0)
            shown = page.locator("[data-moves] li")
            expect(shown).to_have_count(2)
        act(page, "[data-do=resign]")
        page.wait_for_timeout(800)
        act(page, "[data-do=resign]")
        if page is host:
            says(page, "kept closed")
            page.goto(race)
            expect(page.locator("[data-race]")).to_have_attribute("data-race", "on")
            expect(page.locator(".racers .mine .how")).to_have_text("has finished · 1 move")
            watcher.goto(served.url + addresses[0])
            watcher.wait_for_url("**/race/*")
    says(friend, "race is over")
    # The list is fetched anew by itself.
    expect(host.locator("[data-race]")).to_have_attribute("data-race", "over")
    rows = host.locator(".racers li").all()
    # Whoever asked more before giving up stands first; a row has its words in lines, not in a column.
    expect(rows[0].locator(".who")).to_contain_text("Анна")
    for row in rows:
        expect(row.locator(".how")).to_have_text(re.compile(r"^The search was given up\. [01] moves? · \d+:\d\d$"))
        width, height = row.locator(".how").evaluate("e => [e.clientWidth, e.clientHeight]")
        assert width > 200
        assert height < 80
    assert host.evaluate("document.documentElement.scrollWidth") <= 360
    host.get_by_text("A new race").click()
    expect(host.locator("#racers")).to_have_value("2")
    watcher.goto(served.url + addresses[0])
    in_step(watcher)
    assert addresses[0] in watcher.url


def test_clocks_are_chosen_in_the_form(browser: Browser, served: Served) -> None:
    page = new_person(browser, "fr").new_page()
    page.goto(f"{served.url}/fr/new/tictactoe")
    page.locator("[data-terms] summary").click()
    page.locator("[name=clock][value=total]").check()
    expect(page.locator("#clock_seconds")).to_be_hidden()
    page.locator("#clock_minutes").fill("0")
    page.locator("form.setup button.first").last.click()
    expect(page.locator("#wrong")).to_contain_text("pendule")
    page.locator("#clock_minutes").fill("3")
    page.locator("[name=rounds]").check()
    page.locator("form.setup button.first").last.click()
    page.wait_for_url("**/t/*")
    in_step(page)
    expect(page.locator("[data-clock='0']")).to_have_text("3:00")
    expect(page.locator("h1 ~ .options").first).to_contain_text("Partie 1 sur 2")
