"""The gettext catalogues, read at start: one a language, with those of other packages' families added."""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

from babel import negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from kletka.games.registry import plugins

LANGUAGES = ("en", "fr", "ru")


def folders() -> list[Traversable]:
    """Where catalogues lie: ours, then those of other packages' families."""
    return [files("kletka.words") / "locale", *(Path(module.WORDS) for module in plugins().values())]


@cache
def catalogue(language: str) -> Catalog:
    """All words of a language."""
    merged = Catalog(locale=language)
    for folder in folders():
        with (folder / language / "kletka.po").open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    merged[message.id] = message
    return merged


@cache
def _translations(language: str) -> gettext.GNUTranslations:
    compiled = BytesIO()
    write_mo(compiled, catalogue(language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@cache
def _plural_words(language: str) -> frozenset[str]:
    return frozenset(m.id[0] for m in catalogue(language) if isinstance(m.id, (tuple, list)))


@lru_cache(maxsize=16384)
def _plain(language: str, word: str) -> str:
    return _translations(language).gettext(word)


@cache
def known(language: str) -> frozenset[str]:
    """Every word id that a language has."""
    return frozenset(m.id[0] if isinstance(m.id, (tuple, list)) else m.id for m in catalogue(language) if m.id)


def say(language: str, word: str, **facts: int | str) -> str:
    """A word of the catalogue with its facts filled in; the word id itself where the catalogue lacks it."""
    if word in _plural_words(language):
        text = _translations(language).ngettext(word, word, int(facts["n"]))
    else:
        text = _plain(language, word)
    return text.format_map(facts) if facts else text


def choose_language(preferred: Iterable[str]) -> str:
    """The best of our languages for a list of wishes such as `["fr-CA", "en"]`; English where none fits."""
    for wish in preferred:
        if found := negotiate_locale([wish], LANGUAGES, sep="-"):
            return found
    return LANGUAGES[0]
