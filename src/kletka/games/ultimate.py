"""Ultimate tic-tac-toe: nine small boards on a large one, the cell just played names the board to play in.

Sources: the game as commonly played today, in which a claimed board is closed. Boards that stay open until full
(Ben Orlin, "Ultimate Tic-Tac-Toe", 2013) and counting boards are known variants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal

from kletka.games.contract import (
    IllegalMove,
    Move,
    NotationError,
    OpenGame,
    OpenState,
    Outcome,
    Reason,
    check_seat,
)
from kletka.games.coordinates import read_square, square, typed
from kletka.games.family import Family, Preset

SIGNS = "xo"
GONE = ("-x", "-o")
ANY = "any"
"""What a position says instead of a board where the next move may go to any of them."""

SQUARES = tuple(square(column, row) for row in range(3) for column in range(3))
"""The nine squares of a board, small or large, by number: a1, b1, c1, a2, ... c3."""
FROM_TOP = tuple(row * 3 + column for row in (2, 1, 0) for column in range(3))
"""The numbers of the nine squares as they are read: row by row from the top, left to right."""

_WHOLE = 0b111_111_111
_LINES = (0b111, 0b111_000, 0b111_000_000, 0b001_001_001, 0b010_010_010, 0b100_100_100, 0b100_010_001, 0b001_010_100)
LINED = tuple(any(cells & line == line for line in _LINES) for cells in range(_WHOLE + 1))
"""For each set of squares (bit i for square i) whether it holds three in a row."""

_MOVES = tuple(Move(board + cell) for board in SQUARES for cell in SQUARES)
_INDEX: dict[str, int] = {move: i for i, move in enumerate(_MOVES)}
_BOARD_OF_NAME = {name: i for i, name in enumerate(SQUARES)}


@dataclass(frozen=True)
class Options:
    """`won_boards`: whether a claimed board is closed or played on; `no_line`: whether a game without three
    boards in a row is a draw or goes by the number of boards; `misere`: three boards in a row lose.
    """

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 (pydantic reads a plain dict)

    won_boards: Literal["closed", "open"] = "closed"
    no_line: Literal["draw", "count"] = "draw"
    misere: bool = False


@dataclass(frozen=True, repr=False)
class Ultimate(OpenGame):
    """The rules for one choice of options. A move names a board, then a cell in it: `b2c1`.

    Three in a row on a small board claim it; a full board without them is nobody's. The cell just played names
    the board where the next move must go; where that board is claimed or full (with `won_boards=open`: full), the
    next move may go to any other board. Three claimed boards in a row win. Where there is no move left the game
    is drawn, or with `no_line=count` won by whoever claimed more boards. In misère three boards in a row lose and
    fewer boards win.
    """

    family = "ultimate"
    options: Options

    @property
    def seats(self) -> int:
        return 2

    @property
    def actions(self) -> tuple[Move, ...]:
        return _MOVES

    @cached_property
    def closes(self) -> bool:
        """Whether nobody may play in a claimed board."""
        return self.options.won_boards == "closed"

    def start(self, setup: str | None = None) -> Boards:
        if setup is not None:
            raise NotationError(0, "bad_setup")
        return Boards(self, (0, 0), (0, 0), None)

    def parse(self, text: str) -> Move:
        name = typed(text, 16)
        if name in _INDEX:
            return Move(name)
        halves = (read_square(name[: len(name) // 2]), read_square(name[len(name) // 2 :]))
        raise NotationError(0, "off_board" if all(halves) else "notation")

    def read(self, position: str) -> Boards:
        """Nine boards of nine cells with `/` between, their owners, the board to play in.

        Boards and cells go row by row from the top; `any` stands for a free choice of the board, and `-x` or `-o`
        follow for a seat that left. A text of just 81 characters is read too: the cells board by board in the same
        order, `.` or a space where one is empty, the last move as a capital. Without a capital the next move
        may go anywhere. With `won_boards=open` such a text can't say who claimed a board where both have a line, so
        it is refused.
        """
        return self._imported(position) if "/" not in position else self._read(position)

    def _read(self, position: str) -> Boards:
        words = position.split(" ")
        gone = GONE.index(words.pop()) if words[-1] in GONE else None
        if len(words) != 3:
            raise NotationError(0, "position_boards")
        cells, owners, target = words
        boards = cells.split("/")
        if len(boards) != 9:
            raise NotationError(0, "position_boards")
        at = 0
        for text in boards:
            if len(text) != 9:
                raise NotationError(at, "position_cells")
            _check_signs(text, at)
            at += 10
        if len(owners) != 9:
            raise NotationError(at, "position_owners")
        _check_signs(owners, at)
        at += 10
        if target != ANY and target not in _BOARD_OF_NAME:
            raise NotationError(at, "position_target")
        marks = (_marks_of(boards, "x"), _marks_of(boards, "o"))
        owned = (_squares_of(owners, "x"), _squares_of(owners, "o"))
        state = Boards(self, marks, owned, _BOARD_OF_NAME.get(target), gone)
        _check_counts(state)
        for i, board in enumerate(FROM_TOP):
            lined = [seat for seat in (0, 1) if LINED[state.cells(seat, board)]]
            owner = state.owner(board)
            if owner not in lined if lined else owner is not None:
                raise NotationError(90 + i, "position_owners")
        _check_possible(state)
        if state.target is not None and (state.decided or not _may_send(state, state.target)):
            raise NotationError(at, "position_target")
        if gone is not None and Boards(self, marks, owned, state.target).outcome is not None:
            raise NotationError(0, "position_impossible")
        return state

    def _imported(self, text: str) -> Boards:
        if len(text) != 81:
            raise NotationError(min(len(text), 81), "position_length")
        for at, sign in enumerate(text):
            if sign not in "xXoO. ":
                raise NotationError(at, "position_sign")
        boards = [text[start : start + 9].lower() for start in range(0, 81, 9)]
        marks = (_marks_of(boards, "x"), _marks_of(boards, "o"))
        owned = [0, 0]
        for i, board in enumerate(FROM_TOP):
            lined = [seat for seat in (0, 1) if LINED[marks[seat] >> 9 * board & _WHOLE]]
            if len(lined) > 1:
                raise NotationError(9 * i, "position_impossible" if self.closes else "position_owners")
            for seat in lined:
                owned[seat] |= 1 << board
        state = Boards(self, marks, (owned[0], owned[1]), None)
        _check_counts(state)
        _check_possible(state)
        capitals = [at for at, sign in enumerate(text) if sign in "XO"]
        if not capitals:
            return state
        last = capitals[-1]
        if len(capitals) > 1 or text[last].lower() != SIGNS[state.last_to_mark] or not _may_be_last(state, last):
            raise NotationError(last, "position_last")
        target = FROM_TOP[last % 9]
        free = state.decided or state.shut >> target & 1
        return Boards(self, marks, state.owned, None if free else target)

    def symmetries(self) -> Sequence[tuple[int, ...]]:
        """The eight of the square, acting on boards and cells alike."""
        return tuple(
            tuple(turned[board] * 9 + turned[cell] for board, cell in product(range(9), repeat=2))
            for turned in _turns()
        )


def _turns() -> Iterator[tuple[int, ...]]:
    for across, up, swapped in product((False, True), repeat=3):
        turned = []
        for row, column in product(range(3), repeat=2):
            y, x = 2 - row if up else row, 2 - column if across else column
            turned.append(x * 3 + y if swapped else y * 3 + x)
        yield tuple(turned)


def _check_signs(text: str, at: int) -> None:
    for i, sign in enumerate(text):
        if sign not in "xo.":
            raise NotationError(at + i, "position_sign")


def _squares_of(text: str, sign: str) -> int:
    """The squares of nine signs that have this one, as a mask."""
    return sum(1 << FROM_TOP[i] for i, at in enumerate(text) if at == sign)


def _marks_of(boards: Sequence[str], sign: str) -> int:
    return sum(_squares_of(text, sign) << 9 * FROM_TOP[i] for i, text in enumerate(boards))


def _check_counts(state: Boards) -> None:
    if state.marks[0].bit_count() - state.marks[1].bit_count() not in (0, 1):
        raise NotationError(0, "position_counts")


def _check_possible(state: Boards) -> None:
    """Only whoever marked last may have a row of boards, and where claimed boards are closed, one mark claimed each."""
    last = state.last_to_mark
    if LINED[state.owned[1 - last]]:
        raise NotationError(0, "position_impossible")
    if state.game.closes:
        for i, board in enumerate(FROM_TOP):
            owner = state.owner(board)
            if owner is not None and (LINED[state.cells(1 - owner, board)] or not _claiming(state.cells(owner, board))):
                raise NotationError(10 * i, "position_impossible")
    if LINED[state.owned[last]] and not any(
        not LINED[state.owned[last] & ~(1 << board)]
        and _claiming(state.cells(last, board))
        and not LINED[state.cells(1 - last, board)]
        for board in range(9)
    ):
        raise NotationError(0, "position_impossible")


def _claiming(cells: int) -> int:
    """The squares without which these hold no three in a row, as a mask."""
    return sum(1 << i for i in range(9) if cells >> i & 1 and not LINED[cells & ~(1 << i)])


def _may_send(state: Boards, target: int) -> bool:
    """Whether the last mark may lie in a cell that names this board, and the board is open."""
    return not state.shut >> target & 1 and any(
        state.marks[state.last_to_mark] >> 9 * board + target & 1 for board in range(9)
    )


def _may_be_last(state: Boards, at: int) -> bool:
    """Whether the mark at this place of an imported text may have come last: no game goes on after a row of boards."""
    if not state.decided:
        return True
    board, cell = FROM_TOP[at // 9], FROM_TOP[at % 9]
    seat = state.last_to_mark
    claimed = state.owned[seat] & ~(1 << board)
    return not LINED[claimed] and bool(_claiming(state.cells(seat, board)) >> cell & 1)


@dataclass(frozen=True, slots=True, repr=False)
class Boards(OpenState):
    """The marks and who claimed which board.

    Bit 9 * board + cell of `marks[seat]` is a mark, bit i of `owned[seat]` a claimed board. `target` is the board
    where the next move must go, None where it may go anywhere; `gone` is the seat that left, if one did.
    """

    game: Ultimate
    marks: tuple[int, int]
    owned: tuple[int, int]
    target: int | None
    gone: int | None = None

    def cells(self, seat: int, board: int) -> int:
        """A seat's marks on a small board, bit i for square i."""
        return self.marks[seat] >> 9 * board & _WHOLE

    def sign(self, board: int, cell: int) -> str:
        """`x`, `o`, or nothing for a free cell."""
        return _sign(self.marks, 9 * board + cell)

    def owner(self, board: int) -> int | None:
        """The seat that claimed a board, if one did."""
        return 0 if self.owned[0] >> board & 1 else 1 if self.owned[1] >> board & 1 else None

    @property
    def full(self) -> int:
        """The boards without a free cell, as a mask."""
        marked = self.marks[0] | self.marks[1]
        return sum([1 << board for board in range(9) if marked >> 9 * board & _WHOLE == _WHOLE])

    @property
    def shut(self) -> int:
        """The boards where nobody may play any more, as a mask."""
        return self.full | self.owned[0] | self.owned[1] if self.game.closes else self.full

    @property
    def open_boards(self) -> tuple[int, ...]:
        """The boards where the next move may go; none when the game is over."""
        if self.to_move is None:
            return ()
        if self.target is not None:
            return (self.target,)
        shut = self.shut
        return tuple([board for board in range(9) if not shut >> board & 1])

    def rows(self, seat: int) -> int:
        """The claimed boards of a seat that stand three in a row, as a mask."""
        boards = 0
        for line in _LINES:
            boards |= line if self.owned[seat] & line == line else 0
        return boards

    def claimed_with(self, board: int, cell: int) -> int | None:
        """The seat that claimed a board with the mark that came last, where it lies in this cell; None if none did."""
        owner = self.owner(board)
        last = owner is not None and owner == self.last_to_mark
        return owner if last and not LINED[self.cells(self.last_to_mark, board) & ~(1 << cell)] else None

    @property
    def decided(self) -> bool:
        """Whether somebody has three boards in a row."""
        return LINED[self.owned[0]] or LINED[self.owned[1]]

    @property
    def last_to_mark(self) -> int:
        """The seat whose mark came last (the second on empty boards)."""
        return 1 - (self.marks[0].bit_count() - self.marks[1].bit_count())

    @property
    def to_move(self) -> int | None:
        if self.gone is not None or self.decided or self.shut == _WHOLE:
            return None
        return 1 - self.last_to_mark

    @property
    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    @property
    def outcome(self) -> Outcome | None:
        for seat in (0, 1):
            if LINED[self.owned[seat]]:
                if self.game.options.misere:
                    return Outcome(frozenset({1 - seat}), self.scores, "misere")
                return Outcome(frozenset({seat}), self.scores, "line")
        if self.gone is not None:
            return Outcome(frozenset({1 - self.gone}), self.scores, "left")
        if self.shut == _WHOLE:
            winners = self._ahead()
            return Outcome(winners, self.scores, "full" if len(winners) == 2 else "boards")
        return None

    def _ahead(self) -> frozenset[int]:
        """Who wins where no row of boards decides."""
        more = self.owned[0].bit_count() - self.owned[1].bit_count()
        if self.game.options.no_line == "draw" or more == 0:
            return frozenset({0, 1})
        return frozenset({int(more < 0) ^ int(self.game.options.misere)})

    @property
    def position(self) -> str:
        boards = "/".join("".join(self.sign(board, cell) or "." for cell in FROM_TOP) for board in FROM_TOP)
        owners = "".join(_sign(self.owned, board) or "." for board in FROM_TOP)
        target = ANY if self.target is None else SQUARES[self.target]
        return " ".join([boards, owners, target, *([GONE[self.gone]] if self.gone is not None else [])])

    def moves(self) -> Sequence[Move]:
        if self.gone is not None or self.decided:
            return ()
        marked = self.marks[0] | self.marks[1]
        shut = self.shut
        boards = range(9) if self.target is None else (self.target,)
        return tuple(
            [
                _MOVES[9 * board + cell]
                for board in boards
                if not shut >> board & 1
                for cell in range(9)
                if not marked >> 9 * board + cell & 1
            ]
        )

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        reasons = []
        at = _INDEX[move]
        board = at // 9
        over = self.outcome is not None
        if over:
            reasons.append(Reason("over"))
        if (self.marks[0] | self.marks[1]) >> at & 1:
            reasons.append(Reason("taken", (move,), {"at": move}))
        if self.shut >> board & 1:
            reasons.append(Reason("closed_board", (move,), {"at": move, "board": SQUARES[board]}))
        if not over and self.target not in (None, board):
            reasons.append(Reason("elsewhere", (move,), {"at": move, "board": SQUARES[self.target or 0]}))
        return tuple(reasons)

    def play(self, move: Move) -> Boards:
        at = _INDEX.get(move, -1)
        seat = self.to_move
        board, cell = divmod(at, 9)
        if (
            at < 0
            or seat is None
            or self.target not in (None, board)
            or (self.marks[0] | self.marks[1]) >> at & 1
            or self.shut >> board & 1
        ):
            raise IllegalMove(self.refuses(move))
        marks, owned = list(self.marks), list(self.owned)
        marks[seat] |= 1 << at
        if self.owner(board) is None and LINED[marks[seat] >> 9 * board & _WHOLE]:
            owned[seat] |= 1 << board
        after = Boards(self.game, (marks[0], marks[1]), (owned[0], owned[1]), cell)
        if after.shut >> cell & 1 or after.decided:
            return Boards(self.game, after.marks, after.owned, None)
        return after

    def without(self, seat: int) -> Boards:
        check_seat(self.game, seat)
        if self.outcome is not None:
            return self
        return Boards(self.game, self.marks, self.owned, self.target, seat)

    def agreed(self) -> Outcome:
        return Outcome(frozenset({0, 1}), self.scores, "agreed")


def _sign(sets: tuple[int, int], at: int) -> str:
    return "x" if sets[0] >> at & 1 else "o" if sets[1] >> at & 1 else ""


FAMILY = Family(
    name="ultimate",
    options=Options,
    make=Ultimate,
    presets=(
        Preset("standard", "ultimate"),
        Preset("count", "ultimate:no_line=count"),
        Preset("open", "ultimate:won_boards=open"),
        Preset("misere", "ultimate:misere=true"),
    ),
    reasons=("over", "notation", "off_board", "taken", "closed_board", "elsewhere"),
    results=("line", "misere", "boards", "full", "left", "agreed"),
    seat_words=("cross", "nought"),
)
