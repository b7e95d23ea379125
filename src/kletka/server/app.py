"""The application: routes, doors, and what runs beside them."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import os
import re
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import uvicorn
from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from sqlalchemy import make_url
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from kletka.server import (
    check_pages,
    export_pages,
    learn_pages,
    mine,
    observing,
    offline,
    pages,
    paper_pages,
    practice,
    race_pages,
    study_pages,
    table_pages,
    think_pages,
)
from kletka.server.answers import describe
from kletka.server.doors import LONGEST_FRAME, Door, Rate, Rates, asker_of, language_of, refuse, same_origin
from kletka.server.live import Switchboard
from kletka.server.logs import Log
from kletka.server.logs import start as start_logs
from kletka.server.observing import Condition, Watch, say_stage
from kletka.server.processes import Supervisor
from kletka.server.siblings import Siblings
from kletka.server.thinking import Thinker
from kletka.server.turns import Busy, Desk
from kletka.server.web import Hasty
from kletka.tables import Clerk, Hall, Store, Unavailable, Unreadable
from kletka.version import commit, version

_log = logging.getLogger(__name__)

_PAGES = (
    *(pages, table_pages, race_pages, mine, practice, learn_pages),
    *(study_pages, think_pages, export_pages, paper_pages, check_pages),
    *(observing, offline),
)
"""What has routes."""
_NEWS = 2.0
"""Seconds between looks for what other processes wrote."""
_COLLECT = 60.0
"""Seconds between searches for memory that nobody uses any more."""


_SOCKET = re.compile("(?:/[a-z]{2})?/t/([^/]+)/socket")


class _Application(FastAPI):
    """Takes sockets before anything else does: each would keep all that a request passes through as long as it is
    open, and that is more memory than it needs itself."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await super().__call__(scope, receive, send)
            return
        # It keeps all that it is asked for: another one is served.
        asked = WebSocket(scope, receive, send)
        table_id, asker, language = _table_of(asked, self.state.address), asker_of(asked), language_of(asked)
        del asked
        scope["headers"].clear()
        socket = WebSocket(scope, receive, send)
        if table_id is None:
            await socket.close(1008)
        else:
            await self.state.switchboard.serve(socket, table_id, asker, language)


def _table_of(asked: WebSocket, address: str | None) -> str | None:
    """Which table a socket asks for; None where it comes from a page of another site, or asks for something else."""
    found, headers = _SOCKET.fullmatch(asked.scope["path"]), asked.headers
    ours = same_origin(headers.get("origin"), headers.get("host", ""), address)
    return found[1] if found and ours else None


class _Forever(StaticFiles):
    """Built files: where their names change with their content, browsers keep them for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 200 and path.startswith("assets/"):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def create_app(
    store: Store,
    *,
    address: str | None = None,
    rates: Rates | None = None,
    metrics_token: str | None = None,
    news: str | None = None,
    engines: int | None = None,
    siblings: Siblings | None = None,
    secret: bytes = b"",
) -> FastAPI:
    """The server on a store. `address` is where people open it, if a proxy hides that.

    Whoever knows `metrics_token` may read the metrics; without one they are for this machine alone. `news` is the
    address of the Redis over which processes tell each other what they stored; at most `engines` engines think at once.
    `siblings` are the processes of the same port; `secret` is what all that tell each other know, and nobody else.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        beside = [asyncio.create_task(clerk.run()), asyncio.create_task(_news(hall))]
        beside += [asyncio.create_task(switchboard.watch_silence()), asyncio.create_task(watch.watch_lag())]
        beside.append(asyncio.create_task(_collect()))
        if news is not None:
            from kletka.tables.news import News

            beside.append(asyncio.create_task(News(hall, news, secret).run()))
        if siblings is not None:
            beside.append(asyncio.create_task(siblings.tell(watch.counted)))
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await thinker.close()
        desk.close()
        store.close()

    app = _Application(title="Kletka", version=version(), docs_url=None, redoc_url=None, lifespan=lifespan)
    watch = Watch()
    hall = Hall(store, watch)
    clerk = Clerk(hall, engines)
    rate = Rate(rates or Rates())
    switchboard = Switchboard(hall, rate)
    thinker, desk = Thinker(), Desk()
    app.state.hall, app.state.rate, app.state.address, app.state.switchboard, app.state.thinker = (
        hall,
        rate,
        address,
        switchboard,
        thinker,
    )
    app.state.desk = desk
    app.state.watch, app.state.metrics_token, app.state.siblings = watch, metrics_token, siblings
    app.state.condition = Condition(hall, clerk)
    watch.gauge("kletka_sockets", "Open sockets.").set_function(lambda: len(switchboard.open))
    watch.gauge("kletka_tables_in_memory", "Tables in memory.").set_function(lambda: hall.held)
    watch.gauge("kletka_engine_turns_running", "Engines' turns being served.").set_function(lambda: clerk.thinking)
    watch.gauge("kletka_store_queue", "Events that wait to be written.").set_function(lambda: store.queued)
    for module in _PAGES:
        app.include_router(module.router)
    describe(app)
    app.mount("/static", _Forever(packages=[("kletka.server", "static")]), name="static")

    @app.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        """Changes come from our own pages, and not too many at once."""
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            host = request.headers.get("host", "")
            if not same_origin(request.headers.get("origin"), host, address):
                return refuse(request, 403, "foreign_origin")
            if wait := rate.request(asker_of(request)):
                return refuse(request, 429, "too_fast", wait=wait)
        return await go_on(request)

    app.add_middleware(Door, seen=watch.requested)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        where = {str(detail["loc"][0]) for detail in error.errors() if detail["loc"]}
        return refuse(request, 404, "no_page") if "path" in where else refuse(request, 422, "malformed")

    @app.exception_handler(Unavailable)
    async def unavailable(request: Request, error: Unavailable) -> Response:
        return refuse(request, 503, "unavailable")

    @app.exception_handler(Unreadable)
    async def another(request: Request, error: Unreadable) -> Response:
        return refuse(request, 410, error.code)

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> Response:
        return refuse(request, 503, "busy")

    @app.exception_handler(Hasty)
    async def hasty(request: Request, error: Hasty) -> Response:
        return refuse(request, 429, error.code, wait=error.wait)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        code = {404: "no_page", 405: "no_page", 413: "too_long"}.get(error.status_code, "malformed")
        return refuse(request, error.status_code, code)

    return app


