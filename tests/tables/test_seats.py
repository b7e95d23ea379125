"""Seats: one owner each, left and lent, shared screens, races, and the tables of a browser."""

from __future__ import annotations

import asyncio
import hmac
from pathlib import Path

import pytest

from kletka.games import game
from kletka.tables import (
    Applied,
    Clerk,
    Command,
    Hall,
    Leave,
    Lend,
    Offer,
    Play,
    Refused,
    Resign,
    Room,
    Seated,
    Take,
    token_hash,
)
from kletka.tables.table import LENDING, Now, decide
from tests.tables.helpers import code, in_hall, play, play_out, seated
from tests.tables.test_clerk import threads


def test_six_seats_and_twenty_hurried_people(tmp_path: Path) -> None:
    """Through two processes, at the same moment: each seat has one owner, and who got none is told so."""

    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("crystals:board=5x5,players=6")))
        assert room is not None
        other = Hall(hall.store)
        twin = await other.room(room.id)
        assert twin is not None
        takes = [(hall, room) if number % 2 else (other, twin) for number in range(20)]
        answers = await asyncio.gather(
            *(
                where.command(at, Take(token_hash(f"p{number}"), f"P{number}", number % 6), None, f"t{number}")
                for number, (where, at) in enumerate(takes)
            )
        )
        assert sum(isinstance(answer, Applied) for answer in answers) == 6
        assert {code(answer) for answer in answers if isinstance(answer, Refused)} == {"seat_taken"}
        await hall.refresh()
        await other.refresh()
        read = await Hall(hall.store).room(room.id)
        assert read is not None
        assert len({sits.token_hash for sits in read.table.seats if sits}) == 6

    in_hall(tmp_path, work)


def test_leaving_before_the_start_frees_the_seat(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("trio")))
        assert room is not None
        for seat in (0, 1):
            await hall.command(room, Take(token_hash(f"s{seat}"), f"N{seat}", seat, owner=f"o{seat}"), None, f"t{seat}")
        assert isinstance(await hall.command(room, Leave(), 1, "l"), Applied)
        assert room.table.seats[1] is None
        assert hall.store.sittings("o1", 10) == []
        await hall.command(room, Take(token_hash("new"), "", 1), None, "n")
        await hall.command(room, Take(token_hash("last"), "", 2), None, "n2")
        assert room.table.status == "running"

    in_hall(tmp_path, work)


def test_who_leaves_later_is_replaced_by_an_engine(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "trio")
        clerk = asyncio.create_task(Clerk(hall, executor=threads).run())
        assert code(await hall.command(room, Leave(9), 0, "l")) == "no_such_level"
        assert isinstance(await hall.command(room, Leave(2), 0, "l2"), Applied)
        for _ in range(500):
            if room.table.to_move not in (None, 0):
                break
            await asyncio.sleep(0.01)
        assert room.table.to_move == 1
        assert room.table.seats_of(token_hash("seat0")) == (), "the seat is no more that person's"
        assert code(await hall.command(room, Play(room.table.base, "a1"), 0, "x")) == "not_your_turn"
        assert isinstance(await hall.command(room, Leave(1), 1, "l3"), Applied)
        assert code(await hall.command(room, Leave(1), 2, "l4")) == "all_engines"
        clerk.cancel()
        await asyncio.gather(clerk, return_exceptions=True)

    in_hall(tmp_path, work)


