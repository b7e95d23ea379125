"""Takebacks and rematches: what goes, who is asked, and that nothing happens twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from kletka.games import families, game
from kletka.tables import (
    Accept,
    Answer,
    Applied,
    Command,
    Decline,
    Hall,
    Leave,
    Lend,
    Offer,
    Opened,
    Play,
    Resign,
    Room,
    Take,
    token_hash,
)
from kletka.tables.table import MOST_ASKS
from tests.tables.helpers import code, in_hall, play, play_out, seated


async def back(hall: Hall, room: Room, seat: int, what: str = "takeback") -> Answer:
    """A seat takes back, or asks to."""
    offer = Offer("turn" if what == "turn" else "takeback", room.table.base)
    return await hall.command(room, offer, seat, f"o{room.table.version}")


async def accept(hall: Hall, room: Room, seat: int) -> Answer:
    """A seat accepts the offer on the table."""
    return await hall.command(room, Accept(room.table.offer), seat, f"a{room.table.version}")


async def at_one_screen(hall: Hall, spec: str) -> Room:
    """A table whose seats all belong to one browser."""
    room = await hall.room(await hall.open(game(spec)))
    assert room is not None
    for seat in range(room.table.game.seats):
        take = Take(token_hash("us"), "", seat, beside=seat > 0)
        assert isinstance(await hall.command(room, take, None, f"t{seat}"), Applied)
    return room


def test_a_takeback_needs_the_others_and_names_what_goes(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        assert code(await back(hall, room, 0)) == "nothing_to_take_back"
        for move in ("b2", "a1", "c3"):
            await play(hall, room, move)
        states = room.table.state
        await back(hall, room, 1)
        assert room.table.offered is not None
        assert [moved.move for moved in room.table.undone(room.table.offered.to)] == ["a1", "c3"]
        assert room.table.state == states, "nothing happens before the other agrees"
        assert code(await accept(hall, room, 1)) == "no_offer"
        await accept(hall, room, 0)
        assert [event.body.move for event in room.table.line] == ["b2"]  # type: ignore[union-attr]
        assert room.table.to_move == 1
        assert room.table.offer == 0
        await play(hall, room, "c1")
        read = await Hall(hall.store).room(room.id)
        assert read is not None
        assert read.table == room.table

    in_hall(tmp_path, work)


def test_a_move_or_a_no_ends_an_asking(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        await play(hall, room, "b2")
        await back(hall, room, 0)
        stale = room.table.offer
        await play(hall, room, "a1")
        assert room.table.offered is None
        assert code(await hall.command(room, Accept(stale), 1, "late")) == "no_offer"
        await back(hall, room, 0)
        await hall.command(room, Decline(room.table.offer), 1, "no")
        assert len(room.table.line) == 2
        assert code(await hall.command(room, Offer("takeback", 0), 0, "old")) == "stale"

    in_hall(tmp_path, work)


def test_an_offer_waits_for_who_is_away(tmp_path: Path) -> None:
    """Nobody is connected in between, the process is another one: the offer is still there."""

    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        await play(hall, room, "b2")
        await back(hall, room, 0)
        later = Hall(hall.store)
        read = await later.room(room.id)
        assert read is not None
        assert isinstance(await accept(later, read, 1), Applied)
        assert read.table.line == ()

    in_hall(tmp_path, work)


def test_an_own_offer_to_end_survives_the_own_move(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        await hall.command(room, Offer(), 0, "o")
        await play(hall, room, "b2")
        assert room.table.accepted == (0,)
        await accept(hall, room, 1)
        assert room.table.outcome is not None

    in_hall(tmp_path, work)


@pytest.mark.parametrize("people", [2, 3])
def test_all_agree_at_once_and_it_happens_once(tmp_path: Path, people: int) -> None:
    """Each presses in two windows, at the same moment, through two processes."""

    async def work(hall: Hall) -> None:
        spec = "dots:size=3x3" + (",players=3" if people == 3 else "")
        room = await seated(hall, spec)
        other = Hall(hall.store)
        twin = await other.room(room.id)
        assert twin is not None
        for line in ("a1-a2", "b1-b2", "c1-c2", "a2-a3"):
            await play(hall, room, line)
        await other.refresh()
        await back(hall, room, room.table.game.seats - 1)
        asked, offer = sorted(room.table.asked("takeback", people - 1)), room.table.offer
        presses = [
            where.command(who, Accept(offer), seat, f"p{seat}{number}")
            for seat in asked
            for number, (where, who) in enumerate(((hall, room), (other, twin)))
        ]
        answers = await asyncio.gather(*presses)
        assert sum(isinstance(answer, Applied) for answer in answers) == len(asked)
        # The last line by the seat that asked, and what followed it.
        assert len(room.table.line) == (2 if people == 3 else 3)

    in_hall(tmp_path, work)


def test_against_an_engine_back_to_the_last_decision(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "dots:size=1x2", {1: 1})
        table = room.table
        await play(hall, room, "a1-b1")
        pending = Play(room.table.base, "a2-b2"), f"engine:1:{room.table.base}"
        assert isinstance(await back(hall, room, 0), Applied)
        assert room.table.state == table.state, "nobody has to be asked"
        assert room.table.to_move == 0
        late = await hall.command(room, pending[0], 1, pending[1])
        assert code(late) == "stale", "the answer to what was taken back is dropped"
        # The person draws three lines in turns with the engine, then two in one turn.
        for line in ("a1-b1", "a2-b2", "a1-a2", "c1-c2"):
            await play(hall, room, line)
        assert room.table.to_move == 0
        await play(hall, room, "b1-b2")
        assert room.table.to_move == 0, "a box: the same person draws on"
        assert isinstance(await back(hall, room, 0), Applied)
        assert room.table.to_move == 0
        assert room.table.state.refuses("b1-b2") == ()
        assert len(room.table.line) == 4

    in_hall(tmp_path, work)


def test_a_whole_turn_or_its_last_move(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for what, left in (("takeback", 4), ("turn", 3)):
            room = await at_one_screen(hall, "dots:size=1x3")
            for line in ("a1-b1", "a2-b2", "a1-a2", "b1-b2", "c1-c2"):
                await play(hall, room, line)
            assert [body.seat for body in room.table.turn] == [1, 1]
            assert isinstance(await back(hall, room, 0, what), Applied)
            assert len(room.table.line) == left
            assert room.table.to_move == 1

    in_hall(tmp_path, work)


def test_what_was_heard_cannot_be_taken_back(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for spec in ("secret", "orapa"):
            room = await seated(hall, spec)
            await play(hall, room, room.table.state.moves()[0])
            assert code(await back(hall, room, 0)) == "no_takeback"

    in_hall(tmp_path, work)


def test_nothing_is_taken_back_past_somebody_who_left(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "trio")
        await play(hall, room, room.table.state.moves()[0])
        await hall.command(room, Resign(), 1, "r")
        assert code(await back(hall, room, 0)) == "nothing_to_take_back"

    in_hall(tmp_path, work)


@pytest.mark.parametrize("spec", [family.name for family in families().values() if not game(family.name).hidden])
def test_taking_everything_back_move_by_move(tmp_path: Path, spec: str) -> None:
    """Every state comes back exactly, to the start."""

    async def work(hall: Hall) -> None:
        room = await at_one_screen(hall, spec)
        rng, states = Random(1), [room.table.state]
        while room.table.to_move is not None and len(states) < 12:
            await play(hall, room, room.table.state.sample(rng))
            states.append(room.table.state)
        if room.table.outcome:
            return
        while states.pop() and states:
            assert isinstance(await back(hall, room, 0), Applied)
            assert room.table.state == states[-1]
        assert room.table.line == ()

    in_hall(tmp_path, work)


def test_a_rematch_changes_sides_and_counts(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        assert code(await hall.command(room, Offer("rematch"), 0, "early")) == "not_over"
        for number in range(3):
            await hall.command(room, Resign(), 0 if number == 2 else 1, "r")
            # Both press at the same moment.
            answers = await asyncio.gather(*(hall.command(room, Offer("rematch"), seat, "again") for seat in (0, 1)))
            assert all(isinstance(answer, Applied) for answer in answers)
            assert code(await hall.command(room, Offer("rematch"), 0, "more")) == "no_rematch"
            following = await hall.room(room.table.next)
            assert following is not None
            before, after = room.table, following.table
            assert [seat and seat.name for seat in after.seats] == [seat and seat.name for seat in before.seats][::-1]
            assert after.opening.tally == before.points[::-1]
            assert (after.opening.round, after.opening.series) == (number + 2, room.series)
            assert after.status == "running"
            room = following
        # Player 0 won the first game; then seats changed, seat 1 gave up (player 0), and seat 0 (player 0 again).
        assert room.table.seats[1] is not None
        assert dict(zip([seat.name for seat in room.table.seats if seat], room.table.points, strict=True)) == {
            "Player 0": 1.0,
            "Player 1": 2.0,
        }

    in_hall(tmp_path, work)


def test_three_rotate_and_one_may_say_no(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "trio")
        await play_out(hall, room)
        await hall.command(room, Offer("rematch"), 2, "o")
        await hall.command(room, Decline(room.table.offer), 0, "no")
        assert room.table.offered is None
        await hall.command(room, Offer("rematch"), 0, "o2")
        await accept(hall, room, 1)
        assert not room.table.next
        await accept(hall, room, 2)
        following = await hall.room(room.table.next)
        assert following is not None
        assert [seat and seat.name for seat in following.table.seats] == ["Player 1", "Player 2", "Player 0"]
        assert sum(following.table.opening.tally) == pytest.approx(1)

    in_hall(tmp_path, work)


def test_playing_again_has_another_secret(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "orapa")
        setups = {room.table.setup}
        for number in range(3):
            await hall.command(room, Resign(), 0, "r")
            await hall.command(room, Offer("rematch"), 0, f"o{number}")
            following = await hall.room(room.table.next)
            assert following is not None
            room = following
            setups.add(room.table.setup)
        assert len(setups) > 1

    in_hall(tmp_path, work)


def test_engines_are_always_ready_for_a_rematch(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe", {1: 3})
        await hall.command(room, Resign(), 0, "r")
        await hall.command(room, Offer("rematch"), 0, "o")
        following = await hall.room(room.table.next)
        assert following is not None
        assert [following.table.level(seat) for seat in (0, 1)] == [3, None]
        assert following.table.engine_due, "sides have changed: now the engine begins"

    in_hall(tmp_path, work)


def test_a_rematch_that_was_half_opened_goes_on(tmp_path: Path) -> None:
    """The process died after the next table's first event: whoever agrees next finds it and fills it."""

    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        await hall.command(room, Resign(), 1, "r")
        await hall.command(room, Offer("rematch"), 0, "o")
        assert room.table.offered is not None
        following_body = Opened("tictactoe", None, "0", series=room.id, round=2, tally=(0.0, 1.0))
        await Hall(hall.store)._open(room.table.offered.table, following_body)
        assert isinstance(await accept(hall, room, 1), Applied)
        following = await hall.room(room.table.next)
        assert following is not None
        assert following.table.status == "running"

    in_hall(tmp_path, work)


