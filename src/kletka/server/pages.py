"""Home, rules and set-up: from an idea to an open table."""

from __future__ import annotations

import re
import secrets
from functools import cache, partial
from random import Random
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from kletka import words
from kletka.drawing import drawing_of, drawn, letters, svg
from kletka.drawing.scene import ASSISTS, SIGNS
from kletka.engines import LEVELS
from kletka.games import Family, Game, KletkaError, NotationError, Preset, families, family_of, game, seat_words
from kletka.games.registry import LONGEST_SPEC
from kletka.server import keys
from kletka.server.doors import language_of, refuse, wants_page
from kletka.server.forms import (
    board_name,
    field_of,
    form_of,
    form_values,
    lonely,
    plain_values,
    squares_of,
    takes_setup,
    widest,
    written_game,
)
from kletka.server.offline import keep
from kletka.server.present import drawn_signs
from kletka.server.race_pages import join_race
from kletka.server.web import Language, count_tables, hall_of, page, refusal
from kletka.tables import Clock, House, Refused, Take, Unavailable, clean_name, read_clock
from kletka.tables.clocks import DAY

FRIENDLY_LEVEL = 4
"""The engine's level where nobody chose one."""

CLOCKS = ("none", "move", "total", "days")
"""The kinds of clocks in the form."""

_CLOCK_FIELDS = {"clock_seconds": 60, "clock_minutes": 10, "clock_increment": 5, "clock_days": 3}
"""The numbers of the form's clocks, as they are at first."""

RACERS = range(2, 9)
"""How many can race."""

_LONGEST_SETUP = 200
"""Characters of a set-up or its code that somebody types."""

_LONGEST_EXAMPLE = 40
"""Moves made in a small picture: enough to see what the game is about."""

router = APIRouter()


@router.get("/", include_in_schema=False)
async def root(request: Request) -> Response:
    """Everyone's language first."""
    return RedirectResponse(f"/{language_of(request)}/", 303, headers={"Vary": "Accept-Language"})


def diagram(language: str, made: Game, state: Any, last: tuple[str, ...] = (), draft: str = "") -> Markup:
    """A position as a picture inside a page."""
    scene = drawing_of(made).scene(made)
    titles = [words.spoken(language, made, *panel.title) for panel in scene.panels] if scene.stack else ()
    columns = 2 if len(scene.panels) == 4 else None
    return Markup(svg.inline(scene, drawn(state, last, draft), titles, columns))  # noqa: S704 (our renderer escapes)


