"""What the drawing of Orapa Mine shows: clues at ports, ways of waves, drafts and their check."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import kletka
from kletka.drawing import drawing_of, letters
from kletka.drawing.orapa import _MARGIN
from kletka.drawing.scene import UNIT, Fill, House, Sign, Trail
from kletka.games import NotationError
from kletka.games.orapa import Hunt
from kletka.games.orapa.gems import CELL_INDEX, COLUMNS, PORTS
from kletka.games.orapa.mine import random_mine, read_mine, text_of, wave

SAMPLE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
OTHER = "R8B1+Y8E0+B5A1+W2F2+S9G0"


def after(moves: str, spec: str = "orapa", setup: str | None = SAMPLE) -> Hunt:
    state = kletka.game(spec).start(setup)
    for move in moves.split():
        state = state.play(state.game.parse(move))
    assert isinstance(state, Hunt)
    return state


def draft(view: Hunt, text: str, check: bool = True, act: str = "", seat: int | None = 0):  # type: ignore[no-untyped-def]
    return drawing_of(view.game).draft(view, seat, text, House(check), act)


def test_both_ends_of_a_wave_show_each_other_colour_and_letters() -> None:
    view = after("B done 15 done E4 done 4F").seen_by(0)
    marks = drawing_of(view.game).marks(view, ())
    assert set(marks) == {"0.sign/B", "0.sign/3", "0.sign/15", "0.sign/4E", "0.sign/4F"}
    for here, other, tint, mix in (("B", "3", "white", "W"), ("3", "B", "white", "W"), ("15", "15", "grey", "RYBW")):
        mark = marks[f"0.sign/{here}"]
        assert isinstance(mark, Fill)
        assert (mark.tint, [text for text, _, _ in mark.texts]) == (tint, [other, mix])
    assert isinstance(marks["0.sign/4E"], Sign)
    cell = marks["0.sign/4F"]
    assert isinstance(cell, Fill)
    assert cell.tint == "white"


def test_before_the_end_nobody_sees_the_mine_and_afterwards_the_table_may_show_it() -> None:
    state = after(f"B done answer:{SAMPLE}")
    for seat in (0, None):
        assert not any(".area/" in key for key in drawing_of(state.game).marks(state.seen_by(seat), ()))
    whole = drawing_of(state.game).marks(state, ())
    assert sum(".area/" in key for key in whole) == 22
    rows = letters(state).splitlines()
    assert "/W   W\\   BB   B\\    .   R\\" in rows[4]
    names = drawing_of(state.game).names(state)
    assert names["B"].lights == ("1B", "2B", "3B", "3A")
    assert not drawing_of(state.game).names(state.seen_by(0))["B"].lights


def crossed(trail: Trail) -> list[tuple[int, int]]:
    """The squares in whose inside a way has a point, in order, each stay once."""
    found: list[tuple[int, int]] = []
    for (ax, ay), (bx, by) in pairwise(trail.points):
        steps = max(abs(bx - ax), abs(by - ay), 1)
        for k in range(steps + 1):
            x, y = ax + (bx - ax) * k // steps - _MARGIN, ay + (by - ay) * k // steps - _MARGIN
            square = (x // UNIT, y // UNIT)
            if x % UNIT and y % UNIT and 0 <= square[0] < COLUMNS and 0 <= square[1] < 8 and found[-1:] != [square]:
                found.append(square)
    return found


def test_a_way_runs_through_the_squares_of_its_wave_in_straight_strokes() -> None:
    rng = Random(6)
    for _ in range(30):
        mine = random_mine(rng, "RYBWSDK", "free")
        state = after("", "orapa:diamond=true,blackbody=true,whites=free", text_of(mine))
        for index, port in enumerate(PORTS):
            (trail,) = (m for m in draft(state, "", act=port).marks.values() if isinstance(m, Trail))
            done = wave(mine, index)
            assert trail.lost == (done.exit is None)
            assert all(a == c or b == d for (a, b), (c, d) in pairwise(trail.points))
            # A solid side sends the wave back before it is inside its square.
            path = [(cell % COLUMNS, cell // COLUMNS) for cell in done.path]
            backs = {i for i in range(len(path)) if 0 < i < len(path) - 1 and path[i - 1] == path[i + 1]}
            ends = {0} if len(path) == 1 and done.exit in (None, index) and len(trail.points) == 3 else set()
            if done.exit is None:
                ends |= {len(path) - 1}
            met = [square for i, square in enumerate(path) if i not in backs | ends]
            seen = crossed(trail)
            joined = [square for i, square in enumerate(met) if not i or square != met[i - 1]]
            assert seen == joined


def test_before_the_end_a_way_is_shown_along_the_draft_only() -> None:
    view = after("B").seen_by(0)
    shown = draft(view, "B5A1", act="11")
    (phrase,) = [phrase for phrase in shown.says if phrase.word.startswith("trace")]
    assert phrase.facts["exit"] == "5"
    assert not [p for p in draft(view, "", act="G").says if p.word.startswith("path")]
    assert draft(view, "", act="G").marks["0.draft/trace"] != draft(after("B"), "", act="G").marks["0.draft/trace"]
    with pytest.raises(NotationError):
        draft(view, "", act="0.G")
    with pytest.raises(NotationError):
        draft(view, "", act="4E")


def test_the_last_wave_is_drawn_where_its_mine_is_known() -> None:
    state = after("B done 15")
    last = ("15=15.grey",)
    shown = drawing_of(state.game).marks(state, last)
    assert shown["0.over/15"] == draft(state, "", act="15").marks["0.draft/trace"]
    assert [key for key, mark in shown.items() if isinstance(mark, Trail)] == ["0.over/15"]
    hidden = drawing_of(state.game).marks(state.seen_by(0), last)
    assert "0.over/last" in hidden
    assert not [mark for mark in hidden.values() if isinstance(mark, Trail)]
    duel = after(f"hide:{SAMPLE} hide:{OTHER} B done G", "orapa:mode=duel", None)
    ways = [
        [
            key
            for key, mark in drawing_of(duel.game).marks(duel.seen_by(seat), ("G=K.white",)).items()
            if isinstance(mark, Trail)
        ]
        for seat in (0, 1, None)
    ]
    assert ways == [["0.over/G"], [], []]


def test_a_check_says_what_the_draft_explains_and_contradicts() -> None:
    view = after("B done 15 done E4 done 4F").seen_by(0)
    right = draft(view, SAMPLE)
    assert right.sends == f"answer:{SAMPLE}"
    assert [phrase.facts for phrase in right.says] == [{"n": 4, "m": 4}]
    assert right.warning is None
    wrong = draft(view, OTHER)
    assert wrong.sends == f"answer:{OTHER}"
    assert [dict(phrase.facts) for phrase in wrong.says] == [{"n": 3, "m": 4}, {"clues": "B"}]
    assert wrong.warning is not None
    assert {
        key: mark.texts[0][0] for key, mark in wrong.marks.items() if "/clue-" in key and isinstance(mark, Fill)
    } == {
        "0.draft/clue-15": "✓",
        "0.draft/clue-4E": "✓",
        "0.draft/clue-4F": "✓",
        "0.draft/clue-B": "✗",
    }
    # Where gems are missing only a covered square can contradict.
    part = draft(view, "W2E2")
    assert part.sends is None
    assert [dict(phrase.facts) for phrase in part.says] == [{"n": 1, "m": 4}, {"clues": "4E"}]
    assert draft(view, OTHER, check=False).says == ()
    assert draft(view, OTHER, check=False).warning is None


def test_what_is_missing_is_no_reason_but_what_lies_wrong_is() -> None:
    view = after("").seen_by(0)
    assert draft(view, "R8B1").reasons == ()
    assert draft(view, "R8B1+x1A0+r2A3").sends is None
    over = draft(view, "R8B1+Y8B0")
    assert [reason.code for reason in over.reasons] == ["overlap"]
    tried = after(f"answer:{OTHER}").seen_by(0)
    assert [reason.code for reason in draft(tried, OTHER).reasons] == ["tried"]
    assert draft(tried, OTHER).sends is None
    assert draft(tried, SAMPLE, seat=None).sends is None
    with pytest.raises(NotationError):
        draft(view, "R10B0")


def test_a_right_answer_is_not_called_a_wrong_one() -> None:
    over = after(f"answer:{SAMPLE}")
    assert draft(over, SAMPLE).reasons == ()
    assert draft(over, SAMPLE).marks == {}, "the mine itself is seen"
    solved = after(f"hide:{SAMPLE} hide:{OTHER} answer:{OTHER}", "orapa:mode=duel,whites=free", None).seen_by(0)
    assert solved.to_move == 1
    assert draft(solved, OTHER).reasons == ()


def test_in_a_duel_the_draft_is_first_ones_own_mine() -> None:
    view = after("", "orapa:mode=duel,whites=free", None)
    assert (draft(view, SAMPLE).panel, draft(view, SAMPLE).sends) == (0, f"hide:{SAMPLE}")
    hid = after(f"hide:{SAMPLE}", "orapa:mode=duel,whites=free", None)
    first = hid.seen_by(0)
    assert (draft(first, OTHER).panel, draft(first, OTHER).sends) == (1, None)
    second = hid.seen_by(1)
    assert (draft(second, OTHER, seat=1).panel, draft(second, OTHER, seat=1).sends) == (1, f"hide:{OTHER}")
    both = after(f"hide:{SAMPLE} hide:{OTHER} B", "orapa:mode=duel,whites=free", None).seen_by(0)
    assert (draft(both, OTHER).panel, draft(both, OTHER).sends) == (1, f"answer:{OTHER}")
    own = draft(both, "", act="0.B")
    assert own.marks.keys() == {"0.draft/trace"}
    assert "1.draft/trace" in draft(both, "", act="1.B").marks
    spot = draft(both, "R8B1+Y8B0").reasons[0].places
    assert spot
    assert all(at.startswith("1.") and at[2:] in CELL_INDEX for at in spot)


def test_the_ladder_names_how_well_a_solo_game_went() -> None:
    def step(asked: int, spec: str = "orapa") -> str:
        setup = SAMPLE + ("+D1A0" if "diamond" in spec else "")
        state = after("", spec, setup)
        for _ in range(asked):
            state = state.play(state.moves()[-1]).play(state.game.parse("done"))
        over = state.play(state.game.parse(f"answer:{setup}"))
        (said,) = drawing_of(over.game).remarks(over, ())
        assert said.facts["n"] == asked
        return said.word.rpartition(".")[2]

    assert [step(n) for n in (10, 11, 13, 14, 18, 19, 23, 24)] == [
        *("expert", "pro", "pro", "good", "good", "fair", "fair", "more"),
    ]
    assert [step(n, "orapa:diamond=true") for n in (12, 15, 20, 25, 26)] == ["expert", "pro", "good", "fair", "more"]
    assert read_mine(SAMPLE)
