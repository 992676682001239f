"""Connecting this process to a Ray cluster: an existing one by its address, or one started here.

    if join_cluster("auto"): ...                # it was not connected before: the caller calls `ray.shutdown()`

Nothing here runs on the cluster. Gradings are in `cluster_grader`, stages in the data pipeline.
"""

from __future__ import annotations

import os
import re
import socket
import sys
from typing import Any

from microcoder_eval.errors import GraderError, InputError, first_line
from microcoder_eval.install_line import install_line

REACH_S = 10.0
CLIENT_STARTS = 3
"""How often Ray Client is asked for a server. It forks one for each client, and some of them end at once."""
CLIENT_HINT = (
    "; where the cluster asks for a token, Ray Client sends it only with RAY_AUTH_MODE=token in the environment, and "
    "the token in RAY_AUTH_TOKEN or ~/.ray/auth_token"
)


class _Fork:
    was_after_ray = False
    """Whether this process is a fork of a connected one. It has none of Ray's threads, and calls would hang."""

    def note(self) -> None:
        """Called in each forked child."""
        ray = sys.modules.get("ray")
        self.was_after_ray = self.was_after_ray or (ray is not None and ray.is_initialized())


_fork = _Fork()
os.register_at_fork(after_in_child=_fork.note)


def import_ray() -> Any:
    """The module `ray`. Raises an `InputError` with the line that installs it when it is missing."""
    try:
        import ray
    except ImportError:
        raise InputError(f"this needs ray: {install_line('ray')}") from None
    return ray


def join_cluster(address: str | None, workers: int | None = None) -> bool:
    """Connect, unless this process is connected already. Returns whether this call has connected.

    address: "auto" for the cluster that this machine belongs to (or that RAY_ADDRESS names), "HOST:PORT" of a cluster's
    head, "ray://HOST:PORT" of a Ray Client server; None starts a cluster on this machine with `workers` CPUs.
    """
    ray = import_ray()
    if _is_client(address) and not re.fullmatch(r"ray://.+:\d+", str(address)):
        raise InputError(f"{str(address)[:60]!r} is no address of Ray Client; expected ray://HOST:PORT")
    if _fork.was_after_ray:
        raise GraderError("Ray was used before this process was forked: connect in a process that is not a fork")
    if ray.is_initialized():
        return False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        if address:
            _reach(address)
            _init(ray, address)
        else:
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    except (OSError, ValueError, RuntimeError) as error:
        timed_out = type(error) is ConnectionError  # what Ray raises then; the system raises subclasses
        hint = CLIENT_HINT if timed_out and _is_client(address) else ""
        raise InputError(f"cannot reach a Ray cluster at {address or 'this machine'}: {_reason(error)}{hint}") from None
    return True


def _init(ray: Any, address: str) -> None:
    """`ray.init`, again when the server that Ray Client forked for this process has ended."""
    for _ in range(CLIENT_STARTS - 1):
        try:
            ray.init(address=address, log_to_driver=False)
        except ConnectionAbortedError:
            continue
        return
    ray.init(address=address, log_to_driver=False)


def _reason(error: Exception) -> str:
    """The line that says why. Ray Client sends the traceback of its server, whose reason is the last line."""
    if isinstance(error, ConnectionAbortedError) and (lines := str(error).strip().splitlines()):
        return lines[-1]
    return first_line(error)


def _is_client(address: str | None) -> bool:
    return bool(address) and str(address).startswith("ray://")


def _reach(address: str) -> None:
    """Try to connect: Ray itself waits for minutes before it reports that no cluster answers."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=REACH_S).close()
