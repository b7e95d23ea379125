"""Measure that level k + 2 beats level k: `python benchmarks/levels.py`.

Plays 200 games for each k and game, with paired random openings of 4 plies and seats exchanged, and writes each
finished match to docs/engines/levels.json at once. A second run goes on where the first one ended; `--again` begins
anew. Specs as arguments leave all others as they are.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from kletka.engines import MatchResult, Player, level, machine, play_match
from kletka.engines.dots import Chains, KernelDots
from kletka.engines.forced import Careful
from kletka.engines.kernel_uct import KernelUct
from kletka.engines.tictactoe import KernelAlphaBeta
from kletka.games import State, game
from kletka.games.dots import Lines
from kletka.games.tictactoe import Marks
from kletka.games.ultimate import Boards

RESULTS = Path(__file__).resolve().parent.parent / "docs" / "engines" / "levels.json"
SPECS = (
    "tictactoe:shape=4x4x4",
    "tictactoe:shape=15x15,line=5",
    "ultimate",
    "dots",
    "dots:lattice=triangles,size=5",
)
TIMED = (
    *SPECS,
    "dots:size=16x16",
    "dots:size=16x16,misere=true,players=4",
    "dots:size=6x6,players=3",
    "dots:misere=true",
    "dots:lattice=triangles,size=8",
    "ultimate:won_boards=open,no_line=count",
    "ultimate:misere=true",
    "tictactoe:shape=15x15,line=5,marks=wild",
    "tictactoe:shape=15x15,line=5,exact=true",
    "tictactoe:misere=true,marks=crosses,boards=3",
    "tictactoe:shape=4x4x4,claim=true",
)
"""Where the top level's time is measured: also with the options that take longest."""
GAMES = 200
OPENING = 4
SEED = 7
WANTED = 0.6


def described(player: Player) -> dict[str, Any]:
    """A level as plain data: a checkpoint counts only for the same."""
    engine = player.engine.engine if isinstance(player.engine, Careful) else player.engine
    seen: dict[str, Any] = {}
    if isinstance(engine, KernelAlphaBeta):
        seen = asdict(engine.sight)
    elif isinstance(engine, Chains | KernelDots):
        seen = asdict(engine)
    elif isinstance(engine, KernelUct):
        seen = {"exploration": engine.exploration, "keen": engine.keen, "careful": engine is not player.engine}
    return {"engine": engine.name, "nodes": player.limit.nodes, **seen}


def marks(state: State) -> int:
    """How many moves were made."""
    if isinstance(state, Lines):
        return state.drawn.bit_count() - state.game.board.border.bit_count()
    assert isinstance(state, Marks | Boards)
    return sum(mask.bit_count() for mask in state.marks)


def measure(spec: str, weaker: int) -> dict[str, Any]:
    """Play one match and describe it."""
    rules = game(spec)
    strong, weak = level(rules, weaker + 2), level(rules, weaker)
    began = process_time()
    moves = 0

    def count(number: int, end: State, result: MatchResult) -> None:
        nonlocal moves
        moves += marks(end)

    result = play_match(rules, strong, weak, GAMES, SEED, opening=OPENING, watch=count)
    low, high = result.interval
    return {
        "spec": spec,
        "levels": [weaker + 2, weaker],
        "players": [described(strong), described(weak)],
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": round(result.score, 4),
        "interval": [round(low, 4), round(high, 4)],
        "seed": SEED,
        "opening": OPENING,
        "cpu_seconds": round(process_time() - began, 1),
        "moves": moves,
    }


def timed(spec: str) -> dict[str, Any]:
    """Seconds of processor a move of the top level against itself, over four games (one where no match is played)."""
    rules = game(spec)
    player = level(rules, 8)
    seconds = []
    for number in range(4 if spec in SPECS else 1):
        rng = Random(f"{SEED}/time/{number}")
        state = rules.start()
        while state.to_move is not None:
            if rng.random() < 1 / 8:
                state = state.play(state.sample(rng))
                continue
            began = process_time()
            move = player.choose(state, rng).move
            seconds.append(process_time() - began)
            state = state.play(move)
    return {
        "spec": spec,
        "level": 8,
        "moves": len(seconds),
        "median_seconds": round(median(seconds), 3),
        "longest_seconds": round(max(seconds), 3),
    }


def current(entry: dict[str, Any]) -> bool:
    """Whether a checkpoint is of the present levels and settings."""
    rules = game(entry["spec"])
    players = [described(level(rules, number)) for number in entry["levels"]]
    return (entry["players"], entry["games"], entry["seed"], entry["opening"]) == (
        players,
        GAMES,
        SEED,
        OPENING,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="play all matches, those already written too")
    parser.add_argument("--times", action="store_true", help="measure times only")
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="measure these only, and keep all else")
    asked = parser.parse_args()
    specs = asked.specs or SPECS
    timing = asked.specs or TIMED
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"matches": [], "times": []}
    times = {entry["spec"]: entry for entry in known["times"] if entry["spec"] not in timing}
    done = {
        (entry["spec"], entry["levels"][1]): entry
        for entry in known["matches"]
        if entry["spec"] not in specs or (current(entry) and not asked.again)
    }
    for spec in () if asked.times else specs:
        for weaker in range(1, 7):
            entry = done.get((spec, weaker)) or measure(spec, weaker)
            done[spec, weaker] = entry
            write(done, times)
            verdict = "" if entry["score"] >= WANTED else "  BELOW 60 %"
            print(
                f"{spec}: {weaker + 2} against {weaker}: "
                f"+{entry['wins']} ={entry['draws']} -{entry['losses']}, "
                f"{entry['score']:.1%} [{entry['interval'][0]:.1%}, {entry['interval'][1]:.1%}], "
                f"{entry['cpu_seconds']} s{verdict}",
                flush=True,
            )
    for spec in timing:
        times[spec] = timed(spec)
        write(done, times)
    for entry in times.values():
        print(f"{entry['spec']}: level 8, {entry['median_seconds']} s, at most {entry['longest_seconds']} s")


def write(done: dict[tuple[str, int], dict[str, Any]], times: dict[str, dict[str, Any]]) -> None:
    """Write down what has been measured so far."""
    kept = {
        "command": "python benchmarks/levels.py",
        "machine": machine(),
        "matches": [done[key] for key in sorted(done, key=lambda key: (SPECS.index(key[0]), key[1]))],
        "times": [times[spec] for spec in TIMED if spec in times],
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
