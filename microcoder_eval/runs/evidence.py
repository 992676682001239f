"""What a run keeps of each submission besides its grade, so that a person sees why it failed.

It is the model's reply, the input and the expected output of each failed test, and the other fields of the submission's
record (`model`, `temperature`). All of it is bounded: a long text is cut to the part around the first difference, and a
run keeps at most `MOST_OF_A_RUN` bytes of evidence. What a program printed is in its `TestResult`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from microcoder_eval.boundary.assert_units import source_of
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.verdict import MOST_EXCERPTS, Excerpt, Grade, TestResult, Verdict

LONGEST_TEXT = 4096
"""The most characters of an input or an expected output."""
LONGEST_REPLY = 16_384
LONGEST_STATEMENT = 20_000
LONGEST_PROGRAM = 262_144
"""The most characters of a program in a run folder. One of this length may have been longer, and is not run again."""
MOST_OF_A_RUN = 256 << 20


@dataclass(frozen=True)
class Evidence:
    """What is kept of the submission that a grade is for."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    reply: Excerpt | None = None
    """A model's reply; only its end when it is long."""
    tests: Mapping[int, tuple[Excerpt, Excerpt | None]] = field(default_factory=dict)
    """The input and the expected output of each failed test, by its number. A test of a test program is its own input,
    and its expected value is in the `TestResult`. A conversation has no expected output."""
    kind: str = "stdin"
    """The kind of the problem, by which the texts of a test are labelled."""

    def to_dict(self) -> dict[str, Any]:
        return {
            **({"fields": dict(self.fields)} if self.fields else {}),
            **({"kind": self.kind} if self.kind != "stdin" else {}),
            **({"reply": self.reply.to_dict()} if self.reply is not None else {}),
            **(
                {
                    "tests": [
                        {"index": index, "input": given.to_dict()}
                        | ({} if wanted is None else {"expected": wanted.to_dict()})
                        for index, (given, wanted) in self.tests.items()
                    ]
                }
                if self.tests
                else {}
            ),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Evidence:
        fields = record.get("fields") or {}
        if not isinstance(fields, dict) or not all(type(test["index"]) is int for test in record.get("tests", ())):
            raise TypeError("fields is an object, and a test's index is a whole number")
        return cls(
            fields,
            Excerpt.from_dict(record["reply"]) if "reply" in record else None,
            {
                test["index"]: (
                    Excerpt.from_dict(test["input"]),
                    Excerpt.from_dict(test["expected"]) if "expected" in test else None,
                )
                for test in record.get("tests", ())
            },
            record.get("kind", "stdin"),
        )

    def only_fields(self) -> Evidence:
        """The same without the reply and the tests, which may be long."""
        return Evidence(self.fields)


def evidence_of(problem: Problem, submission: Submission, fields: Mapping[str, Any], grade: Grade) -> Evidence:
    """The evidence to keep of one submission. fields: the other fields of its record.

    >>> problem = Problem.from_dict({"id": "a", "tests": [{"input": "1", "output": "2"}]})
    >>> submission, grade = Submission("s", "a", response="3"), Grade("s", "a", Verdict.ACCEPTED)
    >>> evidence_of(problem, submission, {"model": "m"}, grade).fields
    {'model': 'm'}
    """
    failed = [test for test in grade.tests if test.verdict is not Verdict.ACCEPTED and has_input(problem, test.index)]
    shown = {test.index: _input_and_expected(problem, test) for test in failed[:MOST_EXCERPTS]}
    text = submission.response
    reply = None if text is None else Excerpt.of(text, len(text), LONGEST_REPLY)
    return Evidence(fields, reply, shown, problem.kind)


def statement_of(problem: Problem) -> Excerpt | None:
    """A problem's statement, if it has one."""
    return Excerpt.of(problem.statement, 0, LONGEST_STATEMENT) if problem.statement.strip() else None


def has_input(problem: Problem, index: int) -> bool:
    """Whether a test of this number has an input that can be shown."""
    return problem.kind == "asserts" or index < len(problem.tests)


def input_text(problem: Problem, index: int) -> str:
    """A test's input as a person reads it: text, the arguments of a call, or the test itself of a test program.

    >>> tests = [{"input": [1, "b"], "output": 2}]
    >>> input_text(Problem.from_dict({"id": "a", "kind": "call", "entry_point": "f", "tests": tests}), 0)
    "f(1, 'b')"
    """
    if problem.kind == "asserts":
        return _unit_source(problem.test_code, index)
    given = problem.tests[index].input
    if isinstance(given, str):
        return given
    pairs = given.items() if isinstance(given, dict) else None
    arguments = [f"{name}={_repr(value)}" for name, value in pairs] if pairs is not None else map(_repr, given)
    return f"{problem.entry_point or ''}({', '.join(arguments)})"


def expected_text(problem: Problem, index: int) -> str | None:
    """A test's expected output as a person reads it; None for a test program or a conversation."""
    if problem.kind in ("asserts", "interactive"):
        return None
    wanted = problem.tests[index].output
    return wanted if isinstance(wanted, str) and problem.kind != "call" else _repr(wanted)


def shared_length(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning.

    >>> shared_length("abc", "abd"), shared_length("a", "")
    (2, 0)
    """
    pairs = zip(one, other, strict=False)
    return next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def _input_and_expected(problem: Problem, test: TestResult) -> tuple[Excerpt, Excerpt | None]:
    """A test's input from its beginning, and its expected output around the first difference."""
    given, wanted = Excerpt.of(input_text(problem, test.index), 0, LONGEST_TEXT), expected_text(problem, test.index)
    if wanted is None:
        return given, None
    around = 0
    if test.output is not None:
        start = test.output.start
        around = start + shared_length(wanted[start : start + 2 * LONGEST_TEXT], test.output.text)
    return given, Excerpt.of(wanted, around, LONGEST_TEXT)


@lru_cache(maxsize=64)
def _unit_source(test_code: str, index: int) -> str:
    return source_of(test_code, index)


def _repr(value: Any) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):  # an integer with more digits than Python prints, or a deep list
        return f"<{type(value).__name__}>"
