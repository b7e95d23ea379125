"""The tables at which this browser sits: where it is its turn, those that run, wait and are over."""

from __future__ import annotations

import asyncio
from typing import Any

from babel.dates import format_timedelta
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from kletka import words
from kletka.games import KletkaError, game
from kletka.server import keys
from kletka.server.templating import render
from kletka.server.web import Language, hall_of, page
from kletka.tables import Sitting

_MOST = 200
"""Tables that are listed, the last changed first."""

GROUPS = ("turn", "running", "waiting", "over")

router = APIRouter()


def _group(sitting: Sitting) -> str:
    return "turn" if sitting.status == "running" and sitting.to_move in sitting.seats else sitting.status


def _shown(language: str, sitting: Sitting, now: float) -> dict[str, Any] | None:
    try:
        made = game(sitting.spec)
    except KletkaError:
        return None
    names = [words.isolated(name) for name in sitting.names if name]
    return {
        "id": sitting.table_id,
        "name": words.title(language, made),
        "against": words.say(language, "mine.with", n=len(names), names=words.listed(language, names)) if names else "",
        "ago": format_timedelta(round(sitting.changed_at - now), add_direction=True, locale=language),
        "group": _group(sitting),
    }


async def _sittings(request: Request) -> list[Sitting]:
    key = keys.browser_key(request)
    if key is None:
        return []
    return await asyncio.to_thread(hall_of(request).store.sittings, keys.owner_hash(key), _MOST)


async def _list(request: Request, language: str) -> str:
    now = hall_of(request).store.now()
    shown = [one for sitting in await _sittings(request) if (one := _shown(language, sitting, now))]
    groups = {group: [one for one in shown if one["group"] == group] for group in GROUPS}
    return render("part_mine.html", lang=language, groups=groups)


@router.get("/{lang}/mine", response_class=HTMLResponse)
async def my_tables(request: Request, lang: Language) -> Response:
    """This browser's tables."""
    response = page(request, "mine.html", listed=Markup(await _list(request, lang)))  # noqa: S704 (a template)
    response.headers["Cache-Control"] = "no-store"
    return response


@router.get("/{lang}/mine/list", response_class=HTMLResponse)
async def my_list(request: Request, lang: Language) -> Response:
    """The list alone, for the page to fetch anew."""
    return HTMLResponse(await _list(request, lang), headers={"Cache-Control": "no-store"})
