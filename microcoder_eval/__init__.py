"""Grade model-written programs: accurately, fast, and safely.

from microcoder_eval import Grader, Problem

problem = Problem.from_dict({"id": "sum", "tests": [{"input": "1 2", "output": "3"}]})
with Grader() as grader:
    print(grader.grade(problem, "print(sum(map(int, input().split())))").verdict)

The other packages may also import these modules and folders:

    problem, scoring, verdict, gradable, signatures, arguments, errors    the data types, and what can be graded
    reading, problem_attributes                                           files of problems and of submissions
    runs, benchmarks, metrics, difficulty_levels, ground_truth            a run's folder, benchmarks, numbers
    report, terminal, progress_bar                                        pages and charts, the terminal
    commands, command_line, command_options, suggest, plural              the command line, "did you mean", "1 row"
    fork_server                                                           worker processes that Ctrl-C does not reach
    atomic, plain_files                                                   files
    install_line, languages, hub_reach                                    what can be had, and what is installed
    connection                                                            graders by address, a Ray cluster

Everything else is private to this package. `connect`, `Grader` and `grade` are imported on first use: who only reads
problems waits for none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from microcoder_eval.errors import GraderError, InputError
from microcoder_eval.outputs import Output
from microcoder_eval.problem import Checker, Interactor, Policy, Problem, Submission, TestCase
from microcoder_eval.program_run import ProgramRun
from microcoder_eval.verdict import Grade, TestResult, Verdict

if TYPE_CHECKING:
    from microcoder_eval.connection import connect
    from microcoder_eval.grader import Grader, grade

__all__ = [
    "Checker",
    "Grade",
    "Grader",
    "GraderError",
    "InputError",
    "Interactor",
    "Output",
    "Policy",
    "Problem",
    "ProgramRun",
    "Submission",
    "TestCase",
    "TestResult",
    "Verdict",
    "connect",
    "grade",
]

_ON_FIRST_USE = {"connect": "connection", "Grader": "grader", "grade": "grader"}


def __getattr__(name: str) -> Any:
    if name not in _ON_FIRST_USE:
        raise AttributeError(f"module 'microcoder_eval' has no attribute {name!r}")
    return getattr(importlib.import_module(f"microcoder_eval.{_ON_FIRST_USE[name]}"), name)
