"""Dots games against OpenSpiel, published values, and a twin that knows points of the plane only."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pyspiel
import pytest

import kletka
from kletka import words
from kletka.games import IllegalMove, NotationError, SpecError, families
from kletka.games.coordinates import read_square
from kletka.games.dots import Boxes, Dots, Lines

Point = tuple[Fraction, Fraction]
Edge = frozenset[Point]


def dots(spec: str) -> Dots:
    made = kletka.game(spec)
    assert isinstance(made, Dots)
    return made


class Twin:
    """A board as points of the plane; coins are found as the smallest closed paths around points inside them."""

    def __init__(self, game: Dots) -> None:
        self.slant = Fraction(1, 2) if "triangles" in game.spec or "strip" in game.spec else Fraction(0)
        self.edges = {move: self.edge(move) for move in game.actions}
        points = {point for edge in self.edges.values() for point in edge}
        around = {p: {q for q in points if frozenset((p, q)) in self.edges.values()} for p in points}
        length = 3 if self.slant else 4
        self.coins = {
            frozenset(frozenset(pair) for pair in zip(loop, (*loop[1:], loop[0]), strict=True))
            for start in points
            for loop in self.loops(around, [start], length)
        }

    def edge(self, move: str) -> Edge:
        found = []
        for name in move.split("-"):
            square = read_square(name)
            assert square is not None
            _, column, row = square
            found.append((column + self.slant * row, Fraction(row)))
        return frozenset(found)

    def loops(self, around: dict[Point, set[Point]], path: list[Point], length: int) -> list[list[Point]]:
        if len(path) == length:
            return [path] if path[0] in around[path[-1]] else []
        return [loop for after in around[path[-1]] - set(path) for loop in self.loops(around, [*path, after], length)]


BOARDS = (
    "dots:size=1x1",
    "dots:size=2x3",
    "dots:size=4x1,border=icelandic",
    "dots:size=3x3,border=closed",
    "dots:lattice=triangles,size=2",
    "dots:lattice=triangles,size=4",
    "dots:lattice=triangles,size=5,border=closed,misere=true",
    "dots:lattice=strip,size=1",
    "dots:lattice=strip,size=5,border=closed",
    "dots:size=2x2,players=3",
    "dots:lattice=triangles,size=3,players=4,misere=true,border=closed",
)


@pytest.mark.parametrize("spec", BOARDS)
def test_random_games_equal_the_twins(spec: str) -> None:
    game = dots(spec)
    twin = Twin(game)
    assert len(twin.coins) == len(game.coins)
    rng = Random(spec)
    for _ in range(20):
        state = game.start()
        drawn = {twin.edges[game.lines[i]] for i in range(len(game.lines)) if game.board.border >> i & 1}
        scores, mover = [0] * game.seats, 0
        while state.to_move is not None:
            assert state.to_move == mover
            assert set(state.moves()) == {move for move, edge in twin.edges.items() if edge not in drawn}
            move = state.sample(rng)
            before = sum(coin <= drawn for coin in twin.coins)
            drawn.add(twin.edges[move])
            closed = sum(coin <= drawn for coin in twin.coins) - before
            scores[mover] += closed
            if not closed:
                mover = (mover + 1) % game.seats
            state = state.play(move)
            assert list(state.scores) == scores
        best = min(scores) if "misere" in spec else max(scores)
        assert state.outcome is not None
        assert state.outcome.winners == {seat for seat, score in enumerate(scores) if score == best}
        assert state.outcome.scores == tuple(scores)


@pytest.mark.parametrize(
    ("spec", "spots", "lines", "coins", "drawn", "symmetries"),
    [
        ("dots", 36, 60, 25, 0, 8),
        ("dots:size=3x5", 24, 38, 15, 0, 4),
        ("dots:border=icelandic", 36, 60, 25, 10, 2),
        ("dots:border=closed", 36, 60, 25, 20, 8),
        ("dots:size=16x16", 289, 544, 256, 0, 8),
        ("dots:lattice=triangles,size=4", 15, 30, 16, 0, 6),
        ("dots:lattice=triangles,size=8,border=closed", 45, 108, 64, 24, 6),
        ("dots:lattice=strip,size=6", 13, 23, 11, 0, 2),
        ("dots:lattice=strip,size=6,border=closed", 13, 23, 11, 7, 2),
    ],
)
def test_boards(spec: str, spots: int, lines: int, coins: int, drawn: int, symmetries: int) -> None:
    board = dots(spec).board
    counted = len(board.spots), len(board.lines), len(board.coins), board.border.bit_count(), len(board.symmetries)
    assert counted == (spots, lines, coins, drawn, symmetries)
    assert len(board.spots) - len(board.lines) + len(board.coins) == 1, "Euler"


@pytest.mark.parametrize("size", range(2, 9))
def test_half_a_triangles_coins_point_up(size: int) -> None:
    board = dots(f"dots:lattice=triangles,size={size}").board
    up = sum(coin[0][1] == coin[1][1] for coin in board.coins)
    assert (up, len(board.coins) - up) == (size * (size + 1) // 2, size * (size - 1) // 2)


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (4, 5)])
def test_random_games_equal_openspiels(rows: int, columns: int) -> None:
    game = dots(f"dots:size={rows}x{columns}")
    theirs = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={columns})")
    rng = Random(rows)
    for _ in range(60):
        there, here = theirs.new_initial_state(), game.start()
        while not there.is_terminal():
            assert here.to_move == there.current_player()
            assert [game.index[move] for move in here.moves()] == there.legal_actions()
            action = rng.choice(there.legal_actions())
            there.apply_action(action)
            here = here.play(game.lines[action])
            assert game.read(there.dbn_string()).drawn == here.drawn
        assert here.outcome is not None
        margin = here.scores[0] - here.scores[1]
        assert there.returns()[0] == (margin > 0) - (margin < 0)
        assert (here.outcome.winners == {0}) == (margin > 0)


@cache
def margin(game: Dots, drawn: int) -> int:
    """What the mover nets from here on under best play."""
    best: int | None = None
    sign = -1 if game.options.misere else 1
    for line in range(len(game.lines)):
        if drawn >> line & 1:
            continue
        after = drawn | 1 << line
        closed = sum(after & coin == coin for _, coin in game.beside[line])
        value = sign * closed + margin(game, after) if closed else -margin(game, after)
        best = value if best is None else max(best, value)
    return best or 0


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ("size=1x1", -1),
        ("size=2x2", 2),
        ("size=2x2,border=closed", -4),
        ("size=2x2,border=icelandic", 2),
        ("size=2x2,misere=true", -2),
        ("lattice=triangles,size=2", -2),
        ("lattice=triangles,size=2,border=closed", 4),
        ("lattice=triangles,size=3,border=closed", -3),
        ("lattice=triangles,size=2,misere=true", 2),
        ("lattice=strip,size=1,border=closed", 1),
        ("lattice=strip,size=2,border=closed", -3),
        ("lattice=strip,size=3,border=closed", 5),
    ],
)
def test_published_values(options: str, value: int) -> None:
    game = dots(f"dots:{options}")
    assert margin(game, game.board.border) == value


def test_the_first_player_wins_every_closed_strip_but_the_second() -> None:
    for size in range(1, 6):
        game = dots(f"dots:lattice=strip,size={size},border=closed")
        assert (margin(game, game.board.border) > 0) == (size != 2)


def play(state: Lines, moves: str) -> Lines:
    for move in moves.split():
        state = state.play(state.game.parse(move))
    return state


def test_one_line_may_close_two_coins() -> None:
    state = play(dots("dots:size=1x2").start(), "a1-b1 b1-c1 a2-b2 b2-c2 a1-a2 c1-c2")
    assert state.to_move == 0
    after = play(state, "b1-b2")
    assert after.scores == (2, 0)
    assert after.outcome is not None
    assert (after.outcome.winners, after.outcome.reason) == (frozenset({0}), "most")


def test_taking_is_not_compulsory() -> None:
    state = play(dots("dots:size=1x2").start(), "a1-b1 a2-b2 a1-a2")
    assert len(state.moves()) == 4
    assert play(state, "c1-c2").to_move == 0


def test_misere_is_won_by_the_fewest() -> None:
    state = play(dots("dots:size=1x1,misere=true").start(), "a1-b1 a2-b2 a1-a2 b1-b2")
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.reason, state.scores) == (frozenset({0}), "fewest", (0, 1))


def test_seats_that_left_are_skipped_and_cannot_win() -> None:
    game = dots("dots:size=1x2,misere=true,players=3")
    state = play(game.start(), "a1-b1")
    assert state.to_move == 1
    state = state.without(1)
    assert (state.to_move, state.outcome) == (2, None)
    state = play(state, "b1-c1 a2-b2 b2-c2 a1-a2 b1-b2")
    assert (state.to_move, state.scores) == (2, (0, 0, 1))
    state = play(state, "c1-c2")
    assert state.outcome is not None
    assert state.outcome.winners == {0}, "seat 1 has no coin either but is gone"
    last = game.start().without(0).without(2)
    assert last.outcome is not None
    assert (last.outcome.winners, last.outcome.reason) == (frozenset({1}), "left")
    assert last.without(1) == last


def test_stopping_by_consent_counts_the_score() -> None:
    state = play(dots("dots:size=1x2").start(), "a1-b1 a2-b2 a1-a2 b1-b2")
    assert state.scores == (0, 1)
    assert state.agreed() == (frozenset({1}), (0, 1), "agreed")
    assert dots("dots").start().agreed().winners == {0, 1}


def test_a_run_is_the_rest_of_a_chain() -> None:
    state = play(dots("dots:size=1x4").start(), "a1-b1 b1-c1 c1-d1 d1-e1 a2-b2 b2-c2 c2-d2 d2-e2")
    assert state.run(state.game.parse("c1-c2")) == ()
    state = play(state, "a1-a2")
    assert state.run(state.game.parse("b1-b2")) == ("c1-c2", "d1-d2", "e1-e2")
    scores = play(state, "b1-b2 c1-c2 d1-d2 e1-e2").scores
    assert sorted(scores) == [0, 4]


def test_either_dot_may_be_named_first_and_case_does_not_matter() -> None:
    game = dots("dots:lattice=triangles,size=4")
    assert game.parse(" B1-A2 ") == game.parse("a2-b1") == "b1-a2"


@pytest.mark.parametrize(
    ("spec", "text", "code"),
    [
        ("dots", "a1", "notation"),
        ("dots", "a1-a1", "not_neighbours"),
        ("dots", "a1-b2", "not_neighbours"),
        ("dots", "a1-c1", "not_neighbours"),
        ("dots", "f6-g6", "off_board"),
        ("dots", "a0-a1", "notation"),
        ("dots", "a1-b1-c1", "notation"),
        ("dots", "a" * 5000, "notation"),
        ("dots:size=15x15", "\u212a1-\u212a2", "notation"),
        ("dots", "a１-a2", "notation"),
        ("dots:lattice=triangles,size=4", "a1-b2", "not_neighbours"),
        ("dots:lattice=triangles,size=4", "b4-c4", "off_board"),
    ],
)
def test_texts_that_are_no_moves(spec: str, text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        dots(spec).parse(text)
    assert caught.value.code == code
    assert [reason.code for reason in dots(spec).start().refuses(text)] == [code]


def test_a_drawn_line_is_refused_and_nothing_changes() -> None:
    for spec, line in (("dots:size=2x2", "a1-b1"), ("dots:size=2x2,border=closed", "a1-a2")):
        game = dots(spec)
        state = game.start() if "closed" in spec else play(game.start(), line)
        with pytest.raises(IllegalMove) as caught:
            state.play(game.parse(line))
        assert [(reason.code, reason.places) for reason in caught.value.reasons] == [("drawn", (line,))]


@pytest.mark.parametrize(
    ("spec", "position", "code"),
    [
        ("dots:size=1x1", "", "position_sign"),
        ("dots:size=1x1", "00000", "position_lines"),
        ("dots:size=1x1", "000", "position_lines"),
        ("dots:size=1x1", "0002", "position_sign"),
        ("dots:size=1x1", "0000 .. 1", "position_coins"),
        ("dots:size=1x1", "0000 1 1", "position_impossible"),
        ("dots:size=1x1", "1111 1 1", "position_impossible"),
        ("dots:size=1x1", "1110 . -", "position_impossible"),
        ("dots:size=1x1", "1110 . 3", "position_impossible"),
        ("dots:size=1x1", "1111 3 -", "position_impossible"),
        ("dots:size=1x1", "1110 . 1 -1", "position_impossible"),
        ("dots:size=1x1", "1110 . - -1 -2", "position_impossible"),
        ("dots:size=1x1", "1110 . - -3", "position_impossible"),
        ("dots:size=1x1,players=4", "1110 . 1 -3 -2", "position_impossible"),
        ("dots:size=2x2,border=closed", "0" * 12, "position_border"),
        ("dots:size=1x1", "1110 . 1 -", "position_sign"),
        ("dots:size=1x1", "1111 2 - -2", "position_impossible"),
        ("dots:size=1x1,players=3", "1111 2 - -2 -3", "position_impossible"),
        ("dots:size=1x1", "1110  . 1", "position_sign"),
    ],
)
def test_positions_that_cannot_be(spec: str, position: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        dots(spec).read(position)
    assert caught.value.code == code


def test_openspiels_position_string_starts_at_nought_to_nought() -> None:
    theirs = pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=2)")
    there = theirs.new_initial_state("111000110100")
    here = dots("dots:size=2x2").read("111000110100")
    assert [here.game.index[move] for move in here.moves()] == there.legal_actions()
    assert (here.to_move, here.scores) == (0, (0, 0))
    assert dots("dots:size=2x2").read("1" * 12).outcome is not None


@pytest.mark.parametrize(
    ("spec", "code", "option"),
    [
        ("dots:size=17x2", "bad_value", "size"),
        ("dots:size=0x2", "bad_value", "size"),
        ("dots:size=4", "bad_value", "size"),
        ("dots:lattice=hexagons", "bad_value", "lattice"),
        ("dots:lattice=triangles,border=icelandic", "bad_value", "border"),
        ("dots:lattice=strip,border=icelandic", "bad_value", "border"),
        ("dots:lattice=triangles,size=1", "bad_value", "size"),
        ("dots:lattice=triangles,size=9", "bad_value", "size"),
        ("dots:lattice=triangles,size=4x4", "bad_value", "size"),
        ("dots:lattice=strip,size=17", "bad_value", "size"),
        ("dots:players=5", "bad_value", "players"),
        ("dots:players=1", "bad_value", "players"),
        ("dots:size=1x1,border=closed", "no_line_left", "border"),
        ("dots:rows=3", "unknown_option", "rows"),
    ],
)
def test_specs_that_name_no_game(spec: str, code: str, option: str) -> None:
    with pytest.raises(SpecError) as caught:
        kletka.game(spec)
    assert (caught.value.code, caught.value.option) == (code, option)


def test_options_made_by_hand_are_checked_too() -> None:
    for size in ("5x5\n", "05x5", "5x5x5"):
        with pytest.raises(SpecError):
            Boxes(size=size)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_presets_without_a_draw_say_so(language: str) -> None:
    mark = {"en": "no draw", "fr": "jamais de nulle", "ru": "без ничьей"}[language]
    for preset in families()["dots"].presets:
        game = dots(preset.spec)
        undrawn = game.seats == 2 and len(game.coins) % 2 == 1
        assert (mark in words.say(language, f"preset.dots.{preset.id}")) == undrawn, preset.id


@pytest.mark.parametrize(
    ("said", "spec"),
    [
        ("dots:size=5x5", "dots"),
        ("dots:lattice=boxes,border=none,misere=false,players=2", "dots"),
        ("dots:size=4,lattice=triangles,misere=true", "dots:lattice=triangles,size=4,misere=true"),
        ("dots:lattice=strip,size=1,border=closed", "dots:lattice=strip,size=1,border=closed"),
    ],
)
def test_specs_leave_defaults_out(said: str, spec: str) -> None:
    assert kletka.game(said).spec == spec
    assert kletka.game(spec) == kletka.game(said)
