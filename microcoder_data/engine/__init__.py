"""Engines run one function over many tasks; stages do not know which one runs them.

A function is importable by name and pure over files: it reads its task's inputs and writes its outputs whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from microcoder_data.engine.local import LocalEngine
from microcoder_eval import InputError
from microcoder_eval.suggest import did_you_mean

ENGINES = ["local", "ray"]


class Engine(Protocol):
    """Runs a function over tasks."""

    workers: int
    """How many tasks run at a time. When there are fewer tasks, each may use more of the machine."""

    def map(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield (position of the task, its result) as tasks end, in any order. An error of a task is raised here."""
        ...

    def close(self) -> None: ...


def make_engine(name: str, workers: int | None = None, address: str | None = None) -> Engine:
    """The engine called `name`.

    >>> make_engine("local", workers=1).__class__.__name__
    'LocalEngine'
    """
    if workers is not None and workers < 1:
        raise InputError(f"--workers must be at least 1, not {workers}")
    if name == "local":
        if address is not None:
            raise InputError("--address is for --engine ray")
        return LocalEngine(workers)
    if name == "ray":
        from microcoder_data.engine.ray import RayEngine  # it loads the connection to a cluster

        return RayEngine(workers, address)
    raise InputError(f"unknown engine {name!r}{did_you_mean(name, ENGINES, or_list=True)}")
