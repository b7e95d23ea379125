"""Each seat writes its own sign: noughts and crosses, Qubic, gravity, five in a row; misère; exact lines.

Sources: the classic game as commonly played; the 4x4x4 game as described by Eric Solomon ("a straight line
in the properly stacked cube", crosses begin). Numbers to check against: docs/results/tictactoe.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kletka.games.contract import IllegalMove, Move, NotationError, OpenState, Outcome, Reason, check_seat
from kletka.games.tictactoe.board import Board, ended

GONE = ("-x", "-o")


@dataclass(frozen=True, repr=False)
class TicTacToe(Board):
    """The rules for one choice of options; a move is the name of the cell to mark."""

    @property
    def actions(self) -> tuple[Move, ...]:
        return self.names

    def start(self, setup: str | None = None) -> Marks:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Marks(self, (0, 0))

    def parse(self, text: str) -> Move:
        return self.cell_name(text)

    def read(self, position: str) -> Marks:
        """Rows from the top with `/` between, layers from the top with spaces, `-x` or `-o` for a seat that left."""
        words = position.split(" ")
        gone = GONE.index(words.pop()) if words[-1] in GONE else None
        state = Marks(self, self.read_marks(words), gone)
        check_counts(state)
        last = state.last_to_mark
        broken = [seat for seat in (0, 1) if state.lines_of(seat)]
        if broken and broken != [last]:
            raise NotationError(0, "position_impossible")
        if broken:
            # The game ended by the last mark: without it there was no line.
            full, mine = state.marks[0] | state.marks[1], state.marks[last]
            if state.gone is not None or all(self.completed(mine & ~(1 << i)) for i in self.removable(full, mine)):
                raise NotationError(0, "position_impossible")
            return Marks(self, state.marks, None, last)
        if state.gone is not None and state.full:
            raise NotationError(0, "position_impossible")
        return state

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        """The symmetries of the board; see `Board.cell_symmetries`."""
        return self.cell_symmetries


def check_counts(state: Marks) -> None:
    """Raise NotationError where turns don't alternate or a mark hangs in the air."""
    crosses, noughts = state.marks
    if crosses.bit_count() - noughts.bit_count() not in (0, 1):
        raise NotationError(0, "position_counts")
    if state.game.floats(crosses | noughts):
        raise NotationError(0, "position_floating")


@dataclass(frozen=True, slots=True, repr=False)
class Marks(OpenState):
    """The marks on the board: bit i of `marks[seat]` for cell i. `gone` is the seat that left, if one did.

    `by_line` is the seat whose mark completed a line; it follows from the marks and takes no part in equality.
    """

    game: TicTacToe
    marks: tuple[int, int]
    gone: int | None = None
    by_line: int | None = field(default=None, compare=False)

    @property
    def full(self) -> bool:
        """Whether no cell is free."""
        return (self.marks[0] | self.marks[1]).bit_count() == self.game.cells

    @property
    def last_to_mark(self) -> int:
        """The seat whose mark came last (the second on an empty board)."""
        return 1 - (self.marks[0].bit_count() - self.marks[1].bit_count())

    @property
    def to_move(self) -> int | None:
        if self.by_line is not None or self.gone is not None or self.full:
            return None
        return self.marks[0].bit_count() - self.marks[1].bit_count()

    @property
    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    @property
    def outcome(self) -> Outcome | None:
        return ended(self.by_line, self.gone, self.full, self.game.options.misere)

    @property
    def position(self) -> str:
        return " ".join([self.game.text(self.marks), *([GONE[self.gone]] if self.gone is not None else [])])

    def sign(self, cell: int) -> str:
        """`x`, `o`, or nothing for a free cell."""
        return "x" if self.marks[0] >> cell & 1 else "o" if self.marks[1] >> cell & 1 else ""

    def lines_of(self, seat: int) -> tuple[int, ...]:
        """The completed lines of a seat, as masks."""
        return self.game.completed(self.marks[seat])

    @property
    def shown_lines(self) -> tuple[int, ...]:
        """The lines that ended the game, as masks."""
        return () if self.by_line is None else self.lines_of(self.by_line)

    def moves(self) -> Sequence[Move]:
        if self.by_line is not None or self.gone is not None:
            return ()
        full = self.marks[0] | self.marks[1]
        names = self.game.names
        if not self.game.options.gravity:
            free = f"{~full & (1 << self.game.cells) - 1:0{self.game.cells}b}"[::-1]
            return tuple([name for name, bit in zip(names, free, strict=True) if bit == "1"])
        return tuple(
            [
                name
                for i, (name, under) in enumerate(zip(names, self.game.below, strict=True))
                if not full >> i & 1 and full & under == under
            ]
        )

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        reasons = []
        cell = self.game.index[move]
        full = self.marks[0] | self.marks[1]
        if self.outcome is not None:
            reasons.append(Reason("over"))
        if full >> cell & 1:
            reasons.append(Reason("taken", (move,), {"at": move}))
        elif full & self.game.below[cell] != self.game.below[cell]:
            reasons.append(
                Reason("floating", (move,), {"at": move, "falls": self.game.names[self.game.landing(full, cell)]})
            )
        return tuple(reasons)

    def column_landing(self, cell: int) -> int | None:
        """Under gravity the cell where a mark put into this cell's column comes to rest; None where it is full."""
        return self.game.column_landing(self.marks[0] | self.marks[1], cell)

    def play(self, move: Move) -> Marks:
        cell = self.game.index.get(move, -1)
        seat = self.to_move
        full = self.marks[0] | self.marks[1]
        if cell < 0 or seat is None or full >> cell & 1 or full & self.game.below[cell] != self.game.below[cell]:
            raise IllegalMove(self.refuses(move))
        mine = self.marks[seat] | 1 << cell
        by_line = None
        for line in self.game.lines_through[cell]:
            if mine & line == line and not self.game.beyond.get(line, 0) & mine:
                by_line = seat
                break
        return Marks(self.game, (mine, self.marks[1]) if seat == 0 else (self.marks[0], mine), None, by_line)

    def without(self, seat: int) -> Marks:
        check_seat(self.game, seat)
        return self if self.outcome is not None else Marks(self.game, self.marks, seat)

    def agreed(self) -> Outcome:
        return Outcome(frozenset({0, 1}), self.scores, "agreed")
