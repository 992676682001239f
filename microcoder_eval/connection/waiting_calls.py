"""The blocking calls of a connected grader: each starts the work and waits for its result.

class RemoteGrader(WaitingCalls): ...       # with `submit`, `submit_run` and `close` of its own
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from microcoder_eval.program_run import ProgramRun
from microcoder_eval.verdict import Grade

Self = TypeVar("Self", bound="WaitingCalls")


class WaitingCalls:
    """Gives `run`, `grade`, `agrade` and `with` to a class that has `submit`, `submit_run` and `close`."""

    submit: Callable[..., Future[Grade]]
    submit_run: Callable[..., Future[ProgramRun]]
    close: Callable[[], None]

    def run(self, code: str, language: str = "python", stdin: str | bytes = "", **options: Any) -> ProgramRun:
        """Run a program once and wait for it."""
        return self.submit_run(code, language, stdin, **options).result()

    def grade(self, problem: Any, submission: Any) -> Grade:
        """Grade one submission and wait for it."""
        return self.submit(problem, submission).result()

    async def agrade(self, problem: Any, submission: Any) -> Grade:
        """Grade one submission without blocking the event loop."""
        import asyncio  # loads slowly, and most callers wait in a thread

        return await asyncio.wrap_future(self.submit(problem, submission))

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
