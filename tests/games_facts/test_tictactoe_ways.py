"""The many ways to play tic-tac-toe against published values and a brute-force twin that shares no code with them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from math import prod
from random import Random

import pytest

import kletka
from kletka.games import Move, NotationError, SpecError, State, perft
from kletka.games.tictactoe import Claims, Signs

Cell = tuple[int, ...]
Ply = tuple[Cell, str] | tuple[Cell, Cell]
"""A cell and the sign written there, or the two ends of a claimed line."""


class Twin:
    """A position as a dictionary from cells (board before row and column) to signs; lines by plain walking."""

    def __init__(self, spec: str) -> None:
        options = kletka.game(spec).options
        self.options = options
        self.sides = (options.boards, *map(int, options.shape.split("x")))
        self.marks: dict[Cell, str] = {}
        self.over = False
        self.winner: int | None = None
        self.turn = 0
        self.dead: frozenset[int] = frozenset()

    def cells(self) -> Iterator[Cell]:
        return itertools.product(*(range(side) for side in self.sides))

    def runs(self, cell: Cell) -> Iterator[list[Cell]]:
        """The longest rows of this cell's sign through it, one a direction."""
        for step in itertools.product((-1, 0, 1), repeat=len(self.sides) - 1):
            if step <= (0,) * len(step):
                continue
            run = [cell]
            for way in (1, -1):
                at = cell
                while (
                    self.marks.get(at := (at[0], *(a + way * s for a, s in zip(at[1:], step, strict=True))))
                    == (self.marks[cell])
                ):
                    run.append(at)
            yield sorted(run)

    def lined(self, cell: Cell) -> bool:
        need, exact = self.options.line, self.options.exact
        return any(len(run) == need if exact else len(run) >= need for run in self.runs(cell))

    def claims(self, seat: int) -> set[tuple[Cell, Cell]]:
        """The ends of every row of a seat that may be claimed."""
        need, found = self.options.line, set()
        for cell, sign in self.marks.items():
            for run in self.runs(cell) if sign == "xo"[seat] else ():
                if len(run) >= need and not (self.options.exact and len(run) > need):
                    found |= {(run[i], run[i + need - 1]) for i in range(len(run) - need + 1)}
        return found

    def plies(self) -> list[Ply]:
        if self.over:
            return []
        kind = self.options.marks
        signs = {"own": "xo"[self.turn], "wild": "xo", "crosses": "x"}[kind]
        found: list[Ply] = []
        for cell in self.cells():
            under = (cell[0], cell[1] - 1, *cell[2:])
            if cell in self.marks or (self.options.gravity and cell[1] > 0 and under not in self.marks):
                continue
            if cell[0] not in self.dead:
                found += [(cell, sign) for sign in signs]
        if self.options.claim:
            found += sorted(self.claims(self.turn))
        return found

    def play(self, ply: Ply) -> None:
        cell, what = ply
        if not isinstance(what, str):
            self.over, self.winner = True, self.turn
            return
        self.marks[cell] = what
        mover, self.turn = self.turn, 1 - self.turn
        if self.options.claim:
            if len(self.marks) == prod(self.sides):
                seats = [seat for seat in (self.turn, 1 - self.turn) if self.claims(seat)]
                self.over = not seats
                self.turn = seats[0] if seats else self.turn
            return
        if self.lined(cell):
            self.dead |= {cell[0]}
        if len(self.dead) == self.sides[0]:
            self.over, self.winner = True, 1 - mover if self.options.misere else mover
        else:
            self.over = len(self.marks) == prod(self.sides)

    def copy(self) -> Twin:
        other = object.__new__(Twin)
        other.__dict__ = self.__dict__ | {"marks": dict(self.marks)}
        return other

    def count(self, depth: int) -> int:
        plies = self.plies() if depth else []
        if depth < 2:
            return len(plies) if depth else 1
        total = 0
        for ply in plies:
            after = self.copy()
            after.play(ply)
            total += after.count(depth - 1)
        return total

    def name(self, ply: Ply) -> str:
        cell, what = ply
        if not isinstance(what, str):
            return f"claim:{self.square(cell)}-{self.square(what)}"
        return self.square(cell) + (f":{what}" if self.options.marks == "wild" else "")

    def square(self, cell: Cell) -> str:
        board, *layers, row, column = cell
        number = layers[0] + 1 if layers else board + 1 if self.options.boards > 1 else ""
        return f"{number}{'abcdefghijklmnopqrs'[column]}{row + 1}"


