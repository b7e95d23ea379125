"""What can be told of a log that this version can't play, and may be told: nothing that is a secret of anybody's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from kletka.games import KletkaError, game
from kletka.tables.model import Body
from kletka.tables.store import Written

KINDS = tuple(str(body.__struct_config__.tag) for body in get_args(Body))
"""Kinds of entries that are known; of others nothing but their kind is told."""
_LONGEST = 400
"""Characters of a text that is told."""


@dataclass(frozen=True)
class Remnant:
    """An entry: its kind (empty where it can't be read), and of it the seat, a text (the spec, a name, a move), an
    engine's level. `how` says which kind of entry of its kind it is: a seat for an `.engine` or
    somebody `.named`, a move that is `.secret`.
    """

    at: float
    kind: str = ""
    how: str = ""
    seat: int = 0
    text: str = ""
    level: int = 0


def remains(log: Sequence[Written]) -> list[Remnant]:
    """What may be told of each entry, in order. Moves are told only where it is sure that nobody hid anything."""
    bodies = [_parsed(written.body) for written in log]
    open_ = _open(bodies)
    return [_told(written.at, body, open_) for written, body in zip(log, bodies, strict=True)]


def _parsed(text: str) -> dict[str, Any]:
    """A body as far as it is one; empty where it isn't."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _open(bodies: Sequence[dict[str, Any]]) -> bool:
    """Whether everybody could see everything: no secret set-up, no race, nothing that was told to seats apart."""
    first = bodies[0] if bodies else {}
    if first.get("kind") != "opened" or first.get("setup") is not None or first.get("race"):
        return False
    if any(not body or body.get("told") for body in bodies):
        return False
    try:
        return not game(str(first.get("spec"))).hidden
    except KletkaError:
        return True


def _told(at: float, body: dict[str, Any], open_: bool) -> Remnant:
    kind = _text(body, "kind")
    if kind not in KINDS:
        # What another version calls its entries is a word; anything else may be anything.
        return Remnant(at, kind if len(kind) <= 40 and kind.isidentifier() and kind.isascii() else "")
    seat = _number(body, "seat")
    if kind == "opened":
        return Remnant(at, kind, text=_text(body, "spec"))
    if kind == "moved":
        return Remnant(at, kind, "", seat, _text(body, "move")) if open_ else Remnant(at, kind, ".secret", seat)
    if kind == "seated" and body.get("level") is not None:
        return Remnant(at, kind, ".engine", seat, level=_number(body, "level"))
    if kind == "seated" and (name := _text(body, "name")):
        return Remnant(at, kind, ".named", seat, name)
    return Remnant(at, kind, "", seat)


def _text(body: dict[str, Any], key: str) -> str:
    value = body.get(key)
    shown = value if isinstance(value, str) else ""
    return "".join(sign for sign in shown[:_LONGEST] if sign.isprintable())


def _number(body: dict[str, Any], key: str) -> int:
    value = body.get(key)
    return value if isinstance(value, int) and 0 <= value < 100 else 0
