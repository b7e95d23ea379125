"""Kletka as an app of the device: manifest and icons, the service worker, the page for when there is no network.

The worker (`web/src/worker`) keeps what the server marks by a header, and nothing else: pages that never change for
anybody (home, rules), and games that are over, which everybody may see. It knows no address of its own.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Literal
from urllib.parse import quote

import resvg_py
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from kletka import words
from kletka.drawing.svg import SHEET, icon
from kletka.server.doors import language_of
from kletka.server.templating import built_files, render
from kletka.server.web import Language, page

_DAY = {"Cache-Control": "max-age=86400"}
_ASK = {"Cache-Control": "no-cache"}
_SIZES = (192, 512)

router = APIRouter(include_in_schema=False)


def keep(response: Response, what: Literal["page", "finished"], title: str = "") -> None:
    """Let browsers keep this answer for when there is no network; `title` is what the game is listed by."""
    response.headers["Kletka-Keep"] = what
    if title:
        response.headers["Kletka-Title"] = quote(title)


@router.get("/manifest.webmanifest")
@router.get("/{lang}/manifest.webmanifest")
async def manifest(request: Request, lang: Language | None = None) -> Response:
    """What a device shows of Kletka when it is installed."""
    language = lang or language_of(request)
    icons = [{"src": "/icon.svg", "type": "image/svg+xml", "sizes": "any"}]
    for size in _SIZES:
        drawn = {"type": "image/png", "sizes": f"{size}x{size}"}
        icons += [
            {"src": f"/icon-{size}.png", **drawn},
            {"src": f"/icon-{size}-maskable.png", **drawn, "purpose": "maskable"},
        ]
    told = {
        "id": "/",
        "name": words.say(language, "page.name"),
        "short_name": words.say(language, "page.name"),
        "description": words.say(language, "page.lead"),
        "lang": language,
        "dir": "ltr",
        "start_url": f"/{language}/",
        "scope": "/",
        "display": "standalone",
        "background_color": SHEET,
        "theme_color": SHEET,
        "categories": ["games"],
        "icons": icons,
    }
    headers = _ASK if lang else _ASK | {"Vary": "Accept-Language"}
    return JSONResponse(told, headers=headers, media_type="application/manifest+json")


@router.get("/icon.svg")
async def picture() -> Response:
    """The icon of the page."""
    return Response(icon(), media_type="image/svg+xml", headers=_DAY)


@router.get("/icon-turn.svg")
async def picture_of_turn() -> Response:
    """The icon of a page where it is somebody's turn."""
    return Response(icon(turn=True), media_type="image/svg+xml", headers=_DAY)


@cache
def _dots(size: int, maskable: bool) -> bytes:
    drawn: bytes = resvg_py.svg_to_bytes(svg_string=icon(maskable=maskable), width=size, height=size)
    return bytes(drawn)


@router.get("/icon-{size}-maskable.png")
async def maskable(size: Literal["192", "512"]) -> Response:
    """The icon on a sheet without an edge, for devices that cut their own."""
    return Response(_dots(int(size), True), media_type="image/png", headers=_DAY)


@router.get("/icon-{size}.png")
async def dots(size: Literal["192", "512"]) -> Response:
    """The icon in dots, for devices that install no other."""
    return Response(_dots(int(size), False), media_type="image/png", headers=_DAY)


@router.get("/{lang}/offline", response_class=HTMLResponse)
async def offline(request: Request, lang: Language) -> Response:
    """What the worker shows when a page can't be had."""
    return page(request, "offline.html")


@cache
def _worker() -> str:
    code = (files("kletka.server") / "static" / "worker.js").read_text("utf-8")
    pages = {language: f"/{language}/offline" for language in words.LANGUAGES}
    shown = [render("offline.html", lang=language, path="/offline") for language in words.LANGUAGES]
    needed = [*built_files(), "/icon.svg"]
    build = sha256(json.dumps([code, needed, shown]).encode()).hexdigest()[:12]
    return f"const BUILT = {json.dumps({'build': build, 'files': needed, 'pages': pages})};\n{code}"


@router.get("/worker.js")
async def worker() -> Response:
    """The service worker; a new build is a new text, by which browsers notice it."""
    return Response(_worker(), media_type="text/javascript", headers=_ASK)
