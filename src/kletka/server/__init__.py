"""HTTP, sockets and pages. No rule of a game or of a table lives here."""

from __future__ import annotations

from kletka.server.app import Serving, create_app, run, run_many
from kletka.server.doors import Rates
from kletka.server.logs import Log

__all__ = ["Log", "Rates", "Serving", "create_app", "run", "run_many"]
