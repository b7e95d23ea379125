"""The practice board: a table that is nowhere kept. Each request says the game and all that happened in it, and is
answered as a table's socket would.

Everything shown of a table follows from its log, so that such a board is drawn and played like any other: a lesson's,
or that of somebody who studies a game. All its seats are the asker's. `open` shows the whole position, secrets too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from kletka import words
from kletka.drawing import letters
from kletka.drawing.scene import SIGNS, House
from kletka.games import Game, IllegalMove, KletkaError, NotationError, SpecError, State, family_of, game
from kletka.games.contract import LONGEST_MOVE
from kletka.games.registry import LONGEST_SPEC
from kletka.records import LONGEST_POSITION
from kletka.server.doors import Refusal
from kletka.server.present import Shown, Step, Viewer, drafted, eye, happened, heard, items, pictured, presses, still
from kletka.server.templating import render
from kletka.server.web import Language, computed
from kletka.tables import Event, Moved, Offered, Opened, Play, Refused, Resign, Resigned, Seat, Table, fold
from kletka.tables.table import Now, decide

MOST_MOVES = 2000
"""Moves that a request may tell."""
LONGEST_SETUP = 1000
"""Characters of a set-up."""
_LONGEST_ACT = 2000

_SCREEN = "here"
"""What opens every seat of a practice board: nobody sits elsewhere, who would have to agree to anything."""
_NOW = Now(0.0)
"""No clock runs at a practice board."""
_ASIDE = re.compile(r"\(([1-9][0-9]?) left\)|\(agreed\)")
"""What happened besides moves, as records write it."""

router = APIRouter()


class Described(BaseModel):
    """A game and all that happened in it: moves, and seats that left, as records write them.

    `signs` are those that the seats chose, joined by commas; where they are none, each seat has its usual one.
    """

    model_config = ConfigDict(strict=True, extra="forbid")

    spec: Annotated[str, Field(max_length=LONGEST_SPEC)]
    setup: Annotated[str, Field(max_length=LONGEST_SETUP)] = ""
    position: Annotated[str, Field(max_length=LONGEST_POSITION)] = ""
    moves: Annotated[list[Annotated[str, Field(max_length=LONGEST_MOVE)]], Field(max_length=MOST_MOVES)] = []
    open: bool = False
    signs: Annotated[str, Field(pattern=r"^[a-z,]{0,60}$")] = ""


class Asked(Described):
    """A practice board, and the move that somebody makes there, if any."""

    move: Annotated[str, Field(max_length=LONGEST_MOVE)] | None = None


class Drafted(Described):
    """A practice board, and a draft there."""

    text: Annotated[str, Field(pattern=r"^[A-Za-z0-9+.~:=-]*$", max_length=LONGEST_MOVE)]
    act: Annotated[str, Field(pattern=r"^[A-Za-z0-9.:-]*$", max_length=_LONGEST_ACT)] = ""


class Bench(Table, frozen=True, dict=True):
    """A practice board's table: somebody sits on every seat, and `shown` shows them everything."""

    shown: bool = False

    @property
    def open(self) -> bool:
        """Whether everything may be seen."""
        return self.shown or super().open


Played = list[tuple[Bench, Event]]
"""A practice board after each of its events."""


def signs_of(made: Game, chosen: str) -> tuple[str, ...]:
    """The signs of the seats: those that were chosen, if there is one of the house's for each and no two are alike."""
    signs = tuple(chosen.split(","))
    if len(signs) == made.seats == len(set(signs) & set(SIGNS)):
        return signs
    return tuple(SIGNS[seat % len(SIGNS)] for seat in range(made.seats))


def _begun(described: Described) -> Played:
    made = game(described.spec)
    if described.setup and described.position:
        raise KletkaError("two_starts")
    setup = described.setup or None
    state = made.read(described.position) if described.position else made.start(setup)
    seats = tuple(Seat("", _SCREEN, None, sign) for sign in signs_of(made, described.signs))
    opening = Opened(made.spec, setup, "", House(assist="outline"), described.position)
    return [(Bench(made, state, opening, seats, shown=described.open), Event(0, opening, 0.0))]


