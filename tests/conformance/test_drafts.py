"""Drafts of every game: pieces turn into each other, any text is answered, and a draft follows from a view."""

from __future__ import annotations

import re
from random import Random

import pytest

from kletka import words
from kletka.drawing import drawing_of
from kletka.drawing.scene import Draft, House
from kletka.drawing.svg import forms, fragment
from kletka.games import Game, NotationError
from tests.conformance.playing import GAMES, random_game, watchers

each_game = pytest.mark.parametrize("played", GAMES, ids=lambda g: g.spec)
DRAFTED = [played for played in GAMES if drawing_of(played).scene(played).tray]
BRUSHED = [played for played in GAMES if drawing_of(played).scene(played).brush]
ACTS = ("atom", "centre", "brush", "shift", "left", "right", "up", "down", "largest", "drop", "new", "next")
each_drafted = pytest.mark.parametrize("played", DRAFTED, ids=lambda g: g.spec)


def some_text(played: Game, rng: Random) -> str:
    """Pieces laid anywhere: what the page sends."""
    scene = drawing_of(played).scene(played)
    lays = [place.lay for panel in scene.panels for place in panel.places if place.lay]
    parts = []
    for piece in rng.sample(scene.tray, rng.randrange(len(scene.tray) + 1)):
        for _ in range(1 if piece.once else rng.randrange(3)):
            parts.append(f"{piece.id}{rng.choice(lays)}{rng.randrange(len(piece.forms))}")
    return "+".join(parts)


@each_game
def test_any_text_is_a_draft_or_refused(played: Game) -> None:
    drawing = drawing_of(played)
    rng = Random(2)
    texts = ["", "x", "é", "\x00", "+", "+" * 300, "R1A0" * 50, "R8B1+R8B1", "x4E0+x4E0", "1" * 5000]
    for step in random_game(played, 3):
        for seat in watchers(played):
            view = step.after.seen_by(seat)
            for text in [*texts, some_text(played, rng)]:
                for act in ("", "zz"):
                    try:
                        draft = drawing.draft(view, seat, text, House(), act)
                    except NotationError as error:
                        assert 0 <= error.at <= len(text)
                    else:
                        assert played in DRAFTED or text == ""
                        assert all(fragment(mark).startswith("<") for mark in draft.marks.values())
        if step.after.to_move is not None and rng.random() < 0.8:
            return


@each_drafted
def test_pieces_turn_and_flip_into_their_own_forms(played: Game) -> None:
    scene = drawing_of(played).scene(played)
    assert len({piece.id for piece in scene.tray}) == len(scene.tray)
    for piece in scene.tray:
        assert len(piece.id) == 1
        assert piece.title.word in words.known("en")
        assert len(forms(piece)) == len(piece.forms)
        for number, form in enumerate(piece.forms):
            assert piece.forms[form.flipped].flipped == number, "flipping twice changes nothing"
            assert all(0 <= x < form.width and 0 <= y < form.height for x, y in form.covers)
        turns = [form.turned for form in piece.forms]
        assert sorted(turns) == list(range(len(turns))), "every form is reached by turning one other"


@each_drafted
def test_a_draft_follows_from_the_view_and_means_what_the_game_reads(played: Game) -> None:
    drawing = drawing_of(played)
    scene = drawing.scene(played)
    places = {place.id for panel in scene.panels for place in panel.places}
    rng = Random(5)
    for step in random_game(played, 8):
        for seat in watchers(played):
            view = step.after.seen_by(seat)
            for _ in range(4):
                text = some_text(played, rng)
                try:
                    draft = drawing.draft(view, seat, text, House(), "")
                except NotationError:
                    continue
                assert draft == drawing.draft(played.read(view.position), seat, text, House(), "")
                for key in draft.marks:
                    assert key.startswith(f"{draft.panel}.draft/")
                for reason in draft.reasons:
                    assert set(reason.places) <= places
                for phrase in (*draft.says, *([draft.warning] if draft.warning else [])):
                    assert phrase.word in words.known("en")
                assert draft.sends is None or played.parse(draft.sends) == draft.sends
                unchecked = drawing.draft(view, seat, text, House(check=False), "")
                assert unchecked.says == ()
                assert (unchecked.sends, unchecked.reasons) == (draft.sends, draft.reasons)


@each_drafted
def test_labels_of_buttons_and_legend_are_known(played: Game) -> None:
    scene = drawing_of(played).scene(played)
    for phrase in (*(label for _, label in scene.buttons), *(label for _, label in scene.legend)):
        assert phrase.word in words.known("en")
    for move, _ in scene.buttons:
        assert played.parse(move) == move


def some_acts(played: Game, view: object, seat: int | None, rng: Random, count: int) -> list[Draft]:
    """What comes of brushing at random, act by act; what can't be done is left out."""
    drawing = drawing_of(played)
    places = [place.id for panel in drawing.scene(played).panels for place in panel.places]
    found = [drawing.draft(view, seat, "", House(assist="outline"), "")]
    for _ in range(count):
        act = rng.choice(ACTS)
        if act in ("atom", "centre", "brush"):
            act += ":" + ".".join(rng.choices(places, k=rng.randint(1, 3) if act == "brush" else 1))
        try:
            found.append(drawing.draft(view, seat, found[-1].text, House(assist="outline"), act))
        except NotationError as error:
            assert error.code == "no_act"
    return found


@pytest.mark.parametrize("played", BRUSHED, ids=lambda g: g.spec)
def test_a_brushed_draft_is_its_text_and_means_what_the_game_reads(played: Game) -> None:
    drawing = drawing_of(played)
    places = {place.id for panel in drawing.scene(played).panels for place in panel.places}
    rng = Random(6)
    for step in random_game(played, 30):
        if rng.random() < 0.8 and step.after.to_move is not None:
            continue
        for seat in watchers(played):
            view = step.after.seen_by(seat)
            for draft in some_acts(played, view, seat, rng, 8):
                assert re.fullmatch("[A-Za-z0-9+.~:=-]{0,4096}", draft.text), "the page's door lets it in"
                assert drawing.draft(view, seat, draft.text, House(assist="outline"), "").marks == draft.marks
                assert all(key.startswith(f"{draft.panel}.draft/") for key in draft.marks)
                assert all(fragment(mark).startswith("<") for mark in draft.marks.values())
                for reason in draft.reasons:
                    assert set(reason.places) <= places
                for phrase in filter(None, (*draft.says, draft.warning, draft.label)):
                    assert phrase.word in words.known("en")
                if draft.sends is not None:
                    assert seat == step.after.to_move
                    assert played.parse(draft.sends) == draft.sends
                    assert not step.after.refuses(draft.sends)


@pytest.mark.parametrize("played", BRUSHED, ids=lambda g: g.spec)
def test_a_stroke_does_to_all_its_squares_what_it_does_to_the_first(played: Game) -> None:
    drawing, view = drawing_of(played), played.start()
    places = [place.id for panel in drawing.scene(played).panels for place in panel.places]
    centre = places[len(places) // 2]

    def brushed(text: str, *acts: str) -> str:
        for act in acts:
            text = drawing.draft(view, 0, text, House(), act).text
        return text

    one, two = places[0], places[1]
    alone = brushed("", f"centre:{centre}", f"brush:{one}")
    assert brushed(alone, f"brush:{two}.{one}") == brushed(alone, f"brush:{two}")
    assert brushed(alone, f"brush:{one}.{two}") == brushed("", f"centre:{centre}")
    assert brushed(alone, f"brush:{two}.{two}", f"brush:{one}.{two}") == brushed("", f"centre:{centre}")
