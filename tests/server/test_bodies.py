"""Bodies of requests: how long they may be, and what they are made of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from kletka.server import create_app
from kletka.server.doors import LONGEST_BODY
from tests.server.answers import FORM, coded
from tests.server.site import Site
from tests.stores import open_store


def _in_pieces(size: int) -> Iterator[bytes]:
    yield b"spec="
    for start in range(5, size, 4096):
        yield b"x" * min(4096, size - start)


@pytest.mark.parametrize("path", ["/en/tables", "/en/t/{}/seat", "/en/t/{}/move", "/en/nosuchpage"])
def test_a_declared_body_that_is_too_long_is_refused(site: Site, path: str) -> None:
    person = site.person()
    table = person.open("tictactoe")
    answer = person.http.post(path.format(table), content=b"a" * (LONGEST_BODY + 1), headers=FORM)
    assert answer.status_code == 413
    coded(answer, "too_long")
    assert len(site.log(table)) == 2


@pytest.mark.parametrize("path", ["/en/tables", "/en/t/{}/seat", "/en/t/{}/move"])
def test_a_body_that_turns_out_too_long_is_refused(site: Site, path: str) -> None:
    person = site.person()
    table = person.open("tictactoe")
    answer = person.http.post(path.format(table), content=_in_pieces(LONGEST_BODY + 1), headers=FORM)
    assert answer.status_code == 413
    coded(answer, "too_long")
    assert len(site.log(table)) == 2


def test_the_longest_body_is_read(site: Site) -> None:
    person = site.person()
    for answer in (
        person.http.post("/en/tables", content=b"".join(_in_pieces(LONGEST_BODY)), headers=FORM),
        person.http.post("/en/tables", content=_in_pieces(LONGEST_BODY), headers=FORM),
    ):
        assert answer.status_code == 422
        coded(answer, "bad_spec")


@pytest.mark.parametrize("length", ["x", "-1", "1.5", "", "\xb2", "9" * 30, "9" * 5000])
def test_a_length_that_is_none_is_refused(tmp_path: Path, length: str) -> None:
    async def ask(app: FastAPI) -> httpx.Response:
        # No client sends such a length, and httptools refuses it: here nothing stands before the door.
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kletka") as client:
            plain = FORM | {"Content-Length": length, "Accept": "text/html"}
            headers = [(name.encode(), value.encode("latin-1")) for name, value in plain.items()]
            return await client.post("/en/tables", content=b"spec=trio", headers=headers)

    store = open_store(tmp_path)
    try:
        answer = asyncio.run(ask(create_app(store)))
    finally:
        store.close()
    assert answer.status_code == 413
    coded(answer, "too_long")


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("multipart/form-data; boundary=x", b"garbage", 400),
        ("multipart/form-data", b"garbage", 400),
        ("application/json", b'{"spec": "trio"}', 422),
        ("application/x-www-form-urlencoded", b"&=&=%zz%ff%00&&&spec", 422),
        ("text/plain", b"spec=trio", 422),
        ("application/x-www-form-urlencoded", b"&a=b" * 10_000, 400),
    ],
)
def test_a_form_that_is_none_is_refused(site: Site, kind: str, body: bytes, status: int) -> None:
    answer = site.person().http.post("/en/tables", content=body, headers={"Content-Type": kind})
    assert answer.status_code in (status, 422)
    assert "data-code=" in answer.text


def test_half_a_character_in_a_form_breaks_nothing(site: Site) -> None:
    parts = (b"family", b"tictactoe"), (b"shape", b"+2AA-")
    body = b"".join(b'--x\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % part for part in parts)
    kind = {"Content-Type": "multipart/form-data; boundary=x; charset=utf-7"}
    answer = site.person().http.post("/en/tables", content=body + b"--x--\r\n", headers=kind)
    assert answer.status_code in (400, 422)
