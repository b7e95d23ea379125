"""Asking for the engines' opinion: a hint at a table, for the seat to move and from what it knows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from kletka.engines import think
from kletka.games import Reason
from kletka.server.advice import advised
from kletka.server.doors import refuse, wants_page
from kletka.server.present import Viewer
from kletka.server.thinking import Busy, Thinker
from kletka.server.web import Language, page, refusal, visit
from kletka.tables import Refused, Table

_SEED = 1
"""Of all questions: the same one is answered alike."""

router = APIRouter()
T = TypeVar("T")

_log = logging.getLogger(__name__)


async def _thought(request: Request, work: Callable[..., T], *question: str | int) -> T | Response:
    """What the thinker says, or the refusal where it has too much to do."""
    thinker: Thinker = request.app.state.thinker
    try:
        return await thinker.ask(work, *question)
    except Busy:
        return refuse(request, 503, "busy")
    except RuntimeError:
        _log.exception("nobody thinks")
        return refuse(request, 503, "busy")


def _barred(table: Table, viewer: Viewer) -> str:
    """Why a viewer gets no hint at a table; empty where they do."""
    if not table.hints:
        return "no_hints"
    if viewer.seat is None:
        return "no_seat"
    if table.outcome is not None:
        return "over"
    if not table.started:
        return "not_started"
    return "" if table.to_move == viewer.seat else "not_your_turn"


@router.post("/{lang}/t/{table_id}/hint")
async def hint(request: Request, lang: Language, table_id: str) -> Response:
    """The best move by what this browser's seat knows: JSON for the page's script, a page of its own without it."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    table = room.table
    if code := _barred(table, viewer):
        return refusal(request, room, Refused((Reason(code),)))
    view = table.view(viewer.seat)
    found = await _thought(request, think, view.game.spec, view.position, _SEED, 1)
    if isinstance(found, Response):
        return found
    shown: dict[str, Any] = await asyncio.to_thread(advised, lang, view, found, table.signs)
    if not wants_page(request):
        return JSONResponse(shown | {"base": table.base}, headers={"Cache-Control": "no-store"})
    response = page(request, "hint.html", path=f"/t/{table_id}", table_id=table_id, said=shown["say"])
    response.headers["Cache-Control"] = "no-store"
    return response
