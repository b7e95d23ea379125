"""A served Kletka in a process of its own, for tests, pictures and benchmarks; it can be stopped and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import EXTRA
from tests.ports import free_port
from tests.stores import store_of


class Served:
    """`kletka serve` on a free port with a data folder; what it logs is kept beside the tables."""

    def __init__(self, folder: Path, port: int | None = None, *options: str) -> None:
        self.folder = folder
        self.log = folder / "log.jsonl"
        self.program: Sequence[str] = ("-m", "kletka")
        self.options = options
        self.port = port or free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start and wait until it answers."""
        env = os.environ | {"PYTHONPATH": EXTRA, "PYTHONWARNINGS": "error::ResourceWarning"}
        where = store_of(self.folder)
        store = ["--data", str(where)] if isinstance(where, Path) else ["--database", where]
        command = [sys.executable, *self.program, "serve", "--port", str(self.port), *store]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*command, *self.options], env=env, stdout=subprocess.DEVNULL, stderr=log)
        for _ in range(1200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                raise RuntimeError(f"the server stopped at once: {self.log.read_text()}")
            time.sleep(0.05)
        raise RuntimeError("the server does not answer")

    def stop(self, how: int = signal.SIGTERM) -> None:
        """Stop it: politely, or by signal.SIGKILL."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(20)
            self.process = None
