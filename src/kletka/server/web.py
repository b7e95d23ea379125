"""What all pages share: the languages of addresses, rendering, and the way to the hall and the rates."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, ParamSpec, TypeVar

import segno
from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from kletka.server import keys
from kletka.server.doors import Page, Rate, asker_of, client, language_of, refuse
from kletka.server.present import Viewer, reasons, viewer_of
from kletka.server.templating import render
from kletka.server.turns import Desk
from kletka.tables import Hall, Refused, Room

Language = Literal["en", "fr", "ru"]

P = ParamSpec("P")
T = TypeVar("T")


class Hasty(Exception):
    """Somebody asks for too much at once, and may again after so many seconds."""

    def __init__(self, code: str, wait: int) -> None:
        super().__init__(code)
        self.code, self.wait = code, wait


def page(request: Request, template: str, path: str = "", **values: Any) -> Page:
    """A template as a page in the language of its address; `path` is where its other languages are."""
    path = path or "/" + request.url.path.split("/", 2)[2]
    return Page(render(template, lang=language_of(request), path=path, **values))


def hall_of(request: Request) -> Hall:
    """The hall that serves the tables."""
    hall: Hall = request.app.state.hall
    return hall


def rate_of(request: Request) -> Rate:
    """What browsers and addresses may do."""
    rate: Rate = request.app.state.rate
    return rate


def count_tables(request: Request, count: int = 1) -> None:
    """Count tables that a request opens. Raises Hasty where they are too many (the application answers it)."""
    if wait := rate_of(request).table(asker_of(request), count):
        raise Hasty("too_many_tables", wait)


async def computed(request: Request, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` says of a game that a request describes, or of a table's: beside the event loop, by turns of
    addresses, tables first. Raises Hasty, Busy (the application answers both), and what `work` raises."""
    # Whatever isn't looked at only was counted at the door.
    if request.method == "GET" and (wait := rate_of(request).request(asker_of(request))):
        raise Hasty("too_fast", wait)
    desk: Desk = request.app.state.desk
    of_a_table = "table_id" in request.path_params
    return await desk.compute(client(request), partial(work, *args, **kwargs), first=of_a_table)


def link_to(request: Request, path: str) -> str:
    """An address to share: by the configured one, or by that with which this page was opened."""
    base = request.app.state.address or str(request.base_url)
    return f"{base.rstrip('/')}/{path}"


def code_of(link: str) -> Markup:
    """A link as a QR code."""
    return Markup(segno.make(link, error="m").svg_inline(border=2, omitsize=True))  # noqa: S704 (segno draws paths)


async def room_of(request: Request, table_id: str) -> Room | Response:
    """A table by its id, or the refusal where there is none. Raises Unreadable (the application answers it)."""
    room = await hall_of(request).fresh(table_id)
    return room if room is not None else refuse(request, 404, "no_table")


def viewer_at(request: Request, room: Room) -> Viewer:
    """Who looks at a table with this browser; where several people share it, the address may say which (`?seat=1`)."""
    key = keys.browser_key(request)
    named = request.query_params.get("seat", "")
    seat = int(named) if named.isascii() and named.isdigit() and len(named) < 3 else None
    return viewer_of(room.table, language_of(request), keys.seat_hash(key, room.series) if key else "", seat)


async def visit(request: Request, table_id: str) -> tuple[Room, Viewer] | Response:
    """A table and who looks at it, or the answer where it may not be looked at."""
    room = await room_of(request, table_id)
    if isinstance(room, Response):
        return room
    viewer = viewer_at(request, room)
    if room.table.sealed and not viewer.own:
        if request.method == "GET" and request.url.path.count("/") == 3:
            return RedirectResponse(f"/{language_of(request)}/race/{room.table.opening.race}", 303)
        return refuse(request, 403, "sealed")
    return room, viewer


def refusal(request: Request, room: Room, answer: Refused) -> Response:
    """A refused command as an answer."""
    said = " ".join(str(reason["say"]) for reason in reasons(room, answer, language_of(request)))
    code = answer.reasons[0].code
    return refuse(request, 503 if code == "unavailable" else 409, code, said)
