"""Debian's chromium, a served Kletka, and the acts of a person at a table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.people import PATIENCE
from tests.serving import Served

BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's chromium instead of a download."""
    return {"executable_path": shutil.which("chromium"), "args": BROWSER_ARGUMENTS}


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all browser tests."""
    server = Served(tmp_path_factory.mktemp("data"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """A server for one test, to stop and start."""
    server = Served(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def everybody_leaves(request: pytest.FixtureRequest) -> Iterator[None]:
    """Pages that stay open would go on ticking, polling and reconnecting beside the tests that follow."""
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()
