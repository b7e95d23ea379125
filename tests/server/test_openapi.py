"""The OpenAPI document says how every address is asked and answers, and it is so, whatever is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kletka.games import families, game, presets
from kletka.server.app import _PAGES, create_app
from kletka.server.doors import Rates
from kletka.words import LANGUAGES
from tests.stores import open_store

OPERATIONS = [
    (route.path, method.lower())
    for module in _PAGES
    for route in module.router.routes
    if isinstance(route, APIRoute) and route.include_in_schema
    for method in sorted(route.methods or ())
]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
GAMES: list[dict[str, Any]] = [
    {"spec": "tictactoe", "moves": ["b2", "a1", "c3"], "ply": 2, "move": "c1"},
    {"spec": "tictactoe:shape=4x4x4", "position": game("tictactoe:shape=4x4x4").start().position, "move": "2b2"},
    {"spec": "ultimate", "moves": ["(1 left)"], "ply": 1},
    {"spec": "dots", "signs": "star,ring"},
    {"spec": "crystals:board=7x7", "text": "a1.b1", "act": "largest"},
    {"spec": "orapa:lives=1", "setup": game("orapa").deal(Random(1)), "moves": ["b", "3"], "ply": 2, "move": "c"},
    {"spec": "orapa:lives=1", "text": "R8B1+Y8E0", "position": "~ B=3.white 0? - - -"},
]
"""Games that requests may describe, and what may be done there."""


def sized(examples: int) -> settings:
    """How many requests of a kind are sent to each address: the same ones each time."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )


@dataclass(frozen=True)
class Described:
    """An application, its document as schemathesis reads it, and somebody who asks."""

    schema: Any
    person: Any

    def opened(self, **form: str) -> str:
        """The id of a table (or race) that this person has opened."""
        answer = self.person.post("http://testserver/en/tables", data=form, allow_redirects=False)
        return str(answer.headers["location"]).rpartition("/")[2]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    """The application, in this process."""
    rates = Rates(tables_a_minute=10**6, requests_a_second=10**6)
    app: Any = create_app(open_store(tmp_path_factory.mktemp("openapi")), rates=rates)
    with asgi.get_client(app) as person:
        yield Described(schemathesis.openapi.from_asgi("/openapi.json", app), person)
    asgi.shutdown_lifespans()


@pytest.fixture
def there(described: Described, path: str) -> dict[str, list[str]]:
    """What there is to ask about, by parameters' names: tables of this test's own."""
    specs = ("tictactoe", "orapa:lives=1", "crystals:board=7x7", "dots", "secret")
    tables = "{table_id}" in path
    alone = {"with": "screen", "name": "A", "hints": "1"}
    return {
        "table_id": [described.opened(spec=spec, **alone) for spec in specs] if tables else [],
        "race": [described.opened(spec="orapa", racers="2")] if "{race}" in path else [],
        "name": list(families()),
        "number": ["1", "2"],
        "lang": list(LANGUAGES),
        "code": ["", "x" * 32],
        "base": ["0", "1", "2"],
        "text": ["R8B1", "a1.b1+"],
        "clock": ["", "move:30", "total:300+5"],
        "seat": ["", "0", "lot"],
    }


def test_every_address_is_described(described: Described) -> None:
    assert len(OPERATIONS) > 45
    document = described.schema.raw_schema
    assert {(path, method) for path, asked in document["paths"].items() for method in asked} == set(OPERATIONS)
    for path, method in OPERATIONS:
        operation = document["paths"][path][method]
        assert operation["summary"]
        assert [status for status in operation["responses"] if status < "400"]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@sized(10)
@given(data=st.data())
def test_every_answer_is_as_described(
    described: Described, there: dict[str, list[str]], path: str, method: str, data: st.DataObject
) -> None:
    case = data.draw(described.schema[path][method].as_strategy(generation_mode=GenerationMode.POSITIVE))
    # Mere rubbish would find no table and no game.
    asked = data.draw(st.sampled_from(GAMES))
    pairs = [(family.name, preset.id) for family, preset in presets()]
    for values in filter(None, (case.path_parameters, case.query, case.body)):
        if isinstance(values, dict):
            sure = values is case.path_parameters
            known = _fields(described.schema.raw_schema, path, method) if values is case.body else set(asked)
            _say(data, values, {name: said for name, said in asked.items() if name in known}, there, sure)
            if "preset" in values and "family" in values:
                values["family"], values["preset"] = data.draw(st.sampled_from(pairs))
    _ask(described, case, data)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@sized(5)
@given(data=st.data())
def test_so_is_every_answer_to_what_is_not(described: Described, path: str, method: str, data: st.DataObject) -> None:
    _ask(
        described, data.draw(described.schema[path][method].as_strategy(generation_mode=GenerationMode.NEGATIVE)), data
    )


def _ask(described: Described, case: Any, data: st.DataObject) -> None:
    accept = data.draw(st.sampled_from(["text/html", "application/json"]))
    case.call_and_validate(session=described.person, checks=CHECKS, headers={"Accept": accept}, allow_redirects=False)


def _fields(document: dict[str, Any], path: str, method: str) -> set[str]:
    """What may stand in a request's body."""
    (shape, *_) = document["paths"][path][method]["requestBody"]["content"].values()
    name = shape["schema"].get("$ref", "").rpartition("/")[2]
    return set((document["components"]["schemas"][name] if name else shape["schema"])["properties"])


def _say(
    data: st.DataObject, values: dict[str, Any], asked: dict[str, Any], there: dict[str, list[str]], sure: bool
) -> None:
    """Let values name a game, or what there is, more often than not."""
    names = {"spec", "setup", "position", "moves", "signs", "ply", "move", "text", "act"}
    if "spec" in values and data.draw(st.integers(0, 5)):
        joined = isinstance(values.get("moves", ""), str)
        for name in names & set(values):
            del values[name]
        values |= {name: ",".join(said) if name == "moves" and joined else said for name, said in asked.items()}
    for name in list(values):
        if there.get(name) and (sure or data.draw(st.integers(0, 3))):
            values[name] = data.draw(st.sampled_from(there[name]))
