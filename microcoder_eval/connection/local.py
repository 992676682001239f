"""A `Grader` of this process, made when it is first needed. A forked child or an unpickled copy makes its own."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

from microcoder_eval.connection.after_fork import renew_after_fork
from microcoder_eval.grader import Grader
from microcoder_eval.outputs import Output
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.program_run import ProgramRun
from microcoder_eval.scheduling.grader_arguments import check_options
from microcoder_eval.verdict import Grade


class LocalGrader:
    """Gives what `Grader` gives, and can be pickled."""

    def __init__(self, **options: Any) -> None:
        """options: those of `Grader`."""
        check_options(options)
        self._options = options
        self.renew()
        renew_after_fork(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (self._options,)

    def renew(self) -> None:
        """Forget the `Grader`: it belongs to the process that forked this one."""
        self._lock = threading.Lock()
        self._grader: Grader | None = None

    def _own(self) -> Grader:
        """The `Grader` of this process, started now if need be."""
        with self._lock:
            if self._grader is None:
                self._grader = Grader(**self._options)
            return self._grader

    def submit(
        self, problem: Problem, submission: Submission | str, *, all_tests: bool | None = None, fresh: bool = False
    ) -> Future[Grade]:
        return self._own().submit(problem, submission, all_tests=all_tests, fresh=fresh)

    def outputs(self, problem: Problem, submission: Submission) -> Future[list[Output]]:
        return self._own().outputs(problem, submission)

    def submit_run(
        self,
        code: str,
        language: str = "python",
        stdin: str | bytes = "",
        files: Mapping[str, str | bytes] | None = None,
        **options: Any,
    ) -> Future[ProgramRun]:
        return self._own().submit_run(code, language, stdin, files, **options)

    def run(self, code: str, language: str = "python", stdin: str | bytes = "", **options: Any) -> ProgramRun:
        return self._own().run(code, language, stdin, **options)

    def grade(self, problem: Problem, submission: Submission | str) -> Grade:
        return self._own().grade(problem, submission)

    async def agrade(self, problem: Problem, submission: Submission | str) -> Grade:
        return await self._own().agrade(problem, submission)

    def grade_many(self, pairs: Iterable[tuple[Problem, Submission | str]]) -> Iterator[Grade]:
        return self._own().grade_many(pairs)

    def close(self) -> None:
        with self._lock:
            if self._grader is not None:
                self._grader.close()
                self._grader = None

    def __enter__(self) -> LocalGrader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _make(options: dict[str, Any]) -> LocalGrader:
    return LocalGrader(**options)
