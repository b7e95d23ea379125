"""What a clock tells of hidden things: how long answers take for two mines that sound the same.

    python -m benchmarks.timing [ROUNDS]

Of many mines dealt at random, two give the same answer at a port though the wave in one goes much farther than in the
other. Tables of both take turns, twice each, so that caches know both equally well: the same square is asked, then that
port, then a spectator's page and history are fetched. Every answer is that of a served Kletka over its socket (FULL
store); `rules` is the time of deciding and folding alone, in this process. The numbers are lower quartiles of all
rounds (whatever else the machine does makes answers longer, never shorter), the ratio of the second mine to the first,
the same of their other tables, and, as noise, the ratios of each mine's tables to its other ones.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any

from benchmarks.machine import write
from kletka.games import game
from kletka.games.orapa.gems import CELLS, PORTS
from kletka.games.orapa.mine import answer, read_mine, wave
from kletka.tables import Event, Moved, Opened, Play, Seated, fold, opened
from kletka.tables.table import Now, decide
from tests.server.site import Site
from tests.serving import Served

SPEC = "orapa"
MINES, SEED, ROUNDS = 1000, 7, 400


def farthest() -> tuple[str, str, str, str]:
    """Two mines, a port at which they answer alike after ways that differ most, and an empty square of both."""
    made, rng = game(SPEC), Random(SEED)
    mines = {text: read_mine(text) for text in (made.deal(rng) for _ in range(MINES)) if text is not None}
    ways: dict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
    for text, mine in mines.items():
        for port, name in enumerate(PORTS):
            ways[port, answer(mine, name, "colour")].append((len(wave(mine, port).path), text))
    (port, _), found = max(ways.items(), key=lambda item: max(item[1])[0] - min(item[1])[0])
    short, far = min(found)[1], max(found)[1]
    empty = next(cell for cell in CELLS if {answer(mines[m], cell, "colour") for m in (short, far)} == {"nothing"})
    return short, far, PORTS[port], empty


def rules(mine: str, square: str, port: str) -> float:
    """Seconds for deciding and folding the wave, once the mine has been asked before."""
    table = opened(Opened(SPEC, mine, ""))
    for body in (Seated(0, "Ann"), None):
        decided = body or decide(table, Play(table.base, square), 0, Now(0.0))
        assert isinstance(decided, Seated | Moved)
        table = fold(table, Event(table.version + 1, decided, 0.0))
    done = decide(table, Play(table.base, "done"), 0, Now(0.0))
    assert isinstance(done, Moved)
    table = fold(table, Event(table.version + 1, done, 0.0))
    began = perf_counter()
    moved = decide(table, Play(table.base, port), 0, Now(0.0))
    assert isinstance(moved, Moved)
    fold(table, Event(table.version + 1, moved, 0.0))
    return perf_counter() - began


def timed(work: Callable[[], Any]) -> float:
    """Seconds."""
    began = perf_counter()
    work()
    return perf_counter() - began


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    short, far, port, square = farthest()
    kinds = {"first": short, "second": far, "first again": short, "second again": far}
    served = Served(Path(tempfile.mkdtemp()))
    served.start()
    site = Site(served.url, served.folder)
    times: dict[str, dict[str, list[float]]] = {kind: defaultdict(list) for kind in kinds}
    names = (str(number) for number in count())
    try:
        host, watcher = site.person(), site.person()
        order = Random(SEED)
        for _ in range(rounds):
            turn = list(kinds)
            order.shuffle(turn)
            for kind in turn:
                table = host.open(SPEC, code=kinds[kind])
                wire = site.greeted(table, 1, host.token(table))
                base = 0
                for what, move in (("square", square), ("done", "done"), ("wave", port)):
                    began = perf_counter()
                    heard = wire.move(next(names), base, move)
                    times[kind][what].append(perf_counter() - began)
                    base = heard["applied"]
                times[kind]["page"].append(timed(lambda: watcher.page(table)))  # noqa: B023 (called at once)
                times[kind]["history"].append(timed(lambda: watcher.history(table)))  # noqa: B023
                times[kind]["rules"].append(rules(kinds[kind], square, port))
                wire.close()
    finally:
        site.close()
        served.stop()
    shown = {
        what: {
            "first_ms": round(1000 * quick["first"], 4),
            "second_ms": round(1000 * quick["second"], 4),
            "ratio": round(quick["second"] / quick["first"], 4),
            "again": round(quick["second again"] / quick["first again"], 4),
            "noise": [round(quick[f"{kind} again"] / quick[kind], 4) for kind in ("first", "second")],
        }
        for what in times["first"]
        if (quick := {kind: quantiles(times[kind][what], n=4)[0] for kind in kinds})
    }
    ways = [len(wave(read_mine(mine), PORTS.index(port)).path) for mine in (short, far)]
    result = {"rounds": rounds, "seed": SEED, "port": port, "ways": ways, "mines": [short, far], "times": shown}
    print(json.dumps(result, indent=1))
    write("timing", result)


if __name__ == "__main__":
    main()
