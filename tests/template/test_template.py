"""The template game of CONTRIBUTING.md is built from the page and goes through the whole suite, page included."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

_FILE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _run(*command: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"


def test_the_template_game_works_as_the_page_says(tmp_path: Path) -> None:
    source, built = tmp_path / "source", tmp_path / "built"
    files = _FILE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert len(files) >= 10
    for name, text in files:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, "utf-8")
    _run("pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", str(built), str(source))
    only = {"KLETKA_TEST_GAMES": str(built), "KLETKA_ONLY": "template", "PYTHONPATH": str(built), "PYTEST_ADDOPTS": ""}
    _run("tests.conformance.playthrough", **only)
    assert list(built.glob("kletka_template/playthroughs/*.txt"))
    _run("pytest", "-p", "no:cacheprovider", "tests/conformance", **only)
    _run("pytest", "-p", "no:cacheprovider", "tests/e2e/test_any_game.py", **only)
    _run("mypy", "--strict", "-p", "kletka_template", MYPYPATH=f"{built}:src")
    for command in (("games", "--json"), ("perft", "template", "4", "--json")):
        _run("kletka", *command, **only)
