"""Live is reload: whoever followed the events sees what a page served now shows, and what the history tells."""

from __future__ import annotations

from random import Random

import pytest

from kletka.games import game
from tests.server.markup import Board, shown
from tests.server.site import Person, Site, Wire

GAMES = [
    ("tictactoe", 1),
    ("tictactoe:shape=3x3,misere=true", 2),
    ("tictactoe:shape=4x4x4", 3),
    ("tictactoe:shape=4x4x4,gravity=true", 4),
    ("tictactoe:shape=6x7,line=4,gravity=true", 5),
    ("tictactoe:gravity=true,marks=wild", 11),
    ("tictactoe:misere=true,marks=crosses,boards=2", 12),
    ("dots:size=3x3", 13),
    ("dots:lattice=triangles,size=3,players=3", 14),
    ("ultimate", 15),
    ("trio:long=true", 6),
    ("trio", 7),
    ("secret", 8),
    ("secret", 9),
    ("polish", 10),
]


class Follower:
    """Somebody at a seat, or a spectator, who follows a table from its beginning over a socket."""

    def __init__(self, site: Site, table: str, person: Person, seat: int | None) -> None:
        self.table, self.person = table, person
        self.board = Board()
        self.board.hear(person.history(table)[0])
        self.wire: Wire = site.wire(table)
        self.wire.hello(0, None if seat is None else person.token(table), person.language)

    def follow(self, version: int) -> None:
        """Hear the events up to a version."""
        while self.board.version < version:
            self.board.hear(self.wire.hear())

    def check(self) -> None:
        """Live, reloaded and remembered are one."""
        self.board.same(self.person.page(self.table))
        again = Board()
        for message in self.person.history(self.table):
            again.hear(message)
        again.snapshots = self.board.snapshots
        assert again == self.board


def _choice(rng: Random, spec: str, played: list[str], board: Board) -> str:
    """A random move, as the mover's board offers it; composite ones from the rules."""
    if spec == "polish":
        state = game(spec).start()
        for move in played:
            state = state.play(game(spec).parse(move))
        return state.sample(rng)
    offers = [place if opens == 1 else str(opens) for place, (_, opens, *_) in board.places.items() if opens != 0]
    return rng.choice(offers)


def _talk(rng: Random, people: list[Person], table: str) -> int:
    """Now and then somebody offers, answers or gives up: how many events that made."""
    person = rng.choice(people)
    what = rng.choices(("", "offer", "accept", "decline", "resign"), (12, 4, 1, 2, 0.3))[0]
    return int(bool(what) and person.do(table, what).status_code == 303)


@pytest.mark.parametrize(("spec", "seed"), GAMES)
def test_live_is_reload_is_history(site: Site, spec: str, seed: int) -> None:
    rng = Random(seed)
    seats = game(spec).seats
    table, people = site.together(spec, seats)
    languages = rng.sample(["en", "fr", "ru"], 3)
    for person, language in zip(people, languages, strict=False):
        person.language = language
    followers = [Follower(site, table, person, seat) for seat, person in enumerate(people)]
    followers.append(Follower(site, table, site.person(languages[-1]), None))
    version = seats
    played: list[str] = []
    for follower in followers:
        follower.follow(version)
        follower.check()
    while (seat := followers[-1].board.to) is not None:
        move = _choice(rng, spec, played, followers[seat].board)
        assert people[seat].move(table, move, followers[seat].board.base).status_code == 303
        played.append(move)
        version += 1
        version += _talk(rng, people, table)
        for follower in followers:
            follower.follow(version)
        if rng.random() < 0.2:
            rng.choice(followers).check()
    for follower in followers:
        follower.check()
    assert len(site.log(table)) == version + 1
    assert len(played) >= 3


def test_a_place_that_sends_something_else_says_so(site: Site) -> None:
    table, (host, _) = site.together("tictactoe:shape=3x3,gravity=true")
    follower = Follower(site, table, host, 0)
    follower.follow(2)
    assert follower.board.places["b3"][1] == "b1"
    host.move(table, "b1", 0)
    follower.follow(3)
    assert follower.board.places["b3"][1] == "b2"
    assert shown(host.page(table)).places["b3"][1] == "b2"
    follower.check()


def test_nothing_is_open_before_the_start_and_after_the_end(site: Site) -> None:
    host, guest = site.person(), site.person()
    table = host.open("tictactoe")
    follower = Follower(site, table, host, 0)
    assert {opens for _, opens, *_ in follower.board.places.values()} == {0}
    guest.take(table)
    follower.follow(2)
    assert {opens for _, opens, *_ in follower.board.places.values()} == {1}
    guest.do(table, "resign")
    follower.follow(3)
    assert {opens for _, opens, *_ in follower.board.places.values()} == {0}
    follower.check()


def test_snapshots_and_events_lead_to_the_same_picture(site: Site) -> None:
    table, (host, guest) = site.together("tictactoe:shape=4x4x4")
    follower = Follower(site, table, host, 0)
    for number, move in enumerate(["1a1", "4a1", "1b1", "4b1", "1c1", "4c2", "1d1"]):
        (host, guest)[number % 2].move(table, move)
        follower.follow(3 + number)
        late = Board()
        wire = site.wire(table)
        wire.hello(1000)
        late.hear(wire.hear())
        assert late.snapshots == 1
        assert (late.marks, late.places, late.items) == (
            follower.board.marks,
            follower.board.places,
            follower.board.items,
        )
    assert follower.board.to is None
    assert "0.area/line" in follower.board.marks
    follower.check()
