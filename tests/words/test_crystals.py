"""The words of Crystals: plurals, everything that happens, and rules pages that say what the rules do."""

from __future__ import annotations

import re
from random import Random

import pytest

import kletka
from kletka import words
from kletka.drawing import Phrase, drawing_of, letters
from kletka.drawing.scene import House
from kletka.games.contract import Reason
from kletka.games.crystals import Crystals, Sheet
from kletka.records import RecordError, parse

RAW = re.compile(r"\b[a-z_]+\.[a-z_]+\b|[{}]")
"""A word id or a fact that came out as it is."""
each_language = pytest.mark.parametrize("language", words.LANGUAGES)

NUMBERS = (0, 1, 2, 5, 11, 21, 22, 25, 1_000_000)
SQUARES = {
    "en": ("squares", "square", *["squares"] * 7),
    "fr": ("case", "case", *["cases"] * 6, "de cases"),
    "ru": ("клеток", "клетка", "клетки", "клеток", "клеток", "клетка", "клетки", "клеток", "клеток"),
}
CRYSTALS = {
    "en": ("crystals", "crystal", *["crystals"] * 7),
    "fr": ("cristal", "cristal", *["cristaux"] * 6, "de cristaux"),
    "ru": (
        *("кристаллов", "кристалл", "кристалла", "кристаллов"),
        *("кристаллов", "кристалл", "кристалла", "кристаллов", "кристаллов"),
    ),
}
ATOMS = {
    "en": ("free atoms", "free atom", *["free atoms"] * 7),
    "fr": ("atome libre", "atome libre", *["atomes libres"] * 6, "d’atomes libres"),
    "ru": (
        *("свободных атомов", "свободный атом", "свободных атома", "свободных атомов"),
        *("свободных атомов", "свободный атом", "свободных атома", "свободных атомов", "свободных атомов"),
    ),
}
GENITIVE = {
    "en": SQUARES["en"],
    "fr": SQUARES["fr"],
    "ru": ("клеток", "клетки", "клеток", "клеток", "клеток", "клетки", "клеток", "клеток", "клеток"),
}
"""As in `из 21 клетки`."""


@each_language
@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("draft.squares", SQUARES),
        ("draft.growable", CRYSTALS),
        ("standing.atoms", ATOMS),
        ("turn.grows", GENITIVE),
        ("turn.only_grows", GENITIVE),
        ("square.grown", GENITIVE),
    ],
)
def test_numbers_take_their_forms(language: str, word: str, forms: dict[str, tuple[str, ...]]) -> None:
    for n, form in zip(NUMBERS, forms[language], strict=True):
        said = words.say(language, word, n=n, at="k11", seat="-")
        assert re.search(rf"\b{n} {form}\b", said), said


def spoken(game: Crystals, phrase: Phrase) -> None:
    for language in words.LANGUAGES:
        assert phrase.word in words.known(language), phrase.word
        said = words.spoken(language, game, *phrase)
        assert not RAW.search(said), said


@pytest.mark.parametrize(
    "spec",
    [
        "crystals:board=6x6,swap=true",
        "crystals:board=6x6,axes=2,claims=any,players=6",
        "crystals:board=6x6,interlock=allowed,fill=full",
    ],
)
def test_everything_that_happens_has_words(spec: str) -> None:
    game = kletka.game(spec)
    assert isinstance(game, Crystals)
    drawing = drawing_of(game)
    for seed in range(3):
        rng = Random(f"{spec}/{seed}")
        state = game.start()
        assert isinstance(state, Sheet)
        while state.to_move is not None:
            move = state.sample(rng)
            square = rng.choice(game.board.places(game.board.mask))
            drafts = [
                drawing.draft(state, state.to_move, text, House(assist="outline"), act)
                for text, act in (("", f"atom:{square}"), ("", f"centre:{square}"), (f"+{square}~{square}", ""))
            ]
            state = state.play(move)
            if heard := drawing.heard(game, move):
                spoken(game, heard)
            for draft in drafts:
                for one in (*draft.says, *filter(None, (draft.label, draft.warning))):
                    spoken(game, one)
                for reason in draft.reasons:
                    for language in words.LANGUAGES:
                        assert not RAW.search(words.refusal(language, game, reason).rstrip("."))
            for one in (*drawing.remarks(state, (move,)), *drawing.standing(state)):
                spoken(game, one)
        for name in drawing.names(state).values():
            spoken(game, name.said)
        assert state.outcome is not None
        for language in words.LANGUAGES:
            assert not RAW.search(words.result(language, game, state.outcome).replace(". ", " "))
    for _, said in drawing.scene(game).buttons:
        spoken(game, said)


