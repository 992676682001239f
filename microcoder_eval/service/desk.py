"""The bounded queue before the grader: every request gets a grade, or a `Refusal` with the reason.

    desk = Desk(grader, limits)
    grade = await desk.grade(problem, submission, caller)

The grader gets little more work than its workers can run. The rest waits here, where it can still be refused, dropped
after a hang-up, or answered at its deadline. It lives in one event loop and is not thread-safe.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from microcoder_eval.errors import GraderError, InputError
from microcoder_eval.grader import Grader
from microcoder_eval.languages.toolchain import ToolchainState, examine_toolchains
from microcoder_eval.outputs import Output
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.program_run import ProgramRun
from microcoder_eval.scheduling.pool import PoolState
from microcoder_eval.service.limits import RequestLimits
from microcoder_eval.service.metrics import Metrics
from microcoder_eval.service.refusal import HungUp, Kind, Refusal
from microcoder_eval.verdict import Grade

Result = TypeVar("Result")
PLACES_PER_WORKER = 4
"""Gradings in the grader at a time: enough that no worker waits for the next one."""
LONGEST_RETRY_AFTER_S = 30
MOST_REPLY = 1 << 20
"""The most characters of a model's reply. The program is found in it on the event loop's time."""


@dataclass(eq=False)
class Caller:
    """A client that waits for an answer."""

    deadline: float
    """When the request must be answered, by `time.monotonic`."""
    gone: asyncio.Future[None]
    """Done when the client has hung up."""
    large: bool = False
    """Whether its work may be large, so that the event loop does not prepare it."""

    async def wait_for(self, future: asyncio.Future[Result], kind: Kind, when: str) -> Result:
        """The future's result. Raises `HungUp`, or a `Refusal` of this kind at the deadline."""
        try:
            left_s = max(0.0, self.deadline - time.monotonic())
            waited: set[asyncio.Future[Any]] = {future, self.gone}
            await asyncio.wait(waited, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
            if future.done():
                return future.result()
            if self.gone.done():
                raise HungUp
            raise Refusal(kind, f"the deadline passed {when}")
        finally:
            future.cancel()


@dataclass(eq=False)
class _Turn:
    """A place in the queue."""

    ready: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Desk:
    """Takes work for one grader, at most `limits.queue` waiting."""

    def __init__(self, grader: Grader, limits: RequestLimits) -> None:
        self._grader = grader
        self._limits = limits
        self._places = grader.state.workers * PLACES_PER_WORKER
        self._running = 0
        self._waiting: deque[_Turn] = deque()
        self._toolchains: list[ToolchainState] | None = None
        self._usual_s = 0.1  # moving average of how long work keeps its place
        self.closing = False
        self.fault = ""
        """Why no more large requests can be read; empty when they can."""
        self.last_work = time.monotonic()
        """When work last came or ended."""
        self.metrics = Metrics(lambda: grader.state, lambda: len(self._waiting), lambda: self._running)

    @property
    def state(self) -> PoolState:
        return self._grader.state

    @property
    def idle(self) -> bool:
        return not self._running and not self._waiting

    def close(self) -> None:
        """Refuse the waiting work and all new work; running work is finished."""
        self.closing = True
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.ready.done():
                turn.ready.set_exception(self._shutting_down())

    async def grade(
        self,
        problem: Problem,
        submission: Submission,
        caller: Caller,
        all_tests: bool | None = None,
        fresh: bool = False,
    ) -> Grade:
        """The grade. Raises `Refusal`, `HungUp`, or `InputError` for what the grader does not take."""
        refuse_long_reply(submission)

        def submit() -> Future[Grade]:
            return self._grader.submit(problem, submission, all_tests=all_tests, fresh=fresh, withdrawable=True)

        grade = await self._answer(submit, caller)
        self.metrics.graded(grade)
        return grade

    async def run(self, caller: Caller, code: str, language: str, stdin: str | bytes, **options: Any) -> ProgramRun:
        """A plain run of a program; `options` are those of `Grader.submit_run`."""
        run = await self._answer(
            lambda: self._grader.submit_run(code, language, stdin, withdrawable=True, **options), caller
        )
        self.metrics.ran(run.verdict.value, run.cpu_s)
        return run

    async def outputs(self, problem: Problem, submission: Submission, caller: Caller) -> list[Output]:
        """What a program answers to the tests' inputs. It is not interrupted when its caller hangs up."""
        outputs = await self._answer(lambda: self._grader.outputs(problem, submission), caller)
        for output in outputs:
            self.metrics.ran(output.verdict.value, output.cpu_ms / 1000)
        return outputs

    async def keep(self, problem: Problem) -> None:
        """Nothing to do: this process keeps what it has read. A reader's desk hands the problem over here."""

    async def toolchains(self) -> list[ToolchainState]:
        """The toolchains of this machine. They are asked once, which takes a while."""
        if self._toolchains is None:
            self._toolchains = await asyncio.to_thread(examine_toolchains)
        return self._toolchains

    async def _answer(self, submit: Callable[[], Future[Result]], caller: Caller) -> Result:
        came = time.monotonic()
        await self._take_place(caller)
        begun = time.monotonic()
        self.metrics.took("wait", begun - came)
        try:
            return await self._finish(submit, caller)
        finally:
            took = time.monotonic() - begun
            self.metrics.took("grade", took)
            self._usual_s += (took - self._usual_s) / 20
            self._free_place()

    async def _take_place(self, caller: Caller) -> None:
        """Wait for one of the places for running work; raises `Refusal` or `HungUp` when there will be none."""
        self.last_work = time.monotonic()
        if self.closing:
            raise self._shutting_down()
        if self._running < self._places and not self._waiting:
            self._running += 1
            return
        if len(self._waiting) >= self._limits.queue:
            wait_s = min(LONGEST_RETRY_AFTER_S, math.ceil(self._usual_s * len(self._waiting) / self._places))
            raise Refusal(Kind.QUEUE_FULL, f"{len(self._waiting)} gradings wait already", max(1, wait_s))
        turn = _Turn()
        self._waiting.append(turn)
        try:
            await caller.wait_for(turn.ready, Kind.QUEUE_TIMEOUT, "while the work waited")
        except BaseException:
            if turn.ready.done() and not turn.ready.cancelled() and turn.ready.exception() is None:
                self._free_place()  # the place was given just as this caller gave up
            with suppress(ValueError):
                self._waiting.remove(turn)
            raise

    async def _finish(self, submit: Callable[[], Future[Result]], caller: Caller) -> Result:
        """Give the work to the grader and wait for its result; withdraw it when the caller's wait ends first."""
        try:
            future = await self._submitted(submit) if caller.large else submit()
        except GraderError as error:
            raise Refusal(Kind.INTERNAL_ERROR, str(error)) from None
        except TypeError as error:
            raise InputError(str(error)) from None
        try:
            return await caller.wait_for(asyncio.wrap_future(future), Kind.WORKER_TIMEOUT, "while the program ran")
        except GraderError as error:
            raise Refusal(Kind.INTERNAL_ERROR, str(error)) from None
        finally:
            self._grader.withdraw(future)

    async def _submitted(self, submit: Callable[[], Future[Result]]) -> Future[Result]:
        """What `submit` returns, called in a thread. When this task is cancelled meanwhile, the work is withdrawn."""
        submitting = asyncio.ensure_future(asyncio.to_thread(submit))
        try:
            return await asyncio.shield(submitting)
        except asyncio.CancelledError:
            submitting.add_done_callback(self._withdraw_submitted)
            raise

    def _withdraw_submitted(self, submitting: asyncio.Future[Future[Any]]) -> None:
        if not submitting.exception():
            self._grader.withdraw(submitting.result())

    def _free_place(self) -> None:
        self.last_work = time.monotonic()
        self._running -= 1
        while self._waiting and self._running < self._places:
            turn = self._waiting.popleft()
            if not turn.ready.done():
                turn.ready.set_result(None)
                self._running += 1

    def _shutting_down(self) -> Refusal:
        return Refusal(Kind.SHUTTING_DOWN, "the service is shutting down", 1)


def refuse_long_reply(submission: Submission) -> None:
    """Raise a `Refusal` for a reply in which a search for the program would keep the event loop."""
    if len(submission.response or "") > MOST_REPLY:
        raise Refusal(Kind.OVER_LIMIT, f"a reply of more than {MOST_REPLY} characters: send its program as code")
