"""Orapa Mine against a published game, the rules' own examples, and a twin that knows polygons instead of codes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

import kletka
from kletka.games import IllegalMove, KletkaError, NotationError
from kletka.games.orapa import Hunt, Orapa
from kletka.games.orapa.gems import CELLS, COLUMNS, FORMS, GEMS, PORTS, ROWS, Placement, placements, start_of
from kletka.games.orapa.mine import (
    COLOURS,
    Mine,
    answer,
    faults,
    hidden_gems,
    random_mine,
    read_code,
    read_mine,
    share_code,
    some_mines,
    text_of,
    wave,
    whites_clash,
)

SAMPLE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
"""The mine of a game played on Board Game Arena, found from its published log."""
WAVES = """
A->A blue(1) B->3 white(1) C->C white(3) D->D blue(1) E->E yellow(1) F->J white(1) G->K white(1) H->18 transparent(0)
I->1 transparent(0) J->F white(1) K->G white(1) L->17 white(1) M->M lemon(3) N->N purple(3) O->7 transparent(0)
P->P yellow(1) Q->Q yellow(1) R->10 transparent(0) 1->I transparent(0) 2->2 white(1) 3->B white(1) 4->4 skyblue(3)
5->11 blue(1) 6->6 purple(3) 7->O transparent(0) 8->12 red(1) 9->16 yellow(1) 10->R transparent(0) 11->5 blue(1)
12->8 red(1) 13->13 red(1) 14->14 red(1) 15->15 grey(7) 16->9 yellow(1) 17->L white(1) 18->H transparent(0)
"""
BOTH_EXAMPLES = "R10A1+Y3F2+B9D1+W1B1+S7C0"
"""A mine in which both examples of the rules happen."""


def orapa(spec: str = "orapa") -> Orapa:
    made = kletka.game(spec)
    assert isinstance(made, Orapa)
    return made


def played(state: Hunt, moves: str) -> Hunt:
    for move in moves.split():
        state = state.play(state.game.parse(move))
    return state


# The published game, placements and colours


def test_all_waves_of_the_published_mine() -> None:
    mine = read_mine(SAMPLE)
    for spec in ("orapa", "orapa:whites=free"):
        assert orapa(spec).faults(mine) == ()
    said = [
        f"{port}->{answer(mine, port, 'colour').replace('.', ' ')}({answer(mine, port, 'bounces').partition('.')[2]})"
        for port in PORTS
    ]
    assert " ".join(said) == " ".join(WAVES.split())


def test_the_examples_of_the_rules_in_one_mine() -> None:
    mine = read_mine(BOTH_EXAMPLES)
    assert orapa().faults(mine) == ()
    assert answer(mine, "15", "colour") == "8.lightpurple"
    assert answer(mine, "G", "colour") == "L.yellow"


def test_placements_and_colours() -> None:
    assert [len(placements(gem)) for gem in "SBWYRDK"] == [63, 188, 188, 252, 248, 284, 142]
    assert len({placed.text for gem in GEMS for placed in placements(gem)}) == 63 + 188 + 188 + 252 + 248 + 284 + 142
    assert len(COLOURS) == len(set(COLOURS.values())) == 16
    assert COLOURS["RBW"] == "lightpurple"
    assert COLOURS["YW"] == "lemon"


# A twin: gems are polygons, waves run through the middles of squares in quarters of a unit


POLYGONS = {
    "B": [(2, 0), (4, 2), (0, 2)],
    "W": [(2, 0), (4, 2), (0, 2)],
    "S": [(1, 0), (2, 1), (1, 2), (0, 1)],
    "Y": [(0, 0), (2, 2), (0, 2)],
    "R": [(1, 0), (3, 0), (2, 1), (0, 1)],
    "D": [(1, 0), (2, 1), (0, 1)],
    "K": [(0, 0), (2, 0), (2, 1), (0, 1)],
}
AREAS = {"B": 4, "W": 4, "S": 2, "Y": 2, "R": 2, "D": 1, "K": 2}
Point = tuple[Fraction | int, Fraction | int]


def turned(gem: str, form: int) -> list[tuple[int, int]]:
    corners = POLYGONS[gem]
    if gem == "R" and form > 1:
        corners = [(-x, y) for x, y in corners]
    for _ in range(form % 2 if gem == "R" else form):
        corners = [(-y, x) for x, y in corners]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    return [(x - left, y - top) for x, y in corners]


def outline(placed: Placement) -> list[tuple[int, int]]:
    return [(x + placed.column, y + placed.row) for x, y in turned(placed.gem, placed.form)]


def inside(corners: Sequence[tuple[int, int]], x: Fraction, y: Fraction) -> bool:
    """Whether a point that lies on no edge is in a polygon."""
    crossings = 0
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * Fraction(bx - ax, by - ay):
            crossings += 1
    return crossings % 2 == 1


QUARTERS = {"right": (Fraction(7, 8), Fraction(1, 2)), "left": (Fraction(1, 8), Fraction(1, 2))} | {
    "down": (Fraction(1, 2), Fraction(7, 8)),
    "up": (Fraction(1, 2), Fraction(1, 8)),
}


def quarters(corners: Sequence[tuple[int, int]], x: int, y: int) -> set[str]:
    """The quarters of a square (by its sides) that a polygon covers."""
    return {side for side, (dx, dy) in QUARTERS.items() if inside(corners, x + dx, y + dy)}


AHEAD = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
BACK = {"right": "left", "left": "right", "down": "up", "up": "down"}


class Twin:
    """A mine as polygons."""

    def __init__(self, mine: Mine) -> None:
        self.solid: dict[tuple[int, int], tuple[str, set[str]]] = {}
        for placed in mine:
            corners = outline(placed)
            for y in range(ROWS):
                for x in range(COLUMNS):
                    if covered := quarters(corners, x, y):
                        self.solid[x, y] = (placed.gem, covered)

    def wave(self, port: int) -> tuple[tuple[int, int] | None, set[str], int]:
        """Where the wave leaves the board, what it touched, and how often it bounced."""
        x, y, way = start_of(port)
        side = ("right", "left", "down", "up")[way]
        touched: set[str] = set()
        bounces = 0
        while 0 <= x < COLUMNS and 0 <= y < ROWS:
            if (x, y) in self.solid:
                gem, covered = self.solid[x, y]
                if gem == "K":
                    return None, touched, bounces
                touched.add(gem)
                bounces += 1
                entered = BACK[side]
                if entered in covered:
                    side = entered
                else:
                    # It meets the diagonal and leaves through the other free side.
                    side = next(free for free in AHEAD if free not in covered and free != entered)
            x, y = x + AHEAD[side][0], y + AHEAD[side][1]
        return (x, y), touched, bounces


def test_forms_are_the_turned_polygons() -> None:
    for gem in GEMS:
        assert len(FORMS[gem]) == len({tuple(sorted(turned(gem, form))) for form in range(len(FORMS[gem]))})
        for placed in placements(gem):
            corners = outline(placed)
            found = {
                y * COLUMNS + x: quarters(corners, x, y)
                for y in range(ROWS)
                for x in range(COLUMNS)
                if quarters(corners, x, y)
            }
            sides = [{"right", "down"}, {"left", "down"}, {"right", "up"}, {"left", "up"}, set(AHEAD)]
            assert found == {cell: sides[code - 1] for cell, code in placed.cells}
            assert sum(map(len, found.values())) == 4 * AREAS[gem]


@pytest.mark.parametrize("gems", ["RYBWS", "RYBWSD", "RYBWSDK"])
def test_waves_equal_those_among_polygons(gems: str) -> None:
    rng = Random(f"twin {gems}")
    for _ in range(60):
        mine = random_mine(rng, gems, "free")
        twin = Twin(mine)
        for port in range(len(PORTS)):
            ours, (left, touched, bounces) = wave(mine, port), twin.wave(port)
            assert ours.bounces == bounces
            assert (ours.exit is None) == (left is None)
            if ours.exit is None:
                assert ours.colour == "absorbed"
                continue
            x, y, way = start_of(ours.exit)
            dx, dy = list(AHEAD.values())[way]
            assert (x - dx, y - dy) == left
            colours = {"W" if gem == "S" else gem for gem in touched} - {"D"}
            assert ours.colour == COLOURS["".join(c for c in "RYBW" if c in colours)]


@pytest.mark.parametrize("gems", ["RYBWS", "RYBWSDK"])
def test_waves_run_back_the_same_way(gems: str) -> None:
    rng = Random(3)
    for _ in range(100):
        mine = random_mine(rng, gems, "free")
        for port in range(len(PORTS)):
            done = wave(mine, port)
            if done.exit is not None:
                back = wave(mine, done.exit)
                assert (back.exit, back.colour, back.bounces) == (port, done.colour, done.bounces)
                assert back.path == done.path[::-1]


# What is legal


def edges(corners: Sequence[tuple[int, int]]) -> set[frozenset[tuple[int, int]]]:
    """The unit sides on a polygon's outline."""
    found = set()
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = max(abs(bx - ax), abs(by - ay))
        dx, dy = (bx - ax) // length, (by - ay) // length
        found |= {
            frozenset({(ax + k * dx, ay + k * dy), (ax + (k + 1) * dx, ay + (k + 1) * dy)}) for k in range(length)
        }
    return found


