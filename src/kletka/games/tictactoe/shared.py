"""Signs that belong to nobody: wild (either sign at will) and crosses only (Notakto), on one board or several.

A line of one sign wins for whoever completed it, in misère it loses. On several boards a completed line takes its
board out of the game, and the line on the last board left decides.

Sources: wild tic-tac-toe as commonly played; T. Plambeck and G. Whitehead, "The Secrets of Notakto: Winning at
X-only Tic-Tac-Toe", arXiv:1301.1672.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from kletka.games.contract import IllegalMove, Move, NotationError, OpenState, Outcome, Reason, check_seat
from kletka.games.coordinates import typed
from kletka.games.family import INKS
from kletka.games.tictactoe.board import SIGNS, Board, ended, members

GONE = ("-1", "-2")
"""The seat that left, counted from 1: here no sign names a seat."""


@dataclass(frozen=True, repr=False)
class SharedTicTacToe(Board):
    """The rules for one choice of options.

    With crosses only, a move is the name of the cell; in the wild game it ends in the sign to write there, `:x` or
    `:o`.
    """

    seat_words: ClassVar[tuple[str, ...]] = INKS[:2]

    @cached_property
    def wild(self) -> bool:
        """Whether noughts may be written too."""
        return self.options.marks == "wild"

    @cached_property
    def actions(self) -> tuple[Move, ...]:
        if not self.wild:
            return self.names
        return tuple(Move(f"{name}:{sign}") for name in self.names for sign in SIGNS)

    @cached_property
    def written(self) -> dict[str, tuple[int, int]]:
        """For each move the cell and the sign (0 a cross, 1 a nought) that it writes."""
        signs = len(self.actions) // self.cells
        return {move: divmod(i, signs) for i, move in enumerate(self.actions)}

    @cached_property
    def board_masks(self) -> tuple[int, ...]:
        """The cells of each board."""
        one = (1 << self.board_cells) - 1
        return tuple(one << board * self.board_cells for board in range(self.options.boards))

    def start(self, setup: str | None = None) -> Signs:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Signs(self, (0, 0))

    def parse(self, text: str) -> Move:
        if not self.wild:
            return self.cell_name(text)
        name, colon, sign = typed(text, 16).partition(":")
        cell = self.cell_name(name)
        if not colon:
            raise NotationError(len(name), "which_sign", cell=cell)
        if sign not in (*SIGNS,):
            raise NotationError(len(name) + 1, "notation")
        return Move(f"{cell}:{sign}")

    def read(self, position: str) -> Signs:
        """Rows from the top with `/` between, layers or boards from the last with spaces, `-1` or `-2` for a seat
        that left."""
        words = position.split(" ")
        gone = GONE.index(words.pop()) if words[-1] in GONE else None
        state = Signs(self, self.read_marks(words, SIGNS if self.wild else SIGNS[0]), gone)
        full = state.full
        if self.floats(full):
            raise NotationError(0, "position_floating")
        lined = {board for board in self.board_masks if any(self.completed(sign & board) for sign in state.marks)}
        for board in lined:
            # The last mark on the board completed its lines: without it there was none.
            if all(
                any(self.completed(sign & board & ~(1 << i)) for sign in state.marks)
                for i in self.removable(full, full & board)
            ):
                raise NotationError(0, "position_impossible")
        dead = sum(lined)
        by_line = 1 - state.turn if len(lined) == len(self.board_masks) else None
        state = Signs(self, state.marks, gone, dead, by_line)
        if gone is not None and Signs(self, state.marks, None, dead, by_line).outcome is not None:
            raise NotationError(0, "position_impossible")
        return state

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        """The symmetries of the board (see `Board.cell_symmetries`); in the wild game also with signs exchanged."""
        if not self.wild:
            return self.cell_symmetries
        return tuple(
            tuple(2 * cell + (sign ^ exchanged) for cell in permutation for sign in (0, 1))
            for permutation in self.cell_symmetries
            for exchanged in (0, 1)
        )


@dataclass(frozen=True, slots=True, repr=False)
class Signs(OpenState):
    """The signs on the boards: bit i of `marks[0]` for a cross on cell i, of `marks[1]` for a nought.

    `gone` is the seat that left, if one did. `dead` are the cells of boards with a completed line, `by_line` is the
    seat that completed the deciding one; both follow from the marks and take no part in equality.
    """

    game: SharedTicTacToe
    marks: tuple[int, int]
    gone: int | None = None
    dead: int = field(default=0, compare=False)
    by_line: int | None = field(default=None, compare=False)

    @property
    def full(self) -> int:
        """The cells with a sign."""
        return self.marks[0] | self.marks[1]

    @property
    def turn(self) -> int:
        """The seat whose turn it is, or would be."""
        return self.full.bit_count() & 1

    @property
    def open_cells(self) -> int:
        """The cells that may be marked now, as a mask, the end of the game and gravity left aside."""
        return ~(self.full | self.dead) & (1 << self.game.cells) - 1

    @property
    def to_move(self) -> int | None:
        if self.by_line is not None or self.gone is not None or not self.open_cells:
            return None
        return self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    @property
    def outcome(self) -> Outcome | None:
        return ended(self.by_line, self.gone, not self.open_cells, self.game.options.misere)

    @property
    def position(self) -> str:
        return " ".join([self.game.text(self.marks), *([GONE[self.gone]] if self.gone is not None else [])])

    def sign(self, cell: int) -> str:
        """`x`, `o`, or nothing for a free cell."""
        return "x" if self.marks[0] >> cell & 1 else "o" if self.marks[1] >> cell & 1 else ""

    @property
    def shown_lines(self) -> tuple[int, ...]:
        """The completed lines, as masks."""
        return tuple(line for sign in self.marks for line in self.game.completed(sign)) if self.dead else ()

    def column_landing(self, cell: int) -> int | None:
        """Under gravity the cell where a mark put into this cell's column comes to rest; None where it is full."""
        return self.game.column_landing(self.full, cell)

    def moves(self) -> Sequence[Move]:
        if self.to_move is None:
            return ()
        full, actions = self.full, self.game.actions
        cells = members(self.open_cells)
        if self.game.options.gravity:
            below = self.game.below
            cells = (cell for cell in cells if full & below[cell] == below[cell])
        if not self.game.wild:
            return tuple([actions[cell] for cell in cells])
        return tuple([actions[i] for cell in cells for i in (2 * cell, 2 * cell + 1)])

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        reasons = []
        cell, _ = self.game.written[move]
        at = self.game.names[cell]
        if self.outcome is not None:
            reasons.append(Reason("over"))
        if self.full >> cell & 1:
            reasons.append(Reason("taken", (at,), {"at": at}))
        elif self.full & self.game.below[cell] != self.game.below[cell]:
            falls = self.game.names[self.game.landing(self.full, cell)]
            reasons.append(Reason("floating", (at,), {"at": at, "falls": falls}))
        if self.dead >> cell & 1 and self.game.options.boards > 1:
            reasons.append(Reason("dead_board", (at,), {"number": cell // self.game.board_cells + 1}))
        return tuple(reasons)

    def play(self, move: Move) -> Signs:
        game = self.game
        cell, sign = game.written.get(move, (-1, 0))
        full = self.full
        if cell < 0 or self.to_move is None or (full | self.dead) >> cell & 1:
            raise IllegalMove(self.refuses(move))
        if full & game.below[cell] != game.below[cell]:
            raise IllegalMove(self.refuses(move))
        crosses, noughts = self.marks
        written = (noughts if sign else crosses) | 1 << cell
        marks = (crosses, written) if sign else (written, noughts)
        if not game.completes(written, cell):
            return Signs(game, marks, None, self.dead)
        dead = self.dead | game.board_masks[cell // game.board_cells]
        return Signs(game, marks, None, dead, self.turn if dead.bit_count() == game.cells else None)

    def without(self, seat: int) -> Signs:
        check_seat(self.game, seat)
        return self if self.outcome is not None else Signs(self.game, self.marks, seat, self.dead)

    def agreed(self) -> Outcome:
        return Outcome(frozenset({0, 1}), self.scores, "agreed")
