"""Two serving processes on a real PostgreSQL and a real Redis, and all that may break under them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from kletka.tables import Store
from kletka.tables.model import Moved
from tests.postgres import Postgres
from tests.redis import Redis
from tests.scale.games import WIDE, cells, checked, connected, in_step, play
from tests.scale.players import Player
from tests.server.site import Site
from tests.server.test_observing import until
from tests.serving import Served


class House:
    """The database, Redis and two processes, on ports that stay."""

    def __init__(self, folder: Path) -> None:
        self.postgres, self.redis = Postgres(), Redis(folder)
        self.database = self.postgres.database()
        options = ("--database", self.database, "--news", self.redis.address, "--engines", "1")
        self.served: list[Served] = []
        for number in range(2):
            (folder / f"served{number}").mkdir()
            self.served.append(Served(folder / f"served{number}", None, *options))
            self.served[-1].start()
        self.urls = [served.url for served in self.served]
        self.site = Site(self.urls[0], folder)

    def together(self, spec: str, **form: str | int) -> tuple[str, list[str]]:
        """A table with people on all seats that no engine has; gives its id and their tokens."""
        host, guest = self.site.person(), self.site.person()
        table = host.open(spec, **form)
        if form.get("with") == "engine":
            return table, [host.token(table)]
        assert guest.take(table).status_code == 303
        return table, [host.token(table), guest.token(table)]

    def store(self) -> Store:
        """The store as another process opens it."""
        return Store(self.database)

    def close(self) -> None:
        """Everything ends."""
        self.site.close()
        for served in self.served:
            served.stop(signal.SIGKILL)
        self.redis.stop()
        self.postgres.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(tmp_path_factory.mktemp("house"))
    yield made
    made.close()


def test_of_moves_that_race_one_is_applied(house: House) -> None:
    """Ten thousand attempts: every move is sent four times at once, by two processes, and one of them is applied."""
    tables = [house.together(WIDE) for _ in range(25)]

    async def race(group: Sequence[Player]) -> None:
        free = cells(group[0].table)
        for number in range(100):
            pair = [player for player in group if player.seat == number % 2]
            if any(player.over for player in group):
                return
            base, tried = pair[0].base, (free.pop(), free.pop())
            said = await asyncio.gather(*(one.say("move", base=base, move=move) for one in pair for move in tried))
            (applied,) = [answer["applied"] for answer in said if "applied" in answer]
            for player in group:
                await player.reach(applied)

    async def work() -> list[list[Player]]:
        async with connected(house.urls, tables, twice=True) as players:
            await asyncio.gather(*map(race, players))
            await in_step(players)
            return players

    players = asyncio.run(work())
    checked(house.database, players)
    assert sum(len(player.acknowledged) + len(player.refused) for group in players for player in group) > 9000


def test_of_two_resignations_at_once_one_counts(house: House) -> None:
    tables = [house.together("tictactoe") for _ in range(10)]

    async def work() -> list[list[Player]]:
        async with connected(house.urls, tables) as players:
            for group in players:
                said = await asyncio.gather(*(player.say("resign") for player in group))
                (applied,) = [answer["applied"] for answer in said if "applied" in answer]
                (late,) = [player for player in group if not player.acknowledged]
                assert late.refused == ["over"]
                for player in group:
                    await player.reach(applied)
                    assert player.over
            return players

    checked(house.database, asyncio.run(work()))


async def disturbed(house: House, moves: int, *trouble: Callable[[], None]) -> list[list[Player]]:
    """Twenty tables play while one trouble after the other happens; at the end everybody is in step."""
    tables = await asyncio.to_thread(lambda: [house.together(WIDE) for _ in range(20)])
    async with connected(house.urls, tables) as players:
        games = [asyncio.create_task(play(group, moves)) for group in players]
        for happens in trouble:
            await asyncio.sleep(1)
            await asyncio.to_thread(happens)
        await asyncio.gather(*games)
        await in_step(players)
        return players


def test_a_killed_process_loses_nothing(house: House) -> None:
    first, second = house.served
    troubles = [lambda: first.stop(signal.SIGKILL), first.start, lambda: second.stop(signal.SIGKILL), second.start]
    players = asyncio.run(disturbed(house, 80, *troubles))
    checked(house.database, players)
    assert all(sum(len(player.acknowledged) for player in group) >= 80 or group[0].over for group in players)


def test_restarts_of_redis_and_postgres_lose_nothing(house: House) -> None:
    postgres, redis = house.postgres, house.redis
    troubles = [redis.stop, redis.start, lambda: postgres.stop("immediate"), postgres.start]
    players = asyncio.run(disturbed(house, 80, *troubles))
    checked(house.database, players)
    assert all(sum(len(player.acknowledged) for player in group) >= 80 or group[0].over for group in players)


def test_fifty_engines_answer_once_after_a_restart(house: House) -> None:
    """Both processes are killed while engines are due at fifty tables."""
    form: dict[str, str | int] = {"with": "engine", "level": 1, "seat": 0}
    tables = [house.together("tictactoe:shape=4x4x4", **form) for _ in range(50)]

    async def work() -> list[list[Player]]:
        async with connected(house.urls, tables) as players:
            asked = await asyncio.gather(*(player.say("move", base=0, move="1a1") for (player,) in players))
            assert all("applied" in answer for answer in asked)
            for how in (lambda one: one.stop(signal.SIGKILL), lambda one: one.start()):
                await asyncio.gather(*(asyncio.to_thread(how, served) for served in house.served))
            for (player,) in players:
                await player.turn()
            return players

    players = asyncio.run(work())
    checked(house.database, players)
    store = house.store()
    for (player,) in players:
        moves = [event for event in store.load(player.table) if isinstance(event.body, Moved)]
        assert [event.body.seat for event in moves if isinstance(event.body, Moved)] == [0, 1]
    store.close()


def counted(served: Served) -> dict[str, dict[str, float]]:
    """By process: the tables opened there and the sockets open there, as one of them says."""
    text = httpx.get(f"{served.url}/metrics", timeout=30).text
    wanted = ("kletka_tables_opened_total", "kletka_sockets")
    found: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(text):
        for name, labels, value, *_ in family.samples:
            if name in wanted:
                found.setdefault(labels["process"], dict.fromkeys(wanted, 0.0))[name] += value
    assert text.count("# TYPE kletka_sockets gauge") == 1
    # What the store says is the same for all.
    assert "\nkletka_engine_turns_waiting 0.0\n" in text
    return found


def test_whichever_process_is_asked_says_what_all_count(tmp_path: Path) -> None:
    served = Served(tmp_path, None, "--processes", "2")
    served.start()
    site = Site(served.url, tmp_path)
    try:
        until(lambda: set(counted(served)) == {"0", "1"})
        tables = [site.person().open("tictactoe") for _ in range(12)]
        wires = [site.greeted(table, 1) for table in tables]
        # Either may answer, and both do sooner or later.
        for _ in range(12):
            said = counted(served).values()
            assert sum(one["kletka_tables_opened_total"] for one in said) == len(tables)
            assert sum(one["kletka_sockets"] for one in said) == len(wires)
        assert served.process is not None
        killed = next(
            one for one in psutil.Process(served.process.pid).children() if "spawn_main" in str(one.cmdline())
        )
        killed.kill()
        until(lambda: not killed.is_running() and set(counted(served)) == {"0", "1"})
        assert 0 in [one["kletka_tables_opened_total"] for one in counted(served).values()], "it began anew"
    finally:
        site.close()
        served.stop()


def test_a_process_that_dies_is_replaced_and_all_stop_together(tmp_path: Path) -> None:
    served = Served(tmp_path, None, "--processes", "2")
    served.start()
    assert served.process is not None
    parent = psutil.Process(served.process.pid)

    def serving() -> set[int]:
        found = set()
        for one in parent.children():
            # One that has just died is none.
            with suppress(psutil.Error):
                found |= {one.pid} if "spawn_main" in " ".join(one.cmdline()) else set()
        return found

    try:
        until(lambda: len(serving()) == 2 and httpx.get(f"{served.url}/ready", timeout=30).status_code == 200)
        site = Site(served.url, tmp_path)
        table, _ = site.together("tictactoe")
        killed, stays = serving()
        os.kill(killed, signal.SIGKILL)
        until(lambda: len(serving()) == 2 and killed not in serving())
        assert stays in serving()
        assert site.person().get(f"/en/t/{table}").status_code == 200
        site.close()
        left = serving()
    finally:
        served.stop()
    assert not [pid for pid in left if psutil.pid_exists(pid)]