WAYS = [
    ("tictactoe:marks=wild", 3),
    ("tictactoe:misere=true,marks=wild", 4),
    ("tictactoe:shape=2x3,line=2,gravity=true,marks=wild", 5),
    ("tictactoe:shape=1x6,line=2,marks=wild,exact=true", 5),
    ("tictactoe:misere=true,marks=crosses", 5),
    ("tictactoe:shape=3x4,line=3,marks=crosses,exact=true", 4),
    ("tictactoe:misere=true,marks=crosses,boards=2", 3),
    ("tictactoe:shape=3x2,line=2,misere=true,gravity=true,marks=crosses,boards=3", 5),
    ("tictactoe:shape=2x2x2,marks=crosses", 3),
    ("tictactoe:shape=1x7,line=3,exact=true", 7),
    ("tictactoe:shape=4x3,line=2,exact=true", 4),
    ("tictactoe:shape=4x2,line=3,gravity=true,exact=true", 8),
    ("tictactoe:shape=2x3,claim=true", 6),
    ("tictactoe:shape=2x4,line=3,gravity=true,claim=true", 9),
    ("tictactoe:shape=1x6,line=2,claim=true,exact=true", 6),
]


@pytest.mark.parametrize(("spec", "depth"), WAYS)
def test_perft_equals_the_twin(spec: str, depth: int) -> None:
    for d in range(depth + 1):
        assert perft(kletka.game(spec).start(), d) == Twin(spec).count(d)


@pytest.mark.parametrize(
    "spec",
    [
        *(spec for spec, _ in WAYS),
        "tictactoe:shape=3x3x3,marks=wild",
        "tictactoe:shape=5x5,line=4,gravity=true,exact=true",
        "tictactoe:claim=true",
        "tictactoe:shape=4x4,line=3,claim=true,exact=true",
        "tictactoe:marks=crosses,boards=4",
    ],
)
def test_random_games_agree_with_the_twin(spec: str) -> None:
    rng = Random(spec)
    for _ in range(6):
        state, twin = kletka.game(spec).start(), Twin(spec)
        while True:
            plies = {twin.name(ply): ply for ply in twin.plies()}
            assert set(state.moves()) == set(plies)
            assert (state.to_move is None) == twin.over
            if state.to_move is None:
                break
            assert state.to_move == twin.turn
            move = state.sample(rng)
            state = state.play(move)
            twin.play(plies[move])
        assert state.outcome is not None
        assert state.outcome.winners == ({0, 1} if twin.winner is None else {twin.winner})


@cache
def value(state: State) -> int:
    """What the seat to move can reach: 1 a win, 0 a draw, -1 a loss."""
    return max(value_of(state, move) for move in state.moves())


def value_of(state: State, move: Move) -> int:
    """The same of the seat that makes the move."""
    after = state.play(move)
    if after.outcome is None:
        return -value(after)
    return 0 if len(after.outcome.winners) == 2 else 1 if after.outcome.winners == {state.to_move} else -1


CORNERS, EDGES = ("a1", "a3", "c1", "c3"), ("a2", "b1", "b3", "c2")


@pytest.mark.parametrize(
    ("spec", "corner", "edge", "centre"),
    [
        ("tictactoe:marks=wild", 0, 0, 1),
        ("tictactoe:misere=true,marks=wild", -1, -1, 0),
        ("tictactoe:misere=true,marks=crosses", -1, -1, 1),
        ("tictactoe:marks=crosses", 1, 1, 1),
    ],
)
def test_values_of_3x3_by_first_move(spec: str, corner: int, edge: int, centre: int) -> None:
    start = kletka.game(spec).start()
    assert value(start) == max(corner, edge, centre)
    for move in start.moves():
        expected = corner if move[:2] in CORNERS else edge if move[:2] in EDGES else centre
        assert value_of(start, move) == expected, move


def test_notakto_is_won_by_knights_moves() -> None:
    # Plambeck and Whitehead: after the centre, a knight's move from each reply wins.
    game = kletka.game("tictactoe:misere=true,marks=crosses")
    centre = game.start().play(game.parse("b2"))
    for reply in centre.moves():
        after = centre.play(reply)
        column, row = ord(reply[0]), int(reply[1])
        knights = [move for move in after.moves() if {abs(ord(move[0]) - column), abs(int(move[1]) - row)} == {1, 2}]
        assert len(knights) == 2
        assert all(value_of(after, move) == 1 for move in knights)


BOARD_LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
TURN, MIRROR = (2, 5, 8, 1, 4, 7, 0, 3, 6), (2, 1, 0, 5, 4, 3, 8, 7, 6)


@cache
def simplest(board: frozenset[int]) -> tuple[int, ...] | None:
    """A board of crosses up to turning and mirroring; None where it has a line."""
    if any(line <= board for line in BOARD_LINES):
        return None
    images = []
    for image in (board, frozenset(MIRROR[cell] for cell in board)):
        turned = image
        for _ in range(4):
            images.append(tuple(sorted(turned)))
            turned = frozenset(TURN[cell] for cell in turned)
    return min(images)


