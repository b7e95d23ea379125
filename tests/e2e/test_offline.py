"""Without a network: finished games, rules and the start page stay, everything else says so; nothing more is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kletka import words
from kletka.server import offline
from tests.e2e.people import draws, in_step, join, marks, new_person, open_table, place, play, shared, table
from tests.server.inside import inside
from tests.serving import Served

ONCE = """async (wanted) => {
    for (let tries = 0; tries < 1000; tries++) {
        if ((TRUE) === wanted) return;
        await new Promise((again) => setTimeout(again, 20));
    }
    throw new Error("it doesn't come");
}"""
ADDRESSES = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        found[name] = (await cache.keys()).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
    }
    return found;
}"""
GAME = "b2 a1 a2 c2 b3 b1 c1 a3 c3"
"""A draw."""


def visitor(browser: Browser, language: str = "en", **options: Any) -> BrowserContext:
    """Somebody whose browser lets the service worker in."""
    return new_person(browser, language, service_workers="allow", **options)


def wait_kept(page: Page, path: str) -> None:
    """Wait until a path of this server is kept."""
    page.evaluate(ONCE.replace("TRUE", f"(await caches.match('{path}')) !== undefined"), True)


def path_of(page: Page) -> str:
    """The path of a page's address."""
    return "/" + page.url.split("/", 3)[3]


def says_so(page: Page, language: str) -> None:
    """The page says that there is no network, in its language."""
    expect(page.locator("[data-offline] h1")).to_have_text(words.say(language, "page.offline"))
    assert page.locator("html").get_attribute("lang") == language