def test_gems_may_lie_together_as_polygons_may() -> None:
    """Two gems overlap where they cover a quarter of the same square or halves of one; they touch along a unit side."""
    rng = Random(8)
    seen = {True: 0, False: 0}
    for _ in range(4000):
        one, other = (rng.choice(placements(gem)) for gem in rng.sample(GEMS, 2))
        squares = {cell for cell, _ in one.cells} & {cell for cell, _ in other.cells}
        apart = not squares and not edges(outline(one)) & edges(outline(other))
        assert (one.body & other.body == 0) == apart
        seen[apart] += 1
    assert min(seen.values()) > 100


def test_a_corner_may_touch_a_side() -> None:
    """The white square's corner lies in the middle of the blue gem's side."""
    mine = read_mine(SAMPLE)
    sides = {point for side in edges(outline(mine[2])) for point in side}
    assert (4, 2) in {*outline(mine[4])} & sides
    assert orapa().faults(mine) == ()


def codes(text: str, spec: str = "orapa:whites=free") -> list[str]:
    return [reason.code for reason in orapa(spec).faults(read_mine(text))]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("R8B1+Y8E0+B5A1+W2F2", "missing"),
        (SAMPLE + "+S1A0", "twice"),
        (SAMPLE + "+D1A0", "foreign"),
        (SAMPLE + "+K1A0", "foreign"),
        ("R8B1+Y8E0+B5A1+W2F2+S4B0", "overlap"),
        ("R8B1+Y8E0+B5A1+W2D2+S3C0", "overlap"),
        ("R8B1+Y3B3+B5A1+W2F2+S9G0", "touch"),
        ("R8B1+Y9B0+B5A1+W2F2+S9G0", "touch"),
    ],
)
def test_each_fault_is_named_with_its_gems(text: str, code: str) -> None:
    found = [reason for reason in orapa("orapa:whites=free").faults(read_mine(text)) if reason.code == code]
    assert found
    for reason in found:
        assert reason.facts["gem"]
        assert reason.places or code == "missing"


