"""How the server is doing: logs without anything of people or games in them, metrics, readiness, a polite stop."""

from __future__ import annotations

import io
import json
import logging
import re
import signal
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed

from kletka.games import families
from kletka.server import logs, observing
from kletka.tables import Store
from tests.server.inside import Disk, inside
from tests.server.site import Person, Site
from tests.serving import Served

CANARY = "canary"
"""Stands in all that must not be logged."""
ENGINE = {"with": "engine"}
SALTS = re.compile('"(?:salt|hash)":"([0-9a-f]+)"').findall

BREAKING = """
import logging, sys, threading, warnings
from kletka import cli
from kletka.server import table_pages
from kletka.tables.workers import Workers

def broken(*given):
    raise ValueError(f"canary {given!r}") from KeyError("canary")

letters = table_pages.letters
table_pages.letters = lambda view, *rest: broken(view) if "polish" in view.game.spec else letters(view, *rest)

async def thinks(workers, work, *given, **named):
    threading.Thread(target=broken, args=given).start()
    logging.getLogger("sqlalchemy.engine").error("canary %s", given)
    logging.getLogger("kletka.tables").warning("ours %s", "canary")
    Unraisable().fails = True
    broken(given)

class Unraisable:
    def __del__(self):
        broken(self)

assert Workers.run
Workers.run = thinks
sys.exit(cli.main())
"""


def until(true: Callable[[], bool]) -> None:
    """Wait for what comes; where it doesn't, the test fails."""
    end = monotonic() + 60
    while not true():
        assert monotonic() < end
        sleep(0.01)


def lines_of(served: Served) -> list[dict[str, Any]]:
    """What a server has logged as JSON, which it all is."""
    return [json.loads(line) for line in served.log.read_text("utf-8").splitlines()]


def _play(site: Site) -> tuple[list[str], int]:
    """A game of people who give away all they can; gives what must not be logged, and how often the last command ended
    in each way that commands can."""
    people = [site.person() for _ in range(2)]
    here = new = {"name": f"{CANARY}<b>", "sign": ""}
    table = people[0].open("secret", code="2", **here)
    assert people[1].take(table, **new).status_code == 303
    kept = [*(person.http.cookies["kletka"] for person in people), *(person.token(table) for person in people)]
    assert people[1].take(table, name=f"{CANARY}2").status_code == 409
    people[0].get(people[0].at(table, f"?{CANARY}=1"), headers={"Referer": f"http://{CANARY}/"})
    people[0].get(f"/en/{CANARY}", headers={"User-Agent": CANARY})
    people[0].get(f"/en/t/{CANARY}")
    people[0].post("/en/tables", {"spec": f"{CANARY}:x=1"})
    people[0].post(people[0].at(table, "/move"), {"move": f"{CANARY}-1", "base": "0"})
    people[0].http.post(people[0].at(table, "/draft"), json={"text": f"{CANARY}:1", "act": "x"})
    people[0].http.post(people[0].at(table, "/draft/save"), json={"text": f"{CANARY}"})
    wires = [site.greeted(table, 2, person.token(table)) for person in people]
    for text in (CANARY, f'{{"do":"move","id":"{CANARY}"}}', f'{{"do":"{CANARY}"}}'):
        wires[0].say(text)
        wires[0].hear()
    site.wire(table).hello(0, f"{CANARY}token")
    base = 0
    moves = [(0, "hide-3"), (1, "hide-6"), (0, "ask-5"), (1, "ask-4"), (0, "ask-6")]
    for number, (seat, move) in enumerate(moves):
        assert wires[seat].move(f"{CANARY}{number}", base, f"{CANARY}-{number}")["refused"]
        assert "applied" in wires[seat].move(f"{CANARY}{number}", base, move)
        assert "duplicate" in wires[seat].move(f"{CANARY}{number}", base, move)
        assert "conflict" in wires[seat].move(f"{CANARY}{number}", base, CANARY)
        base = 3 + number
    assert site.person().get(people[0].at(table)).text.count("data-over")
    hunt = site.person().open("orapa")
    salts = [salt for game in (table, hunt) for _, _, _, _, body in site.log(game) for salt in SALTS(body)]
    assert len(salts) == 8
    return [*kept, *(move for _, move in moves), site.secret(hunt), *salts], len(moves)


