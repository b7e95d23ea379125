"""Games that requests describe: whatever they say, every door answers with a code and a sentence."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import httpx
import pytest

from kletka.games import families, game
from kletka.words import LANGUAGES
from tests.server.site import Person, Site

PROGRAM = {"Accept": "application/json"}
GETS = ("study", "embed/study", "paper/position", "paper/position/sheet.svg", "export/record", "export/png")
POSTS = ("practice", "practice/events", "practice/text", "think", "export/record", "export/svg")
CLASSIC = game("tictactoe").start().position


def refused(answer: httpx.Response) -> str:
    """The code of a refusal, which has a sentence."""
    assert answer.status_code == 422, (str(answer.url)[:300], answer.text[:300])
    (reason, *_) = answer.json()["refused"]
    assert len(reason["say"]) > 10
    assert not re.match("(?:error|refusal)[.]", reason["say"])
    return str(reason["code"])


def everywhere(person: Person, language: str, described: dict[str, Any]) -> set[str]:
    """The codes with which a description is refused at every door."""
    said = {name: ",".join(part) if name == "moves" else part for name, part in described.items()}
    gets = [person.get(f"/{language}/{path}", params=said, headers=PROGRAM) for path in GETS]
    posts = [person.http.post(f"/{language}/{path}", json=described, headers=PROGRAM) for path in POSTS]
    # Read as a form, a position is text that somebody pasted.
    form = {name: part for name, part in said.items() if name != "position"} | {"text": said.get("position", "")}
    pasted = [] if "moves" in said else [person.http.post(f"/{language}/study", data=form, headers=PROGRAM)]
    return {refused(answer) for answer in (*gets, *posts, *pasted)}


@pytest.mark.parametrize(
    ("described", "codes"),
    [
        ({"spec": "tictactoe", "moves": ["b2", "b2"]}, {"taken"}),
        ({"spec": "secret", "moves": ["ask-1"]}, {"wrong_verb"}),
        ({"spec": "tictactoe", "moves": ["(3 left)"]}, {"no_such_seat"}),
        ({"spec": "tictactoe", "moves": ["(99 left)"]}, {"no_such_seat"}),
        ({"spec": "tictactoe", "moves": ["(1 left)", "(1 left)"]}, {"over"}),
        ({"spec": "tictactoe", "moves": ["(agreed)", "(2 left)"]}, {"over"}),
        ({"spec": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3", "b3"]}, {"over"}),
        ({"spec": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3", "(2 left)"]}, {"over"}),
        ({"spec": "tictactoe", "moves": ["a1"] * 2000}, {"taken"}),
        ({"spec": "tictactoe", "moves": ["a1"] * 2001}, {"malformed", "bad_token"}),
        ({"spec": "tictactoe:" + "a" * 3980}, {"bad_spec"}),
        ({"spec": "x" * 4000}, {"unknown_game"}),
        ({"spec": "x" * 4001}, {"malformed"}),
        ({"spec": "tictactoe", "position": CLASSIC, "setup": "x"}, {"two_starts"}),
        ({"spec": "tictactoe", "position": CLASSIC * 1500}, {"position_rows"}),
    ],
)
def test_what_says_no_game_is_refused_at_every_door(site: Site, described: dict[str, Any], codes: set[str]) -> None:
    assert everywhere(site.person("ru"), "ru", described) <= codes


@pytest.mark.parametrize("spec", [family.presets[0].spec for family in families().values()])
def test_positions_of_wrong_sizes_are_refused_at_every_door(site: Site, spec: str) -> None:
    made = game(spec)
    position = made.start(made.deal(Random(1))).position
    wrong = (position[:-1] + "\n", position + "/" + position, "9" * 1000, "²", position.partition(" ")[0] + "??")
    for number, text in enumerate(wrong):
        language = LANGUAGES[number % len(LANGUAGES)]
        assert everywhere(site.person(), language, {"spec": spec, "position": text})
