"""Engines of the many ways to play tic-tac-toe: right where they say so, careful, sensible about unnoticed lines."""

from __future__ import annotations

from random import Random

import pytest

from kletka.engines import LEVELS, Limit, engine, kernels, level
from kletka.engines.tictactoe import KernelAlphaBeta, Sight
from kletka.games import State, game, perft
from kletka.games.tictactoe import SharedTicTacToe, Signs
from tests.engines import twins

SHARED = [
    ("tictactoe:marks=wild", 0, 4, 4),
    ("tictactoe:misere=true,marks=wild", 1, 4, 4),
    ("tictactoe:gravity=true,marks=wild", 0, 4, 5),
    ("tictactoe:shape=4x3,line=3,gravity=true,misere=true,marks=wild", 4, 8, 4),
    ("tictactoe:shape=1x7,line=3,marks=wild,exact=true", 0, 3, 4),
    ("tictactoe:shape=4x2,line=3,gravity=true,marks=wild,exact=true", 0, 5, 5),
    ("tictactoe:shape=2x5,line=2,misere=true,marks=wild,exact=true", 4, 7, 3),
    ("tictactoe:shape=2x2x2,misere=true,marks=wild", 0, 1, 3),
    ("tictactoe:shape=3x3,line=1,marks=wild", 0, 0, 2),
    ("tictactoe:marks=crosses", 0, 3, 5),
    ("tictactoe:misere=true,marks=crosses", 0, 4, 7),
    ("tictactoe:shape=4x4,line=3,misere=true,marks=crosses", 3, 6, 4),
    ("tictactoe:shape=4x4,line=3,marks=crosses,exact=true", 3, 6, 4),
    ("tictactoe:shape=2x2x3,line=3,marks=crosses", 2, 5, 4),
    ("tictactoe:misere=true,marks=crosses,boards=2", 5, 9, 3),
    ("tictactoe:marks=crosses,boards=2", 5, 9, 3),
    ("tictactoe:shape=3x2,line=2,misere=true,gravity=true,marks=crosses,boards=3", 1, 4, 7),
    ("tictactoe:shape=2x3,line=2,marks=crosses,boards=4", 5, 8, 3),
    ("tictactoe:shape=5x5,line=2,misere=true,marks=crosses,boards=2", 1, 2, 2),
]


def kernel(spec: str) -> kernels.SharedTicTacToeKernel:
    rules = game(spec)
    assert isinstance(rules, SharedTicTacToe)
    return kernels.shared(rules)


def within(spec: str, fewest: int, most: int, count: int) -> list[State]:
    """Positions within random games."""
    rng = Random(spec)
    found: list[State] = []
    while len(found) < count:
        state = game(spec).start()
        for _ in range(rng.randint(fewest, most)):
            if state.to_move is not None:
                state = state.play(state.sample(rng))
        if state.to_move is not None:
            found.append(state)
    return found


@pytest.mark.parametrize(("spec", "fewest", "most", "depth"), SHARED)
def test_the_kernel_plays_by_the_rules(spec: str, fewest: int, most: int, depth: int) -> None:
    state = game(spec).start()
    for ply in range(depth + 1):
        assert kernel(spec).perft("." * kernel(spec).cells, ply) == perft(state, ply)
    for state in within(spec, fewest, most, 10):
        assert isinstance(state, Signs)
        assert kernel(spec).perft(kernels.cells_text(state), 3) == perft(state, 3)


@pytest.mark.parametrize(("spec", "fewest", "most", "depth"), SHARED[:-1])
@pytest.mark.parametrize("nodes", [40, 100_000])
def test_alphabeta_is_exact_only_where_it_is_right(spec: str, fewest: int, most: int, depth: int, nodes: int) -> None:
    for state in within(spec, fewest, most, 15):
        choice = engine("kernel-alphabeta").choose(state, Limit(nodes=nodes), Random(1))
        assert not state.refuses(choice.move)
        assert choice.exact or nodes == 40
        narrow = KernelAlphaBeta(Sight(width=2)).choose(state, Limit(nodes=nodes), Random(1))
        for said in (choice, narrow):
            if said.exact:
                assert said.score == (1 + twins.value(state)) / 2
                assert twins.value_of(state, said.move) == twins.value(state)


def test_the_expected_line_can_be_played() -> None:
    for spec, fewest, most, _ in SHARED:
        for state in within(spec, fewest, most, 5):
            at = state
            for move in engine("kernel-alphabeta").choose(state, Limit(nodes=3_000), Random(1)).line:
                at = at.play(move)


