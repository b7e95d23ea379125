"""Tokens that open seats: made at random, stored as hashes, and compared in a time that says nothing of them."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_token() -> str:
    """An unguessable token for a seat."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def same_hash(stored: str, given: str) -> bool:
    """Whether two hashes of tokens are the same one, in a time that doesn't depend on where they differ; an empty one
    opens nothing."""
    return hmac.compare_digest(stored, given) and bool(given)