def played(described: Described) -> Played:
    """The board from its start. Raises KletkaError; IllegalMove with every reason against the first wrong move."""
    steps = _begun(described)
    for text in described.moves:
        steps.append(after(steps[-1][0], text))
    return steps


def told(event: Event) -> str:
    """An event of a board as a description tells it, moves without their answers."""
    match event.body:
        case Moved(_, move):
            return move
        case Resigned(seat):
            return f"({seat + 1} left)"
        case _:
            return "(agreed)"


def after(table: Bench, text: str) -> tuple[Bench, Event]:
    """The board after another move, or after a seat left. Raises KletkaError."""
    if table.to_move is None:
        raise KletkaError("over")
    if not (aside := _ASIDE.fullmatch(text)):
        body = decide(table, Play(table.base, _move(table.state, text)), table.to_move, _NOW)
    elif aside[1] is None:
        body = Offered(table.to_move)
    else:
        seat = int(aside[1]) - 1
        if seat >= table.game.seats:
            raise KletkaError("no_such_seat", seat=seat + 1)
        body = decide(table, Resign(), seat, _NOW)
    if isinstance(body, Refused):
        raise IllegalMove(body.reasons)
    event = Event(table.version + 1, body, 0.0)
    done = fold(table, event)
    assert isinstance(done, Bench)
    return done, event


def _move(state: State, text: str) -> str:
    """A move, as it is sent: records tell it with its answer where seats know different things."""
    if not state.game.hidden or state.to_move is None:
        return text
    ends = [at for at, letter in enumerate(text) if letter == "="]
    for sent in (text, *(text[:end] for end in reversed(ends))):
        try:
            move = state.game.parse(sent)
        except NotationError:
            continue
        if sent == text or (not state.refuses(move) and state.told(move, state.to_move) == text):
            return sent
    return text


def onlooker(table: Table, language: str) -> Viewer:
    """Who looks at the board: whoever is to move looks, after the end who moved last."""
    if table.to_move is not None:
        return Viewer(language, table.to_move, tuple(range(table.game.seats)))
    return Viewer(language, table.turn[-1].seat if table.turn else 0, tuple(range(table.game.seats)))


def _completed(message: dict[str, Any], table: Table, event: Event, viewer: Viewer) -> dict[str, Any]:
    """What a practice board says otherwise than a table: all seats are the asker's, and nobody is asked anything."""
    message |= {
        "seat": viewer.seat,
        "label": label(table, event, viewer) if event.version else "",
        "parts": {"actions": actions(table, viewer), "scores": scores(table, viewer)},
    }
    if not table.game.hidden:
        message["position"] = table.state.position
    if table.outcome is None:
        message.pop("over", None)
    return message


def actions(table: Table, viewer: Viewer) -> str:
    """The buttons of moves that no place sends."""
    return render("part_practice.html", lang=viewer.language, presses=presses(table, viewer))


def scores(table: Table, viewer: Viewer) -> str:
    """What each seat has, where the game counts it; else empty."""
    made = table.game
    if not family_of(made).scored:
        return ""
    names = (words.sentence(words.seat_name(viewer.language, made, seat)) for seat in range(made.seats))
    return render("part_scores.html", lang=viewer.language, scores=list(zip(names, table.state.scores, strict=True)))


def label(table: Table, event: Event, viewer: Viewer) -> str:
    """What happened, as a list of moves has it."""
    if isinstance(event.body, Moved):
        return heard(table, event.body, viewer)[0]
    return happened(table, event, viewer) or words.say(viewer.language, "study.agreed")


