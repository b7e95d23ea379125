"""Nothing of a family may be missing: words, drawing, engine line, rules pages, perft and playthrough files."""

from __future__ import annotations

from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from babel.messages.catalog import Message

from kletka import words
from kletka.drawing import drawing_of, letters, picture
from kletka.drawing.scene import LAYERS
from kletka.drawing.svg import fragment
from kletka.engines import level
from kletka.games import Family, Game, families, family_of, game
from kletka.games.registry import forms
from kletka.words.catalogue import catalogue
from tests.conformance.data import folder_of, perft_lines, playthrough_files
from tests.conformance.playing import GAMES, random_game, watchers

each_family = pytest.mark.parametrize("family", families().values(), ids=lambda f: f.name)
each_game = pytest.mark.parametrize("played", GAMES, ids=lambda g: g.spec)
each_language = pytest.mark.parametrize("language", words.LANGUAGES)


FORMS = (
    "to_move",
    "wins",
    "played",
    "play",
    "resigned",
    "offers_draw",
    "offers_score",
    "agrees",
    "declines",
    "withdraws",
)
"""The sentences that a seat's name has forms of its own for."""


def offered(family: Family) -> dict[str, set[str]]:
    """Every option of a family in any of its shapes, with its values where it is a choice among words."""
    found: dict[str, set[str]] = {}
    for shape in forms(family.name).shapes.values():
        for option, kind in get_type_hints(shape).items():
            values = set(get_args(kind)) if get_origin(kind) is Literal else set()
            found[option] = found.get(option, set()) | values
    return found


def needed_words(family: Family) -> set[str]:
    """Every word id that a family must have, where a common one won't do."""
    name = family.name
    needed = {f"game.{name}", f"game.{name}.line", f"game.{name}.do"}
    needed |= {f"preset.{name}.{preset.id}" for preset in family.presets}
    for option, values in offered(family).items():
        word = f"option.{name}.{option}"
        needed |= {word, f"{word}.help", *(f"{word}.{value}" for value in values)}
    for word in family.seat_words:
        needed |= {f"seat.{word}", *(f"seat.{word}.{form}" for form in FORMS)}
    return needed


@each_family
@each_language
def test_every_code_and_name_has_words(family: Family, language: str) -> None:
    known = words.known(language)
    assert needed_words(family) - known == set()
    for kind, codes in (("refusal", family.reasons), ("why", family.results)):
        for code in codes:
            assert {f"{kind}.{code}", f"{kind}.{family.name}.{code}"} & known, f"{kind} {code}"


def test_the_languages_have_the_same_words_with_the_same_facts() -> None:
    import string

    def texts_of(message: Message) -> tuple[str, ...]:
        return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())

    def facts(texts: tuple[str, ...]) -> set[str]:
        return {name for one in texts for _, name, _, _ in string.Formatter().parse(one) if name}

    first = {str(m.id): m for m in catalogue("en") if m.id}
    for language in words.LANGUAGES[1:]:
        other = {str(m.id): m for m in catalogue(language) if m.id}
        assert other.keys() == first.keys()
        for word, message in first.items():
            assert facts(texts_of(message)) == facts(texts_of(other[word])), word
            assert all(texts_of(other[word])), word


@each_family
@each_language
def test_rules_pages_are_there_and_their_diagrams_draw(family: Family, language: str) -> None:
    for block in words.rules(language, family.name):
        if isinstance(block, words.Diagram):
            state = game(block.spec).read(block.position)
            assert picture(state, block.last, draft=block.draft).startswith("<svg")
            assert block.caption
        else:
            assert block.html.startswith("<")


@each_family
def test_perft_and_playthrough_files_are_there(family: Family) -> None:
    assert folder_of(family).is_dir()
    assert playthrough_files(family)
    if any(not game(preset.spec).hidden for preset in family.presets):
        assert perft_lines(family)


@each_game
def test_engines_serve_every_level(played: Game) -> None:
    for k in (1, 8):
        assert level(played, k)
    for k in (0, 9):
        with pytest.raises(ValueError, match="level"):
            level(played, k)


@each_game
def test_the_rules_fit_in_one_paragraph_of_every_language(played: Game) -> None:
    phrases = drawing_of(played).brief(played)
    for language in words.LANGUAGES:
        assert {phrase.word for phrase in phrases} <= words.known(language)
        said = " ".join(words.spoken(language, played, *phrase) for phrase in phrases)
        assert 0 < len(said) < 1500
        assert "{" not in said


@each_game
def test_drawings_are_whole(played: Game) -> None:
    drawing = drawing_of(played)
    scene = drawing.scene(played)
    places = [place.id for panel in scene.panels for place in panel.places]
    blocks = [block.id for panel in scene.panels for block in panel.blocks]
    assert len({*places, *blocks}) == len(places) + len(blocks)
    actions = set(played.actions or ())
    # Where seats know the same, all see the same.
    viewers = watchers(played) if played.hidden else (None,)
    for step in random_game(played, 4, leaving=0.02):
        for seat in viewers:
            view = step.after.seen_by(seat)
            last = () if step.move is None else (step.state.told(step.move, seat),)
            marks, names = drawing.marks(view, last), drawing.names(view)
            assert set(names) == set(places)
            for name in names.values():
                assert name.said.word in words.known("en")
                assert set(name.lights) <= {*places, *blocks}
                assert scene.runs or not name.then
                if name.sends is not None:
                    assert view.refuses(name.sends) == ()
                after, before = view, name.sends
                for move in name.then:
                    assert before is not None
                    after = after.play(before)
                    assert after.refuses(move) == (), "what carries a press on is legal each time"
                    assert after.to_move == view.to_move
                    before = move
            if actions and actions <= set(places):
                assert {name.sends for name in names.values()} - {None} == set(view.moves())
            for key, mark in marks.items():
                panel, _, rest = key.partition(".")
                assert int(panel) < len(scene.panels)
                assert rest.partition("/")[0] in LAYERS
                assert fragment(mark).startswith("<")
                assert "style=" not in fragment(mark)
            assert letters(view, last)
            for told in last:
                phrase = drawing.heard(played, told)
                assert phrase is None or phrase.word in words.known("en")
            assert len(drawing.standing(view)) in (0, played.seats)
            for said in (*drawing.remarks(view, last), *drawing.standing(view)):
                assert said.word in words.known("en")
    assert "<svg" in picture(step.after)


@each_game
def test_drawings_of_hidden_games_follow_from_views_alone(played: Game) -> None:
    if not played.hidden:
        return
    for step in random_game(played, 6):
        for seat in watchers(played):
            view = step.after.seen_by(seat)
            assert drawing_of(played).marks(view, ()) == drawing_of(played).marks(played.read(view.position), ())


def test_the_family_of_a_game_is_found() -> None:
    for played in GAMES:
        assert family_of(played).make(played.options) == played
