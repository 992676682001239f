"""The methods that every grader has, wherever its programs run: the type of an argument that takes any grader.

def accepted(grader: AnyGrader, problem: Problem, reply: str) -> bool:
    return grader.grade(problem, reply).accepted
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, Protocol

from microcoder_eval.outputs import Output
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.program_run import DEFAULT_KEPT_BYTES, ProgramRun
from microcoder_eval.verdict import Grade


class AnyGrader(Protocol):
    """A `Grader` of this process, or what `connect` returns."""

    def submit(
        self, problem: Problem, submission: Submission | str, *, all_tests: bool | None = None, fresh: bool = False
    ) -> Future[Grade]: ...

    def grade(self, problem: Problem, submission: Submission | str) -> Grade: ...

    def outputs(self, problem: Problem, submission: Submission) -> Future[list[Output]]: ...

    def submit_run(
        self,
        code: str,
        language: str = "python",
        stdin: str | bytes = "",
        files: Mapping[str, str | bytes] | None = None,
        *,
        time_limit_s: float | None = None,
        memory_limit_mb: int | None = None,
        kept_bytes: int = DEFAULT_KEPT_BYTES,
    ) -> Future[ProgramRun]: ...

    def run(self, code: str, language: str = "python", stdin: str | bytes = "", **options: Any) -> ProgramRun: ...

    async def agrade(self, problem: Problem, submission: Submission | str) -> Grade: ...

    def grade_many(self, pairs: Iterable[tuple[Problem, Submission | str]]) -> Iterator[Grade]: ...

    def close(self) -> Any: ...

    def __enter__(self) -> AnyGrader: ...

    def __exit__(self, *_: object) -> None: ...
