"""Every reader of text that comes from outside, in one table: the property tests and the fuzzer go through it.

A reader either makes something of a text, which it then goes on with as the house would, or complains in one of the
ways that its doors answer. Whatever else comes out of it is a defect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from urllib.parse import parse_qsl, urlencode

import msgspec
from fastapi import Request
from pydantic import ValidationError

from kletka import words
from kletka.cli.common import BadInput
from kletka.cli.measuring import _player
from kletka.drawing import drawing_of, drawn, letters
from kletka.drawing.scene import House
from kletka.games import Family, Game, KletkaError, Reason, State, families, family_of, full_spec, game
from kletka.games.contract import LONGEST_MOVE
from kletka.records import LONGEST_POSITION, Record, parse, print_record, told_by
from kletka.server import keys, live
from kletka.server.doors import LONGEST_MESSAGE, language_of, same_origin
from kletka.server.export_pages import moves_of
from kletka.server.forms import form_values, plain_values, written_game
from kletka.server.practice import Described, played, signs_of, snapshot
from kletka.server.study_pages import of_record
from kletka.tables import clean_name, read_clock
from kletka.tables.commitment import checked
from kletka.tables.model import Moved, Opened, decode_body, encode_body
from kletka.tables.remains import remains
from kletka.tables.store import Written
from tests.conformance.playing import ONE_EACH, SPECS, Step, random_game

_WORD = re.compile(r"(?:error|refusal)[.][a-z_.]+$")
_ORDERS = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Defect(AssertionError):
    """A reader gave something that it mustn't give."""


@dataclass(frozen=True)
class Parser:
    """A reader: what it makes of a text, what else it may raise than an error with a code, and texts that it reads.

    Texts are cut at `longest` characters, where a door before it lets no longer ones through. `family` is whose text
    it is, which doors say to who has to find words for an error.
    """

    read: Callable[[str], object]
    seeds: Sequence[str]
    complains: tuple[type[Exception], ...] = ()
    longest: int = 1_000_000
    family: str = ""


def attempt(parser: Parser, text: str) -> None:
    """Let a reader read a text. Raises Defect, or whatever it raised that it mustn't."""
    try:
        parser.read(text[: parser.longest])
    except KletkaError as error:
        error.family = error.family or parser.family
        for language in words.LANGUAGES:
            _fit(words.trouble(language, error))
    except parser.complains:
        pass


def _fit(said: str) -> None:
    """Raises Defect where a sentence lacks its words, or somebody's signs would command who shows it."""
    if _WORD.match(said) or _ORDERS.search(said):
        raise Defect(repr(said))
    said.encode()


def same(one: object, other: object) -> None:
    """Raises Defect where two things differ that are the same in other words."""
    if one != other:
        raise Defect(f"{one!r} is not {other!r}")


# Games


def _spec(text: str) -> None:
    made = game(text)
    same(game(made.spec), made)
    same(game(full_spec(made)), made)
    _goes_on(made.start(made.deal(Random(1))))


def _goes_on(state: State) -> None:
    """What every door does with a position."""
    state.seen_by(None)
    if state.to_move is None:
        assert state.outcome is not None
        words.result("en", state.game, state.outcome)
    else:
        words.to_move("ru", state.game, state.to_move)
        assert state.moves()
    view = state.seen_by(state.to_move)
    letters(view)
    drawing = drawing_of(state.game)
    drawing.marks(view, ())
    drawing.names(view)
    drawing.standing(view)


def _position(made: Game, text: str) -> None:
    state = made.read(text)
    same(made.read(state.position), state)
    _goes_on(state)


def _setup(made: Game, text: str) -> None:
    _goes_on(made.start(text))


def _move(states: Sequence[State], text: str) -> None:
    for state in states:
        reasons = state.refuses(text)
        _said(state.game, reasons)
        if not reasons and state.to_move is not None:
            move = state.game.parse(text)
            same(state.game.parse(move), move)
            told = state.told(move, state.to_move)
            after = state.play(move)
            same(after.seen_by(None), state.seen_by(None).hear(state.told(move, None)))
            drawn(after.seen_by(state.to_move), (told,))
    states[0].game.parse(text)


def _said(made: Game, reasons: Sequence[Reason]) -> None:
    """Every reason is on the family's list and has a sentence."""
    for reason in reasons:
        if reason.code not in family_of(made).reasons:
            raise Defect(f"{reason} is not on the list")
        _fit(words.refusal("fr", made, reason))


