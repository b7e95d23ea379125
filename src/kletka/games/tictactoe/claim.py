"""The line that wins only when its owner points at it: whoever doesn't notice it has nothing from it.

At one's turn one may claim a line instead of writing a mark. When the board is full the seat whose turn it would be
may still claim, and after it the other; where neither has a line the game is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kletka.games.contract import IllegalMove, Move, NotationError, Outcome, Reason, check_seat
from kletka.games.coordinates import typed
from kletka.games.tictactoe.board import ended, members, moved_mask
from kletka.games.tictactoe.own import GONE, Marks, TicTacToe, check_counts

CLAIM = "claim:"


@dataclass(frozen=True, repr=False)
class ClaimTicTacToe(TicTacToe):
    """The rules for one choice of options; `claim:a1-c3` points at a line, its cell of lower number first."""

    @cached_property
    def claims(self) -> Mapping[str, int]:
        """The line of each claim, as a mask."""
        return {self._claim(line): line for line in self.lines}

    def _claim(self, line: int) -> Move:
        cells = tuple(members(line))
        return Move(f"{CLAIM}{self.names[cells[0]]}-{self.names[cells[-1]]}")

    @cached_property
    def actions(self) -> tuple[Move, ...]:
        return (*self.names, *map(Move, self.claims))

    def start(self, setup: str | None = None) -> Claims:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Claims(self, (0, 0))

    def parse(self, text: str) -> Move:
        said = typed(text, 40)
        if not said.startswith(CLAIM):
            return self.cell_name(said)
        one, dash, other = said.removeprefix(CLAIM).partition("-")
        if not dash:
            raise NotationError(len(said), "notation")
        ends = self.cell_name(one, len(CLAIM)), self.cell_name(other, len(CLAIM) + len(one) + 1)
        first, last = sorted(ends, key=self.index.__getitem__)
        move = Move(f"{CLAIM}{first}-{last}")
        if move not in self.claims:
            raise NotationError(len(CLAIM), "not_straight", first=first, last=last, n=self.options.line)
        return move

    def read(self, position: str) -> Claims:
        """Rows from the top with `/` between, layers from the top with spaces; then `-x` or `-o` for a seat that
        left, or the claim that won."""
        words = position.split(" ")
        ending = words.pop() if words[-1] in GONE or words[-1] in self.claims else ""
        state = Claims(self, self.read_marks(words))
        check_counts(state)
        if ending and (state.to_move is None or (ending in self.claims and state.refuses(ending))):
            raise NotationError(0, "position_impossible")
        if ending in GONE:
            return Claims(self, state.marks, GONE.index(ending))
        return state.play(Move(ending)) if ending else state

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        """The symmetries of the board (see `Board.cell_symmetries`), which take claims along."""
        number = {line: self.cells + i for i, line in enumerate(self.lines)}
        return tuple(
            (*permutation, *(number[moved_mask(line, permutation)] for line in self.lines))
            for permutation in self.cell_symmetries
        )


@dataclass(frozen=True, slots=True, repr=False)
class Claims(Marks):
    """The marks on the board, with lines that nobody may have noticed, and the claim that won, if one did."""

    game: ClaimTicTacToe
    claimed: Move | None = None

    @property
    def to_move(self) -> int | None:
        if self.by_line is not None or self.gone is not None:
            return None
        turn = 1 - self.last_to_mark
        if not self.full:
            return turn
        return next((seat for seat in (turn, 1 - turn) if self.lines_of(seat)), None)

    @property
    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        return ended(self.by_line, self.gone, self.full, misere=False)

    @property
    def position(self) -> str:
        endings = ([GONE[self.gone]] if self.gone is not None else []) + ([self.claimed] if self.claimed else [])
        return " ".join([self.game.text(self.marks), *endings])

    @property
    def shown_lines(self) -> tuple[int, ...]:
        """The line that was claimed, as a mask."""
        return (self.game.claims[self.claimed],) if self.claimed else ()

    def moves(self) -> Sequence[Move]:
        """The free cells, then the claims that hold."""
        seat = self.to_move
        if seat is None:
            return ()
        lines = set(self.lines_of(seat))
        claims = [Move(claim) for claim, line in self.game.claims.items() if line in lines] if lines else []
        return (*Marks.moves(self), *claims)

    def refuses(self, move: str) -> tuple[Reason, ...]:
        line = self.game.claims.get(move)
        if line is None:
            return Marks.refuses(self, move)
        seat = self.to_move
        if seat is None:
            return (Reason("over"),)
        if line in self.lines_of(seat):
            return ()
        first, _, last = move.removeprefix(CLAIM).partition("-")
        missing = tuple(self.game.names[cell] for cell in members(line & ~self.marks[seat]))
        return (Reason("no_line", missing, {"first": first, "last": last}),)

    def play(self, move: Move) -> Claims:
        if reasons := self.refuses(move):
            raise IllegalMove(reasons)
        seat = self.to_move
        assert seat is not None
        if move in self.game.claims:
            return Claims(self.game, self.marks, None, seat, move)
        mine = self.marks[seat] | 1 << self.game.index[move]
        return Claims(self.game, (mine, self.marks[1]) if seat == 0 else (self.marks[0], mine))

    def without(self, seat: int) -> Claims:
        check_seat(self.game, seat)
        return self if self.outcome is not None else Claims(self.game, self.marks, seat)
