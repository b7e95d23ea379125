"""Pages and forms: everything works without script; the socket only makes it live."""

from __future__ import annotations

import asyncio
import re
import secrets
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from markupsafe import Markup

from kletka import words
from kletka.drawing import drawing_of, letters, svg
from kletka.engines import LEVELS
from kletka.games import Family, Game, KletkaError, families, game, schema
from kletka.games.registry import family_of, make
from kletka.server import keys
from kletka.server.doors import Page, Rate, client, language_of, refuse, wants_page
from kletka.server.present import Viewer, board, drawn_signs, history, item, parts, reasons, replayed, say
from kletka.server.templating import render
from kletka.tables import (
    Accept,
    Applied,
    Command,
    Decline,
    Duplicate,
    Hall,
    Offer,
    Play,
    Refused,
    Resign,
    Room,
    Take,
    Unavailable,
    clean_name,
)

Language = Literal["en", "fr", "ru"]
_FRIENDLY_LEVEL = 4
"""The engine's level where nobody chose one."""

router = APIRouter()


def _page(request: Request, template: str, path: str = "", **values: Any) -> HTMLResponse:
    path = path or "/" + request.url.path.split("/", 2)[2]
    return Page(render(template, lang=language_of(request), path=path, **values))


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def _rate(request: Request) -> Rate:
    rate: Rate = request.app.state.rate
    return rate


@router.get("/", include_in_schema=False)
async def root(request: Request) -> Response:
    """Everyone's language first."""
    return RedirectResponse(f"/{language_of(request)}/", 303, headers={"Vary": "Accept-Language"})


def diagram(language: str, made: Game, state: Any, last: tuple[str, ...] = ()) -> Markup:
    """A position as a picture inside a page."""
    drawing = drawing_of(made)
    scene = drawing.scene(made)
    titles = [words.spoken(language, made, *panel.title) for panel in scene.panels] if scene.stack else ()
    columns = 2 if len(scene.panels) == 4 else None
    return Markup(svg.inline(scene, drawing.marks(state, last), titles, columns))  # noqa: S704 (our renderer escapes)


def _example(made: Game) -> Any:
    """A position in mid-game for a small picture: the same on every visit."""
    from random import Random

    rng = Random(made.spec)
    state = made.start(made.deal(rng))
    for _ in range(8):
        after = state.play(state.sample(rng))
        if after.outcome:
            break
        state = after
    return state.seen_by(None)


@cache
def _small(language: str, made: Game) -> Markup:
    return diagram(language, made, _example(made))


@router.get("/{lang}/", response_class=HTMLResponse)
async def home(request: Request, lang: Language) -> Response:
    """The games, each with a small picture and its presets."""
    shown = [
        {
            "family": family,
            "presets": [{"preset": preset, "picture": _small(lang, game(preset.spec))} for preset in family.presets],
        }
        for family in families().values()
    ]
    return _page(request, "home.html", games=shown)


def _family(name: str) -> Family | None:
    return families().get(name)


@router.get("/{lang}/rules/{name}", response_class=HTMLResponse)
async def rules(request: Request, lang: Language, name: str) -> Response:
    """The rules of a family, with diagrams."""
    family = _family(name)
    if family is None:
        return refuse(request, 404, "no_page")
    blocks: list[dict[str, Any]] = []
    for block in words.rules(lang, name):
        if isinstance(block, words.Prose):
            blocks.append({"prose": Markup(block.html)})  # noqa: S704 (our own text)
            continue
        made = game(block.spec)
        state = made.read(block.position)
        blocks.append(
            {"picture": diagram(lang, made, state, block.last), "text": letters(state), "caption": block.caption}
        )
    return _page(request, "rules.html", family=family, blocks=blocks)


def _fields(family: Family) -> list[dict[str, Any]]:
    """The set-up form's fields, drawn from the schema of the options."""
    described = schema(family.name)["properties"]
    defaults = game(family.name).options
    made = []
    for option in fields(defaults):
        detail = described[option.name]
        made.append(
            {
                "name": option.name,
                "kind": "choice" if "enum" in detail else detail["type"],
                "choices": detail.get("enum", ()),
                "low": detail.get("minimum"),
                "high": detail.get("maximum"),
                "pattern": detail.get("pattern", "").strip("^$"),
                "value": str(getattr(defaults, option.name)).lower(),
            }
        )
    return made


def _preset_values(spec: str) -> dict[str, str]:
    options = game(spec).options
    return {option.name: str(getattr(options, option.name)).lower() for option in fields(options)}


@router.get("/{lang}/new/{name}", response_class=HTMLResponse)
async def set_up(
    request: Request, lang: Language, name: str, preset: Annotated[str, Query(max_length=40)] = ""
) -> Response:
    """The set-up form of a family."""
    family = _family(name)
    if family is None:
        return refuse(request, 404, "no_page")
    chosen = next((p for p in family.presets if p.id == preset), family.presets[0])
    values = _preset_values(chosen.spec)
    offered = [{"preset": p, "values": _preset_values(p.spec)} for p in family.presets]
    return _set_up_page(request, family, chosen.id, values, offered, game(chosen.spec).seats)


