"""What a drawing says: places and marks, without a browser and without a renderer.

100 units a square, integers only, y downwards. Places and backdrop are static for a game; marks and names
follow from a view, whole, one call each. A mark's key is `<panel>.<layer>/<id>`: it names the group where
the mark is inserted, so that no order has to be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol

from kletka.games import Move, NotationError, Reason
from kletka.games.contract import NO_FACTS

UNIT = 100
"""Drawing units a square."""

LAYERS = ("area", "line", "sign", "number", "over", "draft")
"""The groups of marks in a panel, from the lowest to the highest. Numbers are shown to those who want them."""

TINTS = (
    *("transparent", "red", "yellow", "blue", "white", "orange", "purple", "green", "pink", "lemon", "skyblue"),
    *("lightorange", "lightpurple", "lightgreen", "black", "grey", "absorbed"),
)
"""Colours that say something by themselves, besides the seats' inks."""

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
    """A pencil line from `start` to `end`; in a seat's ink where `seat` is given. A `ruled` one is printed on the
    paper."""

    start: Point
    end: Point
    seat: int | None = None
    weight: Literal["", "thin", "heavy", "ruled"] = ""


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
class Outline:
    """A heavy line around a region of squares, in a seat's ink; lightly shaded inside where `shaded`.

    In letters it fills the slots of the keys `covers` with `letter`, unless marks of their own stand there.
    """

    region: tuple[tuple[Point, ...], ...]
    seat: int | None
    shaded: bool = False
    letter: str = "#"
    covers: tuple[str, ...] = ()


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


@dataclass(frozen=True)
class Fill:
    """A region of polygons that all turn the same way, outlined and filled with a tint (one of TINTS).

    `texts` (text, where it is centred, size) tell the tint without colours; `letters` stand for it where there are
    letters only. `faint` is a fill that stays behind what lies on it.
    """

    region: tuple[tuple[Point, ...], ...]
    tint: str
    texts: tuple[tuple[str, Point, int], ...] = ()
    letters: str = ""
    faint: bool = False


@dataclass(frozen=True)
class Trail:
    """A way from point to point, with an arrow at its end; where `lost`, it ends at a bar."""

    points: tuple[Point, ...]
    lost: bool = False


Mark = Line | Sign | Hatch | Outline | Frame | Last | Label | Dot | Fill | Trail


@dataclass(frozen=True)
class Place:
    """Somewhere to press: its id (also the move that a press means, where it means one) and its polygon.

    `lay` is how drafts call the place when a piece of the tray is laid there; empty: none can be.
    """

    id: str
    polygon: tuple[Point, ...]
    lay: str = ""


@dataclass(frozen=True)
class Panel:
    """One sheet: size in units, spoken title, static marks under (`back`) and over (`front`) the lines, and places.

    `blocks` are parts of the panel that hold several places: small screens enlarge one at a touch, and names may
    light one up. `seat` is the seat whose sheet it is, where panels belong to seats: everyone sees their own last.
    """

    width: int
    height: int
    title: Phrase
    back: tuple[Mark, ...]
    places: tuple[Place, ...]
    front: tuple[Mark, ...] = ()
    blocks: tuple[Place, ...] = ()
    seat: int | None = None


@dataclass(frozen=True)
class Form:
    """One way in which a piece can lie: its marks with the upper left corner at 0, 0, and the squares that it covers.

    `width`, `height` and `covers` (column, row) are in squares; `turned` and `flipped` are the numbers of the forms
    that a quarter turn clockwise and a flip lead to.
    """

    marks: tuple[Mark, ...]
    width: int
    height: int
    covers: tuple[Point, ...]
    turned: int = 0
    flipped: int = 0


@dataclass(frozen=True)
class Piece:
    """Something to lay on the board in a draft: one letter, what it is, its forms, and whether there is only one."""

    id: str
    title: Phrase
    forms: tuple[Form, ...]
    once: bool = False


@dataclass(frozen=True)
class Scene:
    """The static part of a game's drawing. `stack` says that panels lie upon each other, the first at the bottom;
    `runs` that a press can begin several moves (`Name.then`); `pair` is a word that begins moves which name two places
    (`claim:a1-c3`), so that they can be made by pressing both. `tray` are the pieces for drafts, `brush` is how many
    outlines brushed on the board a draft can hold, `signs` that players choose the sign of their marks, `numbers`
    that there are marks in the layer of numbers;
    `buttons` are moves that no place sends, with what they are called, `sure` those of them to be pressed twice;
    `legend` says what marks mean, each in a square at 0, 0.
    """

    panels: tuple[Panel, ...]
    stack: bool = False
    runs: bool = False
    pair: str = ""
    tray: tuple[Piece, ...] = ()
    brush: int = 0
    signs: bool = False
    numbers: bool = False
    buttons: tuple[tuple[Move, Phrase], ...] = ()
    sure: tuple[Move, ...] = ()
    legend: tuple[tuple[Mark, Phrase], ...] = ()


