"""The nodes of a Ray cluster as one driver knows them: which are alive, whose actor is ready, and which have failed.

Not thread-safe: only the thread in `dispatch` uses it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from microcoder_eval.connection.cluster.node_grader import NodeGrader
from microcoder_eval.errors import first_line

logger = logging.getLogger(__name__)

NAMESPACE = "microcoder"
WINDOW_PER_WORKER = 3
"""Gradings that a node has at the same time for each of its workers: enough that no worker waits."""
BATCHES_AT_ONCE = 10_000
FIRST_REST_S, LONGEST_REST_S = 0.5, 30.0
"""How long a node whose actor has died rests before it gets another one; the time doubles with each failure."""


@dataclass(eq=False)
class Node:
    """One node that is alive."""

    id: str
    address: str
    workers: int
    """Tests that its grader runs at the same time."""
    actor: Any = None
    is_ready: bool = False
    outstanding: int = 0
    """Gradings that it was sent and has not answered."""
    failures: int = 0
    """How often its actor has died since it last answered."""
    rests_until: float = 0.0
    refused: str = ""
    """Why it will never grade."""
    last_loss: str = ""
    """Why its last actor died."""

    @property
    def room(self) -> int:
        """How many gradings it may be sent now."""
        return self.workers * WINDOW_PER_WORKER - self.outstanding if self.is_ready else 0


class Nodes:
    """All nodes that can grade."""

    def __init__(self, ray: Any, cpus: float | None, options: Mapping[str, Any], on_start: Callable[..., None]) -> None:
        """cpus: what an actor reserves of its node's CPUs; None reserves nothing and uses all of them.

        options: those of `Grader`.
        on_start(node, actor, future): called in any thread when an actor's `start` has returned or failed.
        """
        self._ray, self._cpus, self._options, self._on_start = ray, cpus, dict(options), on_start
        self._name = hashlib.sha256(
            json.dumps([cpus, self._options], sort_keys=True, default=str).encode()
        ).hexdigest()[:12]
        self._nodes: dict[str, Node] = {}
        self._actor_class = ray.remote(NodeGrader)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())

    @property
    def ready(self) -> list[Node]:
        return [node for node in self if node.is_ready]

    @property
    def workers(self) -> int:
        """Tests that all nodes run at the same time, those included whose actor is not ready yet."""
        return sum(node.workers for node in self if not node.refused)

    def look(self) -> None:
        """Add the nodes that have joined, forget those that are gone, and start the actors that are missing."""
        alive = {found["NodeID"]: found for found in self._ray.nodes() if found["Alive"]}
        for gone in self._nodes.keys() - alive.keys():
            del self._nodes[gone]
        for name, found in alive.items():
            node_cpus = int(found["Resources"].get("CPU", 0))
            if node_cpus and name not in self._nodes:
                self._nodes[name] = self._node(name, found["NodeManagerAddress"], node_cpus)
        now = time.monotonic()
        for node in self:
            if node.actor is None and not node.refused and node.rests_until <= now:
                self._start(node)

    def lost(self, node: Node, why: str) -> None:
        """The node's actor, or the node itself, has died: start another actor after a pause."""
        node.actor, node.is_ready = None, False
        node.failures, node.last_loss = node.failures + 1, why
        pause_s = min(LONGEST_REST_S, FIRST_REST_S * 2 ** min(10, node.failures - 1))
        node.rests_until = time.monotonic() + pause_s
        logger.warning("the grader on node %s was lost: %s", node.address, why)

    def refuse(self, node: Node, why: str) -> None:
        """The node will never grade: start no actor on it."""
        node.actor, node.is_ready, node.refused = None, False, why
        logger.warning("node %s does not grade: %s", node.address, why)

    def pause_s(self, most_s: float) -> float:
        """How long until some node that has lost its actor gets another one; at most `most_s`."""
        now = time.monotonic()
        rests = [node.rests_until - now for node in self if node.actor is None and not node.refused]
        return min([most_s, *(max(0.05, rest) for rest in rests)])

    def reasons(self) -> str:
        """Why no node is ready."""
        reasons = [f"{node.address}: {node.refused or _state(node, self._cpus)}" for node in self if not node.is_ready]
        return "; ".join(dict.fromkeys(reasons)) or "the cluster has no node with CPUs"

    @property
    def hopeless(self) -> bool:
        """Whether there are nodes, and none of them will ever grade."""
        return bool(self._nodes) and all(node.refused for node in self)

    def _node(self, name: str, address: str, node_cpus: int) -> Node:
        workers = int(self._options.get("workers") or (max(1, int(self._cpus)) if self._cpus else node_cpus))
        node = Node(name, address, workers)
        if self._cpus and self._cpus > node_cpus:
            node.refused = f"has {node_cpus} CPUs, and {self._cpus:g} are asked for"
        return node

    def _start(self, node: Node) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        try:
            node.actor = self._actor_class.options(
                name=f"grader-{self._name}-{node.id}",
                namespace=NAMESPACE,
                get_if_exists=True,
                num_cpus=self._cpus or 0,
                max_concurrency=BATCHES_AT_ONCE,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False),
            ).remote({**self._options, "workers": node.workers})
            started: Future[str] = node.actor.start.remote().future()
        except (ValueError, RuntimeError, self._ray.exceptions.RayError) as error:  # the actor with this name just died
            self.lost(node, reason_of(error))
            return
        actor = node.actor
        started.add_done_callback(lambda future: self._on_start(node, actor, future))


def _state(node: Node, cpus: float | None) -> str:
    if node.actor is None:
        return f"its grader died {node.failures} times: {node.last_loss}"
    return f"waits for {cpus:g} free CPUs" if cpus else "its grader is starting"


def reason_of(error: BaseException) -> str:
    """Why a call failed, in a line that is not long: Ray's messages hold whole stack traces."""
    return first_line(error)[:300]
