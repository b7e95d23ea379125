"""Dots and Boxes 5x5 by the kernel and by OpenSpiel, in turn in one run: `python -m benchmarks.dots`.

Random play-outs (OpenSpiel's driven from Python, move by move) and iterations of UCT with one random play-out each
(OpenSpiel's MCTSBot is C++ throughout), both from the empty board. Also whether the kernel plays the same random games
as the Python rules; the run fails if not. Results go to benchmarks/results/dots.json. One core.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from kletka.engines import kernels, machine
from kletka.engines.playouts import playouts
from kletka.games import game
from kletka.games.dots import Dots

RESULTS = Path(__file__).resolve().parent / "results" / "dots.json"
SPEC = "dots"
THEIRS = "dots_and_boxes(num_rows=5,num_cols=5)"
SEED = 1
SAME = 300
REPEATS = 5
GAMES = 300_000
THEIR_GAMES = 2_000
ITERATIONS = 200_000
THEIR_ITERATIONS = 10_000


def main() -> None:
    import pyspiel

    rules = game(SPEC)
    assert isinstance(rules, Dots)
    kernel = kernels.dots(rules)
    empty = kernels.lines_text(rules.start())
    by_rules = playouts(rules.start(), SEED, SAME)
    if kernel.playouts(empty, SEED, SAME) != tuple(by_rules):
        raise SystemExit("the kernel plays other games than the rules")

    theirs = pyspiel.load_game(THEIRS)
    speeds: dict[str, list[float]] = {"playouts": [], "their_playouts": [], "uct": [], "their_uct": []}
    for number in range(REPEATS):
        speeds["their_playouts"].append(THEIR_GAMES / _random_games(theirs, number))
        began = perf_counter()
        kernel.playouts(empty, SEED + number, GAMES)
        speeds["playouts"].append(GAMES / (perf_counter() - began))
        speeds["their_uct"].append(THEIR_ITERATIONS / _mcts(pyspiel, theirs, number))
        began = perf_counter()
        # Every iteration goes through all lines, in the tree or in the play-out.
        kernel.uct(empty, ITERATIONS * len(rules.lines), SEED + number)
        speeds["uct"].append(ITERATIONS / (perf_counter() - began))
    result = {
        "command": "python -m benchmarks.dots",
        "machine": machine(),
        "spec": SPEC,
        "openspiel": THEIRS,
        "seed": SEED,
        "checksum_of_the_first": {"games": SAME, "checksum": f"{by_rules.checksum:016x}"},
        "kernel_playouts_per_second": round(median(speeds["playouts"])),
        "openspiel_playouts_per_second": round(median(speeds["their_playouts"])),
        "ratio_of_playouts": round(_ratio(speeds["playouts"], speeds["their_playouts"]), 1),
        "kernel_uct_iterations_per_second": round(median(speeds["uct"])),
        "openspiel_uct_simulations_per_second": round(median(speeds["their_uct"])),
        "ratio_of_uct": round(_ratio(speeds["uct"], speeds["their_uct"]), 1),
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


def _ratio(ours: list[float], others: list[float]) -> float:
    """The median over pairs measured one after the other, so that a busy moment slows both sides."""
    return median(mine / theirs for mine, theirs in zip(ours, others, strict=True))


def _random_games(theirs: Any, seed: int) -> float:
    rng = Random(seed)
    began = perf_counter()
    for _ in range(THEIR_GAMES):
        state = theirs.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return perf_counter() - began


def _mcts(pyspiel: Any, theirs: Any, seed: int) -> float:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(theirs, evaluator, 2.0, THEIR_ITERATIONS, 1_000, False, seed, False)
    state = theirs.new_initial_state()
    began = perf_counter()
    bot.step(state)
    return perf_counter() - began


if __name__ == "__main__":
    main()