def test_best_of_two_goes_on_without_asking(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        table_id = await hall.open(game("tictactoe"), rounds=2)
        room = await hall.room(table_id)
        assert room is not None
        for seat in (0, 1):
            await hall.command(room, Take(token_hash(f"s{seat}"), "", seat), None, f"t{seat}")
        await hall.command(room, Resign(), 0, "r")
        assert isinstance(await hall.command(room, Offer("rematch"), 1, "o"), Applied)
        second = await hall.room(room.table.next)
        assert second is not None
        assert (second.table.opening.round, second.table.opening.tally) == (2, (1.0, 0.0))
        assert second.table.seats_of(token_hash("s1")) == (0,), "the same token opens the other seat"
        await hall.command(second, Resign(), 0, "r")
        await hall.command(second, Offer("rematch"), 0, "o")
        assert not second.table.next, "after the last game people are asked"

    in_hall(tmp_path, work)


def test_a_takeback_outlives_an_engine_s_move_and_its_asker_s_companion(tmp_path: Path) -> None:
    """A asks B while an engine is to move. The engine moves on; B leaves to an engine: then nobody is left to ask."""

    async def work(hall: Hall) -> None:
        room = await seated(hall, "trio", {1: 1})
        await play(hall, room, room.table.state.moves()[0])
        await back(hall, room, 0)
        assert room.table.engine_asked is None, "engines aren't asked"
        await play(hall, room, room.table.state.moves()[0])
        assert room.table.offered is not None
        assert len(room.table.undone(room.table.offered.to)) == len(room.table.line)
        assert isinstance(await hall.command(room, Leave(1), 2, "l"), Applied)
        assert room.table.line == ()

    in_hall(tmp_path, work)


async def asked(hall: Hall, room: Room, command: Command, seat: int, times: int) -> list[str]:
    """What a seat is answered that asks again and again; what is offered is declined by the next one."""
    answers = []
    for number in range(times):
        version = room.table.version
        answer = await hall.command(room, command, seat, f"ask{version}-{number}")
        answers.append("applied" if isinstance(answer, Applied) else code(answer))
        if room.table.offered:
            other = (seat + 1) % len(room.table.seats)
            assert isinstance(await hall.command(room, Decline(room.table.offer), other, f"no{version}"), Applied)
    return answers


@pytest.mark.parametrize("command", [Offer(), Offer("takeback", 4), Lend(token_hash("code"))])
def test_nobody_asks_for_ever_without_a_move(tmp_path: Path, command: Command) -> None:
    """Nor fills the log so; each seat has its own number of times, and a move gives them anew."""

    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        for move in ("b2", "a1"):
            await play(hall, room, move)
        assert room.table.base == 4
        answers = await asked(hall, room, command, 0, MOST_ASKS + 3)
        assert answers == ["applied"] * MOST_ASKS + ["too_often"] * 3
        length = len(room.log)
        assert await asked(hall, room, Offer(), 0, 2) == ["too_often"] * 2, "nor for anything else"
        assert len(room.log) == length
        assert await asked(hall, room, Offer(), 1, 1) == ["applied"], "the others may still ask"
        read = await Hall(hall.store).room(room.id)
        assert read is not None
        assert read.table == room.table, "whoever reads the log knows it, too"
        await play(hall, room, "c3")
        assert await asked(hall, room, Offer(), 0, 1) == ["applied"]

    in_hall(tmp_path, work)


def test_a_finished_game_is_asked_again_only_so_often(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        assert set(await asked(hall, room, Offer(), 0, MOST_ASKS)) == {"applied"}
        # Agreeing ends it: then something else is to be asked.
        await hall.command(room, Offer(), 1, "end")
        assert isinstance(await accept(hall, room, 0), Applied)
        answers = await asked(hall, room, Offer("rematch"), 0, MOST_ASKS + 1)
        assert answers == ["applied"] * MOST_ASKS + ["too_often"]
        await hall.command(room, Offer("rematch"), 1, "again")
        assert isinstance(await accept(hall, room, 0), Applied)
        assert room.table.next, "saying yes is always possible"

    in_hall(tmp_path, work)


def test_a_seat_is_left_only_so_often(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("tictactoe")))
        assert room is not None
        answers = []
        for number in range(MOST_ASKS + 1):
            await hall.command(room, Take(token_hash("restless"), seat=1), None, f"t{number}")
            answers.append(await hall.command(room, Leave(), 1, f"l{number}"))
        assert all(isinstance(answer, Applied) for answer in answers[:-1])
        assert code(answers[-1]) == "too_often"
        assert room.table.seats_of(token_hash("restless")) == (1,), "and stays taken"
        assert isinstance(await hall.command(room, Take(token_hash("host"), seat=0), None, "t"), Applied)
        assert isinstance(await play(hall, room, "b2"), Applied)

    in_hall(tmp_path, work)


def test_a_log_of_more_asking_than_that_is_still_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older version wrote it, without any limit."""

    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        monkeypatch.setattr("kletka.tables.table.MOST_ASKS", 10**6)
        assert set(await asked(hall, room, Offer(), 0, MOST_ASKS * 2)) == {"applied"}
        monkeypatch.undo()
        read = await Hall(hall.store).room(room.id)
        assert read is not None
        assert read.table == room.table
        assert await asked(hall, read, Offer(), 0, 1) == ["too_often"]
        assert isinstance(await play(hall, read, "b2"), Applied)
        assert await asked(hall, read, Offer(), 0, 1) == ["applied"]

    in_hall(tmp_path, work)


def test_all_moves_may_be_taken_back_in_a_row(tmp_path: Path) -> None:
    """More often than anybody may ask: each time the position changes."""

    async def work(hall: Hall) -> None:
        room = await at_one_screen(hall, "dots:size=3x3")
        rng = Random(1)
        for _ in range(MOST_ASKS + 3):
            await play(hall, room, room.table.state.sample(rng))
        for _ in range(MOST_ASKS + 3):
            assert isinstance(await back(hall, room, 0), Applied)
        assert room.table.line == ()

    in_hall(tmp_path, work)
