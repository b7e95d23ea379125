"""Fuzz the readers of `tests.hostile.parsers`, each in a process of its own, with atheris.

`python -m tests.hostile.fuzz [NAME...] [-OPTION...]`: options are libFuzzer's (`-max_total_time=60`, `-runs=2000`).
What it learns is kept in build/fuzz/NAME under the folder where it runs, and a text that breaks a reader in
build/fuzz/NAME.crash-*.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import atheris

import tests.conftest  # noqa: F401 (the test games)

with atheris.instrument_imports(include=["kletka", "kletka_test_games"]):
    from tests.hostile.parsers import PARSERS, Parser, attempt

__all__ = ["PARSERS", "Parser", "attempt", "fuzz", "main"]
KEPT = Path("build/fuzz")


def fuzz(name: str, options: list[str]) -> None:
    """Fuzz one reader; ends the process, with 0 where nothing was found."""
    parser = PARSERS[name]
    corpus = KEPT / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(parser.seeds):
        (corpus / f"seed-{number}").write_bytes(text.encode("utf-8", "surrogatepass"))

    def read(data: bytes) -> None:
        attempt(parser, data.decode("utf-8", "surrogateescape"))

    longest = min(parser.longest, 20_000)
    told = [sys.argv[0], str(corpus), f"-max_len={longest}", "-timeout=10", f"-artifact_prefix={corpus}.", *options]
    atheris.Setup(told, read)
    atheris.Fuzz()


def main(words: list[str]) -> int:
    """Fuzz the readers that are named, or all; gives how many broke."""
    options = [word for word in words if word.startswith("-")]
    named = [word for word in words if not word.startswith("-")] or list(PARSERS)
    broken = []
    for name in named:
        # Fuzzing ends its process.
        child = os.fork()
        if not child:
            fuzz(name, options)
        _, status = os.waitpid(child, 0)
        if status:
            broken.append(name)
    print(f"fuzz: readers {len(named)}, broken {len(broken)}: {' '.join(broken) or '-'}", flush=True)
    return len(broken)


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
