"""Tables in memory: few are kept, whoever watches one hears of it, and who is silent is let go."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.inside import inside


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
