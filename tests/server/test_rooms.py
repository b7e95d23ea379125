"""Tables in memory: few are kept, whoever watches one hears of it, and who is silent is let go."""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from kletka.server.live import Broadcast, Line
from kletka.server.present import Shown, Step
from kletka.tables import Room, Table
from tests.server.inside import inside
from tests.server.test_observing import until


def test_opened_tables_do_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kletka.tables.hall._KEPT", 4)
    with inside(tmp_path) as site:
        tables = [site.person().open("tictactoe") for _ in range(12)]
        assert len(site.hall._rooms) <= 5
        assert [len(site.log(table)) for table in tables] == [2] * 12
        person = site.person()
        for table in tables:
            assert person.get(person.at(table)).status_code == 200


def test_a_watcher_hears_of_a_table_that_was_dropped_before_its_hello(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with inside(tmp_path) as first:
        table = first.person().open("trio")
        other = first.person().open("trio")
    monkeypatch.setattr("kletka.tables.hall._KEPT", 1)
    with inside(tmp_path) as site:
        wire = site.wire(table)
        wire.say({"do": "ping"})
        assert "refused" in wire.hear(), "it is connected, and the table is in memory"
        person = site.person()
        person.page(other)
        assert person.take(table).status_code == 303
        wire.hello(2)
        assert wire.all()["here"] == 2
        assert site.person().take(table).status_code == 303
        assert [event["v"] for event in wire.news()] == [3]


@pytest.mark.parametrize(("which", "greets"), [("GREETING", False), ("SILENCE", True)])
def test_who_is_silent_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str, greets: bool) -> None:
    monkeypatch.setattr("kletka.server.live.SWEEP", 0.05)
    monkeypatch.setattr(f"kletka.server.live.{which}", 0.1)
    with inside(tmp_path) as site:
        wire = site.wire(site.person().open("tictactoe"))
        if greets:
            wire.hello(1)
            assert wire.all()["here"] == 1
        with pytest.raises(ConnectionClosed):
            wire.hear()


def left() -> Counter[type]:
    """How many objects there are of all that a table and its watchers are made of."""
    gc.collect()
    return Counter(kind for kind in map(type, gc.get_objects()) if kind in MADE_OF)


MADE_OF = (Room, Table, Line, Broadcast, Shown, Step)


@pytest.mark.parametrize("spec", ["tictactoe", "secret"])
def test_a_finished_game_leaves_nothing_in_memory(tmp_path: Path, spec: str) -> None:
    with inside(tmp_path) as site:
        site.person().page(site.person().open("tictactoe"))
        until(lambda: site.hall.held == 1)
        before, most = left(), 0
        for number in range(6):
            table, people, wires = site.connected(spec)
            spectator = site.greeted(table, 2)
            people[0].page(table)
            move = "hide-3" if spec == "secret" else "b2"
            assert "applied" in wires[0].move("m", 0, move)
            # Somebody comes late, and somebody goes early.
            late = site.wire(table)
            late.hello(0)
            late.until(3)
            if number % 2:
                spectator.close()
            most = max(most, left()[Line])
            assert "applied" in wires[number % 2].do("r", "resign")
            wires[1 - number % 2].until(4)
            for wire in (*wires, late, spectator):
                wire.close()
        until(lambda: site.hall.held == 1)
        until(lambda: left()[Line] == before[Line])
        assert most >= 3, "they are counted"
        assert left() == before
