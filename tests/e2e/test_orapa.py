"""A mine is searched by mouse, finger and keys, alone and together; drafts are laid, kept, undone and sent."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import act, in_step, join, moves, new_person, place, says, shared, table, turn_of
from tests.e2e.test_hands import PHONE, middle, press_until, touch
from tests.serving import Served

MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
"""A mine in which a wave from B leaves at 3, white, one from 15 comes back, and one from H goes straight to 18."""
MIDDLES = {"R": ("8C", 1), "Y": ("8E", 0), "B": ("5B", 1), "W": ("3F", 2), "S": ("3B", 0)}
"""Where each gem is pressed down so that it lies as in the mine, and how often it is turned before."""
OTHER = {"R": ("7C", 1), "Y": ("8E", 0), "B": ("5B", 1), "W": ("3F", 2), "S": ("3B", 0)}
SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]


def start(page: Page, served: Served, spec: str = "orapa", **form: str) -> str:
    """Open a table with the known mine: gives its address."""
    code = {} if "duel" in spec else {"code": MINE}
    answer = page.request.post(
        f"{served.url}/en/tables", form={"spec": spec, **code, **form}, max_redirects=0, fail_on_status_code=False
    )
    page.goto(served.url + answer.headers["location"])
    in_step(page)
    return page.url


def piece(page: Page, letter: str) -> str:
    return f'[data-piece="{letter}"]'


def drafted(page: Page, text: str) -> None:
    """Wait until the server has drawn exactly this draft."""
    expect(page.locator("[data-tray]")).to_have_attribute("data-text", text)


def lay(page: Page, gems: dict[str, tuple[str, int]] = MIDDLES) -> None:
    """Lay gems by pressing them and then squares."""
    for letter, (name, turns) in gems.items():
        page.locator(piece(page, letter)).click()
        for _ in range(turns):
            page.locator("[data-handle=turn]").click()
        place(page, name).click()


def ask(page: Page, name: str, count: int) -> None:
    """Send a wave and end the turn without an answer."""
    turn_of(page, 0)
    place(page, name).click()
    expect(page.locator("[data-moves] li")).to_have_count(count)
    in_step(page)
    page.locator("[data-move=done]").click()
    expect(page.locator("[data-moves] li")).to_have_count(count + 1)
    in_step(page)


def send(page: Page) -> None:
    """Press the button that sends the draft, and confirm."""
    page.locator("[data-send]").click()
    page.wait_for_timeout(750)
    page.locator("[data-send]").click()


def accessible(page: Page) -> None:
    found = Axe().run(page, options={"runOnly": RULES})
    assert found.violations_count == 0, found.generate_report()


def test_a_mine_is_found_by_mouse(browser: Browser, served: Served) -> None:
    page = new_person(browser, viewport={"width": 1280, "height": 900}).new_page()
    start(page, served)
    accessible(page)
    expect(page.locator("[data-say]")).not_to_contain_text("Waiting")
    ask(page, "B", 1)
    # A square is asked about only by a second press.
    place(page, "1A").click()
    expect(page.locator("[data-hint]")).to_contain_text("1A")
    expect(page.locator("[data-moves] li")).to_have_count(2)
    place(page, "1A").click()
    expect(page.locator("[data-moves] li")).to_have_count(3)
    expect(page.locator("[data-moves] li").nth(2)).to_have_attribute("title", "1A=nothing")
    in_step(page)
    page.locator("[data-move=done]").click()
    expect(page.locator("[data-move=done]")).to_have_count(0)
    # Dragged from the tray by the square of the pointer, then dragged on the board and off it.
    page.locator(piece(page, "R")).drag_to(place(page, "5D"))
    expect(page.locator('[data-layer="0.draft"] .t-red')).to_have_count(1)
    where = page.locator("[data-tray]").get_attribute("data-text")
    assert where is not None
    assert re.fullmatch("R[345]D0", where)
    place(page, "5D").drag_to(place(page, "7G"))
    drafted(page, f"R{int(where[1]) + 2}G0")
    expect(page.locator("[data-moves] li")).to_have_count(4)
    place(page, "7G").drag_to(page.locator("[data-say]"))
    drafted(page, "")
    lay(page, OTHER)
    drafted(page, MINE.replace("R8B1", "R7B1"))
    # The draft explains one clue of two; a wave along it is shown and not sent.
    page.locator("[data-trace]").check()
    place(page, "15").click()
    expect(page.locator('[data-layer="0.draft"] .trail')).to_have_count(1)
    expect(page.locator("[data-moves] li")).to_have_count(4)
    page.locator("[data-trace]").uncheck()
    expect(page.locator(".trail")).to_have_count(0)
    ask(page, "12", 5)
    expect(page.locator("[data-draft-says]")).to_contain_text("12")
    page.locator("[data-send]").click()
    expect(page.locator("[data-notice]")).to_contain_text("12")
    expect(page.locator("[data-moves] li")).to_have_count(6)
    place(page, "7C").click()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("[data-notice]")).to_be_hidden()
    drafted(page, MINE)
    send(page)
    expect(table(page)).to_have_attribute("data-over", "")
    says(page, "expert")
    expect(page.locator('[data-layer="0.area"] .fill').first).to_be_visible()
    expect(page.locator("#share-code")).to_be_visible()
    place(page, "15").click(force=True)
    expect(page.locator('[data-layer="0.draft"] .trail')).to_have_count(1)
    page.locator("[data-step=first]").click()
    expect(page.locator('[data-layer="0.area"] .fill')).to_have_count(0)
    expect(page.locator('[data-layer="0.draft"] .trail')).to_be_hidden()
    page.locator("[data-step=now]").last.click()
    accessible(page)


def test_a_mine_is_found_by_touch_on_a_phone(browser: Browser, served: Served) -> None:
    context = new_person(browser, **PHONE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    start(page, served)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for element in page.locator("[data-place]").all():
        box = element.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
    for element in page.locator("[data-tray] button:visible").all():
        box = element.bounding_box()
        assert box is not None
        assert box["height"] >= 43.5
    accessible(page)
    at = middle(page, "B")
    touch(session, "touchStart", at)
    touch(session, "touchEnd")
    expect(page.locator("[data-moves] li")).to_have_count(1)
    # A tap takes a gem and presses nothing else: what it says leaves everything where it was.
    more = page.locator(".actions summary")
    page.evaluate("document.addEventListener('click', () => { window.clicks = (window.clicks || 0) + 1 })")
    page.locator(piece(page, "S")).scroll_into_view_if_needed()
    before = more.bounding_box(), page.locator(piece(page, "S")).bounding_box()
    page.locator(piece(page, "S")).tap()
    expect(page.locator(piece(page, "S"))).to_have_attribute("aria-pressed", "true")
    assert (more.bounding_box(), page.locator(piece(page, "S")).bounding_box()) == before
    assert page.evaluate("window.clicks") is None
    page.locator(piece(page, "S")).tap()
    expect(page.locator(piece(page, "S"))).to_have_attribute("aria-pressed", "false")
    # One finger drags a gem from the tray; neither the page moves nor the board aims.
    page.locator(piece(page, "S")).scroll_into_view_if_needed()
    place(page, "3B").scroll_into_view_if_needed()
    page.locator("[data-board]").evaluate("node => node.scrollIntoView({block: 'start'})")
    scrolled = page.evaluate("scrollY")
    box = page.locator(f"{piece(page, 'S')} svg").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 4
    to = middle(page, "6D")
    touch(session, "touchStart", (x, y))
    for step in range(1, 6):
        touch(session, "touchMove", (x + (to[0] - x) * step / 5, y + (to[1] - y) * step / 5))
    touch(session, "touchEnd")
    drafted(page, "S6D0")
    here, there = middle(page, "6D"), middle(page, "3B")
    touch(session, "touchStart", here)
    for step in range(1, 6):
        touch(session, "touchMove", tuple(h + (t - h) * step / 5 for h, t in zip(here, there, strict=True)))  # type: ignore[arg-type]
    assert page.locator(".aim").count() == 0
    touch(session, "touchEnd")
    drafted(page, "S3B0")
    assert page.evaluate("scrollY") == scrolled
    expect(page.locator("[data-moves] li")).to_have_count(1)
    for letter, (name, turns) in MIDDLES.items():
        if letter == "S":
            continue
        page.locator(piece(page, letter)).tap()
        for _ in range(turns):
            page.locator("[data-handle=turn]").tap()
        place(page, name).scroll_into_view_if_needed()
        at = middle(page, name)
        touch(session, "touchStart", at)
        touch(session, "touchEnd")
    drafted(page, "S3B0+R8B1+Y8E0+B5A1+W2F2")
    page.locator("[data-send]").tap()
    page.wait_for_timeout(750)
    page.locator("[data-send]").tap()
    expect(table(page)).to_have_attribute("data-over", "")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    accessible(page)


def seen(page: Page, *selectors: str) -> None:
    """What is pressed for a draft is on the screen, and the draft's board too, with nothing over it."""
    board = page.locator(".leaf.active [data-panel]").bounding_box()
    dock = page.locator(".dock").bounding_box()
    assert board is not None
    assert dock is not None
    assert board["y"] >= -1
    assert board["y"] + board["height"] <= dock["y"] + 1
    for selector in (".dock", *selectors):
        for element in page.locator(selector).all():
            box = element.bounding_box()
            assert box is not None, selector
            assert box["y"] >= dock["y"], selector
            assert box["y"] + box["height"] <= SMALL["viewport"]["height"] + 1, selector


