"""What every game offers: the only surface that the floors above see.

A move is its canonical text, and a move text is the only thing that changes a state. States are immutable.
A state holds what its owner may know: `seen_by` gives the view of a seat, `told` the move as that seat hears
it, and `hear` plays on from what was told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, NewType, Protocol, Self, runtime_checkable

Move = NewType("Move", str)
"""A move's canonical text. Only `Game.parse`, `State.moves` and `State.sample` make one."""

MOVE_TEXT = re.compile(r"[A-Za-z0-9][A-Za-z0-9=:+.~-]*")
"""What a move or a told text looks like in every game."""

LONGEST_MOVE = 4096
"""Characters; a longer text is refused before anything reads it."""

NO_FACTS: Mapping[str, int | str] = MappingProxyType({})


class Word(str):
    """A fact that is itself a word id: sentences say its word in their language."""

    __slots__ = ()


class Reason(NamedTuple):
    """Why a move is refused: a code from the family's closed list, the places concerned, facts for its sentence."""

    code: str
    places: tuple[str, ...] = ()
    facts: Mapping[str, int | str] = NO_FACTS


class Outcome(NamedTuple):
    """How a game ended. All seats in `winners` share the win; empty means that nobody won.

    `scores` has one number a seat (all 0 in games that keep no score); `reason` is a code from the family's
    closed list of results.
    """

    winners: frozenset[int]
    scores: tuple[int, ...]
    reason: str


class KletkaError(ValueError):
    """What bad input raises: `code` is one of a closed list, `facts` fill its sentence; `family` is the family whose
    input it was, where that is known."""

    family = ""

    def __init__(self, code: str, **facts: int | str) -> None:
        self.code = code
        self.facts = facts
        shown = " ".join(f"{key}={value}" for key, value in facts.items())
        super().__init__(f"{code} {shown}".strip())


class NotationError(KletkaError):
    """A text that is no move (or position) of this game; `at` is the index of the first wrong character."""

    def __init__(self, at: int, code: str, **facts: int | str) -> None:
        super().__init__(code, **facts)
        self.at = at


class SpecError(KletkaError):
    """A spec that names no game; `option` is the option at fault, if one is."""

    def __init__(self, code: str, option: str = "", **facts: int | str) -> None:
        super().__init__(code, **({"option": option} if option else {}), **facts)
        self.option = option


