"""Perft and playthrough files: in the root for our families, beside the module for those of other packages."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from kletka.games import Family
from kletka.games.registry import plugins
from tests.conftest import ROOT


def folder_of(family: Family) -> Path:
    """Where a family's data lie."""
    for module in plugins().values():
        if module.FAMILY.name == family.name:
            return Path(module.WORDS).parent
    return ROOT


class PerftLine(NamedTuple):
    spec: str
    position: str
    depth: int
    nodes: int
    source: str


def perft_lines(family: Family) -> list[PerftLine]:
    """The lines of a family's perft file; each names an independent source."""
    file = folder_of(family) / "perft" / f"{family.name}.txt"
    lines = []
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        if not line.startswith("#"):
            spec, position, depth, nodes, source = (part.strip() for part in line.split(";", 4))
            assert source
            lines.append(PerftLine(spec, position, int(depth), int(nodes), source))
    return lines


def playthrough_files(family: Family) -> list[Path]:
    """The golden games of a family."""
    return sorted((folder_of(family) / "playthroughs").glob(f"{family.name}-*.txt"))
