"""The study page: any game, move by move, with branches and comments; everything that it shows is in its address.

The same game can stand in a page of another site (`/embed/`): without cookies, to look at and step through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import SystemRandom
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kletka import words
from kletka.drawing import graph, letters
from kletka.engines import LEVELS
from kletka.games import KletkaError, families, game
from kletka.games.registry import LONGEST_SPEC
from kletka.records import LONGEST_POSITION, Agreed, Left, Played, Record, parse
from kletka.server.doors import POLICY, refuse, wants_page
from kletka.server.pages import FRIENDLY_LEVEL
from kletka.server.practice import (
    LONGEST_SETUP,
    MOST_MOVES,
    Described,
    actions,
    label,
    onlooker,
    played,
    scores,
    told,
)
from kletka.server.present import Viewer, history, items, say
from kletka.server.table_pages import shown_board
from kletka.server.web import Language, computed, link_to, page, room_of
from kletka.tables import Room, record_of

_LONGEST_TEXT = 60_000
"""Characters of a record that somebody pastes, or of all moves in an address."""
_LONGEST_LOCATION = 2000
"""Characters of an address that an answer leads to: proxies before us refuse answers whose headers are long."""

router = APIRouter()


def described(spec: str, setup: str = "", position: str = "", moves: str = "", signs: str = "") -> Described:
    """A game as an address tells it: moves are joined by commas. Raises KletkaError."""
    split = moves.split(",") if moves else []
    try:
        return Described(spec=spec, setup=setup, position=position, moves=split, open=True, signs=signs)
    except ValidationError:
        raise KletkaError("bad_token") from None


def address(language: str, shown: Described, at: int | None = None, embed: bool = False) -> str:
    """Where a game is studied, from a move on; or, as part of another page, looked at."""
    return f"/{language}{_path(shown, at, embed)}"


def _path(shown: Described, at: int | None, embed: bool) -> str:
    """The address without its language."""
    said = _parts(shown) | ({} if at is None else {"at": str(at)})
    query = urlencode(said, quote_via=quote, safe=",:=~()")
    return f"{'/embed' if embed else ''}/study?{query}"


def _parts(shown: Described) -> dict[str, str]:
    """What an address says of a game."""
    parts = {"spec": shown.spec, "setup": shown.setup, "position": shown.position, "signs": shown.signs}
    parts["moves"] = ",".join(shown.moves)
    return {name: part for name, part in parts.items() if part}


def of_record(record: Record, signs: str = "") -> Described:
    """A record's game as a study tells it; records don't know which signs were chosen."""

    def text(event: Played | Left | Agreed) -> str:
        match event:
            case Played(heard):
                return heard
            case Left(seat):
                return f"({seat + 1} left)"
            case Agreed():
                return "(agreed)"

    moves = ",".join(map(text, record.events))
    return described(record.game.spec, record.setup or "", record.position or "", moves, signs)


@dataclass(frozen=True)
class Ply:
    """An entry of the line that is studied: its number, and what happened."""

    number: int
    said: str


def _values(language: str, shown: Described, at: int | None) -> dict[str, Any]:
    """What the study page and its embedded form need. Raises KletkaError."""
    steps = played(shown)
    # However a move was written: what is pressed on the board is to be known as the same.
    shown = shown.model_copy(update={"moves": [told(event) for _, event in steps[1:]]})
    last = len(steps) - 1
    here = last if at is None else min(at, last)
    table, event = steps[here]
    viewer = onlooker(table, language)
    return {
        "shown": shown,
        "at": here,
        "last": last,
        "items": Markup(items(steps[-1][0], viewer)),  # noqa: S704 (made escaped)
        "table": table,
        "viewer": viewer,
        "keeps": False,
        "kept": "",
        "say": say(table, event, viewer),
        "actions": Markup(actions(table, viewer)),  # noqa: S704 (a template)
        "scores": Markup(scores(table, viewer)),  # noqa: S704 (a template)
        "levels": LEVELS,
        "level": FRIENDLY_LEVEL,
        "text": letters(table.view(viewer.seat), table.last_heard(viewer.seat)),
        "line": [Ply(number, label(step, done, viewer)) for number, (step, done) in enumerate(steps) if number],
        "parts": _parts(shown),
        "before": shown.model_copy(update={"moves": shown.moves[:here]}),
        "link": address(language, shown, here),
        "query": f"{address(language, shown, here).partition('?')[2]}&open=1",
        "frame": address(language, shown, here, True),
        "sides": words.say(language, "study.sides", seat=words.seat_name(language, table.game, 0)),
        **shown_board(table, viewer),
    }


def _failed(request: Request, language: str, error: KletkaError) -> Response:
    return refuse(request, 422, error.code, words.trouble(language, error))


async def _shown(
    request: Request, language: str, template: str, make: Callable[[], Described], at: str, where: str = ""
) -> Response:
    """The page of a game, made beside the event loop; `where` is its address without the language, where that says
    what game it is."""
    embed = template == "embed.html"

    def draw() -> Response:
        filled = _values(language, make(), int(at) if at else None)
        shown, here = filled["shown"], filled["at"]
        path = f"{where}?at={here}" if where else _path(shown, here, embed)
        base = link_to(request, "").rstrip("/")
        return page(request, template, path=path, where=where, base=base, games=_games(), socket="", **filled)

    try:
        made = await computed(request, draw)
    except KletkaError as error:
        return _failed(request, language, error)
    return _framed(made) if embed else made


def _framed(made: Response) -> Response:
    """A page that pages of other sites may show."""
    made.headers["Content-Security-Policy"] = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
    return made


def _games() -> list[Any]:
    return list(families().values())


Spec = Annotated[str, Query(max_length=LONGEST_SPEC)]
SetUp = Annotated[str, Query(max_length=LONGEST_SETUP)]
Position = Annotated[str, Query(max_length=LONGEST_POSITION)]
Moves = Annotated[str, Query(max_length=_LONGEST_TEXT)]
Signs = Annotated[str, Query(max_length=60)]
At = Annotated[str, Query(pattern=r"^[0-9]{0,5}$")]


@router.get("/{lang}/study", response_class=HTMLResponse)
async def study(
    request: Request,
    lang: Language,
    spec: Spec = "",
    setup: SetUp = "",
    position: Position = "",
    moves: Moves = "",
    signs: Signs = "",
    at: At = "",
) -> Response:
    """A game to study; without one, where to begin."""
    if not spec:
        return page(request, "study_open.html", games=_games(), problem="", typed="", chosen="")
    values = {"spec": spec, "setup": setup, "position": position, "moves": moves, "signs": signs}
    return await _shown(request, lang, "study.html", partial(described, **values), at)


@router.get("/{lang}/embed/study", response_class=HTMLResponse)
async def embedded_study(
    request: Request,
    lang: Language,
    spec: Spec,
    setup: SetUp = "",
    position: Position = "",
    moves: Moves = "",
    signs: Signs = "",
    at: At = "",
) -> Response:
    """A game to step through in a page of another site."""
    values = {"spec": spec, "setup": setup, "position": position, "moves": moves, "signs": signs}
    return await _shown(request, lang, "embed.html", partial(described, **values), at)


async def _public(request: Request, table_id: str) -> Room | Response:
    """A table that spectators may look at, whoever asks."""
    room = await room_of(request, table_id)
    if isinstance(room, Response):
        return room
    return refuse(request, 403, "sealed") if room.table.sealed else room


@router.get("/{lang}/embed/t/{table_id}", response_class=HTMLResponse)
async def embedded_table(request: Request, lang: Language, table_id: str) -> Response:
    """A table in a page of another site: as a spectator sees it, whoever looks."""
    room = await _public(request, table_id)
    if isinstance(room, Response):
        return room
    table, last, viewer = room.table, room.log[-1], Viewer(lang, None)

    def draw() -> Response:
        return page(
            request,
            "embed.html",
            table=table,
            viewer=viewer,
            socket=f"/{lang}/t/{table_id}/socket",
            here=f"/{lang}/embed/t/{table_id}",
            last=table.version,
            say=say(table, last, viewer),
            items=Markup(items(table, viewer)),  # noqa: S704 (made escaped)
            link=f"/{lang}/t/{table_id}",
            **shown_board(table, viewer),
        )

    made = await computed(request, draw)
    made.headers["Cache-Control"] = "no-store"
    return _framed(made)


@router.get("/{lang}/embed/t/{table_id}/events")
async def embedded_events(request: Request, lang: Language, table_id: str) -> Response:
    """Everything that happened, as spectators heard it."""
    room = await _public(request, table_id)
    if isinstance(room, Response):
        return room
    heard = await computed(request, history, list(room.log), Viewer(lang, None), 0)
    return JSONResponse({"events": heard}, headers={"Cache-Control": "no-store"})


@router.post("/{lang}/study")
async def begin(
    request: Request,
    lang: Language,
    text: Annotated[str, Form(max_length=_LONGEST_TEXT)] = "",
    spec: Annotated[str, Form(max_length=LONGEST_SPEC)] = "",
    setup: Annotated[str, Form(max_length=LONGEST_SETUP)] = "",
    position: Annotated[str, Form(max_length=LONGEST_POSITION)] = "",
    moves: Annotated[str, Form(max_length=_LONGEST_TEXT)] = "",
    move: Annotated[str, Form(max_length=_LONGEST_TEXT)] = "",
) -> Response:
    """From a record, a position or a game's name to its study; a `move` typed there, for browsers without script."""

    def read() -> Described:
        text_ = text.strip()
        if text_.startswith("["):
            shown = of_record(parse(text_.replace("\r\n", "\n")))
        elif move.strip():
            shown = described(spec, setup, position, ",".join(filter(None, (moves, move.strip()))))
        else:
            dealt = "" if text_ else game(spec).deal(SystemRandom()) or ""
            shown = described(spec, setup or dealt, text_)
        played(shown)
        return shown

    try:
        shown = await computed(request, read)
    except KletkaError as error:
        problem = words.trouble(lang, error)
        if move or not wants_page(request):
            return refuse(request, 422, error.code, problem)
        values = {"problem": problem, "typed": text, "chosen": spec}
        return page(request, "study_open.html", games=_games(), **values)
    leads = address(lang, shown)
    if len(leads) > _LONGEST_LOCATION:
        return await _shown(request, lang, "study.html", lambda: shown, "")
    return RedirectResponse(leads, 303)


