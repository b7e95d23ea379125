"""Fixed searches: node counts that change only with search behaviour, and speeds of this machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from time import perf_counter

from kletka.engines import kernels
from kletka.engines.base import Choice, Limit
from kletka.engines.playouts import playouts
from kletka.engines.table import engine, names
from kletka.games import game


@dataclass(frozen=True)
class Case:
    """A search from the start of a game after some moves."""

    spec: str
    moves: str
    engine: str
    nodes: int


CASES = (
    Case("tictactoe", "", "alphabeta", 100_000),
    Case("tictactoe:shape=4x3,line=3", "b2", "alphabeta", 5_000),
    Case("tictactoe", "b2", "uct", 5_000),
    Case("tictactoe", "", "kernel-alphabeta", 100_000),
    Case("tictactoe:misere=true", "", "kernel-alphabeta", 100_000),
    Case("tictactoe:shape=3x3x3", "", "kernel-alphabeta", 100_000),
    Case("tictactoe:shape=4x4x4", "1a1 4d4 2b2 1d1 3c2", "kernel-alphabeta", 100_000),
    Case("tictactoe:shape=4x4x4,gravity=true", "1a1 1d4 1b2", "kernel-alphabeta", 100_000),
    Case("tictactoe:shape=15x15,line=5", "h8 h9 i9 g7 j8 j7", "kernel-alphabeta", 100_000),
    Case("tictactoe:shape=4x4x4", "1a1 4d4", "kernel-uct", 200_000),
    Case("tictactoe:shape=15x15,line=5,exact=true", "h8 h9 i9 g7 j8 j7", "kernel-alphabeta", 30_000),
    Case("tictactoe:shape=4x4,marks=wild", "", "kernel-alphabeta", 30_000),
    Case("tictactoe:misere=true,marks=crosses,boards=2", "", "kernel-alphabeta", 30_000),
    Case("dots", "a1-a2 c3-d3 b4-b5", "chains", 1),
    Case("dots:size=3x3", "", "sampled", 2_000),
    Case("dots", "", "kernel-uct", 200_000),
    Case("dots", "a1-a2 c3-d3 b4-b5", "kernel-dots", 200_000),
    Case("dots:size=3x4", "a1-b1 c3-c4 d2-e2 b2-b3 c1-c2", "kernel-dots", 200_000),
    Case("dots:lattice=triangles,size=4,border=closed", "", "kernel-dots", 200_000),
    Case("dots:size=4x4,misere=true", "", "kernel-dots", 200_000),
    Case("dots:size=6x6,players=3", "", "kernel-dots", 200_000),
    Case("ultimate", "b2a1", "uct", 5_000),
    Case("ultimate", "", "kernel-uct", 200_000),
    Case("ultimate", "b2a1 a1b2", "kernel-uct-keen", 200_000),
    Case("ultimate:won_boards=open,no_line=count", "b2b2 b2a1", "kernel-uct-keen", 200_000),
    Case("ultimate:misere=true", "a1c3", "kernel-uct", 200_000),
    Case("orapa:diamond=true,blackbody=true", "", "kernel-orapa", 20_000),
    Case("crystals", "k11 g11", "kernel-greedy", 100_000),
    Case("crystals", "k11 g11", "kernel-crystals", 300_000),
    Case("crystals:board=4x4,axes=2", "b2 c3 b3 c2 a1 d4", "kernel-crystals", 300_000),
    Case("crystals:board=13x13,axes=2,claims=any", "g7 d7 g4", "kernel-crystals", 300_000),
    Case("crystals:board=diamond15,players=3,interlock=allowed", "h8 f6", "kernel-crystals", 300_000),
    Case("crystals:board=12x12,interlock=allowed,fill=full", "f6 g7 f7", "kernel-crystals", 300_000),
    Case("crystals", "k11 g11", "facets", 20_000),
)


def run(case: Case) -> Choice:
    """What the case's engine chooses, with seed 1."""
    state = game(case.spec).start()
    for move in case.moves.split():
        state = state.play(state.game.parse(move))
    return engine(case.engine).choose(state, Limit(nodes=case.nodes), Random(1))


def cases() -> Iterator[Case]:
    """The cases whose engines can run here."""
    return (case for case in CASES if case.engine in names())


def signature() -> Mapping[str, tuple[str, ...]]:
    """For each family a line a case (engine, spec, moves, choice, nodes, score), then a digest of them."""
    lines: dict[str, list[str]] = {}
    for case in cases():
        choice = run(case)
        score = "-" if choice.score is None else f"{choice.score:.4f}"
        said = f"{case.engine} {case.spec} [{case.moves}] {choice.move} {choice.nodes} {score}"
        lines.setdefault(case.spec.partition(":")[0], []).append(said + (" exact" if choice.exact else ""))
    return {
        family: (*said, sha256("\n".join(said).encode()).hexdigest()[:12]) for family, said in sorted(lines.items())
    }


def speeds() -> Mapping[str, float]:
    """Nodes (or play-outs) a second of this machine, one core, by name."""
    measured = {f"{case.engine} {case.spec} [{case.moves}]": _speed(case) for case in cases()}
    cube = game("tictactoe:shape=4x4x4")
    began = perf_counter()
    playouts(cube.start(), 1, 200)
    measured["play-outs by the rules 4x4x4"] = 200 / (perf_counter() - began)
    for named, spec in (("4x4x4", cube.spec), ("ultimate", "ultimate")):
        if kernels.enabled():
            start = game(spec).start()
            began = perf_counter()
            kernels.kernel_of(start.game).playouts(kernels.text_of(start), 1, 500_000)
            measured[f"play-outs by the kernel {named}"] = 500_000 / (perf_counter() - began)
    return measured


def machine() -> str:
    """The processor, system and Python that measure here."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    cpu = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")),
        "processor unknown",
    )
    system = f"{platform.system()} {platform.machine()}"
    return f"{cpu}, {os.cpu_count()} cores, {system}, Python {platform.python_version()}"


def _speed(case: Case) -> float:
    began = perf_counter()
    return run(case).nodes / (perf_counter() - began)


__all__ = ["CASES", "Case", "machine", "run", "signature", "speeds"]
