"""The rules need no kernel, and `import kletka` loads none."""

from __future__ import annotations

import subprocess
import sys


def test_importing_kletka_loads_no_kernel() -> None:
    code = "import sys, kletka; kletka.game('tictactoe'); sys.exit('kletka._kernels' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
