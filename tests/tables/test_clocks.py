"""Clocks: deadlines by the store's time, flags while nobody is there, outages that nobody pays for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kletka.games import KletkaError, game
from kletka.tables import (
    Accept,
    Applied,
    Clerk,
    Clock,
    Hall,
    Leave,
    Offer,
    Refused,
    Resign,
    Room,
    Take,
    TimedOut,
    read_clock,
    token_hash,
)
from kletka.tables.clocks import DAY, LONGEST, deadline, outage, spent
from kletka.tables.model import Flag
from tests.stores import open_store
from tests.tables.helpers import play, play_out

T = TypeVar("T")
START = 1_000_000.0


class Time:
    """The store's time, to be set."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


def at_times(folder: Path, work: Callable[[Hall, Time], Awaitable[T]]) -> T:
    """Run a coroutine on a hall whose store tells the time that the test sets."""

    async def run() -> T:
        store, time = open_store(folder), Time()
        store.now = time  # type: ignore[method-assign]
        try:
            return await work(Hall(store), time)
        finally:
            store.close()

    return asyncio.run(run())


async def pass_time(hall: Hall, time: Time, seconds: float) -> None:
    """Time goes by while a process serves: it leaves its signs of life."""
    until = time.now + seconds
    while time.now < until:
        await hall.beat()
        time.now = min(until, time.now + 2)


async def table(hall: Hall, spec: str, clock: str) -> Room:
    """A table with a clock and somebody on every seat."""
    room = await hall.room(await hall.open(game(spec), clock=read_clock(clock)))
    assert room is not None
    for seat in range(room.table.game.seats):
        assert isinstance(
            await hall.command(room, Take(token_hash(f"seat{seat}"), "", seat), None, f"t{seat}"), Applied
        )
    return room


async def opening(hall: Hall, room: Room, moves: str) -> None:
    """First moves, which no clock counts."""
    for move in moves.split():
        assert isinstance(await play(hall, room, move), Applied)


async def flags(hall: Hall) -> None:
    """Let a clerk look once for what is due."""
    clerk = Clerk(hall)
    task = asyncio.create_task(clerk.run())
    for _ in range(20):
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def due(hall: Hall, room: Room) -> float | None:
    """When the server has to act at a table."""
    row = hall.store.row(room.id)
    assert row is not None
    found: float | None = row["due"]
    return found


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("move:30", Clock("move", 30)),
        ("move:259200", Clock("move", 259_200)),
        ("total:300+5", Clock("total", 300, 5)),
        ("total:300", Clock("total", 300)),
        ("none", None),
        ("", None),
    ],
)
def test_clocks_are_read_and_written(text: str, clock: Clock | None) -> None:
    assert read_clock(text) == clock
    assert clock is None or str(clock) == text


@pytest.mark.parametrize(
    "text",
    ["move:0", "move:30+5", "total:-1", "total:1e3", f"move:{LONGEST + 1}", "move:٣", "days:3", "total:5+", "x" * 500],
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(KletkaError, match="bad_clock"):
        read_clock(text)


_times = st.integers(0, 1000)


@given(_times, st.integers(1, 500), st.lists(st.tuples(_times, st.integers(1, 100)), max_size=5))
def test_a_deadline_is_when_what_is_left_has_been_spent(since: int, left: int, gaps: list[tuple[int, int]]) -> None:
    outages, end = [], 0
    for begin, long in sorted(gaps):
        outages.append((float(max(begin, end)), float(max(begin, end) + long)))
        end = max(begin, end) + long
    ends = deadline(since, left, outages)
    assert spent(since, ends, outages) == left
    assert spent(since, ends - 1, outages) <= left
    # Counted second by second.
    alive = sum(not any(begin <= second < until for begin, until in outages) for second in range(since, int(ends)))
    assert alive == left
    assert outage(since, ends, outages) == ends - since - left


def test_a_move_has_its_time_and_the_next_has_it_again(tmp_path: Path) -> None:
    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, "tictactoe", "move:30")
        await opening(hall, room, "b2 a1")
        assert due(hall, room) == START + 30
        await pass_time(hall, time, 29)
        assert isinstance(await play(hall, room, "c3"), Applied)
        assert due(hall, room) == START + 59
        await pass_time(hall, time, 30)
        for command in (Resign(), Leave(3), Offer("takeback", room.table.base), Offer()):
            escaping = await hall.command(room, command, 1, f"{command}")
            assert isinstance(escaping, Refused), "nobody escapes"
            assert escaping.reasons[0].code == "out_of_time"
        late = await play(hall, room, "a3")
        assert isinstance(late, Refused)
        assert late.reasons[0].code == "out_of_time"
        await flags(hall)
        assert room.table.gone == {1}
        assert room.table.outcome is not None
        assert room.table.outcome.winners == {0}
        assert isinstance(room.log[-1].body, TimedOut)

    at_times(tmp_path, work)


def test_a_total_is_spent_and_grows_when_a_turn_ends(tmp_path: Path) -> None:
    """A box in Dots and Boxes is followed by another line: the increment comes after the whole turn."""

    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, "dots:size=1x3", "total:100+5")
        await pass_time(hall, time, 50)
        await opening(hall, room, "c1-d1 c2-d2")
        assert list(room.table.left) == [105, 105], "a first move costs nothing"
        lines = ["a1-b1", "a2-b2", "a1-a2"]
        for seconds, line in zip((10, 20, 7), lines, strict=True):
            await pass_time(hall, time, seconds)
            assert isinstance(await play(hall, room, line), Applied)
        assert list(room.table.left) == [105 - 10 + 5 - 7 + 5, 105 - 20 + 5]
        await pass_time(hall, time, 4)
        assert isinstance(await play(hall, room, "b1-b2"), Applied)
        assert room.table.to_move == 1, "the box gives another line"
        assert room.table.left[1] == 90 - 4
        assert due(hall, room) == time.now + 86
        read = await Hall(hall.store).room(room.id)
        assert read is not None
        assert (list(read.table.left), read.table.since) == (list(room.table.left), room.table.since)

    at_times(tmp_path, work)


