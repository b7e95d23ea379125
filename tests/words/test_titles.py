"""What games are called."""

from __future__ import annotations

import pytest

from kletka import words
from kletka.games import families, game

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("spec", "language", "title"),
    [
        ("dots:size=3x3", "en", "Dots and Boxes: Boxes 3×3, a short game (no draws)"),
        ("dots:lattice=triangles,size=4", "fr", f"Points et Triangles{NBSP}: Triangles, côté 4"),
        ("dots:lattice=triangles,size=3", "en", "Dots and Triangles"),
        ("dots:lattice=strip,size=5", "ru", "Палочки"),
        ("dots:size=2x3", "fr", "Points et Carrés"),
        ("ultimate", "en", "Ultimate tic-tac-toe: Ultimate"),
        ("ultimate", "ru", "Суперкрестики-нолики"),
        ("tictactoe:shape=7x5", "fr", "Morpion"),
    ],
)
def test_a_title_names_the_kind_and_the_preset(spec: str, language: str, title: str) -> None:
    assert words.title(language, game(spec)) == title


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_titles_tell_all_presets_apart(language: str) -> None:
    """My tables, sheets and games kept for the time without a network are listed by them."""
    presets = [preset for family in families().values() for preset in family.presets]
    assert len({words.title(language, game(preset.spec)) for preset in presets}) == len(presets)