@router.get("/{lang}/t/{table_id}/study")
async def of_a_table(request: Request, lang: Language, table_id: str, at: At = "") -> Response:
    """The study of a table's game, once everybody may see everything."""
    room = await room_of(request, table_id)
    if isinstance(room, Response):
        return room
    if not room.table.open:
        return refuse(request, 409, "not_over")
    table = room.table

    def read() -> Described:
        return of_record(record_of(table, None), ",".join(table.signs))

    return await _shown(request, lang, "study.html", read, at, f"/t/{table_id}/study")


class Course(BaseModel):
    """The first seat's share of the win after each move, from the start on (None: nobody knows), and the moves that
    gave something away, by what that is called."""

    model_config = ConfigDict(strict=True, extra="forbid")

    scores: Annotated[list[Annotated[float, Field(ge=0, le=1)] | None], Field(max_length=MOST_MOVES + 1)]
    falls: dict[Annotated[str, Field(pattern=r"^[0-9]{1,4}$")], str] = {}


@router.post("/{lang}/study/graph")
async def course(request: Request, lang: Language, course: Course) -> Response:
    """The course of a game as a drawing."""
    drawn = await computed(request, graph, course.scores, {int(at): kind for at, kind in course.falls.items()})
    return JSONResponse({"drawn": drawn}, headers={"Cache-Control": "no-store"})
