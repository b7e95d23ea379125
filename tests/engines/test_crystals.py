"""Players of Crystals: when they pass and agree, what they can't overlook, and that every option is played."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from kletka.engines import LEVELS, Choice, Limit, Player, agrees, consents, engine, kernels, level, names, play_match
from kletka.engines.crystals import GREEDY, KERNEL, Grower, settled, takes_over
from kletka.engines.facets import FACETS
from kletka.games import Game, Move, game
from kletka.games.crystals import Crystals, Sheet, members

PASS = Move("pass")
ENOUGH = Limit(nodes=100_000)


def crystals(spec: str) -> Crystals:
    rules = game(spec)
    assert isinstance(rules, Crystals)
    return rules


def lopsided(spec: str, turns: int, seed: object) -> Sheet:
    """A position after so many random moves, in which only the first seat takes care to grow its crystals."""
    rng = Random(f"{spec}/{seed}")
    state = crystals(spec).start()
    for _ in range(turns):
        if state.to_move is None:
            break
        moves = [move for move in state.moves() if move != PASS] or [PASS]
        grown = [move for move in moves if "+" in move]
        state = state.play(max(grown, key=len) if grown and state.to_move == 0 else rng.choice(moves))
    return state


def scattered(spec: str, atoms: int, seed: object) -> Sheet:
    """A position after so many random atoms, if the game lasts so long, in which nothing was grown."""
    rng = Random(f"{spec}/{seed}")
    state = crystals(spec).start()
    for _ in range(atoms):
        if state.to_move is not None and state.free:
            state = state.play(state.game.move(rng.choice(list(members(state.free))), ()))
    return state


def covered(state: Sheet, seat: int) -> set[int]:
    """The squares of all maximal crystals of a seat, by the rules."""
    assert not state.game.paper.full
    assert not state.game.paper.interlock
    return {square for one in state.maximal(seat) for square in members(one.squares)}


def decided(state: Sheet) -> bool:
    """Whether a seat's lead over each other seat exceeds what that one's maximal crystals cover."""
    for first in state.staying:
        leads = {seat: state.scores[first] - state.scores[seat] for seat in state.staying - {first}}
        if all(lead > len(covered(state, seat)) for seat, lead in leads.items()):
            return True
    return False


SPECS = (
    "crystals:board=9x9",
    "crystals:board=ring9,players=3",
    "crystals:board=8x7,axes=2",
    "crystals:board=9x9,swap=true",
)


@cache
def positions() -> tuple[tuple[Sheet, bool], ...]:
    """Positions with whether they are decided; of each sort as many."""
    found: dict[bool, list[Sheet]] = {False: [], True: []}
    for number in range(400):
        state = lopsided(SPECS[number % len(SPECS)], 4 + number // 5, number)
        # Decided by little or nearly so: a lead of some squares at least.
        if state.to_move is not None and max(state.scores) > 0:
            found[decided(state)].append(state)
    fewest = min(map(len, found.values()))
    assert fewest >= 50
    return tuple((state, kind) for kind, states in found.items() for state in states[:60])


@pytest.mark.parametrize("number", [1, 5, 8])
def test_engines_pass_exactly_when_it_is_settled(number: int) -> None:
    for state, over in positions():
        assert settled(state) == over
        seat = state.to_move
        assert seat is not None
        chosen = level(state.game, number).choose(state, Random(1)).move
        assert (chosen == PASS) == over, state
        assert all(agrees(state, one) == over for one in state.staying)


def test_the_same_without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLETKA_KERNELS", "0")
    for state, over in positions()[::3]:
        assert settled(state) == over
        assert (level(state.game, 3).choose(state, Random(1)).move == PASS) == over


def played_on(state: Sheet, resting: int, rng: Random) -> Sheet:
    """Played at random to the end, with one seat placing and growing nothing more."""
    while state.to_move is not None:
        state = state.play(PASS if state.to_move == resting else state.sample(rng))
    return state


@pytest.mark.parametrize("variant", ["interlock=allowed", "axes=2,interlock=allowed", "fill=full", "axes=2,fill=full"])
def test_what_is_settled_under_other_rules(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with and without kernels, and never before a seat is out of reach of what is still to be had."""
    kinds = set()
    for number in range(60):
        state = lopsided(f"crystals:board=8x8,{variant}", 4 + number, number)
        monkeypatch.setenv("KLETKA_KERNELS", "1")
        said = settled(state)
        monkeypatch.setenv("KLETKA_KERNELS", "0")
        assert settled(state) == said
        kinds.add(said)
        if said and state.to_move is not None:
            first = max(state.staying, key=lambda seat: state.scores[seat])
            end = played_on(state, first, Random(number))
            assert end.outcome is not None
            assert end.outcome.winners == {first}
    assert kinds == {False, True} or variant.startswith("axes=2,i")


