"""The shapes of answers: refusals for people, for programs, and over a socket."""

from __future__ import annotations

import re

import httpx

from tests.server.site import Message

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def coded(answer: httpx.Response, code: str, language: str = "en") -> None:
    """A page of refusal for people: with the code, in their language, without words that are missing."""
    assert re.findall('data-code="([^"]*)"', answer.text) == [code]
    assert re.findall('<html lang="([^"]*)"', answer.text) == [language]
    assert not re.findall("(?:refusal|error)[.][a-z_]+", answer.text)


def refused(answer: httpx.Response) -> str:
    """The one code of a refusal for programs, which has the shape that the socket's refusals have."""
    assert list(answer.json()) == ["refused"]
    (reason,) = answer.json()["refused"]
    assert list(reason) == ["code", "at", "say"]
    assert reason["at"] == []
    assert len(reason["say"]) > 10
    code: str = reason["code"]
    return code


def code_of(answer: Message) -> str:
    """The first code of a refusal over a socket, which has a sentence for each."""
    assert set(answer) <= {"id", "refused"}
    for reason in answer["refused"]:
        assert set(reason) == {"code", "at", "say"}
        assert len(reason["say"]) > 10
        assert "refusal." not in reason["say"]
    first: str = answer["refused"][0]["code"]
    return first
