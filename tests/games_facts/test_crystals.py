"""Crystals against its printed figures and game, published counts, and rules written a second time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest

from kletka.games import NotationError, SpecError, State, game
from kletka.games.crystals import Crystals, Maximal, Paper, Sheet, fits, flaws, maxima, squares_text
from kletka.games.crystals.board import read_board
from kletka.games.crystals.paper import convex
from kletka.records import parse, replay
from tests.games_facts import crystal_twins as twins
from tests.games_facts.crystal_twins import Shape, shape

PERMISSIBLE = {
    "diamond": "...#.../..###../.#####./#######/.#####./..###../...#...",
    "hash": ".#.#./#####/.###./#####/.#.#.",
    "square": "##/##",
    "plus": ".#./###/.#.",
    "notched cross": "...#.#.../...###.../...###.../#########/.#######./#########/...###.../...###.../...#.#...",
    "X": ".#.....#./###...###/.###.###./..#####../...###.../..#####../.###.###./###...###/.#.....#.",
}
IMPERMISSIBLE = {
    "H": ("#.#/#.#/###/#.#/#.#", "not_symmetric"),
    "detached X": ("#..#/.##./.##./#..#", "not_joined"),
    "ring": ("###/#.#/###", "hole"),
    "T-ended plus": ("..###../...#.../#..#..#/#######/#..#..#/...#.../..###..", "interlock"),
}
MAZE = (
    "1-4-1-1-3-5-1-5-3-1-1-4.1-2-1-4-1-3-1-2-1-2-1-3-1-4-1-2.0-3-1-2-1-1-1-6-1-6-1-1-1-2-1-3.0-2-1-2-1-4-"
    "2-1-5-1-2-4-1-2-1-2.0-7-1-2-1-4-1-4-1-2-1-7.2-1-3-2-1-4-1-3-1-4-1-2-3-1.0-3-1-3-1-2-4-3-4-2-1-3-1-3."
    "0-1-1-3-1-6-3-1-3-6-1-3-1-1.0-1-2-2-1-3-1-3-2-1-2-3-1-3-1-2-2-1.1-7-1-4-2-1-2-4-1-7.0-3-2-1-1-4-1-2-"
    "1-1-1-2-1-4-1-1-2-3.0-7-1-1-1-4-1-1-1-4-1-1-1-7.3-3-5-1-1-2-1-2-1-1-5-3.4-2-2-6-3-6-2-2.6-4-1-4-1-4-"
    "1-4.1-7-6-3-6-7.6-4-1-4-1-4-1-4.4-2-2-6-3-6-2-2.3-3-5-1-1-2-1-2-1-1-5-3.0-7-1-1-1-4-1-1-1-4-1-1-1-7."
    "0-3-2-1-1-4-1-2-1-1-1-2-1-4-1-1-2-3.1-7-1-4-2-1-2-4-1-7.0-1-2-2-1-3-1-3-2-1-2-3-1-3-1-2-2-1.0-1-1-3-"
    "1-6-3-1-3-6-1-3-1-1.0-3-1-3-1-2-4-3-4-2-1-3-1-3.2-1-3-2-1-4-1-3-1-4-1-2-3-1.0-7-1-2-1-4-1-4-1-2-1-7."
    "0-2-1-2-1-4-2-1-5-1-2-4-1-2-1-2.0-3-1-2-1-1-1-6-1-6-1-1-1-2-1-3.1-2-1-4-1-3-1-2-1-2-1-3-1-4-1-2.1-4-"
    "1-1-3-5-1-5-3-1-1-4"
)
"""A board of 31x31 with paths around many holes: only its middle has eight squares joined about it."""
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "crystals-solomon.kletka"


def _game(spec: str) -> Crystals:
    made = game(spec)
    assert isinstance(made, Crystals)
    return made


def _paper(side: int, axes: int = 4, interlock: bool = False, least: int = 4) -> Paper:
    allowed = "allowed" if interlock else "forbidden"
    return _game(f"crystals:board={side}x{side},axes={axes},interlock={allowed},least={least}").paper


def _flaws(figure: str, axes: int = 4, interlock: bool = False) -> set[str]:
    paper = _paper(9, axes, interlock)
    return {code for code, _ in flaws(paper, paper.board.of(shape(figure)))}


# Figures


@pytest.mark.parametrize("name", PERMISSIBLE)
@pytest.mark.parametrize("axes", [4, 2])
def test_the_permissible_figures(name: str, axes: int) -> None:
    assert _flaws(PERMISSIBLE[name], axes) == set()
    assert twins.legal_shape(shape(PERMISSIBLE[name]), axes, False)


@pytest.mark.parametrize("name", IMPERMISSIBLE)
def test_the_impermissible_figures(name: str) -> None:
    figure, code = IMPERMISSIBLE[name]
    assert _flaws(figure) == {code}
    assert not twins.legal_shape(shape(figure), 4, False)


def test_two_axes_take_the_h_but_not_the_t_ended_plus() -> None:
    assert _flaws(IMPERMISSIBLE["H"][0], 2) == set()
    assert _flaws(IMPERMISSIBLE["T-ended plus"][0], 2) == {"interlock"}


def test_where_interlocking_is_allowed_only_the_t_ended_plus_is_legal_too() -> None:
    assert {name for name, (figure, _) in IMPERMISSIBLE.items() if not _flaws(figure, 4, True)} == {"T-ended plus"}


def test_flaws_name_their_squares() -> None:
    paper = _paper(9)
    board = paper.board

    def places(figure: str) -> dict[str, set[str]]:
        found = flaws(paper, board.of(shape(figure)))
        return {code: set(board.places(squares)) for code, squares in found}

    assert places("###/#.#/###") == {"hole": {"b2"}}
    assert places("#..#/.##./.##./#..#") == {"not_joined": {"a1", "d1", "a4", "d4"}}
    assert places("##./###/.##") == {"not_symmetric": {"a3", "c1"}}
    assert places("#.../..../..../..##") == {
        "not_symmetric": {"a4", "c1", "d1"},
        "not_joined": {"a4"},
    }
    # The arms of the T-ended plus that no atom may leave.
    ends = places(IMPERMISSIBLE["T-ended plus"][0])["interlock"]
    assert ends == {"c1", "e1", "a3", "a5", "g3", "g5", "c7", "e7"}


# The walking atom


def _wedge(radius: int, corner: bool) -> list[Shape]:
    """The orbits about a centre, by their place in the wedge, in doubled coordinates from the centre."""
    half = 1 if corner else 0
    found = []
    for a in range(radius):
        for b in range(a, radius):
            u, v = 2 * a + half, 2 * b + half
            around = {(s * p, t * q) for s, t in product((1, -1), repeat=2) for p, q in ((u, v), (v, u))}
            found.append(frozenset(((p + 2 * radius - half) // 2, (q + 2 * radius - half) // 2) for p, q in around))
    return found


@pytest.mark.parametrize(("side", "published"), [(1, 1), (2, 3), (3, 9), (4, 31), (5, 129)])
@pytest.mark.parametrize("corner", [False, True])
def test_the_walking_atom_and_the_rows_agree_on_every_symmetric_set(side: int, published: int, corner: bool) -> None:
    orbits = _wedge(side, corner)
    paper = _paper(2 * side + 1)
    centre = paper.centre_by_middle[(2 * side - corner,) * 2]
    walking = 0
    for bits in range(1, 1 << len(orbits)):
        cells = frozenset().union(*(orbit for i, orbit in enumerate(orbits) if bits >> i & 1))
        mask = paper.board.of(cells)
        by_rows = convex(paper, centre, ~mask) == [mask]
        assert by_rows == twins.walks(cells), sorted(cells)
        walking += by_rows
    assert walking == published


@pytest.mark.parametrize(("side", "published"), [(6, 651), (7, 3913)])
def test_the_numbers_of_crystals_about_a_centre(side: int, published: int) -> None:
    paper = _paper(2 * side + 1)
    places = [(a, b) for a in range(side) for b in range(a, side)]
    orbits = dict(zip(places, _wedge(side, False), strict=True))
    found = set()
    for rows in _rows(side):
        cells = frozenset().union(*(orbits[a, b] for a, last in enumerate(rows) for b in range(a, last + 1)))
        assert not flaws(paper, paper.board.of(cells))
        found.add(cells)
    assert len(found) == published


def _rows(side: int) -> Iterator[tuple[int, ...]]:
    """The last orbits of the rows of a wedge, by the theorem's words."""

    def grow(rows: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if rows:
            yield rows
        a = len(rows)
        if a < side and (not rows or rows[-1] >= a):
            for last in range(a, side):
                yield from grow((*rows, last))

    return grow(())


@pytest.mark.parametrize(("axes", "interlock", "published"), [(4, False, 31), (4, True, 33)])
def test_the_numbers_of_shapes_by_the_twin(axes: int, interlock: bool, published: int) -> None:
    board = twins.square_board(7)
    orbits = list(twins.orbits(board, 6, 6, axes))
    sets = (frozenset().union(*chosen) for n in range(1, len(orbits) + 1) for chosen in combinations(orbits, n))
    paper = _paper(7, axes, interlock)
    found = 0
    for cells in sets:
        legal = twins.legal_shape(cells, axes, interlock)
        assert legal == (not flaws(paper, paper.board.of(cells)))
        found += legal
    assert found == published


def test_the_union_of_two_crystals_about_a_centre_is_one() -> None:
    orbits = _wedge(4, False)
    paper = _paper(9)
    crystals = []
    for bits in range(1, 1 << len(orbits)):
        mask = paper.board.of(frozenset().union(*(orbit for i, orbit in enumerate(orbits) if bits >> i & 1)))
        if not flaws(paper, mask):
            crystals.append(mask)
    assert len(crystals) == 31
    assert all(one | other in crystals for one, other in combinations(crystals, 2))


# Maximal crystals

VARIANTS = [(axes, interlock) for axes in (4, 2) for interlock in (False, True)]


@pytest.mark.parametrize(("axes", "interlock"), VARIANTS)
def test_maximal_crystals_are_the_largest_of_all_shapes(axes: int, interlock: bool) -> None:
    """On random boards with barred squares and atoms, against every legal outline found by brute force."""
    rng = Random(f"{axes}{interlock}")
    for side in (4, 5):
        board = twins.square_board(side)
        by_middle: dict[tuple[int, int], list[Shape]] = {}
        for cells in twins.all_shapes(board, axes, interlock, 4):
            by_middle.setdefault(_middle(cells), []).append(cells)
        for _ in range(25):
            barred = {spot for spot in board if rng.random() < rng.choice((0.1, 0.2, 0.4))}
            atoms = {spot for spot in board - barred if rng.random() < 0.4}
            paper = _paper(side, axes, interlock)
            available, own = paper.board.of(board - barred), paper.board.of(atoms)
            listed = list(maxima(paper, available, own))
            assert all(one.exact and not flaws(paper, one.squares) for one in listed)
            assert all(one.atoms == (one.squares & own).bit_count() and not one.squares & ~available for one in listed)
            for middle, shapes in by_middle.items():
                fitting = [cells for cells in shapes if not cells & barred]
                found = [one for one in listed if one.middle == middle]
                if interlock:
                    assert _best(fitting, atoms) == _best_listed(found)
                else:
                    largest = {cells for cells in fitting if not any(cells < other for other in fitting)}
                    assert {frozenset(paper.board.spots(one.squares)) for one in found} == largest


def _middle(cells: Shape) -> tuple[int, int]:
    x0, y0, x1, y1 = twins.box(cells)
    return x0 + x1, y0 + y1


def _best(fitting: list[Shape], atoms: set[tuple[int, int]]) -> tuple[bool, int]:
    return max(((len(cells & atoms) >= 4, len(cells)) for cells in fitting), default=(False, 0))


def _best_listed(found: list[Maximal]) -> tuple[bool, int]:
    return max(((one.atoms >= 4, one.size) for one in found), default=(False, 0))


def test_the_frontier_agrees_with_all_sets_in_a_wedge_of_four() -> None:
    """Holes to cut open need room: every set of orbits about the middle of 7x7, for random barred orbits."""
    paper = _paper(7, 4, True)
    board = twins.square_board(7)
    orbits = list(twins.orbits(board, 6, 6, 4))
    legal = []
    for count in range(1, len(orbits) + 1):
        for chosen in combinations(orbits, count):
            cells = frozenset().union(*chosen)
            if len(cells) >= 4 and twins.legal_shape(cells, 4, True):
                legal.append(cells)
    centre = [paper.centre_by_middle[6, 6]]
    rng, cut = Random(5), 0
    for _ in range(300):
        barred = frozenset().union(*(orbit for orbit in orbits if rng.random() < 0.2))
        atoms = {spot for spot in board - barred if rng.random() < 0.25}
        listed = list(maxima(paper, paper.board.of(board - barred), paper.board.of(atoms), None, centre))
        fitting = [cells for cells in legal if not cells & barred]
        assert _best(fitting, atoms) == _best_listed(listed)
        cheap = list(maxima(paper, paper.board.of(board - barred), paper.board.of(atoms), 0, centre))
        cut += any(not one.exact for one in cheap)
        assert all(not flaws(paper, one.squares) for one in cheap)
    assert cut > 30


@pytest.mark.parametrize("least", [4, 5, 8])
@pytest.mark.parametrize(("axes", "interlock"), VARIANTS)
def test_dead_boards_are_those_on_which_no_shape_fits(axes: int, interlock: bool, least: int) -> None:
    rng, dead = Random(f"{axes}{interlock}{least}"), 0
    paper = _paper(5, axes, interlock, least)
    board = twins.square_board(5)
    shapes = twins.all_shapes(board, axes, interlock, least)
    for _ in range(150):
        barred = {spot for spot in board if rng.random() < rng.choice((0.3, 0.5))}
        fitting = any(not cells & barred for cells in shapes)
        assert fits(paper, paper.board.of(board - barred)) == fitting
        dead += not fitting
    assert 5 < dead < 145


# The printed game


def test_the_specimen_game() -> None:
    record = parse(EXAMPLE.read_text("utf-8"))
    states = [state for state in replay(record) if isinstance(state, Sheet)]
    end = states[-1]
    # The start, 61 moves, and the player who gave up.
    assert len(states) == 63
    assert [one.squares.bit_count() for one in end.crystals] == [73, 12, 13, 29, 13, 5, 28, 16]
    assert end.scores == (107, 82)
    assert all((one.squares & end.own[one.seat]).bit_count() == 4 for one in end.crystals)
    assert all(twins.legal_shape(frozenset(end.game.board.spots(one.squares)), 4, False) for one in end.crystals)
    assert record.result is not None
    assert record.result.winners == {0}


@pytest.mark.parametrize(("move", "seat", "centre", "size"), [(11, 0, (11, 17), 112), (37, 0, (20, 36), 17)])
def test_what_the_specimen_game_overlooked(move: int, seat: int, centre: tuple[int, int], size: int) -> None:
    states = list(replay(parse(EXAMPLE.read_text("utf-8"))))
    before = states[move - 1]
    assert isinstance(before, Sheet)
    placed = states[move]
    assert isinstance(placed, Sheet)
    best = before.with_atom(placed.order[-1]).growable(seat)[0]
    assert (best.middle, best.size) == (centre, size)


def test_what_the_other_player_overlooked_after_move_20() -> None:
    after = list(replay(parse(EXAMPLE.read_text("utf-8"))))[20]
    assert isinstance(after, Sheet)
    best = after.growable(1)[0]
    assert (best.size, best.middle) == (81, (30, 10))


# Turns


def _refused(state: State, text: str) -> dict[str, tuple[str, ...]]:
    return {reason.code: reason.places for reason in state.refuses(state.game.parse(text))}


def _state(spec: str, position: str) -> Sheet:
    state = game(spec).read(position)
    assert isinstance(state, Sheet)
    return state


FIVE = "crystals:board=5x5"
SEVEN = "crystals:board=7x7"


def test_a_turn_places_and_grows() -> None:
    state = _state(SEVEN, "1b2.2e5.1d2.2a5.1b4.2e1 - 1 - -")
    after = state.play(game(SEVEN).parse("d4+b-d2.b-d3.b-d4"))
    assert isinstance(after, Sheet)
    assert after.scores == (9, 0)
    assert after.to_move == 1
    assert after.position == "1b2.2e5.1d2.2a5.1b4.2e1.1d4 1:b-d2.b-d3.b-d4 2 - -"
    # Its squares are dead for both.
    assert set(_refused(after, "c3")) == {"grown"}
    assert set(_refused(after, "e5")) == {"taken"}


def test_a_crystal_may_be_grown_later_and_without_an_atom() -> None:
    state = _state(SEVEN, "1b2.1d2.1b4.1d4.2e5 - 1 2 -")
    after = state.play(game(SEVEN).parse("pass+b-d2.b-d3.b-d4"))
    assert isinstance(after, Sheet)
    assert after.scores == (9, 0)
    # A turn that grows is no pass.
    assert not after.passed
    assert after.to_move == 1


def test_every_reason_that_applies_is_given() -> None:
    state = _state("crystals:board=7x7", "1b2.2c3.1d4 - 1 - -")
    # A ring with an arm, around an atom of the other's: lopsided, with a hole, too poor, and foreign.
    found = _refused(state, "c2+a-c1.a1.a2.c2.a-c3.d3")
    assert set(found) == {"not_symmetric", "hole", "foreign", "too_few"}
    assert found["foreign"] == ("c3",)
    assert found["hole"] == ("b2",)
    assert set(_refused(state, "c3+a1.a3")) == {"taken", "not_symmetric", "not_joined", "too_few"}
    assert state.position == "1b2.2c3.1d4 - 1 - -"


def test_overlapping_and_several_crystals() -> None:
    position = "1a1.1b1.1a2.1b2.1d1.1e1.1d2.1e2.2e5 - 1 - -"
    two = "pass+a-b1.a-b2+d-e1.d-e2"
    assert set(_refused(_state(FIVE, position), two)) == {"many"}
    assert set(_refused(_state(f"{FIVE},claims=any", position), two)) == set()
    assert "overlap" in _refused(_state(f"{FIVE},claims=any", position), "pass+a-b1.a-b2+b-d1.b-d2")
    grown = _state(f"{FIVE},claims=any", position).play(game(f"{FIVE},claims=any").parse(two))
    assert grown.scores == (8, 0)
    assert _refused(grown, "c1+a-b1.a-b2")["overlap"] == ("a1", "b1", "a2", "b2")


def test_atoms_in_crystals_count_no_more() -> None:
    state = _state(FIVE, "1a1.1b1.1a2.1b2.2e5.1c3 1:a-b1.a-b2 1 - -")
    assert state.atoms(0) == state.game.board.of({(2, 2)})
    assert set(_refused(state, "pass+b-d2.b-d3.b-d4")) == {"overlap", "too_few"}


def test_full_crystals_hold_an_atom_everywhere() -> None:
    spec = f"{FIVE},fill=full,interlock=allowed"
    state = _state(spec, "1c2.1b3.1d3.2e5.1c4 - 1 - -")
    assert _refused(state, "a1+c2.b-d3.c4")["unfilled"] == ("c3",)
    assert set(_refused(state, "c3+c2.b-d3.c4")) == set()


def test_a_hole_may_be_cut_out_of_the_board() -> None:
    state = _state("crystals:board=ring9", "1a1.2b1 - 1 - -")
    whole = squares_text(state.game.board, state.game.board.mask)
    reasons = _refused(state, f"c1+{whole}")
    assert "hole" in reasons
    # Its own squares can't be named: those around it are.
    assert len(reasons["hole"]) == 12


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("A1", "a1"),
        (" a1+B2-D2.b3-d3.b4-d4 ", "a1+b-d2.b-d3.b-d4"),
        ("a1+d4.b4.c4.c3.b-d2.b-d3", "a1+b-d2.b-d3.b-d4"),
        ("a1+d-e1.d-e2+a-b1.a-b2", "a1+a-b1.a-b2+d-e1.d-e2"),
    ],
)
def test_a_turn_has_one_text(typed: str, canonical: str) -> None:
    assert game(FIVE).parse(typed) == canonical


