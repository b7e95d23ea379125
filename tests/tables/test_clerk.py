"""Engines at tables: they answer by themselves, know only what their seat heard, and act once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kletka.engines import choose_move, rebuild
from kletka.tables import (
    Accept,
    Accepted,
    Applied,
    Clerk,
    Decline,
    Declined,
    Event,
    Hall,
    Moved,
    Offer,
    Refused,
    Resign,
    Room,
    Table,
)
from kletka.tables import clerk as clerks
from kletka.tables.clerk import heard
from kletka.tables.table import fold
from tests.stores import sql
from tests.tables.helpers import in_hall, play, seated


def threads(workers: int) -> Executor:
    return ThreadPoolExecutor(workers)


async def until(hall: Hall, room: Room, true: Callable[[], bool]) -> None:
    """Wait for events of a table until something is so."""
    changed = asyncio.Event()
    leave = hall.watch(room, lambda *_: changed.set())
    try:
        while not true():
            changed.clear()
            async with asyncio.timeout(30):
                await changed.wait()
    finally:
        leave()


def _moves_second(room: Room) -> bool:
    return room.table.to_move == 1


def with_clerk(folder: Path, spec: str, levels: dict[int, int], work: Callable[[Hall, Room], object]) -> None:
    async def run(hall: Hall) -> None:
        clerk = asyncio.create_task(Clerk(hall, executor=threads).run())
        try:
            room = await seated(hall, spec, levels)
            result = work(hall, room)
            assert asyncio.iscoroutine(result)
            await result
        finally:
            clerk.cancel()
            await asyncio.gather(clerk, return_exceptions=True)

    in_hall(folder, run)


@pytest.mark.parametrize(
    ("spec", "levels"),
    [
        ("tictactoe", {1: 2}),
        ("tictactoe", {0: 1, 1: 1}),
        ("trio", {0: 1, 2: 1}),
        ("secret", {1: 3}),
        ("polish", {0: 2}),
    ],
)
def test_engines_play_to_the_end(tmp_path: Path, spec: str, levels: dict[int, int]) -> None:
    async def work(hall: Hall, room: Room) -> None:
        while not room.table.outcome:
            await until(hall, room, lambda: room.table.engine_to_move is None)
            if room.table.to_move is not None:
                await play(hall, room, room.table.state.moves()[0])
        engine_moves = [e for e in room.log if e.command_id and e.command_id.startswith("engine:")]
        assert engine_moves
        assert len({e.command_id for e in engine_moves}) == len(engine_moves)
        for event in engine_moves:
            assert isinstance(event.body, Moved)
            assert event.body.seat in levels

    with_clerk(tmp_path, spec, levels, work)


def test_an_engine_hears_only_what_its_seat_hears(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "secret", {1: 1})
        await play(hall, room, "hide-4")
        told = heard(room, 1)
        assert told == [("told", "hide=~")]
        assert rebuild("secret", told, 1) == room.table.state.seen_by(1)

    in_hall(tmp_path, work)


def test_a_due_table_is_taken_by_one_holder(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        rooms = [await seated(hall, "tictactoe", {0: 1}) for _ in range(10)]
        now = hall.store.now()
        for name in "abc":
            sql(tmp_path, "INSERT INTO beats (process, at) VALUES (:name, :at)", name=name, at=now)
        first = hall.store.lease_due("a", now + 60, 6)
        second = hall.store.lease_due("b", now + 60, 100)
        assert len(first) == 6
        assert len(second) == 4
        assert {i for i, _ in first} | {i for i, _ in second} == {room.id for room in rooms}
        hall.store.release("a")
        assert len(hall.store.lease_due("b", now - 1, 100)) == 6
        assert len(hall.store.lease_due("c", now + 60, 100)) == 6, "a lease that ran out is free again"
        assert hall.store.lease_due("a", now + 60, 100) == []
        sql(tmp_path, "UPDATE beats SET at = :at WHERE process = 'c'", at=now - 7)
        assert len(hall.store.lease_due("a", now + 60, 100)) == 6, "whoever has died keeps nothing"

    in_hall(tmp_path, work)


def test_an_engine_that_was_asked_just_before_an_outage_is_asked_after_it(tmp_path: Path) -> None:
    """All processes died: the last sign of life is older than the move. Clocks stood still, engines are due at once."""

    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe", {0: 1})
        now = hall.store.now()
        sql(tmp_path, "INSERT INTO beats (process, at) VALUES ('before', :at)", at=now - 60)
        assert len(await hall.store.beat()) == 1
        assert hall.store.lease_due("a", now + 60, 9, deadlines=True) == []
        assert [table_id for table_id, _ in hall.store.lease_due("a", now + 60, 9)] == [room.id]

    in_hall(tmp_path, work)


def test_an_engine_is_asked_however_long_its_event_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe", {1: 1})
        now, late = hall.store.now, 0.0

        def slow(table: Table, event: Event) -> Table:
            nonlocal late
            late += 5
            return fold(table, event)

        monkeypatch.setattr(hall.store, "now", lambda: now() + late)
        monkeypatch.setattr("kletka.tables.hall.fold", slow)
        await play(hall, room, "b2")
        assert late > 0
        assert [table_id for table_id, _ in hall.store.lease_due("a", hall.store.now() + 60, 9)] == [room.id]

    in_hall(tmp_path, work)


def test_an_engine_takes_no_offers(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe", {1: 1})
        answer = await hall.command(room, Offer(), 0, "o")
        assert isinstance(answer, Refused)
        assert answer.reasons[0].code == "no_consent"
        await hall.command(room, Resign(), 0, "r")
        row = hall.store.row(room.id)
        assert row is not None
        assert row["due"] is None

    in_hall(tmp_path, work)


@pytest.mark.parametrize("agrees", [True, False])
def test_an_engine_answers_an_offer_where_engines_consent(
    tmp_path: Path, agrees: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []

    def would_agree(*what: object) -> bool:
        asked.append(what)
        return agrees

    monkeypatch.setattr(clerks, "would_agree", would_agree)

    async def work(hall: Hall, room: Room) -> None:
        assert isinstance(await hall.command(room, Offer(), 0, "o"), Applied)
        await until(hall, room, lambda: room.table.outcome is not None or not room.table.accepted)
        assert isinstance(room.log[-1].body, Accepted if agrees else Declined)
        assert room.log[-1].body.seat == 1
        assert (room.table.outcome is not None) == agrees
        assert asked == [("crystals:board=5x5", [], 1)]

    with_clerk(tmp_path, "crystals:board=5x5", {1: 1}, work)


def test_an_engine_plays_on_while_others_think_about_an_offer(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "crystals:board=5x5,players=3", {1: 1})

        def due() -> bool:
            row = hall.store.row(room.id)
            assert row is not None
            return row["due"] is not None

        await play(hall, room, "c3")
        assert due()
        await hall.command(room, Offer(), 0, "o")
        assert (room.table.engine_asked, due()) == (1, True)
        await hall.command(room, Accept(room.table.offer), 1, "engine")
        assert (room.table.engine_asked, due()) == (None, True)
        await play(hall, room, "a1", "engine's")
        assert room.table.accepted == (0, 1), "its move takes nothing from what people think about"
        await hall.command(room, Decline(room.table.offer), 2, "d")
        assert room.table.offer == 0

    in_hall(tmp_path, work)


def test_engines_that_were_pending_answer_after_a_restart(tmp_path: Path) -> None:
    async def before(hall: Hall) -> list[str]:
        return [(await seated(hall, "tictactoe", {0: 1})).id for _ in range(5)]

    ids = in_hall(tmp_path, before)

    async def after(hall: Hall) -> None:
        clerk = asyncio.create_task(Clerk(hall, executor=threads).run())
        for table_id in ids:
            room = await hall.room(table_id)
            assert room is not None
            await until(hall, room, partial(_moves_second, room))
            assert sum(isinstance(e.body, Moved) for e in room.log) == 1
        clerk.cancel()
        await asyncio.gather(clerk, return_exceptions=True)

    in_hall(tmp_path, after)


def _over(room: Room) -> bool:
    return room.table.outcome is not None


@pytest.mark.parametrize("workers", [1, 2])
def test_engines_think_for_so_many_tables_at_once_and_for_all_in_turn(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Engines that answer each other are due again at once: nobody waits for the end of their game."""
    turns: list[str] = []
    held: list[int] = []
    tables: list[str] = []

    def counted(*asked: Any) -> str:
        held.append(len(sql(tmp_path, "SELECT id FROM tables WHERE leased_by IS NOT NULL")))
        return choose_move(*asked)

    monkeypatch.setattr(clerks, "choose_move", counted)

    async def work(hall: Hall) -> None:
        rooms = [await seated(hall, "tictactoe", {0: 1, 1: 1}) for _ in range(5)]
        for room in rooms:
            tables.append(room.id)
            hall.watch(room, lambda room, event: turns.append(room.id))
        clerk = asyncio.create_task(Clerk(hall, workers, threads).run())
        for room in rooms:
            await until(hall, room, partial(_over, room))
        clerk.cancel()
        await asyncio.gather(clerk, return_exceptions=True)

    in_hall(tmp_path, work)
    assert max(held) == workers
    # No game ends before its fifth move: until then all are served equally often, but for those in work.
    for end in range(5 * 5):
        served = [turns[:end].count(table) for table in tables]
        assert max(served) - min(served) <= workers
