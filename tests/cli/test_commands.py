"""The commands as a shell sees them: output, JSON, exit codes; bad input is one line and exit code 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import kletka
from kletka.games import families, full_spec, game
from kletka.records import Played, parse


def kletka_command(*words: str, typed: str = "", language: str = "en_GB.UTF-8") -> subprocess.CompletedProcess[str]:
    """Run a command with this text typed into it."""
    return subprocess.run(
        [sys.executable, "-m", "kletka", *words],
        input=typed,
        env=os.environ | {"LC_ALL": language, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_games_as_json_say_everything_about_each_family() -> None:
    listed = json.loads(kletka_command("games", "--json").stdout)
    assert [entry["spec"] for entry in listed] == list(families())
    for entry in listed:
        jsonschema.Draft202012Validator.check_schema(entry["options"])
        for preset in entry["presets"]:
            made = game(preset["spec"])
            assert preset["full"] == full_spec(made)
            assert preset["seats"] == made.seats


def test_games_for_people_follow_the_language() -> None:
    assert "Noughts and crosses" in kletka_command("games").stdout
    assert "Morpion" in kletka_command("games", language="fr_FR.UTF-8").stdout
    assert "Крестики-нолики" in kletka_command("games", language="ru_RU.UTF-8").stdout


def test_perft_counts_sequences_of_exactly_that_length() -> None:
    done = kletka_command("perft", "tictactoe", "7", "--json")
    assert json.loads(done.stdout) == {"spec": "tictactoe", "depth": 7, "nodes": 148176}
    assert kletka_command("perft", "tictactoe", "0").stdout == "1\n"
    assert kletka_command("perft", "tictactoe", "1").stdout == "9\n"
    done = kletka_command("perft", "tictactoe", "2", "--position", "xo./.../...", "--json")
    assert json.loads(done.stdout)["nodes"] == 42


@pytest.mark.parametrize(
    "words",
    [
        ("play", "chess"),
        ("play", "tictactoe:line=9"),
        ("play", "tictactoe", "--level", "9"),
        ("play", "tictactoe", "--level", "x"),
        ("play", "tictactoe", "--seat", "3"),
        ("perft", "tictactoe"),
        ("perft", "tictactoe", "x"),
        ("perft", "tictactoe", "-1"),
        ("perft", "tictactoe", "2", "--position", "nonsense"),
        ("analyse", "tictactoe", "--lines", "0"),
        ("analyse", "tictactoe", "--lines", "99"),
        ("analyse", "tictactoe", "--nodes", "0"),
        ("analyse", "tictactoe", "--position", "xxx/oo./..."),
        ("match", "tictactoe", "1", "nobody"),
        ("match", "tictactoe", "1", "uct:x"),
        ("match", "tictactoe", "1", "uct:0"),
        ("match", "tictactoe", "1", f"uct:{'9' * 5000}"),
        ("match", "tictactoe", "9" * 5000, "1"),
        ("match", "tictactoe", "1", "2", "--games", "3"),
        ("match", "tictactoe", "1", "2", "--opening", "9"),
        ("show", "/no/such/file"),
        ("serve", "--port", "99999"),
        ("serve", "--port", "0", "--data", "/proc/nowhere"),
        ("serve", "--address", "kletka.example"),
        ("dance",),
        ("games", "--yaml"),
    ],
)
@pytest.mark.parametrize("language", ["en_GB.UTF-8", "fr_FR.UTF-8"])
def test_bad_input_is_one_line_and_exit_code_2(words: tuple[str, ...], language: str) -> None:
    done = kletka_command(*words, language=language)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("kletka: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    import socket

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = str(held.getsockname()[1])
        done = kletka_command("serve", "--port", port, "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert port in done.stderr


def test_a_game_at_one_screen_is_played_and_saved(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    typed = "b2\nb2\nzz9\nmoves\na1\nc3\na3\na2\nc2\nb1\nb3\nc1\n"
    done = kletka_command("play", "tictactoe", "--save", str(saved), typed=typed)
    assert done.returncode == 0
    assert "b2 is taken already" in done.stdout
    assert "It is a draw." in done.stdout
    record = parse(saved.read_text("utf-8"))
    moves = [event.told for event in record.events if isinstance(event, Played)]
    assert moves == ["b2", "a1", "c3", "a3", "a2", "c2", "b1", "b3", "c1"]
    shown = kletka_command("show", str(saved))
    assert "It is a draw." in shown.stdout
    described = json.loads(kletka_command("show", str(saved), "--ply", "3", "--json").stdout)
    assert described["position"] == "..x/.x./o.."
    assert described["result"] == {"winners": [0, 1], "reason": "full"}
    assert kletka_command("show", str(saved), "--svg").stdout.startswith("<svg")
    assert "draw" in kletka_command("show", "-", typed=saved.read_text("utf-8")).stdout


def test_the_engine_plays_and_one_may_resign_or_quit() -> None:
    done = kletka_command("play", "tictactoe", "--level", "8", "--seat", "2", "--seed", "1", typed="resign\n")
    assert "Crosses win." in done.stdout
    assert kletka_command("play", "tictactoe:shape=4x4x4", "--level", "2", typed="1a1\nquit\n").returncode == 0
    assert kletka_command("play", "tictactoe", typed="").returncode == 0


def test_the_lines_of_one_turn_may_be_typed_together(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    typed = "b1-a1\na2-b2\na1-a2\nb1-b2,b1-b2,b2-c2\nb2-c2\nb1-c1\nc1-c2\n"
    done = kletka_command("play", "dots:size=1x2", "--save", str(saved), typed=typed)
    assert done.returncode == 0
    assert "Red: b1-b2.\nRed: b2-c2.\nScore: 0–1." in done.stdout
    assert "Score: 0–2." in done.stdout
    assert "b1-b2,b2-c2" in saved.read_text("utf-8")
    over = kletka_command("play", "dots:size=1x2", typed="a1-b1,b1-c1,a2-b2\nquit\n")
    assert "not played: b1-c1,a2-b2" in over.stdout


def test_the_list_of_moves_gives_no_line_away() -> None:
    typed = "a1\na3\nb1\nb3\nc1\na2\nmoves\nquit\n"
    shown = kletka_command("play", "tictactoe:claim=true", typed=typed).stdout
    assert "b2 c2 c3" in shown
    assert "claim" not in shown


def test_the_test_games_run_at_the_terminal() -> None:
    three = kletka_command("play", "trio", typed="a1\nb1\nresign\nd1\nc1\ne1\nf1\ng1\n" * 2)
    assert three.returncode == 0
    assert "Score:" in three.stdout
    hidden = kletka_command("play", "secret", "--seed", "4", typed="hide-2\n\nhide-5\n\nask-1\n\nask-3\nquit\n")
    assert "hide=~" in hidden.stdout
    against = kletka_command("play", "secret", "--level", "1", "--seed", "4", typed="hide-2\nask-1\nquit\n")
    assert "Red: hide=~." in against.stdout
    composite = kletka_command("play", "polish", typed="b2:b2\na1\nquit\n")
    assert "Blue: b2:b2." in composite.stdout


def test_a_mine_is_searched_at_the_terminal_and_saved_without_the_secret_before_the_end(tmp_path: Path) -> None:
    mine = "R10A1+Y3F2+B9D1+W1B1+S7C0"
    saved = tmp_path / "mine.txt"
    command = ("play", "orapa", "--setup", mine, "--save", str(saved))
    early = kletka_command(*command, typed="15\ndone\ng\nquit\n")
    assert early.returncode == 0
    assert "Blue: 15 → 8, light purple." in early.stdout
    assert "1. 15=8.lightpurple 2. done 3. G=L.yellow *" in saved.read_text("utf-8")
    assert "setup" not in saved.read_text("utf-8")
    assert mine not in early.stdout
    done = kletka_command(*command, typed=f"15\nanswer:{mine[:-1]}7\nanswer:{mine}\n")
    assert "1 question: a true expert." in done.stdout
    assert f'[setup "{mine}"]' in saved.read_text("utf-8")
    shown = kletka_command("show", str(saved))
    assert "RR" in shown.stdout
    assert kletka_command("play", "orapa", "--setup", "nonsense", typed="").returncode == 2


def test_a_bad_record_names_file_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text('[game "tictactoe"]\n\n1. a1 2. a1 *\n', "utf-8")
    done = kletka_command("show", str(file))
    assert done.returncode == 2
    assert done.stderr == f"kletka: {file}, line 3, column 10: a1 is taken already.\n"
    file.write_bytes(b"\xff\xfe")
    assert kletka_command("show", str(file)).returncode == 2


def test_a_record_gives_no_orders_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "hostile.txt"
    file.write_text('[game "tictactoe"]\n[seat1 "\x1b[2J\x1b]0;x\x07\x9b31mAnna\u202e"]\n\n1. a1 *\n', "utf-8")
    done = kletka_command("show", str(file))
    assert done.stdout.startswith("seat1: \ufffd[2J\ufffd]0;x\ufffd\ufffd31mAnna\ufffd\n")
    file.write_text('[game "\x1b[31mchess"]\n\n*\n', "utf-8")
    done = kletka_command("show", str(file), language="fr_FR.UTF-8")
    assert done.returncode == 2
    assert "\ufffd[31mchess" in done.stderr
    assert "\x1b" not in done.stderr


def test_a_match_is_the_same_by_seed() -> None:
    words = ("match", "tictactoe", "8", "1", "--games", "6", "--seed", "3", "--json")
    first, second = (json.loads(kletka_command(*words).stdout) for _ in range(2))
    assert first == second
    assert first["games"] == 6
    assert first["wins"] + first["draws"] + first["losses"] == 6


def test_a_notebook_shows_pictures() -> None:
    state = kletka.game("tictactoe").start().play(kletka.game("tictactoe").parse("b2"))
    drawn = kletka.draw(state, ["b2"])
    assert drawn._repr_svg_().startswith("<svg")
    shown = state._repr_svg_()  # type: ignore[attr-defined]
    assert shown.startswith("<svg")
    assert "k-cross" in shown


def test_analysis_says_what_is_proven() -> None:
    # Two in a row against two in a row: whoever moves wins.
    words = ("analyse", "tictactoe", "--position", "xx./oo./...", "--lines", "2")
    found = json.loads(kletka_command(*words, "--json").stdout)
    assert (found["spec"], found["position"], found["seat"]) == ("tictactoe", "xx./oo./...", 0)
    first, second = found["lines"]
    assert (first["move"], first["score"], first["exact"], first["line"]) == ("c3", 1.0, True, ["c3"])
    assert second["score"] < 1
    said = kletka_command(*words)
    assert "c3 (a win, proven)" in said.stdout
    assert said.stderr == ""
    assert "c3 (выигрыш, доказано)" in kletka_command(*words, language="ru_RU.UTF-8").stdout
    assert "an estimate" in kletka_command("analyse", "tictactoe:shape=4x4x4", "--nodes", "1000").stdout
    assert "no number" in kletka_command("analyse", "orapa").stdout


def test_print_gives_a_sheet() -> None:
    sheet = kletka_command("print", "tictactoe", "--paper", "letter", "--lang", "fr").stdout
    assert 'width="215.9mm" height="279.4mm"' in sheet
    assert "Chacun à son tour" in sheet
    shown = kletka_command("print", "tictactoe", "--position", "x../.o./...").stdout
    assert 'data-m="0.sign/a3"' in shown
    for wrong in (
        ("nogame",),
        ("tictactoe", "--paper", "a3"),
        ("tictactoe", "--lang", "xx"),
        ("dots", "--position", "?"),
    ):
        done = kletka_command("print", *wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
