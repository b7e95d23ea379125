"""Sheets to print, as their own SVG says: sizes, squares, colours, and rules that no option is missing from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import combinations
from random import Random
from typing import Literal, get_args, get_origin, get_type_hints
from xml.etree import ElementTree

import pytest

from kletka import words
from kletka.drawing import drawing_of, paper
from kletka.drawing.paper import LEAST, PAPERS, Paper, Sheet, wide
from kletka.games import Family, Game, KletkaError, families, game, presets
from kletka.games.registry import spec_text

SVG = "{http://www.w3.org/2000/svg}"
SEEN = {"shape", "size", "board", "players", "boards", "lattice", "mode", "width"}
"""Options that the printed board itself shows, or how many may write their names above it."""

each_preset = pytest.mark.parametrize(
    "spec", [pytest.param(preset.spec, id=f"{family.name}-{preset.id}") for family, preset in presets()]
)
each_paper = pytest.mark.parametrize("size", PAPERS)


def blank(made: Game, size: Paper = "a4", language: str = "en") -> Sheet:
    return paper.blank(made, lambda phrase: words.spoken(language, made, *phrase), words.title(language, made), size)


def boards(sheet: Sheet) -> Iterator[tuple[float, float, float, float, float]]:
    """Each board's edges (left, top, right, bottom) and the side of its squares, in millimetres."""
    for inner in ElementTree.fromstring(sheet.svg).findall(f"{SVG}svg"):  # noqa: S314 (our own)
        if "viewBox" not in inner.attrib or inner.find(f"{SVG}g[@data-layer]") is None:
            continue
        x, y, width, height = (float(inner.attrib[name]) for name in ("x", "y", "width", "height"))
        _, _, units, tall = map(float, inner.attrib["viewBox"].split())
        assert width / units == pytest.approx(height / tall, rel=1e-3)
        yield x, y, x + width, y + height, width / units * 100


@each_paper
@each_preset
def test_boards_lie_on_the_page_with_squares_that_one_can_write_in(spec: str, size: Paper) -> None:
    for language in words.LANGUAGES:
        sheet = blank(game(spec), size, language)
        assert sorted((sheet.width, sheet.height)) == list(PAPERS[size])
        laid = list(boards(sheet))
        panels = len(drawing_of(game(spec)).scene(game(spec)).panels)
        assert len(laid) >= panels
        for left, top, right, bottom, square in laid:
            assert square >= LEAST
            assert square == pytest.approx(sheet.square, rel=1e-3)
            # Printers leave some four millimetres white.
            assert left >= 4.3
            assert top >= 20, "the title stands above"
            assert right <= sheet.width - 4.3
            assert bottom <= sheet.height - 4.3
        for one, other in combinations(laid, 2):
            assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]


@each_preset
def test_a_sheet_is_black_alone(spec: str) -> None:
    made = game(spec)
    state = made.start(made.deal(Random(1)))
    shown = paper.position(state, lambda phrase: words.spoken("en", made, *phrase), "A title", "letter")
    for sheet in (blank(made), shown):
        assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b", sheet.svg)) == {"#000", "#fff"}
        assert "opacity" not in sheet.svg
        assert not re.search(r"rgb|hsl|gradient", sheet.svg)


def test_a_family_gets_many_small_boards() -> None:
    assert blank(game("tictactoe")).boards == 12
    assert blank(game("dots:size=3x3")).boards == 12
    assert blank(game("ultimate")).boards == 4
    assert blank(game("crystals")).boards == 1


def test_there_is_room_for_names_and_scores_where_scores_are_kept() -> None:
    for family, preset in presets():
        made = game(preset.spec)
        sheet = blank(made)
        assert (
            sheet.svg.count(">Name<")
            == sheet.svg.count(">Score<")
            == (made.seats * sheet.boards if family.scored else 0)
        )


def test_a_hidden_game_has_a_board_to_hide_on_one_to_search_and_all_its_gems() -> None:
    for spec in ("orapa", "orapa:mode=duel", "orapa:diamond=true,blackbody=true,answer=bounces"):
        made = game(spec)
        text = blank(made).svg
        assert len(list(boards(blank(made)))) == 2
        for piece in drawing_of(made).scene(made).tray:
            said = f">{words.spoken('en', made, *piece.title)}<"
            assert (said in text) == piece.once
        # Which mixture is which colour is told where colours are.
        assert (">sky blue<" in text) == ("bounces" not in spec)


