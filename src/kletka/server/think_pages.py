"""Asking for the engines' opinion: a hint at a table, and of a position or a move of a game that is studied.

At a table it is for the seat to move. Whatever is asked, the engine sees what the seat to move may know, and no more.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from kletka import words
from kletka.engines import MOST_LINES, review, think
from kletka.games import KletkaError, Reason
from kletka.server.advice import advised, judged
from kletka.server.answers import Advice, Judged
from kletka.server.doors import client, refuse, wants_page
from kletka.server.practice import MOST_MOVES, Bench, Described, played, problem
from kletka.server.present import Viewer
from kletka.server.thinking import Thinker
from kletka.server.web import Language, computed, page, refusal, visit
from kletka.tables import Moved, Refused, Table

_SEED = 1
"""Of all questions about open games: the same one is answered alike."""

_PAGE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {"schema": {"type": "string"}}}}}

router = APIRouter()
T = TypeVar("T")

_log = logging.getLogger(__name__)


async def _thought(request: Request, work: Callable[..., T], *question: str | int) -> T | Response:
    """What the thinker says, tables first, or the refusal where nobody can think. Raises Busy."""
    thinker: Thinker = request.app.state.thinker
    try:
        return await thinker.ask(client(request), work, *question, first="table_id" in request.path_params)
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


@router.post("/{lang}/t/{table_id}/hint", response_model=Advice, responses=_PAGE)
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
    # What somebody hides by a hint must not be the hint that everybody would get.
    seed = secrets.randbits(32) if table.game.hidden and table.game.seats > 1 else _SEED
    found = await _thought(request, think, view.game.spec, view.position, seed, 1)
    if isinstance(found, Response):
        return found
    shown: dict[str, Any] = await computed(request, advised, lang, view, found, table.signs, "think.said")
    if not wants_page(request):
        return JSONResponse(shown | {"base": table.base}, headers={"Cache-Control": "no-store"})
    response = page(request, "hint.html", path=f"/t/{table_id}", table_id=table_id, said=shown["say"])
    response.headers["Cache-Control"] = "no-store"
    return response


class Thought(Described):
    """A game and all that happened in it, and how many moves are to be named."""

    lines: Annotated[int, Field(ge=1, le=MOST_LINES)] = 3


class Reviewed(Described):
    """A game and all that happened in it, and which of its events is to be judged, from 1."""

    ply: Annotated[int, Field(ge=1, le=MOST_MOVES)]


def _at(described: Described) -> Bench:
    """The board where somebody is to move. Raises KletkaError."""
    table, _ = played(described)[-1]
    if table.to_move is None:
        raise KletkaError("over")
    return table


@router.post("/{lang}/think", response_model=Advice)
async def best(request: Request, lang: Language, thought: Thought) -> Response:
    """The best moves for the seat to move, each with its score; the best one in a sentence."""
    try:
        table = await computed(request, _at, thought)
    except KletkaError as error:
        return problem(lang, thought, error)
    view = table.state.seen_by(table.to_move)
    found = await _thought(request, think, view.game.spec, view.position, _SEED, thought.lines)
    if isinstance(found, Response):
        return found
    shown = await computed(request, advised, lang, view, found, table.signs)
    turn = words.to_move(lang, view.game, view.to_move).rstrip(".") if view.to_move is not None else ""
    return JSONResponse(shown | {"seat": view.to_move, "turn": turn}, headers={"Cache-Control": "no-store"})


@router.post("/{lang}/review", response_model=Judged)
async def judge(request: Request, lang: Language, reviewed: Reviewed) -> Response:
    """How one move of a game compares with the best one; what was no move has no judgement (`kind` null)."""
    ply = reviewed.ply
    if ply > len(reviewed.moves):
        return refuse(request, 422, "malformed")
    try:
        *_, (table, _), (_, event) = await computed(
            request, played, reviewed.model_copy(update={"moves": reviewed.moves[:ply]})
        )
    except KletkaError as error:
        return problem(lang, reviewed, error)
    if not isinstance(event.body, Moved):
        return JSONResponse({"ply": ply, "seat": None, "kind": None, "share": None})
    view = table.state.seen_by(event.body.seat)
    weighed = await _thought(request, review, view.game.spec, view.position, event.body.move, _SEED)
    if isinstance(weighed, Response):
        return weighed
    shown = await computed(request, judged, lang, view, weighed)
    return JSONResponse({"ply": ply, "seat": event.body.seat} | shown, headers={"Cache-Control": "no-store"})