def test_flags_fall_while_nobody_is_connected_and_the_rest_play_on(tmp_path: Path) -> None:
    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, "trio", "move:60")
        for _ in range(3):
            await play(hall, room, room.table.state.moves()[0])
        for gone in (1, 2):
            await pass_time(hall, time, (due(hall, room) or 0) - time.now)
            await flags(hall)
            assert len(room.table.gone) == gone
        assert room.table.outcome is not None

    at_times(tmp_path, work)


def test_nobody_pays_for_an_outage(tmp_path: Path) -> None:
    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, "tictactoe", "total:60")
        await opening(hall, room, "b2 a1")
        await hall.beat()
        time.now += 10
        await hall.beat()
        # Within ten seconds two beats are missing: that is an outage already.
        assert hall.outages == ((START, START + 10),)
        assert due(hall, room) == START + 70
        time.now += 3600
        other = Hall(hall.store)
        again = await other.room(room.id)
        assert again is not None
        assert isinstance(await play(other, again, "c3"), Applied), "the gap is known before the move is judged"
        assert other.outages == ((START, START + 10), (START + 10, START + 3610))
        assert list(again.table.left) == [60, 60]
        await pass_time(other, time, 5)
        assert isinstance(await play(other, again, "a3"), Applied)
        assert list(again.table.left) == [60, 55]

    at_times(tmp_path, work)


def test_two_processes_find_one_outage(tmp_path: Path) -> None:
    async def work(hall: Hall, time: Time) -> None:
        other = open_store(tmp_path)
        other.now = time  # type: ignore[method-assign]
        await hall.beat()
        time.now += 60
        found = await asyncio.gather(hall.store.beat(), other.beat())
        assert all(outages == ((START, START + 60),) for outages in found)
        other.close()

    at_times(tmp_path, work)


@pytest.mark.parametrize("seats", range(2, 7))
def test_two_to_six_seats_play_by_the_clock(tmp_path: Path, seats: int) -> None:
    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, f"crystals:board=5x5,players={seats}", "total:1000+1")
        await play_out(hall, room, seats)
        assert len(room.table.left) == seats
        assert all(left >= 1000 for left in room.table.left)

    at_times(tmp_path, work)


def test_a_takeback_gives_no_time_back(tmp_path: Path) -> None:
    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, "tictactoe", "total:50+5")
        await opening(hall, room, "b2 a1")
        assert list(room.table.left) == [55, 55]
        await pass_time(hall, time, 20)
        await play(hall, room, "c3")
        assert list(room.table.left) == [40, 55]
        assert isinstance(await hall.command(room, Offer("takeback", room.table.base), 0, "o"), Applied)
        await pass_time(hall, time, 5)
        assert isinstance(await hall.command(room, Accept(room.table.offer), 1, "a"), Applied)
        assert list(room.table.left) == [35, 50], "whoever had to move has thought; a turn that is undone adds nothing"
        assert due(hall, room) == time.now + 35

    at_times(tmp_path, work)


def test_taking_back_against_an_engine_wins_no_time(tmp_path: Path) -> None:
    """The same seat is to move before and after: its clock runs on."""

    async def work(hall: Hall, time: Time) -> None:
        room = await hall.room(await hall.open(game("tictactoe"), {1: 1}, clock=read_clock("total:60")))
        assert room is not None
        await hall.command(room, Take(token_hash("me")), None, "t")
        await opening(hall, room, "b2 a1")
        ends = due(hall, room)
        await pass_time(hall, time, 59)
        assert isinstance(await hall.command(room, Offer("takeback", room.table.base), 0, "o"), Applied)
        assert room.table.line == ()
        assert due(hall, room) == ends
        await pass_time(hall, time, 2)
        await flags(hall)
        assert room.table.gone == {0}

    at_times(tmp_path, work)


def test_others_who_leave_wind_no_clock_up(tmp_path: Path) -> None:
    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, "trio", "total:60")
        for _ in range(3):
            await play(hall, room, room.table.state.moves()[0])
        mover = room.table.to_move
        assert mover is not None
        ends = due(hall, room)
        await pass_time(hall, time, 50)
        await hall.command(room, Resign(), (mover + 1) % 3, "r")
        assert room.table.to_move == mover
        assert due(hall, room) == ends

    at_times(tmp_path, work)


def test_who_never_comes_is_waited_for_a_day(tmp_path: Path) -> None:
    async def work(hall: Hall, time: Time) -> None:
        room = await table(hall, "tictactoe", "total:60")
        assert due(hall, room) == START + DAY
        await pass_time(hall, time, 90)
        await play(hall, room, "b2")
        assert due(hall, room) == time.now + DAY
        hall.store.now = lambda: time.now + DAY + 1  # type: ignore[method-assign]
        hall.outages, hall._beaten = (), hall.store.now()
        await hall.command(room, Flag(room.table.base), None, "f")
        assert room.table.gone == {1}

    at_times(tmp_path, work)
