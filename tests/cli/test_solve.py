"""`kletka solve` as a shell sees it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.cli.test_commands import kletka_command


def test_a_solved_game_as_json() -> None:
    found = json.loads(kletka_command("solve", "dots:size=2x2", "--json").stdout)
    assert list(found) == ["spec", "value", "exact", "best", "nodes", "seconds"]
    assert (found["spec"], found["value"], found["exact"]) == ("dots:size=2x2", 2, True)
    assert found["nodes"] > 0


def test_a_position_is_worth_what_is_left_of_it() -> None:
    done = kletka_command("solve", "dots:size=1x1", "--position", "0111 . 1", "--json")
    assert json.loads(done.stdout)["value"] == 1


def test_three_players_have_coins_each() -> None:
    found = json.loads(kletka_command("solve", "dots:size=2x2,players=3", "--json").stdout)
    assert len(found["value"]) == 3
    assert sum(found["value"]) == 4


@pytest.mark.parametrize(("language", "said"), [("en_GB", "-3"), ("fr_FR", "-3"), ("ru_RU", "-3")])
def test_people_read_the_value_and_the_best_moves(language: str, said: str) -> None:
    done = kletka_command("solve", "dots:size=3x3", "--memory", "64M", language=f"{language}.UTF-8")
    value, best, effort = done.stdout.splitlines()
    assert said in value
    assert len(best.partition(":")[2].split()) == 24
    assert ":" in effort


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "crystals"),
        ("solve", "dots", "--memory", "many"),
        ("solve", "dots", "--memory", "0"),
        ("solve", "dots:players=3"),
        ("solve", "dots:size=1x1", "--position", "1111 1 -"),
        ("solve", "chess"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...]) -> None:
    done = kletka_command(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_ctrl_c_tells_what_is_known() -> None:
    command = [sys.executable, "-c", _SOLVE_AND_INTERRUPT]
    done = subprocess.run(
        command, env=os.environ | {"LC_ALL": "en"}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 130
    assert "between" in done.stdout


_SOLVE_AND_INTERRUPT = f"""
import os, sys, threading
from kletka import cli
from kletka.cli import solving
begun = solving.solve
def solve(*given, **more):
    threading.Timer(0.2, os.kill, (os.getpid(), {signal.SIGINT:d})).start()
    return begun(*given, **more)
solving.solve = solve
sys.argv = ["kletka", "solve", "dots:size=6x6"]
cli.main()
"""