def test_board_and_pieces_are_on_a_small_screen_together(browser: Browser, served: Served) -> None:
    page = new_person(browser, **SMALL).new_page()
    start(page, served)
    drafted(page, "")
    held = (".stocked", "[data-handle]", "[data-tool=undo]")
    seen(page, ".stocked")
    # With an empty hand the game's own buttons are on the screen as well.
    more, dock = page.locator(".actions summary").bounding_box(), page.locator(".dock").bounding_box()
    assert more is not None
    assert dock is not None
    assert more["y"] + more["height"] <= dock["y"]
    for at in (0, 60):
        page.evaluate("at => scrollTo(0, at)", at)
        page.locator(piece(page, "B")).tap()
        expect(page.locator(piece(page, "B"))).to_have_attribute("aria-pressed", "true")
        seen(page, *held)
        page.locator(piece(page, "B")).tap()
    # Whoever has scrolled away sees the board again with a piece in the hand.
    page.evaluate("scrollTo(0, 300)")
    lay(page)
    drafted(page, MINE)
    seen(page, *held, "[data-send]")
    # What the keys reach isn't under the pieces.
    page.evaluate("scrollTo(0, 0)")
    page.locator('[data-place][tabindex="0"]').focus()
    press_until(page, "Tab", page.locator(".actions summary"))
    here, dock = page.locator(".actions summary").bounding_box(), page.locator(".dock").bounding_box()
    assert here is not None
    assert dock is not None
    assert here["y"] + here["height"] <= dock["y"]
    at = page.evaluate("scrollY")
    page.keyboard.press("Tab")
    assert page.locator(".dock :focus").count() == 1
    assert page.evaluate("scrollY") == at, "nothing moves for what is on the screen anyway"
    accessible(page)
    # At 200 % the pieces take no room from the board.
    page.set_viewport_size({"width": 180, "height": 320})
    expect(page.locator(".dock")).not_to_have_css("position", "fixed")