def _set_up_page(
    request: Request,
    family: Family,
    chosen: str,
    values: dict[str, str],
    offered: list[dict[str, Any]],
    seats: int,
    typed: dict[str, str] | None = None,
    problem: dict[str, str] | None = None,
) -> Response:
    kept = {"name": "", "with": "friend", "seat": "0", "level": str(_FRIENDLY_LEVEL)}
    response = _page(
        request,
        "set_up.html",
        path=f"/new/{family.name}",
        typed=kept | {key: value[:200] for key, value in (typed or {}).items() if key in kept},
        family=family,
        fields=_fields(family),
        values=values,
        chosen=chosen,
        offered=offered,
        levels=LEVELS,
        problem=problem,
        seats=[
            {
                "number": number,
                "sign": drawn_signs(family.name, seats)[number],
                "word": words.say(language_of(request), f"seat.{family.seat_words[number % len(family.seat_words)]}"),
            }
            for number in range(seats)
        ],
    )
    response.status_code = 422 if problem else 200
    return response


@router.post("/{lang}/tables")
async def open_table(request: Request, lang: Language) -> Response:
    """Open a table from a preset's button or from the set-up form, and take the host's seat."""
    if not _rate(request).table(client(request)):
        return refuse(request, 429, "too_fast")
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    family = _family(form.get("family", ""))
    try:
        if family is None:
            made = game(form.get("spec", ""))
        else:
            names = [field["name"] for field in _fields(family)]
            made = make(family.name, {name: _typed(form[name]) for name in names if form.get(name, "").strip()})
    except KletkaError as error:
        said = words.trouble(lang, error, family.name if family else "")
        if family is None or not wants_page(request):
            return refuse(request, 422, error.code, said)
        values = _preset_values(family.name) | {key: form[key] for key in form if key in _preset_values(family.name)}
        offered = [{"preset": p, "values": _preset_values(p.spec)} for p in family.presets]
        problem = {"option": getattr(error, "option", ""), "said": said}
        return _set_up_page(request, family, "", values, offered, game(family.name).seats, form, problem)
    name = clean_name(form.get("name", ""))
    if name is None:
        return refuse(request, 422, "bad_name")
    seat, levels = _seating(form, made)
    hall = _hall(request)
    try:
        table_id = await hall.open(made, levels)
    except Unavailable:
        return refuse(request, 503, "unavailable")
    response = RedirectResponse(f"/{lang}/t/{table_id}", 303)
    key = keys.keep(request, response)
    room = await hall.room(table_id)
    assert room is not None
    take = Take(keys.seat_hash(key, table_id), name, seat)
    answer = await hall.command(room, take, None, secrets.token_hex(8))
    if isinstance(answer, Refused):
        return _refusal(request, room, answer)
    return response


def _typed(value: str) -> str:
    """An option as people type it: without spaces, and with any of the signs that stand for `x`."""
    return re.sub("[×хХX*]", "x", "".join(value.split()))


def _seating(form: dict[str, str], made: Game) -> tuple[int, dict[int, int]]:
    """The host's seat and the engines' levels by seat."""
    wished = form.get("seat", "0")
    inside = wished in map(str, range(made.seats))
    seat = int(wished) if inside else secrets.randbelow(made.seats) if wished == "lot" else 0
    if form.get("with") != "engine":
        return seat, {}
    level = form.get("level", "")
    chosen = int(level) if level in map(str, LEVELS) else _FRIENDLY_LEVEL
    return seat, {other: chosen for other in range(made.seats) if other != seat}


async def _room(request: Request, table_id: str) -> Room | Response:
    try:
        room = await _hall(request).room(table_id) if len(table_id) <= 32 else None
    except KletkaError as error:
        return refuse(request, 410, error.code, words.trouble(language_of(request), error))
    return room if room is not None else refuse(request, 404, "no_table")


def _seat(request: Request, room: Room) -> tuple[int | None, str]:
    """This browser's seat at a table and its token, where it has one."""
    key = keys.browser_key(request)
    if key is None:
        return None, ""
    seat = room.table.seat_of(keys.seat_hash(key, room.id))
    return seat, keys.seat_token(key, room.id) if seat is not None else ""


def _link(request: Request, table_id: str) -> str:
    """The link to share: by the configured address, or the one that this page was opened with."""
    base = request.app.state.address or str(request.base_url)
    return f"{base.rstrip('/')}/t/{table_id}"


def _said_options(language: str, family: Family, made: Game) -> str:
    """The options of a game in words: `Board: 6x7 · In a row: 4 · Gravity`."""
    said = []
    for option in fields(made.options):
        value = getattr(made.options, option.name)
        label = words.say(language, f"option.{family.name}.{option.name}")
        if value is not False:
            said.append(
                label if value is True else words.say(language, "page.pair", a=label, b=str(value).replace("x", "×"))
            )
    return " · ".join(said)


