"""Hints at tables, best moves of positions and judgements of moves, as pages ask for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kletka import words
from kletka.games import Move, State, game
from kletka.server.thinking import Thinker
from tests.engines.twins import value_of
from tests.server.inside import inside
from tests.server.site import Message, Person, Site

MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
TWIN = "R6A0+Y8E0+B5A1+W2F2+S3B0"
"""A mine that answers `B` as the first one does; its red gem lies elsewhere."""


def hint(person: Person, table: str) -> Message:
    """Press the hint button, as the page's script does."""
    answer = person.http.post(person.at(table, "/hint"), headers={"Accept": "application/json"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    told: Message = answer.json()
    return told


def refused(person: Person, table: str) -> tuple[int, str]:
    """Press it where there is nothing to be had: status and code."""
    answer = person.http.post(person.at(table, "/hint"), headers={"Accept": "application/json"})
    return answer.status_code, answer.json()["refused"][0]["code"]


def asked(person: Person, what: str, **body: Any) -> Any:
    """Ask for an opinion of a described game."""
    return person.http.post(f"/{person.language}/{what}", json=body, headers={"Accept": "application/json"})


def after(*moves: str) -> State:
    """The classic board after some moves."""
    state = game("tictactoe").start()
    for move in moves:
        state = state.play(state.game.parse(move))
    return state


def together(site: Site, spec: str) -> tuple[str, Person, Person]:
    """A table where hints are allowed, with two people."""
    one, other = site.person(), site.person("fr")
    table = one.open(spec, hints="1")
    assert other.take(table).status_code == 303
    return table, one, other


def test_a_hint_is_proven_and_what_a_solver_says(site: Site) -> None:
    table, *players = together(site, "tictactoe")
    played: list[str] = []
    for move in ("a1", "b1", "b2", "c3"):
        mover = players[len(played) % 2]
        advice = hint(mover, table)
        (line,) = advice["lines"]
        state = after(*played)
        best = max(value_of(state, move) for move in state.moves())
        assert value_of(state, line["move"]) == best
        assert (line["score"], line["exact"]) == ((best + 1) / 2, True)
        assert line["said_score"] in advice["say"]
        assert advice["say"].startswith(("Hint: ", "Indice\u00a0: ")[mover is players[1]])
        framed, *onward = line["marks"]
        assert framed == f"0.draft/at-{line['move']}"
        assert 'class="frame"' in line["marks"][framed]
        assert len([key for key in onward if "/then-" in key]) == min(2, len(line["line"]) - 1)
        assert advice["base"] == mover.base(table)
        assert mover.move(table, move).status_code == 303
        played.append(move)
        assert words.say(mover.language, "think.proven") in advice["say"]


def test_the_same_for_all_or_for_nobody(site: Site) -> None:
    table, one, other = together(site, "tictactoe")
    guest = site.person()
    assert refused(other, table) == (409, "not_your_turn")
    assert refused(guest, table) == (409, "no_seat")
    assert one.do(table, "resign").status_code == 303
    assert refused(one, table) == (409, "over")
    waiting = one.open("tictactoe", hints="1")
    assert refused(one, waiting) == (409, "not_started")
    plain, (host, _) = site.together("tictactoe")
    assert refused(host, plain) == (409, "no_hints")
    assert "data-advise" not in host.page(plain)
    assert refused(host, "nosuchtable") == (404, "no_table")


def test_without_script_the_hint_is_a_page(site: Site) -> None:
    table, one, other = together(site, "tictactoe")
    assert "data-advise" in one.page(table)
    assert "data-advise" not in site.person().page(table)
    answer = one.post(one.at(table, "/hint"))
    assert answer.status_code == 200
    assert words.say("en", "think.proven") in answer.text
    assert f'href="/en/t/{table}"' in answer.text
    assert other.post(other.at(table, "/hint")).status_code == 409


def test_a_hint_in_a_hidden_game_follows_from_what_the_seat_heard(site: Site) -> None:
    # Whoever asks one of two mines that answer alike hears the same, and gets the same hint.
    made = game("orapa")
    assert made.start(MINE).told(made.parse("B"), 0) == made.start(TWIN).told(made.parse("B"), 0)
    told = []
    for mine in (MINE, TWIN):
        person = site.person()
        table = person.open("orapa", hints="1", code=made.share_code(mine))
        assert made.start(site.secret(table)) == made.start(mine)
        assert person.move(table, "B").status_code == 303
        assert person.move(table, "done").status_code == 303
        told.append(hint(person, table))
    assert told[0] == told[1]
    assert told[0]["lines"][0]["exact"] is False


@pytest.mark.parametrize(("spec", "setup"), [("orapa", MINE), ("orapa:mode=duel", "")])
def test_the_set_up_that_is_described_is_not_looked_at(site: Site, spec: str, setup: str) -> None:
    person = site.person()
    made = game(spec)
    known = made.start(setup or None)
    seat = known.to_move
    assert seat is not None
    seen = asked(person, "think", spec=spec, position=known.seen_by(seat).position)
    assert asked(person, "think", spec=spec, setup=setup).json() == seen.json()


def test_the_best_moves_of_a_described_game(site: Site) -> None:
    person = site.person("ru")
    answer = asked(person, "think", spec="tictactoe", moves=["a1", "b1"], lines=9).json()
    assert answer["say"].startswith("Лучше всего: "), "nobody who studies a game is given hints"
    state = after("a1", "b1")
    assert answer["seat"] == 0
    assert {line["move"]: line["score"] for line in answer["lines"]} == {
        move: (value_of(state, move) + 1) / 2 for move in state.moves()
    }
    assert all(line["exact"] for line in answer["lines"])
    assert answer["lines"][0]["said_score"] == "выигрыш, доказано"


def test_every_move_of_a_game_is_judged(site: Site) -> None:
    person = site.person()
    moves = ["a1", "b2", "b1", "c3", "c1"]
    judged = [asked(person, "review", spec="tictactoe", moves=moves, ply=ply).json() for ply in range(1, 6)]
    for ply, told in enumerate(judged, 1):
        state = after(*moves[: ply - 1])
        best = max(value_of(state, move) for move in state.moves())
        fell = (best - value_of(state, Move(moves[ply - 1]))) / 2
        assert (told["ply"], told["seat"], told["fell"], told["proven"]) == (ply, (ply - 1) % 2, fell, True)
        mine = (value_of(state, Move(moves[ply - 1])) + 1) / 2
        assert told["share"] == (mine if told["seat"] == 0 else 1 - mine)
    # Crosses threaten on the lower row; noughts played elsewhere.
    assert [told["kind"] for told in judged][3:] == ["mistake", "best"] or judged[4]["kind"] == "good"
    assert judged[3]["best"]["said"] == "c1"
    assert "c1" in judged[3]["say"]
    left = asked(person, "review", spec="tictactoe", moves=["a1", "(2 left)"], ply=2).json()
    assert (left["kind"], left["share"]) == (None, None)


@pytest.mark.parametrize(
    ("what", "body", "code"),
    [
        ("think", {"spec": "chess"}, "unknown_game"),
        ("think", {"spec": "tictactoe", "position": "nonsense"}, "position_rows"),
        ("think", {"spec": "tictactoe", "moves": ["a1", "a1"]}, "taken"),
        ("think", {"spec": "tictactoe", "position": "xxx/oo./..."}, "over"),
        ("think", {"spec": "tictactoe", "lines": 0}, "malformed"),
        ("think", {"spec": "tictactoe", "lines": 11}, "malformed"),
        ("think", {"spec": "tictactoe", "seed": 1}, "malformed"),
        ("think", {"spec": "tictactoe" * 1000}, "malformed"),
        ("think", {"spec": "tictactoe", "moves": ["a1"] * 2001}, "malformed"),
        ("review", {"spec": "tictactoe", "moves": ["a1"]}, "malformed"),
        ("review", {"spec": "tictactoe", "moves": ["a1"], "ply": 2}, "malformed"),
        ("review", {"spec": "tictactoe", "moves": ["a1", "a1"], "ply": 2}, "taken"),
    ],
)
def test_what_cannot_be_thought_about_is_refused(site: Site, what: str, body: dict[str, Any], code: str) -> None:
    for language in words.LANGUAGES:
        answer = asked(site.person(language), what, **body)
        assert answer.status_code == 422
        (reason,) = answer.json()["refused"]
        assert reason["code"] == code
        assert reason["say"]


def test_where_too_many_ask_the_answer_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kletka.server.app.Thinker", lambda: Thinker(waiting=0))
    with inside(tmp_path) as site:
        for language in words.LANGUAGES:
            answer = asked(site.person(language), "think", spec="tictactoe")
            assert answer.status_code == 503
            assert answer.json()["refused"] == [{"code": "busy", "at": [], "say": words.say(language, "refusal.busy")}]
