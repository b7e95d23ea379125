"""Orapa Mine: waves, questions of level 8, level k + 2 against level k: `python -m benchmarks.orapa`.

All in one run on one core; results go to docs/results/orapa.md. `--games N` plays N games a pair of levels (0: none).
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random
from statistics import mean, median
from time import perf_counter

from kletka.engines import kernels, level, machine, play_match
from kletka.games import State, game
from kletka.games.orapa import Hunt, Orapa
from kletka.games.orapa.gems import PORTS, placements
from kletka.games.orapa.mine import wave
from kletka.version import commit
from tests.conftest import ROOT

RESULTS = ROOT / "docs" / "results" / "orapa.md"
SEED = 7
MINES = 20_000
TIMES = 50
BY_RULES = 500
HUNTS = (
    ("orapa:whites=free", 200),
    ("orapa:answer=bounces", 30),
    ("orapa:diamond=true", 30),
    ("orapa:diamond=true,blackbody=true", 30),
)
"""Solo games of level 8, and how many of each."""
MATCHES = ("orapa:players=2", "orapa:mode=duel")


def orapa(spec: str) -> Orapa:
    """The game. Raises AssertionError for other families."""
    made = game(spec)
    assert isinstance(made, Orapa)
    return made


def waves() -> list[str]:
    """How long all 36 waves of a mine take."""
    kernel = kernels.orapa(orapa("orapa"))
    mines = kernel.random(SEED, MINES)
    began = perf_counter()
    kernel.checksum(mines, TIMES)
    fast = (perf_counter() - began) / (MINES * TIMES)
    laid = [tuple(placements(gem)[n] for gem, n in zip("RYBWS", mine, strict=True)) for mine in mines[:BY_RULES]]
    began = perf_counter()
    for mine in laid:
        for port in range(len(PORTS)):
            wave(mine, port)
    slow = (perf_counter() - began) / BY_RULES
    return [
        f"| all 36 waves of a mine | {fast * 1e6:.2f} µs by the kernel, {slow * 1e6:.0f} µs by the rules: "
        f"{slow / fast:.0f} times |"
    ]


def hunts(spec: str, games: int) -> str:
    """Level 8 alone: questions until it answers, and how long it thinks."""
    made = orapa(spec)
    player = level(made, 8)
    asked, wrong, seconds = [], 0, []
    for number in range(games):
        rng = Random(f"{SEED}/{number}")
        state: State = made.start(made.deal(rng))
        while state.to_move is not None:
            began = perf_counter()
            move = player.choose(state.seen_by(0), rng).move
            seconds.append(perf_counter() - began)
            state = state.play(move)
        assert isinstance(state, Hunt)
        asked.append(len(state.logs[0]))
        wrong += len(state.tried[0]) - len(state.right)
    spread = ", ".join(f"{count} with {number}" for number, count in sorted(Counter(asked).items()))
    return (
        f"| `{spec}` | {games} | {mean(asked):.2f} ({spread}) | {wrong} | "
        f"{median(seconds):.3f} s | {max(seconds):.2f} s |"
    )


def match(spec: str, weaker: int, games: int) -> str:
    """Level k + 2 against level k; in the mode `turns` the stronger sits first and second in turns."""
    made = orapa(spec)
    result = play_match(made, level(made, weaker + 2), level(made, weaker), games, SEED)
    low, high = result.interval
    return (
        f"| `{spec}` | {weaker + 2} against {weaker} | {result.wins} | {result.draws} | {result.losses} | "
        f"{result.score:.1%} | {low:.1%} to {high:.1%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games a pair of levels, an even number")
    games = parser.parse_args().games
    said = [
        "# Orapa Mine: numbers",
        "",
        f"`python -m benchmarks.orapa --games {games}`, commit {commit()}, seed {SEED}, {machine()}.",
        "",
        "| what | number |",
        "| --- | --- |",
        *waves(),
        *(
            f"| legal mines, `whites={whites}` | {kernels.orapa(orapa(f'orapa:whites={whites}')).count()[0]:,} |"
            for whites in ("not_centred", "free", "no_common_axis")
        ),
        "",
        "Level 8 alone, until it has proven the mine and answers:",
        "",
        "| game | games | questions | wrong answers | a move, median | longest |",
        "| --- | --- | --- | --- | --- | --- |",
        *(hunts(spec, count) for spec, count in HUNTS),
    ]
    RESULTS.write_text("\n".join(said) + "\n", "utf-8")
    if games:
        said += [
            "",
            "Level k + 2 against level k, two games a pair with the seats exchanged; drawn: both won, or neither:",
            "",
            "| game | levels | won | drawn | lost | score | interval of 95 % |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
    for spec in MATCHES if games else ():
        for weaker in range(1, 7):
            said.append(match(spec, weaker, games))
            print(said[-1], flush=True)
            RESULTS.write_text("\n".join(said) + "\n", "utf-8")
    print(RESULTS.read_text("utf-8"))


if __name__ == "__main__":
    main()
