"""Run tasks on a Ray cluster: an existing one by address, or one started here for the length of the build.

Only plain tasks are used, never actors that hold every CPU: Ray waits forever for those (ray-project/ray#44687).
Every node must see the output directory and the source files under the same paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from microcoder_data.engine.local import QUEUED_PER_WORKER, long_integers
from microcoder_eval.connection.cluster.join import import_ray, join_cluster


class RayEngine:
    """Runs tasks on a Ray cluster."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self._ray = ray = import_ray()
        self._started_here = join_cluster(address, workers)
        cluster_cpus = int(ray.cluster_resources().get("CPU", 1))
        self.workers = max(1, min(workers or cluster_cpus, cluster_cpus))

    def map(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        # A killed node must not cost the build: tasks write whole files, so running one twice is harmless.
        remote = self._ray.remote(_run).options(num_cpus=1, max_retries=2)
        waiting = iter(enumerate(tasks))
        running: dict[Any, int] = {}
        while True:
            for index, task in waiting:
                running[remote.remote(function, task)] = index
                if len(running) >= self.workers * QUEUED_PER_WORKER:
                    break
            if not running:
                return
            done, _ = self._ray.wait(list(running), num_returns=1)
            for reference in done:
                index = running.pop(reference)
                try:
                    yield index, self._ray.get(reference)
                except self._ray.exceptions.RayTaskError as error:
                    raise error.cause from None

    def close(self) -> None:
        if self._started_here:
            self._ray.shutdown()


def _run(function: Callable[[Any], Any], task: Any) -> Any:
    with long_integers():
        return function(task)
