"""A turn of Crystals is put together by mouse, finger and keys: an atom, an outline, its reasons, and the button."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.e2e.people import (
    draws,
    in_step,
    join,
    marks,
    moves,
    new_person,
    open_table,
    place,
    play,
    says,
    shared,
    table,
    turn_of,
)
from tests.e2e.test_hands import PHONE, middle, press_until, touch
from tests.serving import Served

RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
BOX = "d-f4.d-f5.d-f6"
"""Three by three squares around e5."""


def accessible(page: Page) -> None:
    found = Axe().run(page, options={"runOnly": RULES})
    assert found.violations_count == 0, found.generate_report()


def two(browser: Browser, served: Served, spec: str, names: str = "", **options: str) -> tuple[Page, Page]:
    """A host and a friend at a table where these squares have been played in turn."""
    host, friend = (new_person(browser).new_page() for _ in range(2))
    answer = host.request.post(
        f"{served.url}/en/tables", form={"spec": spec, **options}, max_redirects=0, fail_on_status_code=False
    )
    host.goto(served.url + answer.headers["location"])
    in_step(host)
    join(friend, shared(host))
    play([host, friend], names)
    turn_of(host, 0)
    return host, friend


def drafted(page: Page, text: str) -> None:
    """Wait until the server has answered to all that was done, and the draft is this one."""
    expect(page.locator("[data-brush]")).to_have_attribute("data-text", text)
    expect(page.locator("[data-brush]")).to_have_attribute("data-idle", "")


def draw(page: Page, centre: str, *squares: str) -> None:
    """Draw a new outline: press its centre, then a square of each orbit."""
    page.locator("[data-mode=centre]").click()
    for name in (centre, *squares):
        place(page, name).click()
    expect(page.locator("[data-brush]")).to_have_attribute("data-idle", "")


def faults(page: Page) -> set[str]:
    """The squares that reasons concern."""
    found: list[str] = page.locator("[data-place].fault").evaluate_all("nodes => nodes.map(node => node.dataset.place)")
    return set(found)


def test_a_crystal_is_grown_by_mouse(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served, "crystals:board=9x9", "d4 a1 d6 a3 f4 b2")
    watcher = new_person(browser).new_page()
    watcher.goto(host.url)
    in_step(watcher)
    assert watcher.locator("[data-brush]").count() == 0
    expect(friend.locator("[data-compose]")).to_be_hidden()
    host.locator("[data-compose]").click()
    assert table(host).evaluate("node => node.contains(document.activeElement)")
    place(host, "e5").click()
    drafted(host, "+e5~")
    expect(host.locator('[data-layer="0.draft"] .thin')).to_have_count(4)
    place(host, "e5").click()
    place(host, "e6").click()
    place(host, "d5").click()
    drafted(host, "+e5~e5")
    # The mouse draws over several orbits, each of them once.
    for step, name in enumerate(("f5", "e5", "f6", "f5")):
        host.mouse.move(*middle(host, name), steps=2)
        if not step:
            host.mouse.down()
    host.mouse.up()
    drafted(host, f"+e5~{BOX}")
    assert "4" not in host.locator("[data-draft-says]").inner_text().split(".")[1]
    accessible(host)
    host.locator("[data-undo]").click()
    drafted(host, "+e5~e5")
    host.locator("[data-act=largest]").click()
    expect(host.locator("[data-brush]")).to_have_attribute("data-text", re.compile(r"\+e5~.{20}"))
    # What another has on the board bounds it; and it is too poor as long as there is no fourth atom.
    assert "b2" not in str(host.locator("[data-brush]").get_attribute("data-text"))
    host.locator("[data-send]").click(force=True)
    expect(host.locator("[data-notice]")).to_contain_text("needed")
    host.locator("[data-mode=atom]").click()
    place(host, "f5").click()
    place(host, "f6").click()
    place(host, "f6").click()
    place(host, "f6").click()
    expect(host.locator('[data-place="f6"]')).to_have_class("seed")
    expect(host.locator("[data-moves] li")).to_have_count(6)
    host.locator("[data-mode=brush]").click()
    draw(host, "e5", "e5", "e6", "f6")
    drafted(host, f"f6+e5~{BOX}")
    expect(host.locator("[data-send]")).to_contain_text("9")
    host.locator("[data-send]").click()
    for page in (host, friend, watcher):
        expect(page.locator("[data-moves] li")).to_have_count(7)
        expect(page.locator('[data-seat-row="0"] .score')).to_have_text("9")
        expect(page.locator('[data-m="0.line/1"]')).to_be_visible()
    expect(host.locator('[data-layer="0.draft"] *')).to_have_count(0)
    expect(host.locator("[data-brush]")).to_be_hidden()
    turn_of(friend, 1)
    # A square of a crystal is refused in words where it is pressed.
    place(friend, "e5").click(force=True)
    expect(friend.locator("[data-notice]")).to_contain_text("e5")
    place(friend, "h8").click()
    turn_of(host, 0)
    live = marks(watcher)
    watcher.reload()
    in_step(watcher)
    draws(watcher, live)
    accessible(watcher)


def test_each_reason_is_seen_on_its_squares(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served, "crystals:board=9x9", "d4 a1 d6 a3 f4 g7 f6 i9 e2 h1")
    host.locator("[data-compose]").click()
    said = host.locator("[data-draft-faults]")
    expect(said.locator("xpath=..")).to_have_attribute("role", "status")

    def seen(words: str, *squares: str) -> None:
        expect(said).to_contain_text(words)
        assert faults(host) == set(" ".join(squares).split())
        expect(host.locator("[data-send]")).to_have_attribute("aria-disabled", "true")

    draw(host, "e5", "e6", "f6")
    seen("hole", "e5")
    draw(host, "e5", "e5", "e6", "f6", "h8")
    seen("falls apart", "b2 h2 b8 h8")
    # Orbits that leave the board.
    draw(host, "a5", "a5", "b5")
    seen("symmetric", "a4 a5 a6 b5")
    draw(host, "e5", "e5", "e6", "f6", "e7", "g7")
    expect(said).to_contain_text("Another player")
    assert {"g7"} <= faults(host)
    draw(host, "e5", "e5", "e6", "e7", "e8", "f8")
    expect(said).to_contain_text("interlock")
    assert {"d8", "f8", "b4", "b6", "h4", "h6", "d2", "f2"} <= faults(host)
    draw(host, "e2", "e2", "e1")
    seen("needed", "e1 d2 e2 f2 e3")
    host.locator("[data-act=drop]").click()
    host.locator("[data-mode=atom]").click()
    place(host, "a3").click()
    seen("a3", "a3")
    place(host, "a3").click()
    expect(said).to_have_text("")
    host.locator("[data-mode=brush]").click()
    draw(host, "e5", "e5", "e6", "f6")
    host.locator("[data-send]").click()
    # Without an atom it is sent only after a warning.
    expect(host.locator("[data-notice]")).to_contain_text("atom")
    expect(host.locator("[data-moves] li")).to_have_count(10)
    host.wait_for_timeout(750)
    host.locator("[data-send]").click()
    turn_of(friend, 1)
    assert "e5" not in moves(host)[10], "it is told in words"
    friend.locator("[data-compose]").click()
    draw(friend, "f7", "f7", "f8")
    expect(friend.locator("[data-draft-faults]")).to_contain_text("another crystal")
    assert {"f6"} <= faults(friend)
    friend.locator("[data-mode=atom]").click()
    place(friend, "d4").click()
    expect(friend.locator("[data-draft-faults]")).to_contain_text("d4")
    full, _ = two(browser, served, "crystals:board=9x9,fill=full", "d4 a1 d6 a3 f4 g7 f6 i9")
    full.locator("[data-compose]").click()
    draw(full, "e5", "e5", "e6", "f6")
    expect(full.locator("[data-draft-faults]")).to_contain_text("empty squares")
    assert faults(full) == {"e5", "e6", "e4", "d5", "f5"}


def test_a_crystal_is_grown_by_keys_alone(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served, "crystals:board=9x9", "d4 a1 d6 a3 f4 b2")

    def walk(name: str) -> None:
        for _ in range(30):
            here = str(host.evaluate("document.activeElement.dataset.place"))
            if here == name:
                return
            columns, rows = ord(name[0]) - ord(here[0]), int(name[1:]) - int(here[1:])
            key = ("ArrowRight" if columns > 0 else "ArrowLeft") if columns else "ArrowUp" if rows > 0 else "ArrowDown"
            host.keyboard.press(key)
        raise AssertionError(f"the keys don't lead to {name}")

    press = host.keyboard.press
    host.locator("#main").focus()
    press_until(host, "Tab", host.locator("[data-compose]"))
    press("Enter")
    for name in ("d5", "d5", "d6", "e6"):
        walk(name)
        press("Enter")
    drafted(host, "+d5~c-e4.c-e5.c-e6")
    press("Shift+ArrowRight")
    drafted(host, f"+e5~{BOX}")
    press("Control+z")
    drafted(host, "+d5~c-e4.c-e5.c-e6")
    press("Shift+ArrowRight")
    press("Shift+ArrowUp")
    press("Shift+ArrowDown")
    drafted(host, f"+e5~{BOX}")
    press_until(host, "Tab", host.locator("[data-mode=atom]"))
    press("Enter")
    press_until(host, "Shift+Tab", host.locator('[data-place][tabindex="0"]'))
    walk("f6")
    press("Enter")
    drafted(host, f"f6+e5~{BOX}")
    # Escape leaves the draft as it is for when one comes back.
    press("Escape")
    expect(host.locator('[data-layer="0.draft"] *')).to_have_count(0)
    press_until(host, "Tab", host.locator("[data-compose]"))
    press("Space")
    drafted(host, f"f6+e5~{BOX}")
    press_until(host, "Tab", host.locator("[data-send]"))
    press("Enter")
    expect(friend.locator("[data-moves] li")).to_have_count(7)
    turn_of(friend, 1)


def tap(page: Page, session: CDPSession, name: str) -> None:
    touch(session, "touchStart", middle(page, name))
    touch(session, "touchEnd")


def test_a_whole_turn_by_touch_on_a_small_phone(browser: Browser, served: Served) -> None:
    context = new_person(browser, **PHONE)
    host = context.new_page()
    session = context.new_cdp_session(host)
    open_table(host, served.url, "crystals")
    friend = new_person(browser).new_page()
    join(friend, shared(host))
    for number, name in enumerate(["k12", "c3", "l12", "c4", "m12", "d3", "k11", "e5"]):
        player = (host, friend)[number % 2]
        turn_of(player, number % 2)
        if number % 2:
            place(friend, name).click()
        else:
            place(host, "k11").scroll_into_view_if_needed()
            # The first tap only marks the square, wherever the finger slides to; the second one plays.
            here = middle(host, "k11")
            touch(session, "touchStart", here)
            touch(session, "touchMove", middle(host, name))
            expect(place(host, name)).to_have_class(re.compile("aim"))
            touch(session, "touchEnd")
            expect(place(host, name)).to_have_class("seed")
            expect(host.locator("[data-moves] li")).to_have_count(number)
            expect(host.locator("[data-hint]")).to_contain_text(name)
            if number % 4:
                host.locator("[data-send]").click()
            else:
                tap(host, session, name)
        expect(host.locator("[data-moves] li")).to_have_count(number + 1)
    turn_of(host, 0)
    # Another square moves the mark, and Cancel rubs it out.
    tap(host, session, "a1")
    drafted(host, "a1")
    tap(host, session, "b1")
    drafted(host, "b1")
    host.locator("[data-leave]").click()
    expect(host.locator('[data-layer="0.draft"] *')).to_have_count(0)
    host.locator("[data-compose]").click()
    board, button = host.locator("[data-panel]").bounding_box(), host.locator("[data-send]").bounding_box()
    assert board is not None
    assert button is not None
    assert board["y"] >= -1
    assert board["y"] + board["height"] < button["y"], "the whole board is seen, and the button too"
    assert button["y"] + button["height"] <= PHONE["viewport"]["height"]
    for element in host.locator(".brush button:visible, .views button:visible").all():
        box = element.bounding_box()
        assert box is not None
        assert box["height"] >= 43.5
        assert box["width"] >= 43.5
    bar = host.locator(".sending").bounding_box()
    assert bar is not None
    # What has the focus isn't under the bar, and nothing is at the end of the page.
    for element in host.locator(".brush button:visible, .brush summary").all():
        element.evaluate("node => { scrollTo(0, 0); node.focus() }")
        box = element.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= bar["y"] + 1 or box["y"] >= bar["y"]
    host.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    end = host.locator("footer").bounding_box()
    assert end is not None
    assert end["y"] + end["height"] <= bar["y"] + 1
    host.locator("[data-board]").evaluate("node => node.scrollIntoView({block: 'start'})")
    for name in ("l11", "l11", "l12", "m12"):
        tap(host, session, name)
    drafted(host, "+l11~k-m10.k-m11.k-m12")
    assert host.evaluate("document.documentElement.scrollWidth") <= 360
    accessible(host)
    host.locator("[data-mode=atom]").click()
    tap(host, session, "l10")
    drafted(host, "l10+l11~k-m10.k-m11.k-m12")
    host.locator("[data-send]").click()
    expect(friend.locator("[data-moves] li")).to_have_count(9)
    expect(host.locator('[data-seat-row="0"] .score')).to_have_text("9")
    turn_of(friend, 1)
    place(friend, "s3").click()
    turn_of(host, 0)
    # Squares that are enlarged enough are played by one tap, and the board stays as it is.
    for _ in range(2):
        host.locator("[data-zoom=in]").click()
    place(host, "f16").scroll_into_view_if_needed()
    tap(host, session, "f16")
    expect(friend.locator("[data-moves] li")).to_have_count(11)
    expect(host.locator(".board")).to_have_class(re.compile("zoomed"))


def test_a_finger_brushes_over_large_squares(browser: Browser, served: Served) -> None:
    context = new_person(browser, **PHONE)
    host = context.new_page()
    session = context.new_cdp_session(host)
    open_table(host, served.url, "crystals:board=9x9")
    join(new_person(browser).new_page(), shared(host))
    turn_of(host, 0)
    host.locator("[data-compose]").click()
    tap(host, session, "e5")
    drafted(host, "+e5~")
    touch(session, "touchStart", middle(host, "e5"))
    for name in ("e6", "f6"):
        touch(session, "touchMove", middle(host, name))
    expect(host.locator(".picked")).to_have_count(3)
    touch(session, "touchEnd")
    drafted(host, f"+e5~{BOX}")
    # A second finger takes a stroke back.
    touch(session, "touchStart", middle(host, "e7"))
    touch(session, "touchMove", middle(host, "e8"))
    x, y = middle(host, "e8")
    touch(session, "touchStart", (x, y), (x + 60, y + 40))
    touch(session, "touchEnd")
    drafted(host, f"+e5~{BOX}")
    assert moves(host) == []


def test_several_crystals_and_the_help_that_the_table_allows(browser: Browser, served: Served) -> None:
    names = "b2 a9 b3 c9 c2 e9 c3 g9 f5 i9 f6 i7 g5 i5 g6 i3"
    host, friend = two(browser, served, "crystals:board=9x9,claims=any", names, assist="outline")
    host.locator("[data-compose]").click()
    expect(host.locator("[data-draft-says]")).to_contain_text("can be grown")
    host.locator("[data-act=next]").click()
    outline = host.locator('[data-layer="0.draft"] .outline')
    expect(outline).to_have_count(1)
    assert outline.evaluate("node => getComputedStyle(node).strokeDasharray") != "none", "it isn't grown yet"
    first = host.locator("[data-brush]").get_attribute("data-text")
    host.locator("[data-act=next]").click()
    expect(host.locator("[data-brush]")).not_to_have_attribute("data-text", str(first))
    host.locator("[data-act=drop]").click()
    drafted(host, "")
    place(host, "b2").click()
    host.locator("[data-act=shift]").click()
    place(host, "c3").click()
    drafted(host, "+b2-c3~b-c2.b-c3")
    host.locator("[data-act=new]").click()
    place(host, "f5").click()
    host.locator("[data-act=shift]").click()
    place(host, "g6").click()
    drafted(host, "+b2-c3~b-c2.b-c3+f5-g6~f-g5.f-g6")
    host.locator("[data-mode=atom]").click()
    place(host, "e2").click()
    expect(host.locator("[data-send]")).to_contain_text("8")
    host.locator("[data-send]").click()
    expect(friend.locator('[data-seat-row="0"] .score')).to_have_text("8")
    turn_of(friend, 1)
    # Whoever stays at the table keeps the draft when somebody else leaves or comes back; a table that helps less
    # has fewer buttons.
    other, _ = two(browser, served, "crystals:board=9x9")
    other.locator("[data-compose]").click()
    assert other.locator("[data-act=next], [data-act=new]").count() == 0


def test_numbers_are_shown_to_those_who_want_them(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served, "crystals:board=9x9", "d4 a1 d6 a3")
    number = '[data-m="0.number/a1"]'
    expect(host.locator(number)).to_be_hidden()
    host.locator("[data-numbers]").click()
    expect(host.locator(number)).to_be_visible()
    expect(host.locator(number)).to_have_text("2")
    expect(friend.locator(number)).to_be_hidden()
    host.reload()
    in_step(host)
    expect(host.locator("[data-numbers]")).to_have_attribute("aria-pressed", "true")
    expect(host.locator(number)).to_be_visible()


@pytest.mark.parametrize(("language", "hole", "size"), [("fr", "trou", "9 cases"), ("ru", "дыра", "9 клеток")])
def test_in_french_and_russian(browser: Browser, served: Served, language: str, hole: str, size: str) -> None:
    host = new_person(browser, language, viewport={"width": 360, "height": 740}).new_page()
    open_table(host, served.url, "crystals:board=9x9,claims=any", language=language)
    friend = new_person(browser).new_page()
    join(friend, shared(host))
    play([host, friend], "d4 a1 d6 a3 f4 b2")
    turn_of(host, 0)
    host.locator("[data-compose]").click()
    host.locator("[data-mode=atom]").click()
    place(host, "f6").click()
    draw(host, "e5", "e6", "f6")
    expect(host.locator("[data-draft-faults]")).to_contain_text(hole)
    place(host, "e5").click()
    expect(host.locator("[data-send]")).to_contain_text(size)
    assert host.evaluate("document.documentElement.scrollWidth") <= 360
    shown = host.locator("kletka-table").inner_text()
    assert not re.search(r"\b(table|draft|button|game|refusal|standing)\.[a-z]", shown)
    host.locator("[data-send]").click()
    expect(friend.locator("[data-moves] li")).to_have_count(7)
    says(host, size)
