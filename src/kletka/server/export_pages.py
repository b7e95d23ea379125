"""What people take away: a table's record and picture, and those of a game that a request describes.

Names of files are made of the family and the table's id alone: other people's words never get there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import ValidationError

from kletka import words
from kletka.drawing import drawing_of, raster, svg
from kletka.drawing.scene import signed
from kletka.games import Game, KletkaError, State, family_of, game
from kletka.games.registry import LONGEST_SPEC
from kletka.records import LONGEST_POSITION, Played, Record, print_record, replay, told_by
from kletka.server.answers import FORM, files
from kletka.server.doors import refuse
from kletka.server.practice import LONGEST_SETUP, Described, signs_of
from kletka.server.present import Viewer, eye, replayed
from kletka.server.web import Language, computed, visit
from kletka.tables import Event, Table, record_of

_LONGEST_QUERY = 60_000
_NUMBER = r"^[0-9]{1,10}$"

Kind = Literal["record", "svg", "png"]
_MEDIA: dict[Kind, tuple[str, str]] = {
    "record": ("text/plain; charset=utf-8", "kletka"),
    "svg": ("image/svg+xml", "svg"),
    "png": ("image/png", "png"),
}
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For pictures that are opened by themselves: they bring their style."""

_PICTURES = files("image/svg+xml", "image/png")
_FORM = {FORM: {"schema": {"type": "object", "additionalProperties": {"type": "string"}}}}
_FILES = files("text/plain", "image/svg+xml", "image/png")

router = APIRouter()


@dataclass(frozen=True)
class Shown:
    """A position to picture: the last turn's moves as they may be read, and the seats' signs where they are chosen."""

    state: State
    last: tuple[str, ...]
    signs: tuple[str, ...] = ()


def file_of(kind: Kind, content: str | bytes, name: str) -> Response:
    """A file to save."""
    media, ending = _MEDIA[kind]
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.{ending}"',
        "Cache-Control": "no-store",
        "Content-Security-Policy": PICTURE_POLICY,
    }
    return Response(content, media_type=media, headers=headers)


def picture(shown: Shown) -> str:
    """A position as an SVG file."""
    drawing, made = drawing_of(shown.state.game), shown.state.game
    marks = signed(drawing.marks(shown.state, shown.last), shown.signs)
    return svg.standalone(drawing.scene(made), marks, made.spec)


def _drawn(kind: Kind, shown: Shown) -> str | bytes:
    drawn = picture(shown)
    return raster.png(drawn) if kind == "png" else drawn


# Tables


def shown_of(table: Table, log: Sequence[Event], viewer: Viewer, at: int | None = None) -> Shown:
    """What a viewer may see of a table now, or what they may see by now of how it stood at a version."""
    then = table
    if at is not None and at < table.version:
        *_, (then, _) = replayed([event for event in log if event.version <= at])
    if table.open:
        return Shown(then.state, tuple(moved.whole for moved in then.turn), table.signs)
    seat = eye(table, viewer)
    return Shown(then.state.seen_by(seat), tuple(moved.heard_by(seat) for moved in then.turn), table.signs)


def _name(table: Table, table_id: str) -> str:
    return f"{family_of(table.game).name}-{table_id}"


@router.get("/{lang}/t/{table_id}/record", response_class=PlainTextResponse)
async def table_record(request: Request, lang: Language, table_id: str) -> Response:
    """The game written down, as this browser may know it."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    record = record_of(room.table, eye(room.table, viewer))
    return file_of("record", await computed(request, print_record, record), _name(room.table, table_id))


@router.get("/{lang}/t/{table_id}/picture.{kind}", response_class=Response, responses=_PICTURES)
async def table_picture(
    request: Request,
    lang: Language,
    table_id: str,
    kind: Literal["svg", "png"],
    at: Annotated[str | None, Query(pattern=_NUMBER)] = None,
) -> Response:
    """The position, now or at a version, as this browser may see it."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    table, log = room.table, list(room.log)

    def make() -> str | bytes:
        return _drawn(kind, shown_of(table, log, viewer, None if at is None else int(at)))

    return file_of(kind, await computed(request, make), _name(table, table_id))


# Games that a request describes


def described_record(described: Described) -> Record:
    """The record of a described game. Raises KletkaError."""
    made = game(described.spec)
    if described.setup and described.position:
        raise KletkaError("two_starts")
    begun = Record(made, (), described.setup or None, position=described.position or None)
    return told_by(begun, described.moves)


