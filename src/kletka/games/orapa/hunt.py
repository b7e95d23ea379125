"""Orapa Mine: find the gems by what waves and questions tell, all in one mine, or each of two in the other's.

Sources: the rules of the adaptation on Board Game Arena and of the printed game (designers Junghee Choi and Wanjin
Gill). A state knows every mine and answer; a view has `~` where its seat doesn't know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from random import Random
from typing import Annotated, Literal

from annotated_types import Interval
from pydantic import Field

from kletka.games.contract import (
    LONGEST_MOVE,
    BaseGame,
    BaseState,
    IllegalMove,
    KletkaError,
    Move,
    NotationError,
    Outcome,
    Reason,
    check_seat,
    next_seat,
)
from kletka.games.coordinates import typed
from kletka.games.orapa.gems import CELL_INDEX, CELLS, PORT_INDEX, PORTS
from kletka.games.orapa.mine import (
    ABSORBED,
    COLOURS,
    GEM_COLOURS,
    Mine,
    faults,
    random_mine,
    read_clue,
    read_code,
    read_mine,
    share_code,
    some_mines,
    text_of,
    told_by_mine,
)

_MOST_BOUNCES = 40
_UNKNOWN = "~"
_GUESSES = 12
"""A game at random answers once in so many turns."""
_PLACE_LIKE = re.compile(r"[0-9]{1,3}|[0-9]{0,3}[A-Z][0-9]{0,3}")
_POSITION = re.compile(r"([^ ]+) ([^ ]+) ([0-4])([?!]) ([^ ]+) (-|[0-4]{1,5}) (-|[0-4]{1,5})")


@dataclass(frozen=True)
class Turns:
    """One mine for all, questions in turn and for all to hear."""

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 (pydantic reads a plain dict)

    mode: Literal["turns"] = "turns"
    diamond: bool = False
    blackbody: bool = False
    players: Annotated[int, Interval(ge=1, le=5)] = 1
    lives: Annotated[int, Interval(ge=1, le=9)] = 2
    whites: Literal["not_centred", "free", "no_common_axis"] = "not_centred"
    answer: Literal["colour", "bounces"] = "colour"


@dataclass(frozen=True)
class Duel:
    """Two players, each of whom hides a mine for the other; a wrong answer loses."""

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012

    mode: Literal["duel"] = "duel"
    diamond: bool = False
    blackbody: bool = False
    whites: Literal["not_centred", "free", "no_common_axis"] = "not_centred"
    answer: Literal["colour", "bounces"] = "colour"


Options = Annotated[Turns | Duel, Field(discriminator="mode")]


@dataclass(frozen=True, repr=False)
class Orapa(BaseGame):
    """The rules for one choice of options."""

    family = "orapa"
    hidden = True
    options: Turns | Duel

    @property
    def seats(self) -> int:
        return self.options.players if isinstance(self.options, Turns) else 2

    @property
    def lives(self) -> int:
        """Wrong answers that put a seat out."""
        return self.options.lives if isinstance(self.options, Turns) else 1

    @property
    def duel(self) -> bool:
        """Whether each seat hides a mine for the other; otherwise there is one for all."""
        return isinstance(self.options, Duel)

    @cached_property
    def gems(self) -> str:
        """The letters of the gems in a mine, in canonical order."""
        return "RYBWS" + "D" * self.options.diamond + "K" * self.options.blackbody

    def deal(self, rng: Random) -> str | None:
        return None if self.duel else text_of(random_mine(rng, self.gems, self.options.whites))

    def start(self, setup: str | None = None) -> Hunt:
        mines = ("", "") if self.duel else (_UNKNOWN if setup is None else self._set_up(setup),)
        if self.duel and setup is not None:
            raise NotationError(0, "bad_setup")
        return Hunt(self, mines, ((),) * len(mines), 0, False, ((),) * self.seats)

    def _set_up(self, setup: str) -> str:
        """A mine's canonical text, from its text or its share code."""
        try:
            text, found = _judged(setup, self.gems, self.options.whites)
        except NotationError:
            raise NotationError(0, "bad_setup") from None
        if found:
            raise NotationError(0, "bad_setup")
        return text

    def share_code(self, setup: str) -> str:
        return share_code(read_mine(self._set_up(setup)))

    def faults(self, mine: Mine) -> tuple[Reason, ...]:
        """Every reason why an arrangement isn't a legal mine of this game."""
        return faults(mine, self.gems, self.options.whites)

    def parse(self, text: str) -> Move:
        said = typed(text, LONGEST_MOVE).upper()
        if not said:
            raise NotationError(0, "notation")
        if "=" in said:
            raise NotationError(said.index("="), "told")
        word, colon, mine = said.partition(":")
        if colon and word in ("ANSWER", "HIDE"):
            try:
                return Move(f"{word.lower()}:{text_of(read_mine(mine))}")
            except NotationError as error:
                error.at += len(word) + 1
                raise
        if said == "DONE":
            return Move("done")
        turned = said[1:] + said[:1]
        for name in (said, turned):
            if name in PORT_INDEX or name in CELL_INDEX:
                return Move(name)
        raise NotationError(
            0, "no_place" if re.fullmatch(r"[0-9]{1,3}|[0-9]{0,3}[A-Z][0-9]{0,3}", said) else "notation"
        )

    def read(self, position: str) -> Hunt:
        found = _POSITION.fullmatch(position) if len(position) <= 8 * LONGEST_MOVE else None
        if not found:
            raise NotationError(0, "position_sign")
        mines = tuple(self._read_secret(text) for text in found[1].split("/"))
        logs = tuple(_split(text, ",") for text in found[2].split("/"))
        tried = tuple(tuple(map(self._read_secret, _split(text, ";"))) for text in found[5].split("/"))
        turn, right, gone = (
            int(found[3]),
            tuple(map(int, found[6].strip("-"))),
            frozenset(map(int, found[7].strip("-"))),
        )
        count = 2 if self.duel else 1
        seats = range(self.seats)
        if (len(mines), len(logs), len(tried)) != (count, count, len(seats)) or not {turn, *right, *gone} <= set(seats):
            raise NotationError(0, "position_sign")
        state = Hunt(self, mines, logs, turn, found[4] == "!", tried, right, gone)
        state.check()
        if state.position != position:
            raise NotationError(0, "position_sign")
        return state

    def _read_secret(self, text: str) -> str:
        """A mine's canonical text, `~`, or nothing (written `-`)."""
        if text in (_UNKNOWN, "-"):
            return text.strip("-")
        mine = read_mine(text)
        if self.faults(mine) or text_of(mine) != text:
            raise NotationError(0, "position_sign")
        return text


