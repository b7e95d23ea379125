"""What all pages share: the languages of addresses, rendering, and the way to the hall and the rates."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import Request

from kletka.server.doors import Page, Rate, language_of
from kletka.server.templating import render
from kletka.tables import Hall

Language = Literal["en", "fr", "ru"]


def page(request: Request, template: str, path: str = "", **values: Any) -> Page:
    """A template as a page in the language of its address; `path` is where its other languages are."""
    path = path or "/" + request.url.path.split("/", 2)[2]
    return Page(render(template, lang=language_of(request), path=path, **values))


def hall_of(request: Request) -> Hall:
    """The hall that serves the tables."""
    hall: Hall = request.app.state.hall
    return hall


def rate_of(request: Request) -> Rate:
    """What an address may do."""
    rate: Rate = request.app.state.rate
    return rate
