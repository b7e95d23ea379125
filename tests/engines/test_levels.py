"""What levels promise: no win and no block in one overlooked from 3 on, perfection on the classic board."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from kletka.engines import LEVELS, Limit, level, names, table
from kletka.engines.forced import Careful
from kletka.engines.tictactoe import KernelAlphaBeta
from kletka.games import Game, State, game, presets
from kletka.games.crystals import Sheet
from kletka.games.tictactoe import Marks
from tests.engines import twins

SPECS = [preset.spec for family, preset in presets() if isinstance(game(preset.spec).start(), Marks)]
SPECS.remove("tictactoe:shape=4x4x4,claim=true")
"""Games in which a line wins for the seat whose sign it is; tests/engines/test_ways.py has the others."""


def positions(spec: str, count: int) -> list[State]:
    """Positions within random games, late enough that many have something to win or to block."""
    cells = len(game(spec).actions or ())
    rng = Random(spec)
    return [twins.after_random(spec, rng.randint(3, max(4, cells * 2 // 5)), f"{spec}/{i}") for i in range(count)]


@pytest.mark.parametrize("spec", [*SPECS, "tictactoe:shape=8x8,line=4", "tictactoe:shape=15x15,line=5,gravity=true"])
def test_no_win_in_one_and_no_block_in_one_is_overlooked(spec: str) -> None:
    won = blocked = 0
    for i, state in enumerate(positions(spec, 300)):
        wins = twins.wins(state)
        number = 3 + i % 6
        # Finding all blocks from the rules takes long on wide boards. Without gravity there is nothing
        # to block unless the other seat threatens after any two moves.
        falls = "gravity" in spec and len(state.game.actions or ()) <= 64
        threatened = not wins and (falls or all(twins.wins(state.play(move)) for move in state.moves()[:2]))
        blocks = twins.blocks(state) if threatened else set()
        if wins or blocks:
            move = level(state.game, number).choose(state, Random(i)).move
            assert move in (wins or blocks), (number, state)
        won += bool(wins)
        blocked += bool(blocks)
    assert won >= 5
    assert blocked >= 5


SOME_ATOMS = 60
"""Games on large sheets of Crystals take long; test_crystals.py plays others to their end."""


@pytest.mark.parametrize("spec", [preset.spec for _, preset in presets()])
def test_every_level_plays_legal_moves_to_the_end(spec: str) -> None:
    rules = game(spec)
    for number in LEVELS[:6]:
        rng = Random(number)
        state = rules.start(rules.deal(rng))
        while state.to_move is not None:
            if isinstance(state, Sheet) and len(state.order) >= SOME_ATOMS:
                break
            view = state.seen_by(state.to_move)
            state = state.play(level(rules, number).choose(view, rng).move)


EVERY_OPTION = (
    "tictactoe:shape=3x4,line=3,misere=true",
    "tictactoe:shape=3x3x3,gravity=true,misere=true",
    "tictactoe:shape=5x5,line=4,exact=true",
    "tictactoe:shape=3x3x3,gravity=true,marks=wild",
    "tictactoe:shape=4x4,line=3,marks=wild,misere=true,exact=true",
    "tictactoe:shape=4x3,line=3,marks=crosses",
    "tictactoe:marks=crosses,boards=2",
    "tictactoe:misere=true,marks=crosses,boards=4",
    "tictactoe:shape=4x4,line=3,gravity=true,claim=true",
    "ultimate:no_line=count,misere=true",
    "ultimate:won_boards=open,misere=true",
    "ultimate:won_boards=open,no_line=count",
    "ultimate:won_boards=open,no_line=count,misere=true",
    "dots:size=1x1",
    "dots:size=1x5,border=icelandic",
    "dots:size=3x3,border=closed,misere=true",
    "dots:size=3x2,border=icelandic,misere=true,players=3",
    "dots:size=3x3,players=4",
    "dots:size=2x3,misere=true,players=4",
    "dots:size=9x8,players=3",
    "dots:lattice=triangles,size=3,border=closed,misere=true,players=4",
    "dots:lattice=triangles,size=4,players=3",
    "dots:lattice=strip,size=1,border=closed",
    "dots:lattice=strip,size=5,misere=true",
    "dots:lattice=strip,size=6,border=closed,players=3",
    "orapa:diamond=true,lives=1",
    "orapa:players=5,lives=9,whites=free",
    "orapa:blackbody=true,players=3,whites=no_common_axis",
    "orapa:diamond=true,blackbody=true,players=2,answer=bounces",
    "orapa:mode=duel,whites=free,answer=bounces",
    "orapa:mode=duel,diamond=true,blackbody=true,whites=no_common_axis",
)
"""Every value of every option, and counts of seats, on boards that take little time."""


@pytest.mark.parametrize("number", LEVELS)
@pytest.mark.parametrize("spec", EVERY_OPTION)
def test_every_level_plays_every_option(spec: str, number: int) -> None:
    rules = game(spec)
    rng = Random(f"{spec}/{number}")
    state = rules.start(rules.deal(rng))
    for _ in range(rng.randrange(6)):
        after = state.play(state.sample(rng))
        state = state if after.to_move is None else after
    for seat in (None, rng.randrange(rules.seats)):
        if seat is not None and rules.seats > 2:
            state = state.without(seat)
        if state.to_move is None:
            return
        choice = level(rules, number).choose(state.seen_by(state.to_move), rng)
        assert state.refuses(choice.move) == ()
        state = state.play(choice.move)


def test_the_top_level_never_loses_the_classic_game() -> None:
    for spec in ("tictactoe", "tictactoe:misere=true"):
        for seat in (0, 1):
            top = level(game(spec), 8)
            waiting: list[State] = [game(spec).start()]
            while waiting:
                state = waiting.pop()
                if state.outcome is not None:
                    assert seat in state.outcome.winners
                elif state.to_move == seat:
                    waiting.append(state.play(top.choose(state, Random(1)).move))
                else:
                    waiting += [state.play(move) for move in state.moves()]


@pytest.mark.parametrize("spec", ["tictactoe", "ultimate"])
@pytest.mark.parametrize("kernels", [True, False])
def test_nodes_of_a_level_are_below_about_a_third_of_the_next(
    monkeypatch: pytest.MonkeyPatch, kernels: bool, spec: str
) -> None:
    if not kernels:
        monkeypatch.setenv("KLETKA_KERNELS", "0")
    nodes = [level(game(spec), number).limit.nodes or 0 for number in LEVELS]
    assert all(fewer <= 0.36 * more for fewer, more in pairwise(nodes))


def test_without_kernels_the_rules_themselves_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "kernel-alphabeta" in names()
    monkeypatch.setenv("KLETKA_KERNELS", "0")
    assert names() == ("random", "alphabeta", "uct", "chains", "sampled", "echoes", "facets")
    with pytest.raises(ValueError, match="no engine"):
        table.engine("kernel-uct")
    player = level(game("tictactoe"), 8)
    assert isinstance(player.engine, Careful)
    assert player.engine.name == "uct"
    state = game("tictactoe").start()
    assert not state.refuses(player.choose(state, Random(1)).move)


@pytest.mark.parametrize("number", [0, 9, -1])
def test_there_are_eight_levels(number: int) -> None:
    with pytest.raises(ValueError, match="level"):
        level(game("tictactoe"), number)


def test_no_engine_moves_after_the_end() -> None:
    over: State = game("tictactoe").start().without(0)
    for name in names():
        with pytest.raises(ValueError, match="over"):
            table.engine(name).choose(over, Limit(nodes=10), Random(1))
    for number in LEVELS:
        with pytest.raises(ValueError, match="over"):
            level(over.game, number).choose(over, Random(1))


def test_a_family_of_another_package_brings_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from kletka.games import family_of

    listed = tuple(("random" if number < 4 else "alphabeta", 3**number) for number in LEVELS)
    module = SimpleNamespace(FAMILY=family_of(game("tictactoe")), ENGINES=listed)
    monkeypatch.setattr(table, "plugins", lambda: {"other": module})
    monkeypatch.setenv("KLETKA_KERNELS", "0")
    rules: Game = game("tictactoe")
    assert level(rules, 2).engine.name == "random"
    assert level(rules, 8).engine.name == "alphabeta"
    assert level(rules, 8).limit.nodes == 3**8


def test_the_documented_table_is_the_one_in_use() -> None:
    text = (Path(__file__).parents[2] / "docs" / "engines.md").read_text()
    rows = [line.strip("| ").replace(",", "").split(" | ") for line in text.splitlines() if line[:4] in LEVEL_ROWS]
    assert [row[0] for row in rows] == [str(number) for number in LEVELS]
    for row in rows:
        number = int(row[0])
        small, wide = (level(game(spec), number) for spec in ("tictactoe", "tictactoe:shape=15x15,line=5"))
        assert isinstance(small.engine, KernelAlphaBeta)
        assert small.engine == wide.engine
        sight = small.engine.sight
        assert [str(small.limit.nodes), str(wide.limit.nodes)] == row[1:3]
        assert ("any" if sight.depth == 600 else str(sight.depth)) == row[3]
        assert [str(sight.threats or "–"), str(sight.noise or "–")] == row[4:]


LEVEL_ROWS = {f"| {number} " for number in LEVELS}