def hides(mine: Mine) -> set[str]:
    """Gems that a straight look from no port meets, by polygons."""
    twin = Twin(mine)
    seen = set()
    for port in range(len(PORTS)):
        x, y, way = start_of(port)
        dx, dy = list(AHEAD.values())[way]
        while 0 <= x < COLUMNS and 0 <= y < ROWS:
            if (x, y) in twin.solid:
                seen.add(twin.solid[x, y][0])
                break
            x, y = x + dx, y + dy
    return {placed.gem for placed in mine} - seen


def test_hidden_gems_are_those_that_no_straight_look_meets() -> None:
    rng = Random(11)
    found = 0
    for _ in range(1500):
        mine = tuple(rng.choice(placements(gem)) for gem in "RYBWS")
        if all(one.body & other.body == 0 for one, other in combinations(mine, 2)):
            assert {placed.gem for placed in hidden_gems(mine)} == hides(mine)
            found += 1
    assert found > 100
    for text, gem in (
        ("R5B0+Y5D3+B9B1+W4G2+S3D0", "Y"),
        ("R4H0+Y2F0+B4D2+W9E3+S5F0", "S"),
        ("R2B2+Y3C0+B3E3+W5C0+S1C0", "Y"),
    ):
        assert [placed.gem for placed in hidden_gems(read_mine(text))] == [gem] == sorted(hides(read_mine(text)))
        assert codes(text) == ["unseen"]


def mirrored(placed: Placement, across: str, twice: int) -> set[tuple[int, int]]:
    return {(twice - x, y) if across == "x" else (x, twice - y) for x, y in outline(placed)}


