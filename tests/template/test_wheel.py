"""The wheel holds everything: installed apart from the checkout, it plays and serves from an empty folder."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
from pathlib import Path

from kletka.games import families
from kletka.games.registry import plugins
from tests.conftest import ROOT
from tests.ports import free_port


def _installed(folder: Path) -> Path:
    """A virtual environment with the wheel alone; the libraries it needs are borrowed from this one."""
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
    pip = [sys.executable, "-m", "pip"]
    # What is in it is looked at here, not how fast it is.
    build = ("-C", "cmake.build-type=Debug", "-C", f"build-dir={folder / 'build'}")
    subprocess.run([*pip, "wheel", *quiet, *build, "--wheel-dir", str(folder), str(ROOT)], check=True)
    home = folder / "home"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / "bin" / "python"
    (wheel,) = folder.glob("kletka-*.whl")
    subprocess.run([*pip, "--python", str(python), "install", *quiet, str(wheel)], check=True)
    site = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
    # A path line reads no .pth files of its own, so the editable install of this checkout stays out of sight.
    (Path(site) / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return home / "bin"


def test_the_wheel_works_from_an_empty_folder(tmp_path: Path) -> None:
    binaries = _installed(tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*command: str) -> str:
        done = subprocess.run(
            [str(binaries / "kletka"), *command], cwd=empty, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    where = subprocess.run(
        [str(binaries / "python"), "-c", "import kletka._kernels as k; print(k.__file__)"],
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(tmp_path))
    ours = [family.name for family in families().values() if family.name not in plugins()]
    assert [entry["spec"] for entry in json.loads(run("games", "--json"))] == ours
    assert json.loads(run("perft", "tictactoe", "5", "--json")) == {"spec": "tictactoe", "depth": 5, "nodes": 15120}
    assert "+" in run("match", "tictactoe", "8", "1", "--games", "2")
    port = free_port()
    command = [str(binaries / "kletka"), "serve", "--port", str(port), "--data", str(empty / "data")]
    served = subprocess.Popen(command, cwd=empty, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        for path in ("/en/", "/fr/rules/tictactoe", "/ru/new/tictactoe"):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                page = answer.read().decode()
        script = page.split('<script type="module" src="')[1].split('"')[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{script}") as answer:
            assert len(answer.read()) > 1000
    finally:
        served.terminate()
        served.wait(20)