@pytest.mark.parametrize("text", ["a1+", "a1+b", "a1+b2-a2", "swap+a1", "pass+a6", "f1", "a1+a-z1", "a1++a1", "+a1"])
def test_no_turns(text: str) -> None:
    with pytest.raises(NotationError):
        game(FIVE).parse(text)


# Swap, passes, seats that leave


def test_the_second_player_may_take_over_the_first_atom() -> None:
    made = game("crystals:board=9x9,swap=true")
    state = made.start().play(made.parse("e5"))
    after = state.play(made.parse("swap"))
    assert isinstance(after, Sheet)
    assert after.own == (0, 1 << 40)
    assert after.to_move == 0
    assert set(_refused(after, "swap")) == {"no_swap"}
    later = state.play(made.parse("a1"))
    assert set(_refused(later, "swap")) == {"no_swap"}
    assert set(_refused(made.start(), "swap")) == {"no_swap"}
    assert set(_refused(made.start().play(made.parse("pass")), "swap")) == {"no_swap"}
    assert set(_refused(game("crystals").start().play(game("crystals").parse("a1")), "swap")) == {"no_swap"}


def test_all_pass_in_a_row() -> None:
    made = game("crystals:board=9x9,players=3")
    state = made.start()
    for move in ("a1", "pass", "pass", "b1", "pass", "pass"):
        state = state.play(made.parse(move))
    assert state.outcome is None
    end = state.play(made.parse("pass"))
    assert end.outcome is not None
    assert end.outcome.reason == "passed"
    # Whoever leaves need not have passed, and whoever has passed may leave.
    left = state.without(0)
    assert left.outcome is not None
    assert left.outcome.reason == "passed"
    assert state.without(1).outcome is None


