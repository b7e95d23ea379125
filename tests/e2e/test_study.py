"""The study page: a finished game gone through, branches and comments, the engine beside it; by keys, by touch, in
pages of others."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FrameLocator, Locator, Page, Playwright, expect

from kletka.games import Move, State, game
from tests.e2e.conftest import BROWSER_ARGUMENTS
from tests.e2e.people import PATIENCE, draws, in_step, join, marks, new_person, open_table, place, play, shared, table
from tests.e2e.test_hands import PHONE, press_until
from tests.serving import Served

GAME = "b2,a1,c3,a3,a2,c2,b1,b3,c1"


def at(page: Page, path: str) -> None:
    """Wait until the page shows a node of the tree."""
    expect(table(page)).to_have_attribute("data-path", path)
    in_step(page, len(path.split(".")) if path else 0)


ENTRIES = "[data-tree] :is(button, .comment)"


def entries(page: Page) -> list[str]:
    """The tree as it is read: its moves and comments in order."""
    return page.locator(ENTRIES).all_inner_texts()


def step(page: Page, where: str) -> None:
    page.locator(f"[data-go={where}]").click()


def study(page: Page, served: Served, query: str, language: str = "en") -> None:
    page.goto(f"{served.url}/{language}/study?{query}")
    expect(table(page)).to_have_attribute("data-live", "on")


def test_a_finished_game_is_studied(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    open_table(host, served.url, "tictactoe")
    expect(host.get_by_text("Study this game")).to_be_hidden()
    join(friend, shared(host))
    play([host, friend], "b2 a1 b1 b3 a2")
    button = host.locator("[data-do=resign]")
    for _ in range(2):
        if not button.is_visible():
            host.locator("details:has([data-do=resign]) summary").click()
        button.click(delay=50)
        host.wait_for_timeout(800)
    host.get_by_text("Study this game").click()
    at(host, "0.0.0.0.0.0")
    assert entries(host)[:6] == ["Start", "1. b2", "2. a1", "3. b1", "4. b3", "5. a2"]
    step(host, "back")
    step(host, "back")
    at(host, "0.0.0.0")
    place(host, "c1").click()
    at(host, "0.0.0.0.1")
    host.locator("[data-comment]").fill("Two ways\nto win <b>")
    place(host, "a3").click()
    at(host, "0.0.0.0.1.0")
    expect(host.locator(ENTRIES).nth(8)).to_have_text("6. a3")
    tree, shown = entries(host), marks(host)
    assert tree[5:9] == ["5. a2", "5. c1", "Two ways\nto win <b>", "6. a3"]
    host.reload()
    at(host, "0.0.0.0.1.0")
    assert (entries(host), marks(host)) == (tree, shown)
    step(host, "back")
    expect(host.locator("[data-comment]")).to_have_value("Two ways\nto win <b>")
    step(host, "above")
    at(host, "0.0.0.0.0")
    step(host, "below")
    at(host, "0.0.0.0.1")
    link = host.locator("#link").input_value()
    visitor = new_person(browser, "fr").new_page()
    visitor.goto(link)
    at(visitor, "0.0.0.0.0")
    assert [entry.partition(" ")[2] for entry in entries(visitor)[1:]] == ["b2", "a1", "b1", "b3", "c1", "a3"]
    shown = marks(visitor)
    step(host, "first")
    host.locator("[data-tree] button", has_text="5. c1").click()
    at(host, "0.0.0.0.1")
    draws(host, shown)
    remove = host.locator("[data-remove]")
    remove.click()
    host.wait_for_timeout(800)
    remove.click()
    at(host, "0.0.0.0")
    assert entries(host) == [entry for entry in tree if entry not in ("5. c1", "Two ways\nto win <b>", "6. a3")]


@pytest.mark.parametrize("pressed", ["[data-think]", "[data-tree] [data-node='0.0']"])
def test_the_first_press_after_a_comment_is_heard(browser: Browser, served: Served, pressed: str) -> None:
    page = new_person(browser).new_page()
    study(page, served, f"spec=tictactoe&moves={GAME}&at=4")
    page.locator("[data-comment]").fill("One\ntwo\nthree")
    button = page.locator(pressed)
    button.scroll_into_view_if_needed()
    button.evaluate("node => node.addEventListener('click', () => (document.body.dataset.heard = ''))")
    box = button.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    # What a change of the page would need to be seen.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert button.bounding_box() == box
    page.mouse.up()
    expect(page.locator("body[data-heard]")).to_be_attached()
    expect(page.locator("[data-tree] .comment")).to_have_text("One\ntwo\nthree")


def test_by_keys_alone(browser: Browser, served: Served) -> None:
    page = new_person(browser, "ru").new_page()
    study(page, served, f"spec=tictactoe&moves={GAME}&at=0", "ru")
    current = page.locator("[data-tree] [aria-current]")
    press_until(page, "Tab", current)
    for key, path in (("ArrowRight", "0"), ("End", "0.0.0.0.0.0.0.0.0"), ("Home", ""), ("ArrowRight", "0")):
        page.keyboard.press(key)
        at(page, path)
    press_until(page, "Shift+Tab", page.locator("[data-place][tabindex='0']"))
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(place(page, "a3")).to_be_focused()
    page.keyboard.press("Enter")
    at(page, "0.1")
    press_until(page, "Tab", current)
    expect(current).to_have_text("2. a3")
    page.keyboard.press("ArrowUp")
    at(page, "0.0")
    expect(current).to_be_focused()
    page.keyboard.press("ArrowDown")
    at(page, "0.1")
    press_until(page, "Tab", page.locator("[data-comment]"))
    page.keyboard.type("Почему?")
    press_until(page, "Shift+Tab", current)
    for number, text in ((3, "2. a3"), (4, "Почему?")):
        expect(page.locator(ENTRIES).nth(number)).to_have_text(text)


def test_a_hidden_game_answers_by_its_mine(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    study(page, served, "spec=orapa&setup=R8B1%2BY8E0%2BB5A1%2BW2F2%2BS3B0")
    before = len(marks(page))
    place(page, "B").click()
    at(page, "0")
    state = game("orapa").start("R8B1+Y8E0+B5A1+W2F2+S3B0")
    answer = state.told(game("orapa").parse("B"), 0).partition("=")[2].partition(".")[0]
    assert re.fullmatch(rf"1\. B → {answer}, \w+", entries(page)[1])
    page.locator("[data-move=done]").click()
    at(page, "0.0")
    assert len(marks(page)) > before
    step(page, "first")
    at(page, "")
    assert len(marks(page)) == before


@cache
def worth(state: State) -> float:
    """The mover's share of the win, by looking at everything."""
    if state.outcome:
        return 0.5 if len(state.outcome.winners) != 1 else 0.0
    return max(1 - worth(state.play(move)) for move in state.moves())


