"""A table's page and its forms: everything works without script; the socket only makes it live."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from babel.dates import format_datetime
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from kletka import words
from kletka.drawing import drawing_of, letters, svg
from kletka.drawing.scene import Piece, Scene
from kletka.games import Family, Game, NotationError, Reason, game
from kletka.games.contract import LONGEST_MOVE
from kletka.games.registry import family_of
from kletka.server import keys
from kletka.server.doors import language_of, refuse, wants_page
from kletka.server.forms import board_name, form_of
from kletka.server.offline import keep
from kletka.server.present import Viewer, board, drafted, history, items, parts, say, seated
from kletka.server.web import Language, code_of, computed, count_tables, hall_of, link_to, page, refusal, room_of, visit
from kletka.tables import (
    Accept,
    Applied,
    Clock,
    Command,
    Decline,
    Duplicate,
    Leave,
    Lend,
    Offer,
    Play,
    Refused,
    Remnant,
    Resign,
    Table,
    Take,
    Unavailable,
    Unreadable,
    new_token,
    remains,
    token_hash,
)
from kletka.tables.clocks import DAY
from kletka.tables.remains import KINDS

_WIDE = 1000
"""Units from which on a panel takes more room on large screens."""
_LONGEST_DRAFT = LONGEST_MOVE
"""Characters of a draft's text."""
_LONGEST_ACT = 2000
"""Characters of what is done to a draft: a stroke of the brush names every square that it went over."""
_CLOSE = 700
"""Units from which on a phone shows a panel's places closer together than a finger is wide."""

router = APIRouter()


def _said_options(language: str, family: Family, made: Game) -> str:
    """The options of a game in words: `Board: 6x7 · In a row: 4 · Gravity`."""
    said = []
    boards = {field.option for shape in form_of(family.name).shapes for field in shape.fields if field.kind == "board"}
    for option in fields(made.options):
        value = getattr(made.options, option.name)
        word = f"option.{family.name}.{option.name}"
        label = words.say(language, word)
        if value is True:
            said.append(label)
        elif value is not False:
            choice = f"{word}.{value}"
            if option.name in boards:
                named = board_name(language, value)
            else:
                named = words.say(language, choice) if choice in words.known(language) else str(value).replace("x", "×")
            said.append(words.say(language, "page.pair", a=label, b=named))
    return " · ".join(said)