def _told(states: Sequence[State], text: str) -> None:
    for state in states:
        state.seen_by(None).hear(text)


def _draft(states: Sequence[State], text: str) -> None:
    draft, _, act = text.partition("\n")
    for state in states:
        drawing = drawing_of(state.game)
        for seat in (state.to_move, None):
            sketch = drawing.draft(state.seen_by(seat), seat, draft, House(assist="outline"), act)
            same(drawing.draft(state.seen_by(seat), seat, sketch.text or draft, House(), "").sends, sketch.sends)


def _form(family: Family, text: str) -> None:
    form = dict(parse_qsl(text, keep_blank_values=True))
    made = written_game(family, form)
    same(written_game(family, form_values(family, made.options)), made)


def _drafts(made: Game) -> list[str]:
    """Drafts of every piece that a game's tray has, and what can be done with a place."""
    scene = drawing_of(made).scene(made)
    places = [place.id for panel in scene.panels for place in panel.places][:3]
    pieces = [f"{piece.id}{place}0" for piece in scene.tray for place in places]
    acts = [f"{act}:{place}" for act in ("atom", "centre", "brush", "wave") for place in places]
    return [
        "",
        "largest",
        "\nK",
        "\n1.K",
        "+".join(pieces),
        *pieces[:4],
        *(f"{piece}\n{act}" for piece in pieces[:2] or [""] for act in acts),
    ]


def _kinds() -> dict[str, Game]:
    """A game of each kind, by a name: the first preset of each family, and the first with other options, rules of
    another class, more boards or seats, or secrets."""
    found: dict[tuple[object, ...], Game] = {}
    for made in map(game, SPECS):
        panels = drawing_of(made).scene(made).panels
        kind = (made.spec.partition(":")[0], type(made), type(made.options), made.hidden)
        found.setdefault((*kind, made.seats > 1, len(panels) > 1), made)
    return {re.sub("[^a-z0-9]+", "-", made.spec): made for made in found.values()}


