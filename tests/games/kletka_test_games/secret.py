"""Hide and ask: each seat hides a number, then they ask in turn; answers are private.

A number drawn for both (the set-up) is cursed: asked, it answers `nothing`. A hit ends the game for all to hear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from kletka.drawing.scene import Mark, Name, PlainDrawing, Scene, TextPlan
from kletka.games import (
    BaseGame,
    BaseState,
    Family,
    IllegalMove,
    Move,
    NotationError,
    Outcome,
    Preset,
    Reason,
)
from kletka.games.contract import KletkaError, check_seat
from kletka_test_games import WORDS, row

NUMBERS = tuple("123456")
MOVES = tuple(Move(f"{verb}-{number}") for verb in ("hide", "ask") for number in NUMBERS)
ANSWERS = {"yes": "y", "no": "n", "nothing": "0", "~": "~"}


@dataclass(frozen=True)
class Options:
    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012


@dataclass(frozen=True, repr=False)
class Secret(BaseGame):
    family = "secret"
    hidden = True
    options: Options

    @property
    def seats(self) -> int:
        return 2

    @property
    def actions(self) -> tuple[Move, ...]:
        return MOVES

    def deal(self, rng: Random) -> str:
        return rng.choice(NUMBERS)

    def start(self, setup: str | None = None) -> Secrets:
        if setup is not None and setup not in NUMBERS:
            raise NotationError(0, "bad_setup")
        return Secrets(self, setup or "~", ("", ""), ("", ""))

    def parse(self, text: str) -> Move:
        if text.strip().lower() in MOVES:
            return Move(text.strip().lower())
        raise NotationError(0, "notation")

    def read(self, position: str) -> Secrets:
        words = position.split(" ")
        if len(words) != 6:
            raise NotationError(0, "position_sign")
        known = {"~", *NUMBERS}
        cursed, first, second, *asked, gone = words
        good = cursed in known and {first, second} <= known | {"-"} and gone in ("-", "0", "1")
        answered = all(len(a) % 2 == 0 and set(a[::2]) <= set(NUMBERS) and set(a[1::2]) <= set("yn0~") for a in asked)
        if not good or not answered:
            raise NotationError(0, "position_sign")
        return Secrets(
            self,
            cursed,
            (first.strip("-"), second.strip("-")),
            (asked[0], asked[1]),
            None if gone == "-" else int(gone),
        )


@dataclass(frozen=True, repr=False)
class Secrets(BaseState):
    """`hid` is "" before hiding, "~" where unknown; `asked` pairs number and answer (y, n, 0 nothing, ~ unheard)."""

    game: Secret
    cursed: str
    hid: tuple[str, str]
    asked: tuple[str, str]
    gone: int | None = None

    @property
    def _turn(self) -> int:
        if "" in self.hid:
            return self.hid.index("")
        return int(len(self.asked[0]) > len(self.asked[1]))

    @property
    def to_move(self) -> int | None:
        return None if self.outcome else self._turn

    @property
    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    @property
    def outcome(self) -> Outcome | None:
        for seat in (0, 1):
            if "y" in self.asked[seat]:
                return Outcome(frozenset({seat}), self.scores, "found")
        if self.gone is not None:
            return Outcome(frozenset({1 - self.gone}), self.scores, "left")
        full = len(self.asked[1]) == 2 * len(NUMBERS)
        return Outcome(frozenset(), self.scores, "full") if full else None

    @property
    def position(self) -> str:
        asked = " ".join(self.asked)
        hid = " ".join(number or "-" for number in self.hid)
        return f"{self.cursed} {hid} {asked} {'-' if self.gone is None else self.gone}"

    def moves(self) -> Sequence[Move]:
        return () if self.outcome else tuple(move for move in MOVES if not self.refuses(move))

    def refuses(self, move: str) -> tuple[Reason, ...]:
        if bad := self.unreadable(move):
            return bad
        verb, _, number = move.partition("-")
        reasons = [Reason("over")] if self.outcome else []
        if verb != ("hide" if "" in self.hid else "ask"):
            reasons.append(Reason("wrong_verb"))
        elif number in self.asked[self._turn][::2]:
            reasons.append(Reason("asked", (move,), {"at": number}))
        return tuple(reasons)

    def _answer(self, move: Move) -> str:
        if reasons := self.refuses(move):
            raise IllegalMove(reasons)
        number = move[-1]
        other = self.hid[1 - self._turn]
        if "~" in (self.cursed, other):
            raise KletkaError("unanswerable")
        return "nothing" if number == self.cursed else "yes" if number == other else "no"

    def play(self, move: Move) -> Secrets:
        if move.startswith("hide"):
            if reasons := self.refuses(move):
                raise IllegalMove(reasons)
            return self.hear(move)
        return self.hear(f"{move}={self._answer(move)}")

    def told(self, move: Move, seat: int | None) -> str:
        if move.startswith("hide"):
            return move if seat == self._turn else "hide=~"
        answer = self._answer(move)
        return f"{move}={answer if seat == self._turn or answer == 'yes' else '~'}"

    def hear(self, told: str) -> Secrets:
        said, _, answer = told.partition("=")
        turn = self._turn
        if said == "hide" and answer == "~":
            return self._hidden(turn, "~")
        if reasons := self.refuses(said):
            raise IllegalMove(reasons)
        if said.startswith("hide") and not answer:
            return self._hidden(turn, said[-1])
        if answer not in ANSWERS or said.startswith("hide"):
            raise NotationError(len(said), "notation")
        asked = list(self.asked)
        asked[turn] += said[-1] + ANSWERS[answer]
        return replace(self, asked=(asked[0], asked[1]))

    def _hidden(self, turn: int, number: str) -> Secrets:
        hid = list(self.hid)
        hid[turn] = number
        return replace(self, hid=(hid[0], hid[1]))

    def seen_by(self, seat: int | None) -> Secrets:
        hid = [number if s == seat or not number else "~" for s, number in enumerate(self.hid)]
        asked = [
            "".join(c if s == seat or c in "y123456" else "~" for c in answers) for s, answers in enumerate(self.asked)
        ]
        return replace(self, cursed="~", hid=(hid[0], hid[1]), asked=(asked[0], asked[1]))

    def sample(self, rng: Random) -> Move:
        return rng.choice(self.moves())

    def without(self, seat: int) -> Secrets:
        check_seat(self.game, seat)
        return self if self.outcome else replace(self, gone=seat)

    def agreed(self) -> Outcome:
        return Outcome(frozenset({0, 1}), self.scores, "agreed")


class _Drawing(PlainDrawing):
    rows = (MOVES[:6], MOVES[6:])

    def _shown(self, view: Secrets) -> Mapping[str, int | str]:
        shown: dict[str, int | str] = {f"hide-{number}": "*" for number in view.hid if number in NUMBERS}
        for answers in view.asked:
            for number, answer in zip(answers[::2], answers[1::2], strict=True):
                if answer != "~":
                    shown[f"ask-{number}"] = answer
        return shown

    def scene(self, game: Secret) -> Scene:
        return row.scene(self.rows)

    def marks(self, view: Secrets, last: Sequence[str]) -> dict[str, Mark]:
        return row.marks(self.scene(view.game), self._shown(view), last)

    def names(self, view: Secrets) -> dict[str, Name]:
        return row.names(self.scene(view.game), view, self._shown(view))

    def plan(self, game: Secret) -> TextPlan:
        return row.plan(self.rows)


FAMILY = Family(
    "secret",
    Options,
    Secret,
    (Preset("plain", "secret"),),
    reasons=("over", "notation", "wrong_verb", "asked"),
    results=("found", "full", "left", "agreed"),
)
DRAWING = _Drawing()
__all__ = ["DRAWING", "FAMILY", "WORDS"]