def test_a_mine_is_hidden_on_a_small_screen(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser, **SMALL).new_page() for _ in range(2))
    start(host, served, "orapa:mode=duel")
    join(friend, shared(host))
    turn_of(host, 0)
    end = host.locator("[data-part=actions] [data-what=end]")
    expect(end).to_have_count(1)
    expect(end).to_be_hidden()
    for seat, page in enumerate((host, friend)):
        turn_of(page, seat)
        expect(page.locator(".leaf.active")).to_have_attribute("data-owner", str(seat))
        expect(page.locator(".leaf:not(.active)")).to_have_css("width", "1px")
        for letter, (name, turns) in MIDDLES.items():
            page.locator(piece(page, letter)).tap()
            for _ in range(turns):
                page.locator("[data-handle=turn]").tap()
            place(page, f"{seat}.{name}").click(force=True)
        drafted(page, MINE)
        seen(page, ".stocked", "[data-handle]", "[data-send]")
        send(page)
        drafted(page, "")
    turn_of(host, 0)
    expect(host.locator(".leaf.active")).to_have_attribute("data-owner", "1")
    expect(host.locator(".leaf:not(.active)")).not_to_have_css("width", "1px")
    # There is something to end now.
    expect(end).to_be_visible()


def test_a_mine_is_found_by_keys_alone(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    start(page, served)
    press = page.keyboard.press

    def walk(name: str) -> None:
        """From square to square, by columns and rows."""
        for _ in range(30):
            here = str(page.evaluate("document.activeElement.dataset.lay"))
            if here == name:
                return
            columns, rows = int(name[:-1]) - int(here[:-1]), ord(name[-1]) - ord(here[-1])
            press(("ArrowRight" if columns > 0 else "ArrowLeft") if columns else "ArrowDown" if rows > 0 else "ArrowUp")
        raise AssertionError(f"the keys don't lead to {name}")

    for letter, (name, turns) in MIDDLES.items():
        page.locator(piece(page, letter)).focus()
        press("Enter")
        for _ in range(turns):
            press("r")
        walk(name)
        press("Enter")
    drafted(page, MINE)
    # The gem that was laid last is chosen.
    press("Shift+ArrowDown")
    press("Shift+ArrowRight")
    drafted(page, MINE.replace("S3B0", "S4C0"))
    press("Delete")
    drafted(page, MINE.replace("+S3B0", ""))
    for _ in range(3):
        press("Control+z")
    drafted(page, MINE)
    walk("8C")
    press("Enter")
    press("f")
    drafted(page, MINE.replace("R8B1", "R8B3"))
    press("Control+z")
    drafted(page, MINE)
    press("Escape")
    page.locator("[data-send]").focus()
    press("Enter")
    page.wait_for_timeout(750)
    press("Enter")
    expect(table(page)).to_have_attribute("data-over", "")
    says(page, "wins")


def test_the_tools_of_a_draft(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    address = start(page, served)
    ask(page, "B", 1)
    lay(page, {"Y": ("8E", 0)})
    page.locator(piece(page, "x")).click()
    for name in ("1A", "2A", "1A"):
        place(page, name).click()
    page.locator(piece(page, "x")).click()
    drafted(page, "Y8E0+x2A0")
    page.locator("[data-tool=save]").click()
    expect(page.locator("[data-tool=save]")).to_have_attribute("aria-disabled", "true")
    page.reload()
    in_step(page)
    drafted(page, "Y8E0+x2A0")
    gem = page.locator('[data-layer="0.draft"] .t-yellow')
    expect(gem).to_be_visible()
    page.locator("[data-tool=pieces]").click()
    expect(gem).to_be_hidden()
    page.locator("[data-tool=pieces]").click()
    page.locator("[data-tool=controls]").click()
    expect(page.locator("[data-controls]")).to_be_hidden()
    page.locator("[data-tool=controls]").click()
    expect(page.locator("[data-controls]")).to_be_visible()
    page.locator("[data-answers]").uncheck()
    expect(page.locator('[data-m="0.sign/B"]')).to_be_hidden()
    page.locator(".legend summary").click()
    expect(page.locator(".legend li")).to_have_count(16)
    page.locator("[data-tool=clear]").click()
    drafted(page, "")
    page.locator("[data-tool=undo]").click()
    drafted(page, "Y8E0+x2A0")
    # What wasn't saved is kept when the page goes away.
    page.locator(piece(page, "x")).click()
    place(page, "3A").click()
    drafted(page, "Y8E0+x2A0+x3A0")
    page.goto("about:blank")
    for _ in range(50):
        if "x3A0" in page.request.get(address).text():
            break
        page.wait_for_timeout(100)
    page.goto(address)
    in_step(page)
    drafted(page, "Y8E0+x2A0+x3A0")
    watcher = new_person(browser).new_page()
    watcher.goto(address)
    in_step(watcher)
    drafted(watcher, "")


def test_two_people_search_one_mine(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    start(host, served, "orapa:players=2")
    join(friend, shared(host))
    turn_of(host, 0)
    place(host, "B").click()
    expect(friend.locator("[data-moves] li")).to_have_count(1)
    assert moves(friend) == moves(host)
    in_step(host)
    host.locator("[data-move=done]").click()
    turn_of(friend, 1)
    lay(friend, OTHER)
    drafted(friend, MINE.replace("R8B1", "R7B1"))
    send(friend)
    expect(host.locator("[data-moves] li")).to_have_count(3)
    assert "R7B1" not in host.content()
    assert "R7B1" in moves(friend)[2]
    expect(host.locator('[data-seat-row="1"] .standing')).to_contain_text("1")
    turn_of(host, 0)
    lay(host)
    drafted(host, MINE)
    send(host)
    for page in (host, friend):
        expect(table(page)).to_have_attribute("data-over", "")
        assert "R7B1" in moves(page)[2], "the table is open"
    accessible(friend)


def test_a_duel(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    start(host, served, "orapa:mode=duel")
    join(friend, shared(host))
    for seat, page in enumerate((host, friend)):
        turn_of(page, seat)
        assert page.locator("[data-panel]").first.get_attribute("data-panel") == str(seat), "one's own board is first"
        for letter, (name, turns) in MIDDLES.items():
            page.locator(piece(page, letter)).click()
            for _ in range(turns):
                page.locator("[data-handle=turn]").click()
            # These squares can't be asked about: they are for laying only.
            place(page, f"{seat}.{name}").click(force=True)
        drafted(page, MINE)
        expect(page.locator(f'[data-layer="{seat}.draft"] .fill')).to_have_count(5)
        expect(page.locator("[data-send]")).to_contain_text("ide")
        send(page)
        # The draft begins anew on the other's board.
        drafted(page, "")
        expect(page.locator(f'[data-layer="{seat}.area"] .fill').first).to_be_visible()
    assert MINE not in " ".join(moves(host)[1:])
    turn_of(host, 0)
    place(host, "1.B").click()
    expect(friend.locator("[data-moves] li")).to_have_count(3)
    in_step(host)
    for letter, (name, turns) in MIDDLES.items():
        host.locator(piece(host, letter)).click()
        held = int(str(host.locator(f"{piece(host, letter)} .form:not([hidden])").get_attribute("data-form")))
        assert held == turns, "a gem is taken as it was turned last"
        place(host, f"1.{name}").click(force=True)
    drafted(host, MINE)
    send(host)
    turn_of(friend, 1)
    act(friend, "[data-do=resign]")
    friend.wait_for_timeout(750)
    act(friend, "[data-do=resign]")
    for page in (host, friend):
        expect(table(page)).to_have_attribute("data-over", "")


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_the_set_up_form_is_for_one_too(browser: Browser, served: Served, language: str) -> None:
    page = new_person(browser, language, viewport={"width": 360, "height": 740}).new_page()
    page.goto(f"{served.url}/{language}/new/orapa?preset=solo&code=abc")
    expect(page.locator("[data-company]").first).to_be_hidden()
    page.locator('input[value="together"]').check()
    expect(page.locator("[data-company]").first).to_be_visible()
    page.locator('input[value="solo"]').check()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    accessible(page)
    page.locator("form[data-setup] button.first").click()
    expect(page.locator("#wrong")).to_be_visible()
    page.locator("#code").fill(MINE)
    page.locator("form[data-setup] button.first").click()
    page.wait_for_url("**/t/*")
    in_step(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("[data-tray]").is_visible()