def test_other_games_are_not_ended_by_engines() -> None:
    assert consents(game("crystals"))
    assert not consents(game("dots"))
    assert not agrees(game("dots").start(), 0)


def test_a_seat_that_left_agrees_to_nothing() -> None:
    tried = (lopsided("crystals:board=7x7,players=3", 22, number) for number in range(100))
    state = next(state for state in tried if state.to_move is not None and settled(state))
    left = state.without(2)
    assert left.to_move is not None
    assert [agrees(left, seat) for seat in range(3)] == [settled(left), settled(left), False]
    assert agrees(state, 2)


# What they see


@pytest.mark.parametrize("spec", ["crystals:board=9x9", "crystals:board=9x9,axes=2", "crystals:board=7x7,fill=full"])
def test_the_largest_crystal_is_grown(spec: str) -> None:
    """Where the estimate finds nothing dearer than to grow, what is grown is the largest there is then."""
    grown = 0
    for number in range(30):
        state = scattered(spec, 8 + number, number)
        if state.to_move is None or settled(state):
            continue
        for player in (GREEDY, KERNEL, FACETS):
            move = player.choose(state, ENOUGH, Random(number)).move
            assert state.refuses(move) == ()
            atom, _, crystal = move.partition("+")
            if crystal and player is not FACETS:
                best = next((one for one in state.moves() if one.startswith(f"{atom}+")), None)
                assert best is not None
                squares = state.game.turn(Move(best)).outlines[0].bit_count()
                assert state.game.turn(move).outlines[0].bit_count() == squares
                grown += 1
    assert grown >= 10


def test_one_ply_is_worth_what_is_printed() -> None:
    """Potentials and threat of a small position, worked out by hand from the definition."""
    # On 3x3 a seat's crystals lie at nine centres: four corners of 2x2, and the middle with 9 squares.
    kernel = kernels.crystals(crystals("crystals:board=3x3"))
    square, grown, worth, nodes = kernel.choose("......... 0 0,0 00 00", 10, 1, plies=1)
    # An atom in the middle: 0.3 * (sqrt(4 * (0.25 * 4)^2 + (0.25 * 9)^2) - 1.2 * 0).
    assert (square, grown) == (4, [])
    assert worth == pytest.approx(0.3 * (4 * (0.25 * 4) ** 2 + (0.25 * 9) ** 2) ** 0.5, abs=1e-4)
    assert nodes > 0
    # In a corner: (0.25 * 4), three of (0.1 * 4), and (0.25 * 9) of one's own; the other seat keeps three of 0.1 * 4, a
    # plus of 0.1 * 5 in the middle; so much less is that.
    mine = (0.25 * 4) ** 2 + 3 * (0.1 * 4) ** 2 + (0.25 * 9) ** 2
    other = 3 * (0.1 * 4) ** 2 + (0.1 * 5) ** 2
    assert worth > 0.3 * (mine**0.5 - 1.2 * other**0.5)


def test_a_choice_repeats_and_is_legal() -> None:
    for spec in SPECS:
        for number in range(12):
            state = lopsided(spec, 2 * number, number)
            if state.to_move is None:
                continue
            for number_ in LEVELS:
                player = level(state.game, number_)
                first: Choice = player.choose(state, Random(5))
                assert player.choose(state, Random(5)) == first
                assert state.refuses(first.move) == ()
                assert first.score is None or 0 <= first.score <= 1


def test_the_one_ply_player_beats_chance() -> None:
    rules: Game = game("crystals:board=13x13")
    result = play_match(rules, Player(GREEDY, ENOUGH), Player(engine("random"), ENOUGH), 20, 1)
    assert result.wins == 20


