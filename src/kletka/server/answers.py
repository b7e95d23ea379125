"""What answers look like, as the OpenAPI document has it; a test compares what is answered with what is described.

Whatever a socket says of a table has these shapes, too.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from fastapi import FastAPI
from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

closed = with_config(ConfigDict(extra="forbid"))
"""Nothing else is in it."""


@closed
class Reason(TypedDict):
    """Why something is refused: a code of a closed list, the places concerned, a sentence in the asker's language."""

    code: str
    at: list[str]
    say: str


@closed
class Refusal(TypedDict):
    """A refusal for programs; who asks for `text/html` gets a page that says the same."""

    refused: list[Reason]


@closed
class Clock(TypedDict):
    """What each seat has left, and when the running clock will be at nought, in milliseconds."""

    left: list[int]
    deadline: int | None
    to: int | None


@closed
class Happened(TypedDict):
    """An event of a table (or, with `whole`, all that there is to see) as its viewer heard it: what changed."""

    v: int
    to: int | None
    base: int
    say: str
    marks: dict[str, str | None]
    places: dict[str, list[str | int]]
    whole: NotRequired[Literal[1]]
    over: NotRequired[Literal[1]]
    passes: NotRequired[Literal[1]]
    seat: NotRequired[int | None]
    own: NotRequired[list[int]]
    clock: NotRequired[Clock]
    follow: NotRequired[str]
    items: NotRequired[str]
    item: NotRequired[str]
    parts: NotRequired[dict[str, str]]


@closed
class Practised(Happened):
    """An event of a practice board: also how it is listed, and the position, where everybody may know it."""

    label: str
    position: NotRequired[str]
    applied: NotRequired[int]
    played: NotRequired[str]


@closed
class Events(TypedDict):
    """Everything that happened at a table."""

    events: list[Happened]


@closed
class PractisedEvents(TypedDict):
    """Everything that happened at a practice board."""

    events: list[Practised]


@closed
class Draft(TypedDict):
    """What a draft looks like, what is to be said about it, and the move that it means, if it is one."""

    marks: dict[str, str]
    refused: list[Reason]
    sends: str | None
    label: str
    panel: int
    text: str
    atom: str
    can: list[str]
    says: list[str]
    warning: str
    elsewhere: str


@closed
class Saved(TypedDict):
    """A draft is kept."""

    kept: Literal[True]
    say: str


@closed
class Drawn(TypedDict):
    """An SVG element."""

    drawn: str


@closed
class Said(TypedDict):
    """A move with its score, as numbers and as words, and how the game would go on."""

    move: str
    said: str
    score: float | None
    exact: bool
    said_score: str
    line: list[str]


@closed
class Advised(Said):
    """A move that is advised, with its marks on the board."""

    marks: dict[str, str]


@closed
class Advice(TypedDict):
    """The best moves; `base` (of a hint at a table), or `seat` and `turn`, say when."""

    say: str
    lines: list[Advised]
    base: NotRequired[int]
    seat: NotRequired[int | None]
    turn: NotRequired[str]


@closed
class Judged(TypedDict):
    """How a move compares with the best one; what was no move has no judgement."""

    ply: int
    seat: int | None
    kind: str | None
    share: float | None
    said_kind: NotRequired[str]
    fell: NotRequired[float | None]
    proven: NotRequired[bool]
    say: NotRequired[str]
    best: NotRequired[Said]
    played: NotRequired[Said]


_REFUSED = {
    400: "The request can't be read.",
    403: "It comes from a page of another site, or may not be seen.",
    404: "There is no such page or table.",
    405: "The address isn't asked this way.",
    409: "The table refuses it.",
    410: "This version can't play the table.",
    413: "It is too long.",
    422: "What it says can't be used.",
    429: "Too much at once.",
    503: "Not now: the store can't be reached, or too many wait.",
}
_CONTENT = {
    "application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}},
    "text/html": {"schema": {"type": "string"}},
}


def describe(app: FastAPI) -> None:
    """Let an application's OpenAPI document say by which refusals every address can answer."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = plain()
            shapes = TypeAdapter(Refusal).json_schema(ref_template="#/components/schemas/{model}")
            document["components"]["schemas"] |= shapes.pop("$defs") | {"Refusal": shapes}
            for operations in document["paths"].values():
                for operation in operations.values():
                    for status, why in _REFUSED.items():
                        operation["responses"][str(status)] = {"description": why, "content": _CONTENT}
            document["components"]["schemas"].pop("HTTPValidationError", None)
            document["components"]["schemas"].pop("ValidationError", None)
        return app.openapi_schema or {}

    app.openapi = described  # type: ignore[method-assign]


LEADS: dict[int | str, dict[str, Any]] = {303: {"description": "It leads on."}}
"""Where an answer may lead to another page."""


def files(*media: str) -> dict[int | str, dict[str, Any]]:
    """An answer that is a file of one of these media types."""
    return {200: {"description": "A file.", "content": {one: {"schema": {"type": "string"}} for one in media}}}


def body(*media: str, **fields: str) -> dict[str, Any]:
    """A body of fields that are texts, each with what it says, in one of these media types; others may be there."""
    said = {name: {"type": "string", "description": text} for name, text in fields.items()}
    schema = {"type": "object", "properties": said, "additionalProperties": {"type": "string"}}
    return {"requestBody": {"content": {one: {"schema": schema} for one in media}}}


FORM = "application/x-www-form-urlencoded"