@pytest.mark.parametrize(
    ("boards", "exact_by", "value"),
    [(1, 1_000, 1.0), (2, 20_000, 0.0), (3, 350_000, 1.0)],
)
def test_notakto_is_solved(boards: int, exact_by: int, value: float) -> None:
    # Plambeck and Whitehead: won on one board and on three, lost on two.
    start = game(f"tictactoe:misere=true,marks=crosses,boards={boards}").start()
    choice = engine("kernel-alphabeta").choose(start, Limit(nodes=exact_by), Random(1))
    assert choice.exact
    assert choice.score == value


@pytest.mark.parametrize(
    ("spec", "seat"),
    [
        ("tictactoe:marks=wild", 0),
        ("tictactoe:misere=true,marks=crosses", 0),
        ("tictactoe:misere=true,marks=crosses,boards=2", 1),
        ("tictactoe:misere=true,marks=crosses,boards=3", 0),
    ],
)
def test_the_top_level_wins_what_is_won(spec: str, seat: int) -> None:
    top = level(game(spec), 8)
    for seed in range(6):
        rng = Random(seed)
        state = game(spec).start()
        while state.to_move is not None:
            move = top.choose(state, rng).move if state.to_move == seat else state.sample(rng)
            state = state.play(move)
        assert state.outcome is not None
        assert state.outcome.winners == {seat}


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe:marks=wild",
        "tictactoe:misere=true,marks=wild",
        "tictactoe:misere=true,marks=crosses",
        "tictactoe:shape=6x4,line=4,marks=crosses,gravity=true",
        "tictactoe:marks=crosses,boards=2",
        "tictactoe:shape=9x9,line=4,marks=wild",
        "tictactoe:shape=15x15,line=5,exact=true",
    ],
)
def test_no_level_from_3_on_loses_at_once_needlessly(spec: str) -> None:
    met = 0
    cells = len(game(spec).actions or ())
    for i, state in enumerate(within(spec, 2, min(cells // 2, 12), 40)):
        move = level(state.game, 3 + i % 6).choose(state, Random(i)).move
        if won := twins.wins(state):
            assert move in won
        elif cells < 100 and (safe := {m for m in twins.blocks(state) if not twins.lost(state, m)}):
            assert move in safe
            met += len(safe) < len(state.moves())
    assert met > 3 or cells >= 100


CLAIM = "tictactoe:shape=4x4x4,claim=true"


def test_a_line_is_claimed_at_once() -> None:
    state = game("tictactoe:claim=true").read("xxx/oo./o..")
    for number in LEVELS:
        assert level(state.game, number).choose(state, Random(1)).move == "claim:a3-c3"


def test_an_unnoticed_line_of_the_other_is_played_past() -> None:
    # Noughts have a line already; crosses have none yet but can complete one.
    state = game("tictactoe:claim=true").read("xx./ooo/..x")
    for number in LEVELS:
        choice = level(state.game, number).choose(state, Random(1))
        assert choice.move == "c3"
        assert not choice.exact


def test_levels_complete_block_and_claim() -> None:
    claimed = 0
    for i, state in enumerate(within(CLAIM, 20, 60, 60)):
        move = level(state.game, 3 + i % 6).choose(state, Random(i)).move
        assert not state.refuses(move)
        if wins := twins.wins(state):
            assert move in wins
            claimed += 1
    assert claimed > 5


@pytest.mark.parametrize("spec", ["tictactoe:shape=12x12,line=3,misere=true,marks=crosses,boards=4", CLAIM])
def test_what_no_kernel_takes_is_played_by_the_rules(monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    if spec == CLAIM:
        monkeypatch.setenv("KLETKA_KERNELS", "0")
    state = game(spec).start()
    choice = level(state.game, 3).choose(state, Random(1))
    assert not state.refuses(choice.move)


@pytest.mark.parametrize("text", ["", "x", "o........", "?........", "." * 10])
def test_no_position(text: str) -> None:
    with pytest.raises(ValueError, match="position"):
        kernel("tictactoe:marks=crosses").perft(text, 1)


@pytest.mark.parametrize("name", ["kernel-alphabeta", "kernel-uct"])
def test_searches_refuse_what_they_cannot_play(name: str) -> None:
    for spec in ("tictactoe:marks=crosses", "tictactoe:marks=wild", "tictactoe:claim=true"):
        with pytest.raises(ValueError, match="over"):
            engine(name).choose(game(spec).start().without(0), Limit(nodes=10), Random(1))
    huge = game("tictactoe:shape=19x19,marks=crosses,boards=2").start()
    with pytest.raises(ValueError, match="kernel"):
        engine(name).choose(huge, Limit(nodes=10), Random(1))
    if name == "kernel-uct":
        with pytest.raises(ValueError, match="kernel"):
            engine(name).choose(game(CLAIM).start(), Limit(nodes=10), Random(1))
