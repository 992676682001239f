"""Refuses submissions that cannot be graded, and finds a submission's program, its language and its toolchain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from microcoder_eval.errors import InputError, UnsupportedError
from microcoder_eval.extract import extract
from microcoder_eval.languages.table import LANGUAGES, PYTHON, language_named
from microcoder_eval.languages.testlib import supplied
from microcoder_eval.languages.toolchain import find_toolchain
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.protocol.messages import Toolchain
from microcoder_eval.record_schema import shown


@dataclass(frozen=True)
class Program:
    """The program of a submission, and how it was found."""

    code: str | None
    """None when a model's reply has no program in it."""
    language: str
    complete: bool = True
    notes: tuple[str, ...] = ()

    def about(self) -> dict[str, Any]:
        """The fields of a `Grade` that describe the program."""
        return {"code": self.code, "language": self.language, "complete": self.complete, "notes": self.notes}


def refuse_wrong_types(problem: object, submission: object) -> None:
    """Raise `TypeError` for arguments of other types, `InputError` for a submission to another problem."""
    if not isinstance(problem, Problem):
        hint = ": read a record with Problem.from_dict" if isinstance(problem, dict) else ""
        raise TypeError(f"the problem is a Problem, not {type(problem).__name__}{hint}")
    if not isinstance(submission, Submission):
        hint = ": read a record with Submission.from_dict" if isinstance(submission, dict) else ""
        raise TypeError(f"the submission is a Submission, not {type(submission).__name__}{hint}")
    if submission.problem_id not in ("", problem.id):
        raise InputError(
            f"submission {shown(submission.id)} is for problem {shown(submission.problem_id)}, not {shown(problem.id)}"
        )


def refuse_unsupported(problem: Problem, submission: Submission) -> None:
    """Raise `InputError` for a submission that cannot be graded here, before anything is run."""
    language = submission_language(submission)
    program, task = f"submission {submission.id!r}", f"problem {problem.id!r}"
    if language != PYTHON:
        known = ", ".join((PYTHON, *LANGUAGES))
        if language not in LANGUAGES:
            raise UnsupportedError(program, f"unknown language {submission.language!r}; known: {known}")
        if problem.kind in ("call", "asserts"):
            raise UnsupportedError(program, f"a problem of kind {problem.kind} takes Python only, not {language}")
        try:
            toolchain_of(language)
        except InputError as error:
            raise UnsupportedError(program, str(error)) from None
    if problem.checker.is_program and problem.kind != "stdin":
        raise UnsupportedError(
            task,
            f"a checker in the style of {problem.checker.style} judges what programs print, not kind {problem.kind}",
        )
    if has_cpp_judges(problem):
        try:
            toolchain_of("cpp")
        except InputError as error:
            raise UnsupportedError(task, f"its judges' program cannot be compiled: {error}") from None
        interactor = problem.interactor.to_dict() if problem.interactor is not None else None
        supplied({"id": problem.id, "checker": problem.checker.to_dict(), "interactor": interactor})
    if problem.kind == "asserts":
        try:
            _ = problem.units
        except InputError as error:
            raise InputError(f"{task}: {error}") from None
    elif not problem.tests:
        raise UnsupportedError(task, "no tests: nothing could be graded")


def read_program(problem: Problem, submission: Submission, fences_only: bool = False) -> Program:
    """The program of a submission, extracted from a model's reply if it is one (`fences_only`: from fences only)."""
    language = submission_language(submission)
    if submission.code is not None:
        return Program(submission.code.removeprefix("\ufeff"), language)
    found = extract(
        submission.response or "",
        language=submission.language,
        starter_code=problem.starter_code,
        entry_point=problem.entry_point,
        is_script=problem.kind in ("stdin", "interactive"),
        fences_only=fences_only,
        truncated=submission.truncated,
    )
    return Program(found.code, language, found.complete, (found.note,) if found.note else ())


def submission_language(submission: Submission) -> str:
    """The submission's language, by this package's name for it."""
    return language_named(submission.language) or submission.language


def toolchain_of(language: str) -> Toolchain | None:
    """A language's toolchain; None for Python. Raises `InputError` when it is not installed."""
    return None if language == PYTHON else find_toolchain(language)


def has_cpp_judges(problem: Problem) -> bool:
    """Whether the checker or the interactor is a C++ program."""
    return problem.checker.kind == "cpp" or (problem.interactor is not None and problem.interactor.language == "cpp")
