"""A log that can't be played any more is shown as text, without what anybody hid, and disturbs nothing else."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from tests.server.answers import coded, refused
from tests.server.inside import Inside, inside
from tests.stores import sql

DAMAGES = {
    "spec": ("replace(body, 'tictactoe', 'hopscotch')", 0),
    "kind": ("replace(body, '\"moved\"', '\"swapped\"')", 3),
    "move": ("replace(body, '\"b2\"', '\"z99\"')", 3),
    "json": ("substr(body, 1, 20)", 3),
    "seat": (r"""replace(body, '"seat"\:0', '"seat"\:77')""", 1),
    "list": ("'[1,2]'", 2),
    "empty": ("''", 0),
}


def damage(folder: Path, table: str, how: str) -> None:
    body, version = DAMAGES[how]
    query = f"UPDATE events SET body = {body} WHERE table_id = :table AND version = :version"  # noqa: S608
    sql(folder, query, table=table, version=version)


def played(site: Inside, spec: str = "tictactoe", move: str = "b2") -> str:
    table, (host, _) = site.together(spec)
    assert host.move(table, move).status_code < 400
    return table


def entries(text: str) -> list[str]:
    (log,) = re.findall(r'<ol class="log".*?</ol>', text, re.S)
    said = re.findall(r"<li>(.*?)</li>", log, re.S)
    return [html.unescape(re.sub(r"<small>.*|<[^>]+>|[\u2068\u2069]", "", one)).strip() for one in said]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_log_is_shown_as_text(tmp_path: Path, how: str) -> None:
    with inside(tmp_path) as first:
        table, whole = played(first), played(first)
    damage(tmp_path, table, how)
    with inside(tmp_path) as site:
        person = site.person("fr")
        for language in ("en", "fr", "ru"):
            answer = person.get(f"/{language}/t/{table}")
            assert answer.status_code == 410
            coded(answer, "unreadable", language)
            assert "log." not in "".join(entries(answer.text))
            assert len(entries(answer.text)) == 4
        program = site.person().get(f"/en/t/{table}", headers={"Accept": "application/json"})
        assert (program.status_code, refused(program)) == (410, "unreadable")
        for path in ("/text", "/events", "/record", "/picture.svg", "/paper", "/study"):
            answer = person.get(person.at(table, path))
            assert answer.status_code == 410, path
            coded(answer, "unreadable", "fr")
        answer = person.take(table)
        assert answer.status_code == 410
        wire = site.wire(table)
        wire.hello(1)
        assert wire.hear()["refused"][0]["code"] == "unreadable"
        assert person.get(person.at(whole)).status_code == 200, "other tables go on"
        assert person.get("/fr/mine").status_code == 200


def test_an_entry_says_what_is_no_secret(tmp_path: Path) -> None:
    with inside(tmp_path) as first:
        table, (host, _) = first.together("tictactoe")
        host.move(table, "b2")
    damage(tmp_path, table, "spec")
    hashes = sql(tmp_path, "SELECT body FROM events WHERE version = 1")
    (secret,) = re.findall(r'"token_hash":"(\w+)"', hashes[0][0])
    with inside(tmp_path) as site:
        text = site.person().get(f"/en/t/{table}").text
        assert secret not in text
        said = entries(text)
        assert said[0].startswith("Game opened: hopscotch:")
        assert said[1:] == ["Seat 1 is taken", "Seat 2 is taken", "Seat 1 plays b2"]
    sql(tmp_path, "UPDATE events SET body = replace(body, '\"moved\"', '\"swapped\"') WHERE version = 3")
    with inside(tmp_path) as site:
        assert entries(site.person().get(f"/ru/t/{table}").text)[3] == "Запись неизвестного вида: swapped"


@pytest.mark.parametrize("how", ["spec", "json"])
def test_what_was_hidden_stays_hidden(tmp_path: Path, how: str) -> None:
    with inside(tmp_path) as first:
        table, (host, _) = first.together("orapa:players=2")
        assert host.move(table, "B").status_code == 303
        rows = sql(tmp_path, "SELECT version, body FROM events WHERE table_id = :table ORDER BY version", table=table)
    (setup,) = re.findall(r'"setup":"([^"]+)"', rows[0][1])
    if how == "spec":
        sql(tmp_path, "UPDATE events SET body = replace(body, 'orapa', 'orapa9') WHERE version = 0")
    else:
        sql(tmp_path, 'UPDATE events SET body = \'{"kind":"opened","spec":"x\' WHERE version = 0')
    with inside(tmp_path) as site:
        text = site.person().get(f"/en/t/{table}").text
        assert setup not in html.unescape(text)
        assert not [salt for _, body in rows for salt in re.findall('"salt":"([^"]+)"', body) if salt in text]
        said = entries(text)
        assert said[-1] == "Seat 1 plays"
        assert len(said) == len(rows)


def test_a_race_that_cannot_be_played_is_said_so(tmp_path: Path) -> None:
    with inside(tmp_path) as first:
        answer = first.person().post("/en/tables", {"spec": "orapa", "racers": "2"})
        race = answer.headers["location"].rpartition("/")[2]
    sql(tmp_path, "UPDATE events SET body = substr(body, 1, 9)")
    with inside(tmp_path) as site:
        answer = site.person("ru").get(f"/ru/race/{race}")
        assert answer.status_code == 410
        coded(answer, "unreadable", "ru")


def test_what_a_newer_process_writes_is_refused_and_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kletka.server.app._NEWS", 0.01)
    with inside(tmp_path) as site:
        table, (host, _) = site.together("tictactoe")
        other, _ = site.together("tictactoe")
        wire, near = site.greeted(table, 2, host.token(table)), site.greeted(other, 2)
        query = (
            "INSERT INTO events (table_id, version, at, command, body) VALUES (:table, 3, 0, '', :body)",
            "UPDATE tables SET version = 3 WHERE id = :table",
        )
        sql(tmp_path, query[0], table=table, body='{"kind":"swapped","seat":0}')
        sql(tmp_path, query[1], table=table)
        assert wire.move("m1", 0, "b2")["refused"][0]["code"] == "unreadable"
        assert site.person().get(f"/en/t/{table}").status_code == 410
        # News of others still come in.
        far_query = "UPDATE tables SET version = 3 WHERE id = :table"
        body = '{"kind":"resigned","seat":0}'
        sql(tmp_path, query[0], table=other, body=body)
        sql(tmp_path, far_query, table=other)
        assert near.until(3)