def test_the_whites_are_judged_by_their_mirror_images() -> None:
    """An axis of a gem is a line whose mirror image of the gem is the gem itself."""
    rng = Random(4)
    counts = {"not_centred": 0, "no_common_axis": 0}
    for _ in range(2000):
        whites = tuple(rng.choice(placements(gem)) for gem in "WS")
        lines = [("x", k) for k in range(2 * COLUMNS + 1)] + [("y", k) for k in range(2 * ROWS + 1)]
        common = {line for line in lines if all(mirrored(placed, *line) == {*outline(placed)} for placed in whites)}
        assert whites_clash(whites, "no_common_axis") == bool(common)
        assert whites_clash(whites, "not_centred") == bool(common & {("x", COLUMNS), ("y", ROWS)})
        assert not whites_clash(whites, "free")
        for rule in counts:
            counts[rule] += whites_clash(whites, rule)
    assert min(counts.values()) > 10
    assert "no_common_axis" in codes(SAMPLE, "orapa:whites=no_common_axis")


def test_random_mines_are_legal_for_every_choice_of_gems() -> None:
    for gems in ("RYBWS", "RYBWSD", "RYBWSK", "RYBWSDK"):
        for whites in ("not_centred", "free", "no_common_axis"):
            rng = Random(f"{gems} {whites}")
            for _ in range(50):
                assert faults(random_mine(rng, gems, whites), gems, whites) == ()


# Set-ups and codes


@pytest.mark.parametrize("spec", ["orapa", "orapa:diamond=true,blackbody=true"])
def test_a_code_stands_for_a_mine_and_shows_nothing_of_it(spec: str) -> None:
    made = orapa(spec)
    seen = set()
    for seed in range(200):
        setup = made.deal(Random(seed))
        assert setup is not None
        code = made.share_code(setup)
        seen.add(code)
        assert made.start(code) == made.start(setup)
        assert len(code) == (8 if made.gems == "RYBWS" else 11)
        assert not set(code) - set("0123456789abcdefghjkmnpqrstvwxyz")
    assert len(seen) == 200
    near = [share_code(read_mine(f"R8B1+Y8E0+B5A1+W2F2+S{cell}0")) for cell in ("1A", "2A", "1B")]
    assert all(sum(a == b for a, b in zip(*pair, strict=True)) <= 4 for pair in combinations(near, 2))


@pytest.mark.parametrize(
    "text", ["", "x", "R8B1", "zzzzzzzz", "00000000", SAMPLE + "+D1A0", "R8B1+Y8E0+B5A1+W2F2+S4B0", "~"]
)
def test_bad_set_ups_are_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        orapa().start(text)
    assert caught.value.code == "bad_setup"


def test_codes_of_other_lengths_mean_nothing() -> None:
    assert read_code("", "RYBWS") is None
    assert read_code("0" * 7, "RYBWS") is None
    assert read_code("z" * 8, "RYBWS") is None
    assert read_code("O" * 8, "RYBWS") is None


def agrees(mine: Mine, entry: str) -> bool:
    question, _, said = entry.partition("=")
    return answer(mine, question, "colour") == said


# Turns


def test_the_published_game_is_won_by_its_answer() -> None:
    state = orapa().start(SAMPLE)
    for port in ("B", "2", "C", "E", "8", "15", "M", "H", "13", "9", "K", "N", "6", "7", "D"):
        state = played(state, f"{port} done")
    state = played(state, f"answer:{SAMPLE}")
    assert state.outcome is not None
    assert state.outcome[::2] == (frozenset({0}), "solved")


def refused(state: Hunt, move: str) -> list[str]:
    return [reason.code for reason in state.refuses(state.game.parse(move))]


WRONG = ("R8B1+Y8E0+B5A1+W3F2+S2B0", "R8B1+Y8E0+B5A1+W1F2+S2B0", "R7B1+Y8E0+B4A1+W1F2+S1B0")


def test_neither_end_of_a_wave_can_be_asked_again() -> None:
    state = played(orapa("orapa:players=2").start(SAMPLE), "B")
    assert state.log == ("B=3.white",)
    assert refused(state, "C") == ["asked_already"]
    assert refused(state, "3") == ["asked_already", "answered"]
    state = played(state, "done")
    assert state.to_move == 1
    assert refused(state, "3") == refused(state, "B") == ["answered"]
    assert refused(state, "done") == ["nothing_asked"]
    state = played(state, "E4")
    assert state.log[-1] == "4E=nothing"
    state = played(state, "done 8")
    assert state.log[-1] == "8=12.red"


