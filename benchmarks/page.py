"""Sizes of the page: script, style and documents, plain and gzip, as they are served.

python -m benchmarks.page
"""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

import httpx

from benchmarks.machine import write
from kletka.server.templating import built
from tests.serving import Served

SPECS = ("tictactoe", "tictactoe:shape=4x4x4", "tictactoe:shape=15x15,line=5")


def main() -> None:
    served = Served(Path(tempfile.mkdtemp()))
    served.start()
    try:
        with httpx.Client(base_url=served.url, follow_redirects=True) as client:
            bodies = {name: client.get(address).content for name, address in built().items()}
            bodies |= {path: client.get(path).content for path in ("/en/", "/en/rules/tictactoe", "/en/new/tictactoe")}
            for spec in SPECS:
                bodies[f"table {spec}"] = client.post("/en/tables", data={"spec": spec}).content
    finally:
        served.stop()
    sizes = {name: {"bytes": len(body), "gzip": len(gzip.compress(body, 9))} for name, body in bodies.items()}
    print(json.dumps(sizes, indent=1))
    write("page", {"sizes": sizes})


if __name__ == "__main__":
    main()
