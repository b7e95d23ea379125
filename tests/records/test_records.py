"""Records: what is printed reads back the same, and what can't be read is named by line, column and code."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kletka.games import NotationError, game
from kletka.records import Agreed, Left, Played, Record, RecordError, Result, parse, print_record, replay, told_by
from tests.conformance.playing import ONE_EACH, SPECS


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Random games of every registered preset, finished or not, with seats leaving and agreements."""
    made = game(draw(st.sampled_from(SPECS)))
    rng = Random(draw(st.integers(0, 10**6)))
    setup = made.deal(rng)
    state = made.start(setup)
    events: list[Played | Left | Agreed] = []
    for _ in range(draw(st.integers(0, 30))):
        if state.to_move is None:
            break
        if rng.random() < 0.06:
            seat = rng.randrange(made.seats)
            events.append(Left(seat))
            state = state.without(seat)
        else:
            move = state.sample(rng)
            events.append(Played(state.told(move, state.to_move)))
            state = state.play(move)
    outcome = state.outcome
    if outcome is None and draw(st.booleans()):
        events.append(Agreed())
        outcome = state.agreed()
    names = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True).filter(
        lambda n: n not in ("game", "setup", "position")
    )
    texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\r"), max_size=40)
    tags = draw(st.dictionaries(names, texts, max_size=3))
    result = outcome and Result(outcome.winners, outcome.reason)
    return Record(made, tuple(events), setup, tuple(tags.items()), result)


def heard_by(record: Record, seat: int | None) -> Record:
    """The record as a seat (None: a spectator) could have kept it: without the set-up."""
    events: list[Played | Left | Agreed] = []
    for event, state in zip(record.events, replay(record), strict=False):
        if isinstance(event, Played):
            move = record.game.parse(event.told.partition("=")[0])
            events.append(Played(state.told(move, seat)))
        else:
            events.append(event)
    return Record(record.game, tuple(events), None, record.tags, record.result)


@settings(max_examples=100, deadline=None)
@given(records(), st.integers(0, 1))
def test_what_a_seat_heard_is_a_record_without_the_set_up(record: Record, watcher: int) -> None:
    seat = watcher if watcher < record.game.seats else None
    own = heard_by(record, seat)
    assert parse(print_record(own)) == own
    *_, last = replay(record)
    *_, view = replay(own)
    assert view == last.seen_by(seat)


def test_questions_stand_with_their_answers() -> None:
    mine = "R8B1+Y8E0+B5A1+W2F2+S3B0"
    head = f'[game "orapa:lives=1"]\n[setup "{mine}"]\n\n'
    record = parse(f"{head}1. b,done 2. E4,answer:R8B1+Y8E0+B5A1+W3F2+S2B0 - out\n")
    written = print_record(record)
    said = "1. B=3.white 2. done 3. 4E=nothing 4. answer:R8B1+Y8E0+B5A1+W3F2+S2B0=wrong - out"
    assert said in " ".join(written.split())
    assert parse(written) == record
    with pytest.raises(RecordError) as caught:
        parse(f"{head}1. B=4.white *")
    assert caught.value.code == "notation"
    before = parse('[game "orapa"]\n\n1. B=3.white,done *')
    assert [state.position for state in replay(before)][-1] == "~ B=3.white 0? - - -"


@settings(max_examples=150, deadline=None)
@given(records())
def test_what_is_printed_reads_back(record: Record) -> None:
    text = print_record(record)
    assert parse(text) == record
    assert print_record(parse(text)) == text
    assert len(list(replay(record))) == len(record.events) + 1


def test_a_record_looks_like_this() -> None:
    made = game("tictactoe")
    moves = [Played(made.parse(name)) for name in ("b2", "a1", "c3", "a3", "a2", "c2", "b1")]
    record = Record(made, (*moves, Left(0)), tags=(("seat1", "Anna"),), result=Result(frozenset({1}), "left"))
    assert print_record(record) == (
        '[game "tictactoe:shape=3x3,line=3,misere=false,gravity=false,marks=own,boards=1,exact=false,claim=false"]\n'
        '[seat1 "Anna"]\n\n'
        "1. b2 2. a1 3. c3 4. a3 5. a2 6. c2 7. b1 (1 left) 2 left\n"
    )


def test_the_moves_of_one_turn_are_joined() -> None:
    record = parse('[game "trio"]\n\n1. a1 2. c1 3. e1 4. b1,d1 *\n')
    assert "4. b1,d1 " in print_record(record)


