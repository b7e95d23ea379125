"""Walk-throughs: one board that waits for what each step wants, and all steps as pictures."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from msgspec import structs

from kletka import words
from kletka.drawing import drawing_of
from kletka.drawing.scene import House
from kletka.games import families, game
from kletka.lessons import Step, lesson
from kletka.server.doors import refuse
from kletka.server.pages import diagram
from kletka.server.practice import Described, actions, onlooker, played
from kletka.server.table_pages import shown_board
from kletka.server.web import Language, page

_PLAIN = re.compile(r"[A-Za-z0-9-]+")
"""A move that says itself what to press."""

router = APIRouter()


def _said(language: str, name: str, step: Step, form: str = "") -> str:
    return words.say(language, f"learn.{name}.{step.id}{form}")


def _allowed(language: str, step: Step) -> str:
    """What is answered to another move that is legal, too."""
    made = game(step.spec)
    labels = {str(move): label for move, label in drawing_of(made).scene(made).buttons}
    if step.move in labels:
        return words.say(language, "learn.allowed", move=words.spoken(language, made, *labels[step.move]))
    if _PLAIN.fullmatch(step.move):
        return words.say(language, "learn.allowed", move=step.move)
    return words.say(language, "learn.allowed_else")


@cache
def _step(language: str, name: str, number: int) -> dict[str, Any]:
    """What the page needs of a step: its board as a practice board has it, and its words."""
    steps = lesson(name)
    step = steps[number - 1]
    described = Described(spec=step.spec, setup=step.setup, position=step.position, moves=list(step.moves))
    board = played(described)
    # The bubble says what to do: nobody needs to hear what could be done besides.
    table = board[-1][0]
    table = structs.replace(table, opening=structs.replace(table.opening, house=House(assist="off")))
    shown = shown_board(table, onlooker(table, language))
    places = {place.id for panel in shown["scene"].panels for place in panel.places}
    return shown | {
        # Where a press on the board is wanted, nothing else need be there to press.
        "bare": step.move in places,
        "step": step,
        "number": number,
        "total": len(steps),
        "table": table,
        # Of a board that is nowhere kept no draft is kept either.
        "keeps": False,
        "kept": step.draft,
        "actions": Markup(actions(table, onlooker(table, language))),  # noqa: S704 (a template)
        "says": _said(language, name, step),
        "done": _said(language, name, step, ".done"),
        "allowed": _allowed(language, step),
        "alone": game(families()[name].presets[0].spec).seats == 1,
    }


@cache
def _pictures(language: str, name: str) -> list[dict[str, Any]]:
    """Every step as a picture, with what is wanted done, and all that is said about it."""
    shown = []
    for step in lesson(name):
        state, made = step.before(), game(step.spec)
        seat, heard = state.to_move, ""
        last: tuple[str, ...] = ()
        if step.refused:
            heard = " ".join(words.refusal(language, made, reason) for reason in state.refuses(step.move))
        elif step.move:
            last = (state.told(step.move, seat),)
            state = state.play(step.move)
        if state.outcome:
            heard = words.result(language, made, state.outcome)
        draft = "+".join(filter(None, (step.draft, step.lays)))
        shown.append(
            {
                "picture": diagram(language, made, state.seen_by(seat), last, draft),
                "says": _said(language, name, step),
                "heard": heard,
                "done": _said(language, name, step, ".done"),
            }
        )
    return shown


@router.get("/{lang}/learn/{name}", response_class=HTMLResponse)
async def learn(
    request: Request, lang: Language, name: str, step: Annotated[str, Query(pattern=r"^[0-9]{1,3}$")] = "1"
) -> Response:
    """The walk-through of a family, at a step; without script all steps as pictures."""
    steps = lesson(name)
    if not steps:
        return refuse(request, 404, "no_page")
    number = min(max(1, int(step)), len(steps))
    path = f"/learn/{name}" + (f"?step={number}" if number > 1 else "")
    return page(request, "learn.html", path=path, pictures=_pictures(lang, name), **_step(lang, name, number))


@router.get("/{lang}/learn/{name}/{number}", response_class=HTMLResponse)
async def learn_step(
    request: Request, lang: Language, name: str, number: Annotated[str, Path(pattern=r"^[1-9][0-9]?$")]
) -> Response:
    """One step alone, for the page to put in place of the one before."""
    if int(number) > len(lesson(name)):
        return refuse(request, 404, "no_page")
    return page(request, "part_step.html", **_step(lang, name, int(number)))
