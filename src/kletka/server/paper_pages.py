"""Sheets to print: empty boards of every preset, any position, and a table's."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from kletka import words
from kletka.drawing import drawing_of, paper
from kletka.drawing.paper import PAPERS, Paper, Say, Sheet
from kletka.games import Game, KletkaError, State, families, family_of, game
from kletka.records import Agreed
from kletka.server.answers import files
from kletka.server.doors import refuse
from kletka.server.export_pages import (
    DESCRIBING,
    PICTURE_POLICY,
    Asked,
    InQuery,
    described_record,
    described_shown,
    refused,
    shown_of,
)
from kletka.server.web import Language, computed, page, visit

_SHEET = files("image/svg+xml")

router = APIRouter()


def saying(language: str, made: Game) -> Say:
    """How a game's phrases are said on a sheet."""
    return lambda phrase: words.sentence(words.spoken(language, made, *phrase))


def blank(language: str, made: Game, size: Paper) -> Sheet:
    """Empty boards of a game."""
    return paper.blank(made, saying(language, made), words.title(language, made), size)


def positioned(language: str, state: State, size: Paper, signs: tuple[str, ...] = (), remark: str = "") -> Sheet:
    """A position; the remark says whose turn it is or how it ended, unless there is another."""
    made = state.game
    if state.to_move is not None:
        said = words.to_move(language, made, state.to_move)
    else:
        said = words.result(language, made, state.outcome) if state.outcome else ""
    title = words.title(language, made)
    return paper.position(state, saying(language, made), title, size, signs=signs, remark=remark or said)


def _answered(
    request: Request, language: str, made: Game, sheet: Sheet, size: Paper, at: str, query: dict[str, str]
) -> Response:
    """A sheet: on its page, or as a file where the address ends in `sheet.svg`."""
    if request.url.path.endswith("/sheet.svg"):
        headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "no-store"}
        return Response(sheet.svg, media_type="image/svg+xml", headers=headers)
    say = saying(language, made)
    response = page(
        request,
        "paper.html",
        path=f"{at}?{urlencode({**query, 'paper': size})}",
        title=words.title(language, made),
        rules=" ".join(map(say, drawing_of(made).brief(made))),
        size=size,
        sizes={other: f"?{urlencode({**query, 'paper': other})}" for other in PAPERS},
        file=f"/{language}{at}/sheet.svg?{urlencode({**query, 'paper': size})}",
        name=f"{family_of(made).name}-{size}.svg",
        lies=sheet.width > sheet.height,
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@router.get("/{lang}/paper", response_class=HTMLResponse)
async def index(request: Request, lang: Language) -> Response:
    """Every preset's sheet."""
    shown: list[dict[str, Any]] = [{"family": family, "presets": family.presets} for family in families().values()]
    return page(request, "papers.html", games=shown)


def _described(language: str, asked: Asked, size: Paper) -> tuple[Game, Sheet]:
    """The sheet of a described game: of the position that it comes to, or empty boards where nothing is told of it.

    Raises KletkaError.
    """
    told = asked.described
    record = described_record(told)
    if not (told.setup or told.position or told.moves):
        return record.game, blank(language, record.game, size)
    shown = described_shown(record, told.open, asked.at)
    agreed = record.events[-1:] == (Agreed(),) and (asked.at is None or asked.at >= len(record.events))
    said = words.result(language, record.game, shown.state.agreed()) if agreed else ""
    return record.game, positioned(language, shown.state, size, shown.signs, said)


@router.get("/{lang}/paper/position", response_class=HTMLResponse)
@router.get("/{lang}/paper/position/sheet.svg", response_class=Response, responses=_SHEET)
async def position_sheet(request: Request, lang: Language, asked: InQuery, paper: Paper = "a4") -> Response:
    """The sheet of a described game."""
    if asked is None:
        return refuse(request, 422, "malformed")
    try:
        made, sheet = await computed(request, _described, lang, asked, paper)
    except KletkaError as error:
        return refused(request, lang, error)
    query = {name: value for name in DESCRIBING if (value := request.query_params.get(name))}
    return _answered(request, lang, made, sheet, paper, "/paper/position", query)


@router.get("/{lang}/paper/{family}/{preset}", response_class=HTMLResponse)
@router.get("/{lang}/paper/{family}/{preset}/sheet.svg", response_class=Response, responses=_SHEET)
async def preset_sheet(request: Request, lang: Language, family: str, preset: str, paper: Paper = "a4") -> Response:
    """Empty boards of a preset."""
    known = families().get(family)
    chosen = next((one for one in known.presets if one.id == preset), None) if known else None
    if chosen is None:
        return refuse(request, 404, "no_page")
    made = game(chosen.spec)
    sheet = await computed(request, blank, lang, made, paper)
    return _answered(request, lang, made, sheet, paper, f"/paper/{family}/{preset}", {})


@router.get("/{lang}/t/{table_id}/paper", response_class=HTMLResponse)
@router.get("/{lang}/t/{table_id}/paper/sheet.svg", response_class=Response, responses=_SHEET)
async def table_sheet(request: Request, lang: Language, table_id: str, paper: Paper = "a4") -> Response:
    """A table's position, as this browser may see it."""
    visited = await visit(request, table_id)
    if isinstance(visited, Response):
        return visited
    room, viewer = visited
    table = room.table
    shown = shown_of(table, room.log, viewer)
    said = words.result(lang, table.game, table.outcome) if table.outcome else ""
    sheet = await computed(request, positioned, lang, shown.state, paper, shown.signs, said)
    return _answered(request, lang, table.game, sheet, paper, f"/t/{table_id}/paper", {})
