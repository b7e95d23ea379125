"""Dots and Boxes, Dots and Triangles and narrow strips: one set of rules over any planar board of dots.

Sources: the games as commonly played (Lucas 1895 for boxes); borders and misère as described by players; the
narrow triangles of Jobson, Sledd, White and Wildstrom (2017). Three and four seats share the first place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from annotated_types import Interval
from pydantic import Field, StringConstraints

from kletka.games.contract import (
    IllegalMove,
    Move,
    NotationError,
    OpenGame,
    OpenState,
    Outcome,
    Reason,
    SpecError,
    check_seat,
    next_seat,
)
from kletka.games.coordinates import read_square, typed
from kletka.games.family import Family, Preset
from kletka.games.lattice import Board, boxes, strip, triangles

_SIZE = r"^([1-9]|1[0-6])x([1-9]|1[0-6])$"
_LINE = re.compile(r"([a-z]{1,2}[1-9][0-9]?)-([a-z]{1,2}[1-9][0-9]?)")
_POSITION = re.compile(r"([01]+)(?: ([.1-4]+) ([1-4-])((?: -[1-4])*))?")
_NOBODY = "."


@dataclass(frozen=True)
class Boxes:
    """`size` is rows x columns of boxes, 1..16 each; `border` says which outer lines are drawn from the start."""

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 (pydantic reads a plain dict)

    lattice: Literal["boxes"] = "boxes"
    size: Annotated[str, StringConstraints(pattern=_SIZE, max_length=5)] = "5x5"
    border: Literal["none", "closed", "icelandic"] = "none"
    misere: bool = False
    players: Annotated[int, Interval(ge=2, le=4)] = 2

    def __post_init__(self) -> None:
        if not re.fullmatch(_SIZE, self.size):
            raise SpecError("bad_value", "size", value=self.size[:40])

    def board(self) -> Board:
        rows, columns = map(int, self.size.split("x"))
        return boxes(rows, columns, self.border)


@dataclass(frozen=True)
class Triangles:
    """`size` is the number of small triangles on each side of the large one."""

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012

    lattice: Literal["triangles"] = "triangles"
    size: Annotated[int, Interval(ge=2, le=8)] = 5
    border: Literal["none", "closed"] = "none"
    misere: bool = False
    players: Annotated[int, Interval(ge=2, le=4)] = 2

    def board(self) -> Board:
        return triangles(self.size, self.border)


@dataclass(frozen=True)
class Strip:
    """`size` is the number of dots above, n; there are n + 1 below and 2n - 1 triangles between."""

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012

    lattice: Literal["strip"] = "strip"
    size: Annotated[int, Interval(ge=1, le=16)] = 5
    border: Literal["none", "closed"] = "none"
    misere: bool = False
    players: Annotated[int, Interval(ge=2, le=4)] = 2

    def board(self) -> Board:
        return strip(self.size, self.border)


Options = Annotated[Boxes | Triangles | Strip, Field(discriminator="lattice")]


@dataclass(frozen=True, repr=False)
class Dots(OpenGame):
    """The rules for one choice of options. Lines and coins are numbered as the board lists them."""

    family = "dots"
    options: Boxes | Triangles | Strip

    @property
    def seats(self) -> int:
        return self.options.players

    @cached_property
    def board(self) -> Board:
        """Dots, lines and coins."""
        return self.options.board()

    @cached_property
    def lines(self) -> tuple[Move, ...]:
        """Every line, those drawn from the start too: its name is the move that draws it."""
        return tuple(map(Move, self.board.names))

    @cached_property
    def index(self) -> dict[str, int]:
        """The line of each name."""
        return {name: i for i, name in enumerate(self.lines)}

    @cached_property
    def coins(self) -> tuple[int, ...]:
        """For each coin the mask of the lines around it."""
        return tuple(sum(1 << line for line in sides) for sides in self.board.sides)

    @cached_property
    def beside(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each line the coins beside it, each with its mask."""
        return tuple(tuple((coin, self.coins[coin]) for coin in coins) for coins in self.board.beside)

    @cached_property
    def all_lines(self) -> int:
        """The mask of every line."""
        return (1 << len(self.lines)) - 1

    @property
    def actions(self) -> tuple[Move, ...]:
        return self.lines

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        return self.board.symmetries

    def start(self, setup: str | None = None) -> Lines:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Lines(self, self.board.border, (None,) * len(self.coins), 0)

    def parse(self, text: str) -> Move:
        """Either dot may be named first."""
        found = _LINE.fullmatch(typed(text, 24))
        if found is None:
            raise NotationError(0, "notation")
        first, second = found.groups()
        for name in (f"{first}-{second}", f"{second}-{first}"):
            if name in self.index:
                return Move(name)
        spots = [(square[1], square[2]) for square in map(read_square, (first, second)) if square is not None]
        raise NotationError(0, "not_neighbours" if set(spots) <= set(self.board.spots) else "off_board")

    def read(self, position: str) -> Lines:
        """Lines as 0 and 1, coins by owner (1..4, `.` for nobody), the seat to move (`-`: over), `-2` for who left.

        Lines alone, as in OpenSpiel's position strings, mean scores of 0 and the first seat to move.
        """
        found = _POSITION.fullmatch(position)
        if found is None:
            raise NotationError(0, "position_sign")
        bits, owned, turn, left = found.groups()
        if len(bits) != len(self.lines):
            raise NotationError(0, "position_lines", wanted=len(self.lines))
        drawn = int(bits[::-1], 2)
        if self.board.border & ~drawn:
            raise NotationError(0, "position_border")
        nobody: tuple[int | None, ...] = (None,) * len(self.coins)
        if owned is None:
            return Lines(self, drawn, nobody, None if drawn == self.all_lines else 0)
        at = len(bits) + 1
        if len(owned) != len(self.coins):
            raise NotationError(at, "position_coins", wanted=len(self.coins))
        owners = tuple(None if sign == _NOBODY else int(sign) - 1 for sign in owned)
        for coin, (owner, around) in enumerate(zip(owners, self.coins, strict=True)):
            if owner is not None and (owner >= self.seats or drawn & around != around):
                raise NotationError(at + coin, "position_impossible")
        seats = [int(word[1:]) - 1 for word in left.split()]
        gone = frozenset(seats)
        state = Lines(self, drawn, owners, None if turn == "-" else int(turn) - 1, gone)
        # The last line and the last seat but one can't both end a game.
        twice = drawn == self.all_lines and len(gone) >= self.seats - 1
        absent = twice or any(seat >= self.seats for seat in seats) or len(gone) >= self.seats or sorted(gone) != seats
        if absent or state.turn in gone or (state.turn or 0) >= self.seats or (state.turn is None) != state.ended:
            raise NotationError(at + len(owned) + 1, "position_impossible")
        return state