def described_shown(record: Record, whole: bool, at: int | None = None) -> Shown:
    """A position of a described game, the last one unless `at` says after how many moves: `whole`, or as whoever is to
    move sees it."""
    states = list(replay(record))
    last = len(states) - 1 if at is None else min(at, len(states) - 1)
    state = states[last]
    turn: list[str] = []
    for number in range(last - 1, -1, -1):
        event = record.events[number]
        goes_on = not turn or (record.game.seats > 1 and states[number].to_move == states[number + 1].to_move)
        if not isinstance(event, Played) or not goes_on:
            break
        turn.insert(0, event.told)
    if whole or not record.game.hidden or state.to_move is None:
        return Shown(state, tuple(turn))
    # What others were answered is left out rather than told.
    return Shown(state.seen_by(state.to_move), ())


def refused(request: Request, lang: str, error: KletkaError) -> Response:
    """Why a description can't be read."""
    return refuse(request, 422, error.code, words.trouble(lang, error))


async def _exported(request: Request, lang: str, kind: Kind, described: Described, at: int | None) -> Response:
    def make() -> tuple[str | bytes, Game]:
        record = described_record(described)
        if kind == "record":
            return print_record(record), record.game
        shown = described_shown(record, described.open, at)
        chosen = drawing_of(record.game).scene(record.game).signs
        signs = signs_of(record.game, described.signs) if chosen else ()
        return _drawn(kind, replace(shown, signs=signs)), record.game

    try:
        content, made = await computed(request, make)
    except KletkaError as error:
        return refused(request, lang, error)
    return file_of(kind, content, family_of(made).name)


def moves_of(text: str) -> list[str]:
    """Moves joined by commas."""
    return [move for part in text.split(",") if (move := part.strip())]


@dataclass(frozen=True)
class Asked:
    """A described game, and after how many moves it is to be shown (None: after all)."""

    described: Described
    at: int | None = None


def in_query(
    spec: Annotated[str, Query(max_length=LONGEST_SPEC)],
    setup: Annotated[str, Query(max_length=LONGEST_SETUP)] = "",
    position: Annotated[str, Query(max_length=LONGEST_POSITION)] = "",
    moves: Annotated[str, Query(max_length=_LONGEST_QUERY)] = "",
    open: Annotated[Literal["", "1"], Query()] = "",
    signs: Annotated[str, Query(max_length=60)] = "",
    at: Annotated[str | None, Query(pattern=_NUMBER)] = None,
) -> Asked | None:
    """What an address describes; None where it says too much."""
    described = _read(spec=spec, setup=setup, position=position, moves=moves_of(moves), open=bool(open), signs=signs)
    return Asked(described, None if at is None else int(at)) if described else None


DESCRIBING = ("spec", "setup", "position", "moves", "open", "at")
"""What such an address says."""
InQuery = Annotated[Asked | None, Depends(in_query)]


@router.get("/{lang}/export/{kind}", response_class=Response, responses=_FILES)
async def export(request: Request, lang: Language, kind: Kind, asked: InQuery) -> Response:
    """The record or the picture of a game that the address describes."""
    if asked is None:
        return refuse(request, 422, "malformed")
    return await _exported(request, lang, kind, asked.described, asked.at)


@router.post(
    "/{lang}/export/{kind}",
    response_class=Response,
    responses=_FILES,
    openapi_extra={
        "requestBody": {"content": {"application/json": {"schema": Described.model_json_schema()}, **_FORM}}
    },
)
async def export_long(request: Request, lang: Language, kind: Kind) -> Response:
    """The same of a description in the body: JSON, or a form, whose moves are joined by commas."""
    at = request.query_params.get("at")
    if request.headers.get("content-type", "").startswith("application/json"):
        try:
            described = Described.model_validate_json(await request.body())
        except ValidationError:
            return refuse(request, 422, "malformed")
    else:
        form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
        at = form.pop("at", at)
        read = _read(**form | {"moves": moves_of(form.get("moves", "")), "open": bool(form.get("open"))})
        if read is None:
            return refuse(request, 422, "malformed")
        described = read
    if at is not None and not (at.isascii() and at.isdigit() and len(at) <= 10):
        return refuse(request, 422, "malformed")
    return await _exported(request, lang, kind, described, None if at is None else int(at))


def _read(**values: object) -> Described | None:
    try:
        return Described.model_validate(values)
    except ValidationError:
        return None
