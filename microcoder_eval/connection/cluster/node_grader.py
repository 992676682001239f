"""The actor of a node: a `Grader` that is asked in batches. One for each node and set of options; drivers share it.

It keeps nothing of a batch. When the actor or its node dies, whoever has sent the batch sends it again, elsewhere.
"""

from __future__ import annotations

import asyncio
import pickle
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

from microcoder_eval.errors import GraderError, InputError, UnsupportedError
from microcoder_eval.grader import Grader
from microcoder_eval.problem import Problem

KEPT_PROBLEM_BYTES = 256 << 20


class Asked(NamedTuple):
    """One call of a grader's method."""

    method: str
    """The name of a method of `Grader` that gives a future: submit, outputs, submit_run."""
    problem: str
    """The key of its problem, which travels beside the batch; empty where the method takes none."""
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]


class Answered(NamedTuple):
    """What became of one call: `result`, or why there is none."""

    result: Any = None
    refused: str = ""
    """The caller's mistake."""
    unsupported: str = ""
    """What this node cannot run, such as a language without a toolchain here."""
    failed: str = ""
    """The grader's failure."""


class NodeGrader:
    """Runs as an asynchronous Ray actor, so that many batches are open at the same time."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """options: those of `Grader`."""
        self._options = dict(options)
        self._grader: Grader | None = None
        self._problems: OrderedDict[str, tuple[Problem, int]] = OrderedDict()
        self._bytes = 0

    async def start(self) -> str:
        """Start the grader unless it runs; why it cannot work here, or nothing."""
        if self._grader is None:
            try:
                self._grader = Grader(**self._options)
            except (GraderError, InputError, OSError) as error:
                return str(error)
        return ""

    async def work(self, batch: Sequence[Asked], problems: Mapping[str, Any]) -> list[Answered]:
        """The answers to a batch, in its order. problems: packed, by key; large ones are references to an object."""
        held = {key: await self._problem(key, packed) for key, packed in problems.items()}
        return await asyncio.gather(*(self._one(asked, held) for asked in batch))

    async def _one(self, asked: Asked, problems: Mapping[str, Problem]) -> Answered:
        arguments = asked.arguments
        if asked.problem:
            arguments = (problems[asked.problem], *arguments)
        try:
            future: Future[Any] = getattr(self._grader, asked.method)(*arguments, **asked.options)
            return Answered(await asyncio.wrap_future(future))
        except UnsupportedError as error:
            return Answered(unsupported=str(error))
        except (InputError, TypeError) as error:
            return Answered(refused=str(error))
        except Exception as error:  # its caller gets it; the others of the batch are not concerned
            return Answered(failed=str(error) or type(error).__name__)

    async def _problem(self, key: str, packed: Any) -> Problem:
        """The same object for the same problem, so that the grader packs it once for its supervisors."""
        known = self._problems.get(key)
        if known is None:
            content: bytes = packed if isinstance(packed, bytes) else await packed
            known = self._problems[key] = pickle.loads(content), len(content)
            self._bytes += len(content)
            while self._bytes > KEPT_PROBLEM_BYTES and len(self._problems) > 1:
                self._bytes -= self._problems.popitem(last=False)[1][1]
        else:
            self._problems.move_to_end(key)
        return known[0]
