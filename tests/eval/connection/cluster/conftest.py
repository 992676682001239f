"""A Ray cluster on this machine: a head that grades nothing, and nodes that tests add and kill."""

from __future__ import annotations

import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="needs the extra ray")

STORE_BYTES = 80 << 20
TRIES = 4


def free_port() -> int:
    """A free port outside the ranges of Ray's workers and of the servers that Ray Client starts."""
    return next(port for port in range(24_001, 25_000) if not listens(port))


def listens(port: int) -> bool:
    """Whether a program of this machine takes connections there."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


class Nodes:
    """A cluster to which a test adds nodes, and whose nodes it kills."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster()
        head = self._add(num_cpus=0, include_dashboard=False, ray_client_server_port=free_port())
        port = head._ray_params.ray_client_server_port
        while not listens(port):  # it starts after the node
            time.sleep(0.1)
        self.client = f"ray://127.0.0.1:{port}"
        """The address of its Ray Client server."""
        self.address: str = self._cluster.address
        self.alive: list[Any] = []

    def have(self, count: int) -> None:
        """Add nodes of one CPU until there are `count`, and wait until Ray knows which of the earlier ones died."""
        while len(self.alive) < count:
            self.alive.append(self._add(num_cpus=1))
        self._cluster.wait_for_nodes(timeout=600)

    def _add(self, **options: Any) -> Any:
        for _ in range(TRIES):
            try:
                return self._cluster.add_node(**options, object_store_memory=STORE_BYTES)
            except Exception as error:  # Ray gives a node 30 s to start, which may pass on a busy machine
                failure = error
        raise failure

    def kill_one(self) -> None:
        self._cluster.remove_node(self.alive.pop(), allow_graceful=False)

    def end(self) -> None:
        ray.shutdown()
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    folder = tempfile.mkdtemp(prefix="r", dir="/tmp")  # Ray's sockets need a short path
    (Path(folder) / "ray").mkdir()
    ray.shutdown()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_TMPDIR", folder)  # "auto" looks here, so that it finds no other cluster of this machine
        patch.delenv("RAY_ADDRESS", raising=False)
        nodes = Nodes()
        patch.setenv("RAY_ADDRESS", nodes.address)
        yield nodes
        nodes.end()
    shutil.rmtree(folder, ignore_errors=True)