def test_after_the_end_nobody_changes_the_result(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        await play_out(hall, room)
        outcome = room.table.outcome
        commands: list[Command] = [Resign(), Leave(3), Offer(), Offer("takeback", room.table.base)]
        for seat in (0, 1):
            for number, command in enumerate(commands):
                assert code(await hall.command(room, command, seat, f"{seat}{number}")) == "over"
        assert room.table.outcome == outcome

    in_hall(tmp_path, work)


def test_a_lent_seat_moves_once(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        now = hall.store.now()
        await hall.command(room, Lend(token_hash("code")), 0, "l")
        for wrong in ("", "cod", "code2"):
            take = Take(token_hash("phone"), owner="phone", code_hash=token_hash(wrong))
            assert code(await hall.command(room, take, None, f"w{wrong}")) == "bad_code"
        answers = await asyncio.gather(
            *(
                hall.command(room, Take(token_hash(who), owner=who, code_hash=token_hash("code")), None, f"b{who}")
                for who in ("phone", "thief")
            )
        )
        assert [isinstance(answer, Applied) for answer in answers].count(True) == 1
        winner = "phone" if isinstance(answers[0], Applied) else "thief"
        assert room.table.seats_of(token_hash(winner)) == (0,)
        assert room.table.seats_of(token_hash("seat0")) == ()
        assert room.table.seats[0] is not None
        assert room.table.seats[0].name == "Player 0"
        assert [sitting.table_id for sitting in hall.store.sittings(winner, 5)] == [room.id]
        assert isinstance(await play(hall, room, "b2"), Applied), "the game goes on"
        await hall.command(room, Lend(token_hash("slow")), 1, "l2")
        hall.store.now = lambda: now + LENDING + 60  # type: ignore[method-assign]
        late = Take(token_hash("late"), code_hash=token_hash("slow"))
        assert code(await hall.command(room, late, None, "late")) == "bad_code"

    in_hall(tmp_path, work)


def test_one_screen_may_hold_all_seats_and_asks_nobody(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("tictactoe")))
        assert room is not None
        ours = token_hash("us")
        await hall.command(room, Take(ours), None, "a")
        assert code(await hall.command(room, Take(ours), None, "b")) == "seated", "a link opened twice takes one seat"
        await hall.command(room, Take(ours, beside=True), None, "c")
        table = room.table
        assert (table.seats_of(ours), table.looking((0, 1))) == ((0, 1), 0)
        await play(hall, room, "b2")
        assert room.table.looking((0, 1)) == 1
        await hall.command(room, Offer(), 1, "o")
        assert room.table.outcome is not None
        assert room.table.outcome.winners == {0, 1}
        await hall.command(room, Offer("rematch"), 0, "r")
        assert room.table.next

    in_hall(tmp_path, work)


async def race(hall: Hall, racers: int) -> list[Room]:
    """A race with somebody at every table."""
    rooms = await hall.racers(await hall.open_race(game("orapa"), racers))
    for number, room in enumerate(rooms):
        await hall.command(room, Take(token_hash(f"r{number}"), f"R{number}"), None, "t")
    return rooms


def test_a_race_opens_when_all_are_done(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        rooms = await race(hall, 3)
        setups = {room.table.setup for room in rooms}
        assert len(setups) == 1
        first, second, third = rooms
        for room in rooms[:2]:
            for _ in range(3):
                await play(hall, room, room.table.view(0).moves()[0])
        assert len({len(room.log) for room in rooms}) == 2, "each has a log of its own"
        await hall.command(first, Resign(), 0, "r")
        await hall.command(second, Resign(), 0, "r")
        for room in (first, second):
            assert (room.table.status, room.table.open, room.table.sealed) == ("over", False, True)
            assert room.table.view(0) == room.table.state.seen_by(0)
            assert room.table.view(None) == room.table.state.seen_by(None)
            assert code(await hall.command(room, Offer("rematch"), 0, "x")) == "no_rematch"
        await hall.command(third, Resign(), 0, "r")
        for room in rooms:
            assert room.table.open
            assert room.table.view(None) == room.table.state
        versions = [room.table.version for room in rooms]
        await hall.settle(first.table.opening.race)
        assert [room.table.version for room in rooms] == versions, "once"

    in_hall(tmp_path, work)


def test_the_last_two_finish_at_once_in_two_processes(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        one, two = await race(hall, 2)
        other = Hall(hall.store)
        twin = await other.room(two.id)
        assert twin is not None
        await asyncio.gather(hall.command(one, Resign(), 0, "r"), other.command(twin, Resign(), 0, "r"))
        later = Hall(hall.store)
        await later.settle(one.table.opening.race)
        for room in await later.racers(one.table.opening.race):
            assert room.table.open

    in_hall(tmp_path, work)


def test_a_race_waits_for_nobody_else_when_told_so(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        rooms = await hall.racers(await hall.open_race(game("orapa"), 3))
        await hall.command(rooms[0], Take(token_hash("me")), None, "t")
        await hall.close_race(rooms[0].table.opening.race)
        assert [room.table.status for room in rooms] == ["running", "over", "over"]
        assert code(await hall.command(rooms[1], Take(token_hash("late")), None, "t")) == "seat_taken"
        await hall.command(rooms[0], Resign(), 0, "r")
        assert all(room.table.open for room in rooms)

    in_hall(tmp_path, work)


def test_a_browser_finds_its_tables(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        made = []
        for number, spec in enumerate(("tictactoe", "trio", "dots:size=1x2")):
            room = await hall.room(await hall.open(game(spec)))
            assert room is not None
            for seat in range(room.table.game.seats):
                owner = "me" if seat == number % 2 else "other"
                take = Take(token_hash(f"{owner}{number}{seat}"), f"<b>{seat}", seat, owner=owner)
                await hall.command(room, take, None, f"t{seat}")
            made.append(room)
        await play_out(hall, made[2])
        mine = {sitting.table_id: sitting for sitting in hall.store.sittings("me", 10)}
        assert set(mine) == {room.id for room in made}
        assert [mine[room.id].status for room in made] == ["running", "running", "over"]
        assert mine[made[0].id].seats == (0,)
        assert mine[made[0].id].to_move == 0
        assert mine[made[1].id].names == ("<b>0", "<b>2")
        assert hall.store.sittings("nobody", 10) == []
        assert len(hall.store.sittings("me", 2)) == 2
        assert isinstance(made[0].log[1].body, Seated)

    in_hall(tmp_path, work)


class _Guarded(str):
    """A hash that may be compared in constant time only."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared by its characters")

    __ne__ = __eq__


def test_tokens_are_compared_in_constant_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every seat, whichever matches."""
    compared: list[tuple[str, str]] = []
    same = hmac.compare_digest

    def compare(one: str, two: str) -> bool:
        compared.append((one, two))
        return same(one, two)

    monkeypatch.setattr(hmac, "compare_digest", compare)

    async def work(hall: Hall) -> None:
        room = await seated(hall, "trio", {1: 1})
        for token, seats in (("seat0", (0,)), ("seat2", (2,)), ("nobody", ())):
            given = _Guarded(token_hash(token))
            compared.clear()
            assert room.table.seats_of(given) == seats
            assert [stored for stored, _ in compared] == [token_hash("seat0"), "", token_hash("seat2")]
        assert room.table.seats_of("") == (), "an engine's seat has none"
        await hall.command(room, Lend(token_hash("code")), 2, "lend")
        compared.clear()
        take = Take(_Guarded(token_hash("new")), code_hash=_Guarded(token_hash("code")))
        assert isinstance(decide(room.table, take, None, Now(hall.store.now())), Seated)
        assert [stored for stored, _ in compared] == [token_hash("code"), token_hash("seat2")]

    in_hall(tmp_path, work)
