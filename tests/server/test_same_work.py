"""No work depends on what is hidden before an answer leaves for who mustn't know it: the same functions are called, and
equally often. What a clock shows of it is measured by benchmarks/timing.py."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any, ParamSpec, TypeVar

import pytest

from kletka.drawing import letters
from kletka.games.orapa.gems import PORTS
from kletka.games.orapa.mine import answer, read_mine
from kletka.server.present import Shown, Step, Viewer, encode, history, parts, whole
from kletka.tables import Event, Moved, Opened, Play, Refused, Seated, Table, fold, opened
from kletka.tables.commitment import commit
from kletka.tables.recording import record_of
from kletka.tables.table import Now, decide
from tests.alike import HIDDEN, Deal, alike

P = ParamSpec("P")
T = TypeVar("T")

SALT = "0123456789abcdef" * 2


def calls(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[Counter[str], T]:
    """How often each function was called, those of C too, and what was made."""
    counted: Counter[str] = Counter()

    def called(frame: FrameType, event: str, function: Any) -> None:
        if event == "call":
            counted[f"{frame.f_code.co_filename}:{frame.f_code.co_qualname}"] += 1
        elif event == "c_call":
            counted[f"{frame.f_code.co_qualname} calls {function.__qualname__}"] += 1

    # What others have left behind is tidied up another time.
    gc.disable()
    sys.setprofile(called)
    try:
        made = work(*args, **kwargs)
    finally:
        sys.setprofile(None)
        gc.enable()
    return counted, made


def _begun(deal: Deal) -> tuple[Table, list[Event]]:
    """A table with this set-up and somebody on every seat, and its log."""
    body = Opened(deal.spec, deal.setup, "", commitment=commit(SALT, deal.setup) if deal.setup else None)
    table, log = opened(body), [Event(0, body, 0.0)]
    for seat in range(table.game.seats):
        log.append(Event(seat + 1, Seated(seat, token_hash=str(seat)), 0.0))
        table = fold(table, log[-1])
    return table, log


def _decided(table: Table, seat: int, move: str) -> tuple[Event, Table]:
    """A move after some that are refused, and the table after it."""
    for refused in ("nothing", "hide:~", "done=~", "hide=~"):
        assert isinstance(decide(table, Play(table.base, refused, SALT), seat, Now(0.0)), Refused)
    body = decide(table, Play(table.base, move, SALT), seat, Now(0.0))
    assert isinstance(body, Moved)
    event = Event(table.version + 1, body, 0.0)
    return event, fold(table, event)


def _heard(before: Table, after: Table, log: list[Event], viewer: Viewer) -> None:
    """All that a viewer gets when something has happened, or asks for."""
    Step(Shown(before), Shown(after), log[-1]).text(viewer)
    encode(whole(after, log, viewer))
    parts(after, viewer)
    history(log, viewer, after.version)
    letters(after.view(viewer.seat), after.last_heard(viewer.seat))
    record_of(after, viewer.seat)


def _called(deal: Deal, ignorant: tuple[int | None, ...]) -> list[Counter[str]]:
    """What is called for each answer that those who mustn't know get, move by move."""
    table, log = _begun(deal)
    counted: list[Counter[str]] = []
    for seat, move in deal.moves:
        deciding, (event, after) = calls(_decided, table, seat, move)
        # Nobody but the seat that hides something knows when that was sent.
        counted += [deciding] if seat in ignorant else []
        log.append(event)
        counted += [calls(_heard, table, after, log, Viewer("en", one))[0] for one in ignorant]
        table = after
    return counted


@pytest.mark.parametrize("spec", HIDDEN)
def test_the_same_is_done_whatever_is_hidden(spec: str) -> None:
    deals, ignorant = alike(spec)
    for deal in deals:
        # What is worked out once and kept is there from now on.
        _called(deal, ignorant)
    one, other = (_called(deal, ignorant) for deal in deals)
    assert len(one) == len(other) > 3
    for number, (first, second) in enumerate(zip(one, other, strict=True)):
        assert first == second, (number, first - second, second - first)


def _answers(mine: str) -> list[str]:
    return [answer(read_mine(mine), port, "colour") for port in PORTS]


def test_it_is_noticed_where_more_is_done() -> None:
    one, other = (calls(_answers, mine)[0] for mine in ("R2C3+Y4B2+B7C1+W5D1+S3C0", "R2C3+Y4B2+B7A3+W6E0+S4F0"))
    assert one != other
