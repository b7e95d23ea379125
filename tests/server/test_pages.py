"""Pages: in three languages, with safe headers, and refusals that fit who asks."""

from __future__ import annotations

import re

import httpx
import pytest

from kletka import words
from kletka.server.doors import HEADERS
from tests.server.answers import coded, refused
from tests.server.markup import shown
from tests.server.site import Person, Site

UNKNOWN = [
    ("/en/t/nosuchtable", "no_table"),
    ("/en/t/nosuchtable/text", "no_table"),
    ("/en/t/nosuchtable/events", "no_table"),
    (f"/en/t/{'a' * 300}", "no_table"),
    ("/en/t/%00%ff", "no_table"),
    ("/en/rules/nosuchgame", "no_page"),
    ("/en/new/nosuchgame", "no_page"),
    ("/en/nosuchpage", "no_page"),
    ("/static/nosuchfile.js", "no_page"),
    ("/static/%2e%2e/app.py", "no_page"),
]


@pytest.mark.parametrize(
    ("wished", "language"),
    [
        ("fr-CA,fr;q=0.9,en;q=0.5", "fr"),
        ("ru", "ru"),
        ("de, ru;q=0.7", "ru"),
        ("de", "en"),
        ("", "en"),
        ("*", "en"),
        (";;;,,,;q=", "en"),
        ("x" * 5000, "en"),
    ],
)
def test_the_first_page_leads_to_the_language_that_the_browser_prefers(site: Site, wished: str, language: str) -> None:
    answer = site.person().get("/", headers={"Accept-Language": wished})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/{language}/"
    assert answer.headers["vary"] == "Accept-Language"


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_page_is_there_in_every_language(site: Site, language: str) -> None:
    person = site.person(language)
    table = person.open("trio")
    games = ("tictactoe", "trio", "secret", "polish")
    paths = ["/", *(f"/rules/{name}" for name in games), *(f"/new/{name}" for name in games), f"/t/{table}"]
    for path in paths:
        answer = person.get(f"/{language}{path}")
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in answer.text
        page = shown(answer.text)
        others = {f"/{other}{path}" for other in words.LANGUAGES}
        assert others <= set(page.addresses), "each page leads to itself in the other languages"
        assert "style" not in page.tags


@pytest.mark.parametrize(("path", "code"), UNKNOWN)
def test_what_is_not_there_is_said_with_a_code(site: Site, path: str, code: str) -> None:
    person = site.person("fr")
    local = path.replace("/en/", "/fr/")
    page = person.http.get(local, follow_redirects=True)
    assert page.status_code == 404
    coded(page, code, "fr")
    program = person.http.get(local, headers={"Accept": "application/json"}, follow_redirects=True)
    assert program.status_code == 404
    assert refused(program) == code
    assert words.say("fr", f"refusal.{code}") in program.text


@pytest.mark.parametrize("path", ["/de/", "/de/t/abc", "/de/rules/tictactoe", "/nosuchpage", "/EN/"])
def test_a_language_that_is_not_there_is_no_page(site: Site, path: str) -> None:
    answer = site.person("ru").http.get(path, follow_redirects=True)
    assert answer.status_code == 404
    coded(answer, "no_page", "ru")


def test_other_methods_are_refused_with_a_code(site: Site) -> None:
    person = site.person()
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = person.http.request(method, "/en/")
        assert answer.status_code == 405
        coded(answer, "no_page")


def test_pages_answer_to_head_as_to_get(site: Site) -> None:
    person = site.person()
    table = person.open("tictactoe")
    for path in ("/en/", f"/t/{table}", f"/en/t/{table}", "/en/rules/tictactoe", "/health"):
        head = person.http.head(path)
        assert head.status_code == person.get(path).status_code
        assert head.content == b""


@pytest.mark.parametrize("since", ["-1", "x", "1.5", "", "null", "0x10", "9" * 5000, "1.0", " 1", "1_0", "+1", "٣"])
def test_a_history_begins_at_a_number(site: Site, since: str) -> None:
    person = site.person("ru")
    table = person.open("tictactoe")
    answer = person.get(person.at(table, "/events"), params={"since": since}, headers={"Accept": "*/*"})
    assert answer.status_code == 422
    assert refused(answer) == "malformed"
    assert words.say("ru", "refusal.malformed") in answer.text


def test_a_history_from_later_on_is_its_end(site: Site) -> None:
    table, (person, _) = site.together("tictactoe")
    person.move(table, "b2")
    everything = person.history(table)
    assert [message["v"] for message in everything] == [0, 1, 2, 3]
    for since in (1, 2, 3, 4, 999_999_999):
        answer = person.get(person.at(table, f"/events?since={since}"))
        assert answer.json()["events"] == everything[since:]