HEAD = '[game "tictactoe"]\n\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ("", 1, 1, "no_game_tag"),
        ("1. a1 *", 1, 1, "no_game_tag"),
        ('[game "chess"]\n\n*', 1, 8, "unknown_game"),
        ('[game "tictactoe"\n\n*', 1, 1, "bad_tag"),
        ('[game "tictactoe"]\n[game "tictactoe"]\n\n*', 2, 2, "repeated_tag"),
        ('[x "y"]\n[game "tictactoe:line=9"]\n\n*', 2, 8, "line_too_long"),
        ('[game "tictactoe"]\n[setup "3"]\n\n*', 2, 9, "bad_setup"),
        (HEAD + "1. a1 2. z9 *", 3, 10, "off_board"),
        (HEAD + "1. a1\n2. a1 *", 4, 4, "taken"),
        (HEAD + "1. a1 3. b1 *", 3, 7, "wrong_number"),
        (HEAD + "1. a1", 3, 6, "no_result"),
        (HEAD + "1. a1 * 2. b2", 3, 9, "after_result"),
        (HEAD + "1. a1 1 line", 3, 7, "wrong_result"),
        (HEAD + "1. a1 2. a2 3. b1 4. b2 5. c1 *", 3, 31, "wrong_result"),
        (HEAD + "1. a1 2. a2 3. b1 4. b2 5. c1 6. c2 1 line", 3, 34, "over"),
        (HEAD + "1. a1 (3 left) 1 left", 3, 8, "no_such_seat"),
        (HEAD + "1. a1 (agreed) 2. a2 *", 3, 19, "over"),
        (HEAD + "1. a1 é *", 3, 7, "bad_token"),
        (HEAD + "1. a1,, *", 3, 7, "bad_token"),
        ('[game "secret"]\n\n1. hide-1 2. hide-4 3. ask-4 *', 3, 24, "unanswerable"),
        ("x" * 1_000_001, 1, 1, "record_too_long"),
    ],
)
def test_a_bad_record_gets_line_column_and_code(text: str, line: int, column: int, code: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column, caught.value.code) == (line, column, code)


@settings(max_examples=300, deadline=None)
@given(records(), st.lists(st.tuples(st.integers(0, 400), st.text(max_size=3)), min_size=1, max_size=4))
def test_a_damaged_record_reads_or_complains(record: Record, damage: list[tuple[int, str]]) -> None:
    text = print_record(record)
    for at, inserted in damage:
        text = text[:at] + inserted + text[at + 1 :]
    try:
        again = parse(text)
    except RecordError as error:
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 2
    else:
        assert parse(print_record(again)) == again


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_any_text_reads_or_complains(text: str) -> None:
    with pytest.raises((RecordError, NotationError)):
        parse(text)


@settings(max_examples=60, deadline=None)
@given(records(), st.integers(0, 30))
def test_a_record_may_begin_from_any_position_of_a_game(record: Record, first: int) -> None:
    states = list(replay(record))
    # Agreeing leaves no position that would say so.
    first = min(first, sum(not isinstance(event, Agreed) for event in record.events))
    begun = states[first]
    later = Record(record.game, record.events[first:], None, record.tags, record.result, position=begun.position)
    text = print_record(later)
    assert parse(text) == later
    assert [*replay(parse(text))] == states[first:]
    assert told_by(Record(record.game, position=begun.position), [written(event) for event in later.events]) == replace(
        later, tags=()
    )


def written(event: Played | Left | Agreed) -> str:
    match event:
        case Played(told):
            return told
        case Left(seat):
            return f"({seat + 1} left)"
        case Agreed():
            return "(agreed)"


@pytest.mark.parametrize("spec", ONE_EACH)
@settings(max_examples=40, deadline=None)
@given(text=st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=80), cut=st.integers(0, 200))
def test_hostile_positions_are_read_or_complained_about(spec: str, text: str, cut: int) -> None:
    made = game(spec)
    good = made.start().position
    for position in (text, good[:cut] + text, good + text, "1" * 20_001, good * 300):
        quoted = position.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        try:
            record = parse(f'[game "{spec}"]\n[position "{quoted}"]\n\n*\n')
        except RecordError as error:
            assert error.line == 2 or error.code == "wrong_result"
        else:
            assert record.start == made.read(position)


def test_a_game_begins_once() -> None:
    with pytest.raises(RecordError) as refused:
        parse('[game "orapa"]\n[setup "x"]\n[position "~ - 0? - - -"]\n\n*')
    assert (refused.value.line, refused.value.code) == (3, "two_starts")
    with pytest.raises(ValueError, match="from a set-up or from a position"):
        Record(game("tictactoe"), setup="a", position="b")
    with pytest.raises(ValueError, match="no tag"):
        Record(game("tictactoe"), tags=(("position", "x"),))
