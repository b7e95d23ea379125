"""A table's record, printed and read again, gives the table's game: whole once it is open, before as a seat heard."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kletka.games import game
from kletka.records import Agreed, Left, Played, Record, parse, print_record, replay
from kletka.tables import Accept, Applied, Clock, Hall, Offer, Resign, Room, Table, Take, record_of, token_hash
from tests.conformance.playing import ONE_EACH
from tests.tables.helpers import in_hall, play, seated

SPECS = (*ONE_EACH, "orapa:mode=duel", "dots:size=2x2,players=3", "tictactoe:marks=wild", "crystals:board=7x7")


def read_again(table: Table, seat: int | None) -> Record:
    """The record as it comes back from its text, which is the same."""
    record = record_of(table, seat)
    again = parse(print_record(record))
    assert again == record
    return again


async def some(hall: Hall, room: Room, count: int, rng: Random) -> None:
    for _ in range(count):
        if room.table.to_move is not None:
            assert isinstance(await play(hall, room, room.table.state.sample(rng)), Applied)


@pytest.mark.parametrize("spec", SPECS)
def test_a_record_replays_to_the_table(tmp_path: Path, spec: str) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, spec)
        rng = Random(spec)
        for _ in range(4):
            await some(hall, room, 3, rng)
            if not room.table.open:
                for seat in (*range(room.table.game.seats), None):
                    record = read_again(room.table, seat)
                    assert record.setup is None
                    assert record.result is None
                    assert [*replay(record)][-1] == room.table.state.seen_by(seat)
        for seat in list(range(room.table.game.seats))[:-1] or [0]:
            if room.table.outcome is None:
                answer = await hall.command(room, Resign(), seat, f"r{seat}")
                assert isinstance(answer, Applied)
        table = room.table
        assert table.outcome is not None
        record = read_again(table, None)
        assert record == record_of(table, 0)
        assert [*replay(record)][-1] == table.state
        assert record.setup == table.setup
        assert record.result is not None
        assert (record.result.winners, record.result.reason) == (table.outcome.winners, table.outcome.reason)

    in_hall(tmp_path, work)


def test_what_was_taken_back_is_not_in_the_record(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        for move in ("b2", "a1", "c3"):
            await play(hall, room, move)
        offered = await hall.command(room, Offer("takeback", room.table.base), 0, "o")
        assert isinstance(offered, Applied)
        assert isinstance(await hall.command(room, Accept(offered.version), 1, "a"), Applied)
        await play(hall, room, "a3")
        record = read_again(room.table, None)
        assert record.events == (Played("b2"), Played("a1"), Played("a3"))
        assert [*replay(record)][-1] == room.table.state

    in_hall(tmp_path, work)


def test_an_agreed_end_and_a_seat_that_went_are_written_down(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "dots:size=2x2,players=3")
        await play(hall, room, "a1-b1")
        assert isinstance(await hall.command(room, Resign(), 2, "r"), Applied)
        offered = await hall.command(room, Offer("end", room.table.base), 0, "o")
        assert isinstance(offered, Applied)
        assert isinstance(await hall.command(room, Accept(offered.version), 1, "a"), Applied)
        record = read_again(room.table, None)
        assert record.events == (Played("a1-b1"), Left(2), Agreed())
        assert record.result is not None
        assert record.result.reason == "agreed"

    in_hall(tmp_path, work)


def test_a_game_from_a_position_begins_there(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(
            await hall.open(game("tictactoe"), {1: 3}, position="x../.o./...", clock=Clock("total", 300, 5))
        )
        assert room is not None
        name = 'Zoë "[seat2 \\'
        assert isinstance(await hall.command(room, Take(token_hash("t"), name, 0), None, "t"), Applied)
        await play(hall, room, "c3")
        record = read_again(room.table, None)
        assert record.position == "x../.o./..."
        assert record.start == game("tictactoe").read("x../.o./...")
        assert [*replay(record)][-1] == room.table.state
        assert dict(record.tags) == {"seat1": name, "seat2": "Kletka 3", "clock": "total:300+5"}

    in_hall(tmp_path, work)
