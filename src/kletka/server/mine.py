"""The tables at which this browser sits: where it is its turn, those that run, wait and are over."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from babel.dates import format_timedelta
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from kletka import words
from kletka.games import Game, KletkaError, Outcome, family_of, game
from kletka.server import keys
from kletka.server.templating import render
from kletka.server.web import Language, hall_of, page
from kletka.tables import Sitting, Store, Unreadable, read_room

_MOST = 200
"""Tables that are listed, the last changed first."""
_TOLD = 40
"""Finished tables of a list whose result is told: their logs have to be read."""

GROUPS = ("turn", "running", "waiting", "over")

router = APIRouter()


def _group(sitting: Sitting) -> str:
    return "turn" if sitting.status == "running" and sitting.to_move in sitting.seats else sitting.status


@lru_cache(maxsize=2048)
def _outcome(store: Store, table_id: str) -> Outcome | None:
    """How a finished table ended, which never changes; None where its log can't be read."""
    try:
        room = read_room(store, table_id)
        return room.table.outcome if room else None
    except Unreadable:
        return None


def _outcomes(store: Store, sittings: list[Sitting]) -> dict[str, Outcome]:
    over = [sitting.table_id for sitting in sittings if sitting.status == "over"][:_TOLD]
    return {table_id: outcome for table_id in over if (outcome := _outcome(store, table_id))}


def _result(language: str, made: Game, sitting: Sitting, outcome: Outcome) -> str:
    """A result in a few words: to whoever sat on one of several seats, whether they won."""
    if made.seats == 1:
        return words.why(language, made, outcome)
    if len(sitting.seats) != 1 or not 0 < len(outcome.winners) < made.seats:
        return words.winners(language, made, outcome)
    said = words.say(language, "table.you_won" if outcome.winners.intersection(sitting.seats) else "table.you_lost")
    return f"{said} {words.score(language, outcome.scores)}" if family_of(made).scored else said


def _shown(language: str, sitting: Sitting, now: float, outcomes: Mapping[str, Outcome]) -> dict[str, Any] | None:
    outcome = outcomes.get(sitting.table_id)
    try:
        made = game(sitting.spec)
    except KletkaError:
        return None
    names = [words.isolated(name) for name in sitting.names if name]
    return {
        "id": sitting.table_id,
        "name": words.title(language, made),
        "against": words.say(language, "mine.with", n=len(names), names=words.listed(language, names)) if names else "",
        "result": _result(language, made, sitting, outcome) if outcome else "",
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
    sittings = await _sittings(request)
    outcomes = await asyncio.to_thread(_outcomes, hall_of(request).store, sittings)
    shown = [one for sitting in sittings if (one := _shown(language, sitting, now, outcomes))]
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
