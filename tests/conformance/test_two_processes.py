"""Seats in processes of their own play whole games, fed by told texts alone."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import IO

import pytest

from kletka.games import game
from tests.conformance.playing import ONE_EACH


class Listener:
    """A process that plays one seat."""

    def __init__(self, spec: str, seat: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.conformance.listener", spec, str(seat)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, line: str) -> str:
        to, answers = self.process.stdin, self.process.stdout
        assert isinstance(to, IO) or to is not None
        assert answers is not None
        print(line, file=to, flush=True)
        return answers.readline().rstrip("\n")

    def close(self) -> None:
        self.process.communicate("end\n", timeout=20)
        assert self.process.returncode == 0


@pytest.mark.parametrize("spec", ONE_EACH)
def test_a_game_between_processes(spec: str) -> None:
    made = game(spec)
    state = made.start(made.deal(Random(spec)))
    listeners = [Listener(spec, seat) for seat in range(made.seats)]
    try:
        plies = 0
        while (mover := state.to_move) is not None:
            if plies == 4 and made.seats > 2:
                for seat, listener in enumerate(listeners):
                    assert listener.ask("left 1") == repr(state.without(1).seen_by(seat))
                state = state.without(1)
                plies += 1
                continue
            move = made.parse(listeners[mover].ask("move"))
            assert state.refuses(move) == ()
            after = state.play(move)
            for seat, listener in enumerate(listeners):
                assert listener.ask(f"told {state.told(move, seat)}") == repr(after.seen_by(seat))
            state = after
            plies += 1
        assert plies > 2
    finally:
        for listener in listeners:
            listener.close()