def said_clock(language: str, clock: Clock | None) -> str:
    """A clock in words; nothing where there is none."""
    if clock is None:
        return ""
    time, first = words.duration(language, clock.seconds), words.say(language, "table.clock.first")
    if clock.kind == "total":
        word = "table.clock.total" if clock.increment else "table.clock.whole"
        said = words.say(language, word, time=time, increment=clock.increment)
    elif clock.seconds % DAY:
        said = words.say(language, "table.clock.move", time=time)
    else:
        said = words.say(language, "table.clock.days_a_move", n=clock.seconds // DAY)
    return f"{said}. {first}"


def _zooms(scene: Scene) -> bool:
    """Whether the board can be enlarged by buttons: small boards needn't."""
    panel = scene.panels[0]
    return len(scene.panels) > 1 or bool(panel.blocks) or panel.width > _CLOSE


def _leaves(table: Table, viewer: Viewer, scene: Scene) -> list[dict[str, Any]]:
    """The board's panels in the order in which the page shows them: everyone sees their own first."""
    drawn = zip(scene.panels, board(table, viewer), strict=True)
    owned = [
        {
            "owner": panel.seat,
            "title": words.sentence(words.spoken(viewer.language, table.game, *panel.title)),
            "drawn": picture,
        }
        for panel, picture in drawn
    ]
    return sorted(owned, key=lambda leaf: leaf["owner"] is not None and leaf["owner"] != viewer.seat)


def _forms(piece: Piece) -> list[dict[str, Any]]:
    """A piece's forms for the tray: its picture, and what the page's script needs for laying and turning it."""
    return [
        {
            "drawn": Markup(drawn),  # noqa: S704 (our renderer escapes)
            "form": form,
            "covers": " ".join(f"{column},{row}" for column, row in form.covers),
        }
        for drawn, form in zip(svg.forms(piece), piece.forms, strict=True)
    ]


def shown_board(table: Table, viewer: Viewer) -> dict[str, Any]:
    """What the templates of a board need, whatever page it stands on: the sheet, the tray, the game's name."""
    made, lang = table.game, viewer.language
    family = family_of(made)
    scene = drawing_of(made).scene(made)
    return {
        "family": family,
        "name": words.game_name(lang, made),
        "kind": words.kind_name(lang, made),
        "title": words.title(lang, made),
        "preset": next((p for p in family.presets if game(p.spec) == made), None),
        "options": _said_options(lang, family, made),
        "leaves": _leaves(table, viewer, scene),
        "scene": scene,
        "tray": [{"piece": piece, "forms": _forms(piece)} for piece in scene.tray],
        "legend": [{"mark": Markup(svg.swatch(mark)), "said": said} for mark, said in scene.legend],  # noqa: S704
        "spoken": partial(words.spoken, lang, made),
        "wide": max(panel.width for panel in scene.panels) > _WIDE,
        "zooms": _zooms(scene),
    }


@router.get("/t/{table_id}", include_in_schema=False)
async def shared_link(request: Request, table_id: str) -> Response:
    """The link that people share: it leads to the table in the visitor's language and takes no seat."""
    return RedirectResponse(f"/{language_of(request)}/t/{table_id}", 303, headers={"Vary": "Accept-Language"})


@router.get("/{lang}/t/{table_id}", response_class=HTMLResponse)
async def table_page(request: Request, lang: Language, table_id: str) -> Response:
    """A table, as this browser may see it; where this version can't play it, what was written there as text."""
    try:
        visited = await visit(request, table_id)
    except Unreadable:
        if not wants_page(request):
            raise
        return await _written(request, lang, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    with suppress(Unavailable):
        await hall_of(request).follow(room)
    seat, key = viewer.seat, keys.browser_key(request)
    table, log = room.table, list(room.log)
    made = table.game
    link = link_to(request, f"t/{table_id}")
    scene = drawing_of(made).scene(made)
    kept = ""
    if scene.tray and seat is not None:
        with suppress(Unavailable):
            kept = await asyncio.to_thread(hall_of(request).store.draft, table_id, seat)
    response = page(
        request,
        "table.html",
        table=table,
        table_id=table_id,
        viewer=viewer,
        token=keys.seat_token(key, room.series) if key and viewer.own else "",
        said_clock=said_clock(lang, table.opening.clock),
        **shown_board(table, viewer),
        kept=kept,
        keeps=seat is not None,
        say=say(table, log[-1], viewer),
        seats=seated(table, viewer) if viewer.shares else (),
        items=Markup(await asyncio.to_thread(items, table, viewer)),  # noqa: S704 (made escaped)
        parts={name: Markup(html) for name, html in parts(table, viewer).items()},  # noqa: S704 (templates)
        link=link,
        code="" if table.started else code_of(link),
        text=letters(table.view(seat), table.last_heard(seat)),
    )
    if not viewer.own and not table.started:
        # The press that takes a seat may come twice: both presses must be this browser's.
        keys.keep(request, response)
    return _unkept(response, table, f"{words.title(lang, made)} – {say(table, log[-1], viewer)}")


async def _written(request: Request, language: str, table_id: str) -> Response:
    log = remains(await asyncio.to_thread(hall_of(request).store.written, table_id))
    entries = [{"at": _said_time(language, one.at), "said": said_remnant(language, one)} for one in log]
    response = page(request, "unreadable.html", entries=entries)
    response.status_code = 410
    response.headers["Cache-Control"] = "no-store"
    return response


def _said_time(language: str, at: float) -> str:
    try:
        return f"{format_datetime(datetime.fromtimestamp(at, UTC), 'medium', locale=language)} UTC"
    except (ValueError, OverflowError, OSError):
        return ""


def said_remnant(language: str, one: Remnant) -> str:
    """An entry of a log that can't be played, in words: what it says of itself, as far as that is no secret."""
    if one.kind not in KINDS:
        return words.say(language, "log.unknown", kind=one.kind) if one.kind else words.say(language, "log.broken")
    return words.say(
        language, f"log.{one.kind}{one.how}", seat=one.seat + 1, text=words.isolated(one.text), level=one.level
    )


def _unkept(response: Response, table: Table, title: str = "") -> Response:
    """An answer that nobody keeps, but where the game is over and open to all: that is kept for the time without a
    network."""
    response.headers["Cache-Control"] = "no-store"
    if table.open:
        keep(response, "finished", title)
    return response


@router.post("/{lang}/t/{table_id}/seat")
async def take_seat(
    request: Request,
    lang: Language,
    table_id: str,
    name: Annotated[str, Form()] = "",
    seat: Annotated[str, Form(pattern=r"^[0-9]{0,2}$")] = "",
    sign: Annotated[str, Form(pattern=r"^[a-z]{0,10}$")] = "",
    beside: Annotated[Literal["", "1"], Form()] = "",
) -> Response:
    """Take a seat: only this press does; opening the link doesn't. `beside`: for another person at this screen."""
    room = await room_of(request, table_id)
    if isinstance(room, Response):
        return room
    if room.table.opening.race:
        return refuse(request, 403, "sealed")
    response = RedirectResponse(f"/{lang}/t/{table_id}", 303)
    key = keys.keep(request, response)
    wished = int(seat) if seat else None
    take = Take(keys.seat_hash(key, room.series), name, wished, sign, keys.owner_hash(key), bool(beside))
    answer = await hall_of(request).command(room, take, None, secrets.token_hex(8))
    return refusal(request, room, answer) if isinstance(answer, Refused) else response


@router.post("/{lang}/t/{table_id}/move")
async def move(
    request: Request,
    lang: Language,
    table_id: str,
    move: Annotated[str, Form(max_length=5000)],
    base: Annotated[str, Form(pattern=r"^[0-9]{1,10}$")],
) -> Response:
    """A move by form, for browsers without script."""
    return await _by_form(request, lang, table_id, Play(int(base), move.strip()))


_Do = Literal["resign", "offer:end", "offer:takeback", "offer:turn", "offer:rematch", "accept", "decline", "leave"]
_Number = Annotated[str, Form(pattern=r"^[0-9]{1,10}$")]


@router.post("/{lang}/t/{table_id}/do")
async def act(
    request: Request,
    lang: Language,
    table_id: str,
    do: Annotated[_Do | None, Form()] = None,
    move: Annotated[str, Form(max_length=200)] = "",
    base: _Number = "0",
    offer: _Number = "0",
    level: _Number = "0",
) -> Response:
    """Resigning, offers, leaving and moves that have a button by form, for browsers without script."""
    if not do and not move:
        return refuse(request, 422, "malformed")
    commands: dict[str | None, Command] = {
        "resign": Resign(),
        "offer:end": Offer("end"),
        "offer:takeback": Offer("takeback", int(base)),
        "offer:turn": Offer("turn", int(base)),
        "offer:rematch": Offer("rematch"),
        "accept": Accept(int(offer)),
        "decline": Decline(int(offer)),
        "leave": Leave(int(level)),
        None: Play(int(base), move),
    }
    return await _by_form(request, lang, table_id, commands[do])


async def _by_form(request: Request, lang: str, table_id: str, command: Command) -> Response:
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    if isinstance(command, Offer) and command.what == "rematch":
        count_tables(request)
    answer = await hall_of(request).command(room, command, viewer.seat, secrets.token_hex(8))
    if isinstance(answer, Refused):
        return refusal(request, room, answer)
    assert isinstance(answer, Applied | Duplicate)
    return RedirectResponse(f"/{lang}/t/{room.table.next or table_id}", 303)


@router.post("/{lang}/t/{table_id}/lend", response_class=HTMLResponse)
async def lend(request: Request, lang: Language, table_id: str) -> Response:
    """A private link and a QR code that move this browser's seat to another device, once and within ten minutes."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    code = new_token()
    lent = viewer.seat if viewer.seat is not None or not viewer.own else viewer.own[0]
    answer = await hall_of(request).command(room, Lend(token_hash(code)), lent, secrets.token_hex(8))
    if isinstance(answer, Refused):
        return refusal(request, room, answer)
    link = link_to(request, f"t/{table_id}/bring?{urlencode({'code': code})}")
    response = page(request, "lend.html", path=f"/t/{table_id}", table_id=table_id, link=link, code=code_of(link))
    response.headers["Cache-Control"] = "no-store"
    return response


@router.get("/t/{table_id}/bring", include_in_schema=False)
async def shared_bring(request: Request, table_id: str, code: Annotated[str, Query(max_length=64)]) -> Response:
    """The private link: it moves nothing before the press on the page that it leads to."""
    there = f"/{language_of(request)}/t/{table_id}/bring?{urlencode({'code': code})}"
    return RedirectResponse(there, 303, headers={"Vary": "Accept-Language"})


@router.get("/{lang}/t/{table_id}/bring", response_class=HTMLResponse)
async def bring_page(
    request: Request, lang: Language, table_id: str, code: Annotated[str, Query(max_length=64)]
) -> Response:
    """The press that moves a lent seat to this browser."""
    room = await room_of(request, table_id)
    if isinstance(room, Response):
        return room
    response = page(request, "bring.html", path=f"/t/{table_id}", table_id=table_id, code=code)
    keys.keep(request, response)
    response.headers["Cache-Control"] = "no-store"
    return response


@router.post("/{lang}/t/{table_id}/bring")
async def bring(request: Request, lang: Language, table_id: str, code: Annotated[str, Form(max_length=64)]) -> Response:
    """Move a lent seat to this browser."""
    room = await room_of(request, table_id)
    if isinstance(room, Response):
        return room
    response = RedirectResponse(f"/{lang}/t/{table_id}", 303)
    key = keys.keep(request, response)
    take = Take(keys.seat_hash(key, room.series), owner=keys.owner_hash(key), code_hash=token_hash(code))
    answer = await hall_of(request).command(room, take, None, secrets.token_hex(8))
    return refusal(request, room, answer) if isinstance(answer, Refused) else response


class Drafted(BaseModel):
    """A draft as the page has it: its text, and what is done to it or asked about it, if anything is."""

    model_config = ConfigDict(strict=True, extra="forbid")

    text: Annotated[str, Field(pattern=r"^[A-Za-z0-9+.~:=-]*$", max_length=_LONGEST_DRAFT)]
    act: Annotated[str, Field(pattern=r"^[A-Za-z0-9.:-]*$", max_length=_LONGEST_ACT)] = ""


class Kept(BaseModel):
    """A draft to keep."""

    model_config = ConfigDict(strict=True, extra="forbid")

    text: Annotated[str, Field(pattern=r"^[A-Za-z0-9+.~:=-]*$", max_length=_LONGEST_DRAFT)]


@router.post("/{lang}/t/{table_id}/draft")
async def draft(request: Request, lang: Language, table_id: str, draft: Drafted) -> Response:
    """What a draft looks like to this browser's seat or a spectator, and what is to be said about it."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    try:
        shown = await asyncio.to_thread(drafted, room.table, viewer, draft.text, draft.act)
    except NotationError as error:
        said = words.refusal(lang, room.table.game, Reason(error.code, (), error.facts))
        return refuse(request, 422, error.code, said)
    return JSONResponse(shown, headers={"Cache-Control": "no-store"})


@router.post("/{lang}/t/{table_id}/draft/save")
async def keep_draft(request: Request, lang: Language, table_id: str, draft: Kept) -> Response:
    """Keep a draft with the seat: only this seat's page gets it back."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    seat = viewer.seat
    made = room.table.game
    if not drawing_of(made).scene(made).tray:
        return refusal(request, room, Refused((Reason("no_drafts"),)))
    if seat is None:
        return refusal(request, room, Refused((Reason("no_seat"),)))
    await hall_of(request).store.keep_draft(table_id, seat, draft.text)
    return JSONResponse({"kept": True, "say": words.say(lang, "table.saved")}, headers={"Cache-Control": "no-store"})


@router.get("/{lang}/t/{table_id}/text")
async def text_twin(request: Request, lang: Language, table_id: str) -> Response:
    """The position as lines of text, as this browser's seat may see it."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    seat = viewer.seat
    text = letters(room.table.view(seat), room.table.last_heard(seat))
    return _unkept(PlainTextResponse(text), room.table)


@router.get("/{lang}/t/{table_id}/events")
async def events(
    request: Request, lang: Language, table_id: str, since: Annotated[str, Query(pattern=r"^[0-9]{1,10}$")] = "0"
) -> Response:
    """Everything that happened, as this browser's seat heard it: for stepping back."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    table, log = room.table, list(room.log)
    heard = await computed(request, history, log, viewer, int(since))
    return _unkept(JSONResponse({"events": heard}), table)
