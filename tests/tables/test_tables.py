"""Tables without sockets: seats, moves, refusals, offers, repeated and racing commands, and the log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import msgspec
import pytest
import sqlalchemy as sa

from kletka.games import full_spec, game
from kletka.tables import (
    Accept,
    Applied,
    Command,
    Conflict,
    Decline,
    Duplicate,
    Event,
    Hall,
    House,
    Offer,
    Play,
    Refused,
    Resign,
    Room,
    Seated,
    Take,
    clean_name,
    fold,
    opened,
    token_hash,
)
from kletka.tables.model import CODES, Moved, Opened, decode_body, encode_body
from kletka.tables.schema import events
from tests.conformance.playing import ONE_EACH
from tests.stores import POSTGRES, open_store, sql
from tests.tables.helpers import code, in_hall, play, play_out, seated


@pytest.mark.parametrize("spec", ONE_EACH)
def test_a_game_is_played_stored_and_read_again(tmp_path: Path, spec: str) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, spec)
        await play_out(hall, room)
        assert room.table.status == "over"
        again = await Hall(hall.store).room(room.id)
        assert again is not None
        assert again.table == room.table
        assert again.log == room.log
        assert [event.version for event in room.log] == list(range(len(room.log)))
        row = hall.store.row(room.id)
        assert row is not None
        assert (row["version"], row["status"], row["to_move"]) == (room.table.version, "over", None)

    in_hall(tmp_path, work)


def test_every_body_survives_the_store() -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "secret")
        await play_out(hall, room)
        for event in room.log:
            assert decode_body(encode_body(event.body)) == event.body

    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        in_hall(Path(folder), work)


def test_in_hidden_games_an_event_stores_what_each_seat_heard(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "secret")
        rng = Random(3)
        while room.table.to_move is not None:
            before = room.table
            await play(hall, room, before.state.sample(rng))
            moved = room.log[-1].body
            assert isinstance(moved, Moved)
            for seat in (0, 1, None):
                view = before.state.seen_by(seat).hear(moved.heard_by(seat))
                assert view == room.table.state.seen_by(seat)

    in_hall(tmp_path, work)


REFUSALS: list[tuple[str, Command, int | None]] = [
    ("no_seat", Play(2, "a1"), None),
    ("not_your_turn", Play(0, "a1"), 1),
    ("stale", Play(1, "a1"), 0),
    ("stale", Play(99, "a1"), 0),
    ("notation", Play(0, "?"), 0),
    ("notation", Play(0, "a1" * 5000), 0),
    ("notation", Play(0, "a1=x"), 0),
    ("off_board", Play(0, "z9"), 0),
    ("no_offer", Accept(1), 0),
    ("no_offer", Decline(1), 0),
    ("seat_taken", Take("new"), None),
    ("seated", Take(token_hash("seat1")), None),
    ("no_such_seat", Take("new", "", 7), None),
    ("bad_name", Take("new", "n" * 31), None),
]


@pytest.mark.parametrize(("expected", "command", "seat"), REFUSALS)
def test_a_refused_command_leaves_the_table_as_it_was(
    tmp_path: Path, expected: str, command: Command, seat: int | None
) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        before, stored = room.table, hall.store.load(room.id)
        answer = await hall.command(room, command, seat, "x")
        assert code(answer) == expected
        assert isinstance(answer, Refused)
        assert answer.stale == (expected == "stale")
        assert room.table == before
        assert hall.store.load(room.id) == stored

    in_hall(tmp_path, work)


def test_told_texts_are_refused_without_telling_anything(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "secret")
        await play(hall, room, "hide-2")
        await play(hall, room, "hide-5")
        answers = [await play(hall, room, f"ask-5={said}", said) for said in ("yes", "no", "nothing", "~")]
        assert {code(answer) for answer in answers} == {"notation"}
        assert len({repr(answer) for answer in answers}) == 1

    in_hall(tmp_path, work)


def test_a_table_waits_for_its_seats(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("tictactoe")))
        assert room is not None
        await hall.command(room, Take(token_hash("a"), "Anna", 1), None, "t")
        assert room.table.status == "waiting"
        assert code(await hall.command(room, Play(0, "a1"), 1, "m")) == "not_started"
        assert code(await hall.command(room, Resign(), 1, "r")) == "not_started"
        answer = await hall.command(room, Take(token_hash("b")), None, "u")
        assert answer == Applied(2, 0)
        assert room.table.status == "running"

    in_hall(tmp_path, work)


def test_a_repeated_command_is_applied_once(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        first = await hall.command(room, Play(0, "a1"), 0, "same")
        assert first == Applied(3, 0)
        assert await hall.command(room, Play(0, "a1"), 0, "same") == Duplicate(3)
        assert isinstance(await hall.command(room, Play(0, "b1"), 0, "same"), Conflict)
        again = await Hall(hall.store).room(room.id)
        assert again is not None
        assert await hall.command(again, Play(0, "a1"), 0, "same") == Duplicate(3)
        assert room.table.version == 3
        both = await asyncio.gather(*(hall.command(room, Play(3, "b1"), 1, "twice") for _ in range(20)))
        assert sorted(map(type, both), key=lambda t: t.__name__) == [Applied, *([Duplicate] * 19)]

    in_hall(tmp_path, work)


def test_resigning_ends_a_game_of_two_and_skips_a_seat_of_three(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        await hall.command(room, Resign(), 1, "r")
        assert room.table.outcome is not None
        assert room.table.outcome == (frozenset({0}), (0, 0), "left")
        assert code(await hall.command(room, Resign(), 0, "r")) == "over"
        three = await seated(hall, "trio")
        await hall.command(three, Resign(), 0, "r")
        assert (three.table.status, three.table.to_move) == ("running", 1)
        assert code(await hall.command(three, Resign(), 0, "again")) == "over"
        await hall.command(three, Resign(), 2, "r")
        assert three.table.outcome == (frozenset({1}), (0, 0, 0), "left")

    in_hall(tmp_path, work)


def test_ending_by_consent(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "trio")
        await play(hall, room, "a1")
        await hall.command(room, Offer(), 1, "o")
        assert code(await hall.command(room, Offer(), 1, "again")) == "offered"
        assert code(await hall.command(room, Accept(room.table.offer), 1, "a")) == "no_offer"
        assert code(await hall.command(room, Accept(room.table.offer - 1), 2, "a")) == "no_offer"
        await hall.command(room, Decline(room.table.offer), 2, "d")
        assert room.table.accepted == ()
        await hall.command(room, Offer(), 2, "o2")
        await hall.command(room, Accept(room.table.offer), 1, "a2")
        assert room.table.status == "running"
        # Whoever offers the same agrees.
        await hall.command(room, Offer(), 0, "a3")
        assert room.table.outcome == (frozenset({0}), (1, 0, 0), "agreed")
        assert room.table.to_move is None

        moved_on = await seated(hall, "tictactoe")
        await hall.command(moved_on, Offer(), 1, "o")
        await play(hall, moved_on, "a1")
        assert moved_on.table.accepted == (), "a move answers the offer by playing on"

    in_hall(tmp_path, work)


def test_two_people_pressing_at_once_get_two_different_answers(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("tictactoe"), {0: 1}))
        assert room is not None
        takes = [hall.command(room, Take(token_hash(f"t{i}")), None, f"take{i}") for i in range(10)]
        answers = await asyncio.gather(*takes)
        assert [isinstance(a, Applied) for a in answers].count(True) == 1
        assert {code(a) for a in answers if isinstance(a, Refused)} == {"seat_taken"}

    in_hall(tmp_path, work)


def test_two_processes_serve_one_table(tmp_path: Path) -> None:
    """Two halls on one store, racing: nothing is lost, nothing applied twice, both end with the same log."""

    async def work(hall: Hall) -> None:
        other = Hall(hall.store)
        room = await seated(hall, "trio:long=true")
        twin = await other.room(room.id)
        assert twin is not None
        heard: list[Event] = []
        other.watch(twin, lambda _, event: heard.append(event))
        rng = Random(1)
        while room.table.to_move is not None:
            seat, base = room.table.to_move, room.table.base
            moves = rng.sample(list(room.table.state.moves()), k=min(2, len(room.table.state.moves())))
            answers = await asyncio.gather(
                hall.command(room, Play(base, moves[0]), seat, f"h{base}"),
                other.command(twin, Play(base, moves[-1]), seat, f"o{base}"),
            )
            applied = [a for a in answers if isinstance(a, Applied)]
            assert len(applied) == 1
            await hall.refresh()
            await other.refresh()
            if room.table.version < twin.table.version:
                await hall._catch_up(room)
        assert room.log == twin.log == hall.store.load(room.id)
        assert [event.version for event in heard] == list(range(4, len(room.log)))

    in_hall(tmp_path, work)


def test_a_conflicting_row_does_not_break_its_group(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        rooms = [await seated(hall, "tictactoe") for _ in range(30)]
        other = Hall(hall.store)
        stale = await other.room(rooms[0].id)
        assert stale is not None
        await play(hall, rooms[0], "a1")
        plays = [play(hall, room, "b2", "m") for room in rooms]
        answers = await asyncio.gather(other.command(stale, Play(0, "c3"), 0, "late"), *plays)
        assert code(answers[0]) == "stale"
        assert all(isinstance(answer, Applied) for answer in answers[1:])

    in_hall(tmp_path, work)


def test_the_row_can_be_rebuilt_from_the_log(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe:shape=4x4x4", {1: 1})
        await play(hall, room, "1a1")
        log = hall.store.load(room.id)
        body = log[0].body
        assert isinstance(body, Opened)
        table = opened(body)
        for event in log[1:]:
            table = fold(table, event)
        row = hall.store.row(room.id)
        assert row is not None
        assert (row["version"], row["status"], row["to_move"]) == (table.version, table.status, table.to_move)
        assert row["due"] is not None
        assert row["spec"] == body.spec == full_spec(table.game)
        assert body.spec.startswith("tictactoe:shape=4x4x4,line=4,misere=false,gravity=false,")

    in_hall(tmp_path, work)


def test_tokens_are_stored_hashed(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        with hall.store.engine.connect() as connection:
            rows = connection.execute(sa.select(events)).all()
        assert "seat0" not in "".join(map(str, rows)).replace("seat0'", "")
        assert room.table.seats_of(token_hash("seat1")) == (1,)
        assert room.table.seats_of("seat1") == ()
        assert room.table.seats_of("") == ()

    in_hall(tmp_path, work)


_FULL = {
    "sqlite": ("CREATE TRIGGER no_room BEFORE INSERT ON events BEGIN SELECT RAISE(FAIL, 'full'); END",),
    "postgresql": (
        "CREATE FUNCTION no_room() RETURNS trigger AS $$ BEGIN RAISE disk_full; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER no_room BEFORE INSERT ON events EXECUTE FUNCTION no_room()",
    ),
}


def test_a_store_that_cannot_write_says_so_and_loses_nothing(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await seated(hall, "tictactoe")
        for statement in _FULL[hall.store.engine.dialect.name]:
            sql(tmp_path, statement)
        before = room.table
        answer = await play(hall, room, "a1")
        assert isinstance(answer, Refused)
        assert room.table == before
        sql(tmp_path, "DROP TRIGGER no_room" + " ON events" * POSTGRES)
        assert isinstance(await play(hall, room, "a1"), Applied)

    in_hall(tmp_path, work)


def test_names_are_cleaned() -> None:
    assert clean_name("  Anna\u202e  \n Maria ") == "Anna Maria"
    assert clean_name("") == ""
    assert clean_name("x" * 31) is None
    assert clean_name("<b>é</b>") == "<b>é</b>"
    assert clean_name("\u3164\u2800") == clean_name("\u0301\u200d") == clean_name("\u115f" * 31) == ""
    assert [clean_name(name) for name in ("7", "…", "☺", "\u3164a")] == ["7", "…", "☺", "\u3164a"]


def test_idle_rooms_are_dropped_and_come_back(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        rooms: list[Room] = []
        for _ in range(300):
            room = await hall.room(await hall.open(game("tictactoe")))
            assert room is not None
            rooms.append(room)
        fresh = Hall(hall.store)
        for room in rooms:
            assert await fresh.room(room.id)
        assert len(fresh._rooms) <= 257
        again = await fresh.room(rooms[0].id)
        assert again is not None
        assert again.table == rooms[0].table

    in_hall(tmp_path, work)


def test_every_code_of_a_table_has_words() -> None:
    from kletka import words

    for language in words.LANGUAGES:
        assert {f"refusal.{code}" for code in CODES} <= words.known(language)


def test_reopening_the_store_keeps_everything(tmp_path: Path) -> None:
    async def first(hall: Hall) -> tuple[str, list[Event]]:
        room = await seated(hall, "polish")
        await play(hall, room, "b2:b2")
        return room.id, room.log

    table_id, log = in_hall(tmp_path, first)

    async def second(hall: Hall) -> None:
        room = await hall.room(table_id)
        assert room is not None
        assert room.log == log
        assert await hall.room("nosuch") is None

    in_hall(tmp_path, second)
    open_store(tmp_path).close()


def test_the_table_s_own_rules_are_kept_and_older_logs_are_read(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for house in (House(), House(check=False), House(assist="outline")):
            room = await Hall(hall.store).room(await hall.open(game("tictactoe"), house=house))
            assert room is not None
            assert room.table.house == house

    in_hall(tmp_path, work)
    older = '{"kind":"opened","spec":"tictactoe","setup":null,"version":"1"%s}'
    for written, meant in (("", House()), (',"house":{"check":false}', House(check=False))):
        body = decode_body(older % written)
        assert isinstance(body, Opened)
        assert body.house == meant
    with pytest.raises(msgspec.ValidationError):
        decode_body(older % ',"house":{"assist":"all"}')


def test_players_choose_distinct_signs(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("polish")))
        assert room is not None

        async def take(who: str, sign: str) -> object:
            return await hall.command(room, Take(who, sign=sign), None, f"{who} {sign}")

        assert room.table.signs == ("cross", "nought")
        assert code(await take("host", "heart")) == "no_such_sign"
        assert isinstance(await take("host", "star"), Applied)
        assert room.table.signs == ("star", "cross")
        assert code(await take("guest", "star")) == "sign_taken"
        assert room.table.free_signs == ("cross", "nought", "triangle", "diamond", "square")
        assert isinstance(await take("guest", ""), Applied)
        assert room.table.signs == ("star", "cross")
        again = await Hall(hall.store).room(room.id)
        assert again is not None
        assert again.table.signs == room.table.signs

    in_hall(tmp_path, work)


def test_engines_leave_the_host_s_sign(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for sign, signs in (("cross", ("nought", "cross")), ("square", ("cross", "square"))):
            room = await hall.room(await hall.open(game("polish"), {0: 1}, sign=sign))
            assert room is not None
            assert isinstance(await hall.command(room, Take("host", sign=sign), None, "t"), Applied)
            assert room.table.signs == signs

    in_hall(tmp_path, work)


def test_other_games_have_no_signs_to_choose(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        room = await hall.room(await hall.open(game("tictactoe"), sign="star"))
        assert room is not None
        assert isinstance(await hall.command(room, Take("host", sign="star"), None, "t"), Applied)
        assert room.table.signs == room.table.free_signs == ()
        assert room.log[1].body == Seated(0, "", "host")

    in_hall(tmp_path, work)