def test_small_endings_are_played_exactly() -> None:
    exact = 0
    for number in range(40):
        state = scattered("crystals:board=5x5", 8 + number % 6, number)
        if state.to_move is None or settled(state):
            continue
        choice = KERNEL.choose(state, Limit(nodes=1_000_000), Random(1))
        if not choice.exact:
            continue
        exact += 1
        kernel, seat = kernels.crystals(state.game), state.to_move
        lead = state.scores[seat] - state.scores[1 - seat]
        after = state.play(choice.move)
        lead = after.scores[seat] - after.scores[1 - seat]
        if after.to_move is not None:
            lead -= kernel.exact(kernels.crystals_text(after), 10_000_000)[2]
        assert choice.score == (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)
    assert exact >= 5


# Swapping


def test_a_first_atom_near_the_middle_is_taken_over() -> None:
    rules = crystals("crystals:swap=true")
    board = rules.board
    taken = {square: takes_over(board, square) for square in board.squares}
    by_name = {board.names[square]: over for square, over in taken.items()}
    # Shares of games that a first atom there won on 21x21: 0 %, 22 %, 80 %, 100 %; 15 % and over 75 % near an edge.
    assert [by_name[at] for at in ("e5", "e6", "f6", "k11", "d11", "e11")] == [False, False, True, True, False, True]
    for number in (3, 8):
        player = level(rules, number)
        first = player.choose(rules.start(), Random(number)).move
        assert not by_name[first]
        middle, corner = (rules.start().play(rules.parse(at)) for at in ("k11", "b2"))
        assert player.choose(middle, Random(1)).move == "swap"
        assert player.choose(corner, Random(1)).move != "swap"
        assert player.choose(middle.play(Move("swap")), Random(1)).move != "swap"


def test_nothing_is_taken_over_in_other_games() -> None:
    middle = crystals("crystals").start().play(Move("k11"))
    assert level(middle.game, 8).choose(middle, Random(1)).move not in ("swap", PASS)


# Every option


EVERY_OPTION = (
    "crystals:board=6x7,axes=2,swap=true",
    "crystals:board=diamond9,players=3,interlock=allowed",
    "crystals:board=ring7,players=4,axes=2,interlock=allowed,least=5",
    "crystals:board=cross8,players=6,fill=full",
    "crystals:board=7x7,interlock=allowed,fill=full,claims=any",
    "crystals:board=7x7,axes=2,fill=full,least=6,claims=any,swap=true",
    "crystals:board=1-1-2-2.0-7.1-3.0-8.2-3,players=5,least=8,claims=any",
)


@pytest.mark.parametrize("spec", EVERY_OPTION)
@pytest.mark.parametrize("with_kernels", ["1", "0"])
def test_every_level_plays_every_option(spec: str, with_kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLETKA_KERNELS", with_kernels)
    rules = crystals(spec)
    for number in LEVELS if with_kernels == "1" else LEVELS[::3]:
        state, rng = rules.start(), Random(number)
        while state.to_move is not None:
            state = state.play(level(rules, number).choose(state, rng).move)
        assert state.outcome is not None


def test_engines_say_what_they_are_for() -> None:
    assert {"kernel-crystals", "kernel-greedy", "facets"} <= set(names())
    with pytest.raises(ValueError, match="no game of Crystals"):
        Grower().choose(game("dots").start(), ENOUGH, Random(1))
    over = crystals("crystals:board=9x9").start().without(0)
    with pytest.raises(ValueError, match="over"):
        KERNEL.choose(over, ENOUGH, Random(1))


def test_a_move_can_be_stopped() -> None:
    state = crystals("crystals").start()
    rushed = Grower(plies=4, width=16).choose(state, Limit(seconds=60), Random(1), stop=lambda: True)
    assert rushed.nodes < 100_000
    assert state.refuses(rushed.move) == ()


def test_sight_is_checked() -> None:
    state = crystals("crystals:board=5x5").start()
    kernel, text = kernels.crystals(state.game), kernels.crystals_text(state)
    for wrong in ({"plies": 0}, {"width": 0}, {"reach": -1}, {"miss": 101}, {"noise": -1}):
        with pytest.raises(ValueError, match="sight"):
            kernel.choose(text, 10, 1, **wrong)
    with pytest.raises(ValueError, match="over"):
        kernel.choose(text.replace(" 0 ", " - ", 1), 10, 1)
