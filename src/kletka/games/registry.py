"""The list of families: everything that lists games, options or presets is derived from it.

Families of other packages join by the entry-point group `kletka.games`; each entry names a module with an
attribute `FAMILY`. One maker validates options for library, page, socket, file and command line alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache, lru_cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from kletka.games import crystals, dots, orapa, tictactoe, ultimate
from kletka.games.contract import Game, KletkaError, SpecError
from kletka.games.family import Family, Preset

ENTRY_POINTS = "kletka.games"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_VALUE = re.compile(r"[A-Za-z0-9._~x-]+")
LONGEST_SPEC = 4_000
"""Characters: a board of 40x40 squares, drawn as raggedly as it can be, takes some 3,300."""


@cache
def plugins() -> Mapping[str, ModuleType]:
    """The modules of other packages' families, by the entry point's name."""
    return {entry.name: entry.load() for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda e: e.name)}


@cache
def families() -> Mapping[str, Family]:
    """All families by name: the built-in ones in the house's order, then those of entry points."""
    listed = [
        tictactoe.FAMILY,
        ultimate.FAMILY,
        dots.FAMILY,
        orapa.FAMILY,
        crystals.FAMILY,
        *(module.FAMILY for module in plugins().values()),
    ]
    return {family.name: family for family in listed}


def presets() -> Iterator[tuple[Family, Preset]]:
    """Every preset of every family, in order."""
    for family in families().values():
        for preset in family.presets:
            yield family, preset


def _family(name: str) -> Family:
    try:
        return families()[name]
    except KeyError:
        raise SpecError("unknown_game", name=name[:40]) from None


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(_family(name).options)


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a family's options; it draws the set-up form. Raises SpecError."""
    return _adapter(_family(name).name).json_schema()


class Forms(NamedTuple):
    """The shapes of a family's options: by the value of the option `tag`, the first being the default.

    Where a family has one shape only, `tag` is empty and so is its key.
    """

    tag: str
    shapes: Mapping[str, type]


@cache
def forms(name: str) -> Forms:
    """The dataclasses among which a family's options choose. Raises SpecError."""
    options = _family(name).options
    if get_origin(options) is not Annotated:
        return Forms("", {"": options})
    union, field = get_args(options)
    tag = str(field.discriminator)
    return Forms(tag, {getattr(shape, tag): shape for shape in get_args(union)})


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_texts(options: Any) -> dict[str, str]:
    """Every option's value as text, in declared order, as specs and forms write it."""
    return {field.name: _text(getattr(options, field.name)) for field in fields(options)}


def make(name: str, values: Mapping[str, str]) -> Game:
    """The game of a family with option values given as text, as in a spec or a form. Raises SpecError."""
    try:
        return _made(_family(name), values)
    except SpecError as error:
        error.family = name
        raise


def _made(family: Family, values: Mapping[str, str]) -> Game:
    tag, shapes = forms(family.name)
    tagged = {tag: next(iter(shapes)), **values} if tag else dict(values)
    if tag and tagged[tag] not in shapes:
        raise SpecError("bad_value", tag, value=tagged[tag][:40])
    try:
        options = _adapter(family.name).validate_strings(tagged, strict=True)
    except ValidationError as error:
        raise _spec_error(error) from None
    for option, text in values.items():
        if _text(getattr(options, option)) != text:
            raise SpecError("bad_value", option, value=text[:40])
    return family.make(options)


def _spec_error(error: ValidationError) -> SpecError:
    first = error.errors(include_url=False)[0]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, SpecError):
        return cause
    option = str(first["loc"][-1]) if first["loc"] else ""
    if first["type"] in {"unexpected_keyword_argument", "extra_forbidden"}:
        return SpecError("unknown_option", option[:40])
    return SpecError("bad_value", option[:40], value=str(first.get("input", ""))[:40])


@lru_cache(maxsize=512)
def _cached_game(spec: str) -> Game:
    if len(spec) > LONGEST_SPEC:
        raise SpecError("bad_spec")
    name, colon, rest = spec.partition(":")
    if not _NAME.fullmatch(name) or (colon and not rest):
        raise SpecError("unknown_game", name=name[:40])
    values: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        option, equals, value = part.partition("=")
        if not _NAME.fullmatch(option) or not equals:
            raise SpecError("bad_spec", part=part[:40])
        if option in values:
            raise SpecError("repeated_option", option)
        if not _VALUE.fullmatch(value):
            raise SpecError("bad_value", option, value=value[:40])
        values[option] = value
    return make(name, values)


def game(spec: str) -> Game:
    """The game that a spec names: `game("tictactoe:shape=4x4x4")`. Options may stand in any order.

    Raises SpecError with the code and the option at fault.
    """
    if not isinstance(spec, str):
        raise SpecError("bad_spec")
    return _cached_game(spec)


def spec_text(name: str, options: Any, full: bool = False) -> str:
    """Family and options as a spec in declared order; unless `full`, without options whose default says the same."""
    said = {field.name: getattr(options, field.name) for field in fields(options)}
    kept = dict(said)
    tag, shapes = forms(name)
    for option in () if full else said:
        without = {key: value for key, value in kept.items() if key != option}
        shape = shapes[without.get(tag, next(iter(shapes)))]
        try:
            if shape(**without) == options:
                kept = without
        except (TypeError, KletkaError):
            continue
    values = ",".join(f"{option}={_text(value)}" for option, value in kept.items())
    return f"{name}:{values}" if values else name


def full_spec(game: Game) -> str:
    """The spec with every option written out, as tables and records keep it: a later default changes nothing."""
    return spec_text(family_of(game).name, game.options, full=True)


def family_of(game: Game) -> Family:
    """The family that a game belongs to."""
    return families()[game.spec.partition(":")[0]]


def seat_words(game: Game) -> tuple[str, ...]:
    """The words that name a game's seats in sentences, in seat order; they begin again where seats are more."""
    return game.seat_words or family_of(game).seat_words