@lru_cache(maxsize=256)
def _judged(text: str, gems: str, whites: str) -> tuple[str, tuple[Reason, ...]]:
    """A mine's canonical text, from its text or its share code, and every reason why it isn't a legal one.

    A game is replayed often, also for those who mustn't know the mine: how long this takes would tell of it. Raises
    NotationError.
    """
    mine = read_code(text, gems) or read_mine(text)
    return text_of(mine), faults(mine, gems, whites)


def _closes(entry: str) -> set[str]:
    """What an answered question closes: the square, or the port where the wave began and the one where it left."""
    clue = read_clue(entry)
    return {clue.question, clue.exit or clue.question}


def _split(text: str, by: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(by))


@dataclass(frozen=True, repr=False)
class Hunt(BaseState):
    """`mines`: the text of each mine, empty before it is hidden. `logs`: the answered questions about each mine.

    `turn` is the seat whose turn it is or would be; `asked` says that it has asked in this turn. `tried` are each
    seat's answers, the last of a seat in `right` being right, all others wrong. `~` is what a view doesn't know.
    """

    game: Orapa
    mines: tuple[str, ...]
    logs: tuple[tuple[str, ...], ...]
    turn: int
    asked: bool
    tried: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()

    # What everybody knows

    @property
    def hiding(self) -> bool:
        """Whether a mine is still to be hidden."""
        return "" in self.mines

    def sought(self, seat: int) -> int:
        """The number of the mine that a seat looks for."""
        return 1 - seat if self.game.duel else 0

    @property
    def log(self) -> tuple[str, ...]:
        """The answered questions about the mine that the seat whose turn it is looks for."""
        return self.logs[self.sought(self.turn)]

    def wrong(self, seat: int) -> tuple[str, ...]:
        """A seat's wrong answers."""
        return self.tried[seat][: len(self.tried[seat]) - (seat in self.right)]

    def lives(self, seat: int) -> int:
        """Lives that a seat has left; none where it is gone."""
        return 0 if seat in self.gone else self.game.lives - len(self.wrong(seat))

    def closed(self, mine: int) -> frozenset[str]:
        """The ports and squares of a mine that can't be asked any more."""
        return frozenset(name for entry in self.logs[mine] for name in _closes(entry))

    @property
    def scores(self) -> tuple[int, ...]:
        return (0,) * self.game.seats

    @property
    def to_move(self) -> int | None:
        return None if self.outcome else self.turn

    @property
    def outcome(self) -> Outcome | None:
        out = [seat for seat in range(self.game.seats) if self.lives(seat) <= 0]
        if not self.game.duel:
            if self.right:
                return Outcome(frozenset(self.right), self.scores, "solved")
            if len(out) == self.game.seats:
                return Outcome(frozenset(), self.scores, "left" if len(self.gone) == self.game.seats else "out")
            return None
        if len(self.right) == 2:
            return Outcome(frozenset(self.right), self.scores, "both")
        if len(self.gone) == 2:
            return Outcome(frozenset(), self.scores, "left")
        if out:
            solved = self.right and not self.gone
            return Outcome(frozenset({1 - out[0]}), self.scores, "solved" if solved else "left" if self.gone else "out")
        # The first to begin leaves the other one more turn.
        if (self.right and self.turn == self.right[0]) or self.right == (1,):
            return Outcome(frozenset(self.right), self.scores, "solved")
        return None

    @property
    def position(self) -> str:
        mines = "/".join(mine or "-" for mine in self.mines)
        logs = "/".join(",".join(log) or "-" for log in self.logs)
        tried = "/".join(";".join(mines) or "-" for mines in self.tried)
        right = "".join(map(str, self.right)) or "-"
        gone = "".join(map(str, sorted(self.gone))) or "-"
        return f"{mines} {logs} {self.turn}{'!' if self.asked else '?'} {tried} {right} {gone}"

    def check(self) -> None:
        """Raise NotationError where this can't be a state of the game."""
        good = self._lives_agree() and self._hiding_agrees()
        for number, log in enumerate(self.logs):
            closed: set[str] = set()
            for entry in log:
                question, _, said = entry.partition("=")
                good &= question not in closed and self._answers(number, question, said, closed)
                closed |= _closes(entry)
        for seat, texts in enumerate(self.tried):
            mine = self.mines[self.sought(seat)]
            known = [text for text in texts if text != _UNKNOWN]
            good &= "" not in texts and len(set(known)) == len(known)
            if mine not in ("", _UNKNOWN):
                wrong = self.wrong(seat)
                good &= mine not in wrong and (wrong == texts or texts[-1] in (mine, _UNKNOWN))
        if not good:
            raise NotationError(0, "position_contradiction")

    def _lives_agree(self) -> bool:
        if len(set(self.right)) < len(self.right) or not all(self.tried[seat] for seat in self.right):
            return False
        spent = [len(self.wrong(seat)) for seat in range(self.game.seats)]
        return max(spent) <= self.game.lives and (self.outcome is not None or self.lives(self.turn) > 0)

    def _hiding_agrees(self) -> bool:
        if not self.hiding:
            return not self.asked or bool(self.log)
        fresh = not (self.asked or any(self.logs) or any(self.tried))
        return (
            self.game.duel and fresh and self.mines.index("") == self.turn and (self.turn == 1 or not any(self.mines))
        )

    def _answers(self, number: int, question: str, said: str, closed: AbstractSet[str]) -> bool:
        """Whether this can be what the mine of that number answers: the truth where the mine is known."""
        mine = self.mines[number]
        if question not in CELL_INDEX and question not in PORT_INDEX:
            return False
        if mine not in ("", _UNKNOWN):
            return said == told_by_mine(mine, self.game.options.answer)[question]
        if question in CELL_INDEX:
            return said == "nothing" or said in {GEM_COLOURS[gem] for gem in self.game.gems}
        if said == ABSORBED:
            return self.game.options.blackbody
        port, _, rest = said.partition(".")
        told = COLOURS.values() if self.game.options.answer == "colour" else map(str, range(_MOST_BOUNCES))
        return port in PORT_INDEX and port not in closed and rest in told

    # What a seat may do

    def hides(self, seat: int) -> bool:
        """Whether a seat has still to hide its mine."""
        return self.game.duel and not self.mines[seat]

    def questions(self) -> list[Move]:
        """The ports and squares about which the seat whose turn it is has not been told yet."""
        closed = self.closed(self.sought(self.turn))
        return [Move(name) for name in chain(PORTS, CELLS) if name not in closed]

    def moves(self) -> Sequence[Move]:
        if self.outcome:
            return ()
        if self.hiding:
            return (Move(f"hide:{self._some_mine(())}"),)
        if self.asked:
            return (Move("done"),)
        return self.questions() or (Move(f"answer:{self._some_mine(self.log)}"),)

    def _some_mine(self, log: Sequence[str]) -> str:
        """A legal arrangement that the seat hasn't tried, one that agrees with what it knows if there is any."""
        options = self.game.options
        for known in (log, ()):
            for mine in some_mines(self.game.gems, options.whites, known, options.answer):
                if text_of(mine) not in self.tried[self.turn]:
                    return text_of(mine)
        raise AssertionError("there are more mines than lives")

    def sample(self, rng: Random) -> Move:
        some = text_of(random_mine(rng, self.game.gems, self.game.options.whites))
        if self.hiding:
            return Move(f"hide:{some}")
        if rng.randrange(_GUESSES) == 0 and some not in self.tried[self.turn]:
            return Move(f"answer:{some}")
        return rng.choice(self.moves())

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        reasons = [Reason("over")] if self.outcome else []
        word, colon, mine = move.partition(":")
        if self.hiding != (word == "hide"):
            reasons.append(Reason("hide_first" if self.hiding else "not_hiding"))
        if colon:
            reasons += _judged(mine, self.game.gems, self.game.options.whites)[1]
            if word == "answer" and mine in self.tried[self.turn]:
                reasons.append(Reason("tried"))
        elif move == "done":
            if not self.asked and not self.hiding:
                reasons.append(Reason("nothing_asked"))
        else:
            if self.asked:
                reasons.append(Reason("asked_already"))
            if move in self.closed(self.sought(self.turn)):
                reasons.append(Reason("answered", (move,), {"at": move}))
        return tuple(reasons)

    # Playing, telling and hearing

    def _answered(self, move: Move) -> str:
        """The move with its answer, as its own seat hears it. Raises IllegalMove, and KletkaError in a view."""
        if reasons := self.refuses(move):
            raise IllegalMove(reasons)
        word, colon, mine = move.partition(":")
        if word in ("hide", "done"):
            return move
        secret = self.mines[self.sought(self.turn)]
        if secret == _UNKNOWN:
            raise KletkaError("unanswerable")
        if colon:
            return f"{move}={'right' if mine == secret else 'wrong'}"
        return f"{move}={told_by_mine(secret, self.game.options.answer)[move]}"

    def play(self, move: Move) -> Hunt:
        return self._after(self._answered(move))

    def told(self, move: Move, seat: int | None) -> str:
        if move.startswith("hide:"):
            if reasons := self.refuses(move):
                raise IllegalMove(reasons)
            return move if seat == self.turn else f"hide:{_UNKNOWN}"
        said = self._answered(move)
        if not move.startswith("answer:") or seat == self.turn:
            return said
        return f"answer:{_UNKNOWN}={said.rpartition('=')[2]}"

    def hear(self, told: str) -> Hunt:
        move, equals, said = told.partition("=")
        word, colon, mine = move.partition(":")
        private = colon and mine == _UNKNOWN and word in ("hide", "answer")
        if private:
            refused = [Reason("over")] if self.outcome else []
            if self.hiding != (word == "hide"):
                refused.append(Reason("hide_first" if self.hiding else "not_hiding"))
        else:
            refused = list(self.refuses(move))
        if refused:
            raise IllegalMove(refused)
        if word in ("hide", "done"):
            good = not equals
        elif word == "answer":
            secret = self.mines[self.sought(self.turn)]
            known = secret != _UNKNOWN and not private
            good = said in ("right", "wrong") and (not known or (said == "right") == (mine == secret))
        else:
            number = self.sought(self.turn)
            good = self._answers(number, move, said, self.closed(number))
        if not good:
            raise NotationError(len(move), "notation")
        return self._after(told)

    def _after(self, told: str) -> Hunt:
        move, _, said = told.partition("=")
        word, _, mine = move.partition(":")
        if word == "hide":
            hidden = tuple(mine if seat == self.turn else old for seat, old in enumerate(self.mines))
            return replace(self, mines=hidden, turn=1 - self.turn)
        if word == "done":
            return self._passed()
        if word != "answer":
            number = self.sought(self.turn)
            logs = tuple((*log, told) if n == number else log for n, log in enumerate(self.logs))
            return replace(self, logs=logs, asked=True)
        tried = tuple((*texts, mine) if seat == self.turn else texts for seat, texts in enumerate(self.tried))
        right = (*self.right, self.turn) if said == "right" else self.right
        return replace(self, tried=tried, right=right)._passed()

    def _passed(self) -> Hunt:
        """The next seat's turn; where nobody is left, nothing depends on whose it is."""
        out = [seat for seat in range(self.game.seats) if self.lives(seat) <= 0]
        if len(out) == self.game.seats:
            return replace(self, asked=False)
        return replace(self, turn=next_seat(self.turn, self.game.seats, out), asked=False)

    def seen_by(self, seat: int | None) -> Hunt:
        def seen(owner: int, text: str) -> str:
            return text if owner == seat or not text else _UNKNOWN

        mines = tuple(seen(owner if self.game.duel else -1, text) for owner, text in enumerate(self.mines))
        tried = tuple(tuple(seen(owner, text) for text in texts) for owner, texts in enumerate(self.tried))
        return replace(self, mines=mines, tried=tried)

    def without(self, seat: int) -> Hunt:
        check_seat(self.game, seat)
        if self.outcome or seat in self.gone:
            return self
        left = replace(self, gone=self.gone | {seat})
        return left if left.outcome or self.turn != seat else left._passed()

    def agreed(self) -> Outcome:
        staying = frozenset(seat for seat in range(self.game.seats) if self.lives(seat) > 0)
        return Outcome(staying, self.scores, "agreed")
