"""Tic-tac-toe against published numbers, OpenSpiel, and a brute-force twin that shares no code with the rules."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

import kletka
from kletka.games import SpecError, State
from kletka.games.tictactoe import Marks, TicTacToe

Cell = tuple[int, ...]


def tictactoe(spec: str) -> TicTacToe:
    made = kletka.game(spec)
    assert isinstance(made, TicTacToe)
    return made


@cache
def classic_states() -> dict[State, int]:
    """Every reachable position of 3x3 with its ply."""
    seen = {kletka.game("tictactoe").start(): 0}
    layer = list(seen)
    while layer:
        after = {state.play(move) for state in layer for move in state.moves()}
        layer = [state for state in after if state not in seen]
        seen |= {state: len(seen_plies(state)) for state in layer}
    return seen


def seen_plies(state: State) -> str:
    return state.position.replace(".", "").replace("/", "")


def test_reachable_positions_of_3x3() -> None:
    states = classic_states()
    assert len(states) == 5478
    assert [Counter(states.values())[ply] for ply in range(10)] == [
        1,
        9,
        72,
        252,
        756,
        1260,
        1520,
        1140,
        390,
        78,
    ]
    over = [state.outcome for state in states if state.outcome]
    assert len(over) == 958
    assert Counter(tuple(sorted(outcome.winners)) for outcome in over) == {(0,): 626, (1,): 316, (0, 1): 16}


def test_positions_of_3x3_up_to_symmetry() -> None:
    game = tictactoe("tictactoe")
    symmetries = game.symmetries()
    assert len(symmetries) == 8

    def canonical(state: State) -> str:
        cells = "".join(reversed(state.position.split("/")))
        signs = ["".join(cells[permutation[i]] for i in range(9)) for permutation in symmetries]
        return min(signs)

    assert len({canonical(state) for state in classic_states()}) == 765


def test_all_games_of_3x3() -> None:
    games: Counter[tuple[int, ...]] = Counter()
    lengths: Counter[int] = Counter()
    open_games = Counter({kletka.game("tictactoe").start(): 1})
    for ply in range(1, 10):
        after: Counter[State] = Counter()
        for state, ways in open_games.items():
            for move in state.moves():
                after[state.play(move)] += ways
        open_games = Counter()
        for state, ways in after.items():
            if state.outcome:
                games[tuple(sorted(state.outcome.winners))] += ways
                lengths[ply] += ways
            else:
                open_games[state] += ways
    assert games == {(0,): 131184, (1,): 77904, (0, 1): 46080}
    assert games.total() == 255168
    assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}


@cache
def value(state: State) -> int:
    """What the seat to move can reach: 1 a win, 0 a draw, -1 a loss."""
    best = -2
    for move in state.moves():
        after = state.play(move)
        if after.outcome:
            won = after.outcome.winners == {state.to_move}
            drawn = len(after.outcome.winners) == 2
            best = max(best, 1 if won else 0 if drawn else -1)
        else:
            best = max(best, -value(after))
    return best


@pytest.mark.parametrize(
    ("spec", "whole", "corner", "edge", "middle"),
    [("tictactoe", 0, 0, 0, 0), ("tictactoe:misere=true", 0, -1, -1, 0)],
)
def test_values_of_3x3(spec: str, whole: int, corner: int, edge: int, middle: int) -> None:
    start = kletka.game(spec).start()
    assert value(start) == whole
    for names, expected in (
        (("a1", "a3", "c1", "c3"), corner),
        (("a2", "b1", "b3", "c2"), edge),
        (("b2",), middle),
    ):
        for name in names:
            assert -value(start.play(kletka.game(spec).parse(name))) == expected


@pytest.mark.parametrize(("side", "dimensions"), [(n, d) for d in (2, 3) for n in range(2, 9)])
def test_lines_from_side_to_side(side: int, dimensions: int) -> None:
    game = tictactoe(f"tictactoe:shape={'x'.join([str(side)] * dimensions)}")
    assert len(game.lines) == ((side + 2) ** dimensions - side**dimensions) // 2


def test_qubic_lines_and_symmetries() -> None:
    game = tictactoe("tictactoe:shape=4x4x4")
    assert len(game.lines) == 76
    assert len(game.symmetries()) == 192
    assert Counter(len(through) for through in game.lines_through) == {7: 16, 4: 48}
    assert len(tictactoe("tictactoe:shape=3x3x3").lines) == 49


def test_the_last_move_may_win_and_a_full_board_is_a_draw() -> None:
    game = kletka.game("tictactoe")
    state = game.start()
    for name in ("a1", "b1", "c1", "a2", "b2", "c2", "b3", "a3", "c3"):
        assert state.outcome is None
        state = state.play(game.parse(name))
    assert state.outcome is not None
    assert state.outcome == (frozenset({0}), (0, 0), "line")
    drawn = game.read("xox/xxo/oxo")
    assert drawn.outcome == (frozenset({0, 1}), (0, 0), "full")


def test_a_longer_row_counts_too() -> None:
    game = kletka.game("tictactoe:shape=2x7,line=3")
    five = game.read("oo.oo../xx.xx..").play(game.parse("c1"))
    assert five.outcome == (frozenset({0}), (0, 0), "line")
    assert game.read(five.position) == five
    with pytest.raises(kletka.NotationError):
        game.read("oo.oo.o/xxxxxx.")


def test_gravity_lets_marks_fall() -> None:
    game = kletka.game("tictactoe:shape=4x4x4,gravity=true")
    state = game.start()
    assert list(state.moves()) == [f"1{column}{row}" for row in range(1, 5) for column in "abcd"]
    (reason,) = state.refuses("3b2")
    assert (reason.code, reason.places, dict(reason.facts)) == (
        "floating",
        ("3b2",),
        {"at": "3b2", "falls": "1b2"},
    )
    assert state.play(game.parse("1b2")).refuses("2b2") == ()


@pytest.mark.parametrize(
    ("spec", "code", "option"),
    [
        ("tictactoe:shape=20x3", "side_too_long", "shape"),
        ("tictactoe:shape=9x9x9", "side_too_long", "shape"),
        ("tictactoe:shape=0x3", "bad_value", "shape"),
        ("tictactoe:shape=3", "bad_value", "shape"),
        ("tictactoe:shape=3x3x3x3", "bad_value", "shape"),
        ("tictactoe:shape=03x3", "bad_value", "shape"),
        ("tictactoe:line=4", "line_too_long", "line"),
        ("tictactoe:line=0", "bad_value", "line"),
        ("tictactoe:line=-1", "bad_value", "line"),
        ("tictactoe:line=٣", "bad_value", "line"),
        ("tictactoe:misere=yes", "bad_value", "misere"),
        ("tictactoe:misere=1", "bad_value", "misere"),
        ("tictactoe:colour=red", "unknown_option", "colour"),
        ("tictactoe:misere=true,misere=true", "repeated_option", "misere"),
        ("tictactoe:misere", "bad_spec", ""),
        ("tictactoe:", "unknown_game", ""),
        ("chess", "unknown_game", ""),
        ("", "unknown_game", ""),
        ("tictactoe:" + "x" * 3000, "bad_spec", ""),
    ],
)
def test_bad_specs_name_code_and_option(spec: str, code: str, option: str) -> None:
    with pytest.raises(SpecError) as caught:
        kletka.game(spec)
    assert (caught.value.code, caught.value.option) == (code, option)


def test_specs_are_read_in_any_order_and_printed_in_one() -> None:
    game = kletka.game("tictactoe:gravity=true,line=4,shape=4x4x4,misere=false")
    assert game.spec == "tictactoe:shape=4x4x4,gravity=true"
    assert kletka.game("tictactoe:line=3,shape=3x3").spec == "tictactoe"


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ("xxx/.../...", "position_counts"),
        ("xxx/ooo/...", "position_impossible"),
        ("xxx/ooo/x..", "position_impossible"),
        ("xxx/oo./o..", "position_impossible"),
        ("xxx/oo./... -x", "position_impossible"),
        ("xo?/.../...", "position_sign"),
        ("xo./...", "position_rows"),
        ("xo/.../...", "position_columns"),
        ("... ...", "position_layers"),
    ],
)
def test_impossible_positions_are_refused(position: str, code: str) -> None:
    with pytest.raises(kletka.NotationError) as caught:
        kletka.game("tictactoe").read(position)
    assert caught.value.code == code


def twin_count(sides: Cell, line: int, gravity: bool, depth: int) -> int:
    """Perft by dictionaries and plain walking: nothing of the rules module is used."""
    cells = list(itertools.product(*(range(side) for side in sides)))

    def won(marks: dict[Cell, int], cell: Cell) -> bool:
        for step in itertools.product((-1, 0, 1), repeat=len(sides)):
            if not any(step):
                continue
            length = 1
            for sign in (1, -1):
                at = cell
                while True:
                    at = tuple(a + sign * s for a, s in zip(at, step, strict=True))
                    if marks.get(at) != marks[cell]:
                        break
                    length += 1
            if length >= line:
                return True
        return False

    def count(marks: dict[Cell, int], left: int) -> int:
        if left == 0:
            return 1
        total = 0
        for cell in cells:
            under = (cell[0] - 1, *cell[1:])
            if cell in marks or (gravity and cell[0] > 0 and under not in marks):
                continue
            marks[cell] = len(marks) % 2
            total += count(marks, left - 1) if not won(marks, cell) else left == 1
            del marks[cell]
        return total

    return count({}, depth)


TWIN = [
    ("1x5", 2, False, 4),
    ("3x4", 3, False, 5),
    ("3x3", 3, True, 9),
    ("2x2x2", 2, False, 4),
    ("2x3x2", 2, True, 6),
    ("4x3", 4, False, 4),
    ("5x1", 3, True, 5),
    ("3x3", 1, False, 2),
]


@pytest.mark.parametrize(("shape", "line", "gravity", "depth"), TWIN)
def test_perft_equals_the_twin(shape: str, line: int, gravity: bool, depth: int) -> None:
    sides = tuple(map(int, shape.split("x")))
    start = kletka.game(f"tictactoe:shape={shape},line={line},gravity={str(gravity).lower()}").start()
    for d in range(depth + 1):
        assert kletka.perft(start, d) == twin_count(sides, line, gravity, d)


def spiel_order(game: TicTacToe, dimensions: int) -> Iterator[int]:
    """OpenSpiel counts cells row by row from the top; in 3D its first coordinate is our layer."""
    *layers, rows, columns = game.sides
    for layer in range(layers[0] if layers else 1):
        for row in range(rows):
            for column in range(columns):
                yield (layer * rows + (rows - 1 - row)) * columns + column


@pytest.mark.parametrize(
    ("spec", "theirs"),
    [
        ("tictactoe", "tic_tac_toe"),
        ("tictactoe:shape=4x4x4", "gomoku(size=4,dims=3,connect=4)"),
        ("tictactoe:shape=6x7,line=4,gravity=true", "connect_four"),
    ],
)
def test_random_games_agree_with_openspiel(spec: str, theirs: str) -> None:
    pyspiel = spiel()
    game = tictactoe(spec)
    other = pyspiel.load_game(theirs)
    cells = list(spiel_order(game, len(game.sides)))
    gravity = game.options.gravity
    columns = game.sides[-1]
    rng = Random(17)
    for _ in range(300):
        mine: Marks = game.start()
        state = other.new_initial_state()
        while mine.to_move is not None:
            assert not state.is_terminal()
            assert state.current_player() == mine.to_move
            if gravity:
                legal = {game.index[m] % columns: m for m in mine.moves()}
            else:
                legal = {cells.index(game.index[m]): m for m in mine.moves()}
            assert set(state.legal_actions()) == set(legal)
            action = rng.choice(sorted(legal))
            mine = mine.play(legal[action])
            state.apply_action(action)
        assert state.is_terminal()
        assert mine.outcome is not None
        expected = [0.0, 0.0]
        if len(mine.outcome.winners) == 1:
            (winner,) = mine.outcome.winners
            expected = [1.0 if seat == winner else -1.0 for seat in (0, 1)]
        assert state.returns() == expected


def spiel() -> Any:
    """OpenSpiel; under CI its absence is a failure, elsewhere a skip."""
    if os.environ.get("CI"):
        import pyspiel

        return pyspiel
    return pytest.importorskip("pyspiel")
