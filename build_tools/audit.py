"""Ask whether any package that is used here is known to be vulnerable: Python's by pip-audit, the page's by npm.

A known vulnerability is a failure. Where an advisory service can't be reached, that is said in a line and nothing was
checked; with AUDIT=strict that is a failure, too. What needs no service is checked anyway: that installed packages fit
together, and that every package comes from a registry, the page's with its hash.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_PATIENCE = 300
"""Seconds for a service to answer."""


@dataclass(frozen=True)
class Found:
    """How many packages a service knows, those that it doesn't, and those that are known to be vulnerable, each with
    its advisories. Where it knows none, it wasn't reached."""

    checked: int
    unknown: tuple[str, ...] = ()
    vulnerable: tuple[str, ...] = ()


def read_json(text: str) -> Any:
    """What a tool reports; None where that is no report."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def of_pip_audit(report: Any) -> Found:
    """What pip-audit's report says. It reports packages that it couldn't ask about as skipped, and succeeds."""
    asked = report.get("dependencies", []) if isinstance(report, dict) else []
    known = [one for one in asked if "vulns" in one]
    bad = [f"{one['name']} {one['version']}: {_ids(one['vulns'])}" for one in known if one["vulns"]]
    skipped = [one["name"] for one in asked if "vulns" not in one and one["name"] != "kletka"]
    return Found(len(known), tuple(skipped), tuple(bad))


def _ids(vulnerabilities: list[dict[str, Any]]) -> str:
    return " ".join(str(one["id"]) for one in vulnerabilities)


def of_npm(report: Any) -> Found:
    """What `npm audit --json` says."""
    if not isinstance(report, dict) or "vulnerabilities" not in report or "error" in report:
        return Found(0)
    bad = [f"{name}: {one['severity']}" for name, one in report["vulnerabilities"].items()]
    return Found(report["metadata"]["dependencies"]["total"], (), tuple(bad))


def not_from_a_registry(project: dict[str, Any], lock: dict[str, Any]) -> list[str]:
    """Requirements that name an address, and locked packages without a hash or with an address."""
    extras = project["project"].get("optional-dependencies", {}).values()
    named = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(one for e in extras for one in e),
    ]
    direct = [one for one in named if re.search(r"@|://", one)]
    packages = {name: one for name, one in lock["packages"].items() if name}
    return direct + [name for name, one in packages.items() if "integrity" not in one or "resolved" in one]


def _output(*command: str) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def pip_audit() -> Found:
    """Ask about what is installed for this Python."""
    asked = (sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off")
    return of_pip_audit(read_json(_output(*asked)))


def npm_audit() -> Found:
    """Ask about what the page is built with; what is served needs none of it."""
    return of_npm(read_json(_output(sys.executable, "build_tools/npm.py", "audit", "--json")))


SERVICES: dict[str, Callable[[], Found]] = {"Python": pip_audit, "npm": npm_audit}


def main(strict: bool) -> int:
    """Check everything, say what came of it, and give 1 where something is wrong."""
    wrong = False
    fits = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    if fits.returncode:
        wrong = True
        print(f"audit: installed packages don't fit together:\n{fits.stdout}")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    for name in not_from_a_registry(project, lock):
        wrong = True
        print(f"audit: {name} doesn't come from a registry, or has no hash")
    for kind, ask in SERVICES.items():
        found = ask()
        if not found.checked:
            wrong |= strict
            print(f"audit: {kind}: advisories not reachable, NOTHING WAS CHECKED")
            continue
        print(f"audit: {kind}: {found.checked} packages checked, {len(found.vulnerable)} vulnerable")
        if found.unknown:
            wrong |= strict
            print(f"audit: {kind}: not known there, so not checked: {', '.join(found.unknown)}")
        for one in found.vulnerable:
            wrong = True
            print(f"audit: {kind}: VULNERABLE: {one}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(os.environ.get("AUDIT") == "strict"))