@cache
def notakto_is_won(boards: tuple[tuple[int, ...], ...]) -> bool:
    """Whether the mover wins Notakto on these living boards; none left: the other has just lost."""
    if not boards:
        return True
    for i, board in enumerate(boards):
        for cell in set(range(9)) - set(board):
            after = simplest(frozenset((*board, cell)))
            rest = (*boards[:i], *boards[i + 1 :], *(() if after is None else (after,)))
            if not notakto_is_won(tuple(sorted(rest))):
                return True
    return False


def living(state: Signs) -> tuple[tuple[int, ...], ...]:
    """The living boards of a state, as that twin has them."""
    boards = (state.marks[0] >> 9 * board & 511 for board in range(state.game.options.boards))
    found = (simplest(frozenset(cell for cell in range(9) if board >> cell & 1)) for board in boards)
    return tuple(sorted(board for board in found if board is not None))


@pytest.mark.parametrize(("boards", "first_wins"), [(1, True), (2, False), (3, True)])
def test_who_wins_notakto_on_several_boards(boards: int, first_wins: bool) -> None:
    # The empty board is c in the misère quotient, whose lost elements are a, b^2, bc and c^2: c is won, c^2 lost,
    # c^3 = a c^2 won.
    start = kletka.game(f"tictactoe:misere=true,marks=crosses,boards={boards}").start()
    assert isinstance(start, Signs)
    assert notakto_is_won(living(start)) == first_wins


def test_the_rules_of_two_boards_have_the_values_of_the_twin() -> None:
    game = kletka.game("tictactoe:misere=true,marks=crosses,boards=2")
    rng = Random(2)
    lost = 0
    for _ in range(40):
        state: State = game.start()
        for _ in range(rng.randint(5, 8)):
            if state.to_move is not None:
                state = state.play(state.sample(rng))
        if state.to_move is not None:
            assert isinstance(state, Signs)
            assert (value(state) == 1) == notakto_is_won(living(state))
            lost += value(state) == -1
    assert lost > 3


