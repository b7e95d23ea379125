"""What Crystals look like: outlines with their sizes, numbers for those who want them, and turns being put together."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import kletka
from kletka.drawing import drawing_of
from kletka.drawing.scene import Draft, House, Label, Outline, Sign
from kletka.games import NotationError, game
from kletka.games.crystals import Sheet
from kletka.records import parse, replay

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "crystals-solomon.kletka"
OFF, OUTLINE = House(), House(assist="outline")


def _end() -> Sheet:
    state = list(replay(parse(EXAMPLE.read_text("utf-8"))))[-1]
    assert isinstance(state, Sheet)
    return state


def _drafted(spec: str, position: str, text: str, *acts: str, help: House = OFF) -> Draft:
    state = game(spec).read(position)
    draft = drawing_of(state.game).draft(state, state.to_move, text, help, "")
    for act in acts:
        draft = drawing_of(state.game).draft(state, state.to_move, draft.text, help, act)
    return draft


NINE = "crystals:board=9x9"
FOUR = "1e4.2a1.1e6.2a2.1d5.2a3.1f5.2b1 - 1 - -"
"""Blue's atoms are the arms of the plus around e5."""


def test_every_crystal_has_its_outline_and_its_size() -> None:
    end = _end()
    marks = drawing_of(end.game).marks(end, ())
    outlines = [mark for mark in marks.values() if isinstance(mark, Outline)]
    sizes = [mark.text for key, mark in marks.items() if isinstance(mark, Label) and ".over/" in key]
    assert [len(one.region) for one in outlines] == [73, 12, 13, 29, 13, 5, 28, 16]
    assert sizes == ["73", "12", "13", "29", "13", "5", "28", "16"]
    assert [one.seat for one in outlines] == [0, 1, 0, 1, 1, 0, 1, 0]


def test_atoms_are_numbered_as_they_were_placed() -> None:
    end = _end()
    marks = drawing_of(end.game).marks(end, ())
    numbers = {
        key.partition("/")[2]: mark.text for key, mark in marks.items() if ".number/" in key and isinstance(mark, Label)
    }
    assert len(numbers) == 61
    assert (numbers["j12"], numbers["j15"], numbers["c4"]) == ("1", "2", "61")
    plain, numbered = kletka.draw(end), kletka.draw(end, numbers=True)
    assert ">61<" not in plain
    assert ">61<" in numbered


def test_the_picture_in_the_readme_is_this_one() -> None:
    # kletka show docs/examples/crystals-solomon.kletka --svg --numbers > docs/pictures/crystals.svg
    assert (EXAMPLE.parents[1] / "pictures" / "crystals.svg").read_text("utf-8").strip() == kletka.draw(
        _end(), numbers=True
    )


def test_letters_tell_atoms_from_the_squares_around_them() -> None:
    rows = kletka.text(_end()).splitlines()
    assert rows[1] == " 20 . o o x . . . . . . x X x . . . . . . . ."
    assert rows[-1].split() == list("abcdefghijklmnopqrstu")


def test_a_size_leaves_every_atom_where_it_is() -> None:
    state = game(f"{NINE},fill=full").read("1d4.1e4.1d5.1e5.1h2.1g3.1h3.1i3.1h4 1:d-e4.d-e5/1:h2.g-i3.h4 2 - -")
    marks = drawing_of(state.game).marks(state, ())
    assert sum(isinstance(mark, Sign) for mark in marks.values()) == 9
    sizes = [mark for key, mark in marks.items() if ".over/" in key and isinstance(mark, Label)]
    assert [mark.text for mark in sizes] == ["4", "5"]
    signs = [mark.at for mark in marks.values() if isinstance(mark, Sign)]
    assert all(max(abs(x - u), abs(y - v)) >= 30 for u, v in signs for x, y in (mark.at for mark in sizes))


def test_the_brush_toggles_whole_orbits() -> None:
    draft = _drafted(NINE, FOUR, "", "centre:e5", "brush:e5", "brush:g6")
    assert draft.text == "+e5~d3.f3.c4.g4.e5.c6.g6.d7.f7"
    assert "shift" not in draft.can, "half a square would spoil the outline"
    assert {reason.code for reason in draft.reasons} == {"not_joined", "too_few"}
    back = _drafted(NINE, FOUR, draft.text, "brush:d3")
    assert back.text == "+e5~e5"
    stroke = _drafted(NINE, FOUR, "", "centre:e5", "brush:e5.e6")
    assert (stroke.text, stroke.sends) == ("+e5~e4.d-f5.e6", "pass+e4.d-f5.e6")
    # The atom is missed, not demanded.
    assert stroke.warning is not None


def test_with_two_axes_orbits_are_smaller() -> None:
    draft = _drafted(f"{NINE},axes=2", FOUR, "", "centre:e5", "brush:g6")
    assert draft.text == "+e5~c4.g4.c6.g6"


