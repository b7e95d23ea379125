"""Exact values of small games of Crystals, against plain minimax with its own geometry: no code is shared."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from random import Random

import pytest

from kletka.engines import kernels
from kletka.games import game
from kletka.games.crystals import Crystals, Sheet

Square = tuple[int, int]
Shape = frozenset[Square]

NODES = 2_000_000


def crystals(spec: str) -> Crystals:
    rules = game(spec)
    assert isinstance(rules, Crystals)
    return rules


# The twin: outlines by their definition, games by trying everything.


def mirrors(x: int, y: int, cx: int, cy: int) -> set[Square]:
    """Where the four mirrors through a centre (in half squares) take a square."""
    dx, dy = 2 * x - cx, 2 * y - cy
    return {((cx + u) // 2, (cy + v) // 2) for u, v in ((-dx, dy), (dx, -dy), (dy, dx), (-dy, -dx))}


def near(square: Square) -> set[Square]:
    x, y = square
    return {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}


def flood(start: Square, within: set[Square]) -> set[Square]:
    found, fresh = {start}, [start]
    while fresh:
        more = (near(fresh.pop()) & within) - found
        found |= more
        fresh += more
    return found


def sound(shape: Shape, cx: int, cy: int, size: int) -> bool:
    """Joined by edges, no hole, and no bay undercut: what is empty slides straight out, away from the centre and along
    the nearer axis."""
    if flood(min(shape), set(shape)) != shape:
        return False
    around = {(x, y) for x in range(-1, size + 1) for y in range(-1, size + 1)} - shape
    if flood((-1, -1), around) != around:
        return False
    for x, y in around:
        dx, dy = 2 * x - cx, 2 * y - cy
        for out, across in ((dx, dy), (dy, dx)):
            if abs(out) < abs(across):
                continue
            step = 1 if out > 0 else -1
            way = range(1, size + 2)
            path = [(x + step * n, y) if out == dx and across == dy else (x, y + step * n) for n in way]
            if out and shape & set(path):
                return False
    return True


@cache
def shapes(size: int) -> tuple[Shape, ...]:
    """All legal outlines of at least four squares on a square board."""
    found = set()
    board = {(x, y) for x in range(size) for y in range(size)}
    for cx in range(2 * size - 1):
        for cy in range(cx % 2, 2 * size - 1, 2):
            orbits = set()
            for square in board:
                orbit = {square}
                while (more := orbit | {image for one in orbit for image in mirrors(*one, cx, cy)}) != orbit:
                    orbit = more
                if orbit <= board:
                    orbits.add(frozenset(orbit))
            some = chain.from_iterable(combinations(sorted(orbits, key=sorted), n) for n in range(1, len(orbits) + 1))
            for chosen in some:
                shape = frozenset().union(*chosen)
                if len(shape) >= 4 and sound(shape, cx, cy, size):
                    found.add(shape)
    return tuple(found)


Grid = tuple[int, int, int]
"""The mover's free atoms, the other's, free squares: a bit for each square, row by row from below."""


@cache
def masks(size: int) -> tuple[int, ...]:
    return tuple(sum(1 << y * size + x for x, y in shape) for shape in shapes(size))


@cache
def net(size: int, grid: Grid, passed: bool) -> int:
    """How many squares more than the other the mover gets from here on."""
    mine, theirs, free = grid
    mine_or_free, theirs_or_free = mine | free, theirs | free
    if not any(not shape & ~mine_or_free or not shape & ~theirs_or_free for shape in masks(size)):
        return 0
    within = [shape for shape in masks(size) if not shape & ~mine_or_free]
    best = -99
    for square in [*(1 << i for i in range(size * size) if free >> i & 1), 0]:
        own, left = mine | square, free & ~square
        for shape in [0, *(shape for shape in within if (shape & own).bit_count() >= 4)]:
            if not square and not shape:
                best = max(best, 0 if passed else -net(size, (theirs, own, left), True))
            else:
                after = (theirs, own & ~shape, left & ~shape)
                best = max(best, shape.bit_count() - net(size, after, False))
    return best


def text(size: int, grid: Grid, passed: bool) -> str:
    mine, theirs, free = grid
    signs = ["#"] * (size * size)
    for mask, sign in ((mine, "a"), (theirs, "b"), (free, ".")):
        for i in range(size * size):
            if mask >> i & 1:
                signs[i] = sign
    return f"{''.join(signs)} 0 0,0 0{int(passed)} 00"


def some_grid(size: int, rng: Random) -> Grid:
    """At least ten atoms, the two sorts mostly on either side of a line; sometimes a square is in a crystal."""
    squares = list(range(size * size))
    rng.shuffle(squares)
    count = rng.randint(10, 12) if size == 4 else rng.randint(20, 22)
    slope = rng.choice(((1, 0), (0, 1), (1, 1)))
    bound = rng.randint(1, size - 1) * sum(slope)
    mine = theirs = 0
    for at in squares[:count]:
        if (at % size * slope[0] + at // size * slope[1] < bound) != (rng.random() < 0.1):
            mine |= 1 << at
        else:
            theirs |= 1 << at
    return mine, theirs, sum(1 << at for at in squares[count + rng.choice((0, 0, 1)) :])


@pytest.mark.parametrize(("size", "positions", "least"), [(4, 120, 30), (5, 80, 20)])
def test_values_against_minimax(size: int, positions: int, least: int) -> None:
    kernel = kernels.crystals(crystals(f"crystals:board={size}x{size}"))
    rng = Random(size)
    decided = 0
    for _ in range(positions):
        grid, passed = some_grid(size, rng), rng.random() < 0.2
        value = net(size, grid, passed)
        atom, grown, found, _, known = kernel.exact(text(size, grid, passed), NODES)
        assert known
        assert found == value, text(size, grid, passed)
        decided += value != 0
        # Its move gets as much.
        mine, theirs, free = grid
        square = 1 << atom if atom >= 0 else 0
        shape = sum(1 << i for i in chain.from_iterable(grown))
        assert square & ~free == 0
        mine, free = mine | square, free & ~square
        assert not shape or (shape in masks(size) and not shape & ~(mine | free) and (shape & mine).bit_count() >= 4)
        if square or shape or not passed:
            after = (theirs, mine & ~shape, free & ~shape)
            assert shape.bit_count() - net(size, after, not square and not shape) == value
        else:
            assert value == 0
    assert decided >= least


def test_known_counts_of_shapes() -> None:
    # At the centre of 5x5: nine shapes of up to three wedge rows, one of them a single square.
    middle = [shape for shape in shapes(5) if {sum(axis) / len(shape) for axis in zip(*shape, strict=True)} == {2.0}]
    assert len(middle) == 8


@pytest.mark.parametrize("board", ["3x3", "3x5", "4x4", "4x5"])
def test_small_boards_are_draws(board: str) -> None:
    kernel, start = kernels.crystals(crystals(f"crystals:board={board}")), crystals(f"crystals:board={board}").start()
    _, _, value, _, known = kernel.exact(kernels.crystals_text(start), NODES)
    assert (value, known) == (0, True)


@pytest.mark.parametrize("variant", ["axes=2", "interlock=allowed", "axes=2,interlock=allowed", "fill=full", "least=5"])
@pytest.mark.parametrize("claims", ["one", "any"])
def test_values_of_other_rules_by_the_rules_themselves(variant: str, claims: str) -> None:
    """The solver's move gains its value, counting what the other side has after it; no other move gains more."""
    rules = crystals(f"crystals:board=3x4,{variant},claims={claims}")
    kernel = kernels.crystals(rules)

    def value(state: Sheet) -> int:
        if state.to_move is None:
            return 0
        found = kernel.exact(kernels.crystals_text(state), NODES)
        assert found[-1]
        return found[2]

    for number in range(12):
        rng, state = Random(f"{variant}/{number}"), rules.start()
        for _ in range(2 + number % 5):
            state = state.play(state.sample(rng)) if state.to_move is not None else state
        if state.to_move is None or state.passed:
            continue
        seat = state.to_move
        best = value(state)
        chosen = kernel.exact(kernels.crystals_text(state), NODES)
        outlines = [sum(1 << square for square in shape) for shape in chosen[1]]
        own = rules.move(None if chosen[0] < 0 else chosen[0], outlines)
        nets = {}
        for move in {*state.moves(), own, *(state.sample(rng) for _ in range(20))}:
            after = state.play(move)
            nets[move] = after.scores[seat] - state.scores[seat] - value(after)
        assert nets[own] == best == max(nets.values())


def test_what_the_solver_does_not_take_on() -> None:
    for spec, most in [("crystals:board=6x6", 26), ("crystals:board=4x4", 15)]:
        start = crystals(spec).start()
        assert not kernels.crystals(start.game).exact(kernels.crystals_text(start), NODES, most)[-1]
    three = crystals("crystals:board=3x3,players=3").start()
    with pytest.raises(ValueError, match="two"):
        kernels.crystals(three.game).exact(kernels.crystals_text(three), 10)
    swap = crystals("crystals:board=4x4,swap=true").start()
    with pytest.raises(ValueError, match="swap"):
        kernels.crystals(swap.game).exact(kernels.crystals_text(swap.play(swap.game.parse("b2"))), 10)


def test_a_solver_that_is_cut_short_says_so() -> None:
    start = crystals("crystals:board=4x5").start()
    assert not kernels.crystals(start.game).exact(kernels.crystals_text(start), 100)[-1]
