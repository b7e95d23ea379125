"""What a drawing says: places and marks, without a browser and without a renderer.

100 units a square, integers only, y downwards. Places and backdrop are static for a game; marks and names
follow from a view, whole, one call each. A mark's key is `<panel>.<layer>/<id>`: it names the group where
the mark is inserted, so that no order has to be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from kletka.games import Move
from kletka.games.contract import NO_FACTS

UNIT = 100
"""Drawing units a square."""

LAYERS = ("area", "line", "sign", "over", "draft")
"""The groups of marks in a panel, from the lowest to the highest."""

SIGNS = ("cross", "nought", "triangle", "diamond", "square", "star")
HATCHES = ("/", "\\", "|", "-", "x", ".")
"""Hatches in seat order: a mark never shows its owner by ink alone."""

Point = tuple[int, int]


class Phrase(NamedTuple):
    """Something to say in any language: a word id of the catalogues and the facts that fill it."""

    word: str
    facts: Mapping[str, int | str] = NO_FACTS


@dataclass(frozen=True)
class Line:
    """A pencil line from `start` to `end`; in a seat's ink where `seat` is given."""

    start: Point
    end: Point
    seat: int | None = None
    weight: Literal["", "thin", "heavy"] = ""


@dataclass(frozen=True)
class Sign:
    """A sign (one of SIGNS) centred at a point, `size` units wide; in pencil where `seat` is None."""

    at: Point
    sign: str
    seat: int | None
    size: int = UNIT


@dataclass(frozen=True)
class Hatch:
    """A region of convex polygons roughly shaded with a seat's hatch; round `holes` are kept clear for signs.

    In pencil, with the first hatch, where `seat` is None.
    """

    region: tuple[tuple[Point, ...], ...]
    seat: int | None
    holes: tuple[Point, ...] = ()
    clear: int = 38
    """Radius of the holes, in units."""
    gap: int = 20
    """From line to line, in units."""


@dataclass(frozen=True)
class Frame:
    """A frame around a polygon, lightly shaded inside: where the next mover may play."""

    polygon: tuple[Point, ...]


@dataclass(frozen=True)
class Last:
    """A stroke under a point: where the last move went."""

    at: Point


@dataclass(frozen=True)
class Label:
    """A short text centred at a point, `size` units high; in a seat's ink where `seat` is given."""

    at: Point
    text: str
    size: int = 30
    seat: int | None = None


@dataclass(frozen=True)
class Dot:
    """A dot of the sheet."""

    at: Point


Mark = Line | Sign | Hatch | Frame | Last | Label | Dot


@dataclass(frozen=True)
class Place:
    """Somewhere to press: its id (also the move that a press means, where it means one) and its polygon."""

    id: str
    polygon: tuple[Point, ...]


@dataclass(frozen=True)
class Panel:
    """One sheet: size in units, spoken title, static marks under (`back`) and over (`front`) the lines, and places.

    `blocks` are parts of the panel that hold several places: small screens enlarge one at a touch, and names may
    light one up.
    """

    width: int
    height: int
    title: Phrase
    back: tuple[Mark, ...]
    places: tuple[Place, ...]
    front: tuple[Mark, ...] = ()
    blocks: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Scene:
    """The static part of a game's drawing. `stack` says that panels lie upon each other, the first at the bottom;
    `runs` that a press can begin several moves (`Name.then`); `pair` is a word that begins moves which name two places
    (`claim:a1-c3`), so that they can be made by pressing both."""

    panels: tuple[Panel, ...]
    stack: bool = False
    runs: bool = False
    pair: str = ""


class Name(NamedTuple):
    """A place as it is spoken, and the move that a press there means (None where it means nothing now).

    `lights` are the places and blocks to light up while this place is pointed at; `then` are the moves that carry on
    what the press begins, for people who like to do that in one go.
    """

    said: Phrase
    sends: Move | None
    lights: tuple[str, ...] = ()
    then: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Slot:
    """A place of the text picture: the mark that fills it, what stands there without one, and instead of a line."""

    key: str
    empty: str = "."
    line: str = "#"


TextPlan = tuple[tuple[str | Slot, ...], ...]
"""Rows of fixed text and slots: the picture for terminals."""


class Drawing(Protocol):
    """A family's drawing. `last` are the told texts of the last turn, as the viewer heard them.

    `remarks` are what the sentence under the board adds for everyone: what the turn brought, where the next mover may
    go. Where there are any, the mover isn't told besides what to do.
    """

    def scene(self, game: Any) -> Scene: ...

    def marks(self, view: Any, last: Sequence[str]) -> dict[str, Mark]: ...

    def names(self, view: Any) -> dict[str, Name]: ...

    def remarks(self, view: Any, last: Sequence[str]) -> tuple[Phrase, ...]: ...

    def plan(self, game: Any) -> TextPlan: ...


def box(column: int, row: int, margin: Point = (0, 0)) -> tuple[Point, ...]:
    """The polygon of a square; column from the left, row from the top."""
    x, y = margin[0] + column * UNIT, margin[1] + row * UNIT
    return ((x, y), (x + UNIT, y), (x + UNIT, y + UNIT), (x, y + UNIT))


def centre(polygon: Sequence[Point]) -> Point:
    """The mean of a polygon's corners."""
    return (
        round(sum(x for x, _ in polygon) / len(polygon)),
        round(sum(y for _, y in polygon) / len(polygon)),
    )