@each_language
def test_every_fault_of_an_outline_is_a_sentence_in_refusals_and_in_records(language: str) -> None:
    """Where Orapa Mine has a code of the same name, its sentence is another one."""
    game = kletka.game("crystals:board=7x7,fill=full")
    state = game.read("1c3.1d3.1c4.1d4.2f6 1:c-d3.c-d4 1 - -")
    moves = ("a1+c3", "a1+a1.b2.f6", "b2+a-c1.a1.c1.a2.c2.a-c3", "c3", "f6", "pass+d6.c-e5", "swap", "a1+a1+b1")
    found = {reason.code: reason for move in moves for reason in state.refuses(game.parse(move))}
    empty = kletka.game("crystals:board=9x9").start()
    hooked = empty.game.parse("a1+d-f2.e3.b4.e4.h4.b-h5.b6.e6.h6.e7.d-f8")
    found |= {reason.code: reason for reason in empty.refuses(hooked)}
    assert set(found) == {
        *("grown", "taken", "no_swap", "many", "not_symmetric", "not_joined", "hole", "interlock"),
        *("foreign", "too_few", "overlap", "unfilled"),
    }
    for reason in found.values():
        said = words.refusal(language, game, reason)
        assert said.endswith(".")
        assert not RAW.search(said), said
    orapa = words.refusal(language, kletka.game("orapa"), Reason("foreign", (), {"gem": "K"}))
    assert words.refusal(language, game, found["foreign"]) != orapa


@each_language
def test_records_tell_the_family_s_own_faults(language: str) -> None:
    text = '[game "crystals:board=5x5"]\n\n1. a1 b2 2. c1+b-c2.b-c3 *\n'
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert caught.value.code == "foreign"
    assert words.trouble(language, caught.value) == words.say(language, "error.crystals.foreign")


@each_language
def test_diagrams_of_the_rules_page_are_what_their_words_say(language: str) -> None:
    """The refused outlines are refused for their reasons, and moves written on the page lead to what it shows."""
    blocks = [block for block in words.rules(language, "crystals") if isinstance(block, words.Diagram)]
    reasons = []
    for block in blocks:
        state = kletka.game(block.spec).read(block.position)
        assert isinstance(state, Sheet)
        if block.draft:
            draft = drawing_of(state.game).draft(state, state.to_move, block.draft, House(), "")
            reasons.append({reason.code for reason in draft.reasons} - {"too_few"})
            assert "#" in letters(state, draft=block.draft)
        if block.last:
            before = next(b for b in blocks if b.spec == block.spec and b.position.endswith(" - 1 - -") and not b.draft)
            played = kletka.game(block.spec).read(before.position)
            for move in block.last:
                played = played.play(played.game.parse(move))
            assert played.position == block.position
            assert max(played.scores) == 49
    assert reasons == [{"not_symmetric"}, {"not_joined"}, {"hole"}, {"interlock"}]


@each_language
def test_every_move_on_the_rules_page_can_be_read(language: str) -> None:
    prose = "".join(block.html for block in words.rules(language, "crystals") if isinstance(block, words.Prose))
    board = kletka.game("crystals")
    written = re.findall(r"<td><code>([^<]+)</code></td>", prose)
    assert len(written) == 5
    for text in written:
        assert board.parse(text) == text
