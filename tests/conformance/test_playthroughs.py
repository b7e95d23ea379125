"""Golden games replay to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from kletka.games import families, presets
from tests.conformance.data import playthrough_files
from tests.conformance.playthrough import lines, read_back

FILES = [file for family in families().values() for file in playthrough_files(family)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_playthrough(file: Path) -> None:
    spec, setup, moves, text = read_back(file)
    assert "\n".join(lines(spec, setup, moves)) + "\n" == text


def test_every_preset_has_one() -> None:
    assert {file.stem for file in FILES} >= {f"{family.name}-{preset.id}" for family, preset in presets()}