@dataclass(frozen=True, slots=True, repr=False)
class Lines(OpenState):
    """Lines drawn (a mask), the owner of each coin (None: open, or closed before this game), and who is to draw.

    `turn` is None when the game is over. `gone` are the seats that left: they are skipped and can't win.
    """

    game: Dots
    drawn: int
    owners: tuple[int | None, ...]
    turn: int | None
    gone: frozenset[int] = frozenset()

    @property
    def ended(self) -> bool:
        """Whether every line is drawn or fewer than two seats are left."""
        return self.drawn == self.game.all_lines or len(self.gone) >= self.game.seats - 1

    @property
    def to_move(self) -> int | None:
        return self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.owners.count(seat) for seat in range(self.game.seats))

    @property
    def outcome(self) -> Outcome | None:
        if self.turn is not None:
            return None
        if self.drawn != self.game.all_lines:
            return Outcome(frozenset(range(self.game.seats)) - self.gone, self.scores, "left")
        return Outcome(self._first, self.scores, "fewest" if self.game.options.misere else "most")

    @property
    def _first(self) -> frozenset[int]:
        """The seats still at the table with the most coins, in misère the fewest."""
        scores = {seat: score for seat, score in enumerate(self.scores) if seat not in self.gone}
        best = min(scores.values()) if self.game.options.misere else max(scores.values())
        return frozenset(seat for seat, score in scores.items() if score == best)

    @property
    def position(self) -> str:
        lines = f"{self.drawn:0{len(self.game.lines)}b}"[::-1]
        coins = "".join(_NOBODY if owner is None else str(owner + 1) for owner in self.owners)
        turn = "-" if self.turn is None else self.turn + 1
        return " ".join([lines, coins, str(turn), *(f"-{seat + 1}" for seat in sorted(self.gone))])

    def moves(self) -> Sequence[Move]:
        if self.turn is None:
            return ()
        lines = self.game.lines
        free = f"{self.game.all_lines & ~self.drawn:0{len(lines)}b}"[::-1]
        return tuple([line for line, bit in zip(lines, free, strict=True) if bit == "1"])

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        reasons = [Reason("over")] if self.turn is None else []
        if self.drawn >> self.game.index[move] & 1:
            reasons.append(Reason("drawn", (move,), {"at": move}))
        return tuple(reasons)

    def closed_by(self, line: int) -> tuple[int, ...]:
        """The coins that drawing this line closes."""
        drawn = self.drawn | 1 << line
        return tuple([coin for coin, around in self.game.beside[line] if drawn & around == around])

    @property
    def captures(self) -> tuple[int, ...]:
        """The lines that would close a coin, each once."""
        lacking = [around & ~self.drawn for around in self.game.coins]
        return tuple(dict.fromkeys(lines.bit_length() - 1 for lines in lacking if lines.bit_count() == 1))

    def closed_with(self, moves: Sequence[str]) -> tuple[int, ...]:
        """The coins that these lines closed, the last ones drawn."""
        beside = {coin: around for move in moves for coin, around in self.game.beside[self.game.index[move]]}
        return tuple([coin for coin, around in beside.items() if self.drawn & around == around])

    def play(self, move: Move) -> Lines:
        line = self.game.index.get(move, -1)
        if line < 0 or self.turn is None or self.drawn >> line & 1:
            raise IllegalMove(self.refuses(move))
        drawn = self.drawn | 1 << line
        owners, turn = self.owners, self.turn
        if closed := self.closed_by(line):
            owned = list(owners)
            for coin in closed:
                owned[coin] = turn
            owners = tuple(owned)
        else:
            turn = next_seat(turn, self.game.seats, self.gone)
        return Lines(self.game, drawn, owners, None if drawn == self.game.all_lines else turn, self.gone)

    def run(self, move: Move) -> tuple[Move, ...]:
        """The captures that a capture opens one after the other: the rest of a chain. Empty for other moves."""
        line = self.game.index[move]
        if self.turn is None or self.drawn >> line & 1 or not self.closed_by(line):
            return ()
        drawn = self.drawn | 1 << line
        following: list[Move] = []
        while True:
            lacking = [around & ~drawn for _, around in self.game.beside[line]]
            last = next((mask for mask in lacking if mask.bit_count() == 1), 0)
            if not last:
                return tuple(following)
            line = last.bit_length() - 1
            drawn |= last
            following.append(self.game.lines[line])

    def without(self, seat: int) -> Lines:
        check_seat(self.game, seat)
        if self.turn is None or seat in self.gone:
            return self
        gone = self.gone | {seat}
        if len(gone) >= self.game.seats - 1:
            return Lines(self.game, self.drawn, self.owners, None, gone)
        turn = next_seat(self.turn, self.game.seats, gone) if self.turn == seat else self.turn
        return Lines(self.game, self.drawn, self.owners, turn, gone)

    def agreed(self) -> Outcome:
        return Outcome(self._first, self.scores, "agreed")


def _made(options: Boxes | Triangles | Strip) -> Dots:
    game = Dots(options)
    if game.board.border == game.all_lines:
        raise SpecError("no_line_left", "border")
    return game


FAMILY = Family(
    name="dots",
    options=Options,
    make=_made,
    presets=(
        Preset("boxes5", "dots"),
        Preset("boxes3", "dots:size=3x3"),
        Preset("triangles4", "dots:lattice=triangles,size=4"),
        Preset("triangles5", "dots:lattice=triangles"),
        Preset("closed5", "dots:lattice=triangles,border=closed"),
        Preset("boxes4", "dots:size=4x4"),
        Preset("boxes6", "dots:size=6x6"),
        Preset("swedish5", "dots:border=closed"),
        Preset("three", "dots:size=6x6,players=3"),
    ),
    reasons=("over", "notation", "off_board", "not_neighbours", "drawn"),
    results=("most", "fewest", "left", "agreed"),
    scored=True,
)
