"""How the server is doing: what it counts, what it logs of commands, requests and engines, and whether it is ready.

Names, texts of moves, tokens and addresses of people come by here and go no further; nor do labels ever hold what can
be many: no tables, no specs, families only.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from functools import cache
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from kletka.games.registry import family_of
from kletka.server.doors import refuse
from kletka.server.siblings import Siblings, together
from kletka.tables import (
    Answer,
    Applied,
    Clerk,
    Command,
    Conflict,
    Duplicate,
    Hall,
    Observer,
    Refused,
    Room,
    Unavailable,
)
from kletka.version import commit, version

_log = logging.getLogger(__name__)

_QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
"""Seconds between which commands and requests are counted."""
_THOUGHT = (0.01, 0.03, 0.1, 0.3, 1, 3, 10)
_LAG = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)
_LOOK = 0.25
"""Seconds between looks at how late the event loop is."""
_FRESH = 1.0
"""Seconds for which it isn't asked again whether the store works: asking writes to it."""
_PATIENCE = 3.0
"""Seconds after which a store that doesn't answer doesn't work."""

_HERE = {"127.0.0.1", "::1"}
_LOCAL_NAMES = _HERE | {"localhost"}
_PASSED_ON = ("x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via")


class Watch(Observer):
    """What one application counts and logs; its registries are its own: what this process counts, and what is the same
    for all processes."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        self.common = CollectorRegistry()
        ProcessCollector(registry=own)
        Info("kletka", "Which Kletka this is.", registry=self.common).info({"version": version(), "commit": commit()})
        self._commands = Counter("kletka_commands", "Commands by what came of them.", ["kind", "code"], registry=own)
        self._command_seconds = Histogram(
            "kletka_command_seconds", "From a command to its durable answer.", ["kind"], registry=own, buckets=_QUICK
        )
        self._request_seconds = Histogram(
            "kletka_request_seconds", "Requests by route.", ["route", "status"], registry=own, buckets=_QUICK
        )
        # Looking up a counter by its labels costs more than counting.
        self._answered, self._took = cache(self._commands.labels), cache(self._command_seconds.labels)
        self._opened = Counter("kletka_tables_opened", "Tables opened.", ["family"], registry=own)
        self._turn_seconds = Histogram(
            "kletka_engine_turn_seconds", "An engine's thinking.", ["family"], registry=own, buckets=_THOUGHT
        )
        self._lag = Histogram(
            "kletka_event_loop_lag_seconds", "How late the event loop is.", registry=own, buckets=_LAG
        )
        self.waiting = Gauge(
            "kletka_engine_turns_waiting", "Engines' turns that nobody serves yet.", registry=self.common
        )

    def gauge(self, name: str, said: str) -> Gauge:
        """A gauge of this application."""
        return Gauge(name, said, registry=self.registry)

    def counted(self) -> bytes:
        """What this process counts."""
        return generate_latest(self.registry)

    def opened(self, room: Room) -> None:
        """A table was opened."""
        family = family_of(room.table.game).name
        self._opened.labels(family).inc()
        _say("opened", table=room.id, family=family)

    def commanded(self, room: Room, command: Command, seat: int | None, answer: Answer, seconds: float) -> None:
        """A command was answered."""
        kind = type(command).__name__.lower()
        stored: int | None = None
        match answer:
            case Applied(stored, taken):
                code, seat = "applied", taken
            case Duplicate(stored):
                code = "duplicate"
            case Conflict():
                code = "conflict"
            case Refused(reasons):
                code = reasons[0].code
        self._answered(kind, code).inc()
        self._took(kind).observe(seconds)
        _say("command", table=room.id, seat=seat, kind=kind, version=stored, code=code, ms=_ms(seconds))

    def thought(self, room: Room, level: int, seconds: float) -> None:
        """An engine has chosen its move."""
        family = family_of(room.table.game).name
        self._turn_seconds.labels(family).observe(seconds)
        _say("engine", table=room.id, family=family, level=level, ms=_ms(seconds))

    def requested(self, scope: Any, status: int, seconds: float) -> None:
        """A request was answered: it is named by its route, for addresses may hold what somebody typed."""
        route = str(getattr(scope.get("route"), "path", "-"))
        self._request_seconds.labels(route, status).observe(seconds)
        _say("request", method=scope["method"], route=route, status=status, ms=_ms(seconds))

    async def watch_lag(self) -> None:
        """Measure, until cancelled, how much later than it should this coroutine goes on."""
        while True:
            due = monotonic() + _LOOK
            await asyncio.sleep(_LOOK)
            self._lag.observe(max(0.0, monotonic() - due))


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 2)


def _say(event: str, **facts: Any) -> None:
    if _log.isEnabledFor(logging.INFO):
        # Made here, since a logger would first look for the line of code that logs.
        record = logging.LogRecord(__name__, logging.INFO, "", 0, event, None, None)
        record.__dict__["facts"] = facts
        _log.handle(record)


def say_stage(event: str, **facts: Any) -> None:
    """Log that the server starts or stops."""
    _say(event, **facts)


class Condition:
    """Whether new work should be sent here."""

    def __init__(self, hall: Hall, clerk: Clerk) -> None:
        self.stopping = False
        self._hall, self._clerk = hall, clerk
        self._asking = asyncio.Lock()
        self._asked = -_FRESH
        self._works = False

    async def reasons(self) -> list[str]:
        """Why not: `stopping`, `store`, `clerk`; nothing where all is well."""
        if self.stopping:
            return ["stopping"]
        async with self._asking:
            if monotonic() - self._asked >= _FRESH:
                self._works = await self._store_works()
                self._asked = monotonic()
        found = {"store": not self._works, "clerk": not self._clerk.works}
        return [reason for reason, wrong in found.items() if wrong]

    async def _store_works(self) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._hall.store.probe()
        except (Unavailable, TimeoutError):
            return False
        return True


router = APIRouter(include_in_schema=False)
_FOR_NOW = {"Cache-Control": "no-store"}


@router.get("/health")
async def health() -> Response:
    """That the process answers."""
    return JSONResponse({"status": "ok", "version": version()}, headers=_FOR_NOW)


@router.get("/ready")
async def ready(request: Request) -> Response:
    """Whether new work should be sent here: 503 with the reasons otherwise."""
    condition: Condition = request.app.state.condition
    reasons = await condition.reasons()
    return JSONResponse({"ready": not reasons, "reasons": reasons}, 503 if reasons else 200, headers=_FOR_NOW)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Counters for Prometheus; for others than those who may read them there is no such page."""
    if not _may_read(request):
        return refuse(request, 404, "no_page")
    watch: Watch = request.app.state.watch
    hall: Hall = request.app.state.hall
    siblings: Siblings | None = request.app.state.siblings
    others = await siblings.ask() if siblings is not None else {}

    def written() -> bytes:
        try:
            watch.waiting.set(hall.store.waiting())
        except Unavailable:
            watch.waiting.set(float("nan"))
        counted = watch.counted()
        if siblings is not None:
            counted = together(others | {str(siblings.number): counted.decode()})
        return counted + generate_latest(watch.common)

    text = await asyncio.to_thread(written)
    return Response(text, media_type=CONTENT_TYPE_LATEST, headers=_FOR_NOW)


def _may_read(request: Request) -> bool:
    """Whoever knows the token; where there is none, this machine itself, asking straight and by its own name.

    A proxy on this machine is this machine too, so what was passed on isn't enough, nor is anything where people are
    known to come through one. The name keeps out pages whose own name leads here.
    """
    token: str | None = request.app.state.metrics_token
    if token:
        given = request.headers.get("authorization", "").encode("utf-8", "replace")
        return hmac.compare_digest(given, f"Bearer {token}".encode())
    name = urlsplit(f"//{request.headers.get('host', '')}").hostname
    straight = not any(header in request.headers for header in _PASSED_ON)
    here = request.client is not None and request.client.host in _HERE
    return here and straight and name in _LOCAL_NAMES and request.app.state.address is None