def _of_games() -> Iterator[tuple[str, Parser]]:
    yield "spec", Parser(_spec, [full_spec(game(spec)) for spec in ONE_EACH] + list(ONE_EACH), longest=5_000)
    for family in families().values():
        yield f"form.{family.name}", Parser(partial(_form, family), [urlencode(plain_values(family))], longest=60_000)
    for name, made in _kinds().items():
        # Of a long game the beginning, the middle and the end.
        steps = list(random_game(made, 3))
        states = [steps[0].state, steps[len(steps) // 2].state, steps[-1].after]
        dealt = made.deal(Random(2))
        for what, read, longest, seeds in (
            ("position", partial(_position, made), LONGEST_POSITION, [state.position for state in states]),
            ("setup", partial(_setup, made), 1_000, ["", *([dealt, made.share_code(dealt)] if dealt else [])]),
            ("move", partial(_move, states), LONGEST_MOVE + 2, [s.move for s in steps if s.move][:40]),
            ("told", partial(_told, states), LONGEST_MOVE + 2, [_happened(s, None) for s in steps if s.move][:40]),
            ("draft", partial(_draft, states), LONGEST_MOVE, _drafts(made)),
        ):
            yield f"{what}.{name}", Parser(read, seeds, longest=longest, family=family_of(made).name)


def _happened(step: Step, seat: int | None) -> str:
    if step.left is not None:
        return f"({step.left + 1} left)"
    assert step.move is not None
    return step.state.told(step.move, seat)


# Records and what requests say


def _record(text: str) -> None:
    record = parse(text)
    again = print_record(record)
    same(parse(again), record)
    of_record(record)


def _records() -> list[str]:
    written = []
    for spec in ONE_EACH:
        made = game(spec)
        steps = list(random_game(made, 5, 0.05))[:30]
        setup = made.deal(Random(f"{made.spec}/5"))
        told = [_happened(step, step.state.to_move) for step in steps]
        written.append(print_record(told_by(Record(made, (), setup, (("seat1", 'A "\\n" б'),)), told)))
    return written


def _described(text: str) -> None:
    asked = Described.model_validate_json(text)
    steps = played(asked)
    signs_of(steps[0][0].game, asked.signs)
    snapshot(*steps[-1], "en")


def _descriptions() -> list[str]:
    shown = [of_record(parse(record)) for record in _records()]
    return [one.model_copy(update={"moves": one.moves[:6]}).model_dump_json() for one in shown]


def _moves(text: str) -> None:
    told_by(Record(game("tictactoe:shape=6x7,line=4,gravity=true")), moves_of(text))


# What the server reads


def _message(text: str) -> None:
    if len(text) > LONGEST_MESSAGE:
        return
    live._id_in(text)
    said = live._decode(text)
    live._id_of(said)
    if not isinstance(said, live.Hello | live.Look | live.Ping):
        live._command(said)


_MESSAGES = (
    '{"do":"hello","since":0,"lang":"en","seat":1,"token":"abc"}',
    '{"do":"move","id":"a1","base":7,"move":"b2"}',
    '{"do":"offer","id":"a2","what":"takeback","base":3}',
    '{"do":"accept","id":"a3","offer":9}',
    '{"do":"decline","id":"a3","offer":9}',
    '{"do":"leave","id":"a4","level":3}',
    '{"do":"resign","id":"a4"}',
    '{"do":"look"}',
    '{"do":"ping"}',
)


def _asking(**headers: str) -> Request:
    said = [(name.replace("_", "-").encode(), text.encode("latin-1", "replace")) for name, text in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/x", "query_string": b"", "headers": said})


def _cookie(text: str) -> None:
    key = keys.browser_key(_asking(cookie=text))
    if key is not None:
        keys.seat_hash(key, "series")
        keys.owner_hash(key)


def _wishes(text: str) -> None:
    if language_of(_asking(accept_language=text)) not in words.LANGUAGES:
        raise Defect(text)


def _origin(text: str) -> None:
    origin, _, host = text.partition("\n")
    # Tabs and ends of lines in an address don't count.
    if same_origin(origin, host, None) and not re.sub(r"[\t\r\n]", "", origin).lower().endswith(host.lower()):
        raise Defect(text)


def _name(text: str) -> None:
    name = clean_name(text)
    if name:
        same(clean_name(name), name)
        name.encode()
        if len(name) > 30 or any(not sign.isprintable() and sign not in "\u200c\u200d" for sign in name):
            raise Defect(repr(name))


def _clock(text: str) -> None:
    clock = read_clock(text)
    same(read_clock(str(clock or "")), clock)


def _check(text: str) -> None:
    hidden, _, rest = text.partition("\n")
    salt, _, hash = rest.partition("\n")
    checked(hidden, salt, hash)


def _body(text: str) -> None:
    for one in remains([Written(0, 0.0, text), Written(1, 0.0, text)]):
        if len(one.text) > 400:
            raise Defect(text)
    body = decode_body(text)
    same(decode_body(encode_body(body)), body)


def _of_the_server() -> Iterator[tuple[str, Parser]]:
    yield "record", Parser(_record, _records())
    yield "moves", Parser(_moves, ["a1,b1,a2,(1 left),b2", "(agreed)", "d1, d2 ,d3"], longest=60_000)
    yield "described", Parser(_described, _descriptions(), (ValidationError,), longest=64 * 1024)
    yield "message", Parser(_message, _MESSAGES, (msgspec.DecodeError, UnicodeError, RecursionError), longest=64 * 1024)
    yield "cookie", Parser(_cookie, [f"a=b; {keys.COOKIE}={'x' * 32}; c"])
    yield "wishes", Parser(_wishes, ["fr-CA,fr;q=0.9,ru;q=0.5,*;q=0.1"], longest=64 * 1024)
    yield (
        "origin",
        Parser(_origin, ["https://play.example:8443\nplay.example:8443", "null\n", "http://[::1]:8000\n[::1]:8000"]),
    )
    yield "name", Parser(_name, ["Анна-Мария", "José \u202e👩\u200d🔬", "\u2066x\u2069"], longest=20_000)
    yield "clock", Parser(_clock, ["none", "move:30", "total:300+5"])
    salt = "0123456789abcdef" * 2
    yield "check", Parser(_check, [f"R2C3+Y4B2\n{salt}\n{salt * 2}"], (UnicodeError,))
    bodies = [encode_body(Opened("tictactoe", None, "1")), encode_body(Moved(0, "b2", ("b2", "b2=3"), 1.5))]
    yield "body", Parser(_body, bodies, (msgspec.DecodeError, UnicodeError, RecursionError))
    yield "player", Parser(partial(_player, game("tictactoe")), ["4", "uct:1000", "random"], (BadInput,))


PARSERS: dict[str, Parser] = dict([*_of_games(), *_of_the_server()])
"""All readers by name."""
