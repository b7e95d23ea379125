"""The text form of a game: tags, numbered turns, result. The format is described in docs/records.md.

[game "tictactoe:shape=3x3,line=3,misere=false,gravity=false,marks=own,boards=1,exact=false,claim=false"]
[seat1 "Anna"]

1. b2 2. a1 3. (2 left) 1 line
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from kletka.games import (
    Game,
    KletkaError,
    NotationError,
    Outcome,
    SpecError,
    State,
    family_of,
    full_spec,
    game,
)
from kletka.games.contract import MOVE_TEXT

_TAG = re.compile(r'\[([a-z][a-z0-9]*) "((?:[^"\\\n]|\\["\\n])*)"\]')
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"([1-9][0-9]{0,5})\.")
_ASIDE = re.compile(r"\(([1-9][0-9]?) left\)|\(agreed\)")
_RESULT = re.compile(r"(-|[1-9][0-9]?(?:\+[1-9][0-9]?)*) ([a-z][a-z_]*)|\*")
_LONGEST = 1_000_000
LONGEST_POSITION = 20_000
"""Characters of a position that a game may begin from."""
_RESERVED = ("game", "setup", "position")


class RecordError(KletkaError):
    """A record that can't be read: code, and line and column from 1."""

    def __init__(self, line: int, column: int, code: str, **facts: int | str) -> None:
        super().__init__(code, line=line, column=column, **facts)
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Played:
    """A move by the seat to move; where seats know different things, as it was told: `B=3.white`.

    A record of what one seat heard has no set-up, and moves of others as that seat heard them.
    """

    told: str


@dataclass(frozen=True)
class Left:
    """A seat that resigned, ran out of time or left."""

    seat: int


@dataclass(frozen=True)
class Agreed:
    """All agreed to stop here."""


Event = Played | Left | Agreed


@dataclass(frozen=True)
class Result:
    """The winners (none: nobody won) and why the game ended."""

    winners: frozenset[int]
    reason: str


@dataclass(frozen=True)
class Record:
    """A game from its start: the game, its set-up where it has one, tags as (name, text), and what happened.

    `position` is the text of the position that it begins from, if not from the game's own start; it has no set-up
    then. `result` is None while the game is unfinished.
    """

    game: Game
    events: tuple[Event, ...] = ()
    setup: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    result: Result | None = None
    position: str | None = None
    where: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, _ in self.tags:
            if name in _RESERVED or not re.fullmatch(r"[a-z][a-z0-9]*", name):
                raise ValueError(f"no tag may be named {name!r}")
        if self.setup is not None and self.position is not None:
            raise ValueError("a game begins from a set-up or from a position")

    @property
    def start(self) -> State:
        """The state before the first event. Raises NotationError."""
        return _start(self.game, self.setup, self.position)


def _start(made: Game, setup: str | None, position: str | None) -> State:
    if position is None:
        return made.start(setup)
    if len(position) > LONGEST_POSITION:
        raise NotationError(LONGEST_POSITION, "position_too_long")
    return made.read(position)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


def result_of(outcome: Outcome) -> Result:
    """What a record keeps of an outcome."""
    return Result(outcome.winners, outcome.reason)


def _turns(record: Record) -> Iterator[str]:
    """Numbered turns: the moves that one seat makes in a row are joined by commas, unless there is one seat only."""
    state = record.start
    number = 0
    mover: int | None = None
    turn: list[str] = []
    for event in record.events:
        if isinstance(event, Played) and state.to_move == mover and turn and record.game.seats > 1:
            turn.append(event.told)
        else:
            if turn:
                yield f"{number}. {','.join(turn)}"
            turn = [event.told] if isinstance(event, Played) else []
            number += isinstance(event, Played)
            mover = state.to_move
        match event:
            case Played(told):
                state = state.hear(told)
            case Left(seat):
                yield f"({seat + 1} left)"
                state = state.without(seat)
            case Agreed():
                yield "(agreed)"
    if turn:
        yield f"{number}. {','.join(turn)}"


def print_record(record: Record) -> str:
    """The record as text; lines are broken between turns before column 80. Raises IllegalMove."""
    tags = [("game", full_spec(record.game))]
    if record.setup is not None:
        tags.append(("setup", record.setup))
    if record.position is not None:
        tags.append(("position", record.position))
    head = "".join(f"[{name} {_quoted(text)}]\n" for name, text in [*tags, *record.tags])
    words = list(_turns(record))
    if record.result is None:
        words.append("*")
    else:
        winners = "+".join(str(seat + 1) for seat in sorted(record.result.winners)) or "-"
        words.append(f"{winners} {record.result.reason}")
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > 79:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return head + "\n" + "\n".join(lines) + "\n"


def parse(text: str) -> Record:
    """Read a record and play it through. Raises RecordError with line, column and code."""
    if len(text) > _LONGEST:
        raise RecordError(1, 1, "record_too_long")
    lines = text.split("\n")
    tags: dict[str, str] = {}
    body = 0
    for body, line in enumerate(lines):
        if not line.startswith("["):
            break
        found = _TAG.fullmatch(line.rstrip("\r"))
        if not found:
            raise RecordError(body + 1, 1, "bad_tag")
        if found[1] in tags:
            raise RecordError(body + 1, 2, "repeated_tag", tag=found[1])
        tags[found[1]] = _unquoted(found[2])
    if "game" not in tags:
        raise RecordError(1, 1, "no_game_tag")
    named = list(tags)
    try:
        played = game(tags.pop("game"))
        setup, position = tags.pop("setup", None), tags.pop("position", None)
        if setup is not None and position is not None:
            raise RecordError(named.index("position") + 1, 2, "two_starts")
        state = _start(played, setup, position)
    except SpecError as error:
        raise RecordError(named.index("game") + 1, 8, error.code, **error.facts) from None
    except NotationError as error:
        tag = "setup" if position is None else "position"
        refused = RecordError(named.index(tag) + 1, len(tag) + 4, error.code, **error.facts)
        refused.family = family_of(played).name
        raise refused from None
    begun = Record(played, (), setup, tuple(tags.items()), position=position)
    return _Body(begun, state).read(lines, body)


