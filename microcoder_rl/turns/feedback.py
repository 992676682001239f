"""Writes the feedback on a failed program: the compiler's message, or the first public test that fails.

    feedback_of(grade, examples)    # examples: the problem with its public tests only (`example_problem`)

Hidden tests cannot enter the text: a grade given to `feedback_of` is of the public tests alone, unless the program
never ran (`can_run`). What a run leaves, also one that the sandbox ended, may hold the input of its test. When the
public tests all pass, or there are none, there is no feedback and the conversation ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from microcoder_eval import Grade, Problem, Verdict

MOST_CHARACTERS = 400
"""The longest input, output or error message that is shown. Longer inputs and outputs lose their middle, longer error
messages their beginning."""
_NOT_RUN = (Verdict.COMPILE_ERROR, Verdict.NO_CODE)
_ASK_AGAIN = "Correct the program. Answer with the whole program in one ```python code block."


def public_tests(problem: Problem, record: Mapping[str, Any]) -> tuple[int, ...]:
    """The indices of the tests that a user may see: those marked as public, or shown as a sample of the record."""
    tests = _mappings(record.get("tests"))
    samples = [str(each["input"]).split() for each in _mappings(record.get("samples")) if each.get("input") is not None]
    shown = [bool(test) and (bool(test.get("public")) or str(test.get("input")).split() in samples) for test in tests]
    return tuple(index for index, each in enumerate(shown) if each and index < len(problem.tests))


def example_problem(problem: Problem, public: tuple[int, ...]) -> Problem:
    """The problem with its public tests only. `public` are the indices of these tests.

    >>> from microcoder_eval import TestCase
    >>> problem = Problem("p", tests=(TestCase("1", "2"), TestCase("hidden", "3")))
    >>> [test.input for test in example_problem(problem, (0,)).tests]
    ['1']
    """
    shown = tuple(problem.tests[index] for index in public)
    return replace(problem, id=f"{problem.id} (public tests)", tests=shown, groups=None)


def feedback_of(grade: Grade, examples: Problem) -> str | None:
    """The feedback on a program, from the grade of its public tests; None when these do not show what is wrong.

    >>> grade = Grade("", "p", Verdict.COMPILE_ERROR, detail="line 1: invalid syntax")
    >>> feedback_of(grade, Problem("p")).splitlines()[0]
    'The program does not compile: line 1: invalid syntax'
    """
    if grade.verdict is Verdict.NO_CODE:
        return f"The answer has no program. {_ASK_AGAIN}"
    if grade.verdict is Verdict.FORBIDDEN:
        return f"The program is not allowed to run: {_end(grade.detail)}\n{_ASK_AGAIN}"
    if grade.verdict is Verdict.COMPILE_ERROR:
        return f"The program does not compile: {_end(grade.detail)}\n{_ASK_AGAIN}"
    failed = next((test for test in grade.tests if test.verdict is not Verdict.ACCEPTED), None)
    if failed is None or failed.verdict is Verdict.JUDGE_ERROR or failed.index >= len(examples.tests):
        return None
    test = examples.tests[failed.index]
    given, expected = (_written(value, examples.kind) for value in (test.input, test.output))
    lines = ["The program fails this test.", "Input:", _middle(given), "Expected output:", _middle(expected)]
    if failed.verdict is Verdict.WRONG_ANSWER:
        output = failed.output.text if failed.output else ""
        lines += ["Output of the program:", _middle(output.rstrip("\n")), f"First difference: {_end(failed.detail)}"]
    else:
        verdict = failed.verdict.value.replace("_", " ").lower()
        lines += [f"The program ended with: {verdict}", _end(failed.detail)]
    return "\n".join([*lines, _ASK_AGAIN])


def can_run(grade: Grade) -> bool:
    """Whether a graded program was run on a test. If not, its message is the same for public and hidden tests."""
    return grade.verdict not in _NOT_RUN


def _written(value: Any, kind: str) -> str:
    """A value of a test as the output of a program is written: of a function, in Python's form."""
    return repr(value) if kind == "call" else str(value).rstrip("\n")


def _middle(text: str) -> str:
    half = MOST_CHARACTERS // 2
    return text if len(text) <= MOST_CHARACTERS else f"{text[:half]}\n...\n{text[-half:]}"


def _end(text: str) -> str:
    text = text.strip()
    return text if len(text) <= MOST_CHARACTERS else f"... {text[-MOST_CHARACTERS:]}"


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    """The elements of a list; an empty mapping for one that is no mapping."""
    return [each if isinstance(each, Mapping) else {} for each in value] if isinstance(value, list) else []
