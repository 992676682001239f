"""A program's outputs on given inputs, which are not compared with anything.

    runs = grader.outputs(problem, submission).result()
    [run.value for run in runs if run.ended_well]

Use it to make expected outputs from reference solutions; the tests' own expected outputs are not used. The outputs are
data that an untrusted program wrote: text, or for kind `call` a value made of builtin types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from microcoder_eval.boundary.decode_values import NotAValue, read_answer
from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem
from microcoder_eval.verdict import TestResult, Verdict


@dataclass(frozen=True)
class Output:
    """How a program ended on one input, and its output."""

    verdict: Verdict
    """ACCEPTED: the program ended well, and `value` is its output."""
    value: Any = None
    cpu_ms: float = 0.0
    detail: str = ""

    @property
    def ended_well(self) -> bool:
        return self.verdict is Verdict.ACCEPTED


def refuse_without_outputs(problem: Problem) -> None:
    """Raise `InputError` for kinds of problems whose programs have no output of their own."""
    if problem.kind not in ("stdin", "call"):
        raise InputError(f"problem {problem.id!r}: programs of kind {problem.kind} have no output of their own")


def read_output(problem: Problem, result: TestResult, output: bytes | None) -> Output:
    """The output of one test, from the bytes that the program has printed or returned."""
    if output is None:
        return Output(result.verdict, None, result.cpu_ms, result.detail)
    if problem.kind == "stdin":
        return Output(result.verdict, output.decode("utf-8", "surrogateescape"), result.cpu_ms)
    in_place = problem.tests[result.index].output is not None
    try:
        value = read_answer(output, in_place)
    except NotAValue as error:
        return Output(Verdict.RUNTIME_ERROR, None, result.cpu_ms, str(error))
    return Output(result.verdict, value, result.cpu_ms)
