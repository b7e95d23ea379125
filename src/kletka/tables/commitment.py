"""Commitments: what is hidden can be shown at the end to be what it was from the start.

While something is hidden everybody sees a hash of it, which says nothing; at the end they see what it was and its salt,
and anybody can work out the hash again: the SHA-256 of the salt followed at once by the text, both as they are written.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import msgspec

SALT = re.compile("[0-9a-f]{32}")
"""A salt: 128 random bits, written as hexadecimal digits. All are equally long: where a salt ends and the text begins
is never in doubt."""
HASH = re.compile("[0-9a-f]{64}")
"""A hash, written as hexadecimal digits."""


class Commitment(msgspec.Struct, frozen=True):
    """The hash that everybody sees, and the salt, which is as secret as what is hidden."""

    salt: str
    hash: str


@dataclass(frozen=True)
class Committed:
    """A commitment as somebody may see it: the hash; what it hides and the salt are empty before the table is open.

    `seat` is the seat that has hidden it, `version` that of its move; a set-up is nobody's (None).
    """

    hash: str
    seat: int | None = None
    version: int = 0
    text: str = ""
    salt: str = ""


def new_salt() -> str:
    """A salt that nobody can guess."""
    return secrets.token_hex(16)


def hash_of(salt: str, text: str) -> str:
    """The hash of a text with its salt."""
    return sha256(f"{salt}{text}".encode()).hexdigest()


def commit(salt: str, text: str) -> Commitment:
    """The commitment to a text."""
    return Commitment(salt, hash_of(salt, text))


def checked(text: str, salt: str, hash: str) -> Literal["same", "other", "unreadable"]:
    """Whether a hash is that of a text with its salt; `unreadable` where the salt or the hash are none."""
    if not SALT.fullmatch(salt) or not HASH.fullmatch(hash):
        return "unreadable"
    return "same" if hash_of(salt, text) == hash else "other"
