"""A limit being used up, for the searches written in Python."""

from __future__ import annotations

from time import monotonic

from kletka.engines.base import Limit, Stop

DEFAULT_NODES = 2_000
"""Where a limit names neither nodes nor seconds."""


class Spent(Exception):
    """The limit is used up."""


class Budget:
    """Counts visited positions; `visit` raises Spent at the limit, and when `stop` says so."""

    def __init__(self, limit: Limit, stop: Stop | None) -> None:
        self.nodes = 0
        self._most = limit.nodes if limit.nodes is not None or limit.seconds is not None else DEFAULT_NODES
        self._until = None if limit.seconds is None else monotonic() + limit.seconds
        self._stop = stop

    def visit(self) -> None:
        """Count a position."""
        self.nodes += 1
        if self._most is not None and self.nodes >= self._most:
            raise Spent
        if self.nodes & 0xF == 0:
            if self._until is not None and monotonic() > self._until:
                raise Spent
            if self._stop is not None and self._stop():
                raise Spent
