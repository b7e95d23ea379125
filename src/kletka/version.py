"""Which Kletka this is: its version, and the commit it was built from."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from importlib.metadata import version as _installed
from importlib.resources import files
from pathlib import Path


@cache
def version() -> str:
    """The version of the installed package."""
    return _installed("kletka")


@cache
def commit() -> str:
    """The short name of the commit: asked of git in a checkout, written at build time in a wheel; may be empty."""
    root = Path(__file__).resolve().parent.parent.parent
    if (root / ".git").exists() and shutil.which("git"):
        asked = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True, check=False
        )
        if asked.returncode == 0:
            return asked.stdout.strip()
    written = files("kletka") / "commit.txt"
    return written.read_text("utf-8").strip() if written.is_file() else ""