def _example(preset: Preset) -> Any:
    """A position in mid-game for a small picture: the same on every visit."""
    made = game(preset.spec)
    if preset.example:
        return made.read(preset.example)
    rng = Random(made.spec)
    states = [made.start(made.deal(rng))]
    # Of a long game no more is played than is needed for the picture.
    while states[-1].to_move is not None and len(states) * 3 // 5 < _LONGEST_EXAMPLE:
        states.append(states[-1].play(states[-1].sample(rng)))
    return states[min(len(states) * 3 // 5, _LONGEST_EXAMPLE)].seen_by(None)


@cache
def _small(language: str, preset: Preset) -> Markup:
    return diagram(language, game(preset.spec), _example(preset))


@router.get("/{lang}/", response_class=HTMLResponse)
async def home(request: Request, lang: Language) -> Response:
    """The games, each with a small picture and its presets."""
    shown = [
        {
            "family": family,
            "presets": [_card(lang, preset) for preset in family.presets],
        }
        for family in families().values()
    ]
    response = page(request, "home.html", games=shown)
    keep(response, "page")
    return response


def _card(language: str, preset: Preset) -> dict[str, Any]:
    made = game(preset.spec)
    return {"preset": preset, "picture": _small(language, preset), "alone": made.seats == 1}


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
        shown = diagram(lang, made, state, block.last, block.draft)
        text = letters(state, draft=block.draft)
        blocks.append({"picture": shown, "text": text, "caption": block.caption})
    response = page(request, "rules.html", family=family, blocks=blocks)
    keep(response, "page")
    return response


@router.get("/{lang}/new/{name}", response_class=HTMLResponse)
async def set_up(
    request: Request,
    lang: Language,
    name: str,
    preset: Annotated[str, Query(max_length=40)] = "",
    spec: Annotated[str, Query(max_length=LONGEST_SPEC)] = "",
    code: Annotated[str, Query(max_length=_LONGEST_SETUP)] = "",
    racers: Annotated[str, Query(max_length=2)] = "",
) -> Response:
    """The set-up form of a family: with a preset's options or those of a spec, with the code of a set-up, and for a
    race of so many."""
    family = _family(name)
    if family is None:
        return refuse(request, 404, "no_page")
    chosen = next((p for p in family.presets if p.id == preset), family.presets[0])
    made, shown = game(chosen.spec), chosen.id
    if spec:
        try:
            wished = game(spec)
        except KletkaError as error:
            return refuse(request, 422, error.code, words.trouble(lang, error))
        if family_of(wished) is family:
            made, shown = wished, ""
    values = plain_values(family) | form_values(family, made.options)
    typed = {name: said for name, said in (("code", code), ("racers", racers)) if said}
    return _set_up_page(request, family, shown, values, typed or None)


def _set_up_page(
    request: Request,
    family: Family,
    chosen: str,
    values: dict[str, str],
    typed: dict[str, str] | None = None,
    problem: dict[str, str] | None = None,
) -> Response:
    form = form_of(family.name)
    shown = widest(family, game(next((preset.spec for preset in family.presets if preset.id == chosen), family.name)))
    named = seat_words(shown)
    scene = drawing_of(shown).scene(shown)
    kept = {"name": "", "with": "friend", "seat": "0", "level": str(FRIENDLY_LEVEL), "code": "", "hints": ""}
    kept |= {"assist": House.assist, "sign": SIGNS[0], "clock": "none", "rounds": "0", "racers": "1"}
    kept |= {name: str(usual) for name, usual in _CLOCK_FIELDS.items()}
    # An empty checkbox isn't sent.
    checks = typed is None or "with" not in typed or "check" in typed
    response = page(
        request,
        "set_up.html",
        path=f"/new/{family.name}",
        typed=kept | {key: value[:_LONGEST_SETUP] for key, value in (typed or {}).items() if key in kept},
        family=family,
        form=form,
        values=values,
        chosen=chosen,
        offered=[{"preset": p, "values": form_values(family, game(p.spec).options)} for p in family.presets],
        levels=LEVELS,
        scene=scene,
        assists=ASSISTS,
        board_name=partial(board_name, language_of(request)),
        squares_of=partial(squares_of, family),
        signs=SIGNS if scene.signs else (),
        checks=checks,
        takes_code=takes_setup(family),
        clocks=CLOCKS,
        clock_fields=tuple(_CLOCK_FIELDS),
        racers=RACERS,
        lonely=lonely(family),
        problem=problem,
        seats=[
            {
                "number": number,
                "sign": drawn_signs(shown)[number],
                "word": words.say(language_of(request), f"seat.{named[number % len(named)]}"),
            }
            for number in range(shown.seats)
        ],
    )
    response.status_code = 422 if problem else 200
    return response


@router.post("/{lang}/tables")
async def open_table(request: Request, lang: Language) -> Response:
    """Open a table from a preset's button or from the set-up form, and take the host's seat."""
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    family = _family(form.get("family", ""))
    try:
        made = game(form.get("spec", "")) if family is None else written_game(family, form)
    except KletkaError as error:
        said = words.trouble(lang, error)
        if family is None or not wants_page(request):
            return refuse(request, 422, error.code, said)
        values = {name: form.get(name, text) for name, text in plain_values(family).items()}
        problem = {"field": field_of(family, form, getattr(error, "option", "")), "said": said}
        return _set_up_page(request, family, "", values, form, problem)
    name = clean_name(form.get("name", ""))
    if name is None:
        return refuse(request, 422, "bad_name")
    try:
        return await _open(request, lang, form, made, name)
    except Unavailable:
        return refuse(request, 503, "unavailable")
    except KletkaError as error:
        said = words.trouble(lang, error)
        if family is None or not wants_page(request):
            return refuse(request, 422, error.code, said)
        values = plain_values(family) | form_values(family, made.options)
        field = "clock" if error.code == "bad_clock" else "code"
        return _set_up_page(request, family, "", values, form, {"field": field, "said": said})


async def _open(request: Request, lang: str, form: dict[str, str], made: Game, name: str) -> Response:
    """Open the table (or the race) that a form asks for, and sit down. Raises KletkaError, Hasty or
    Unavailable."""
    hall, clock, hints = hall_of(request), _clock(form), "hints" in form
    setup = "".join(form.get("code", "").split()) or None
    position = form.get("position", "")
    racers = form.get("racers", "")
    if made.seats == 1 and racers in map(str, RACERS) and not position:
        count_tables(request, int(racers))
        race = await hall.open_race(made, int(racers), setup, _house(form), clock=clock, hints=hints)
        response = RedirectResponse(f"/{lang}/race/{race}", 303)
        return await join_race(request, response, race, name)
    if position and made.hidden:
        raise NotationError(0, "bad_setup")
    seat, levels = _seating(form, made)
    sign = next((sign for sign in SIGNS if sign == form.get("sign")), SIGNS[0])
    rounds = 2 if made.seats == 2 and form.get("rounds") == "2" else 0
    count_tables(request)
    table_id = await hall.open(
        *(made, levels, setup, _house(form), sign), position=position, clock=clock, hints=hints, rounds=rounds
    )
    response = RedirectResponse(f"/{lang}/t/{table_id}", 303)
    key = keys.keep(request, response)
    room = await hall.room(table_id)
    assert room is not None
    others = range(made.seats) if form.get("with") == "screen" else ()
    for number in (seat, *(other for other in others if other != seat)):
        mine = number == seat
        take = Take(
            keys.seat_hash(key, table_id),
            name if mine else "",
            number,
            sign if mine else "",
            keys.owner_hash(key),
            beside=not mine,
        )
        answer = await hall.command(room, take, None, secrets.token_hex(8))
        if isinstance(answer, Refused):
            return refusal(request, room, answer)
    return response


def _clock(form: dict[str, str]) -> Clock | None:
    """The clock that a form asks for: as a text (`total:300+5`), or by its kind and numbers. Raises KletkaError."""
    kind = form.get("clock", "none")
    if kind not in CLOCKS:
        return read_clock(kind)
    numbers = {name: form.get(name) or str(usual) for name, usual in _CLOCK_FIELDS.items()}
    if any(not re.fullmatch("[0-9]{1,5}", number) for number in numbers.values()):
        raise KletkaError("bad_clock")
    seconds, minutes, increment, days = map(int, numbers.values())
    texts = {
        "none": "none",
        "move": f"move:{seconds}",
        "total": f"total:{minutes * 60}+{increment}",
        "days": f"move:{days * DAY}",
    }
    return read_clock(texts[kind])


def _house(form: dict[str, str]) -> House:
    """The table's own rules. The set-up form says by `house` that it has a checkbox, which isn't sent where empty."""
    assist = next((assist for assist in ASSISTS if assist == form.get("assist")), House.assist)
    return House("house" not in form or "check" in form, assist)


def _seating(form: dict[str, str], made: Game) -> tuple[int, dict[int, int]]:
    """The host's seat and the engines' levels by seat."""
    wished = form.get("seat", "0")
    inside = wished in map(str, range(made.seats))
    seat = int(wished) if inside else secrets.randbelow(made.seats) if wished == "lot" else 0
    if form.get("with") != "engine":
        return seat, {}
    level = form.get("level", "")
    chosen = int(level) if level in map(str, LEVELS) else FRIENDLY_LEVEL
    return seat, {other: chosen for other in range(made.seats) if other != seat}
