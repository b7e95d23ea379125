"""Connections that are lost, slow or wild; pages that slept, were left, or are older than their server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from kletka import words
from kletka.server import Rates
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
    shared,
    shows,
    start,
    table,
    turn_of,
)
from tests.server.inside import inside
from tests.serving import Served

SOCKET = re.compile("/socket$")


class Cable:
    """A page's connection, to be pulled out and put in again; `heard` may change what the server says."""

    def __init__(self, page: Page, heard: Callable[[str], str] = lambda text: text) -> None:
        self.heard = heard
        self.plugged = True
        self.ends: list[WebSocketRoute] = []
        page.route_web_socket(SOCKET, self._opened)

    def _opened(self, route: WebSocketRoute) -> None:
        if not self.plugged:
            route.close()
            return
        server = route.connect_to_server()
        server.on_message(lambda message: route.send(self.heard(str(message))))
        self.ends = [route, server]

    def pull(self) -> None:
        self.plugged = False
        for end in self.ends:
            end.close()

    def put(self) -> None:
        self.plugged = True


class Wild:
    """A connection that repeats messages, holds them back until the next one came, and is cut in between."""

    def __init__(self, page: Page, seed: int) -> None:
        self.rng = Random(seed)
        self.done = dict.fromkeys(("repeated", "held", "cut"), 0)
        page.route_web_socket(SOCKET, self._opened)

    def _opened(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        late: list[str] = []

        def does(what: str, chance: float) -> bool:
            wanted = self.rng.random() < chance
            self.done[what] += wanted
            return wanted

        def cut(message: str) -> bool:
            if "hello" in message or not does("cut", 0.06):
                return False
            route.close()
            server.close()
            return True

        def from_page(message: str | bytes) -> None:
            text = str(message)
            if cut(text):
                return
            server.send(text)
            # The greeting comes first: before it nothing is understood.
            if "hello" not in text and does("repeated", 0.15):
                server.send(text)

        def from_server(message: str | bytes) -> None:
            text = str(message)
            if '"build"' in text:
                # The end of a greeting, which nothing may follow for a while.
                route.send(text)
                return
            if cut(text):
                return
            if not late and does("held", 0.3):
                late.append(text)
                return
            route.send(text)
            if does("repeated", 0.15):
                route.send(text)
            while late:
                route.send(late.pop())

        route.on_message(from_page)
        server.on_message(from_server)


def two(browser: Browser, served: Served, spec: str = "tictactoe") -> tuple[Page, Page]:
    """Two people at a table, the first to move."""
    host, friend = (new_person(browser).new_page() for _ in range(2))
    start(host, f"{served.url}/en/", spec)
    join(friend, shared(host))
    turn_of(host, 0)
    return host, friend


def test_a_whole_game_over_wild_connections(browser: Browser, served: Served) -> None:
    host, friend = players = [new_person(browser).new_page() for _ in range(2)]
    wild = [Wild(page, seed) for seed, page in enumerate(players)]
    start(host, f"{served.url}/en/", "tictactoe:shape=15x15,line=5")
    join(friend, shared(host))
    names = [f"{column}{row}" for row in (1, 2) for column in "abcdef"]
    for number, name in enumerate(names):
        mover = players[number % 2]
        expect(table(mover)).to_have_attribute("data-to", str(number % 2))
        expect(mover.locator("[data-moves] li")).to_have_count(number)
        expect(table(mover)).not_to_have_attribute("data-pending", "")
        place(mover, name).click()
    for page in players:
        expect(page.locator("[data-moves] li")).to_have_text(names)
        expect(table(page)).to_have_attribute("data-live", "on")
        expect(page.locator("[data-notice]")).to_be_hidden()
    live = marks(host)
    draws(friend, live)
    watcher = new_person(browser).new_page()
    watcher.goto(host.url)
    draws(watcher, live)
    done = {what: sum(one.done[what] for one in wild) for what in wild[0].done}
    assert min(done.values()) >= 3, done


def test_a_move_made_without_a_connection_is_sent_once_when_it_is_back(browser: Browser, served: Served) -> None:
    host = new_person(browser).new_page()
    cable = Cable(host)
    start(host, f"{served.url}/en/", "tictactoe")
    friend = new_person(browser).new_page()
    join(friend, shared(host))
    turn_of(host, 0)
    cable.pull()
    expect(host.locator("[data-away]")).to_be_visible()
    place(host, "b2").click()
    expect(place(host, "b2")).to_have_class("waits")
    expect(host.locator("[data-away]")).to_contain_text("will be sent")
    expect(host.locator(".kept-note")).to_be_visible()
    assert moves(friend) == []
    cable.put()
    expect(friend.locator("[data-moves] li")).to_have_text(["b2"])
    in_step(host)
    expect(host.locator("[data-away]")).to_be_hidden()
    expect(place(host, "b2")).not_to_have_class("waits")
    shows(host, ["b2"])


def test_a_move_that_came_too_late_is_taken_back_in_sight(browser: Browser, served: Served) -> None:
    """The same seat plays in another window meanwhile; the reason stays until something is pressed."""
    context = new_person(browser)
    host = context.new_page()
    cable = Cable(host)
    address = start(host, f"{served.url}/en/", "tictactoe")
    friend = new_person(browser).new_page()
    join(friend, shared(host))
    turn_of(host, 0)
    cable.pull()
    expect(table(host)).to_have_attribute("data-live", "lost")
    place(host, "a1").click()
    expect(place(host, "a1")).to_have_class("waits")
    window = context.new_page()
    window.goto(address)
    in_step(window)
    place(window, "b2").click()
    expect(friend.locator("[data-moves] li")).to_have_text(["b2"])
    cable.put()
    expect(place(host, "a1")).to_have_class("refused")
    expect(host.locator("[data-notice]")).to_be_visible()
    reason = host.locator("[data-notice]").inner_text()
    turn_of(friend, 1)
    place(friend, "c3").click()
    expect(host.locator("[data-moves] li")).to_have_text(["b2", "c3"])
    expect(host.locator("[data-notice]")).to_have_text(reason)
    turn_of(host, 0)
    place(host, "a1").click()
    expect(host.locator("[data-notice]")).to_be_hidden()
    expect(friend.locator("[data-moves] li")).to_have_text(["b2", "c3", "a1"])


def test_a_page_that_was_left_or_slept_is_in_step_again(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served)
    play([host, friend], "b2")
    host.locator(".links a[href*='/rules/']").click()
    host.wait_for_url("**/rules/**")
    turn_of(friend, 1)
    place(friend, "a1").click()
    host.go_back()
    turn_of(host, 0)
    shows(host, ["b2", "a1"])
    session = friend.context.new_cdp_session(friend)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    place(host, "c3").click()
    expect(host.locator("[data-moves] li")).to_have_count(3)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    turn_of(friend, 1)
    shows(friend, ["b2", "a1", "c3"])


def test_a_newer_server_is_loaded_where_that_disturbs_nobody(browser: Browser, served: Served) -> None:
    """Whoever is to move is only offered it; nobody is loaded again and again."""
    host, friend = (new_person(browser).new_page() for _ in range(2))
    newer = {"now": False}

    def heard(text: str) -> str:
        return re.sub('"build":"[^"]*"', '"build":"newer"', text) if newer["now"] else text

    cables = [Cable(page, heard) for page in (host, friend)]
    loads = {host: 0, friend: 0}

    def loaded(page: Page) -> None:
        loads[page] += 1

    start(host, f"{served.url}/en/", "tictactoe")
    join(friend, shared(host))
    turn_of(host, 0)
    for page in (host, friend):
        page.on("load", loaded)
    newer["now"] = True
    for cable in cables:
        cable.pull()
        cable.put()
    for page in (host, friend):
        expect(page.locator("[data-renewed]")).to_be_visible()
        in_step(page)
    for number, (page, name) in enumerate(((host, "b2"), (friend, "a1"))):
        turn_of(page, number)
        place(page, name).click()
        # Whoever has moved is disturbed by nothing.
        for _ in range(200):
            if loads[page]:
                break
            page.wait_for_timeout(100)
        in_step(page)
    turn_of(host, 0)
    assert loads == {host: 1, friend: 1}
    host.locator("[data-renew]").click()
    host.wait_for_load_state()
    in_step(host)
    assert loads[host] == 2
    shows(host, ["b2", "a1"])


def test_a_page_without_room_says_so_and_a_press_asks_again(browser: Browser, tmp_path: Path) -> None:
    """One socket a browser: the second page has to wait until the first is closed."""
    with inside(tmp_path, rates=Rates(sockets=1)) as site:
        host = new_person(browser, "fr")
        first = host.new_page()
        open_table(first, site.url, "tictactoe:shape=4x4x4", "engine", "fr")
        second = host.new_page()
        second.goto(first.url)
        notice = second.locator("[data-notice]")
        expect(notice).to_have_text(words.say("fr", "refusal.too_many"))
        expect(second.locator("[data-away]")).to_be_hidden()
        expect(table(second)).to_have_attribute("data-live", "lost")
        first.close()
        while site.rate._sockets:
            second.wait_for_timeout(20)
        place(second, "1b2").click()
        expect(second.locator("[data-moves] li").first).to_contain_text("1b2")
        in_step(second)
        expect(notice).to_be_hidden()