def _answers(person: Person) -> list[httpx.Response]:
    table = person.open("tictactoe")
    page = person.get("/en/")
    built = next(address for address in shown(page.text).addresses if address.startswith("/static/"))
    paths = ["/", f"/t/{table}", person.at(table), person.at(table, "/text"), person.at(table, "/events")]
    paths += [built, "/icon.svg", "/health", "/en", "/de/", "/en/t/nosuchtable", "/static/nosuchfile.js"]
    answers = [page, *map(person.get, paths)]
    answers.append(person.post("/en/tables", {"spec": "tictactoe"}))
    answers.append(person.post("/en/tables", {"spec": "nosuchgame"}))
    answers.append(person.post("/en/tables", {"spec": "x" * 70_000}))
    answers.append(person.post("/en/tables", {"spec": "tictactoe"}, headers={"Origin": "https://elsewhere.example"}))
    answers.append(person.http.put("/en/"))
    answers.append(person.http.head("/en/"))
    return answers


def test_every_answer_has_the_security_headers(site: Site) -> None:
    answers = _answers(site.person())
    assert {answer.status_code for answer in answers} >= {200, 303, 307, 403, 404, 405, 413, 422}
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, f"{answer.request.method} {answer.request.url}"
        assert "server" not in answer.headers


def test_built_files_are_kept_for_ever_and_tables_never(site: Site) -> None:
    person = site.person()
    table = person.open("tictactoe")
    page = person.get(person.at(table))
    built = [address for address in shown(page.text).addresses if address.startswith("/static/")]
    assert len(built) == 2
    for address in built:
        assert person.get(address).headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "cache-control" not in person.get("/static/nosuchfile.js").headers
    for path in ("", "/text", "/events"):
        assert person.get(person.at(table, path)).headers["cache-control"] == "no-store"


def test_a_host_of_any_kind_breaks_no_page(site: Site) -> None:
    person = site.person()
    table = person.open("tictactoe")
    for host in ("[", "[::1", "a/b", "a b", "<b>", '"', "é".encode(), "a" * 3000, "x:99999", "[1.1]", "[....]", "x:0"):
        for path in (person.at(table), "/metrics", "/ready", "/en/nowhere"):
            answer = person.get(path, headers={"Host": host, "Referer": f"http://{host!s}/"[:200]})
            assert answer.status_code == 400, host
        assert "<b>" not in answer.text


def test_scores_stand_above_the_board_once_the_game_has_begun(site: Site) -> None:
    host, friend = site.person(), site.person()
    table = host.open("dots:size=2x2", clock="total:60")
    assert "data-score" not in host.page(table)
    assert friend.take(table).status_code == 303
    scores = re.compile('data-score="([0-9])"><[^>]*>score </span>([0-9]+)<')
    assert scores.findall(host.page(table)) == [("0", "0"), ("1", "0")]
    for move in ("a1-b1", "a2-b2", "a1-a2", "b1-b2"):
        for person in (host, friend):
            person.move(table, move)
    assert scores.findall(host.page(table)) == [("0", "0"), ("1", "1")]
    # Whoever looks hears it as well.
    assert scores.findall(host.history(table)[-1]["parts"]["clocks"]) == [("0", "0"), ("1", "1")]
    plain = host.open("tictactoe")
    friend.take(plain)
    assert "data-score" not in host.page(plain)


def test_my_tables_say_how_games_ended(site: Site) -> None:
    host, friend = site.person(), site.person("ru")
    won, lost, alone, screen, scored = (host.open(spec) for spec in ("tictactoe", "trio", "orapa", "secret", "dots"))
    for table in (won, lost, lost, screen, scored):
        assert (friend if table != lost else site.person()).take(table).status_code == 303
    for who, table in ((friend, won), (host, lost), (host, alone), (friend, scored)):
        who.do(table, "resign")
    said = dict(
        re.findall(
            r'/t/([a-z0-9]+)">[^<]*</a>(?: <span>.*?</span>)?(?: <b>(.*?)</b>)? <small>', host.get("/en/mine").text
        )
    )
    assert said[won] == "You won!"
    assert said[scored] == "You won! Score: 0–0."
    assert said[alone] == "The search was given up."
    assert said[screen] == "", "it still runs"
    told = friend.get("/ru/mine").text
    assert told.count("<b>") == 2
