"""Crystals: all maximal crystals, moves, exact values, matches: `python -m benchmarks.crystals`.

All in one run on one core, in processor time; results go to docs/results/crystals.md. `--games N` plays N games a
match. `--five` solves 5x5 too, which takes half a minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from statistics import median
from time import process_time

from kletka.engines import Engine, Limit, Player, engine, kernels, level, machine, play_match
from kletka.engines.crystals import GREEDY, Grower
from kletka.games import State, game
from kletka.games.crystals import Crystals, Sheet, members
from kletka.version import commit
from tests.conftest import ROOT

RESULTS = ROOT / "docs" / "results" / "crystals.md"
SEED = 7
TIMES = 2_000
OPENING = 2
WITHOUT_LIMIT = Limit(nodes=1 << 40)
LARGE = (
    "crystals:board=ring40,players=6",
    "crystals:board=40x40,players=6",
    "crystals:board=40x40,players=6,axes=2",
    "crystals:board=40x40,players=6,axes=2,interlock=allowed",
    "crystals:board=40x40,players=4,interlock=allowed,fill=full",
    "crystals:board=40x40,players=6,axes=2,interlock=allowed,fill=full,claims=any",
)
LEVELS_ON = ("crystals:board=11x11", "crystals:board=13x13")


def crystals(spec: str) -> Crystals:
    """The game. Raises AssertionError for other families."""
    made = game(spec)
    assert isinstance(made, Crystals)
    return made


def scattered(spec: str, atoms: int) -> Sheet:
    """A position after so many random atoms, with nothing grown."""
    rng = Random(f"{SEED}/{atoms}")
    state = crystals(spec).start()
    for _ in range(atoms):
        state = state.play(state.game.move(rng.choice(list(members(state.free))), ()))
    return state


def listing() -> Iterator[str]:
    """How long all maximal crystals of a seat take on 21x21."""
    for atoms in (0, 10, 40, 100):
        state = scattered("crystals", atoms)
        kernel, text = kernels.crystals(state.game), kernels.crystals_text(state)
        began = process_time()
        kernel.survey(text, 0, TIMES)
        fast = (process_time() - began) / TIMES
        began = process_time()
        for _ in range(TIMES // 100):
            state.maximal(0)
        slow = (process_time() - began) / (TIMES // 100)
        yield (
            f"| all maximal crystals on 21x21, {atoms} atoms | {fast * 1e6:.1f} µs by the kernel, {slow * 1e3:.2f} ms "
            f"by the rules: {slow / fast:.0f} times |"
        )
    for spec, atoms in (("crystals:interlock=allowed", 8), ("crystals:interlock=allowed", 20)):
        state = scattered(spec, atoms)
        text = kernels.crystals_text(state)
        began = process_time()
        found = kernels.crystals(state.game).maximal(text, 0)
        took = process_time() - began
        cheap = kernels.crystals(state.game).maximal(text, 0, 0)
        cut = sum(not exact for *_, exact in cheap)
        assert all(exact for *_, exact in found)
        yield (
            f"| the same where boundaries may interlock, exactly, {atoms} atoms | {took * 1e3:.0f} ms, "
            f"{cut} centres with holes to cut open |"
        )


def moves(player: Player, spec: str, most: int) -> str:
    """Median and longest time of a player's moves in a game against itself, in milliseconds."""
    state: State = crystals(spec).start()
    rng = Random(SEED)
    times: list[float] = []
    while state.to_move is not None and len(times) < most:
        began = process_time()
        choice = player.choose(state, rng)
        if choice.move == "pass":
            break
        times.append(process_time() - began)
        state = state.play(choice.move)
    return f"{median(times) * 1e3:.1f} | {max(times) * 1e3:.1f} | {len(times)}"


def exact(board: str) -> str:
    """What a board is worth with best play."""
    state = crystals(f"crystals:board={board}").start()
    kernel, text = kernels.crystals(state.game), kernels.crystals_text(state)
    began = process_time()
    _, _, net, nodes, known = kernel.exact(text, 1 << 30, bits=22)
    assert known
    return f"| {board} | {net} | {nodes:,} | {process_time() - began:.2f} s |"


def match(spec: str, first: tuple[str, Player], second: tuple[str, Player], games: int) -> str:
    """A match with random openings and seats exchanged."""
    result = play_match(crystals(spec), first[1], second[1], games, SEED, opening=OPENING)
    low, high = result.interval
    return (
        f"| `{spec}` | {first[0]} against {second[0]} | {result.wins} | {result.draws} | {result.losses} | "
        f"{result.score:.1%} | {low:.1%} to {high:.1%} |"
    )


def unlimited(made: Engine) -> Player:
    """A player whom only its own settings limit."""
    return Player(made, WITHOUT_LIMIT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games a pair of levels, an even number")
    parser.add_argument("--five", action="store_true", help="solve 5x5 too")
    asked = parser.parse_args()
    two, greedy = unlimited(Grower(plies=2)), unlimited(GREEDY)
    options = f" --games {asked.games}" + (" --five" if asked.five else "")
    said = [
        "# Crystals: numbers",
        "",
        f"`python -m benchmarks.crystals{options}`, commit {commit()}, seed {SEED}, {machine()}.",
        "One core, processor time.",
        "",
        "| what | number |",
        "| --- | --- |",
        *listing(),
        "",
        "Moves in games against itself (level 8 against itself, and so on):",
        "",
        "| who | game | median, ms | longest, ms | moves |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, player in (("one ply", greedy), ("two plies", two)):
        said.append(f"| {name} | `crystals` | {moves(player, 'crystals', 400)} |")
    for number in (5, 8):
        for spec in ("crystals", "crystals:axes=2", *LARGE):
            said.append(f"| level {number} | `{spec}` | {moves(level(crystals(spec), number), spec, 20)} |")
    said += [
        "",
        "Squares that the first seat grows more than the second when both play perfectly:",
        "",
        "| board | squares | nodes | time |",
        "| --- | --- | --- | --- |",
        *(exact(board) for board in ("3x3", "3x5", "4x4", "4x5", *(["5x5"] if asked.five else []))),
        "",
        f"Matches: {OPENING} random moves first, two games a pair with the seats exchanged:",
        "",
        "| game | players | won | drawn | lost | score | interval of 95 % |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    thirteen = LEVELS_ON[-1]
    said.append(match(thirteen, ("one ply", greedy), ("random", unlimited(engine("random"))), 200))
    said.append(match(thirteen, ("two plies", two), ("one ply", greedy), 1_000))
    said.append(match(thirteen, ("three plies", unlimited(Grower())), ("one ply", greedy), asked.games))
    for spec in LEVELS_ON:
        for weaker in range(1, 7):
            strong, weak = ((f"level {number}", level(crystals(spec), number)) for number in (weaker + 2, weaker))
            said.append(match(spec, strong, weak, asked.games))
            print(said[-1], flush=True)
            RESULTS.write_text("\n".join(said) + "\n", "utf-8")
    print(RESULTS.read_text("utf-8"))


if __name__ == "__main__":
    main()