def solved(moves: list[str]) -> tuple[list[float], list[str]]:
    """The first seat's share after each move, and what each move is called, by the solver of this test."""
    state: State = game("tictactoe").start()
    shares, kinds = [worth(state)], []
    for number, text in enumerate(moves):
        best = worth(state)
        state = state.play(Move(text))
        got = 1 - worth(state)
        kinds.append("??" if (best, got) == (1, 0) else "?" if got < best else "")
        shares.append(got if number % 2 == 0 else 1 - got)
    return shares, kinds


def test_the_engine_finds_every_mistake(browser: Browser, served: Served) -> None:
    moves = ["c1", "a3", "c2", "c3", "a2", "a1", "b2"]
    shares, kinds = solved(moves)
    assert kinds == ["", "?", "??", "", "", "??", ""]
    page = new_person(browser).new_page()
    study(page, served, f"spec=tictactoe&moves={','.join(moves)}&at=3")
    page.locator("[data-review]").click()
    expect(page.locator("[data-reviewed]")).to_contain_text("mistakes: ", timeout=30_000)
    expect(page.locator("[data-graph]")).to_have_attribute("data-scores", ",".join(f"{share:g}" for share in shares))
    signs = [
        entry.locator(".fell").inner_text() if entry.locator(".fell").count() else ""
        for entry in page.locator("[data-tree] button").all()[1:]
    ]
    assert signs == kinds
    assert page.locator("[data-graph] text").all_text_contents() == [kind for kind in kinds if kind]
    page.reload()
    expect(page.locator("[data-graph] > svg")).to_be_visible()
    box = page.locator("[data-graph]").bounding_box()
    assert box
    page.locator("[data-graph]").click(position={"x": box["width"] - 3, "y": box["height"] / 2})
    at(page, ".".join("0" * len(moves)))
    page.locator("[data-tree] button", has_text="2. a3").click()
    at(page, "0.0")
    page.locator("[data-think]").click()
    expect(page.locator("[data-lines] li")).to_have_count(3)
    state = game("tictactoe").start().play(Move("c1")).play(Move("a3"))
    best = [move for move in state.moves() if worth(state.play(move)) == 0]
    first = page.locator("[data-lines] button").first
    assert first.get_attribute("data-move") in best
    assert "a win, proven" in page.locator("[data-lines] li").first.inner_text()
    # Arrows lead through the line that one looks at, from its first move on.
    expect(page.locator(".advised.trail")).to_have_count(1)
    shown = page.locator(".advised.frame")
    before = shown.get_attribute("d")
    page.locator("[data-lines] li").last.hover()
    expect(shown).to_have_count(1)
    expect(shown).not_to_have_attribute("d", str(before))
    first.focus()
    expect(shown).to_have_attribute("d", str(before))
    expect(page.locator(".advised.frame")).to_have_count(1)
    name = first.get_attribute("data-move")
    first.click()
    expect(page.locator("[data-tree] [aria-current]")).to_contain_text(f"3. {name}")
    expect(page.locator(".advised")).to_have_count(0)


