"""Grades one program, or one model's reply, from a file: the work of `microcoder eval run`."""

from __future__ import annotations

from pathlib import Path

from microcoder_eval.errors import InputError
from microcoder_eval.grader import Grader
from microcoder_eval.grading.options import GradingOptions
from microcoder_eval.languages.table import language_of_file
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.reading.record_files import REPLY_SUFFIXES
from microcoder_eval.verdict import Grade


def read_program_file(file: Path, problem: Problem, language: str | None) -> Submission:
    """The submission in `file`; a Markdown or text file is read as a model's reply.

    Without `language`, the file's suffix decides; an unknown suffix means Python.
    """
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    language = language or language_of_file(file.suffix)
    if file.suffix in REPLY_SUFFIXES:
        return Submission(file.name, problem.id, response=text, language=language)
    return Submission(file.name, problem.id, code=text, language=language)


def grade_program(submission: Submission, problem: Problem, options: GradingOptions) -> Grade:
    """Grade one submission.

    >>> grade_program(read_program_file(Path("a.py"), problem, None), problem, GradingOptions())  # doctest: +SKIP
    """
    with Grader(workers=1, require_sandbox=options.required_layers, **options.settings) as grader:
        return grader.grade(problem, submission)