class IllegalMove(KletkaError):
    """A move that the state refuses, with every reason that applies."""

    def __init__(self, reasons: Iterable[Reason]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(self.reasons[0].code, **self.reasons[0].facts)


class Game(Protocol):
    """The rules with their options fixed: immutable, hashable, equal where the spec is equal."""

    @property
    def options(self) -> Any:
        """The frozen dataclass that the spec was read into."""

    @property
    def spec(self) -> str:
        """Family and options as text, defaults left out: `tictactoe:shape=4x4x4`."""

    @property
    def seats(self) -> int:
        """How many seats play."""

    @property
    def seat_words(self) -> tuple[str, ...]:
        """Words that name the seats where options change them; empty: those of the family."""

    @property
    def hidden(self) -> bool:
        """Whether seats can know different things."""

    @property
    def actions(self) -> tuple[Move, ...] | None:
        """The closed list of moves, where there is one; its indices serve kernels and adapters."""

    def deal(self, rng: Random) -> str | None:
        """A secret set-up as text; None where the game has none."""

    def start(self, setup: str | None = None) -> State:
        """The first state; without a set-up, what everybody knows of it. Raises NotationError."""

    def share_code(self, setup: str) -> str:
        """A short code that `start` takes for this set-up, and that doesn't show it; empty where there is none."""

    def parse(self, text: str) -> Move:
        """The move that a seat's text means. Refuses told texts. Raises NotationError."""

    def read(self, position: str) -> State:
        """The state that a position text describes. Raises NotationError."""

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        """Permutations of `actions` that change nothing about the game; empty where none is declared."""

    def __hash__(self) -> int: ...


@runtime_checkable
class State(Protocol):
    """A position with all that matters for going on: immutable, equal by value."""

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int | None:
        """The seat to move, from 0; None exactly when the game is over."""

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def position(self) -> str:
        """Text of all that matters: `game.read(position)` is this state again."""

    def moves(self) -> Sequence[Move]:
        """Legal moves in canonical order, never empty before the end; the principal ones where moves are open-ended."""

    def sample(self, rng: Random) -> Move:
        """Any legal move, open-ended ones too."""

    def refuses(self, move: str) -> tuple[Reason, ...]:
        """Every reason against this text as a move; empty where it is legal. Never raises."""

    def play(self, move: Move) -> State:
        """The state after the move. Raises IllegalMove; KletkaError `unanswerable` where a view lacks the secret."""

    def told(self, move: Move, seat: int | None) -> str:
        """The legal move as that seat (None: a spectator) hears it, answer included."""

    def hear(self, told: str) -> State:
        """Play on from what was told. Raises IllegalMove or NotationError."""

    def seen_by(self, seat: int | None) -> State:
        """What that seat (None: a spectator) may know, with the secrets really gone, after the end too."""

    def without(self, seat: int) -> State:
        """The seat has resigned, run out of time or left, and is skipped from now on; the last one left wins."""

    def agreed(self) -> Outcome:
        """The outcome if all stop here by consent: a draw, or by score."""

    def __hash__(self) -> int: ...


PAINTERS: dict[str, Callable[[Any], str]] = {}
"""Notebook representations by method name; drawing registers them, since rules know no pictures."""


class BaseGame:
    """What all games share. A subclass is a frozen dataclass whose only compared field is `options`."""

    family: ClassVar[str]
    options: Any
    seat_words: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[bool] = False

    @cached_property
    def spec(self) -> str:
        from kletka.games.registry import spec_text

        return spec_text(self.family, self.options)

    @property
    def actions(self) -> tuple[Move, ...] | None:
        return None

    def deal(self, rng: Random) -> str | None:
        return None

    def share_code(self, setup: str) -> str:
        return ""

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        return ()

    def parse(self, text: str) -> Move:
        raise NotImplementedError

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """A game travels as its spec, without what it has worked out."""
        from kletka.games.registry import game

        return game, (self.spec,)

    def __repr__(self) -> str:
        return f"kletka.game({self.spec!r})"

    def __str__(self) -> str:
        return self.spec


class BaseState:
    """What all states share. `game`, `position`, `moves` and `to_move` come from the subclass."""

    game: Any

    @property
    def position(self) -> str:
        raise NotImplementedError

    def moves(self) -> Sequence[Move]:
        raise NotImplementedError

    def sample(self, rng: Random) -> Move:
        return rng.choice(self.moves())

    def unreadable(self, text: str) -> tuple[Reason, ...]:
        """The reason against a text that is no canonical move of this game; empty where it is one."""
        try:
            move = self.game.parse(text)
        except NotationError as error:
            return (Reason(error.code, (), error.facts),)
        return () if move == text else (Reason("notation"),)

    def __str__(self) -> str:
        return self.position

    def __repr__(self) -> str:
        return f"{self.game!r}.read({self.position!r})"

    def _repr_svg_(self) -> str | None:
        painter = PAINTERS.get("svg")
        return painter(self) if painter else None


class OpenGame(BaseGame):
    """A game in which every seat knows everything."""


class OpenState(BaseState):
    """A state in which every seat knows everything: views, told texts and hearing follow."""

    def seen_by(self, seat: int | None) -> Self:
        return self

    def told(self, move: Move, seat: int | None) -> str:
        return move

    def hear(self, told: str) -> State:
        heard: State = self.play(self.game.parse(told))
        return heard

    def play(self, move: Move) -> Any:
        raise NotImplementedError


def check_seat(game: Game, seat: int) -> None:
    """Raise ValueError where the game has no such seat."""
    if not 0 <= seat < game.seats:
        raise ValueError(f"no seat {seat} in {game.spec}")


def next_seat(seat: int, seats: int, gone: Iterable[int]) -> int:
    """The seat after this one, those that are gone left out."""
    absent = set(gone)
    for step in range(1, seats + 1):
        if (after := (seat + step) % seats) not in absent:
            return after
    raise ValueError("every seat is gone")


__all__ = [
    "LONGEST_MOVE",
    "MOVE_TEXT",
    "PAINTERS",
    "BaseGame",
    "BaseState",
    "Game",
    "IllegalMove",
    "KletkaError",
    "Move",
    "NotationError",
    "OpenGame",
    "OpenState",
    "Outcome",
    "Reason",
    "SpecError",
    "State",
    "Word",
    "check_seat",
    "next_seat",
]
