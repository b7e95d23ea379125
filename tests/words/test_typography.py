"""Signs and spaces as each language sets them, in sentences and on the pages of rules."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from kletka.words.catalogue import catalogue

LOCALE = files("kletka.words") / "locale"


def texts(language: str) -> list[str]:
    """Every text of a language."""
    said: list[str] = []
    for message in catalogue(language):
        if message.id:
            said += [message.string] if isinstance(message.string, str) else message.string or ()
    return said + [page.read_text("utf-8") for page in (LOCALE / language).iterdir() if page.name.endswith(".md")]


def wrong(language: str, pattern: str) -> list[str]:
    """Where a pattern is found, with what stands around it."""
    return [
        text[max(0, at.start() - 20) : at.end() + 20] for text in texts(language) for at in re.finditer(pattern, text)
    ]


def test_french_signs_never_begin_a_line() -> None:
    assert wrong("fr", r"\S [;!?»]|« |\S :(?=\s|$)") == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_apostrophes_are_curly(language: str) -> None:
    assert wrong(language, r"[A-Za-zé]'[A-Za-zé]") == []


def test_russian_quotes_are_angled() -> None:
    assert wrong("ru", r"[“”]") == []
