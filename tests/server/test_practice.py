"""The practice board: every family played through it as a table would be, hidden games, refusals, hostile requests."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from kletka.drawing import drawing_of, letters
from kletka.drawing.svg import fragment
from kletka.games import State, families, game
from kletka.server.doors import LONGEST_BODY
from kletka.words import LANGUAGES
from tests.server.answers import refused
from tests.server.site import Person, Site

PROGRAM = {"Accept": "application/json"}
MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
TWIN = "R6A0+Y8E0+B5A1+W2F2+S3B0"
"""A mine that answers `B` as the first one does; its red gem lies elsewhere."""
SECRETS = [family.presets[0].spec for family in families().values() if game(family.presets[0].spec).hidden]


def ask(person: Person, body: object, rest: str = "", language: str = "en") -> httpx.Response:
    """Ask a practice board."""
    return person.http.post(f"/{language}/practice{rest}", json=body, headers=PROGRAM)


def said(person: Person, body: dict[str, Any], rest: str = "", language: str = "en") -> dict[str, Any]:
    answer = ask(person, body, rest, language)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    found: dict[str, Any] = answer.json()
    return found


def codes(answer: httpx.Response) -> list[str]:
    """The codes of a refusal, each with a sentence."""
    assert answer.status_code == 422, answer.text
    assert all(len(reason["say"]) > 10 for reason in answer.json()["refused"])
    return [reason["code"] for reason in answer.json()["refused"]]


def some_game(spec: str, most: int, whole: bool = False) -> tuple[dict[str, Any], list[str], State]:
    """A game played at random by its rules alone: its description, its moves (as their seats heard them where `whole`),
    and where it leads."""
    made, rng = game(spec), Random(spec)
    setup = made.deal(rng)
    state: State = made.start(setup)
    moves: list[str] = []
    while state.to_move is not None and len(moves) < most:
        move = state.sample(rng)
        moves.append(state.told(move, state.to_move) if whole else move)
        state = state.play(move)
    return {"spec": spec, "setup": setup or ""}, moves, state


def test_every_family_is_played_move_by_move(site: Site) -> None:
    person = site.person()
    for number, family in enumerate(families().values()):
        spec, language = family.presets[0].spec, LANGUAGES[number % len(LANGUAGES)]
        described, moves, state = some_game(spec, 25)
        marks: dict[str, str | None] = said(person, described | {"open": True}, language=language)["marks"]
        for at, move in enumerate(moves):
            body = described | {"open": True, "moves": moves[:at], "move": move}
            heard = said(person, body, language=language)
            assert (heard["v"], heard["applied"], heard["played"]) == (at + 1, at + 1, move)
            marks = heard["marks"] if heard.get("whole") else marks | heard["marks"]
        drawn = drawing_of(game(spec)).marks(state, heard_last(described | {"open": True, "moves": moves}))
        shown = {key: mark for key, mark in marks.items() if mark is not None}
        assert shown == {key: fragment(mark) for key, mark in drawn.items()}
        assert heard["to"] == state.to_move
        assert heard["seat"] == state.to_move or state.to_move is None
        assert (state.outcome is not None) == ("over" in heard)


def heard_last(body: dict[str, Any]) -> tuple[str, ...]:
    """The moves of the last turn: those that one seat made in a row."""
    made = game(body["spec"])
    state: State = made.start(body["setup"] or None)
    turn: list[str] = []
    mover: int | None = None
    for text in body["moves"]:
        goes_on = state.to_move == mover and made.seats > 1
        turn = [*(turn if goes_on else []), state.told(made.parse(text), state.to_move)]
        mover, state = state.to_move, state.play(made.parse(text))
    return tuple(turn)


def test_the_history_adds_up_to_what_stands_there(site: Site) -> None:
    person = site.person()
    for family in families().values():
        described, moves, _ = some_game(family.presets[-1].spec, 30)
        body = described | {"moves": moves}
        now = said(person, body)
        marks: dict[str, str | None] = {}
        events = said(person, body, "/events")["events"]
        assert [event["v"] for event in events] == list(range(len(moves) + 1))
        for event in events:
            marks = event["marks"] if event.get("whole") else marks | event["marks"]
        assert {key: mark for key, mark in marks.items() if mark is not None} == now["marks"]
        assert events[-1]["say"] == now["say"]


@pytest.mark.parametrize("spec", SECRETS)
def test_the_list_of_all_moves_comes_once(site: Site, spec: str) -> None:
    person = site.person()
    described, moves, _ = some_game(spec, 30)
    for opened in (True, False):
        body = described | {"moves": moves, "open": opened}
        events = said(person, body, "/events")["events"]
        assert ["items" in event for event in events] == [*(False for _ in moves), True]
        assert events[-1]["items"] == said(person, body)["items"]


@pytest.mark.parametrize("spec", SECRETS)
def test_moves_may_be_told_with_their_answers(site: Site, spec: str) -> None:
    person = site.person()
    described, moves, _ = some_game(spec, 30)
    _, told, _ = some_game(spec, 30, whole=True)
    assert told != moves
    shown = [said(person, described | {"open": True, "moves": texts}) for texts in (moves, told)]
    assert shown[0] == shown[1]
    other = [*told[:-1], told[-1].rpartition("=")[0] + "=nonsense"]
    assert codes(ask(person, described | {"moves": other}))


def test_a_secret_is_asked_about_and_not_shown(site: Site) -> None:
    person = site.person()
    body = {"spec": "orapa", "setup": MINE}
    heard = said(person, body | {"move": "B"})
    state = game("orapa").start(MINE)
    assert heard["item"].count(state.told(game("orapa").parse("B"), 0)) == 1
    closed = said(person, body | {"moves": ["B", "done"]})
    assert closed == said(person, body | {"setup": TWIN, "moves": ["B", "done"]})
    opened, other = (
        said(person, body | {"setup": mine, "moves": ["B", "done"], "open": True}) for mine in (MINE, TWIN)
    )
    assert set(closed["marks"]) < set(opened["marks"])
    assert opened != other
    assert codes(ask(person, {"spec": "orapa", "move": "B"})) == ["unanswerable"]


def test_a_position_begins_a_board_and_seats_leave_it(site: Site) -> None:
    person = site.person()
    position = game("tictactoe").start().play(game("tictactoe").parse("b2")).position
    board = {"spec": "tictactoe", "position": position}
    assert said(person, board)["to"] == 1
    assert [said(person, board | {"move": move})["applied"] for move in ("a1", " A1 ")] == [1, 1]
    text = ask(person, board, "/text")
    assert text.text == letters(game("tictactoe").read(position), ())
    left = said(person, board | {"moves": ["a1", "(1 left)"]}, language="fr")
    assert (left["to"], left["over"]) == (None, 1)
    assert "abandon" in left["say"]
    agreed = said(person, board | {"moves": ["(agreed)"]})
    assert "draw" in agreed["say"].lower()
    trio = said(person, {"spec": "trio", "moves": ["(2 left)"]})
    assert trio["to"] == 0


def test_buttons_of_the_game_and_drafts_work(site: Site) -> None:
    person = site.person()
    passing = said(person, {"spec": "crystals", "moves": []})
    assert 'data-move="pass"' in passing["parts"]["actions"]
    drafted = said(person, {"spec": "orapa", "setup": MINE, "text": MINE}, "/draft")
    assert game("orapa").parse(drafted["sends"]) == drafted["sends"]
    assert drafted["marks"]
    assert codes(ask(person, {"spec": "tictactoe", "text": "x"}, "/draft")) == ["no_drafts"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"spec": "chess"}, "unknown_game"),
        ({"spec": "tictactoe:shape=0x9"}, "bad_value"),
        ({"spec": "tictactoe", "setup": "x"}, "bad_setup"),
        ({"spec": "tictactoe", "position": "nonsense"}, "position_rows"),
        ({"spec": "tictactoe", "moves": ["b2", "b2"]}, "taken"),
        ({"spec": "tictactoe", "moves": ["b2"], "move": "z9"}, "off_board"),
        ({"spec": "tictactoe", "moves": ["<script>"]}, "notation"),
        ({"spec": "tictactoe", "moves": ["(3 left)"]}, "no_such_seat"),
        ({"spec": "tictactoe", "moves": ["(agreed)", "b2"]}, "over"),
        ({"spec": "tictactoe", "moves": ["(1 left)"], "move": "b2"}, "over"),
        ({"spec": "orapa", "setup": "R8B1"}, "bad_setup"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(site: Site, body: dict[str, Any], code: str) -> None:
    for language in LANGUAGES:
        assert codes(ask(site.person(), body, language=language)) == [code]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"spec": 1},
        {"spec": "tictactoe", "moves": "b2"},
        {"spec": "tictactoe", "moves": [1]},
        {"spec": "tictactoe", "moves": [["b2"]]},
        {"spec": "tictactoe", "moves": ["b2"] * 2001},
        {"spec": "tictactoe", "moves": ["b" * 4097]},
        {"spec": "tictactoe", "position": "x" * 20_001},
        {"spec": "tictactoe", "setup": "x" * 1001},
        {"spec": "tictactoe", "open": "yes"},
        {"spec": "tictactoe", "seat": 0},
        {"spec": "x" * 4001},
    ],
)
@pytest.mark.parametrize("rest", ["", "/events", "/text", "/draft"])
def test_hostile_requests_are_malformed(site: Site, body: object, rest: str) -> None:
    answer = ask(site.person(), body | {"text": ""} if rest == "/draft" and isinstance(body, dict) else body, rest)
    assert answer.status_code == 422
    assert refused(answer) == "malformed"


def test_a_body_is_not_endless(site: Site) -> None:
    person = site.person()
    long = {"spec": "tictactoe", "moves": ["b2" * 20] * (LONGEST_BODY // 40)}
    answer = ask(person, long)
    assert (answer.status_code, refused(answer)) == (413, "too_long")