@pytest.mark.parametrize("kind", ["json", "text"])
def test_nothing_of_people_or_games_is_logged(tmp_path: Path, kind: str) -> None:
    served = Served(tmp_path, None, "--log", kind)
    served.program = ("-c", BREAKING)
    served.start()
    site = Site(served.url, tmp_path)
    secrets, _ = _play(site)
    broken = site.person().open("polish")
    assert site.person().get(f"/en/t/{broken}/text").status_code == 500
    # The engine that should answer fails in every way that it can.
    against = site.person()
    against.open("tictactoe", seat=1, name=CANARY, **ENGINE)
    until(lambda: "unraisable" in served.log.read_text("utf-8"))
    site.close()
    served.stop()
    text = served.log.read_text("utf-8")
    for secret in (CANARY, *secrets):
        assert secret not in text
    assert not re.search(r"\b10\.\d+\.\d+\.\d+\b|127\.0\.0\.1", text), "an address of somebody"
    for event in ("start", "opened", "command", "request", "thread", "unraisable", "library", "stopped"):
        assert len(re.findall(rf'"event":"{event}"| {event}(?: |$)', text, re.MULTILINE)) >= 1, event
    assert "ValueError" in text
    assert "kletka.server.table_pages:" in text, "where it went wrong is said"


def test_every_command_request_and_turn_has_its_line(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.start()
    site = Site(served.url, tmp_path)
    _, moves = _play(site)
    host = site.person()
    table = host.open("tictactoe", seat=1, level=2, **ENGINE)
    wire = site.wire(table)
    wire.hello(0)
    wire.until(3)
    site.close()
    served.stop()
    lines = lines_of(served)
    for line in lines:
        assert datetime.fromisoformat(line["at"]).tzinfo is not None
        assert line["severity"] == "info"
    plays = [line for line in lines if line["event"] == "command" and line["kind"] == "play" and line["table"] != table]
    assert all(line["ms"] >= 0 and line["seat"] in (0, 1) for line in plays)
    codes = Counter(line["code"] for line in plays)
    assert (codes["applied"], codes["duplicate"], codes["conflict"]) == (moves, moves, moves)
    assert codes["notation"] == moves + 1
    routes = {(line["method"], line["route"], line["status"]) for line in lines if line["event"] == "request"}
    assert {
        ("GET", "/{lang}/t/{table_id}", 200),
        ("GET", "/{lang}/t/{table_id}", 404),
        ("POST", "/{lang}/t/{table_id}/seat", 409),
        ("POST", "/{lang}/tables", 303),
        ("POST", "/{lang}/tables", 422),
    } <= routes
    (turn,) = [line for line in lines if line["event"] == "engine"]
    assert (turn["table"], turn["family"], turn["level"]) == (table, "tictactoe", 2)
    assert [line["event"] for line in lines][:: len(lines) - 1] == ["start", "stopped"]


def test_it_logs_nothing_where_that_is_wished(tmp_path: Path) -> None:
    served = Served(tmp_path, None, "--log", "off")
    served.start()
    assert Person(served.url).open("trio")
    served.stop()
    assert served.log.read_text() == ""


class Stuck(io.StringIO):
    """A reader that doesn't read until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.waits, self.goes = threading.Event(), threading.Event()

    def write(self, text: str) -> int:
        """Wait, then take it."""
        self.waits.set()
        assert self.goes.wait(20)
        return super().write(text)


def test_a_reader_that_does_not_read_delays_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_WAITING", 100)
    stream = Stuck()
    writer = logs.Writer("json", stream)
    record = logging.LogRecord("kletka.test", logging.INFO, __file__, 1, "one", (), None)
    writer.emit(record)
    assert stream.waits.wait(20)
    for _ in range(500):
        writer.emit(record)
    stream.goes.set()
    writer.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines].count("one") == 101
    assert sum(line.get("lines", 0) for line in lines) == 400


# Metrics


def _samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    families = text_string_to_metric_families(text)
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def _labels(text: str) -> set[str]:
    return {value for (_, labels) in _samples(text) for _, value in labels}


def test_metrics_count_what_happened(tmp_path: Path) -> None:
    with inside(tmp_path) as site:
        _, moves = _play(site)
        for size in (3, 4, 5):
            site.person().open(f"tictactoe:shape={size}x{size}", name=CANARY)
        httpx.get(f"{site.url}/metrics")
        text = httpx.get(f"{site.url}/metrics").text
        found = _samples(text)
        plays = {"applied": moves, "duplicate": moves, "conflict": moves, "notation": moves + 1}
        for code, count in plays.items():
            assert found["kletka_commands_total", (("code", code), ("kind", "play"))] == count
        assert found["kletka_command_seconds_count", (("kind", "play"),)] == sum(plays.values())
        assert found["kletka_tables_opened_total", (("family", "tictactoe"),)] == 3
        taken = (("route", "/{lang}/t/{table_id}/seat"), ("status", "409"))
        assert found["kletka_request_seconds_count", taken] == 1
        assert found["kletka_sockets", ()] == 3
        assert found["kletka_tables_in_memory", ()] == 5
        for gauge in ("kletka_engine_turns_running", "kletka_engine_turns_waiting", "kletka_store_queue"):
            assert found[gauge, ()] == 0
        # What people make doesn't make labels.
        assert {label for label in _labels(text) if label in families()} == {"secret", "orapa", "tictactoe"}
        assert not [label for label in _labels(text) if CANARY in label or "shape" in label or "hide" in label]
        before = len(found)
        for size in (6, 7, 8):
            site.person().open(f"tictactoe:shape={size}x{size}", name=f"{CANARY}{size}")
            site.person().get(f"/en/{CANARY}{size}")
        assert len(_samples(httpx.get(f"{site.url}/metrics").text)) == before


@pytest.mark.parametrize(
    ("options", "headers", "status"),
    [
        ({}, {}, 200),
        ({}, {"X-Forwarded-For": "10.1.2.3"}, 404),
        ({}, {"X-Forwarded-For": "127.0.0.1"}, 404),
        ({}, {"Forwarded": "for=127.0.0.1"}, 404),
        ({}, {"Host": "kletka.example"}, 404),
        ({"address": "https://kletka.example"}, {}, 404),
        ({"metrics_token": "wonderful"}, {}, 404),
        ({"metrics_token": "wonderful"}, {"Authorization": "Bearer wonderfu"}, 404),
        ({"metrics_token": "wonderful"}, {"Authorization": "wonderful"}, 404),
        ({"metrics_token": "wonderful"}, {"Authorization": "Bearer wonderful", "X-Forwarded-For": "10.1.2.3"}, 200),
        (
            {"metrics_token": "wonderful", "address": "https://kletka.example"},
            {"Authorization": "Bearer wonderful", "Host": "kletka.example"},
            200,
        ),
    ],
)
def test_who_may_read_the_metrics(
    tmp_path: Path, options: dict[str, str], headers: dict[str, str], status: int
) -> None:
    with inside(tmp_path, **options) as site:  # type: ignore[arg-type]
        answer = httpx.get(f"{site.url}/metrics", headers=headers)
        assert answer.status_code == status
        assert ("kletka_sockets" in answer.text) == (status == 200)


# Health and readiness


@pytest.fixture
def asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking again asks the store again."""
    monkeypatch.setattr(observing, "_FRESH", 0.0)


def _ready(site: Site) -> tuple[int, list[str]]:
    answer = httpx.get(f"{site.url}/ready")
    reasons: list[str] = answer.json()["reasons"]
    assert answer.json()["ready"] == (not reasons)
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, reasons


@pytest.mark.usefixtures("asked_each_time")
def test_it_is_ready_while_the_store_can_be_read_and_written(tmp_path: Path) -> None:
    disk = Disk()
    with inside(tmp_path, prepare=disk.under) as site:
        assert _ready(site) == (200, [])
        disk.set(full=True)
        assert _ready(site) == (503, ["store"])
        assert httpx.get(f"{site.url}/health").json()["status"] == "ok", "the process answers"
        disk.set(full=False)
        assert _ready(site) == (200, [])
        site.sql("ALTER TABLE events RENAME TO away")
        assert _ready(site) == (503, ["store"])
        site.sql("ALTER TABLE away RENAME TO events")
        assert _ready(site) == (200, [])


def test_it_is_not_ready_where_nobody_serves_the_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> list[str]:
        raise RuntimeError

    monkeypatch.setattr("kletka.tables.clerk.Clerk._due", fails)
    with inside(tmp_path) as site:
        assert _ready(site) == (503, ["clerk"])


def test_whoever_asks_often_does_not_make_it_write_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Store] = []
    real = Store.probe

    async def probe(store: Store) -> None:
        asked.append(store)
        await real(store)

    monkeypatch.setattr(Store, "probe", probe)

    monkeypatch.setattr(observing, "_FRESH", 1000.0)
    with inside(tmp_path) as site:
        assert [_ready(site) for _ in range(20)] == [(200, [])] * 20
    assert len(asked) == 1


