"""The actor of a node: a `Grader` that takes calls in batches. One for each node and set of options; drivers share it.

When the actor or its node dies, the driver that has sent a batch sends it again to another node.
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


class GraderCall(NamedTuple):
    """One call of a grader's method."""

    name: str
    """For `withdraw`; no other call has it."""
    method: str
    """The name of a method of `Grader` that gives a future: submit, outputs, submit_run."""
    problem: str
    """The key of its problem, which is sent with the batch; empty where the method takes none."""
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]


class CallAnswer(NamedTuple):
    """The answer to one call: its result, or in one of the other fields why there is none."""

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
        self._running: dict[str, Future[Any]] = {}  # by the call's name

    async def start(self) -> str:
        """Start the grader unless it runs. Returns why it cannot work here; empty when it can."""
        if self._grader is None:
            try:
                self._grader = Grader(**self._options)
            except (GraderError, InputError, OSError) as error:
                return str(error)
        return ""

    async def work(self, batch: Sequence[GraderCall], problems: Mapping[str, Any]) -> list[CallAnswer]:
        """The answers to a batch, in its order. problems: by key, pickled; large ones as references to Ray's store."""
        held = {key: await self._problem(key, packed) for key, packed in problems.items()}
        return await asyncio.gather(*(self._one(call, held) for call in batch))

    async def _one(self, call: GraderCall, problems: Mapping[str, Problem]) -> CallAnswer:
        arguments = call.arguments
        if call.problem:
            arguments = (problems[call.problem], *arguments)
        try:
            options = {**call.options, "withdrawable": True} if call.method != "outputs" else call.options
            future: Future[Any] = getattr(self._grader, call.method)(*arguments, **options)
            self._running[call.name] = future
            return CallAnswer(await asyncio.wrap_future(future))
        except UnsupportedError as error:
            return CallAnswer(unsupported=str(error))
        except (InputError, TypeError) as error:
            return CallAnswer(refused=str(error))
        except Exception as error:  # this call gets it; the other calls of the batch go on
            return CallAnswer(failed=str(error) or type(error).__name__)
        finally:
            self._running.pop(call.name, None)

    async def withdraw(self, name: str) -> None:
        """Nobody waits for a call any more: no further test of it runs."""
        if name in self._running and self._grader is not None:
            self._grader.withdraw(self._running[name])

    async def _problem(self, key: str, packed: Any) -> Problem:
        """The unpickled problem; the same object each time, so that the grader packs it once for its supervisors."""
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
