"""Perft of the Python rules equals the files, whose numbers come from independent sources."""

from __future__ import annotations

import pytest

from kletka.games import families, game, perft
from tests.conformance.data import PerftLine, perft_lines

LINES = [line for family in families().values() for line in perft_lines(family)]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.spec};{line.position};{line.depth}")
def test_perft(line: PerftLine) -> None:
    made = game(line.spec)
    state = made.start() if line.position == "-" else made.read(line.position)
    assert perft(state, line.depth) == line.nodes
