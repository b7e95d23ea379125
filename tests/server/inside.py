"""A server inside the test's process, where limits are small or the store misbehaves; still met over real sockets."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
import uvicorn
from fastapi import FastAPI
from starlette.routing import Route

from kletka.server import Rates, create_app
from kletka.server.app import _PAGES
from kletka.server.doors import LONGEST_FRAME, Rate
from kletka.tables import Hall, Store
from tests.server.site import Site
from tests.stores import open_store


def listening(buffer: int | None = None) -> socket.socket:
    """A bound socket on a free port; `buffer` bounds what the system keeps for each of its connections."""
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    if buffer is not None:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    bound.listen()
    return bound


class _Started(uvicorn.Server):
    """A server that tells when it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.serves = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.serves.set()


class Inside(Site):
    """A site whose hall lies open."""

    def __init__(self, url: str, folder: Path, app: FastAPI) -> None:
        super().__init__(url, folder)
        self.hall: Hall = app.state.hall
        self.rate: Rate = app.state.rate
        self.routes = [route for module in _PAGES for route in module.router.routes if isinstance(route, Route)]


@contextmanager
def inside(
    folder: Path,
    *,
    rates: Rates | None = None,
    address: str | None = None,
    metrics_token: str | None = None,
    buffer: int | None = None,
    prepare: Callable[[Store], None] = lambda store: None,
) -> Iterator[Inside]:
    """A site served from a thread; `prepare` may change its store before it serves."""
    store = open_store(folder)
    prepare(store)
    app = create_app(store, address=address, rates=rates, metrics_token=metrics_token)
    config = uvicorn.Config(
        app,
        log_level="critical",
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=LONGEST_FRAME,
        ws_ping_interval=None,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    server = _Started(config)
    with listening(buffer) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        site = Inside(f"http://127.0.0.1:{bound.getsockname()[1]}", folder, app)
        site.hurries = rates is not None
        try:
            assert server.serves.wait(20)
            yield site
        finally:
            site.close()
            server.should_exit = True
            thread.join(60)
            assert not thread.is_alive(), "it goes on beside the tests that follow"


class Disk:
    """Makes a store's disk read-only for a while: SQLite itself refuses to write then."""

    def __init__(self) -> None:
        self.full = False
        self.store: Store | None = None

    def under(self, store: Store) -> None:
        """Stand under a store."""
        self.store = store
        sa.event.listen(store.engine, "connect", self._connected)
        store.engine.dispose()

    def _connected(self, connection: object, _record: object) -> None:
        if self.full:
            connection.execute("PRAGMA query_only = ON")  # type: ignore[attr-defined]

    def set(self, full: bool) -> None:
        """From now on nothing more can be written, or again."""
        assert self.store is not None
        self.full = full
        self.store.engine.dispose()
