"""A throw-away PostgreSQL for tests, of Debian's packages: its own folder and port, as root too."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.ports import free_port

SERVERS = Path("/usr/lib/postgresql")


class Postgres:
    """A server with a folder of its own; it can be stopped, killed and started again."""

    def __init__(self) -> None:
        # Not in a folder of pytest's: those are for their owner alone, who may be root, as the server may not.
        self.folder = Path(tempfile.mkdtemp(prefix="kletka-postgres-"))
        self.port = free_port()
        newest = max(SERVERS.iterdir(), key=lambda version: int(version.name))
        self._programs = newest / "bin"
        self._made = 0
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "--no-sync", "--auth=trust", "--username=kletka", "--encoding=UTF8", "--locale=C.UTF-8")
        settings = {
            "port": self.port,
            "listen_addresses": "'127.0.0.1'",
            "unix_socket_directories": "''",
            "max_connections": 100,
            "log_min_messages": "fatal",
        }
        with (self.folder / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "-D", str(self.folder), *arguments]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, timeout=60)

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._run("pg_ctl", "--wait", "--log", str(self.folder / "log"), "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it: politely (`fast`), or as a crash does (`immediate`)."""
        self._run("pg_ctl", "--wait", "--mode", how, "stop")

    def close(self) -> None:
        """Stop it and throw its data away."""
        with suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self) -> str:
        """The address of a new, empty database."""
        import psycopg

        self._made += 1
        name = f"kletka{self._made}"
        address = f"postgresql://kletka@127.0.0.1:{self.port}"
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{address}/{name}"
