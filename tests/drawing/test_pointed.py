"""Moves are shown on the board before they are made: where they go, in the draft layer."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from random import Random

import pytest

from kletka.drawing import drawing_of, led, pointed
from kletka.drawing.scene import Frame, Label, Line, Trail, centre
from kletka.drawing.svg import fragment
from kletka.games import Game, Move, family_of, game
from tests.conformance.playing import GAMES


@pytest.mark.parametrize("played", GAMES, ids=lambda g: g.spec)
def test_every_move_is_shown_where_it_goes(played: Game) -> None:
    rng = Random(played.spec)
    state = played.start(played.deal(rng))
    panels = drawing_of(played).scene(played).panels
    for _ in range(12):
        if state.to_move is None:
            break
        view = state.seen_by(state.to_move)
        names = drawing_of(played).names(view)
        sent = {name.sends for name in names.values()}
        for move in {view.moves()[0], view.sample(rng)}:
            marks = pointed(view, move)
            for key, mark in marks.items():
                panel, _, layer = key.partition("/")[0].partition(".")
                assert layer == "draft"
                assert int(panel) in range(len(panels))
                assert fragment(mark)
            if move in sent:
                assert marks
                # Lines are drawn where they would go; the frame of their place would stand between two dots.
                kind = Line if family_of(played).name == "dots" else Frame
                assert all(isinstance(mark, kind) for mark in marks.values())
        state = state.play(state.sample(rng))


@pytest.mark.parametrize("played", [made for made in GAMES if not made.hidden], ids=lambda g: g.spec)
def test_a_line_leads_from_place_to_place(played: Game) -> None:
    """The moves after the first are numbered where they go, and arrows in between join the places of one panel."""
    rng = Random(played.spec)
    places = {
        place.id: (number, centre(place.polygon))
        for number, panel in enumerate(drawing_of(played).scene(played).panels)
        for place in panel.places
    }
    begin = state = played.start(played.deal(rng))
    line: list[Move] = []
    while len(line) < 4 and state.to_move is not None:
        line.append(state.sample(rng))
        state = state.play(line[-1])
    marks = led(begin, line)
    assert {key: mark for key, mark in marks.items() if "/at-" in key} == pointed(begin, line[0])
    for number, (last, move) in enumerate(pairwise(line[:3]), 2):
        if last not in places or move not in places:
            return
        (before, start), (panel, goal) = places[last], places[move]
        assert marks[f"{panel}.draft/then-{number}"] == Label(goal, str(number), 44)
        arrow = marks.get(f"{panel}.draft/arrow-{number}")
        if before != panel:
            assert arrow is None
        elif isinstance(arrow, Trail):
            (x, y), (u, v) = arrow.points
            assert abs((x - start[0]) * (goal[1] - start[1]) - (y - start[1]) * (goal[0] - start[0])) < 2000
            assert dist((u, v), goal) < dist((x, y), goal) <= dist(start, goal)
        else:
            assert dist(start, goal) < 60
    assert not [key for key in marks if key.endswith(("then-4", "arrow-4"))]


def test_under_gravity_the_landing_cell_is_framed() -> None:
    state = game("tictactoe:shape=4x4x4,gravity=true").start()
    state = state.play(state.game.parse("1a1"))
    assert list(pointed(state, "2a1")) == ["1.draft/at-2a1"]


def test_a_crystal_is_drawn_as_it_would_be_grown() -> None:
    rng = Random(3)
    state = game("crystals:board=11x11").start()
    while (move := state.sample(rng)) and "+" not in move:
        state = state.play(move)
    kinds = {type(mark).__name__ for mark in pointed(state, move).values()}
    assert {"Outline", "Hatch"} <= kinds


def test_an_answer_lays_its_gems() -> None:
    made = game("orapa")
    secret = made.deal(Random(4))
    view = made.start(secret).seen_by(0)
    marks = pointed(view, f"answer:{secret}")
    assert len(marks) == 5
    assert pointed(view, "done") == {}