@pytest.mark.parametrize(
    ("spec", "code", "option"),
    [
        ("tictactoe:boards=2", "boards_need_crosses", "boards"),
        ("tictactoe:marks=wild,boards=2", "boards_need_crosses", "boards"),
        ("tictactoe:shape=3x3x3,marks=crosses,boards=2", "boards_are_flat", "boards"),
        ("tictactoe:marks=crosses,boards=2,exact=true", "boards_not_exact", "boards"),
        ("tictactoe:marks=crosses,boards=5", "bad_value", "boards"),
        ("tictactoe:boards=0", "bad_value", "boards"),
        ("tictactoe:marks=mine", "bad_value", "marks"),
        ("tictactoe:exact=yes", "bad_value", "exact"),
        ("tictactoe:claim=true,misere=true", "claim_not_misere", "claim"),
        ("tictactoe:claim=true,marks=wild", "claim_needs_owners", "claim"),
        ("tictactoe:claim=true,marks=crosses", "claim_needs_owners", "claim"),
    ],
)
def test_bad_combinations_name_code_and_option(spec: str, code: str, option: str) -> None:
    from kletka.words import LANGUAGES, known

    with pytest.raises(SpecError) as caught:
        kletka.game(spec)
    assert (caught.value.code, caught.value.option) == (code, option)
    assert all(f"error.{code}" in known(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("spec", "text", "at", "code"),
    [
        ("tictactoe:marks=wild", "b2", 2, "which_sign"),
        ("tictactoe:marks=wild", "d4:x", 0, "off_board"),
        ("tictactoe:marks=wild", "b2:z", 3, "notation"),
        ("tictactoe:marks=crosses", "b2:x", 0, "notation"),
        ("tictactoe:marks=crosses,boards=2", "b2", 0, "off_board"),
        ("tictactoe:marks=crosses,boards=2", "3b2", 0, "off_board"),
        ("tictactoe:claim=true", "claim:a1", 8, "notation"),
        ("tictactoe:claim=true", "claim:a1-d1", 9, "off_board"),
        ("tictactoe:claim=true", "claim:a1-c2", 6, "not_straight"),
        ("tictactoe:claim=true", "claim:a1-b1", 6, "not_straight"),
        ("tictactoe", "claim:a1-c1", 0, "notation"),
    ],
)
def test_what_is_no_move_is_refused_by_name(spec: str, text: str, at: int, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        kletka.game(spec).parse(text)
    assert (caught.value.at, caught.value.code) == (at, code)


@pytest.mark.parametrize(
    ("spec", "position", "code"),
    [
        ("tictactoe:marks=crosses", "x.o/.../...", "position_sign"),
        ("tictactoe:marks=crosses", "xxx/xxx/...", "position_impossible"),
        ("tictactoe:marks=crosses", "xxx/.../... -1", "position_impossible"),
        ("tictactoe:marks=crosses,boards=2", "xxx/.../...", "position_layers"),
        ("tictactoe:marks=crosses,boards=2", "xxx/xxx/... .../.../...", "position_impossible"),
        ("tictactoe:marks=wild", "xxx/ooo/...", "position_impossible"),
        ("tictactoe:marks=wild,gravity=true", ".../x../...", "position_floating"),
        ("tictactoe:shape=1x7,line=3,exact=true", "xxx.ooo", "position_impossible"),
        ("tictactoe:shape=2x5,line=3,exact=true", "xxx../ooo..", "position_impossible"),
        ("tictactoe:claim=true", "xx./oo./... claim:a3-c3", "position_impossible"),
        ("tictactoe:claim=true", "xxx/oo./... claim:a3-c3", "position_impossible"),
        ("tictactoe:claim=true", "xxx/oo./... claim:c3-a3", "position_layers"),
    ],
)
def test_impossible_positions_are_refused(spec: str, position: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        kletka.game(spec).read(position)
    assert caught.value.code == code


def test_six_are_not_five() -> None:
    game = kletka.game("tictactoe:shape=3x7,line=5,exact=true")
    six = game.read("oo.oo../..o..../xxx.xx.").play(game.parse("d1"))
    assert six.outcome is None
    assert game.read(six.position) == six
    five = game.read("oo.o.../..o..../.xx.xx.").play(game.parse("d1"))
    assert five.outcome == (frozenset({0}), (0, 0), "line")
    assert game.read(five.position) == five


def test_a_finished_board_takes_no_more_marks() -> None:
    game = kletka.game("tictactoe:misere=true,marks=crosses,boards=2")
    state = game.read(".../.../... xx./.../...").play(game.parse("1c3"))
    assert state.outcome is None
    assert all(move.startswith("2") for move in state.moves())
    (reason,) = state.refuses("1a1")
    assert (reason.code, reason.places, dict(reason.facts)) == ("dead_board", ("1a1",), {"number": 1})
    assert [reason.code for reason in state.refuses("1a3")] == ["taken", "dead_board"]
    lost = game.read("xx./.../... xxx/.../...").play(game.parse("2c3"))
    assert lost.outcome == (frozenset({0}), (0, 0), "misere")


def test_a_figure_with_a_line_of_each_reads_only_where_lines_are_claimed() -> None:
    cube = kletka.game("tictactoe:shape=4x4x4,claim=true")
    state = cube.start()
    for move in ["1a1", "4a4", "1b1", "4b4", "1c1", "4c4", "1d1", "4d4", "2b2"]:
        state = state.play(cube.parse(move))
    assert state.outcome is None
    assert cube.read(state.position) == state
    with pytest.raises(NotationError) as caught:
        kletka.game("tictactoe:shape=4x4x4").read(state.position)
    assert caught.value.code == "position_impossible"
    assert state.to_move == 1
    assert state.play(cube.parse("claim:4d4-4a4")).outcome == (frozenset({1}), (0, 0), "line")
    assert [reason.code for reason in state.refuses("claim:1a1-1d1")] == ["no_line"]
    unseen = state.play(cube.parse("3c3"))
    assert unseen.play(cube.parse("claim:1a1-1d1")).outcome == (frozenset({0}), (0, 0), "line")


def test_only_a_claimed_line_wins() -> None:
    game = kletka.game("tictactoe:claim=true")
    state = game.read("xx./oo./...").play(game.parse("c3"))
    assert state.outcome is None
    assert state.to_move == 1
    (reason,) = state.refuses("claim:a2-c2")
    assert (reason.code, reason.places, dict(reason.facts)) == ("no_line", ("c2",), {"first": "a2", "last": "c2"})
    assert [reason.code for reason in state.refuses("claim:a3-c3")] == ["no_line"]
    won = state.play(game.parse("c2")).play(game.parse("CLAIM:C3-A3"))
    assert won.outcome == (frozenset({0}), (0, 0), "line")
    assert won.position == "xxx/ooo/... claim:a3-c3"
    assert game.read(won.position) == won


@pytest.mark.parametrize(
    ("position", "to_move", "claims"),
    [
        ("xxo/oox/xxo", None, set()),
        # Crosses wrote last: it would be the turn of noughts, who have no line.
        ("xxx/oxo/oox", 0, {"claim:a3-c3", "claim:c1-a3"}),
        ("ooo/xxo/xxx", 1, {"claim:a3-c3"}),
    ],
)
def test_a_full_board_leaves_only_claims(position: str, to_move: int | None, claims: set[str]) -> None:
    state = kletka.game("tictactoe:claim=true").read(position)
    assert isinstance(state, Claims)
    assert state.to_move == to_move
    assert set(state.moves()) == claims
    assert (state.outcome is not None) == (to_move is None)
