"""The page on which anybody checks that what was hidden at a table is what it was from the start.

The page's script works it out in the browser; without it, and where the browser can't (on plain http), the form asks
here.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from kletka.games.contract import LONGEST_MOVE
from kletka.server.web import Language, page
from kletka.tables.commitment import checked

router = APIRouter()


@router.get("/{lang}/check", response_class=HTMLResponse)
async def check(
    request: Request,
    lang: Language,
    text: Annotated[str, Query(max_length=LONGEST_MOVE)] = "",
    salt: Annotated[str, Query(max_length=64)] = "",
    hash: Annotated[str, Query(max_length=128)] = "",
) -> Response:
    """What was hidden, its salt and the fingerprint that was shown, and whether they belong together."""
    text, salt, hash = text.strip(), salt.strip().lower(), hash.strip().lower()
    given = {"text": text, "salt": salt, "hash": hash}
    path = f"/check?{urlencode(given)}" if any(given.values()) else "/check"
    verdict = checked(text, salt, hash) if all(given.values()) else ""
    response = page(request, "check.html", path=path, verdict=verdict, longest=LONGEST_MOVE, **given)
    response.headers["Cache-Control"] = "no-store"
    return response
