"""Logs of a served instance: one event a line on standard error, as JSON for programs or as text for people.

What may stand in a line is what somebody chose for it: our own loggers give a constant name and facts, and a record of
any other logger only says where it comes from. Messages and exceptions of libraries quote what they were given, so of
an exception there are its type and the places it passed, never its text.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from types import TracebackType
from typing import Any, Literal, TextIO

import msgspec

_WAITING = 10_000
"""Records that may wait for a slow reader; more are counted and dropped, so that no move waits for them."""
_BATCH = 1024
"""Lines in one write at most."""
_GATHERS = 0.05
"""Seconds for which lines gather before they are written: a thread that woke for each would take the interpreter from
whoever serves people."""
_FAREWELL = 2.0
"""Seconds that the last lines have when the server stops."""
_FRAMES = 12
"""Places of an exception that are logged: the innermost ones."""

_encode = msgspec.json.Encoder().encode

Log = Literal["json", "text", "off"]
"""How events are logged."""


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """What a record may say, in the order in which it is written."""
    ours = record.name.startswith("kletka.")
    facts: dict[str, Any] = {"event": record.msg if ours else "library", "severity": record.levelname.lower()}
    facts |= getattr(record, "facts", {}) if ours else {"logger": record.name, "place": _line(record)}
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        facts |= {"error": [type(each).__name__ for each in _chain(error)], "trace": _trace(error.__traceback__)}
    return facts


def _line(record: logging.LogRecord) -> str:
    return f"{record.module}:{record.lineno}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, and those that it came from."""
    seen: list[BaseException] = []
    while error not in seen:
        seen.append(error)
        yield error
        earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if earlier is None:
            return
        error = earlier


def _trace(trace: TracebackType | None) -> list[str]:
    places = []
    while trace is not None:
        places.append(f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}")
        trace = trace.tb_next
    return places[-_FRAMES:]


def as_json(at: float, facts: dict[str, Any]) -> str:
    """A line for programs."""
    return _encode({"at": f"{_second(int(at))}.{int(at * 1000) % 1000:03}Z", **facts}).decode()


@lru_cache(maxsize=2)
def _second(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))


def as_text(at: float, facts: dict[str, Any]) -> str:
    """A line for people at a terminal."""
    rest = {name: value for name, value in facts.items() if name not in ("event", "severity")}
    mark = "" if facts["severity"] == "info" else f" [{facts['severity']}]"
    said = " ".join(f"{name}={value}" for name, value in rest.items() if value is not None)
    return f"{time.strftime('%H:%M:%S', time.localtime(at))}{mark} {facts['event']} {said}".rstrip()


class Writer(logging.Handler):
    """Writes records in a thread of its own: a reader that stops reading stops nothing else."""

    def __init__(self, kind: Log, stream: TextIO) -> None:
        super().__init__()
        self._line = as_json if kind == "json" else as_text
        self._stream = stream
        self._queue: queue.SimpleQueue[logging.LogRecord | None] = queue.SimpleQueue()
        self._dropped = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._write, name="kletka-log", daemon=True)
        self._thread.start()

    def createLock(self) -> None:  # noqa: N802 (logging's name)
        """None is needed: the queue takes records from any thread."""
        self.lock = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record."""
        if self._queue.qsize() < _WAITING:
            self._queue.put(record)
        else:
            self._dropped += 1

    def _write(self) -> None:
        last = False
        while not last:
            records = [self._queue.get()]
            self._closing.wait(_GATHERS)
            with suppress(queue.Empty):
                while len(records) < _BATCH:
                    records.append(self._queue.get_nowait())
            last = None in records
            lines = [self._line(record.created, facts_of(record)) for record in records if record is not None]
            if self._dropped:
                dropped, self._dropped = self._dropped, 0
                lines.append(self._line(time.time(), {"event": "dropped", "severity": "warning", "lines": dropped}))
            with suppress(OSError, ValueError):
                self._stream.write("".join(f"{line}\n" for line in lines))
                self._stream.flush()

    def close(self) -> None:
        """Write what waits, unless nobody reads."""
        self._queue.put(None)
        self._closing.set()
        self._thread.join(_FAREWELL)
        super().close()


_threads = logging.getLogger(f"{__name__}.threads")


def _of_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        _threads.error("thread", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))


def _unraisable(args: sys.UnraisableHookArgs) -> None:
    if args.exc_value is not None:
        _threads.error("unraisable", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))


def start(kind: Log) -> logging.Handler:
    """Log this process's events from now on; the handler is closed at the end."""
    handler = logging.NullHandler() if kind == "off" else Writer(kind, sys.stderr)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("kletka").setLevel(logging.INFO if kind != "off" else logging.CRITICAL)
    threading.excepthook = _of_thread
    sys.unraisablehook = _unraisable
    return handler
