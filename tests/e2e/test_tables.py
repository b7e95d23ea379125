"""Two people in two browsers, and what can go wrong between them."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.e2e.people import (
    act,
    draws,
    in_step,
    join,
    marks,
    moves,
    new_person,
    place,
    play,
    says,
    shared,
    shows,
    start,
    table,
    turn_of,
)
from tests.serving import Served

CLASSIC = "b2 a1 c3 a3 a2 c2 b1 b3 c1"
QUBIC = "1a1 4a1 1b1 4b1 1c1 4c2 1d1"


def two(browser: Browser, served: Served, spec: str, language: str = "en") -> list[Page]:
    """Two people at a table, the first with crosses."""
    host, friend = (new_person(browser, language).new_page() for _ in range(2))
    start(host, f"{served.url}/{language}/", spec)
    join(friend, shared(host), "Борис <b>&amp;")
    turn_of(host, 0)
    return [host, friend]


@pytest.mark.parametrize(
    ("spec", "names", "end"),
    [("tictactoe", CLASSIC, "It is a draw."), ("tictactoe:shape=4x4x4", QUBIC, "Crosses win.")],
)
def test_a_game_by_shared_link(browser: Browser, served: Served, spec: str, names: str, end: str) -> None:
    host, friend = players = two(browser, served, spec)
    watcher = new_person(browser, "fr").new_page()
    watcher.goto(host.url.replace("/en/", "/fr/"))
    in_step(watcher)
    expect(watcher.locator("[data-part=take]")).to_be_empty()
    play(players, names, [watcher])
    for page in players:
        says(page, end)
    says(watcher, "nulle" if "draw" in end else "gagnent")
    shows(host, names.split())
    shows(friend, names.split())
    live = marks(host)
    host.reload()
    in_step(host)
    draws(host, live)
    draws(friend, live)
    if "4x4x4" in spec:
        assert host.locator(".hatch").count() == 1
    host.screenshot()


def test_opening_the_link_takes_no_seat(browser: Browser, served: Served) -> None:
    host, visitor = (new_person(browser).new_page() for _ in range(2))
    start(host, f"{served.url}/en/", "tictactoe")
    link = shared(host)
    for _ in range(3):
        visitor.goto(link)
        assert visitor.request.head(link).status in (303, 405, 200)
    in_step(visitor)
    assert "free" in host.locator("[data-part=players]").inner_text()
    assert table(visitor).get_attribute("data-seat") is None
    visitor.locator("[data-part=take] button").click()
    in_step(visitor)
    assert table(visitor).get_attribute("data-seat") == "1"
    expect(host.locator("[data-part=invite]")).to_be_hidden()


def test_cut_between_sending_and_answer(browser: Browser, served: Served) -> None:
    """The move arrives, its answer doesn't: after reconnecting it stands once."""
    context = new_person(browser)
    host, friend = context.new_page(), new_person(browser).new_page()
    cut = {"armed": False, "cuts": 0}

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            server.send(message)
            if cut["armed"] and '"move"' in str(message):
                cut["armed"] = False
                cut["cuts"] += 1
                route.close()
                server.close()

        route.on_message(from_page)

    host.route_web_socket(re.compile("/socket$"), between)
    start(host, f"{served.url}/en/", "tictactoe")
    join(friend, shared(host))
    turn_of(host, 0)
    cut["armed"] = True
    place(host, "b2").click()
    expect(host.locator("[data-moves] li")).to_have_count(1)
    expect(friend.locator("[data-moves] li")).to_have_count(1)
    turn_of(friend, 1)
    in_step(host)
    assert cut["cuts"] == 1
    play([host, friend], "a1 c3")
    shows(host, ["b2", "a1", "c3"])
    shows(friend, ["b2", "a1", "c3"])