def test_the_full_board_ends_the_diagram_game() -> None:
    made = game("crystals:board=2x3,fill=full")
    state = made.start()
    for move in ("a1", "c1", "b1", "c2", "a2"):
        state = state.play(made.parse(move))
    assert state.outcome is None
    end = state.play(made.parse("b2"))
    assert end.outcome is not None
    assert end.outcome.reason == "full"


def test_a_dead_board_ends_the_game() -> None:
    made = game("crystals:board=2x2")
    state = made.start().play(made.parse("a1"))
    assert state.outcome is None
    end = state.play(made.parse("b2"))
    assert end.outcome is not None
    assert (end.outcome.reason, end.outcome.winners) == ("dead", frozenset({0, 1}))


def test_the_atoms_of_a_seat_that_leaves_stay() -> None:
    made = game("crystals:board=5x5,players=3")
    state = made.start().play(made.parse("c3")).without(0)
    assert isinstance(state, Sheet)
    assert state.owner(12) == 0
    assert set(_refused(state, "c3")) == {"taken"}
    assert "foreign" in _refused(state, "a1+b-d2.b-d3.b-d4")


# Boards and options


@pytest.mark.parametrize(
    ("board", "squares"),
    [
        *(("21x21", 441), ("1x40", 40), ("diamond21", 221), ("cross21", 441 - 4 * 49), ("ring21", 441 - 49)),
        *(("ring4", 12), ("cross3", 5), ("ring3", 8), ("1-1.0-3.1-1", 5), ("0-1-1-1", 2), ("0-1.0.0-1", 2)),
    ],
)
def test_boards(board: str, squares: int) -> None:
    assert len(read_board(board).squares) == squares


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        *(("board=0", "no_square"), ("board=0.0", "no_square"), ("board=3-0", "no_square")),
        *(("board=41x3", "board_too_large"), ("board=ring41", "board_too_large"), ("board=0-41", "board_too_large")),
        *(("board=diamond20", "bad_value"), ("board=0-3-1", "bad_value"), ("board=1-1.1-1", "bad_value")),
        *(("board=0x3", "bad_value"), ("board=cross2", "bad_value"), ("board=.", "bad_value")),
        *(("players=7", "bad_value"), ("players=1", "bad_value"), ("players=3,swap=true", "swap_needs_two")),
        *(("board=1x40", "no_room"), ("board=2x2,least=5", "no_room"), ("board=ring3", "no_room")),
        *(("axes=3", "bad_value"), ("least=3", "bad_value"), ("least=9", "bad_value")),
    ],
)
def test_bad_options(spec: str, code: str) -> None:
    with pytest.raises(SpecError) as caught:
        game(f"crystals:{spec}")
    assert caught.value.code == code


