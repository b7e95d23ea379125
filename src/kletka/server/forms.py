"""The set-up form of a family, drawn from the schema of its options, and what people write into it.

A family whose options are of several shapes shows the shapes as a choice and each shape's fields apart; their names
in the form begin with the shape (`boxes.size`), and those of other shapes than the chosen one don't count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from kletka import words
from kletka.drawing import drawing_of
from kletka.games import Family, Game, KletkaError, game, schema
from kletka.games.coordinates import read_square
from kletka.games.registry import forms, make, option_texts

_PLAYERS = "players"
"""The option that says how many seats there are, in families that let one choose."""

_LONGEST_TEXT = 40
"""Characters of an option's text: as people type it, with spaces, it may be longer than it is in the end."""

_NAMED_BOARD = re.compile(r"([a-z]+)([0-9]+)")


@dataclass(frozen=True)
class Field:
    """One option in the form. `kind` is `boolean`, `choice`, `integer`, `string` or `board`; `least` and `most` bound
    numbers and `longest` texts. `choices` are all values that there are; those of a board are ready ones, and people
    may draw others.

    `name` is the field's in the form, `word` and `help` are word ids.
    """

    name: str
    option: str
    kind: str
    word: str
    help: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    longest: int = _LONGEST_TEXT

    @property
    def counts_seats(self) -> bool:
        """Whether the number of seats stands here."""
        return self.option == _PLAYERS


@dataclass(frozen=True)
class Shape:
    """The fields of one shape of options; `value` is the tag's value, empty where a family has one shape only.

    `seats` is how many its games have where no field says it, and 0 where one does.
    """

    value: str
    fields: tuple[Field, ...]
    seats: int


@dataclass(frozen=True)
class SetUp:
    """A family's form: the option that chooses among the shapes (or nothing), and the shapes."""

    tag: str
    shapes: tuple[Shape, ...]


def _field(family: str, shape: str, option: str, detail: Mapping[str, Any]) -> Field:
    word = f"option.{family}.{option}"
    of_shape = f"option.{family}.{shape}.{option}.help"
    return Field(
        name=f"{shape}.{option}" if shape else option,
        option=option,
        kind="choice" if "enum" in detail else detail.get("format", detail["type"]),
        word=word,
        help=of_shape if of_shape in words.known(words.LANGUAGES[0]) else f"{word}.help",
        choices=tuple(detail.get("enum", detail.get("examples", ()))),
        least=detail.get("minimum"),
        most=detail.get("maximum"),
        longest=max(detail.get("maxLength", 0), _LONGEST_TEXT),
    )


def _properties(described: Mapping[str, Any], shape: str) -> Mapping[str, Any]:
    if shape:
        described = described["$defs"][described["discriminator"]["mapping"][shape].rpartition("/")[2]]
    properties: Mapping[str, Any] = described["properties"]
    return properties


@cache
def form_of(name: str) -> SetUp:
    """The form of a family."""
    tag, shapes = forms(name)
    described = schema(name)
    made = []
    for shape in shapes:
        fields = tuple(
            _field(name, shape, option, detail)
            for option, detail in _properties(described, shape).items()
            if option != tag
        )
        counted = any(field.counts_seats for field in fields)
        made.append(Shape(shape, fields, 0 if counted else make(name, {tag: shape} if tag else {}).seats))
    return SetUp(tag, tuple(made))


def widest(family: Family, made: Game) -> Game:
    """A game with as many seats as its family allows: where the number is still to be chosen, the form offers all."""
    tag, _ = forms(family.name)
    wide = [made]
    for shape in form_of(family.name).shapes:
        chosen = {tag: shape.value} if tag else {}
        most = [field.most for field in shape.fields if field.counts_seats and field.most is not None]
        wide += [make(family.name, chosen | {_PLAYERS: str(number)}) for number in most]
    return max(wide, key=lambda one: one.seats)


@cache
def lonely(family: Family) -> bool:
    """Whether one of the family's games can be played alone."""
    chosen = [
        {field.option: "1"} for shape in form_of(family.name).shapes for field in shape.fields if field.counts_seats
    ]
    for choice in ({}, *chosen):
        try:
            if make(family.name, choice).seats == 1:
                return True
        except KletkaError:
            continue
    return any(game(preset.spec).seats == 1 for preset in family.presets)


@cache
def takes_setup(family: Family) -> bool:
    """Whether one of the family's games can be played again with the same secret, from a short code."""
    tag, shapes = forms(family.name)
    for shape in shapes:
        made = make(family.name, {tag: shape} if tag else {})
        setup = made.deal(Random(0))
        if setup is not None and made.share_code(setup):
            return True
    return False


def form_values(family: Family, options: Any) -> dict[str, str]:
    """What the form's fields hold for these options: those of the options' own shape."""
    form, texts = form_of(family.name), option_texts(options)
    shape = next(shape for shape in form.shapes if shape.value in ("", texts.get(form.tag)))
    chosen = {form.tag: shape.value} if form.tag else {}
    return chosen | {field.name: texts[field.option] for field in shape.fields}


def plain_values(family: Family) -> dict[str, str]:
    """What the form's fields hold at first: every shape's plain game, the first shape chosen."""
    tag, shapes = forms(family.name)
    made = [make(family.name, {tag: shape} if tag else {}) for shape in shapes]
    # The first shape comes last: the tag is its.
    return {name: text for one in reversed(made) for name, text in form_values(family, one.options).items()}


def written_game(family: Family, form: Mapping[str, str]) -> Game:
    """The game that a filled-in form describes; empty fields mean the plain game's values. Raises SpecError."""
    drawn = form_of(family.name)
    chosen = form.get(drawn.tag, "") or drawn.shapes[0].value
    fields = next((shape.fields for shape in drawn.shapes if shape.value == chosen), ())
    values = {drawn.tag: chosen} if drawn.tag else {}
    values |= {field.option: _typed(form[field.name]) for field in fields if form.get(field.name, "").strip()}
    return make(family.name, values)


def field_of(family: Family, form: Mapping[str, str], option: str) -> str:
    """The name of the field that an option stands in; empty where there is none."""
    drawn = form_of(family.name)
    if option and option == drawn.tag:
        return option
    chosen = form.get(drawn.tag, "") or drawn.shapes[0].value
    found = (f.name for shape in drawn.shapes if shape.value == chosen for f in shape.fields if f.option == option)
    return next(found, "")


def board_name(language: str, text: str) -> str:
    """A board as people call it: by its size, by its shape, or as somebody's own drawing."""
    if named := _NAMED_BOARD.fullmatch(text):
        return words.say(language, f"board.{named[1]}", n=named[2])
    return text.replace("x", "×") if "x" in text else words.say(language, "board.drawn")


@cache
def squares_of(family: Family, option: str, value: str) -> str:
    """A ready board as people draw it: rows from above joined by `/`, `#` for its squares and `.` for those cut out."""
    made = make(family.name, {option: value})
    named = [read_square(place.id) for panel in drawing_of(made).scene(made).panels for place in panel.places]
    there = {(column, row) for _, column, row in filter(None, named)}
    width, height = (max(side) + 1 for side in zip(*there, strict=True))
    rows = ("".join("#" if (x, y) in there else "." for x in range(width)) for y in reversed(range(height)))
    return "/".join(rows)


def _typed(value: str) -> str:
    """An option as people type it: without spaces, and with any of the signs that stand for `x`."""
    return re.sub("[×хХX*]", "x", "".join(value.split()))