def test_a_position_is_printed_with_its_signs_and_scores() -> None:
    made = game("dots:size=3x3")
    state = made.start()
    for move in ("a1-b1", "a1-a2", "a2-b2", "b1-b2"):
        state = state.play(made.parse(move))
    assert state.scores == (0, 1)
    sheet = paper.position(state, lambda phrase: words.spoken("fr", made, *phrase), "<Titre & fin>", remark="À Rouge.")
    marks = drawing_of(made).marks(state, ())
    assert all(f'data-m="{key}"' in sheet.svg for key in marks)
    assert "&lt;Titre &amp; fin&gt;" in sheet.svg
    assert ">À Rouge.<" in sheet.svg
    assert re.findall(r'text-anchor="middle">([0-9]+)<', sheet.svg) == ["0", "1"]
    assert sheet.boards == 1


def test_a_board_too_large_for_any_page_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "LEAST", 6.0)
    sheet = blank(game("crystals:board=40x40"))
    assert 5 <= sheet.square < 6
    assert "too large" in sheet.svg
    assert "too large" not in blank(game("crystals:board=30x30")).svg


def test_lines_of_text_are_never_wider_than_thought() -> None:
    # Widths of DejaVu Sans, the widest of the fonts that are named, in thousandths of the size.
    widths = {
        "i": 278,
        "l": 278,
        " ": 318,
        "a": 613,
        "e": 615,
        "m": 974,
        "W": 989,
        "M": 863,
        "ш": 875,
        "ж": 901,
        "A": 684,
    }
    for letter, width in widths.items():
        assert wide(letter, 1000) >= width


# The rules in one paragraph


def paragraph(made: Game, language: str = "en") -> str:
    return " ".join(words.spoken(language, made, *phrase) for phrase in drawing_of(made).brief(made))


def neighbours(made: Game, family: Family) -> Iterator[tuple[str, Game]]:
    """Games that differ in one option, with that option's name."""
    options = made.options
    hints = get_type_hints(type(options))
    for option in fields(options):
        value, kind = getattr(options, option.name), hints[option.name]
        if option.name in SEEN:
            continue
        others = [other for other in get_args(kind) if other != value] if get_origin(kind) is Literal else []
        others += [not value] if isinstance(value, bool) else [value - 1, value + 1] if isinstance(value, int) else []
        for other in others:
            try:
                changed = replace(options, **{option.name: other})
                yield option.name, game(spec_text(family.name, changed))
            except (KletkaError, TypeError):
                continue


@pytest.mark.parametrize(
    "family",
    [one for one in families().values() if one.name in ("tictactoe", "ultimate", "dots", "orapa", "crystals")],
    ids=lambda f: f.name,
)
def test_every_option_is_heard_in_the_rules(family: Family) -> None:
    heard: dict[str, bool] = {}
    for preset in family.presets:
        made = game(preset.spec)
        for option, other in neighbours(made, family):
            heard[option] = heard.get(option, False) or paragraph(made) != paragraph(other)
    assert heard
    assert [option for option, said in heard.items() if not said] == []


def test_the_rules_say_what_the_options_do() -> None:
    for spec, said, unsaid in [
        ("tictactoe", "3 of their own signs", "stack"),
        ("tictactoe:misere=true", " loses.", " wins."),
        ("tictactoe:shape=4x4x4,gravity=true", "right beneath", "Longer"),
        ("tictactoe:shape=15x15,line=5", "A longer row counts too", "doesn’t count"),
        ("tictactoe:shape=15x15,line=5,exact=true", "doesn’t count", "counts too"),
        ("tictactoe:marks=crosses,misere=true", "3 crosses", "draw"),
        ("ultimate:misere=true,no_line=count", "fewer boards", "more boards"),
        ("dots:misere=true,players=3", "closed the fewest", "draw."),
        ("crystals:axes=2,least=6", "at least 6", "both diagonals"),
        ("orapa:lives=4", "everyone has 4", "how many times"),
        ("orapa:mode=duel", "a wrong answer loses", "life"),
    ]:
        text = paragraph(game(spec))
        assert said in text, spec
        assert unsaid not in text, spec