def test_any_board_fits_a_spec_and_any_crystal_a_move() -> None:
    chess = ["-".join(["0", *["1"] * 39]) if y % 2 else "-".join(["1"] * 40) for y in range(40)]
    assert len(read_board(".".join(chess)).squares) == 800
    # A crystal must have room somewhere.
    made = _game(f"crystals:board={'.'.join(['0-40', '0-40', *chess[2:]])}")
    assert len(made.board.squares) == 840
    assert game(made.spec) == made
    wide = _game("crystals:board=40x40")
    for step in (2, 3):
        dotted = wide.board.of((x, y) for x, y in product(range(40), repeat=2) if (x + 1) % step)
        assert wide.parse(wide.move(None, (dotted,))) == wide.move(None, (dotted,))


@pytest.mark.parametrize(
    "position",
    [
        *("", "- - 1 -", "- - 3 - -", "1a1.2a1 - 1 - -", "1f1 - 1 - -", "- 1:a-b1.a-b2 1 - -", "1a1 - - - -"),
        *("1a1.1b1.1a2.2b2 1:a-b1.a-b2 1 - -", "- - 1 12 -", "- - 1 - 1", "- - 2 - 1", "1a1 - 1 21 -", "x - 1 - -"),
        *("- - 1 1 -", "1a1 - 1 1 -"),
        *("1a1.1b1.1a2.1b2 1:b-a1.a-b2 1 - -", "1a1.1b1.1a2.1b2 1:a-b1.a-b2/1:a-b1.a-b2 1 - -", "- - 1 - - -"),
    ],
)
def test_impossible_positions(position: str) -> None:
    with pytest.raises(NotationError):
        game(FIVE).read(position)


