"""The server is stopped, politely or not, and started again: what was answered stands, once."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.markup import Board, shown
from tests.server.site import Site
from tests.serving import Served


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_was_answered_stands_after_a_restart(own_server: Served, how: int) -> None:
    site = Site(own_server.url, own_server.folder)
    table, people = site.together("tictactoe:shape=4x4x4")
    tokens = [person.token(table) for person in people]
    wires = [site.greeted(table, 2, token) for token in tokens]
    moves = ["1a1", "4a1", "1b1", "4b1", "1c1", "4c2"]
    base = 0
    for number, move in enumerate(moves):
        assert wires[number % 2].move(f"m{number}", base, move) == {"id": f"m{number}", "applied": 3 + number}
        base = 3 + number
    last = {"do": "move", "id": "last", "base": base, "move": "2a1"}
    wires[0].say(last)
    own_server.stop(how)
    kept = len(site.log(table))
    assert kept in (9, 10), "the last move wasn't answered yet: it may stand or not"
    own_server.start()
    assert len(site.log(table)) == kept
    host = site.wire(table)
    host.hello(base, tokens[0])
    assert [message["v"] for message in host.news() if "v" in message] == ([9] if kept == 10 else [])
    host.say(last)
    assert host.answer("last") in ({"id": "last", "duplicate": 9}, {"id": "last", "applied": 9})
    assert host.move("m0", 0, "1a1") == {"id": "m0", "duplicate": 3}
    guest = site.greeted(table, 9, tokens[1])
    assert guest.move("next", 9, "4a4") == {"id": "next", "applied": 10}
    assert len(site.log(table)) == 11
    board = Board()
    for message in people[1].history(table):
        board.hear(message)
    board.same(people[1].page(table))
    assert shown(people[1].page(table)).attributes["data-token"] == tokens[1]
    site.close()


def test_a_polite_stop_is_announced_on_every_socket(own_server: Served) -> None:
    site = Site(own_server.url, own_server.folder)
    table, people = site.together("tictactoe")
    wires = [site.greeted(table, 2, people[0].token(table)), site.greeted(table, 2), site.greeted(table, 2)]
    assert wires[0].move("m1", 0, "b2") == {"id": "m1", "applied": 3}
    for wire in wires[1:]:
        wire.until(3)
    own_server.stop()
    for wire in wires:
        assert wire.hear() == {"stop": True}
        with pytest.raises(ConnectionClosed) as closed:
            wire.hear()
        assert closed.value.rcvd is not None
    site.close()


SAYING = """
import os, signal, socket, sys
from pathlib import Path
from kletka.server import Serving, run

bound = socket.socket()
bound.bind(("127.0.0.1", 0))

def ready():
    with socket.socket() as probe:
        print(probe.connect_ex(bound.getsockname()))
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGTERM)

run(bound, Serving(Path(sys.argv[1])), ready)
"""


def test_it_says_that_it_serves_when_it_does(tmp_path: Path) -> None:
    server = subprocess.run(
        [sys.executable, "-c", SAYING, str(tmp_path)], stdout=subprocess.PIPE, text=True, timeout=30, check=False
    )
    assert server.stdout == "0\n", "who reads the line and opens the link finds somebody there"