# Stopping


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Served]:
    """A server that goes on for a while when it is to stop."""
    served = Served(tmp_path, None, "--grace", "100")
    served.start()
    yield served
    served.stop()


def test_before_it_stops_it_says_so_and_loses_no_move(patient: Served) -> None:
    site = Site(patient.url, patient.folder)
    table, people, wires = site.connected("tictactoe")
    assert wires[0].move("m1", 0, "b2") == {"id": "m1", "applied": 3}
    assert _ready(site) == (200, [])
    assert patient.process is not None
    patient.process.send_signal(signal.SIGTERM)
    until(lambda: _ready(site) == (503, ["stopping"]))
    assert httpx.get(f"{site.url}/health").status_code == 200
    assert wires[1].move("m2", 3, "a1") == {"id": "m2", "applied": 4}, "who is here plays on"
    assert people[0].move(table, "c3").status_code == 303
    wires[0].until(5)
    patient.stop()
    for wire in wires:
        heard = wire.hear()
        while "v" in heard:
            heard = wire.hear()
        assert heard == {"stop": True}
        with pytest.raises(ConnectionClosed):
            wire.hear()
    assert [entry[0] for entry in site.log(table)] == list(range(6)), "what was answered stands"
    site.close()


def test_a_move_that_an_engine_thinks_about_is_given_back(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.start()
    site = Site(served.url, tmp_path)
    table = site.person().open("tictactoe:shape=4x4x4", seat=1, level=8, **ENGINE)
    query = "SELECT leased_by, due, version FROM tables WHERE id = :table"
    # Taken: by now an engine thinks, or has thought.
    until(lambda: site.sql(query, table=table)[0][0] is not None or len(site.log(table)) == 4)
    served.stop()
    [(holder, due, version)] = site.sql(query, table=table)
    assert holder is None, "another process needn't wait for a lease to end"
    assert (due is None) == (version == 3)
    served.start()
    again = site.wire(table)
    again.hello(2)
    again.until(3)
    site.close()
    served.stop()


@pytest.mark.sqlite
def test_a_copy_of_the_data_made_while_it_serves_can_be_served(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    with inside(tmp_path / "first") as site:
        table, _, wires = site.connected("tictactoe")
        assert wires[0].move("m1", 0, "b2") == {"id": "m1", "applied": 3}
        with (
            closing(sqlite3.connect(tmp_path / "first" / "tables.sqlite")) as data,
            closing(sqlite3.connect(tmp_path / "copy" / "tables.sqlite")) as copy,
        ):
            data.backup(copy)
        log = site.log(table)
    with inside(tmp_path / "copy") as again:
        assert again.log(table) == log
        assert again.person().base(table) == 3