def test_squares_tell_colours_and_an_absorbed_wave_tells_nothing() -> None:
    made = orapa("orapa:diamond=true,blackbody=true,whites=free")
    state = made.start(SAMPLE + "+D1A0+K1C1")
    for move, told in (("1A", "1A=transparent"), ("1C", "1C=absorbed"), ("3B", "3B=white"), ("4F", "4F=white")):
        state = played(state, move)
        assert state.log[-1] == told
        state = played(state, "done")
    state = played(state, "C")
    assert state.log[-1] == "C=absorbed"
    assert "D" not in state.closed(0)
    assert played(state, "done D").log[-1] == "D=absorbed"


def test_the_printed_variant_counts_bounces() -> None:
    state = played(orapa("orapa:answer=bounces").start(SAMPLE), "15 done C")
    assert state.log == ("15=15.7", "C=C.3")


def test_lives_and_answers() -> None:
    state = played(orapa("orapa:players=2").start(SAMPLE), f"answer:{WRONG[0]}")
    assert (state.to_move, state.lives(0), state.lives(1)) == (1, 1, 2)
    state = played(state, f"B answer:{WRONG[0]}")
    assert refused(state, f"answer:{WRONG[0]}") == ["tried"]
    state = played(state, f"answer:{WRONG[1]} answer:{WRONG[1]}")
    assert state.outcome is not None
    assert state.outcome[::2] == (frozenset(), "out")
    out = played(orapa("orapa:players=2,lives=1").start(SAMPLE), f"answer:{WRONG[0]} B done")
    assert out.to_move == 1, "who is out is skipped"


def test_an_illegal_arrangement_costs_no_life() -> None:
    state = orapa().start(SAMPLE)
    with pytest.raises(IllegalMove) as caught:
        state.play(state.game.parse("answer:R8B1+Y8E0+B5A1+W2F2+S4B0"))
    assert {reason.code for reason in caught.value.reasons} >= {"overlap"}
    assert state.lives(0) == 2


def test_answers_of_others_stay_private() -> None:
    state = orapa("orapa:players=3").start(SAMPLE)
    move = state.game.parse(f"answer:{WRONG[0]}")
    assert state.told(move, 0) == f"answer:{WRONG[0]}=wrong"
    assert state.told(move, 1) == state.told(move, None) == "answer:~=wrong"
    after = state.play(move)
    assert WRONG[0] not in after.seen_by(1).position
    assert WRONG[0] in after.seen_by(0).position
    assert SAMPLE not in "".join(after.seen_by(seat).position for seat in (0, 1, 2, None))
    right = after.game.parse(f"answer:{SAMPLE}")
    assert after.told(right, 2) == "answer:~=right"
    assert after.play(right).seen_by(2).outcome == after.play(right).outcome


def test_a_seat_that_leaves_is_out_and_the_game_goes_on() -> None:
    state = played(orapa("orapa:players=3").start(SAMPLE), "B").without(0)
    assert state.to_move == 1
    state = state.without(2)
    assert state.to_move == 1
    assert played(state, f"answer:{SAMPLE}").outcome == (frozenset({1}), (0, 0, 0), "solved")
    assert state.without(1).outcome == (frozenset(), (0, 0, 0), "left")


def test_when_everything_has_been_asked_an_answer_that_fits_is_offered() -> None:
    for spec in ("orapa", "orapa:diamond=true,blackbody=true"):
        made = orapa(spec)
        setup = made.deal(Random(7))
        state = made.start(setup)
        while state.moves()[0] == "done" or not state.moves()[0].startswith("answer"):
            state = state.play(state.moves()[-1])
        (move,) = state.seen_by(0).moves()
        assert state.moves() == (move,)
        offered = read_mine(move.partition(":")[2])
        assert made.faults(offered) == ()
        assert all(agrees(offered, entry) for entry in state.log)
        after = state.play(move)
        if after.outcome is None:
            assert after.moves()[0] != move


def test_some_mines_are_all_that_agree() -> None:
    """Where all squares have told their colours, those mines and no others."""
    rng = Random(21)
    for _ in range(4):
        mine = random_mine(rng, "RYBWS", "free")
        log = [f"{name}={answer(mine, name, 'colour')}" for name in CELLS]
        found = [text_of(one) for one in some_mines("RYBWS", "free", log, "colour")]
        assert text_of(mine) in found
        assert len(set(found)) == len(found)
        for text in found:
            assert all(agrees(read_mine(text), entry) for entry in log)


# The duel


def duel(moves: str = "") -> Hunt:
    made = orapa("orapa:mode=duel,whites=free")
    return played(made.start(), f"hide:{SAMPLE} hide:{BOTH_EXAMPLES} {moves}")


