"""Ultimate tic-tac-toe by the kernel and by OpenSpiel, in turns on one core: `python benchmarks/ultimate.py`.

Play-outs: random games by the kernel against OpenSpiel's driven from Python. Iterations of UCT with random play-outs
from empty boards, 10,000 at a time, against OpenSpiel's MCTSBot in C++ with one roll-out each. Each is measured several
times in turns and the best counts, since other work on the machine only ever slows. Perft to depth 9, the last two
moves counted without being played. The Python rules play the same first games from the same seed; the run fails if the
checksums differ. Results go to benchmarks/results/ultimate.json.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

import pyspiel

from kletka.engines import kernels, machine
from kletka.engines.playouts import playouts
from kletka.games import game

RESULTS = Path(__file__).resolve().parent / "results" / "ultimate.json"
SPEC = "ultimate"
SEED = 1
SAME = 500
REPEATS = 7
MANY = 400_000
SPIEL_GAMES = 2_000
ITERATIONS = 10_000
DEPTH = 9


def spiel_games(rules: pyspiel.Game, count: int) -> None:
    """Random games of OpenSpiel, a move at a time."""
    rng = Random(SEED)
    for _ in range(count):
        state = rules.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))


def rate(count: int, work: Callable[[], object]) -> float:
    """How many a second of processor time."""
    began = process_time()
    work()
    return count / (process_time() - began)


def main() -> None:
    start = game(SPEC).start()
    kernel = kernels.kernel_of(start.game)
    empty = kernels.text_of(start)
    by_rules = playouts(start, SEED, SAME)
    by_kernel = kernel.playouts(empty, SEED, SAME)
    if by_kernel != by_rules:
        raise SystemExit(f"the kernel plays other games: {by_kernel} by the kernel, {tuple(by_rules)} by the rules")

    # Nodes are positions visited; the nodes that make just 10,000 iterations, found once.
    low, high = ITERATIONS, 200 * ITERATIONS
    while low < high:
        middle = (low + high) // 2
        tree = kernels.new_tree(start.game)
        kernel.uct(empty, middle, SEED, tree=tree)
        low, high = (middle + 1, high) if tree.visits < ITERATIONS else (low, middle)
    nodes = low

    spiel = pyspiel.load_game("ultimate_tic_tac_toe")
    root = spiel.new_initial_state()
    bot = pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, SEED), 2.0, ITERATIONS, 1_000, False, SEED, False)
    best: dict[str, float] = {}
    for _ in range(REPEATS):
        for name, speed in (
            ("kernel_playouts", rate(MANY, lambda: kernel.playouts(empty, SEED, MANY))),
            ("openspiel_playouts", rate(SPIEL_GAMES, lambda: spiel_games(spiel, SPIEL_GAMES))),
            ("kernel_iterations", rate(10 * ITERATIONS, lambda: [kernel.uct(empty, nodes, SEED) for _ in range(10)])),
            ("openspiel_iterations", rate(ITERATIONS, lambda: bot.mcts_search(root))),
        ):
            best[name] = max(best.get(name, 0.0), speed)
    leaves = kernel.perft(empty, DEPTH)
    perft = max(rate(leaves, lambda: kernel.perft(empty, DEPTH)) for _ in range(3))
    result = {
        "command": "python benchmarks/ultimate.py",
        "machine": machine(),
        "spec": SPEC,
        "seed": SEED,
        "checksum_of_the_first": {"games": SAME, "checksum": f"{by_rules.checksum:016x}"},
        "per_second": {name: round(speed) for name, speed in best.items()},
        "ratio_of_playouts": round(best["kernel_playouts"] / best["openspiel_playouts"], 1),
        "ratio_of_iterations": round(best["kernel_iterations"] / best["openspiel_iterations"], 1),
        "perft": {"depth": DEPTH, "leaves": leaves, "leaves_per_second": round(perft)},
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
