"""A seat in a process of its own: it knows the spec, its seat, and what it was told.

Reads lines from standard input (`told TEXT`, `left SEAT`, `move`, `end`); answers `move` with a legal move of its own
choice and every other line with its view's position.
"""

from __future__ import annotations

import sys
from random import Random

import kletka


def main() -> None:
    spec, seat = sys.argv[1], int(sys.argv[2])
    rng = Random(f"{spec} {seat}")
    view = kletka.game(spec).start()
    for line in sys.stdin:
        what, _, rest = line.rstrip("\n").partition(" ")
        if what == "told":
            view = view.hear(rest)
        elif what == "left":
            view = view.without(int(rest))
        elif what == "end":
            return
        print(view.sample(rng) if what == "move" else repr(view), flush=True)


if __name__ == "__main__":
    main()
