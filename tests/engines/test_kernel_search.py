"""The kernel's searches against plain minimax, and what they promise: soundness, stopping, determinism."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from kletka.engines import Choice, Limit, engine, kernels
from kletka.engines.tictactoe import KernelAlphaBeta, Sight
from kletka.games import State, game
from kletka.games.tictactoe import Marks, TicTacToe
from tests.engines import twins

SMALL = [
    ("tictactoe", 0, 4),
    ("tictactoe:misere=true", 0, 4),
    ("tictactoe:gravity=true", 0, 4),
    ("tictactoe:gravity=true,misere=true", 0, 4),
    ("tictactoe:shape=2x2x2", 0, 2),
    ("tictactoe:shape=2x2x2,misere=true", 0, 2),
    ("tictactoe:shape=3x3,line=2", 0, 2),
    ("tictactoe:shape=3x3,line=1", 0, 0),
    ("tictactoe:shape=4x3,line=3", 3, 7),
    ("tictactoe:shape=4x3,line=3,misere=true", 3, 7),
    ("tictactoe:shape=4x4", 7, 11),
    ("tictactoe:shape=4x4,line=3,gravity=true", 4, 9),
    ("tictactoe:shape=4x4,gravity=true,misere=true", 5, 10),
    ("tictactoe:shape=3x3x3,gravity=true", 14, 18),
    ("tictactoe:shape=3x3x3,misere=true", 15, 18),
    ("tictactoe:shape=1x9,line=3", 0, 4),
    ("tictactoe:shape=1x9,line=3,exact=true", 0, 4),
    ("tictactoe:shape=1x10,line=2,exact=true", 2, 5),
    ("tictactoe:shape=4x3,line=2,exact=true", 3, 7),
    ("tictactoe:shape=4x3,line=2,misere=true,exact=true", 3, 7),
    ("tictactoe:shape=4x4,line=3,exact=true", 7, 11),
    ("tictactoe:shape=5x4,line=3,gravity=true,exact=true", 9, 14),
]


def positions(spec: str, fewest: int, most: int, count: int) -> list[State]:
    rng = Random(spec)
    return [twins.after_random(spec, rng.randint(fewest, most), f"{spec}{i}") for i in range(count)]


@pytest.mark.parametrize(("spec", "fewest", "most"), SMALL)
@pytest.mark.parametrize("nodes", [60, 100_000])
def test_alphabeta_is_exact_only_where_it_is_right(spec: str, fewest: int, most: int, nodes: int) -> None:
    proven = 0
    for state in positions(spec, fewest, most, 40):
        choice = engine("kernel-alphabeta").choose(state, Limit(nodes=nodes), Random(1))
        assert not state.refuses(choice.move)
        assert choice.line[0] == choice.move
        if choice.exact:
            proven += 1
            assert choice.score == (1 + twins.value(state)) / 2
            assert twins.value_of(state, choice.move) == twins.value(state)
    if nodes > 60:
        assert proven == 40


@pytest.mark.parametrize(("spec", "fewest", "most"), SMALL)
def test_narrow_sight_is_never_exact_where_it_is_wrong(spec: str, fewest: int, most: int) -> None:
    for width, threats in ((1, 0), (2, 24), (3, 4)):
        seeing = KernelAlphaBeta(Sight(width=width, threats=threats))
        for state in positions(spec, fewest, most, 25):
            choice = seeing.choose(state, Limit(nodes=3000), Random(2))
            if choice.exact:
                assert choice.score == (1 + twins.value(state)) / 2


@pytest.mark.parametrize(("spec", "fewest", "most"), SMALL)
def test_uct_is_exact_only_where_it_is_right(spec: str, fewest: int, most: int) -> None:
    for state in positions(spec, fewest, most, 25):
        choice = engine("kernel-uct").choose(state, Limit(nodes=20_000), Random(1))
        assert not state.refuses(choice.move)
        if choice.exact:
            assert choice.score == (1 + twins.value(state)) / 2
            assert twins.value_of(state, choice.move) == twins.value(state)


def test_every_position_of_the_classic_game_keeps_its_value() -> None:
    for spec in ("tictactoe", "tictactoe:misere=true"):
        seen = set()
        waiting: list[State] = [game(spec).start()]
        while waiting:
            state = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            waiting += [state.play(move) for move in state.moves()]
            if state.to_move is not None:
                choice = engine("kernel-alphabeta").choose(state, Limit(nodes=80_000), Random(1))
                assert choice.exact
                assert twins.value_of(state, choice.move) == twins.value(state)
        assert len(seen) == 5478


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("tictactoe:shape=4x3,line=3", 1.0),
        ("tictactoe:shape=4x4", 0.5),
        ("tictactoe:shape=3x3x3", 1.0),
    ],
)
def test_known_values(spec: str, value: float) -> None:
    # Well known: three in a row is won on 4x3, four in a row is drawn on 4x4, and the cube of side 3 is won
    # from its centre.
    choice = engine("kernel-alphabeta").choose(game(spec).start(), Limit(nodes=3_000_000), Random(1))
    assert choice.exact
    assert choice.score == value


def won_by_threats(state: Marks) -> bool:
    """Whether the mover wins by moves that each leave a single reply, by plain search of the rules."""
    if twins.wins(state):
        return True
    lines, (mine, theirs) = state.game.lines, state.marks
    if state.to_move == 1:
        mine, theirs = theirs, mine
    due = _last_cells(lines, theirs, mine)
    if due & (due - 1):
        return False
    for i, name in enumerate(state.game.names):
        if (mine | theirs) >> i & 1 or (due and due != 1 << i):
            continue
        threats = _last_cells(lines, mine | 1 << i, theirs)
        if not threats or _last_cells(lines, theirs, mine | 1 << i):
            continue
        if threats & (threats - 1):
            return True
        reply = state.game.names[threats.bit_length() - 1]
        if won_by_threats(state.play(name).play(reply)):
            return True
    return False


def _last_cells(lines: tuple[int, ...], mine: int, theirs: int) -> int:
    """The free cells that complete a line of `mine`."""
    found = 0
    for line in lines:
        rest = line & ~mine
        if not line & theirs and rest & (rest - 1) == 0:
            found |= rest
    return found


def test_no_win_by_threats_is_missed() -> None:
    won = 0
    for seed in range(40):
        state = twins.after_random("tictactoe:shape=4x4x4", 8 + 2 * (seed % 4), seed)
        if won_by_threats(state):
            won += 1
            choice = engine("kernel-alphabeta").choose(state, Limit(nodes=80_000), Random(seed))
            assert choice.exact
            assert choice.score == 1
    assert won >= 15


def answer(search: Callable[..., kernels.Answer], **options: Any) -> kernels.Answer:
    return search("." * 64, seed=1, **options)


@pytest.fixture
def qubic() -> kernels.TicTacToeKernel:
    rules = game("tictactoe:shape=4x4x4")
    assert isinstance(rules, TicTacToe)
    return kernels.tictactoe(rules)


@pytest.mark.parametrize("name", ["alphabeta", "uct"])
def test_a_flag_set_by_another_thread_ends_the_search(qubic: kernels.TicTacToeKernel, name: str) -> None:
    stop = kernels.stop_flag()
    asked = threading.Event()

    def poll() -> bool:
        asked.set()
        return False

    thread = threading.Thread(target=lambda: (asked.wait(), stop.set()))
    thread.start()
    found = answer(getattr(qubic, name), nodes=1 << 40, stop=stop, poll=poll)
    thread.join()
    assert stop.is_set()
    assert 0 <= found[0] < 64
    assert found[3] < 1 << 40


@pytest.mark.parametrize("name", ["alphabeta", "uct"])
def test_a_flag_set_before_ends_the_search_at_once(qubic: kernels.TicTacToeKernel, name: str) -> None:
    stop = kernels.stop_flag()
    stop.set()
    assert answer(getattr(qubic, name), nodes=1 << 40, stop=stop)[3] < 2000


@pytest.mark.parametrize("name", ["alphabeta", "uct"])
def test_other_threads_run_meanwhile(qubic: kernels.TicTacToeKernel, name: str) -> None:
    # The search can end only by what the other thread counts up: it would never end if it kept the GIL.
    stop = kernels.stop_flag()
    counted = 0

    def count() -> None:
        nonlocal counted
        while counted < 100_000:
            counted += 1
        stop.set()

    thread = threading.Thread(target=count)
    thread.start()
    answer(getattr(qubic, name), nodes=1 << 40, stop=stop)
    thread.join()
    assert counted == 100_000


@pytest.mark.parametrize("name", ["kernel-alphabeta", "kernel-uct"])
def test_stop_and_progress(name: str) -> None:
    state = game("tictactoe:shape=4x4x4").start()
    told: list[Choice] = []
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked == 160

    choice = engine(name).choose(state, Limit(nodes=1 << 40), Random(1), stop=stop, progress=told.append)
    assert asked == 160
    assert 19 << 11 <= choice.nodes <= 21 << 14
    assert len(told) > 1
    assert [one.nodes for one in told] == sorted(one.nodes for one in told)


@pytest.mark.parametrize("name", ["kernel-alphabeta", "kernel-uct"])
def test_what_a_callback_raises_comes_through(name: str) -> None:
    def stop() -> bool:
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        engine(name).choose(game("tictactoe:shape=4x4x4").start(), Limit(nodes=1 << 40), Random(1), stop=stop)


def test_seconds_end_a_search() -> None:
    state = game("tictactoe:shape=4x4x4").start()
    assert engine("kernel-alphabeta").choose(state, Limit(seconds=0.05), Random(1)).nodes > 0


@pytest.mark.parametrize("name", ["kernel-alphabeta", "kernel-uct"])
def test_the_same_arguments_give_the_same_answer(name: str) -> None:
    for seed in range(5):
        state = twins.after_random("tictactoe:shape=4x4x4", 6, seed)
        first = engine(name).choose(state, Limit(nodes=20_000), Random(seed))
        assert first == engine(name).choose(state, Limit(nodes=20_000), Random(seed))
        assert first.nodes <= 20_100


@pytest.mark.parametrize("sight", [{"depth": 0}, {"width": 0}, {"threats": -1}, {"noise": -1}])
def test_senseless_sight_is_refused(qubic: kernels.TicTacToeKernel, sight: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="sight"):
        answer(qubic.alphabeta, nodes=10, **sight)