def test_in_a_duel_each_asks_about_the_others_mine() -> None:
    state = duel("15 done 15 done")
    assert state.logs == (("15=15.grey",), ("15=8.lightpurple",))
    assert refused(state, f"hide:{WRONG[0]}") == ["not_hiding"]
    fresh = orapa("orapa:mode=duel").start()
    assert refused(fresh, "B") == ["hide_first"]
    assert refused(fresh, "done") == ["hide_first"]
    assert fresh.told(fresh.game.parse(f"hide:{SAMPLE}"), 1) == "hide:~"


@pytest.mark.parametrize(
    ("moves", "winners", "reason"),
    [
        (f"answer:{BOTH_EXAMPLES} answer:{SAMPLE}", {0, 1}, "both"),
        (f"answer:{BOTH_EXAMPLES} answer:{WRONG[0]}", {0}, "solved"),
        (f"answer:{BOTH_EXAMPLES} B done", {0}, "solved"),
        (f"answer:{WRONG[0]}", {1}, "out"),
        (f"B done answer:{SAMPLE}", {1}, "solved"),
        (f"B done answer:{WRONG[0]}", {0}, "out"),
    ],
)
def test_a_duel_ends(moves: str, winners: set[int], reason: str) -> None:
    outcome = duel(moves).outcome
    assert outcome is not None
    assert outcome[::2] == (frozenset(winners), reason)


def test_the_second_has_one_more_turn_and_no_second_one() -> None:
    state = duel(f"answer:{BOTH_EXAMPLES}")
    assert state.to_move == 1
    assert played(state, "15").to_move == 1
    assert state.without(1).outcome == (frozenset({0}), (0, 0), "left")


def test_who_leaves_a_duel_loses() -> None:
    for state in (orapa("orapa:mode=duel").start(), duel(), duel("B")):
        for seat in (0, 1):
            outcome = state.without(seat).outcome
            assert outcome is not None
            assert outcome[::2] == (frozenset({1 - seat}), "left")


# Bad input


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "notation"),
        ("19", "no_place"),
        ("S", "no_place"),
        ("0", "no_place"),
        ("11A", "no_place"),
        ("4I", "no_place"),
        ("B=3.white", "told"),
        ("answer:~=wrong", "told"),
        ("answer:~", "bad_gem"),
        ("answer:", "bad_gem"),
        ("answer:R8B7", "bad_gem"),
        ("answer:S3B1", "bad_gem"),
        ("answer:R10B0", "off_board"),
        ("hide:Z1A0", "bad_gem"),
        ("done!", "notation"),
        ("é", "notation"),
        ("answer:" + "R8B1+" * 30, "notation"),
    ],
)
def test_texts_that_are_no_moves(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        orapa().parse(text)
    assert caught.value.code == code
    assert 0 <= caught.value.at <= len(text)


def test_moves_are_read_as_people_type_them() -> None:
    made = orapa()
    assert [made.parse(text) for text in (" b", "E4", "4e", "h10", "10H", "DONE")] == [
        "B",
        "4E",
        "4E",
        "10H",
        "10H",
        "done",
    ]
    assert made.parse("Answer:s3b0+r8b1+Y8E0+b5a1+W2F2") == f"answer:{SAMPLE}"


@pytest.mark.parametrize(
    "position",
    [
        f"{SAMPLE} B=4.white 1! - - -",
        f"{SAMPLE} B=3.white 0! - - -/x",
        f"{SAMPLE} B=3.white,3=B.white 0! - - -",
        "~ 4E=purple 0! - - -",
        "~ B=3.white,C=3.white 0! - - -",
        "~ - 0! - - -",
        "~ - 1? - - -",
        f"{SAMPLE} - 0? {SAMPLE} - -",
        f"~ - 0? {WRONG[0]};{WRONG[0]} - -",
        f"~ - 0? {WRONG[0]};{WRONG[1]};{WRONG[2]} - -",
        "~ - 0? - 0 -",
        "- - 0? - - -",
        "~ B=absorbed 0! - - -",
    ],
)
def test_impossible_positions_are_refused(position: str) -> None:
    with pytest.raises(NotationError):
        orapa().read(position)


def test_a_view_cannot_answer() -> None:
    view = orapa().start()
    with pytest.raises(KletkaError, match="unanswerable"):
        view.play(view.game.parse("B"))
