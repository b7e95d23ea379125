"""Crystals: seats place atoms and grow symmetric crystals around them; most squares win.

Sources: Eric Solomon's game of 1973 as printed, and its retelling by the Diagram Group, which fills every square of a
crystal. Where they are silent: a crystal is grown at the end of the turn that may place an atom anywhere; its squares
are dead for everyone, and its atoms count no more; interlocking is what hinders the walking atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Annotated, Literal, NamedTuple

from annotated_types import Interval
from pydantic import Field, StringConstraints

from kletka.games.contract import (
    LONGEST_MOVE,
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
from kletka.games.coordinates import typed
from kletka.games.crystals.board import (
    BOARD,
    LONGEST_BOARD,
    Board,
    Spot,
    members,
    number_of,
    read_board,
    read_squares,
    squares_text,
)
from kletka.games.crystals.maxima import Maximal, fits, maxima
from kletka.games.crystals.outline import flaws, orbit
from kletka.games.crystals.paper import Paper

_READY = Field(
    json_schema_extra={
        "format": "board",
        "examples": ["21x21", "15x15", "11x11", "20x20", "30x30", "40x40", "diamond21", "cross21", "ring21"],
    }
)
"""Boards to choose among without drawing one."""
_PASSES = 40
"""A game at random passes once in so many turns."""
_GROWS = 4
"""It looks for a crystal once in so many turns."""
_TRIMS = 3


@dataclass(frozen=True)
class Options:
    """`board` is rows x columns up to 40x40, `diamond`, `cross` or `ring` with a size, or drawn row by row.

    `axes` are those that every crystal is symmetric about; `least` its fewest atoms; under `fill=full` all its
    squares hold atoms. `claims` says how many crystals a turn may grow. Under `swap` the second of two players may
    take over the first atom.
    """

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 (pydantic reads a plain dict)

    board: Annotated[str, StringConstraints(pattern=BOARD, max_length=LONGEST_BOARD), _READY] = "21x21"
    players: Annotated[int, Interval(ge=2, le=6)] = 2
    axes: Literal["4", "2"] = "4"
    interlock: Literal["forbidden", "allowed"] = "forbidden"
    fill: Literal["implied", "full"] = "implied"
    least: Annotated[int, Interval(ge=4, le=8)] = 4
    claims: Literal["one", "any"] = "one"
    swap: bool = False

    def __post_init__(self) -> None:
        read_board(self.board)
        if self.swap and self.players != 2:
            raise SpecError("swap_needs_two", "swap")


class Crystal(NamedTuple):
    """A grown crystal: whose, and its squares as a mask."""

    seat: int
    squares: int


class Turn(NamedTuple):
    """What a move does: the square of the atom (None: no atom), the outlines to grow, or the swap alone."""

    atom: int | None
    outlines: tuple[int, ...] = ()
    swap: bool = False

    @property
    def size(self) -> int:
        """The squares of all outlines."""
        return sum(mask.bit_count() for mask in self.outlines)


@lru_cache(maxsize=2048)
def _read_turn(board: Board, text: str) -> Turn:
    head, *rest = text.split("+")
    if head == "swap" and not rest:
        return Turn(None, (), True)
    atom = None if head == "pass" else number_of(board, head)
    outlines, at = [], len(head) + 1
    for part in rest:
        try:
            outlines.append(read_squares(board, part))
        except NotationError as error:
            error.at += at
            raise
        at += len(part) + 1
    return Turn(atom, _sorted(outlines))


def _sorted(outlines: Iterable[int]) -> tuple[int, ...]:
    """Outlines in the order of their first squares."""
    return tuple(sorted(outlines, key=lambda mask: list(members(mask))))


def _turn_text(board: Board, turn: Turn) -> Move:
    if turn.swap:
        return Move("swap")
    head = "pass" if turn.atom is None else board.names[turn.atom]
    return Move("+".join([head, *(squares_text(board, mask) for mask in turn.outlines)]))


@dataclass(frozen=True, repr=False)
class Crystals(OpenGame):
    """The rules for one choice of options."""

    family = "crystals"
    options: Options

    @property
    def seats(self) -> int:
        return self.options.players

    @cached_property
    def board(self) -> Board:
        """The squares."""
        return read_board(self.options.board)

    @cached_property
    def paper(self) -> Paper:
        """The board with what crystals must be like."""
        options = self.options
        allowed = options.interlock == "allowed"
        return Paper(self.board, int(options.axes), allowed, options.fill == "full", options.least)

    def start(self, setup: str | None = None) -> Sheet:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Sheet(self, (), (0,) * self.seats, (), 0)

    def parse(self, text: str) -> Move:
        said = typed(text, LONGEST_MOVE)
        if not said:
            raise NotationError(0, "notation")
        return _turn_text(self.board, _read_turn(self.board, said))

    def turn(self, move: str) -> Turn:
        """What a canonical move does."""
        return _read_turn(self.board, move)

    def move(self, atom: int | None, outlines: Sequence[int]) -> Move:
        """The move that places an atom on a square (None: passes) and grows these outlines."""
        return _turn_text(self.board, Turn(atom, _sorted(outlines)))

    def read(self, position: str) -> Sheet:
        """Atoms in the order of placing (`1k11.2c4`), crystals in the order of growing (`1:c1.b-d2.c3/...`), the seat
        to move (`-`: over), the seats that have passed since, those that are gone; `-` where there is none."""
        words = position.split(" ")
        if len(words) != 5 or not all(words):
            raise NotationError(0, "position_sign")
        order, own = [], [0] * self.seats
        for word in [] if words[0] == "-" else words[0].split("."):
            square = number_of(self.board, word[1:])
            if any(mask >> square & 1 for mask in own):
                raise NotationError(0, "position_impossible")
            order.append(square)
            own[self._seat(word[:1])] |= 1 << square
        crystals = []
        for number, text in enumerate([] if words[1] == "-" else words[1].split("/")):
            sign, colon, squares = text.partition(":")
            mask = read_squares(self.board, squares)
            if not colon or squares_text(self.board, mask) != squares:
                raise NotationError(0, "position_sign")
            crystals.append(Crystal(self._seat(sign), mask))
            before = Sheet(self, tuple(order), tuple(own), tuple(crystals[:number]), crystals[-1].seat)
            if before.faults(Turn(None, (mask,))):
                raise NotationError(0, "position_impossible")
        turn = None if words[2] == "-" else self._seat(words[2])
        passed, gone = (frozenset(self._seat(sign) for sign in word if sign != "-") for word in words[3:])
        state = Sheet(self, tuple(order), tuple(own), tuple(crystals), turn, passed, gone)
        if state.position != position:
            raise NotationError(0, "position_sign")
        if (turn is None) != state.ended or turn in gone | passed or len(gone) >= self.seats:
            raise NotationError(0, "position_impossible")
        return state

    def _seat(self, sign: str) -> int:
        seat = "123456".find(sign) if sign else -1
        if not 0 <= seat < self.seats:
            raise NotationError(0, "position_sign")
        return seat


@dataclass(frozen=True, slots=True, repr=False)
class Sheet(OpenState):
    """`order`: the squares of all atoms as they were placed; `own`: each seat's atoms as a mask, in crystals too.

    `turn` is None when the game is over. `passed` are the seats that have passed since an atom was placed or a crystal
    grown; `gone` are those that left.
    """

    game: Crystals
    order: tuple[int, ...]
    own: tuple[int, ...]
    crystals: tuple[Crystal, ...]
    turn: int | None
    passed: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()

    # What there is on the paper

    @property
    def grown(self) -> int:
        """The squares of all crystals."""
        return sum(crystal.squares for crystal in self.crystals)

    @property
    def taken(self) -> int:
        """The squares of all atoms."""
        return sum(self.own)

    @property
    def free(self) -> int:
        """The squares where an atom can be placed."""
        return self.game.board.mask & ~(self.grown | self.taken)

    def atoms(self, seat: int) -> int:
        """A seat's atoms outside crystals."""
        return self.own[seat] & ~self.grown

    def available(self, seat: int) -> int:
        """The squares that a seat's crystals can still cover now or later."""
        return self.free | self.atoms(seat)

    def owner(self, square: int) -> int | None:
        """Whose atom stands on a square."""
        return next((seat for seat, mask in enumerate(self.own) if mask >> square & 1), None)

    @property
    def staying(self) -> frozenset[int]:
        """The seats at the table."""
        return frozenset(range(self.game.seats)) - self.gone

    # How it stands

    @property
    def ended(self) -> bool:
        """Whether everyone has passed or nothing can be placed or grown any more, or fewer than two are left."""
        return len(self.staying) < 2 or self.staying <= self.passed or self._full or self._dead

    @property
    def _full(self) -> bool:
        return self.game.paper.full and not self.free

    @property
    def _dead(self) -> bool:
        paper = self.game.paper
        if fits(paper, self.free):
            return False
        return not any(fits(paper, self.available(seat)) for seat in self.staying if self.atoms(seat))

    @property
    def to_move(self) -> int | None:
        return self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        scores = [0] * self.game.seats
        for seat, squares in self.crystals:
            scores[seat] += squares.bit_count()
        return tuple(scores)

    @property
    def outcome(self) -> Outcome | None:
        if self.turn is not None:
            return None
        if len(self.staying) < 2:
            return Outcome(self.staying, self.scores, "left")
        reason = "passed" if self.staying <= self.passed else "full" if self._full else "dead"
        return Outcome(self._first, self.scores, reason)

    @property
    def _first(self) -> frozenset[int]:
        """The seats at the table with the most squares."""
        scores = self.scores
        best = max(scores[seat] for seat in self.staying)
        return frozenset(seat for seat in self.staying if scores[seat] == best)

    @property
    def position(self) -> str:
        board = self.game.board
        atoms = ".".join(f"{(self.owner(square) or 0) + 1}{board.names[square]}" for square in self.order)
        crystals = "/".join(f"{seat + 1}:{squares_text(board, squares)}" for seat, squares in self.crystals)
        turn = "-" if self.turn is None else str(self.turn + 1)
        passed, gone = ("".join(str(seat + 1) for seat in sorted(seats)) for seats in (self.passed, self.gone))
        return " ".join([atoms or "-", crystals or "-", turn, passed or "-", gone or "-"])

    # Crystals to come

    def maximal(self, seat: int, budget: int | None = None) -> tuple[Maximal, ...]:
        """All maximal crystals of a seat, by their centres: what it could grow, whatever atoms it has there so far.

        Those with `least` atoms or more can be grown now. `budget`: see `maxima`.
        """
        paper, own = self.game.paper, self.atoms(seat)
        if paper.full:
            return tuple(maxima(paper, own, own, budget, paper.centres_on(own)))
        return tuple(maxima(paper, self.available(seat), own, budget))

    def growable(self, seat: int, budget: int | None = None) -> list[Maximal]:
        """The maximal crystals that a seat's atoms are enough for, the largest first."""
        paper, own = self.game.paper, self.atoms(seat)
        if paper.full:
            found: Iterable[Maximal] = self.maximal(seat, budget)
        else:
            found = maxima(paper, self.available(seat), own, budget, paper.centres_with(own))
        return sorted((one for one in found if one.atoms >= paper.least), key=lambda one: -one.size)

    def largest_at(self, middle: Spot, atom: int | None, budget: int | None = None) -> Maximal | None:
        """The mover's largest crystal at a centre, one with enough atoms if there is any, once an atom is placed."""
        assert self.turn is not None
        paper = self.game.paper
        centre = paper.centre_by_middle.get(middle)
        own = self.with_atom(atom).atoms(self.turn)
        available = own if paper.full else own | self.free
        found = maxima(paper, available, own, budget, [centre] if centre else [])
        return max(found, key=lambda one: (one.atoms >= paper.least, one.size), default=None)

    # Moves

    @property
    def _swaps(self) -> bool:
        """Whether the second player may take over the first atom now."""
        first = self.turn == 1 and len(self.order) == 1 and self.own[0] > 0
        return self.game.options.swap and first and not self.crystals and not self.passed

    def moves(self) -> Sequence[Move]:
        """Every atom alone, and with the largest crystal that can be grown then; passing likewise; the swap."""
        if self.turn is None:
            return ()
        found: list[Move] = []
        for square, best in self._best_with():
            found.append(self.game.move(square, ()))
            if best:
                found.append(self.game.move(square, (best,)))
        return [*found, Move("swap")] if self._swaps else found

    def _best_with(self) -> list[tuple[int | None, int]]:
        """For each free square, and for none, the largest crystal that the mover could grow then (0: none)."""
        assert self.turn is not None
        paper, own = self.game.paper, self.atoms(self.turn)
        squares: list[int | None] = [*members(self.free), None]
        entries = self.maximal(self.turn, 0)
        if paper.full:
            return self._best_full(squares, own, entries)
        usual = (0, 0, 0)
        best: dict[int, tuple[int, int, int]] = {}
        for number, one in enumerate(entries):
            # The first of the largest.
            worth = (one.size, -number, one.squares)
            if one.atoms >= paper.least:
                usual = max(usual, worth)
            elif one.atoms == paper.least - 1:
                for square in members(one.squares & self.free):
                    best[square] = max(best.get(square, worth), worth)
        return [(square, max(usual, usual if square is None else best.get(square, usual))[2]) for square in squares]

    def _best_full(
        self, squares: Sequence[int | None], own: int, entries: Sequence[Maximal]
    ) -> list[tuple[int | None, int]]:
        """Where every square of a crystal holds an atom, a new one changes what is joined to it."""
        beside = self.game.board.beside(own)
        usual = self._best_filled(None, own, entries)
        return [
            (square, self._best_filled(square, own, entries) if square is not None and beside >> square & 1 else usual)
            for square in squares
        ]

    def _best_filled(self, square: int | None, own: int, entries: Sequence[Maximal]) -> int:
        """The largest crystal of atoms alone, once there is one on this square."""
        if square is not None:
            paper = self.game.paper
            part = paper.board.joined(1 << square, own | 1 << square)
            near = paper.centres_on(part) if part.bit_count() >= paper.least else []
            changed = list(maxima(paper, part, part, 0, near))
            kept = [one for one in entries if not one.squares & part]
            entries = sorted([*kept, *changed], key=lambda one: one.middle[::-1])
        # The first of the largest.
        return max(entries, key=lambda one: one.size).squares if entries else 0

    def sample(self, rng: Random) -> Move:
        """Now and then with a crystal, which need not be the largest."""
        seat = self.turn
        assert seat is not None
        if self._swaps and rng.randrange(2):
            return Move("swap")
        squares = list(members(self.free))
        atom = rng.choice(squares) if squares and rng.randrange(_PASSES) else None
        after = self.with_atom(atom)
        found = [] if rng.randrange(_GROWS) else after.growable(seat, 0)
        return self.game.move(atom, (after._trimmed(seat, rng.choice(found), rng),) if found else ())

    def _trimmed(self, seat: int, maximal: Maximal, rng: Random) -> int:
        """A crystal within a maximal one."""
        paper, kept = self.game.paper, maximal.squares
        for _ in range(rng.randrange(_TRIMS)):
            less = kept & ~orbit(paper.board, paper.axes, maximal.middle, rng.choice(list(members(kept))))
            if (less & self.atoms(seat)).bit_count() >= paper.least and not flaws(paper, less):
                kept = less
        return kept

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        reasons = [Reason("over")] if self.turn is None else []
        turn = self.game.turn(move)
        if turn.swap:
            return tuple(reasons) if self._swaps else (*reasons, Reason("no_swap"))
        if turn.atom is not None and not self.free >> turn.atom & 1:
            name = self.game.board.names[turn.atom]
            code = "grown" if self.grown >> turn.atom & 1 else "taken"
            reasons.append(Reason(code, (name,), {"at": name}))
        if len(turn.outlines) > 1 and self.game.options.claims == "one":
            reasons.append(Reason("many"))
        return (*reasons, *self.faults(turn))

    def faults(self, turn: Turn) -> tuple[Reason, ...]:
        """Every reason against the crystals of a turn, whether it may be played otherwise or not."""
        if self.turn is None or not turn.outlines:
            return ()
        paper, board = self.game.paper, self.game.board
        own = self.with_atom(turn.atom).atoms(self.turn)
        foreign = self.taken & ~self.own[self.turn]
        reasons: list[Reason] = []

        def against(code: str, squares: int, **facts: int) -> None:
            if squares:
                reasons.append(Reason(code, board.places(squares), facts))

        before = self.grown
        for mask in turn.outlines:
            for code, squares in flaws(paper, mask):
                against(code, squares, **({"axes": paper.axes} if code == "not_symmetric" else {}))
            against("foreign", mask & foreign & ~self.grown)
            against("overlap", mask & before)
            if (atoms := (mask & own).bit_count()) < paper.least:
                against("too_few", mask, n=atoms, least=paper.least)
            if paper.full:
                against("unfilled", mask & self.free & ~own)
            before |= mask
        return tuple(reasons)

    # Playing

    def with_atom(self, square: int | None) -> Sheet:
        """With the mover's atom on a square, if there is one to place and the square is free."""
        if square is None or not self.free >> square & 1:
            return self
        own = tuple(mask | 1 << square if seat == self.turn else mask for seat, mask in enumerate(self.own))
        return replace(self, order=(*self.order, square), own=own)

    def play(self, move: Move) -> Sheet:
        if reasons := self.refuses(move):
            raise IllegalMove(reasons)
        assert self.turn is not None
        turn = self.game.turn(move)
        if turn.swap:
            return replace(self, own=self.own[::-1], turn=0)
        after = self.with_atom(turn.atom)
        grown = tuple(Crystal(self.turn, mask) for mask in turn.outlines)
        passed = frozenset() if turn.outlines or turn.atom is not None else self.passed | {self.turn}
        following = next_seat(self.turn, self.game.seats, self.gone)
        return replace(after, crystals=(*self.crystals, *grown), passed=passed, turn=following)._settled()

    def _settled(self) -> Sheet:
        return replace(self, turn=None) if self.ended else self

    def without(self, seat: int) -> Sheet:
        check_seat(self.game, seat)
        if self.turn is None or seat in self.gone:
            return self
        gone = self.gone | {seat}
        if len(gone) >= self.game.seats - 1:
            return replace(self, gone=gone, turn=None)
        turn = next_seat(self.turn, self.game.seats, gone) if self.turn == seat else self.turn
        return replace(self, gone=gone, turn=turn)._settled()

    def agreed(self) -> Outcome:
        return Outcome(self._first, self.scores, "agreed")
