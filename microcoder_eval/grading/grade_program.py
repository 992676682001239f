"""Grades one program, or one model's reply, from a file: the work of `microcoder eval run`."""

from __future__ import annotations

from pathlib import Path

from microcoder_eval.errors import InputError
from microcoder_eval.grader import Grader
from microcoder_eval.grading.options import GradingOptions
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.reading.program_files import program_record
from microcoder_eval.verdict import Grade


def read_program_file(file: Path, problem: Problem, language: str | None) -> Submission:
    """The submission in `file`; a Markdown or text file is read as a model's reply, a notebook as its code cells.

    Without `language`, the file's suffix decides; an unknown suffix means Python.
    """
    try:
        record = program_record(file)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    named = {"language": language} if language else {}
    return Submission.from_dict({"id": file.name, "problem_id": problem.id, **record, **named})


def grade_program(submission: Submission, problem: Problem, options: GradingOptions) -> Grade:
    """Grade one submission.

    >>> grade_program(read_program_file(Path("a.py"), problem, None), problem, GradingOptions())  # doctest: +SKIP
    """
    with Grader(workers=1, require_sandbox=options.required_layers, **options.settings) as grader:
        return grader.grade(problem, submission)
