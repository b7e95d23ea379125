"""Keys of browsers and tokens of seats.

A browser holds one random key in a cookie; the token of its seats at a table follows from the key and the series of
games that the table belongs to. So a token is unguessable, opens one series only, never stands in an address, and needs
no sign-up.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode

from fastapi import Request
from fastapi.responses import Response

from kletka.tables import new_token, token_hash

COOKIE = "kletka"
_YEAR = 365 * 24 * 3600
_KEY = re.compile(r"[A-Za-z0-9_-]{32}")


def browser_key(request: Request) -> str | None:
    """The key that this browser holds, if it has one."""
    key = request.cookies.get(COOKIE, "")
    return key if _KEY.fullmatch(key) else None


def seat_token(key: str, series: str) -> str:
    """The token of a browser's seats at the tables of a series."""
    digest = hmac.digest(key.encode(), f"seat {series}".encode(), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")


def seat_hash(key: str, series: str) -> str:
    """What the tables store of it."""
    return token_hash(seat_token(key, series))


def owner_hash(key: str) -> str:
    """What is stored of a browser's key, to find the tables at which it sits."""
    return token_hash(f"owner {key}")


def keep(request: Request, response: Response) -> str:
    """The browser's key, made and set as a cookie where it has none."""
    key = browser_key(request) or new_token()
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, key, max_age=_YEAR, httponly=True, samesite="lax", secure=secure, path="/")
    return key
