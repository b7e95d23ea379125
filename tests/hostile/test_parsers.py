"""Whatever somebody sends, a reader reads it or says with a code why not."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.hostile.parsers import PARSERS, attempt
from tests.hostile.texts import ODD, hostile

SETTINGS = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_valid_reads(name: str) -> None:
    parser = PARSERS[name]
    assert parser.seeds
    for text in parser.seeds:
        attempt(parser, text)


@pytest.mark.parametrize("name", PARSERS)
@SETTINGS
@given(data=st.data())
def test_hostile_text_is_read_or_refused_with_a_code(name: str, data: st.DataObject) -> None:
    attempt(PARSERS[name], data.draw(hostile(PARSERS[name].seeds)))


@pytest.mark.parametrize("name", PARSERS)
def test_what_has_broken_readers_elsewhere_breaks_none_here(name: str) -> None:
    parser = PARSERS[name]
    (seed, *_) = parser.seeds
    for odd in ODD:
        for text in (odd, odd + seed, seed + odd, seed[: len(seed) // 2] + odd + seed[len(seed) // 2 :]):
            attempt(parser, text)


@pytest.mark.parametrize("name", PARSERS)
def test_a_text_as_long_as_may_come_is_read_or_refused(name: str) -> None:
    parser = PARSERS[name]
    for seed in (parser.seeds[0], parser.seeds[-1]):
        for joint in ("", "+", "\n", ","):
            piece = (seed or "a") + joint
            attempt(parser, piece * (parser.longest // len(piece) + 1))
