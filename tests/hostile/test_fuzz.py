"""The fuzzer runs, finds its readers, and finds nothing in a moment; `make fuzz` gives it more time."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(find_spec("atheris") is None, reason="atheris has no wheel for this machine")


SCRIPT = """
from tests.hostile import fuzz

readers = list(fuzz.PARSERS.values())
seeds = [chr(number) + seed for number, reader in enumerate(readers) for seed in reader.seeds[:6]]


def any_reader(text):
    # The first sign says which one reads the others: each in a process of its own would take much longer.
    fuzz.attempt(readers[ord(text[:1] or "a") % len(readers)], text[1:])


fuzz.PARSERS = {"any": fuzz.Parser(any_reader, seeds), "number": fuzz.Parser(int, ["17"])}
fuzz.main(["any", "-runs=2500", "-seed=1", "-verbosity=0"])
fuzz.main(["number", "-runs=9", "-seed=1", "-verbosity=0"])
"""


def test_a_moment_of_fuzzing_breaks_no_reader_but_one_that_is_broken(tmp_path: Path) -> None:
    # In a folder where it has learned nothing yet it does the same each time.
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert [line for line in done.stdout.splitlines() if line.startswith("fuzz: ")] == [
        "fuzz: readers 1, broken 0: -",
        "fuzz: readers 1, broken 1: number",
    ], done.stderr[-4000:]
    assert "ValueError: invalid literal for int()" in done.stdout
