"""Worker processes rebuild a view from told texts and choose as the level does; importing loads no kernel."""

from __future__ import annotations

import ast
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

import kletka
from kletka.engines import Told, choose_move, level, rebuild, signature, speeds
from kletka.engines.bench import CASES, run
from kletka.games import KletkaError, game

TOLD: list[Told] = [("told", "1a1"), ("told", "4d4"), ("told", "2b2")]
CUBE = "tictactoe:shape=4x4x4"
GOLDEN = Path(__file__).with_name("bench.txt")


def test_a_view_is_rebuilt_from_what_was_told() -> None:
    state = game(CUBE).start()
    for _, text in TOLD:
        state = state.play(state.game.parse(str(text)))
    assert rebuild(CUBE, TOLD) == state == rebuild(CUBE, TOLD, 0)
    assert rebuild(CUBE, [*TOLD, ("left", 1)]) == state.without(1)
    assert choose_move(CUBE, TOLD, 4, 7) == level(state.game, 4).choose(state, Random(7)).move


def test_in_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(choose_move, CUBE, TOLD, 5, 1).result() == choose_move(CUBE, TOLD, 5, 1)


def test_what_cannot_have_been_told_is_refused() -> None:
    with pytest.raises(KletkaError):
        rebuild(CUBE, [("told", "1a1"), ("told", "1a1")])
    with pytest.raises(ValueError, match="over"):
        choose_move(CUBE, [*TOLD, ("left", 1)], 4, 7)


def test_importing_loads_no_kernel() -> None:
    code = "import sys, kletka, kletka.engines, kletka.engines.work; print('kletka._kernels' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_one_module_imports_the_kernels() -> None:
    # import-linter sees no compiled modules.
    sources = Path(kletka.__file__).parent
    users = [path.relative_to(sources) for path in sources.rglob("*.py") if _imports_kernels(path)]
    assert users == [Path("engines/kernels.py")]


def _imports_kernels(path: Path) -> bool:
    nodes = ast.walk(ast.parse(path.read_text()))
    names = [
        name
        for node in nodes
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [f"{node.module}.{alias.name}" for alias in node.names]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    return any("_kernels" in name.split(".") for name in names)


def test_the_signature_is_the_recorded_one() -> None:
    # Changes only with search behaviour: python -m tests.engines.test_work writes it anew.
    assert _signature() == GOLDEN.read_text()


def test_a_case_repeats() -> None:
    assert run(CASES[0]) == run(CASES[0])


def test_speeds_are_positive() -> None:
    assert all(speed > 0 for speed in speeds().values())


def _signature() -> str:
    return "".join(f"{family}\n" + "".join(f"  {line}\n" for line in said) for family, said in signature().items())


if __name__ == "__main__":
    GOLDEN.write_text(_signature())
