"""Processes sign what they tell each other by something that only the database's own people know."""

from __future__ import annotations

from pathlib import Path

import pytest

from kletka.server.app import _secret


@pytest.mark.parametrize("where", [Path("data"), "postgresql:///kletka", "postgresql://kletka@db.example/kletka"])
def test_without_a_password_nothing_is_signed(where: Path | str) -> None:
    assert _secret(where) == b""


def test_a_password_signs_without_standing_there() -> None:
    one, other = (f"postgresql://kletka:{word}@db.example/kletka" for word in ("swordfish", "sardine"))
    assert _secret(one) == _secret(one) != _secret(other)
    assert len(_secret(one)) >= 32
    assert b"swordfish" not in _secret(one)
