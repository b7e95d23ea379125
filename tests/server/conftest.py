"""A served Kletka for all tests of the server, and one of its own for tests that stop it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.site import Site
from tests.serving import Served


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of this folder."""
    server = Served(tmp_path_factory.mktemp("served"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def site(served: Served) -> Iterator[Site]:
    """The common server as people meet it; whoever came in leaves after the test."""
    visited = Site(served.url, served.folder)
    yield visited
    visited.close()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """A server for one test, to stop and start."""
    server = Served(tmp_path)
    server.start()
    yield server
    server.stop()