def _code(link: str) -> Markup:
    """The link as a QR code."""
    return Markup(segno.make(link, error="m").svg_inline(border=2, omitsize=True))  # noqa: S704 (segno draws paths)


@router.get("/t/{table_id}", include_in_schema=False)
async def shared_link(request: Request, table_id: str) -> Response:
    """The link that people share: it leads to the table in the visitor's language and takes no seat."""
    return RedirectResponse(f"/{language_of(request)}/t/{table_id}", 303, headers={"Vary": "Accept-Language"})


@router.get("/{lang}/t/{table_id}", response_class=HTMLResponse)
async def table_page(request: Request, lang: Language, table_id: str) -> Response:
    """A table, as this browser may see it."""
    room = await _room(request, table_id)
    if isinstance(room, Response):
        return room
    seat, token = _seat(request, room)
    viewer = Viewer(lang, seat)
    table, log = room.table, list(room.log)
    made = table.game
    link = _link(request, table_id)
    family = family_of(made)
    preset = next((p for p in family.presets if game(p.spec) == made), None)

    def entries() -> str:
        return "".join(item(at, event, viewer) for at, event in replayed(log) if event.version)

    response = _page(
        request,
        "table.html",
        table=table,
        table_id=table_id,
        viewer=viewer,
        token=token,
        family=family,
        preset=preset,
        options=_said_options(lang, family, made),
        panels=board(table, viewer),
        stack=drawing_of(made).scene(made).stack,
        wide=max(panel.width for panel in drawing_of(made).scene(made).panels) > 1000,
        say=say(table, log[-1], viewer),
        items=Markup(await asyncio.to_thread(entries)),  # noqa: S704 (made escaped)
        parts={name: Markup(html) for name, html in parts(table, viewer).items()},  # noqa: S704 (templates)
        link=link,
        code="" if table.started else _code(link),
        text=letters(table.state.seen_by(seat), table.last_heard(seat)),
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _refusal(request: Request, room: Room, answer: Refused) -> Response:
    said = " ".join(str(reason["say"]) for reason in reasons(room, answer, language_of(request)))
    code = answer.reasons[0].code
    return refuse(request, 503 if code == "unavailable" else 409, code, said)


@router.post("/{lang}/t/{table_id}/seat")
async def take_seat(
    request: Request,
    lang: Language,
    table_id: str,
    name: Annotated[str, Form()] = "",
    seat: Annotated[str, Form(pattern=r"^[0-9]{0,2}$")] = "",
) -> Response:
    """Take a seat: only this press does; opening the link doesn't."""
    room = await _room(request, table_id)
    if isinstance(room, Response):
        return room
    response = RedirectResponse(f"/{lang}/t/{table_id}", 303)
    key = keys.keep(request, response)
    take = Take(keys.seat_hash(key, room.id), name, int(seat) if seat else None)
    answer = await _hall(request).command(room, take, None, secrets.token_hex(8))
    return _refusal(request, room, answer) if isinstance(answer, Refused) else response


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


_ACTIONS: dict[str, Command] = {
    "resign": Resign(),
    "offer": Offer(),
    "accept": Accept(),
    "decline": Decline(),
}


@router.post("/{lang}/t/{table_id}/do")
async def act(
    request: Request,
    lang: Language,
    table_id: str,
    do: Annotated[Literal["resign", "offer", "accept", "decline"], Form()],
) -> Response:
    """Resigning and offers by form, for browsers without script."""
    return await _by_form(request, lang, table_id, _ACTIONS[do])


async def _by_form(request: Request, lang: str, table_id: str, command: Command) -> Response:
    room = await _room(request, table_id)
    if isinstance(room, Response):
        return room
    seat, _ = _seat(request, room)
    answer = await _hall(request).command(room, command, seat, secrets.token_hex(8))
    if isinstance(answer, Refused):
        return _refusal(request, room, answer)
    assert isinstance(answer, Applied | Duplicate)
    return RedirectResponse(f"/{lang}/t/{table_id}", 303)


@router.get("/{lang}/t/{table_id}/text")
async def text_twin(request: Request, lang: Language, table_id: str) -> Response:
    """The position as lines of text, as this browser's seat may see it."""
    room = await _room(request, table_id)
    if isinstance(room, Response):
        return room
    seat, _ = _seat(request, room)
    text = letters(room.table.state.seen_by(seat), room.table.last_heard(seat))
    return PlainTextResponse(text, headers={"Cache-Control": "no-store"})


@router.get("/{lang}/t/{table_id}/events")
async def events(
    request: Request, lang: Language, table_id: str, since: Annotated[str, Query(pattern=r"^[0-9]{1,10}$")] = "0"
) -> Response:
    """Everything that happened, as this browser's seat heard it: for stepping back."""
    room = await _room(request, table_id)
    if isinstance(room, Response):
        return room
    viewer = Viewer(lang, _seat(request, room)[0])
    heard = await asyncio.to_thread(history, list(room.log), viewer, int(since))
    return JSONResponse({"events": heard}, headers={"Cache-Control": "no-store"})