def test_cut_before_the_move_arrives(browser: Browser, served: Served) -> None:
    """The move is swallowed with the connection: it is sent again with the same id and stands once."""
    host, friend = (new_person(browser).new_page() for _ in range(2))
    armed = [False]
    ids: list[str] = []

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            if '"move"' in str(message):
                ids.extend(re.findall('"id":"([^"]+)"', str(message)))
                if armed[0]:
                    armed[0] = False
                    route.close()
                    server.close()
                    return
            server.send(message)

        route.on_message(from_page)

    host.route_web_socket(re.compile("/socket$"), between)
    start(host, f"{served.url}/en/", "tictactoe")
    join(friend, shared(host))
    turn_of(host, 0)
    armed[0] = True
    place(host, "b2").click()
    expect(friend.locator("[data-moves] li")).to_have_count(1)
    in_step(host)
    shows(host, ["b2"])
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_the_server_is_stopped_and_started_mid_game(browser: Browser, own_server: Served) -> None:
    host, friend = players = two(browser, own_server, "tictactoe")
    play(players, "b2 a1")
    own_server.stop()
    expect(table(host)).to_have_attribute("data-live", "lost")
    expect(host.locator("[data-away]")).to_be_visible()
    place(host, "c3").click()
    expect(table(host)).to_have_attribute("data-pending", "")
    own_server.start()
    for page in players:
        expect(table(page)).to_have_attribute("data-live", "on")
        expect(page.locator("[data-moves] li")).to_have_count(3)
        expect(page.locator("[data-away]")).to_be_hidden()
    play(players, "a3 a2 c2 b1 b3 c1")
    shows(host, CLASSIC.split())
    shows(friend, CLASSIC.split())


def test_private_answers_stay_private(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served, "secret")
    play([host, friend], "hide-2 hide-5 ask-1 ask-3")
    assert moves(host)[0] == "hide-2"
    assert moves(host)[1] == "hide=~"
    assert moves(friend)[:2] == ["hide=~", "hide-5"]
    assert moves(friend)[2] == "ask-1=~"
    assert moves(host)[2] in ("ask-1=no", "ask-1=nothing")
    host.locator("[data-step=first]").click()
    expect(host.locator("[data-shown-text]")).to_have_text("Move 0 of 4")


def test_a_composite_move_is_typed(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served, "polish")
    host.locator("details.twin summary").click()
    host.locator("#typed").fill("B2:b2")
    host.locator("#typed").press("Enter")
    expect(friend.locator("[data-moves] li")).to_have_text(["b2:b2"])
    expect(host.locator("#typed")).to_have_value("")
    expect(friend.locator("[data-seat-row='0'] .score")).to_have_text("1")


def test_stepping_back_is_exact_and_undisturbed(browser: Browser, served: Served) -> None:
    host, friend = players = two(browser, served, "tictactoe")
    pictures = [marks(host)]
    for name in CLASSIC.split()[:4]:
        play(players, name)
        pictures.append(marks(host))
    for back in (3, 2, 1, 0):
        host.locator("[data-step=back]").click()
        expect(host.locator("[data-shown-text]")).to_have_text(f"Move {back} of 4")
        draws(host, pictures[back])
    host.locator("[data-step=forward]").click()
    draws(host, pictures[1])
    host.locator("[data-moves] li:nth-child(3) button").click()
    draws(host, pictures[3])
    host.locator(".steps [data-step=now]").click()
    play(players, CLASSIC.split()[4])
    host.locator("[data-step=first]").click()
    expect(host.locator("[data-shown-text]")).to_have_text("Move 0 of 5")
    turn_of(friend, 1)
    place(friend, "c2").click()
    expect(host.locator("[data-shown-text]")).to_have_text("Move 0 of 6")
    draws(host, pictures[0])
    host.locator(".steps [data-step=now]").click()
    draws(host, marks(friend))


def test_a_refusal_is_said_where_it_belongs(browser: Browser, served: Served) -> None:
    host, friend = players = two(browser, served, "tictactoe")
    play(players, "b2")
    friend.locator("details.twin summary").click()
    for text, said in (("b2", "b2 is taken already"), ("b2=x", "can’t be read"), ("z9", "no such cell")):
        friend.locator("#typed").fill(text)
        friend.locator("[data-move-form] button").click()
        expect(friend.locator("[data-notice]")).to_contain_text(said)
    host.locator("details.twin summary").click()
    host.locator("#typed").fill("a1")
    host.locator("[data-move-form] button").click()
    expect(host.locator("[data-notice]")).to_contain_text("not your turn")
    shows(host, ["b2"])
    place(friend, "a1").click()
    expect(friend.locator("[data-notice]")).to_be_hidden()
    expect(host.locator("[data-twin]")).to_contain_text("o")


