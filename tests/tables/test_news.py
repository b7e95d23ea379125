"""What processes tell each other: moves that everybody may know whole, everything else by its version."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec import structs

from kletka.tables import Event, Hall, Moved, Room, Store
from kletka.tables.news import News
from tests.stores import open_store
from tests.tables.helpers import play, seated

NOWHERE = "redis://127.0.0.1:1"
"""No Redis is asked here: what would be told is carried by hand."""


def told(news: News) -> list[str]:
    """What waits to be told."""
    return [news._waiting.get_nowait() for _ in range(news._waiting.qsize())]


class Two:
    """Two halls on one store, of which the second watches a table of the first; `heard` are the events it heard of,
    `read` how often it read the store for them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, secrets: tuple[str, str]) -> None:
        self.store = open_store(folder)
        self.first, self.second = Hall(self.store), Hall(self.store)
        self.news = [News(hall, NOWHERE, secret.encode()) for hall, secret in zip(self.halls, secrets, strict=True)]
        self.heard: list[Event] = []
        self.read = 0
        load = Store.load

        def counted(store: Store, table_id: str, after: int = -1) -> list[Event]:
            self.read += after >= 0
            return load(store, table_id, after)

        monkeypatch.setattr(Store, "load", counted)

    @property
    def halls(self) -> tuple[Hall, Hall]:
        return self.first, self.second

    async def table(self, spec: str) -> tuple[Room, Room]:
        """A table where all sit, in both halls."""
        here = await seated(self.first, spec)
        there = await self.second.room(here.id)
        assert there is not None
        self.second.watch(there, lambda room, event: self.heard.append(event))
        told(self.news[0])
        return here, there


def test_a_move_is_heard_without_asking_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        two = Two(tmp_path, monkeypatch, ("secret", "secret"))
        here, there = await two.table("tictactoe")
        for move in ("a1", "b2", "c3"):
            await play(two.first, here, move)
        news = told(two.news[0])
        # One comes twice, and the last of all before the second.
        for text in (news[0], news[0], news[2], news[1], "nonsense", "", f"{here.id} 5 x", f"{here.id} -1"):
            await two.news[1]._heard(text)
        assert two.heard == here.log[3:]
        assert there.table == here.table
        assert two.read == 1, "only for what was left out"
        two.store.close()

    asyncio.run(work())


@pytest.mark.parametrize("secrets", [("other", "secret"), ("", "secret"), ("secret", ""), ("", "")])
def test_who_does_not_know_the_secret_tells_versions_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secrets: tuple[str, str]
) -> None:
    async def work() -> None:
        two = Two(tmp_path, monkeypatch, secrets)
        here, _ = await two.table("tictactoe")
        await play(two.first, here, "a1")
        (text,) = told(two.news[0])
        await two.news[1]._heard(text.replace("a1", "b2"))
        assert (two.heard, two.read) == (here.log[3:], 1), "the store says which move it was"
        two.store.close()

    asyncio.run(work())


def test_a_signed_move_can_not_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        two = Two(tmp_path, monkeypatch, ("secret", "secret"))
        here, _ = await two.table("tictactoe")
        other, _ = await two.table("tictactoe")
        await play(two.first, here, "a1")
        await play(two.first, other, "b2")
        first, _ = told(two.news[0])
        for text in (first.replace('"a1"', '"c3"'), first.replace(here.id, other.id)):
            await two.news[1]._heard(text)
        moves = [event.body.move for event in two.heard if isinstance(event.body, Moved)]
        assert (moves, two.read) == (["a1", "b2"], 2)
        two.store.close()

    asyncio.run(work())


def test_nothing_of_a_race_is_told_that_is_not_open_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        two = Two(tmp_path, monkeypatch, ("secret", "secret"))
        here, _ = await two.table("tictactoe")
        opening = structs.replace(here.table.opening, race="race")
        here.table = structs.replace(here.table, opening=opening)
        assert here.table.sealed
        told(two.news[0])
        await play(two.first, here, "a1")
        assert told(two.news[0]) == [f"{here.id} {here.table.version}"]
        two.store.close()

    asyncio.run(work())


def test_nothing_of_hidden_games_or_seats_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        two = Two(tmp_path, monkeypatch, ("secret", "secret"))
        here = await seated(two.first, "secret")
        await play(two.first, here, "hide-3")
        assert told(two.news[0]) == [f"{here.id} {version}" for version in (1, 2, 3)]
        two.store.close()

    asyncio.run(work())