def test_samples_grow_smaller_crystals_too() -> None:
    rng, sizes = Random(3), set()
    state = _state(SEVEN, "1b2.1c2.1b3.1c3.1d4.1e4.1d5.1e5.2a7 - 1 - -")
    for _ in range(300):
        move = state.sample(rng)
        assert not state.refuses(move)
        sizes |= {mask.bit_count() for mask in state.game.turn(move).outlines}
    largest = max(one.size for one in state.growable(0))
    assert largest in sizes
    assert len(sizes) > 2


def test_principal_moves_take_the_largest_crystal() -> None:
    """Each placement with the largest of all legal outlines, by brute force."""
    board = twins.square_board(5)
    for axes, fill in ((4, "implied"), (2, "implied"), (4, "full")):
        spec = f"crystals:board=5x5,axes={axes},fill={fill}"
        shapes = twins.all_shapes(board, axes, False, 4)
        rng = Random(f"{spec}")
        for _ in range(6):
            state = game(spec).start()
            for _ in range(rng.randrange(4, 16)):
                if state.to_move is not None:
                    state = state.play(state.sample(rng))
            if isinstance(state, Sheet) and state.to_move is not None:
                _check_principal(state, shapes, fill == "full")


def _check_principal(state: Sheet, shapes: tuple[Shape, ...], full: bool) -> None:
    made = state.game
    seat = state.to_move
    assert seat is not None
    grown: dict[str, int] = {}
    for move in state.moves():
        head, _, _ = move.partition("+")
        grown[head] = max(grown.get(head, 0), sum(mask.bit_count() for mask in made.turn(move).outlines))
        assert not state.refuses(move)
    free = made.board.spots(state.free)
    assert set(grown) == {made.board.names[y * 5 + x] for x, y in free} | {"pass"}
    for head, size in grown.items():
        own = made.board.spots(state.atoms(seat))
        if head != "pass":
            own |= {made.board.spot(made.board.index[head])}
        usable = own if full else own | free
        assert size == max((len(cells) for cells in shapes if cells <= usable and len(cells & own) >= 4), default=0)


