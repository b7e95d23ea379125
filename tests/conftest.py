"""What all tests share.

`make` installs the test games into build/test-games; their entry points join through sys.path.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRA = os.environ.get("KLETKA_TEST_GAMES", str(ROOT / "build" / "test-games"))

if EXTRA not in sys.path:
    sys.path.insert(0, EXTRA)
os.environ["PYTHONPATH"] = os.pathsep.join(
    dict.fromkeys([EXTRA, *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
).strip(os.pathsep)
