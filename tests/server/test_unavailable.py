"""When the store fails: what can't be stored isn't done and is said so, and all goes on as soon as it works again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kletka import words
from kletka.server.doors import HEADERS
from kletka.tables import Store
from tests.server.answers import coded, refused
from tests.server.inside import Disk, inside
from tests.server.site import Site
from tests.stores import sql


def test_what_cannot_be_stored_is_not_done_and_said_so(tmp_path: Path) -> None:
    disk = Disk()
    with inside(tmp_path, prepare=disk.under) as site:
        table, (host, guest) = site.together("tictactoe")
        waiting = site.person("fr").open("tictactoe")
        before, alone = site.log(table), site.log(waiting)
        wire, other = site.greeted(table, 2, host.token(table), "ru"), site.greeted(table, 2)
        disk.set(full=True)
        newcomer = site.person("fr")
        answers = [
            newcomer.post("/fr/tables", {"spec": "tictactoe"}),
            newcomer.post("/fr/tables", {"spec": "tictactoe", "with": "engine"}),
            newcomer.take(waiting),
        ]
        host.language = guest.language = "fr"
        answers += [host.move(table, "b2"), guest.do(table, "resign")]
        for answer in answers:
            assert answer.status_code == 503
            coded(answer, "unavailable", "fr")
        program = newcomer.post("/fr/tables", {"spec": "trio"}, headers={"Accept": "application/json"})
        assert (program.status_code, refused(program)) == (503, "unavailable")
        refusal = {"code": "unavailable", "at": [], "say": words.say("ru", "refusal.unavailable")}
        assert wire.move("m1", 0, "b2") == {"id": "m1", "refused": [refusal]}
        assert host.get(host.at(table)).status_code == 200, "looking goes on"
        assert other.news() == []
        disk.set(full=False)
        assert (site.log(table), site.log(waiting)) == (before, alone)
        assert wire.move("m1", 0, "b2") == {"id": "m1", "applied": 3}
        assert newcomer.take(waiting).status_code == 303


def test_what_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    with inside(tmp_path) as first:
        table = first.person().open("tictactoe")
    with inside(tmp_path) as site:
        person = site.person("ru")
        site.sql("ALTER TABLE events RENAME TO away")
        for path in ("", "/text", "/events"):
            answer = person.get(person.at(table, path))
            assert answer.status_code == 503
            coded(answer, "unavailable", "ru")
            for name, value in HEADERS.items():
                assert answer.headers[name] == value
        wire = site.wire(table)
        wire.hello(1)
        assert wire.hear()["refused"][0]["code"] == "unavailable"
        site.sql("ALTER TABLE away RENAME TO events")
        assert person.get(person.at(table)).status_code == 200
        again = site.wire(table)
        again.hello(1)
        assert again.all()["here"] == 1


class Readings:
    """Notes how a reading of the store went: `failed` and `went` are set by the next one that does."""

    def __init__(self) -> None:
        self.failed, self.went = threading.Event(), threading.Event()

    def of(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """The same reading, noted."""

        def noted(*args: Any, **more: Any) -> Any:
            try:
                result = real(*args, **more)
            except BaseException:
                self.failed.set()
                raise
            self.went.set()
            return result

        return noted

    def survive(self, folder: Path) -> bool:
        """Whether reading fails while the tables are away, and goes on when they are back."""
        sql(folder, "ALTER TABLE tables RENAME TO away")
        failed = self.failed.wait(10)
        self.went.clear()
        sql(folder, "ALTER TABLE away RENAME TO tables")
        assert failed
        return self.went.wait(5)


def test_engines_go_on_after_the_store_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readings = Readings()

    def prepare(store: Store) -> None:
        monkeypatch.setattr(store, "lease_due", readings.of(store.lease_due))

    with inside(tmp_path, prepare=prepare) as site:
        assert readings.survive(site.folder), "nobody looks for tables where an engine is to move any more"


def test_news_go_on_after_the_store_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readings = Readings()
    monkeypatch.setattr("kletka.server.app._NEWS", 0.01)

    def prepare(store: Store) -> None:
        monkeypatch.setattr(store, "versions", readings.of(store.versions))

    with inside(tmp_path, prepare=prepare) as site:
        site.greeted(site.person().open("tictactoe"), 1)
        assert readings.survive(site.folder), "nobody asks any more what other processes wrote"


def test_two_processes_serve_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kletka.server.app._NEWS", 0.01)
    with inside(tmp_path) as here, inside(tmp_path) as there:
        table, (host, guest) = here.together("tictactoe")
        wire = here.greeted(table, 2, host.token(table))
        far = Site(there.url, tmp_path)
        other = far.greeted(table, 2, guest.token(table))
        assert wire.move("m1", 0, "b2") == {"id": "m1", "applied": 3}
        assert other.until(3)
        assert other.move("m2", 3, "a1") == {"id": "m2", "applied": 4}
        assert wire.until(4)
        back = far.greeted(table, 4, host.token(table))
        assert back.move("m1", 0, "b2") == {"id": "m1", "duplicate": 3}
        far.close()
