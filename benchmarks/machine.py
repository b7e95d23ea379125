"""What every report says of its origin: machine, versions, commit and command."""

from __future__ import annotations

import json
import platform
import shlex
import sys
from pathlib import Path
from typing import Any

from kletka.engines.bench import machine
from kletka.version import commit
from tests.conftest import ROOT

RESULTS = ROOT / "benchmarks" / "results"


def write(name: str, values: dict[str, Any]) -> None:
    """Keep a result in benchmarks/results, with its origin."""
    RESULTS.mkdir(exist_ok=True)
    origin = {
        "command": shlex.join(["python", "-m", f"benchmarks.{Path(sys.argv[0]).stem}", *sys.argv[1:]]),
        "commit": commit(),
        "machine": machine(),
        "python": platform.python_version(),
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(origin | values, indent=1, ensure_ascii=False) + "\n", "utf-8")