async def _news(hall: Hall) -> None:
    while True:
        await asyncio.sleep(_NEWS)
        try:
            await hall.refresh()
        except Unavailable:
            _log.warning("the store could not be read")


async def _collect() -> None:
    """Every connection leaves cycles in the libraries below. Looking for all of them takes a tenth of a second where
    many play: so it is done by the clock, and not as often as the collector would."""
    while True:
        await asyncio.sleep(_COLLECT)
        gc.collect()


class _Server(uvicorn.Server):
    """Says when it serves; when it is to stop, it says so, first to whom sends people here, then to every watcher."""

    def __init__(
        self, config: uvicorn.Config, app: FastAPI, ready: Callable[[], None], grace: float, log: logging.Handler
    ) -> None:
        super().__init__(config)
        self._app, self._ready, self._grace, self._log = app, ready, grace, log
        self._at_once = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            say_stage("start", version=version(), commit=commit())
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A second signal ends the grace."""
        if self.should_exit:
            self._at_once.set()
        self._app.state.condition.stopping = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        switchboard: Switchboard = self._app.state.switchboard
        self._app.state.condition.stopping = True
        say_stage("stopping", sockets=len(switchboard.open))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._at_once.wait(), self._grace)
        await switchboard.stop()
        await super().shutdown(sockets)
        say_stage("stopped")
        # The signal that ends this process is raised again after this: no line may wait any longer.
        self._log.close()


@dataclass(frozen=True)
class Serving:
    """What is served, and how: the store's folder or database, and what `create_app` takes; `grace` is how many seconds
    it goes on serving, not ready, before it stops; `engines` how many engines think at once (None: as many as cores
    but one); `siblings` the processes of the same port, where it isn't the only one."""

    where: Path | str
    address: str | None = None
    rates: Rates | None = None
    log: Log = "off"
    metrics_token: str | None = None
    grace: float = 0
    news: str | None = None
    engines: int | None = None
    siblings: Siblings | None = None


def _secret(where: Path | str) -> bytes:
    """What only those know who may write to the database: nothing, where its address has no password. Guessing
    passwords by it takes long."""
    if isinstance(where, Path) or not make_url(where).password:
        return b""
    return hashlib.scrypt(where.encode(), salt=b"kletka news", n=2**14, r=8, p=1)


def run(listening: socket.socket, serving: Serving, ready: Callable[[], None] = lambda: None) -> None:
    """Serve on a bound socket until interrupted. Raises NoStore."""
    handler = start_logs(serving.log)
    app = create_app(
        Store(serving.where),
        address=serving.address,
        rates=serving.rates,
        metrics_token=serving.metrics_token,
        news=serving.news,
        engines=serving.engines,
        siblings=serving.siblings,
        secret=_secret(serving.where),
    )
    config = uvicorn.Config(
        app,
        log_config=None,
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
    # Cycles of new objects are looked for in small steps, of old ones by `_collect`: all at once would stop everybody.
    gc.set_threshold(1_000, 5, 1_000_000)
    _Server(config, app, ready, serving.grace, handler).run(sockets=[listening])


def run_many(count: int, listening: socket.socket, serving: Serving, ready: Callable[[], None] = lambda: None) -> bool:
    """Serve by several processes until interrupted; false where they only ever die at once. Raises as `run` does."""
    start_logs(serving.log)
    Store(serving.where).close()
    cores = os.cpu_count() or 2
    each = replace(serving, engines=serving.engines or max(1, (cores - 1) // count))
    # Who comes while they start waits.
    listening.listen(2048)
    ready()
    with TemporaryDirectory(prefix="kletka-") as folder:
        serve = partial(_run_one, serving=each, folder=Path(folder), count=count)
        return Supervisor(count, serve, listening).run()


def _run_one(listening: socket.socket, number: int, serving: Serving, folder: Path, count: int) -> None:
    run(listening, replace(serving, siblings=Siblings(folder, count, number)))
