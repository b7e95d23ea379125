"""Every word with a plural, in every language, for the numbers where languages differ: forms as CLDR has them."""

from __future__ import annotations

from string import Formatter

import pytest
from babel import Locale

from kletka import words
from kletka.words.catalogue import catalogue

NUMBERS = (0, 1, 2, 5, 11, 21, 22, 25, 1_000_000)
FORMS = {"en": ("one", "other"), "fr": ("one", "many", "other"), "ru": ("one", "few", "many")}
"""CLDR's categories in the order of gettext's forms."""


def plurals(language: str) -> list[tuple[str, tuple[str, ...]]]:
    """Words with a plural, and their forms."""
    found = [(m.id[0], tuple(m.string)) for m in catalogue(language) if isinstance(m.id, (tuple, list)) and m.string]
    assert len(found) > 10
    return found


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_each_number_takes_its_form(language: str) -> None:
    rule = Locale.parse(language).plural_form
    for word, forms in plurals(language):
        assert len(forms) == len(FORMS[language])
        for number in NUMBERS:
            form = forms[FORMS[language].index(rule(number))]
            facts: dict[str, int | str] = {name: "x" for _, name, _, _ in Formatter().parse(form) if name}
            facts["n"] = number
            assert words.say(language, word, **facts) == form.format_map(facts), (word, number)


def test_what_is_counted_changes_with_its_number() -> None:
    """The numbers as people say them."""
    said = {
        "en": ("0 moves", "1 move", "2 moves", "21 moves"),
        "fr": ("0 coup", "1 coup", "2 coups", "21 coups"),
        "ru": ("0 ходов", "1 ход", "2 хода", "21 ход"),
    }
    for language, texts in said.items():
        assert tuple(words.say(language, "race.moves", n=number) for number in (0, 1, 2, 21)) == texts
    assert words.say("ru", "race.moves", n=11) == "11 ходов"
    assert words.say("ru", "race.moves", n=25) == "25 ходов"
    assert words.say("fr", "race.moves", n=1_000_000).startswith("1000000 coup")


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_all_languages_have_the_same_plurals(language: str) -> None:
    assert {word for word, _ in plurals(language)} == {word for word, _ in plurals("en")}
