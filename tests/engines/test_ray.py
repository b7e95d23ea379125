"""Matches on a cluster: the result of one machine, whatever happens to the workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import ray

from kletka.engines import MatchResult, NoCluster, Player, Spread, Sprt, level, on_ray, play_match
from kletka.games import State, game
from kletka.version import version

GAMES = 24


@pytest.fixture(scope="module")
def spread() -> Iterator[Spread]:
    with on_ray("local") as spread:
        yield spread


def players(spec: str, first: int, second: int) -> tuple[Player, Player]:
    made = game(spec)
    return level(made, first), level(made, second)


@pytest.mark.parametrize("spec", ["tictactoe:shape=4x4x4", "dots:size=3x3", "orapa"])
def test_a_cluster_plays_the_same_match(spec: str, spread: Spread) -> None:
    def played(where: Spread) -> tuple[MatchResult, list[tuple[int, State]]]:
        ends: list[tuple[int, State]] = []

        def watch(number: int, end: State, result: MatchResult) -> None:
            ends.append((number, end))

        return play_match(game(spec), *players(spec, 3, 1), 8, 5, opening=1, watch=watch, spread=where), ends

    assert played(spread) == played(map)


def test_a_verdict_ends_it_after_the_same_pair(spread: Spread) -> None:
    spec = "tictactoe:shape=4x4x4"

    def played(where: Spread) -> MatchResult:
        return play_match(game(spec), *players(spec, 4, 1), 400, 1, opening=2, sprt=Sprt(0, 100), spread=where)

    result = played(spread)
    assert result == played(map)
    assert result.verdict == "better"


def test_lost_workers_lose_no_result(spread: Spread) -> None:
    spec = "ultimate"
    killed: list[int] = []

    def watch(number: int, end: State, result: MatchResult) -> None:
        if number not in (1, 9):
            return
        for process in psutil.Process().children(recursive=True):
            try:
                if any("ray::_played" in word for word in process.cmdline()):
                    process.send_signal(signal.SIGKILL)
                    killed.append(process.pid)
            except psutil.Error:
                continue

    made, both = game(spec), players(spec, 4, 3)
    result = play_match(made, *both, GAMES, 7, opening=2, watch=watch, spread=spread)
    assert killed, "nobody was at work"
    assert result == play_match(made, *both, GAMES, 7, opening=2)


def test_workers_with_another_kletka_play_nothing(spread: Spread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kletka.engines.spread.version", lambda: version() + ".1")
    with pytest.raises(NoCluster) as none:
        play_match(game("tictactoe"), *players("tictactoe", 1, 1), 2, 1, spread=spread)
    assert none.value.code == "other_version"


def test_what_a_game_raises_comes_back(spread: Spread) -> None:
    with pytest.raises(ValueError, match="ends within"):
        play_match(game("tictactoe"), *players("tictactoe", 1, 1), 2, 1, opening=9, spread=spread)


ADDRESSES = ["127.0.0.1:1", "ray://127.0.0.1:1", "nowhere", "::1:x", "127.0.0.1:99999"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_cluster_is_waited_for_where_nobody_listens(address: str) -> None:
    with pytest.raises(NoCluster) as none, on_ray(address):
        pass
    assert none.value.code == "unreachable"


def command(*words: str, language: str = "en") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kletka", "match", "tictactoe", "2", "1", "--games", "4", *words],
        env=os.environ | {"LC_ALL": language},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_command_says_in_one_line_where_there_is_no_cluster() -> None:
    done = command("--ray", "nowhere", language="fr")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kletka: Aucune grappe Ray ne répond à « nowhere ».\n"


def test_the_command_says_in_one_line_where_there_is_no_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ray.py").write_text("raise ImportError\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = command("--ray", "local")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kletka: Ray isn’t installed. Run: pip install 'kletka[ray]'\n"


def test_the_command_plays_on_a_cluster_that_runs(spread: Spread) -> None:
    done = command("--ray", ray.get_runtime_context().gcs_address, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(command("--json").stdout)
