"""What tests of other languages share: a problem, and whether this machine has a toolchain."""

from __future__ import annotations

import pytest

from microcoder_eval import Grade, Grader, Problem, Submission
from microcoder_eval.languages.table import language_named
from microcoder_eval.languages.toolchain import ToolchainMissing, find_toolchain

SUM = Problem.from_dict(
    {
        "id": "sum",
        "tests": [{"input": f"{n} {3 * n}\n", "output": f"{4 * n}\n"} for n in (1, 20, 10**12)],
        "time_limit_s": 2.0,
        "memory_limit_mb": 256,
    }
)


def needs(language: str) -> None:
    """Skip the test where the language's toolchain is missing; the reason says how to install it."""
    try:
        find_toolchain(language)
    except ToolchainMissing as missing:
        pytest.skip(str(missing))


def is_here(language: str) -> bool:
    """Whether the language's toolchain is on this machine."""
    try:
        find_toolchain(language)
    except ToolchainMissing:
        return False
    return True


def graded(grader: Grader, language: str, code: str, problem: Problem = SUM) -> Grade:
    needs(language_named(language) or language)
    return grader.grade(problem, Submission("s", problem.id, code=code, language=language))