class Name(NamedTuple):
    """A place as it is spoken, and the move that a press there means (None where it means nothing now).

    `lights` are the places and blocks to light up while this place is pointed at; `then` are the moves that carry on
    what the press begins, for people who like to do that in one go.
    """

    said: Phrase
    sends: Move | None
    lights: tuple[str, ...] = ()
    then: tuple[Move, ...] = ()


Assist = Literal["off", "count", "outline"]
ASSISTS: tuple[Assist, ...] = ("off", "count", "outline")


@dataclass(frozen=True)
class House:
    """What a table allows, the same for all who sit at it.

    `check`: drafts laid from a tray are compared with what their seat knows. `assist`: nothing, how many outlines
    could be brushed now, or those outlines too.
    """

    check: bool = True
    assist: Assist = "off"


class Draft(NamedTuple):
    """A compound move while it is being put together.

    `marks` fill the draft layer of panel `panel` and are no part of the history; `reasons` say why this is no move
    yet; `sends` is the move that it means, where it means one; `says` is what a check found; `warning` is to be
    heard before the move is sent, `label` is what the button says that sends it, and `elsewhere` what is said to a
    press on a panel that isn't the draft's. Where acts change drafts, `text` is the draft after the act, `atom` the
    place of its single mark, and `can` the acts without places that can be done next.
    """

    marks: Mapping[str, Mark]
    reasons: tuple[Reason, ...]
    sends: Move | None
    panel: int = 0
    says: tuple[Phrase, ...] = ()
    warning: Phrase | None = None
    label: Phrase | None = None
    text: str = ""
    atom: str = ""
    can: tuple[str, ...] = ()
    elsewhere: Phrase | None = None


@dataclass(frozen=True)
class Slot:
    """A place of the text picture: the mark that fills it, what stands there without one, and instead of a line.

    `under` is the key of the mark that is seen where there is none at `key`; `part` takes one of a fill's letters that
    are separated by spaces.
    """

    key: str
    empty: str = "."
    line: str = "#"
    under: str = ""
    part: int | None = None


TextPlan = tuple[tuple[str | Slot, ...], ...]
"""Rows of fixed text and slots: the picture for terminals."""


class Drawing(Protocol):
    """A family's drawing. `last` are the told texts of the last turn, as the viewer heard them."""

    def scene(self, game: Any) -> Scene: ...

    def marks(self, view: Any, last: Sequence[str]) -> dict[str, Mark]: ...

    def names(self, view: Any) -> dict[str, Name]: ...

    def remarks(self, view: Any, last: Sequence[str]) -> tuple[Phrase, ...]:
        """What the sentence under the board adds for everyone: what the turn brought, where the next mover may go.

        Where there are any while the game goes on, the mover isn't told besides what to do.
        """

    def heard(self, game: Any, told: str) -> Phrase | None:
        """A told text in words; None where the text says it best."""

    def brief(self, game: Any) -> tuple[Phrase, ...]:
        """The rules in one paragraph for a printed sheet, sentence by sentence, true for the game's options."""

    def standing(self, view: Any) -> tuple[Phrase, ...]:
        """For each seat what is said beside its name, as lives that are left; empty: nothing."""

    def draft(self, view: Any, seat: int | None, text: str, help: House, act: str) -> Draft:
        """A compound move as far as `text` has it, with the help that the table allows. `act` is what is done or asked
        (empty: nothing), in the family's own words: a place whose wave is to be shown, a square to brush.

        Raises NotationError for a text that is no draft; games without drafts refuse every text.
        """

    def plan(self, game: Any) -> TextPlan: ...


def signed(marks: Mapping[str, Mark], signs: Sequence[str]) -> dict[str, Mark]:
    """Marks with each seat's sign as chosen, in seat order; where nothing is to be chosen (no signs), as they are."""

    def chosen(mark: Mark) -> Mark:
        if not isinstance(mark, Sign) or mark.seat is None or mark.sign == signs[mark.seat]:
            return mark
        return replace(mark, sign=signs[mark.seat])

    return {key: chosen(mark) for key, mark in marks.items()} if signs else dict(marks)


class PlainDrawing:
    """What most drawings leave out."""

    def remarks(self, view: Any, last: Sequence[str]) -> tuple[Phrase, ...]:
        return ()

    def heard(self, game: Any, told: str) -> Phrase | None:
        return None

    def brief(self, game: Any) -> tuple[Phrase, ...]:
        return (Phrase(f"paper.{game.family}"),)

    def standing(self, view: Any) -> tuple[Phrase, ...]:
        return ()

    def draft(self, view: Any, seat: int | None, text: str, help: House, act: str) -> Draft:
        raise NotationError(0, "no_drafts")


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
