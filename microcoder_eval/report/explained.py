"""Why a test failed, as data for a page and the terminal: where two texts differ, which line of the program failed.

Pure functions of grades and evidence. They print nothing.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace

from microcoder_eval.runs.evidence import Evidence, shared_length
from microcoder_eval.verdict import Excerpt, Grade, TestResult, Verdict

_PLACES = (
    re.compile(r'File "solution\.py", line (\d+)'),  # of a Python traceback, or of a SyntaxError
    re.compile(r"^(?:.*/)?(?:solution|Main)\.\w+:(\d+)", re.MULTILINE),  # of a compiler, or of node
    re.compile(r"\((?:solution|Main)\.\w+:(\d+)\)"),  # of a Java stack trace
    re.compile(r"^line (\d+):"),  # of a COMPILE_ERROR of Python
)


LABELS = {
    "asserts": ("the test", "expected", "got"),
    "interactive": ("input", "expected", "conversation, its end (> interactor, < program)"),
}
"""The labels of a test's input, expected output and actual output, by the kind of the problem."""
_LABELS = "input", "expected", "got"
"""Those of the other kinds."""


def labels_of(evidence: Evidence) -> tuple[str, str, str]:
    """The labels of the three texts of a failed test.

    >>> labels_of(Evidence(kind="asserts"))
    ('the test', 'expected', 'got')
    """
    return LABELS.get(evidence.kind, _LABELS)


@dataclass(frozen=True)
class FailedTest:
    """A failed test with its texts, as far as the run kept them."""

    result: TestResult
    given: Excerpt | None
    expected: Excerpt | None

    @property
    def actual(self) -> Excerpt | None:
        return self.result.output


def failed_tests(grade: Grade, evidence: Evidence) -> list[FailedTest]:
    """The tests that were not accepted, in order."""
    failed = (test for test in grade.tests if test.verdict is not Verdict.ACCEPTED)
    return [_with_expected(FailedTest(test, *evidence.tests.get(test.index, (None, None)))) for test in failed]


def _with_expected(test: FailedTest) -> FailedTest:
    return replace(test, expected=test.result.expected) if test.expected is None else test


def shown_line(grade: Grade) -> int | None:
    """The line to mark in the program. For readers only, never for a decision: a program can print a false one."""
    failed = (test.raised for test in grade.tests if test.verdict is not Verdict.ACCEPTED)
    lines = (raised.line for raised in (grade.raised, *failed) if raised is not None and raised.line)
    return next(lines, None) or _line_in_messages(grade)


def _line_in_messages(grade: Grade) -> int | None:
    """The line that a traceback or a compiler names, for grades without it: of other languages or older versions.

    >>> _line_in_messages(Grade("", "p", Verdict.COMPILE_ERROR, detail="solution.cpp:2:1: error: x", code="a\\nb"))
    2
    """
    lines = (grade.code or "").count("\n") + 1
    failed = (test.stderr for test in grade.tests if test.verdict is not Verdict.ACCEPTED)
    errors = [stderr.text for stderr in failed if stderr is not None]
    for text in (*errors, grade.detail):
        for place in _PLACES:
            numbers = [int(found[1]) for found in place.finditer(text)]
            # compilers name the first error first, tracebacks the innermost call last
            number = numbers and (numbers[-1] if place is not _PLACES[1] else numbers[0])
            if number and 1 <= number <= lines:
                return number
    return None


def differing_spans(one: str, other: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """The parts of two lines that differ: from the first to the last character that is not the same.

    >>> differing_spans("a 12 b", "a 34 b")
    ((2, 4), (2, 4))
    """
    start = shared_length(one, other)
    end = shared_length(one[start:][::-1], other[start:][::-1])
    return (start, len(one) - end), (start, len(other) - end)


def paired_lines(expected: str, actual: str) -> list[tuple[str | None, str | None]]:
    """The lines of two texts side by side; None where a text has no more lines.

    >>> paired_lines("1\\n2\\n", "1")
    [('1', '1'), ('2', None)]
    """
    left, right = expected.rstrip("\n").split("\n"), actual.rstrip("\n").split("\n")
    return list(itertools.zip_longest(left, right))
