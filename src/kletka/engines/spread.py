"""Playing the pairs of a match on the machines of a Ray cluster."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

from kletka.engines import kernels
from kletka.engines.match import Pair, Spread
from kletka.version import version

HERE = "local"
"""The address that starts a cluster of this machine alone."""
_AHEAD = 1000
"""Pairs that wait or are played at once, at most: more than a cluster has cores, few enough to be remembered."""
_RETRIES = 20
"""How often a pair is played anew because the worker that played it was lost."""
_ANSWER, _HEALTH = 10.0, 20.0
"""Seconds within which the address has to be open, and a cluster to be there."""


class NoCluster(Exception):
    """A match can't be played there. `code`: `not_installed` (Ray), `unreachable`, `other_version` (the workers have
    another Kletka, or other kernels), `lost` (the cluster went, or loses every worker)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class _Other(Exception):
    """Another Kletka would not play the same games."""


@contextmanager
def on_ray(address: str) -> Iterator[Spread]:
    """Pairs of a match played by the workers of a cluster: at `local`, which is started and stopped again here, at the
    HOST:PORT of one that this machine belongs to. Raises NoCluster, here and while it plays.
    """
    # Nothing is reported to anybody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise NoCluster("not_installed") from None
    if address != HERE:
        _check(address)
    try:
        # What starts one takes no other that may run here.
        ray.init(address, include_dashboard=None if address != HERE else False, log_to_driver=False, logging_level=50)
    except ImportError:
        raise NoCluster("not_installed") from None
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError):
        raise NoCluster("unreachable") from None
    try:
        yield _spread
    finally:
        ray.shutdown()


def _check(address: str) -> None:
    """Ray itself would try for many minutes to reach what isn't there."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER).close()
        ask = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", address]
        subprocess.run(ask, check=True, capture_output=True, timeout=_HEALTH)
    except (OSError, ValueError, OverflowError, subprocess.SubprocessError):
        raise NoCluster("unreachable") from None


def _this() -> tuple[str, bool]:
    return version(), kernels.enabled()


def _played(this: tuple[str, bool], play: bytes, number: int) -> Pair:
    """What a worker does: nothing that changes anything, so it may be done again."""
    if this != _this():
        raise _Other
    pair: Pair = pickle.loads(play)(number)  # noqa: S301 (from whoever gives the cluster its work)
    return pair


def _spread(play: Callable[[int], Pair], numbers: Iterable[int]) -> Iterator[Pair]:
    import ray

    task = ray.remote(max_retries=_RETRIES)(_played)
    this, written, left = _this(), pickle.dumps(play), iter(numbers)
    waiting: deque[ray.ObjectRef[Pair]] = deque()
    try:
        while True:
            waiting.extend(task.remote(this, written, number) for number in islice(left, _AHEAD - len(waiting)))
            if not waiting:
                return
            yield ray.get(waiting.popleft())
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, _Other | ImportError):
            raise NoCluster("other_version") from None
        raise
    except ray.exceptions.RayError:
        raise NoCluster("lost") from None
    finally:
        for rest in waiting:
            ray.cancel(rest)