@pytest.mark.parametrize("least", [5, 6, 7, 8])
@pytest.mark.parametrize("axes", [4, 2])
def test_orbits_added_one_by_one_leave_no_hole_at_first(axes: int, least: int) -> None:
    """Why boards are dead exactly where too few squares are joined to each centre, interlocking being allowed."""
    board = twins.square_board(9)
    for middle in ((8, 8), (9, 9), *(((9, 8), (8, 9)) if axes == 2 else ())):
        orbits = [orbit for orbit in twins.orbits(board, middle[0], middle[1], axes) if orbit]
        apex = min(orbits, key=lambda orbit: sum((2 * x - middle[0]) ** 2 + (2 * y - middle[1]) ** 2 for x, y in orbit))
        seen, fresh, reached = set(), [apex], 0
        while fresh:
            cells = fresh.pop()
            if cells in seen:
                continue
            seen.add(cells)
            if len(cells) >= least:
                assert not twins.holed(cells)
                reached += 1
                continue
            near = {(x + dx, y + dy) for x, y in cells for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - cells
            fresh += [cells | orbit for orbit in orbits if orbit & near]
        assert reached


def test_a_board_of_many_holes_is_judged_at_once() -> None:
    """Nothing that doesn't interlock has room, and cutting all holes open would take for ever."""
    made = _game(f"crystals:board={MAZE},axes=2,interlock=allowed,least=8")
    assert not any(
        mask.bit_count() >= 8 for centre in made.paper.centres for mask in convex(made.paper, centre, ~made.board.mask)
    )
    after = made.start().play(made.parse("pass"))
    assert after.to_move == 1
    assert made.parse("pass") in after.moves()


def test_what_can_be_grown_is_what_has_enough_atoms() -> None:
    rng, several = Random(11), 0
    for spec in (
        "crystals:board=9x13",
        "crystals:board=12x9,axes=2",
        "crystals:board=ring11,interlock=allowed,least=6",
    ):
        state = game(spec).start()
        for _ in range(30):
            if state.to_move is not None:
                state = state.play(state.game.parse(rng.choice([move for move in state.moves() if "+" not in move])))
        assert isinstance(state, Sheet)
        for seat in (0, 1):
            enough = [one for one in state.maximal(seat) if one.atoms >= state.game.paper.least]
            assert sorted(state.growable(seat)) == sorted(enough)
            several += len(enough) > 5
    assert several > 1
