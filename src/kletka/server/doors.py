"""The doors: security headers, sizes, rates, origins, and refusals in the shape that fits who asks."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, ip_address
from math import ceil
from time import perf_counter, time
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from limits import RateLimitItem, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kletka import words
from kletka.server.keys import browser_key, owner_hash
from kletka.server.templating import render

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types kletka"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")
_LENGTH = re.compile(r"[0-9]{1,15}")

LONGEST_BODY = 64 * 1024
"""Bytes of a request's body."""
LONGEST_MESSAGE = 16 * 1024
"""Characters of a socket's message; up to LONGEST_FRAME it is answered, above it the connection is closed (1009)."""
LONGEST_FRAME = 64 * 1024
FLOOD = 25
"""A socket that sends so many times as much as it may is closed (1008)."""


@dataclass(frozen=True)
class Rates:
    """How much one browser may ask. Its address may ask `at_one_address` times as much, since it can be a whole school;
    whoever shows no key or token counts by the address alone.
    """

    tables_a_minute: int = 30
    """Tables that are opened: each of a race, and what is played next as well."""
    requests_a_second: int = 30
    """Changes by HTTP, and games that are described to be drawn."""
    messages_a_second: int = 20
    """Messages of a socket, and of all sockets with one token together; of an address all but pings."""
    sockets: int = 80
    """Sockets that are open, by the browser's key and by the seat's token."""
    at_one_address: int = 10


@dataclass(frozen=True)
class Asker:
    """Who asks: the address, and the browser by a hash of its key or token; either is empty where it isn't counted."""

    address: str
    browser: str = ""


class Second:
    """How many messages were sent in this second: counted on the hot path, so without a store."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._second = 0
        self._count = 0

    def hit(self, now: float) -> bool:
        """Count a message at a time in seconds; whether it is still allowed."""
        if int(now) != self._second:
            self._second, self._count = int(now), 0
        self._count += 1
        return self._count <= self.most

    @property
    def flooded(self) -> bool:
        """Whether so many were sent that no page sends them, and nobody reads the answers."""
        return self._count > FLOOD * self.most


class Rate:
    """Counts what browsers and addresses do. What is refused (but messages) counts for nobody: who asks too much takes
    nothing from others at the address, and keys that are made up leave nothing here once the address has had its
    share."""

    def __init__(self, rates: Rates) -> None:
        self.rates = rates
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._sockets: Counter[str] = Counter()
        self._seconds: WeakValueDictionary[str, Second] = WeakValueDictionary()

    def table(self, asker: Asker, count: int = 1) -> int:
        """Seconds until somebody may open so many tables; 0: now, and they are counted."""
        return self._wait(RateLimitItemPerMinute, self.rates.tables_a_minute, asker, count)

    def request(self, asker: Asker) -> int:
        """Seconds until somebody may ask for something by HTTP; 0: now, and it is counted."""
        return self._wait(RateLimitItemPerSecond, self.rates.requests_a_second, asker, 1)

    def messages(self, who: str, times: int = 1) -> Second:
        """The count of messages that the open sockets of somebody share."""
        shared = self._seconds.get(who)
        if shared is None:
            shared = self._seconds[who] = Second(self.rates.messages_a_second * times)
        return shared

    def enter(self, asker: Asker) -> bool:
        """Whether somebody may hold another socket; counts it if so."""
        shares = self._shares(asker, self.rates.sockets)
        if any(self._sockets[who] >= most for who, most in shares):
            return False
        self._sockets.update(who for who, _ in shares)
        return True

    def leave(self, asker: Asker) -> None:
        """A socket that was counted is closed."""
        for who, _ in self._shares(asker, 0):
            self._sockets[who] -= 1
            if self._sockets[who] <= 0:
                del self._sockets[who]

    def _shares(self, asker: Asker, most: int) -> list[tuple[str, int]]:
        """How much the browser may, and the address."""
        both = (asker.browser, most), (asker.address, most * self.rates.at_one_address)
        return [(who, many) for who, many in both if who]

    def _wait(self, per: type[RateLimitItem], most: int, asker: Asker, count: int) -> int:
        shares = [(per(many), who) for who, many in self._shares(asker, most)]
        full = [share for share in shares if not self._limiter.test(*share, cost=count)]
        for share in () if full else shares:
            self._limiter.hit(*share, cost=count)
        ends = [self._limiter.get_window_stats(*share).reset_time for share in full]
        return max([max(1, ceil(end - time())) for end in ends], default=0)


def same_origin(origin: str | None, host: str, configured: str | None) -> bool:
    """Whether a request's Origin is the address that the page was opened with (or the configured one).

    Requests without an Origin are not from a page of another site in any browser of today.
    """
    if origin is None:
        return True
    if configured is not None and _host(origin) == _host(configured):
        return True
    return origin != "null" and _host(origin) == host.lower()


def _host(address: str) -> str:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


def _is_host(host: str) -> bool:
    """Whether this is a name or an address, and maybe a port: not everything in brackets is one."""
    try:
        return bool(_HOST.fullmatch(host)) and urlsplit(f"//{host}").port != 0
    except ValueError:
        return False


def client(request: Any) -> str:
    """The address that a request or socket comes from; of IPv6 the network of 64 bits, which is one household's."""
    return _network(request.client.host) if request.client else "unknown"


