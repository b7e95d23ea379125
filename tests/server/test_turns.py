"""Whose turn it is: addresses by turns, one of each at a time, tables first, and an end to what may wait."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from kletka import words
from kletka.server.turns import Busy, Desk, Turns
from tests.server.inside import inside
from tests.server.site import Site

PROGRAM = {"Accept": "application/json"}


class Doing:
    """Things that begin when their turn comes and end when they are told to."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    def ask(self, asker: str, name: str, first: bool = False) -> asyncio.Task[str]:
        self.ends[name] = asyncio.Event()

        async def work() -> str:
            self.begun.append(name)
            await self.ends[name].wait()
            return name

        return self.turns.begin(asker, work, first)

    async def end(self, task: asyncio.Task[str], name: str) -> None:
        """Let one end, and whatever may follow it begin."""
        self.ends[name].set()
        assert await task == name
        for _ in range(3):
            await asyncio.sleep(0)


def run(play: Callable[[Doing], Coroutine[Any, Any, None]], at_once: int, most: int = 100, of_one: int = 50) -> None:
    async def played() -> None:
        await play(Doing(Turns(at_once, most, of_one)))

    asyncio.run(played())


def test_addresses_take_turns_and_tables_go_first() -> None:
    async def play(doing: Doing) -> None:
        asked = [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("b", "b2"), ("c", "c1")]
        tasks = {name: doing.ask(asker, name) for asker, name in asked}
        tasks |= {name: doing.ask("d", name, first=True) for name in ("table1", "table2")}
        expected = ["a1", "table1", "table2", "b1", "c1", "a2", "b2", "a3"]
        await asyncio.sleep(0)
        for count, name in enumerate(expected, 1):
            assert doing.begun == expected[:count]
            await doing.end(tasks[name], name)

    run(play, at_once=1)


def test_who_comes_back_again_and_again_is_not_served_before_who_waits() -> None:
    async def play(doing: Doing) -> None:
        waits = {f"a{number}": doing.ask("a", f"a{number}") for number in range(4)}
        again = doing.ask("b", "b0")
        await asyncio.sleep(0)
        for number in range(4):
            await doing.end(waits[f"a{number}"], f"a{number}")
            assert doing.begun[-1] == f"b{number}"
            await doing.end(again, f"b{number}")
            again = doing.ask("b", f"b{number + 1}")
            await asyncio.sleep(0)
        again.cancel()

    run(play, at_once=1)


def test_one_of_an_address_at_a_time() -> None:
    async def play(doing: Doing) -> None:
        first = doing.ask("a", "a1")
        second = doing.ask("a", "a2")
        await asyncio.sleep(0)
        assert doing.begun == ["a1"], "there is room, but not for the same address"
        other = doing.ask("b", "b1")
        await asyncio.sleep(0)
        assert doing.begun == ["a1", "b1"]
        await doing.end(first, "a1")
        assert doing.begun == ["a1", "b1", "a2"]
        await doing.end(other, "b1")
        await doing.end(second, "a2")

    run(play, at_once=2)


def test_what_may_wait_is_bounded_tables_by_themselves() -> None:
    async def play(doing: Doing) -> None:
        tasks = [doing.ask("a", "a1"), doing.ask("a", "a2")]
        with pytest.raises(Busy):
            doing.ask("a", "a3")
        tasks.append(doing.ask("b", "b1"))
        with pytest.raises(Busy):
            doing.ask("c", "c1")
        tasks.append(doing.ask("a", "table", first=True))
        # Whoever is no longer waited for makes room, whether it had begun or not.
        await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[1].cancel()
        await asyncio.gather(*tasks[:2], return_exceptions=True)
        for _ in range(3):
            await asyncio.sleep(0)
        assert doing.begun == ["a1", "table"]
        tasks += [doing.ask("a", "a4"), doing.ask("c", "c2")]
        for task in tasks:
            task.cancel()

    run(play, at_once=1, most=3, of_one=2)


def test_what_goes_wrong_gives_its_turn_away() -> None:
    async def play() -> None:
        desk = Desk(most=2)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await desk.compute("a", lambda: 1 // 0)
        assert await desk.compute("a", lambda: 1 + 1) == 2
        desk.close()

    asyncio.run(play())


def test_a_thread_that_nobody_waits_for_is_still_taken() -> None:
    async def play() -> None:
        desk, begun, goes_on = Desk(most=1), threading.Event(), threading.Event()

        def work() -> int:
            begun.set()
            assert goes_on.wait(20)
            return 1

        task = asyncio.create_task(desk.compute("a", work))
        assert await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        with pytest.raises(Busy):
            await desk.compute("b", lambda: 2)
        goes_on.set()
        desk.close()

    asyncio.run(play())


DESCRIBED = (
    "/study?spec=tictactoe",
    "/embed/study?spec=tictactoe",
    "/paper/position?spec=tictactoe",
    "/paper/tictactoe/classic",
    "/export/record?spec=tictactoe",
    "/export/png?spec=tictactoe",
)


def answers(site: Site, language: str, paths: tuple[str, ...] = DESCRIBED) -> list[Any]:
    person = site.person(language)
    posts = [
        person.http.post(f"/{language}/{path}", json={"spec": "tictactoe"}, headers=PROGRAM)
        for path in ("practice", "practice/events", "think", "export/svg")
    ]
    return [person.get(f"/{language}{path}", headers=PROGRAM) for path in paths] + posts


def test_where_too_much_waits_boards_are_refused_and_tables_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kletka.server.app.Desk", lambda: Desk(most=0))
    with inside(tmp_path) as site:
        for language in words.LANGUAGES:
            for answer in answers(site, language):
                assert answer.status_code == 503, answer.url
                assert answer.json()["refused"][0] == {
                    "code": "busy",
                    "at": [],
                    "say": words.say(language, "refusal.busy"),
                }
        table, (host, _) = site.together("tictactoe")
        host.move(table, "b2")
        assert "b2" in host.page(table)


def test_every_one_of_them_is_answered_where_nobody_is_too_many(site: Site) -> None:
    assert {answer.status_code for answer in answers(site, "fr")} == {200}
