"""Random play-outs of 4x4x4 by the kernel and by the Python rules: `python benchmarks/playouts.py`.

Both play the same games from the same seed; the run fails if the checksums differ. Speeds go to
benchmarks/results/playouts.json. One core.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from time import perf_counter

from kletka.engines import kernels, machine
from kletka.engines.playouts import playouts
from kletka.games import game
from kletka.games.tictactoe import TicTacToe

RESULTS = Path(__file__).resolve().parent / "results" / "playouts.json"
SPEC = "tictactoe:shape=4x4x4"
SEED = 1
SAME = 2_000
MANY = 3_000_000
REPEATS = 5


def main() -> None:
    rules = game(SPEC)
    assert isinstance(rules, TicTacToe)
    kernel = kernels.tictactoe(rules)
    empty = "." * rules.cells

    slow = []
    for _ in range(REPEATS):
        began = perf_counter()
        by_rules = playouts(rules.start(), SEED, SAME)
        slow.append(SAME / (perf_counter() - began))
    by_kernel = kernel.playouts(empty, SEED, SAME)
    if tuple(by_rules) != by_kernel:
        raise SystemExit(f"the kernel plays other games: {by_kernel} by the kernel, {tuple(by_rules)} by the rules")

    fast = []
    for _ in range(REPEATS):
        began = perf_counter()
        kernel.playouts(empty, SEED, MANY)
        fast.append(MANY / (perf_counter() - began))
    result = {
        "command": "python benchmarks/playouts.py",
        "machine": machine(),
        "spec": SPEC,
        "seed": SEED,
        "checksum_of_the_first": {"games": SAME, "checksum": f"{by_rules.checksum:016x}"},
        "kernel_playouts_per_second": round(median(fast)),
        "python_playouts_per_second": round(median(slow)),
        "ratio": round(median(fast) / median(slow), 1),
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n")
    print(f"kernel {median(fast):,.0f}/s, Python rules {median(slow):,.0f}/s, ratio {result['ratio']}")
    print(f"the same {SAME} games by both, checksum {by_rules.checksum:016x}")


if __name__ == "__main__":
    main()
