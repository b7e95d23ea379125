"""The application: routes, doors, and what runs beside them."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

from kletka.drawing.svg import icon
from kletka.server import (
    export_pages,
    mine,
    pages,
    paper_pages,
    practice,
    race_pages,
    study_pages,
    table_pages,
    think_pages,
)
from kletka.server.doors import LONGEST_FRAME, Door, Rate, Rates, client, refuse, same_origin
from kletka.server.live import Switchboard
from kletka.server.thinking import Thinker
from kletka.tables import Clerk, Hall, Store, Unavailable
from kletka.version import version

_log = logging.getLogger(__name__)

_PAGES = (
    *(pages, table_pages, race_pages, mine, practice),
    *(study_pages, think_pages, export_pages, paper_pages),
)
"""What has routes."""
_NEWS = 2.0
"""Seconds between looks for what other processes wrote."""


class _Forever(StaticFiles):
    """Built files: their names change with their content, so browsers keep them for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 200:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def create_app(
    store: Store,
    *,
    address: str | None = None,
    rates: Rates | None = None,
) -> FastAPI:
    """The server on a store. `address` is where people open it, if a proxy hides that."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        beside = [asyncio.create_task(Clerk(hall).run()), asyncio.create_task(_news(hall))]
        beside.append(asyncio.create_task(switchboard.watch_silence()))
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await thinker.close()
        store.close()

    app = FastAPI(title="Kletka", version=version(), docs_url=None, redoc_url=None, lifespan=lifespan)
    hall = Hall(store)
    rate = Rate(rates or Rates())
    switchboard = Switchboard(hall, rate)
    thinker = Thinker()
    app.state.hall, app.state.rate, app.state.address, app.state.switchboard, app.state.thinker = (
        hall,
        rate,
        address,
        switchboard,
        thinker,
    )
    for module in _PAGES:
        app.include_router(module.router)
    app.mount("/static", _Forever(packages=[("kletka.server", "static")]), name="static")

    @app.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        """Changes come from our own pages, and not too many at once."""
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            host = request.headers.get("host", "")
            if not same_origin(request.headers.get("origin"), host, address):
                return refuse(request, 403, "foreign_origin")
            if not rate.request(client(request)):
                return refuse(request, 429, "too_fast")
        return await go_on(request)

    app.add_middleware(Door)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        where = {str(detail["loc"][0]) for detail in error.errors() if detail["loc"]}
        return refuse(request, 404, "no_page") if "path" in where else refuse(request, 422, "malformed")

    @app.exception_handler(Unavailable)
    async def unavailable(request: Request, error: Unavailable) -> Response:
        return refuse(request, 503, "unavailable")

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        code = {404: "no_page", 405: "no_page", 413: "too_long"}.get(error.status_code, "malformed")
        return refuse(request, error.status_code, code)

    @app.websocket("/t/{table_id}/socket")
    async def live(socket: WebSocket, table_id: str) -> None:
        origin, host = socket.headers.get("origin"), socket.headers.get("host", "")
        if not same_origin(origin, host, address):
            await socket.close(1008)
            return
        await switchboard.serve(socket, table_id, client(socket))

    @app.get("/icon.svg", include_in_schema=False)
    async def picture() -> Response:
        """The icon of the page."""
        return Response(icon(), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get("/icon-turn.svg", include_in_schema=False)
    async def picture_of_turn() -> Response:
        """The icon of a page where it is somebody's turn."""
        return Response(icon(turn=True), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get("/health")
    async def health() -> JSONResponse:
        """That the server serves."""
        return JSONResponse({"status": "ok", "version": version()})

    return app


async def _news(hall: Hall) -> None:
    while True:
        await asyncio.sleep(_NEWS)
        try:
            await hall.refresh()
        except Unavailable:
            _log.warning("the store could not be read")


class _Server(uvicorn.Server):
    """Says when it serves, and tells every watcher before it closes their sockets."""

    def __init__(self, config: uvicorn.Config, switchboard: Switchboard, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._switchboard, self._ready = switchboard, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._switchboard.stop()
        await super().shutdown(sockets)


def run(
    listening: socket.socket,
    folder: Path,
    address: str | None = None,
    ready: Callable[[], None] = lambda: None,
    rates: Rates | None = None,
) -> None:
    """Serve a data folder on a bound socket until interrupted. Raises OSError where the folder can't be used."""
    app = create_app(Store.in_folder(folder), address=address, rates=rates)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=LONGEST_FRAME,
        ws_ping_interval=None,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    # The writer's thread hands the interpreter back and forth around each call of the store: at the usual 5 ms a
    # commit would wait for its turn longer than for the disk.
    sys.setswitchinterval(0.0005)
    # What the imports made stays for ever: the collector needn't look at it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    _Server(config, app.state.switchboard, ready).run(sockets=[listening])