def snapshot(table: Table, event: Event, language: str) -> dict[str, Any]:
    """The board as it stands after its last event, as a message to the page."""
    return _still(table, event, language) | {"items": items(table, onlooker(table, language))}


def _still(table: Table, event: Event, language: str) -> dict[str, Any]:
    """The same without the list of moves."""
    viewer = onlooker(table, language)
    return _completed(still(table, event, viewer), table, event, viewer)


def stepped(before: Shown | None, after: Shown, event: Event, language: str) -> dict[str, Any]:
    """An event of the board as a message to the page: what changed, or the whole board, without the list of moves,
    where it is the first one or another seat looks now."""
    table, viewer = after.table, onlooker(after.table, language)
    if before is None or eye(before.table, onlooker(before.table, language)) != eye(table, viewer):
        return _still(table, event, language)
    return _completed(dict(Step(before, after, event).message(viewer)), table, event, viewer)


def history(steps: Played, language: str) -> list[dict[str, Any]]:
    """Every event of the board as a message to the page; the first one is whole. The list of all moves, which would
    be as long at each of them, comes with the last one."""
    messages = [stepped(before, after, event, language) for before, after, event in pictured(steps)]
    table, _ = steps[-1]
    messages[-1]["items"] = items(table, onlooker(table, language))
    return messages


def problem(language: str, described: Described, error: KletkaError) -> Response:
    """A description or move that can't be played, as a refusal."""
    if isinstance(error, IllegalMove):
        made = game(described.spec)
        refused = [
            {"code": reason.code, "at": list(reason.places), "say": words.refusal(language, made, reason)}
            for reason in error.reasons
        ]
    else:
        refused = [{"code": error.code, "at": [], "say": words.trouble(language, error)}]
    return Refusal({"refused": refused}, 422)


async def _answered(
    request: Request, language: str, described: Described, make: Callable[[], dict[str, Any] | str]
) -> Response:
    """What `make` answers, computed beside the event loop, or why it can't."""
    try:
        shown = await computed(request, make)
    except KletkaError as error:
        if not isinstance(error, SpecError) and not error.family:
            error.family = family_of(game(described.spec)).name
        return problem(language, described, error)
    made = PlainTextResponse if isinstance(shown, str) else JSONResponse
    return made(shown, headers={"Cache-Control": "no-store"})


@router.post("/{lang}/practice")
async def practise(request: Request, lang: Language, asked: Asked) -> Response:
    """The board as it is described, or what a move made there changes: then also the move as the game writes it."""

    def make() -> dict[str, Any]:
        steps = played(asked)
        if asked.move is None:
            return snapshot(*steps[-1], lang)
        before = steps[-1][0]
        now, event = after(before, asked.move.strip())
        message = stepped(Shown(before), Shown(now), event, lang)
        if "whole" in message:
            message["items"] = items(now, onlooker(now, lang))
        return message | {"applied": event.version, "played": told(event)}

    return await _answered(request, lang, asked, make)


@router.post("/{lang}/practice/events")
async def practised(request: Request, lang: Language, described: Described) -> Response:
    """All that happened at the board: for stepping back."""

    return await _answered(request, lang, described, lambda: {"events": history(played(described), lang)})


@router.post("/{lang}/practice/text")
async def practice_text(request: Request, lang: Language, described: Described) -> Response:
    """The position as lines of text."""

    def make() -> str:
        table, _ = played(described)[-1]
        viewer = onlooker(table, lang)
        return letters(table.view(viewer.seat), table.last_heard(viewer.seat))

    return await _answered(request, lang, described, make)


@router.post("/{lang}/practice/draft")
async def practice_draft(request: Request, lang: Language, draft: Drafted) -> Response:
    """What a draft looks like there, and what is to be said about it."""

    def make() -> dict[str, Any]:
        table, _ = played(draft)[-1]
        return drafted(table, onlooker(table, lang), draft.text, draft.act)

    return await _answered(request, lang, draft, make)