def told_by(begun: Record, texts: Iterable[str]) -> Record:
    """A record that goes on with moves, and with what happened between them, as records write them; with its result
    where the game has ended. Raises KletkaError."""
    body = _Body(begun, begun.start)
    for text in texts:
        body.add(text)
    return body.record()


class _Body:
    """Reads the part after the tags, token by token, playing as it goes."""

    def __init__(self, begun: Record, state: State) -> None:
        self.begun, self.game, self.state = begun, begun.game, state
        self.events: list[Event] = []
        self.places: list[tuple[int, int]] = []
        self.number = 0
        self.agreed = False
        self.result: Result | None = None
        self.closed = False

    def read(self, lines: list[str], first: int) -> Record:
        for at in range(first, len(lines)):
            line = lines[at]
            column = 0
            while found := _TOKEN.search(line, column):
                column = self._token(line, found.start(), at + 1)
        if not self.closed:
            raise RecordError(len(lines), len(lines[-1]) + 1, "no_result")
        return self._made(self.result)

    def add(self, text: str) -> None:
        """Take a single move or aside."""
        if found := _ASIDE.fullmatch(text):
            self._aside(found, 1, 1)
        else:
            self._turn(text, 1, 1)

    def record(self) -> Record:
        """What was taken so far, with the result that it gives."""
        outcome = self._outcome
        return self._made(result_of(outcome) if outcome else None)

    def _made(self, result: Result | None) -> Record:
        return replace(self.begun, events=tuple(self.events), result=result, where=tuple(self.places))

    @property
    def _outcome(self) -> Outcome | None:
        return self.state.agreed() if self.agreed else self.state.outcome

    def _token(self, line: str, start: int, number: int) -> int:
        """Read the token at `start`; gives the column after it."""
        if self.closed:
            raise RecordError(number, start + 1, "after_result")
        if found := _ASIDE.match(line, start):
            self._aside(found, number, start + 1)
        elif found := _NUMBER.match(line, start):
            self.number += 1
            if int(found[1]) != self.number:
                raise RecordError(number, start + 1, "wrong_number", expected=self.number)
        elif found := _RESULT.match(line, start):
            self._close(found, number, start + 1)
        else:
            end = _TOKEN.match(line, start)
            assert end is not None
            self._turn(end[0], number, start + 1)
            return end.end()
        if found.end() < len(line) and not line[found.end()].isspace():
            raise RecordError(number, found.end() + 1, "bad_token")
        return found.end()

    def _add(self, event: Event, line: int, column: int) -> None:
        if self.agreed:
            raise RecordError(line, column, "over")
        self.events.append(event)
        self.places.append((line, column))

    def _aside(self, found: re.Match[str], line: int, column: int) -> None:
        if self.state.outcome:
            raise RecordError(line, column, "over")
        if found[1] is None:
            self._add(Agreed(), line, column)
            self.agreed = True
            return
        seat = int(found[1]) - 1
        if not 0 <= seat < self.game.seats:
            raise RecordError(line, column + 1, "no_such_seat", seat=seat + 1)
        self._add(Left(seat), line, column)
        self.state = self.state.without(seat)

    def _turn(self, text: str, line: int, column: int) -> None:
        for part in text.split(","):
            if not MOVE_TEXT.fullmatch(part):
                raise RecordError(line, column, "bad_token")
            try:
                told = self._told(part)
                state = self.state.hear(told)
            except KletkaError as error:
                at = min(error.at, len(part)) if isinstance(error, NotationError) else 0
                refused = RecordError(line, column + at, error.code, **error.facts)
                refused.family = family_of(self.game).name
                raise refused from None
            self._add(Played(told), line, column)
            self.state = state
            column += len(part) + 1

    def _told(self, text: str) -> str:
        """A move as its own seat hears it; where the answer is written with it, the text as it is."""
        try:
            move = self.game.parse(text)
        except NotationError:
            if not self.game.hidden or not MOVE_TEXT.fullmatch(text):
                raise
            return text
        return self.state.told(move, self.state.to_move)

    def _close(self, found: re.Match[str], line: int, column: int) -> None:
        self.closed = True
        outcome = self._outcome
        if found[0] == "*":
            if outcome:
                raise RecordError(line, column, "wrong_result")
            return
        winners = frozenset() if found[1] == "-" else frozenset(int(seat) - 1 for seat in found[1].split("+"))
        self.result = Result(winners, found[2])
        if outcome is None or result_of(outcome) != self.result:
            raise RecordError(line, column, "wrong_result")


def replay(record: Record) -> Iterator[State]:
    """Every state of a record from the start, one after each event (agreeing changes none)."""
    state = record.start
    yield state
    for event in record.events:
        match event:
            case Played(told):
                state = state.hear(told)
            case Left(seat):
                state = state.without(seat)
            case Agreed():
                pass
        yield state
