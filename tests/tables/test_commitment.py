"""Commitments: what is shown of hidden things while they are hidden, and that the end keeps the promise."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from kletka.games import families, game
from kletka.tables import Applied, Hall, Resign, Room
from kletka.tables.commitment import Committed, checked, commit, new_salt
from kletka.tables.model import Moved, Offer, decode_body, encode_body
from kletka.tables.model import Opened as Opening
from kletka.tables.table import opened
from tests.alike import HIDDEN, alike
from tests.tables.helpers import in_hall, play, play_out, seated

OPEN = [preset.spec for family in families().values() for preset in family.presets[:1] if preset.spec not in HIDDEN]
OLD = '{"kind":"opened","spec":"orapa:mode=turns","setup":"R2C3+Y4B2+B7C1+W5D1+S3C0","version":"0.0.1"}'
OLD_MOVE = '{"kind":"moved","seat":0,"move":"hide:R2C3","told":["hide:R2C3","hide:~","hide:~"]}'


def by_sha256sum(salt: str, text: str) -> str:
    """The hash as anybody works it out at a terminal."""
    command = ["sh", "-c", 'printf %s "$0" "$1" | sha256sum', salt, text]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=10).stdout.split()[0]


def test_a_salt_is_random_and_the_hash_is_that_of_sha256sum() -> None:
    salts = {new_salt() for _ in range(100)}
    assert len(salts) == 100
    assert all(re.fullmatch("[0-9a-f]{32}", salt) for salt in salts)
    text = "R2C3+Y4B2+B7C1+W5D1+S3C0"
    known = "00000000000000000000000000000000"
    assert commit(known, text).hash == by_sha256sum(known, text)
    assert checked(text, known, by_sha256sum(known, text)) == "same"
    assert checked(text + "0", known, by_sha256sum(known, text)) == "other"
    assert checked(text, known[1:], by_sha256sum(known, text)) == "unreadable"
    assert checked(text, known, "none") == "unreadable"


async def _to_the_end(hall: Hall, room: Room) -> None:
    while room.table.to_move is not None:
        await hall.command(room, Resign(), room.table.to_move, f"resign{room.table.version}")


def _kept(shown: tuple[Committed, ...]) -> bool:
    """Whether every commitment is to what is shown."""
    return all(one.hash == by_sha256sum(one.salt, one.text) for one in shown)


@pytest.mark.parametrize("spec", HIDDEN)
def test_what_is_shown_at_first_is_kept_at_the_end(tmp_path: Path, spec: str) -> None:
    (deal, _), _ = alike(spec)

    async def work(hall: Hall) -> None:
        room = await seated(hall, spec)
        first = room.table.committed(None)
        assert len(first) == (room.table.setup is not None)
        for _, move in deal.moves:
            if not room.table.state.refuses(move) and room.table.to_move is not None:
                assert isinstance(await play(hall, room, move), Applied)
        before = {seat: room.table.committed(seat) for seat in (*range(room.table.game.seats), None)}
        if room.table.outcome is None:
            assert not any(one.text or one.salt for shown in before.values() for one in shown)
        await _to_the_end(hall, room)
        after = room.table.committed(None)
        assert all(room.table.committed(seat) == after for seat in before)
        assert _kept(after)
        assert [one.text for one in after if one.seat is None] == ([room.table.setup] if room.table.setup else [])
        told = {(one.version, one.hash) for one in after}
        assert {(one.version, one.hash) for shown in before.values() for one in shown} <= told
        # It is read again as it was.
        assert Room(room.id, hall.store.load(room.id)).table.committed(None) == after

    in_hall(tmp_path, work)


def test_a_hidden_move_is_committed_to_before_those_who_did_not_hear_it(tmp_path: Path) -> None:
    (deal, _), _ = alike("orapa:mode=duel")
    hides = [move for _, move in deal.moves[:2]]

    async def work(hall: Hall) -> None:
        room = await seated(hall, "orapa:mode=duel")
        assert room.table.committed(None) == ()
        for move in (*hides, "A"):
            await play(hall, room, move)
        assert [one.seat for one in room.table.committed(None)] == [0, 1]
        assert [one.seat for one in room.table.committed(0)] == [1]
        assert [one.seat for one in room.table.committed(1)] == [0]
        salts = [event.body.commitment for event in room.table.line if isinstance(event.body, Moved)]
        assert salts[0]
        assert salts[1]
        assert salts[0].salt != salts[1].salt
        assert salts[2] is None, "a wave is told to everybody"
        await _to_the_end(hall, room)
        assert [one.text for one in room.table.committed(None)] == hides

    in_hall(tmp_path, work)


def test_each_table_has_a_salt_of_its_own_and_a_race_has_one(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        one, other = [await hall.room(await hall.open(game("orapa"), setup=OLD.split('"')[11])) for _ in range(2)]
        assert one
        assert other
        assert one.table.setup == other.table.setup
        hashes = {shown.hash for room in (one, other) for shown in room.table.committed(None)}
        assert len(hashes) == 2
        race = await hall.racers(await hall.open_race(game("orapa"), 3))
        assert len({room.table.committed(None) for room in race}) == 1
        room = await seated(hall, "orapa:players=2")
        await _to_the_end(hall, room)
        for seat in (0, 1):
            await hall.command(room, Offer("rematch"), seat, f"again{seat}")
        after = await hall.room(room.table.next)
        assert after is not None
        assert len(after.table.committed(None)) == 1
        assert after.table.committed(None)[0].hash != room.table.committed(None)[0].hash

    in_hall(tmp_path, work)


@pytest.mark.parametrize("spec", OPEN)
def test_open_games_have_none(tmp_path: Path, spec: str) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, spec)
        await play_out(hall, room)
        assert room.table.committed(None) == ()
        assert "salt" not in "".join(encode_body(event.body) for event in room.log)

    in_hall(tmp_path, work)


def test_logs_from_before_commitments_still_open() -> None:
    body = decode_body(OLD)
    assert isinstance(body, Opening)
    table = opened(body)
    assert table.committed(None) == ()
    moved = decode_body(OLD_MOVE)
    assert isinstance(moved, Moved)
    assert moved.commitment is None
    assert (moved.hidden_from(0), moved.hidden_from(1), moved.hidden_from(None)) == (False, True, True)


def test_an_answer_alone_hides_no_move() -> None:
    asked = Moved(0, "ask-1", ("ask-1=no", "ask-1=~", "ask-1=~"))
    assert not any(asked.hidden_from(seat) for seat in (0, 1, None))
    wrong = Moved(0, "answer:X", ("answer:X=wrong", "answer:~=wrong", "answer:~=wrong"))
    assert [wrong.hidden_from(seat) for seat in (0, 1, None)] == [False, True, True]
