"""The drawing that the test games share: named squares in rows, each with a sign, a label, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kletka.drawing.scene import (
    SIGNS,
    Label,
    Last,
    Line,
    Mark,
    Name,
    Panel,
    Phrase,
    Place,
    Scene,
    Sign,
    Slot,
    TextPlan,
    box,
    centre,
)
from kletka.games import State


def scene(rows: Sequence[Sequence[str]]) -> Scene:
    """One panel of squares; `rows` name them from the top."""
    wide, high = max(map(len, rows)), len(rows)
    places = tuple(Place(name, box(c, r, (10, 10))) for r, row in enumerate(rows) for c, name in enumerate(row))
    back: list[Mark] = [Line((10, 10 + 100 * r), (10 + 100 * wide, 10 + 100 * r)) for r in range(high + 1)]
    back += [Line((10 + 100 * c, 10), (10 + 100 * c, 10 + 100 * high)) for c in range(wide + 1)]
    panel = Panel(wide * 100 + 20, high * 100 + 20, Phrase("panel.board"), tuple(back), places)
    return Scene((panel,))


def marks(drawn: Scene, shown: Mapping[str, int | str], last: Sequence[str]) -> dict[str, Mark]:
    """A sign for a seat's number, a label for a text."""
    where = {place.id: centre(place.polygon) for place in drawn.panels[0].places}
    made: dict[str, Mark] = {}
    for name, what in shown.items():
        at = where[name]
        made[f"0.sign/{name}"] = Sign(at, SIGNS[what], what) if isinstance(what, int) else Label(at, what)
    for told in last:
        if told in where:
            made["0.over/last"] = Last(where[told])
    return made


def names(drawn: Scene, view: State, shown: Mapping[str, int | str]) -> dict[str, Name]:
    """Every square by name, with what stands there."""
    legal = set(view.moves())
    made = {}
    for place in drawn.panels[0].places:
        what = shown.get(place.id)
        word = "square.free" if what is None else "square.taken" if isinstance(what, int) else "square.marked"
        facts: dict[str, int | str] = {"at": place.id}
        if what is not None:
            facts["seat" if isinstance(what, int) else "mark"] = what
        sends = next((move for move in legal if move == place.id), None)
        made[place.id] = Name(Phrase(word, facts), sends)
    return made


def plan(rows: Sequence[Sequence[str]]) -> TextPlan:
    """The squares' names, each with a slot after it."""
    return tuple(tuple(part for name in row for part in (f"{name}:", Slot(f"0.sign/{name}"), "  ")) for row in rows)