def test_resigning_and_ending_by_consent(browser: Browser, served: Served) -> None:
    host, friend = players = two(browser, served, "tictactoe")
    play(players, "b2")
    act(host, "[data-what=end]")
    friend.locator("[data-do=decline]").click()
    expect(host.locator("[data-say]")).to_contain_text("Noughts decline the offer. The game goes on.")
    act(friend, "[data-what=end]")
    host.locator("[data-do=accept]").click()
    expect(friend.locator("[data-say]")).to_contain_text("By agreement")
    host, friend = two(browser, served, "tictactoe")
    act(friend, "[data-do=resign]")
    expect(friend.locator("[data-do=resign]")).to_have_text("Really resign?")
    friend.wait_for_timeout(800)
    act(friend, "[data-do=resign]")
    expect(host.locator("[data-say]")).to_contain_text("Crosses win.")


def test_playing_the_engine_in_two_presses(browser: Browser, served: Served) -> None:
    page = new_person(browser).new_page()
    start(page, f"{served.url}/en/", "tictactoe:shape=4x4x4", "engine")
    place(page, "2b2").click()
    expect(page.locator("[data-moves] li")).to_have_count(2)
    turn_of(page, 0)
    assert page.locator("[data-what=end]").count() == 0


def test_a_game_without_script(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser, java_script_enabled=False).new_page() for _ in range(2))
    host.goto(f"{served.url}/en/")
    host.locator('.card:has(input[value="tictactoe"]) button[value=friend]').click()
    friend.goto(shared(host))
    friend.locator("[data-part=take] button").click()
    for number, name in enumerate(["b2", "a1", "c3", "a3", "a2", "c2", "b1", "b3", "c1"]):
        page = (host, friend)[number % 2]
        page.reload()
        page.locator("details.twin summary").click()
        page.locator("#typed").fill(name)
        page.locator("[data-move-form] button").click()
        expect(page.locator("[data-moves] li")).to_have_count(number + 1)
    friend.reload()
    says(friend, "draw")


def test_nothing_leaves_the_origin_and_the_policy_holds(browser: Browser, served: Served) -> None:
    context = new_person(browser, service_workers="allow")
    asked: list[str] = []
    said: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    start(page, f"{served.url}/en/", "tictactoe", "engine")
    place(page, "b2").click()
    expect(page.locator("[data-moves] li")).to_have_count(2)
    for path in ("/en/", "/en/rules/tictactoe", "/en/new/tictactoe"):
        page.goto(served.url + path)
    assert {url.split("/")[2] for url in asked} == {served.url.split("/")[2]}
    assert said == []


def test_the_address_of_a_home_network_works(browser: Browser, served: Served) -> None:
    """Plain http on a host that is not this machine's loopback name: no crypto.randomUUID there."""
    import shutil

    from tests.e2e.conftest import BROWSER_ARGUMENTS

    other = browser.browser_type.launch(
        executable_path=shutil.which("chromium"),
        args=[*BROWSER_ARGUMENTS, "--host-resolver-rules=MAP kletka.home 127.0.0.1"],
    )
    page = other.new_page()
    url = f"http://kletka.home:{served.port}"
    page.goto(f"{url}/en/")
    assert page.evaluate("typeof crypto.randomUUID") == "undefined"
    page.locator('.card:has(input[value="tictactoe"]) button[value=friend]').click()
    page.wait_for_url("**/t/*")
    assert shared(page).startswith(f"{url}/t/")
    friend = other.new_context().new_page()
    join(friend, shared(page))
    play([page, friend], "b2 a1")
    other.close()


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_every_language_plays(browser: Browser, served: Served, language: str) -> None:
    host, friend = players = two(browser, served, "tictactoe", language)
    assert host.locator("html").get_attribute("lang") == language
    play(players, "b2 a1 c3 c1 b1 a2 b3")
    expected = {"en": "Crosses win.", "fr": "Les croix gagnent.", "ru": "Крестики выиграли."}[language]
    says(host, expected)
    says(friend, expected)
    other = {"en": "fr", "fr": "ru", "ru": "en"}[language]
    host.locator(f'.top a[hreflang="{other}"]').click()
    in_step(host)
    assert host.locator("html").get_attribute("lang") == other
    expect(host.locator("[data-say]")).not_to_contain_text(expected)


