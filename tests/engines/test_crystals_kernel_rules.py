"""The kernel of Crystals plays by the Python rules: same crystals, same counts of moves, same random games."""

from __future__ import annotations

from random import Random

import pytest

from kletka.engines import kernels
from kletka.engines.playouts import SplitMix64
from kletka.games import game, perft
from kletka.games.crystals import Crystals, Sheet, flaws
from kletka.games.crystals.maxima import fits

_WORD = (1 << 64) - 1


def crystals(spec: str) -> Crystals:
    rules = game(spec)
    assert isinstance(rules, Crystals)
    return rules


def after_random(spec: str, turns: int, seed: object) -> Sheet:
    """A position after so many random moves."""
    rng = Random(f"{spec}/{seed}")
    state = crystals(spec).start()
    for _ in range(turns):
        if state.to_move is None:
            break
        state = state.play(state.sample(rng))
    return state


VARIANTS = (
    "",
    "axes=2",
    "interlock=allowed",
    "axes=2,interlock=allowed",
    "fill=full",
    "axes=2,fill=full",
    "interlock=allowed,fill=full",
    "axes=2,interlock=allowed,fill=full",
    "players=4,least=5",
    "players=3,axes=2,least=8",
    "players=3,axes=2,interlock=allowed,least=8",
    "claims=any,swap=true",
)
BOARDS = ("7x7", "6x8", "diamond9", "cross8", "ring7", "1-1-2-2.0-7.1-3.0-8.2-3")


def spec(board: str, variant: str) -> str:
    players, comma, rest = variant.partition(",")
    if players.startswith("players"):
        return f"crystals:board={board},{players}{comma}{rest}"
    return f"crystals:board={board}{variant and ','}{variant}"


@pytest.mark.parametrize("board", [*BOARDS, "12x11", "diamond15"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_maximal_crystals(board: str, variant: str) -> None:
    made = spec(board, variant)
    kernel = kernels.crystals(crystals(made))
    paper = crystals(made).paper
    large = paper.board.width > 10
    found = 0
    for number in range(4 if large else 8):
        state = after_random(made, 2 + 5 * number, number)
        text = kernels.crystals_text(state)
        for seat in range(state.game.seats):
            # With a budget of 0: what the principal moves use; the same sets, where one set is the largest.
            cheap = [(*one.middle, one.size, one.atoms, one.exact) for one in state.maximal(seat, 0)]
            assert [(x, y, len(at), n, exact) for x, y, at, n, exact in kernel.maximal(text, seat, 0)] == cheap
            if paper.interlock and not (large and paper.axes == 2):
                exact = state.maximal(seat)
                mine = kernel.maximal(text, seat)
                assert all(one[4] for one in mine)
                assert [(x, y, len(at), n >= paper.least) for x, y, at, n, _ in mine] == [
                    (*one.middle, one.size, one.atoms >= paper.least) for one in exact
                ]
                available = state.atoms(seat) if paper.full else state.available(seat)
                for _, _, at, _, _ in mine:
                    mask = sum(1 << square for square in at)
                    assert not mask & ~available
                    assert flaws(paper, mask) == ()
            found += len(cheap)
    assert found or "full" in variant or "least=8" in variant


@pytest.mark.parametrize("variant", VARIANTS)
def test_dead_boards(variant: str) -> None:
    made = spec("diamond7", variant)
    kernel = kernels.crystals(crystals(made))
    seen = set()
    for number in range(40):
        state = after_random(made, 3 + number, number)
        dead = not any(fits(state.game.paper, state.available(seat)) for seat in state.staying)
        assert kernel.dead(kernels.crystals_text(state)) == dead
        seen.add(dead)
    assert seen == {False, True} or "full" in variant


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("board", ["3x3", "4x5", "ring5"])
def test_perft(board: str, variant: str) -> None:
    made = spec(board, variant)
    kernel = kernels.crystals(crystals(made))
    for turns in (0, 5, 9):
        state = after_random(made, turns, turns)
        text = kernels.crystals_text(state)
        for depth in range(3):
            assert kernel.perft(text, depth) == perft(state, depth)


def by_rules(state: Sheet, seed: int, games: int, turns: int) -> int:
    """What the kernel's checksum is, from the Python rules."""
    random, total = SplitMix64(seed), 0

    def mix(value: int) -> None:
        nonlocal total
        total = ((total << 5 | total >> 59) & _WORD ^ value) * 0x9E3779B97F4A7C15 & _WORD

    for _ in range(games):
        at = state
        for _ in range(turns):
            moves = at.moves()
            if not moves:
                break
            chosen = random.below(len(moves))
            mix(len(moves))
            mix(chosen)
            at = at.play(moves[chosen])
        mix(int(at.to_move is None))
        for score in at.scores:
            mix(score)
    return total


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("board", "games", "turns"), [("4x4", 6, 99), ("6x6", 3, 99), ("7x8", 1, 99), ("ring9", 1, 60), ("14x13", 1, 3)]
)
def test_the_same_random_games(board: str, games: int, turns: int, variant: str) -> None:
    state = crystals(spec(board, variant)).start()
    if state.to_move is None:
        pytest.skip("nothing can be grown there")
    for seed in (1, (1 << 64) - 1):
        mine = kernels.crystals(state.game).checksum(kernels.crystals_text(state), seed, games, turns)
        assert mine == by_rules(state, seed, games, turns)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".... 0 0,0 00",
        "... 0 0,0 00 00",
        "...x 0 0,0 00 00",
        "...c 0 0,0 00 00",
        ".... 2 0,0 00 00",
        ".... 01 0,0 00 00",
        ".... 0 0 00 00",
        ".... 0 0, 00 00",
        ".... 0 0,5 00 00",
        ".... 0 0,x 00 00",
        ".... 0 0,0,0 00 00",
        ".... 0 0,0 0 00",
        ".... 0 0,0 02 00",
        ".... 0 0,0 00 00 ",
        ".... 0 0,0 00 10",
    ],
)
def test_no_position(text: str) -> None:
    with pytest.raises(ValueError, match="position"):
        kernels.crystals(crystals("crystals:board=2x2")).perft(text, 1)


def test_squares_cut_out_stay_so() -> None:
    with pytest.raises(ValueError, match="cut out"):
        kernels.crystals(crystals("crystals:board=ring5")).perft(f"{'.' * 25} 0 0,0 00 00", 1)
