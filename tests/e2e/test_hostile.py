"""What the page's script draws is text and nothing else, whatever people call themselves and write."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import in_step, join, new_person, shared, table
from tests.serving import Served

INNOCENT = "Anna"
SHOWN: dict[str, Counter[str]] = {}
"""The elements of each view where nobody has an odd name."""


class Watched:
    """People's pages, all of whose complaints are kept."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self.browser, self.url = browser, served.url
        self.complaints: list[str] = []
        self.views: dict[str, Counter[str]] = {}

    def page(self) -> Page:
        """A page of somebody new."""
        page = new_person(self.browser).new_page()
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.hear(said.type, said.text))
        return page

    def hear(self, kind: str, text: str) -> None:
        """Keep what the browser complains of; that people come without the worker is meant."""
        if kind in ("error", "warning") and "registration blocked by Playwright" not in text:
            self.complaints.append(text)

    def post(self, page: Page, path: str, **form: str) -> str:
        """Send a form of the page's person: gives where it leads."""
        sent: dict[str, str | float | bool] = {**form}
        answer = page.request.post(f"{self.url}{path}", form=sent, max_redirects=0, fail_on_status_code=False)
        assert answer.status == 303, answer.text()
        return self.url + answer.headers["location"]

    def look(self, view: str, page: Page) -> None:
        """Keep which elements a page is made of. Fails where somebody's script has run."""
        tags, hit = page.evaluate("[[...document.querySelectorAll('*')].map(e => e.tagName), window.hit ?? null]")
        assert hit is None
        self.views[view] = Counter(tags)


def people(page: Page) -> list[str]:
    """The names beside the board, as they are read."""
    return page.locator("[data-part=players] bdi").all_inner_texts()


def everywhere(watched: Watched, name: str) -> None:
    """Two people of this name meet, while somebody watches, and look at everything that names them."""
    host, friend, watcher = (watched.page() for _ in range(3))
    host.goto(watched.post(host, "/en/tables", spec="tictactoe", name=name))
    in_step(host)
    watcher.goto(host.url)
    in_step(watcher)
    before = people(host)
    join(friend, shared(host), name)
    # What comes by the socket is drawn by the script, what is opened by the server: both have the same elements.
    for page in (host, watcher):
        in_step(page, 2)
        expect(page.locator("[data-part=players] bdi")).to_have_text([*before, *before])
        watched.look("joined" if page is host else "watched", page)
    assert people(friend) == people(watcher) == people(host)
    watcher.reload()
    in_step(watcher, 2)
    watched.look("watched", watcher)
    # Signs that are written from the right stay in their place: where a line has room for both, what follows a name
    # stands to the right of it.
    beyond = """row => { const name = row.querySelector("bdi"), range = document.createRange();
        range.selectNode(name.nextSibling);
        const [own, next] = [name, range].map(one => [...one.getClientRects()].filter(at => at.width));
        return own.length + next.length > 2 || next[0].top > own[0].top || next[0].left >= own[0].right - 1 }"""
    assert host.locator("[data-part=players] .who", has_text="(you)").evaluate(beyond)
    for version, (page, move) in enumerate(((host, "b2"), (friend, "a1")), 3):
        watched.post(page, f"{page.url.removeprefix(watched.url)}/move", move=move, base="0" if version == 3 else "3")
        in_step(host, version)
    watched.post(friend, f"{friend.url.removeprefix(watched.url)}/do", do="offer:end")
    expect(host.locator("[data-part=actions] .offer")).to_be_visible()
    expect(host.locator(".board .new")).to_have_count(0)
    watched.look("offered", host)
    watched.post(friend, f"{friend.url.removeprefix(watched.url)}/do", do="resign")
    expect(host.locator("[data-say]")).to_contain_text("resigned")
    host.locator("[data-step=first]").click()
    # The first position has no marks; those that go take a moment.
    expect(host.locator("[data-layer='0.sign'] > *")).to_have_count(0)
    watched.look("over", host)
    friend.goto(f"{watched.url}/en/mine")
    expect(friend.locator("[data-group=over] li")).to_contain_text(before[0])
    watched.look("mine", friend)
    watcher.goto(host.url.replace("/en/t/", "/en/embed/t/"))
    watched.look("embedded", watcher)
    host.goto(f"{host.url}/study")
    expect(table(host)).to_have_attribute("data-live", "on")
    host.locator("[data-comment]").fill(name)
    host.locator("[data-go=first]").click()
    expect(host.locator("[data-tree] .comment")).to_have_text(name.strip())
    host.reload()
    expect(table(host)).to_have_attribute("data-live", "on")
    expect(host.locator("[data-tree] button")).to_have_count(4)
    expect(host.locator("[data-tree] .comment")).to_have_text(name.strip())
    expect(host.locator("[data-layer='0.sign'] > *")).to_have_count(0)
    watched.look("studied", host)
    race = watched.post(host, "/en/tables", spec="orapa", racers="2", name=name)
    host.goto(race)
    watched.post(friend, f"{race.removeprefix(watched.url)}/join", name=name)
    # The list is fetched anew by itself; sooner where somebody looks again.
    host.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(host.locator(".racers bdi")).to_have_text(before * 2)
    watched.look("raced", host)
    friend.goto(watched.post(friend, "/en/tables", spec="secret", name=name, **{"with": "screen"}))
    expect(friend.locator("[data-curtain] button")).to_contain_text(before[0])
    watched.look("curtain", friend)


@pytest.mark.parametrize(
    "name", ['"><img src=x onerror=hit=1>', "{{7*7}}${7*7}%s{who}</bdi>", "\u202e\u2067שלום 123\u200f"]
)
def test_names_and_comments_are_text_in_everything_that_is_drawn(browser: Browser, served: Served, name: str) -> None:
    if not SHOWN:
        innocent = Watched(browser, served)
        everywhere(innocent, INNOCENT)
        SHOWN.update(innocent.views)
        assert innocent.complaints == []
    watched = Watched(browser, served)
    everywhere(watched, name)
    assert {view: (more - SHOWN[view], SHOWN[view] - more) for view, more in watched.views.items()} == {
        view: (Counter(), Counter()) for view in SHOWN
    }
    assert watched.complaints == []