def test_a_game_played_to_its_end_can_be_read_and_stepped_through(browser: Browser, served: Served) -> None:
    context = visitor(browser)
    host, guest = context.new_page(), new_person(browser).new_page()
    host.goto(f"{served.url}/en/")
    host.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    open_table(host, served.url, "tictactoe")
    join(guest, shared(host))
    play([host, guest], GAME)
    expect(table(host)).to_have_attribute("data-to", "")
    path, played = path_of(host), marks(host)
    # The page was never loaded again: it is its script that has it kept.
    wait_kept(host, path)
    running = context.new_page()
    open_table(running, served.url, "tictactoe:shape=4x4")
    join(guest, shared(running))
    place(running, "a1").click()
    expect(guest.locator("[data-moves] li")).to_have_count(1)
    unfinished = path_of(running)

    context.set_offline(True)
    host.goto("about:blank")
    host.goto(served.url + path)
    draws(host, played)
    assert host.locator("[data-token]").count() == 0, "no key of a seat is kept"
    host.locator("[data-step=back]").first.click()
    expect(host.locator("[data-m^='0.sign/']")).to_have_count(8)
    host.locator("[data-step=first]").click()
    expect(host.locator("[data-m^='0.sign/']")).to_have_count(0)
    host.locator("[data-moves] button").nth(4).click()
    expect(host.locator("[data-m^='0.sign/']")).to_have_count(5)
    assert host.evaluate(f"fetch('{path}/text').then((answer) => answer.text())").count("x") == 5

    running.reload()
    says_so(running, "en")
    listed = running.locator("[data-kept] a")
    expect(listed).to_have_count(1)
    assert "3" in listed.inner_text()
    expect(running.locator("[data-none]")).to_be_hidden()
    found: dict[str, list[str]] = running.evaluate(ADDRESSES)
    kept = [address for addresses in found.values() for address in addresses]
    assert f"GET {path}" in kept
    assert not [address for address in kept if unfinished in address or "GET" not in address]
    listed.click()
    expect(table(running)).to_have_attribute("data-over", "")
    running.go_back()
    says_so(running, "en")
    context.set_offline(False)
    # It comes by itself, if need be at the second try.
    expect(table(running)).to_have_attribute("data-live", "on")
    assert path_of(running) == unfinished
    host.reload()
    in_step(host)
    draws(host, played)
    assert host.locator("[data-token]").count() == 1


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_what_is_there_and_what_is_not(browser: Browser, served: Served, language: str) -> None:
    context = visitor(browser, language, viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.goto(f"{served.url}/{language}/rules/tictactoe")
    # The first page was there before the worker, the start page hasn't been seen at all.
    wait_kept(page, f"/{language}/rules/tictactoe")
    wait_kept(page, f"/{language}/")
    page.goto(f"{served.url}/{language}/rules/dots")
    wait_kept(page, f"/{language}/rules/dots")
    context.set_offline(True)
    for path in ("/", "/rules/tictactoe", "/rules/dots"):
        page.goto(f"{served.url}/{language}{path}")
        expect(page.locator("main h1")).not_to_be_empty()
        assert page.locator("[data-offline]").count() == 0
    page.goto(f"{served.url}/{language}/new/dots")
    says_so(page, language)
    expect(page.locator("[data-none]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert Axe().run(page).violations_count == 0
    # What has no language of its own is said in the browser's.
    page.goto(f"{served.url}/t/nowhere")
    says_so(page, language)
    # A form doesn't end in the browser's own words either.
    page.goto(f"{served.url}/{language}/")
    page.locator(".card button").first.click()
    page.wait_for_url(f"**/{language}/offline")
    says_so(page, language)
    context.set_offline(False)
    page.locator("[data-again]").click()
    page.wait_for_url(f"**/{language}/")
    page.locator(".card button").first.click()
    page.wait_for_url("**/t/*")
    in_step(page)


def test_a_new_build_waits_for_the_pages_of_the_old_one(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = offline._worker
    with inside(tmp_path) as site:
        context = visitor(browser)
        page = context.new_page()
        page.goto(f"{site.url}/en/rules/dots")
        wait_kept(page, "/en/rules/dots")
        before: dict[str, list[str]] = page.evaluate(ADDRESSES)
        (old,) = [name for name in before if "build" in name]
        page.reload()
        _change(monkeypatch, build)
        page.evaluate("navigator.serviceWorker.ready.then((one) => one.update()).then(() => 0)")
        waiting = "(await navigator.serviceWorker.ready).waiting?.state"
        page.evaluate(ONCE.replace("TRUE", waiting), "installed")
        during: dict[str, list[str]] = page.evaluate(ADDRESSES)
        assert during[old] == before[old], "the open page has its files"
        assert "kletka-build-newer" in during
        page.close()
        # The last page of the old build is gone.
        page = context.new_page()
        page.goto(f"{site.url}/en/rules/dots")
        page.evaluate(ONCE.replace("TRUE", f"(await caches.keys()).includes('{old}')"), False)
        after: dict[str, list[str]] = page.evaluate(ADDRESSES)
        assert "kletka-build-newer" in after
        # What was kept under the old build is still whole.
        context.set_offline(True)
        page.goto(f"{site.url}/en/rules/dots")
        expect(page.locator("main h1")).to_be_visible()
        assert page.evaluate("document.styleSheets.length") == 1
        context.close()


def _change(monkeypatch: pytest.MonkeyPatch, build: Callable[[], str]) -> None:
    """From now on the server has another build."""
    text = build()
    name = text.split('"build": "')[1].split('"')[0]
    monkeypatch.setattr(offline, "_worker", lambda: text.replace(name, "newer"))


def test_chromium_would_install_it(browser: Browser, served: Served) -> None:
    context = visitor(browser, "ru")
    page = context.new_page()
    page.goto(f"{served.url}/ru/")
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    devtools = context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{served.url}/ru/manifest.webmanifest"
    errors = {error["errorId"] for error in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}, "every browser of these tests is a private one"


def test_plain_http_does_without(browser_type: Any, browser_type_launch_args: dict[str, Any], served: Served) -> None:
    arguments = [*browser_type_launch_args["args"], "--host-resolver-rules=MAP kletka.home 127.0.0.1"]
    home = browser_type.launch(**browser_type_launch_args | {"args": arguments})
    page = visitor(home).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"http://kletka.home:{served.port}/en/offline")
    assert page.evaluate("'serviceWorker' in navigator") is False
    expect(page.locator("[data-none]")).to_be_visible()
    page.goto(f"http://kletka.home:{served.port}/en/")
    expect(page.locator(".card").first).to_be_visible()
    assert errors == []
    home.close()
