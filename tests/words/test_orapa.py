"""The words of Orapa Mine: rules pages say what the rules do, and whatever happens has words in every language."""

from __future__ import annotations

import re
from random import Random

import pytest

import kletka
from kletka import words
from kletka.drawing import Phrase, drawing_of
from kletka.drawing.scene import House
from kletka.games.contract import IllegalMove, Reason
from kletka.games.orapa import Hunt, Orapa
from kletka.games.orapa.gems import GEMS, PORTS, placements
from kletka.games.orapa.mine import COLOURS, answer, faults, random_mine, read_mine, text_of

RAW = re.compile(r"\b(gem|colour|refusal|error)\.\w")
"""A word id that came out as it is."""
ALL = "diamond=true,blackbody=true"
each_language = pytest.mark.parametrize("language", words.LANGUAGES)


@each_language
def test_the_page_has_every_colour_and_its_mixture(language: str) -> None:
    prose = "".join(block.html for block in words.rules(language, "orapa") if isinstance(block, words.Prose))
    for letters, colour in COLOURS.items():
        mixed = [words.say(language, f"colour.{COLOURS[letter]}") for letter in letters]
        row = f"<td>{', '.join(mixed)}</td>\n<td>{words.say(language, f'colour.{colour}')}</td>"
        assert row in prose or not letters, row


@each_language
def test_what_the_diagrams_tell_is_what_their_mine_answers(language: str) -> None:
    """Where a diagram hides its mine, it is the one that others on the page show."""
    diagrams = [block for block in words.rules(language, "orapa") if isinstance(block, words.Diagram)]
    shown = next(d.position.partition(" ")[0] for d in diagrams if "15=15.grey" in d.last)
    for diagram in diagrams:
        view = kletka.game(diagram.spec).read(diagram.position)
        assert isinstance(view, Hunt)
        if view.mines == ("~",):
            for entry in view.logs[0]:
                question, _, said = entry.partition("=")
                assert answer(read_mine(shown), question, "colour") == said
        assert all(told in view.logs[0] for told in diagram.last)


def spoken(game: Orapa, phrase: Phrase) -> None:
    for language in words.LANGUAGES:
        assert phrase.word in words.known(language), phrase.word
        said = words.spoken(language, game, *phrase)
        assert not RAW.search(said), said


@pytest.mark.parametrize(
    "spec", ["orapa", f"orapa:{ALL},players=3", f"orapa:mode=duel,{ALL}", f"orapa:answer=bounces,{ALL}"]
)
def test_everything_that_happens_has_words(spec: str) -> None:
    game = kletka.game(spec)
    assert isinstance(game, Orapa)
    drawing = drawing_of(game)
    for seed in range(3):
        rng = Random(f"{spec}/{seed}")
        state = game.start(game.deal(rng))
        drafted = text_of(random_mine(rng, game.gems, "free"))
        for turn in range(60):
            if state.to_move is None:
                break
            # The first game is won, in a duel by both.
            mine = state.mines[state.sought(state.turn)]
            solves = seed == 0 and turn > 40 and not state.hiding
            move = game.parse(f"answer:{mine}") if solves else state.sample(rng)
            told = [state.told(move, seat) for seat in (*range(game.seats), None)]
            state = state.play(move)
            for seat, heard in enumerate(told[:-1]):
                view = state.seen_by(seat)
                phrase = drawing.heard(game, heard)
                assert phrase is not None
                here = ("1." if game.duel else "") + rng.choice(PORTS)
                checked = drawing.draft(view, seat, drafted, House(), here)
                warned = [checked.warning] if checked.warning else []
                names = [name.said for name in drawing.names(view).values()]
                for one in (
                    phrase,
                    *drawing.remarks(view, (heard,)),
                    *drawing.standing(view),
                    *checked.says,
                    *warned,
                    *names,
                ):
                    spoken(game, one)
        after = [*drawing.remarks(state, ()), *drawing.draft(state, 0, "", House(), here).says]
        for one in after:
            spoken(game, one)
    scene = drawing.scene(game)
    for one in (*(piece.title for piece in scene.tray), *(said for _, said in (*scene.legend, *scene.buttons))):
        spoken(game, one)


def test_every_fault_of_a_mine_is_a_sentence_in_refusals_and_in_records() -> None:
    rng = Random(5)
    found: dict[str, Reason] = {}
    for _ in range(1500):
        gems = sorted(rng.choices("RYBWSDK", k=rng.randrange(4, 7)), key=GEMS.index)
        mine = tuple(rng.choice(placements(gem)) for gem in gems)
        for rule in ("not_centred", "no_common_axis"):
            found |= {reason.code: reason for reason in faults(mine, "RYBWS", rule)}
    placing = ("missing", "twice", "foreign", "overlap", "touch", "unseen", "not_centred", "no_common_axis")
    assert set(found) == set(placing)
    for language in words.LANGUAGES:
        for reason in found.values():
            for said in (
                words.refusal(language, kletka.game("orapa"), reason),
                words.trouble(language, IllegalMove([reason])),
            ):
                assert said[0].isupper()
                assert said.endswith(".")
                assert not RAW.search(said), said
