"""A race: several people, each alone at a table of their own with the same secret, compared when all are done."""

from __future__ import annotations

import secrets
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from kletka import words
from kletka.games import family_of
from kletka.server import keys
from kletka.server.doors import language_of, refuse
from kletka.server.templating import render
from kletka.server.web import Language, code_of, hall_of, link_to, page, refusal
from kletka.tables import Moved, Refused, Room, Take

router = APIRouter()


def _mine(request: Request, room: Room) -> bool:
    key = keys.browser_key(request)
    return bool(key and room.table.seats_of(keys.seat_hash(key, room.series)))


async def join_race(request: Request, response: Response, race: str, name: str) -> Response:
    """Take a free table of a race for this browser, and give the response; a refusal where none is free."""
    rooms = await hall_of(request).racers(race) if len(race) <= 32 else []
    if any(_mine(request, room) for room in rooms):
        return response
    key = keys.keep(request, response)
    answer = None
    for room in rooms:
        take = Take(keys.seat_hash(key, room.series), name, 0, owner=keys.owner_hash(key))
        answer = await hall_of(request).command(room, take, None, secrets.token_hex(8))
        if not isinstance(answer, Refused) or answer.reasons[0].code != "seat_taken":
            break
    if not rooms:
        return refuse(request, 404, "no_table")
    return refusal(request, rooms[0], answer) if isinstance(answer, Refused) else response


def _standing(language: str, room: Room) -> dict[str, Any]:
    """A racer as everybody may see them: the name and how far they are, and at the end how it went."""
    table = room.table
    seat = table.seats[0]
    outcome = table.outcome if table.open else None
    # What the game didn't answer only ended a turn: people don't count it.
    moves = sum(isinstance(event.body, Moved) and event.body.answered for event in table.line)
    won = bool(outcome and outcome.winners)
    gave_up = bool(table.gone)
    thought = table.line[-1].at - table.began if table.line and seat else 0.0
    return {
        "id": room.id,
        "name": seat.name if seat else "",
        "taken": seat is not None,
        "status": table.status,
        "moves": words.say(language, "race.moves", n=moves) if seat else "",
        "won": won,
        "result": words.why(language, table.game, outcome) if outcome else "",
        "time": words.duration(language, thought) if outcome else "",
        "key": (not won, seat is None, gave_up, moves if won else -moves, thought),
    }


def _list(request: Request, rooms: list[Room]) -> str:
    language, made = language_of(request), rooms[0].table.game
    standings = [_standing(language, room) | {"mine": _mine(request, room)} for room in rooms]
    ended = all(room.table.open for room in rooms)
    if ended:
        standings.sort(key=lambda one: one["key"])
    return render(
        "part_race.html",
        lang=language,
        racers=standings,
        ended=ended,
        joined=any(one["mine"] for one in standings),
        waits=any(room.table.waits(hall_of(request).store.now()) for room in rooms),
        race=rooms[0].table.opening.race,
        anew=f"/new/{family_of(made).name}?{urlencode({'spec': made.spec, 'racers': len(rooms)})}",
    )


@router.get("/race/{race}", include_in_schema=False)
async def shared_race(request: Request, race: str) -> Response:
    """The link that people share."""
    return RedirectResponse(f"/{language_of(request)}/race/{race}", 303, headers={"Vary": "Accept-Language"})


@router.get("/{lang}/race/{race}", response_class=HTMLResponse)
async def race_page(request: Request, lang: Language, race: str) -> Response:
    """Who races, how far everybody is, and at the end how it went."""
    hall = hall_of(request)
    rooms = await hall.racers(race) if len(race) <= 32 else []
    if not rooms:
        return refuse(request, 404, "no_table")
    await hall.settle(race)
    link = link_to(request, f"race/{race}")
    response = page(
        request,
        "race.html",
        table=rooms[0].table,
        link=link,
        code=code_of(link),
        listed=Markup(_list(request, rooms)),  # noqa: S704 (a template)
        game=words.say(lang, f"game.{family_of(rooms[0].table.game).name}"),
        joined=any(_mine(request, room) for room in rooms),
        free=any(room.table.status == "waiting" for room in rooms),
    )
    response.headers["Cache-Control"] = "no-store"
    # The press that joins may come twice: both presses must be this browser's.
    keys.keep(request, response)
    return response


@router.get("/{lang}/race/{race}/list", response_class=HTMLResponse)
async def race_list(request: Request, lang: Language, race: str) -> Response:
    """The list alone, for the page to fetch anew."""
    rooms = await hall_of(request).racers(race) if len(race) <= 32 else []
    if not rooms:
        return refuse(request, 404, "no_table")
    return HTMLResponse(_list(request, rooms), headers={"Cache-Control": "no-store"})


@router.post("/{lang}/race/{race}/join", status_code=303, response_class=RedirectResponse)
async def join(
    request: Request, lang: Language, race: str, name: Annotated[str, Form(max_length=12_000)] = ""
) -> Response:
    """Take part: a free table of the race is this browser's."""
    return await join_race(request, RedirectResponse(f"/{lang}/race/{race}", 303), race, name)


@router.post("/{lang}/race/{race}/close", status_code=303, response_class=RedirectResponse)
async def close(request: Request, lang: Language, race: str) -> Response:
    """Wait for nobody else: neither for free places nor for who hasn't moved for long. Whoever races may say so."""
    rooms = await hall_of(request).racers(race) if len(race) <= 32 else []
    if not any(_mine(request, room) for room in rooms):
        return refuse(request, 403, "no_seat")
    await hall_of(request).close_race(race)
    return RedirectResponse(f"/{lang}/race/{race}", 303)