def test_playing_on_from_a_position(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    study(page, served, f"spec=tictactoe&moves={GAME}&at=4")
    step(page, "back")
    step(page, "back")
    at(page, "0.0")
    page.get_by_text("The board as text").click()
    expect(page.locator("[data-twin]")).to_contain_text("3 . . .")
    page.locator("#typed").fill("c3")
    page.locator("#typed").press("Enter")
    at(page, "0.0.0")
    expect(page.locator("[data-twin]")).to_contain_text("3 . . x")
    expect(page.locator("#typed")).to_have_value("")
    page.locator("[data-onward] button[value=engine]").click()
    page.wait_for_url("**/t/*")
    expect(table(page)).to_have_attribute("data-seat", "1")
    in_step(page)
    for mark in ("a1", "b2", "c3"):
        expect(page.locator(f'[data-m="0.sign/{mark}"]')).to_have_count(1)
    expect(place(page, "b2")).to_have_attribute("aria-disabled", "true")


def test_on_a_small_phone(browser: Browser, served: Served) -> None:
    page = new_person(browser, "fr", **PHONE).new_page()
    study(page, served, f"spec=tictactoe&moves={GAME}&at=2", "fr")
    place(page, "b3").tap()
    at(page, "0.0.1")
    page.locator("[data-comment]").fill("Un commentaire " * 20)
    page.locator("[data-go=back]").tap()
    at(page, "0.0")
    for summary in page.locator("summary").all():
        summary.tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.locator(".study :is(button, summary, select, input:not([type=hidden]), .links a)").evaluate_all(
        """nodes => nodes.filter(node => node.checkVisibility()).map(node => [node, node.getBoundingClientRect()])
            .filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([node]) => node.outerHTML)"""
    )
    assert small == []


@pytest.mark.parametrize(
    ("scheme", "path"),
    [
        ("light", f"/en/study?spec=tictactoe&moves={GAME}&at=4"),
        ("dark", "/fr/study?spec=crystals:board=11x11&moves=a1,b2"),
        ("light", "/ru/study"),
        ("dark", f"/ru/embed/study?spec=tictactoe&moves={GAME}&at=4"),
    ],
)
def test_axe(browser: Browser, served: Served, scheme: Any, path: str) -> None:
    page = new_person(browser, color_scheme=scheme).new_page()
    page.goto(served.url + path)
    if table(page).count():
        expect(table(page)).to_have_attribute("data-live", "on")
        for summary in page.locator(".side > details > summary").all():
            summary.click()
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    found = Axe().run(page, options=options)
    assert found.violations_count == 0, found.generate_report()


class _Site(BaseHTTPRequestHandler):
    """A page of somebody else."""

    frames = ""

    def do_GET(self) -> None:
        body = f"<!doctype html><html lang=en><title>Club</title><h1>Our games</h1>{self.frames}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def club(*addresses: str) -> Iterator[str]:
    """A page of another site that shows these addresses in frames: another host name and another port."""
    frames = "".join(f'<iframe src="{address}" width="400" height="560"></iframe>' for address in addresses)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Club", (_Site,), {"frames": frames}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def blocking(playwright: Playwright, browser_type_launch_args: dict[str, Any], tmp_path: Path) -> Iterator[Page]:
    """A browser that blocks cookies and storage of third parties."""
    folder = tmp_path / "profile"
    (folder / "Default").mkdir(parents=True)
    wishes = {"profile": {"cookie_controls_mode": 1, "block_third_party_cookies": True}}
    (folder / "Default" / "Preferences").write_text(json.dumps(wishes))
    context = playwright.chromium.launch_persistent_context(
        folder, executable_path=browser_type_launch_args["executable_path"], args=BROWSER_ARGUMENTS
    )
    context.set_default_timeout(PATIENCE)
    yield context.pages[0]
    context.close()


def shown(frame: FrameLocator) -> Locator:
    return frame.locator("kletka-table")


def test_in_a_page_of_another_site(browser: Browser, served: Served, blocking: Page) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    address = open_table(host, served.url, "tictactoe")
    join(friend, shared(host))
    play([host, friend], "b2 a1")
    embedded = address.replace("/en/t/", "/en/embed/t/")
    still = f"{served.url}/en/embed/study?spec=tictactoe&moves={GAME}&at=2"
    # Whoever looks has been at Kletka before, and has a key there.
    open_table(blocking, served.url, "tictactoe")
    with club(embedded, still, address) as page:
        blocking.goto(page)
        live, study, refused = (blocking.frame_locator("iframe").nth(number) for number in range(3))
        expect(shown(live)).to_have_attribute("data-live", "on")
        inside = next(frame for frame in blocking.frames if frame.url == embedded)
        assert inside.evaluate("() => { try { return String(localStorage.length) } catch (e) { return e.name } }") == (
            "SecurityError"
        )
        play([host, friend], "c3")
        expect(live.locator("[data-moves] li")).to_have_count(3)
        live.locator("[data-step=back]").click()
        expect(shown(live)).to_have_attribute("data-shown", re.compile("[0-9]+"))
        expect(live.locator('[data-m="0.sign/c3"]')).to_have_count(0)
        live.locator("[data-step=now]").click()
        expect(live.locator('[data-m="0.sign/c3"]')).to_have_count(1)
        expect(study.locator('[data-m^="0.sign"]')).to_have_count(2)
        study.locator("[data-step=forward]").click()
        expect(study.locator('[data-m^="0.sign"]')).to_have_count(3)
        study.locator("[data-step=now]").click()
        expect(study.locator('[data-m^="0.sign"]')).to_have_count(9)
        study.locator("[data-step=first]").click()
        expect(study.locator('[data-m^="0.sign"]')).to_have_count(0)
        expect(shown(refused)).to_have_count(0)
        with blocking.expect_popup() as opened:
            study.get_by_text("Open in Kletka").click()
        opened.value.wait_for_url("**/en/study?*")