@lru_cache(maxsize=4096)
def _network(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ip_address(int(address) >> 64 << 64))


def asker_of(request: Any) -> Asker:
    """Who sends a request or opens a socket."""
    key = browser_key(request)
    return Asker(client(request), owner_hash(key) if key else "")


def language_of(request: Any) -> str:
    """The language of an address such as /fr/..., or the one that the browser prefers."""
    first = request.url.path.split("/")[1] if "/" in request.url.path else ""
    if first in words.LANGUAGES:
        return str(first)
    wishes = [part.partition(";")[0].strip() for part in request.headers.get("accept-language", "").split(",")]
    return words.choose_language(wish for wish in wishes[:20] if wish)


class Page(HTMLResponse):
    """A page; half a character that somebody typed doesn't keep it from being sent."""

    def render(self, content: str) -> bytes:
        return content.encode("utf-8", "replace")


class Refusal(JSONResponse):
    """A refusal for programs; half a character that somebody sent doesn't keep it from being sent."""

    def render(self, content: object) -> bytes:
        return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def _json(code: str, language: str, said: str | None = None) -> dict[str, object]:
    text = said or words.say(language, f"refusal.{code}")
    return {"refused": [{"code": code, "at": [], "say": text}]}


def wants_page(request: Request) -> bool:
    """Whether a person asks, with a browser, rather than a program."""
    return "text/html" in request.headers.get("accept", "")


def refuse(request: Request, status: int, code: str, said: str | None = None, wait: int = 0) -> Response:
    """A refusal: a small page for people, JSON for programs; both with the code, and after how many seconds (`wait`) it
    may be asked again, where that is known."""
    answer = _refusal(request, status, code, said)
    if wait:
        answer.headers["Retry-After"] = str(wait)
    return answer


def _refusal(request: Request, status: int, code: str, said: str | None) -> Response:
    language = language_of(request)
    if wants_page(request):
        text = said or words.say(language, f"refusal.{code}")
        back = request.headers.get("referer", "")
        ours = back.startswith(("http://", "https://")) and same_origin(back, request.headers.get("host", ""), None)
        near = back if ours else f"/{language}/"
        page = render("refused.html", lang=language, path="/", said=text, code=code, back=near)
        return Page(page, status)
    return Refusal(_json(code, language, said), status)


class _Body:
    """A request's body as it comes in: above LONGEST_BODY the application sees its sender go, and we answer."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._taken = 0
        self._answered = False

    @property
    def too_long(self) -> bool:
        return self._taken > LONGEST_BODY

    async def through(self, app: ASGIApp, scope: Scope) -> None:
        """Let the application answer, unless the body turns out too long before it did."""
        try:
            await app(scope, self._counted, self._passed)
        except Exception:
            if not self.too_long:
                raise
        if self.too_long and not self._answered:
            await refuse(Request(scope), 413, "too_long")(scope, self._receive, self._send)

    async def _counted(self) -> Message:
        message = await self._receive()
        self._taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if self.too_long else message

    async def _passed(self, message: Message) -> None:
        if not self.too_long or self._answered:
            self._answered = True
            await self._send(message)


Seen = Callable[[Scope, int, float], None]
"""Hears of every request when it is over: its scope, the status of the answer, the seconds that it took."""
_WENT = 499
"""The status of a request that nobody waited for."""


class Door:
    """ASGI middleware: headers on every answer, no strange host, no body above LONGEST_BODY, HEAD as GET."""

    def __init__(self, app: ASGIApp, seen: Seen) -> None:
        self.app = app
        self.seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        began, status = perf_counter(), _WENT

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["method"] == "HEAD":
            # The server below sends no body to a HEAD; the pages needn't know of it.
            scope = {**scope, "method": "GET"}
        try:
            await self._let_in(scope, receive, with_headers)
        except Exception:
            status = 500
            raise
        finally:
            self.seen(scope, status, perf_counter() - began)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        declared = request.headers.get("content-length", "0")
        if not _is_host(request.headers.get("host", "")):
            await Refusal(_json("malformed", "en"), 400)(scope, receive, send)
        elif not _LENGTH.fullmatch(declared) or int(declared) > LONGEST_BODY:
            await refuse(request, 413, "too_long")(scope, receive, send)
        else:
            await _Body(receive, send).through(self.app, scope)