def test_an_atom_and_the_largest_crystal_make_a_turn() -> None:
    state = game(NINE).read(FOUR)
    assert isinstance(state, Sheet)
    draft = _drafted(NINE, FOUR, "", "atom:i9", "centre:e5", "largest")
    best = state.largest_at((8, 8), state.game.board.index["i9"])
    assert best is not None
    assert draft.sends is not None
    assert draft.sends.startswith("i9+")
    after = state.play(draft.sends)
    assert after.scores == (best.size, 0)
    # Pressed again, the atom is rubbed out.
    assert _drafted(NINE, FOUR, draft.text, "atom:i9").sends == draft.sends.replace("i9", "pass", 1)


@pytest.mark.parametrize(
    ("axes", "acts", "text"),
    [
        (4, ["shift"], "+e5-f6~"),
        (4, ["shift", "shift"], "+e5~"),
        (4, ["left"], "+d5~"),
        (4, ["shift", "up"], "+e6-f7~"),
        (2, ["shift"], "+e5-f5~"),
        (2, ["shift", "shift", "shift"], "+e5-e6~"),
        (2, ["left"], "+d5-e5~"),
        (4, ["drop"], ""),
    ],
)
def test_centres_move(axes: int, acts: list[str], text: str) -> None:
    assert _drafted(f"{NINE},axes={axes}", FOUR, "", "centre:e5", *acts).text == text


def test_an_outline_moves_with_its_centre() -> None:
    plus = _drafted(NINE, FOUR, "+e5~e4.d-f5.e6")
    assert _drafted(NINE, FOUR, plus.text, "right", "down").text == "+f4~f3.e-g4.f5"


def test_help_shows_the_largest_before_anything_is_outlined() -> None:
    state = game(NINE).read(FOUR)
    assert isinstance(state, Sheet)
    shown = _drafted(NINE, FOUR, "", help=OUTLINE)
    outlines = [mark for mark in shown.marks.values() if isinstance(mark, Outline)]
    assert [len(one.region) for one in outlines] == [state.growable(0)[0].size]
    assert not any(isinstance(mark, Outline) for mark in _drafted(NINE, FOUR, "").marks.values())
    assert [phrase.word for phrase in shown.says] == ["draft.growable"]
    assert [phrase.word for phrase in _drafted(NINE, "- - 1 - -", "", help=OUTLINE).says] == ["draft.none_growable"]


def test_help_outlines_what_can_be_grown_the_largest_first() -> None:
    state = game(NINE).read(FOUR)
    assert isinstance(state, Sheet)
    outlines = {one.squares for one in state.growable(0)}
    text, texts, sizes = "", [], []
    for _ in range(len(outlines)):
        draft = _drafted(NINE, FOUR, text, "next", help=OUTLINE)
        text = draft.text
        texts.append(text)
        sizes.append(state.game.turn(draft.sends or "").size)
    assert sizes == sorted((mask.bit_count() for mask in outlines), reverse=True)
    assert len(set(texts)) == len(outlines)
    assert _drafted(NINE, FOUR, text, "next", help=OUTLINE).text == texts[0]
    with pytest.raises(NotationError):
        _drafted(NINE, FOUR, "", "next")


def test_several_outlines_only_where_several_may_be_grown() -> None:
    two = _drafted(f"{NINE},claims=any", FOUR, "+e5~e4.d-f5.e6", "new", "centre:b2")
    assert two.text == "+e5~e4.d-f5.e6+b2~"
    assert two.sends == "pass+e4.d-f5.e6"
    for text, act in (("+e5~e5", "new"), (two.text, "")):
        with pytest.raises(NotationError):
            _drafted(NINE, FOUR, text, act)


def test_a_search_that_was_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = "crystals:board=15x15,interlock=allowed"
    state = game(spec).start()
    rng = Random(4)
    for _ in range(14):
        state = state.play(state.game.parse(rng.choice([move for move in state.moves() if "+" not in move][:-1])))
    draft = _drafted(spec, state.position, "", "centre:h8", "largest")
    assert "draft.perhaps_larger" not in {phrase.word for phrase in draft.says}
    monkeypatch.setattr("kletka.drawing.crystals.draft._BUDGET", 1)
    from kletka.drawing.crystals import draft as drafts

    drafts._largest.cache_clear()
    short = _drafted(spec, state.position, "", "centre:h8", "largest")
    drafts._largest.cache_clear()
    assert "draft.perhaps_larger" in {phrase.word for phrase in short.says}


@pytest.mark.parametrize(
    ("text", "act"),
    [
        *(
            ("", "atom:z9"),
            ("", "brush"),
            ("", "largest"),
            ("", "zz"),
            ("", "left"),
            ("", "drop"),
            ("k", ""),
            ("+e5", ""),
        ),
        *(("+e5~z9", ""), ("+e5-f5~", ""), ("+a1~+b1~", ""), ("z9", ""), ("+a1-i9-a1~", ""), ("", "atom:a1.a2")),
    ],
)
def test_no_drafts_and_no_acts(text: str, act: str) -> None:
    with pytest.raises(NotationError):
        _drafted(NINE, FOUR, text, *([act] if act else []))