def test_the_browser_chooses_the_language(browser: Browser, served: Served) -> None:
    for wish, language in (("fr-CA", "fr"), ("ru", "ru"), ("de", "en")):
        page = new_person(browser, wish).new_page()
        page.goto(served.url)
        assert page.locator("html").get_attribute("lang") == language


def test_options_by_form_and_a_wrong_one_is_said_at_its_field(browser: Browser, served: Served) -> None:
    page = new_person(browser, "ru").new_page()
    page.goto(f"{served.url}/ru/new/tictactoe")
    page.locator("input[name=preset][value=gravity]").check()
    page.locator("details.more summary").click()
    assert page.locator("input[name=shape]").input_value() == "4x4x4"
    page.locator("input[name=line]").fill("9")
    page.locator("form[data-setup] button.first").click()
    expect(page.locator("#wrong")).to_contain_text("Линия не может быть длиннее")
    assert page.locator("input[name=line]").get_attribute("aria-invalid") == "true"
    page.locator("input[name=line]").fill("")
    page.locator("input[name=seat][value='1']").check()
    page.locator("form[data-setup] button.first").click()
    page.wait_for_url("**/t/*")
    in_step(page)
    assert table(page).get_attribute("data-seat") == "1"
    assert page.locator("[data-panel]").count() == 4


def test_a_press_that_cannot_play_is_answered_in_words(browser: Browser, served: Served) -> None:
    host, friend = (new_person(browser).new_page() for _ in range(2))
    start(host, f"{served.url}/en/", "tictactoe")
    # Forced: the places are marked as closed, and a person presses them all the same.
    place(host, "b2").click(force=True)
    expect(host.locator("[data-notice]")).to_contain_text("when all players are here")
    join(friend, shared(host))
    play([host, friend], "b2")
    place(friend, "b2").click(force=True)
    expect(friend.locator("[data-notice]")).to_contain_text("b2 is taken already")
    expect(place(friend, "b2")).to_have_class("refused")
    host.wait_for_timeout(800)
    place(host, "c3").click()
    expect(host.locator("[data-notice]")).to_contain_text("not your turn")
    watcher = new_person(browser).new_page()
    watcher.goto(host.url)
    in_step(watcher)
    place(watcher, "c3").click()
    expect(watcher.locator("[data-notice]")).to_contain_text("You are watching")
    shows(host, ["b2"])


def test_a_double_press_plays_once_and_says_nothing(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served, "tictactoe")
    place(host, "b2").dblclick()
    expect(friend.locator("[data-moves] li")).to_have_count(1)
    in_step(host)
    expect(host.locator("[data-notice]")).to_be_hidden()


def test_a_press_above_falls_under_gravity(browser: Browser, served: Served) -> None:
    players = two(browser, served, "tictactoe:shape=4x4x4,gravity=true")
    place(players[0], "4b2").click()
    expect(players[1].locator("[data-moves] li")).to_have_text(["1b2"])


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_axe_finds_nothing(browser: Browser, served: Served, width: int, scheme: str) -> None:
    context = new_person(browser, color_scheme=scheme, viewport={"width": width, "height": 800})
    page = context.new_page()
    addresses = [f"{served.url}{path}" for path in ("/en/", "/fr/rules/tictactoe", "/ru/new/tictactoe", "/en/t/none")]
    table = start(page, f"{served.url}/en/", "tictactoe:shape=4x4x4")
    friend = new_person(browser, color_scheme=scheme, viewport={"width": width, "height": 800}).new_page()
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    # Whoever has a seat and whoever is invited see different things at a table, and the same elsewhere.
    for looking, address in [*((page, address) for address in addresses), (page, table), (friend, table)]:
        looking.goto(address)
        found = Axe().run(looking, options=options)
        assert found.violations_count == 0, f"{address}\n{found.generate_report()}"
        wide = looking.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{address} scrolls sideways: {wide}"


def test_a_route_that_fails_shows_a_page(browser: Browser, served: Served) -> None:
    page = new_person(browser, "fr").new_page()

    def never(route: Route) -> None:
        route.abort()

    page.route("**/assets/*.js", never)
    page.goto(f"{served.url}/fr/t/nosuchtable")
    expect(page.locator("[data-code]")).to_have_attribute("data-code", "no_table")
    assert "n’existe pas" in page.locator("[role=alert]").inner_text()
