"""The line and the class of the exception that ended a program: where it is right, and how a program lies about it."""

from __future__ import annotations

import json

import pytest

from microcoder_eval import Grade, Grader, Problem, Submission, Verdict
from microcoder_eval.report.explained import shown_line
from microcoder_eval.verdict import Raised

STDIN = Problem.from_dict({"id": "p", "tests": [{"input": "1\n", "output": "1"}, {"input": "0\n", "output": "0"}]})
CALL = Problem.from_dict({"id": "c", "kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": 1}]})
ASSERTS = Problem.from_dict({"id": "a", "kind": "asserts", "entry_point": "f", "test_code": "assert f(1) == 1\n"})
DIVIDES = "def g(n):\n    return 1 // n\n\nprint(int(g(int(input()))))\n"
RAISING: dict[str, tuple[Problem, str, Raised | None]] = {
    "the innermost line": (STDIN, DIVIDES, Raised(2, "ZeroDivisionError")),
    "a line that calls a library": (STDIN, "import json\n\njson.loads('[')", Raised(3, "JSONDecodeError")),
    "its own class": (STDIN, "class Own(Exception): pass\n\n\nraise Own", Raised(4, "Own")),
    "a syntax error of a text": (STDIN, "x = 1\nexec('(' * x)", Raised(2, "SyntaxError")),
    "no stack": (STDIN, "def f(n):\n    return f(n)\nf(1)", Raised(2, "RecursionError")),
    "an exit is no exception": (STDIN, "import sys\nsys.exit(3)", None),
    "a signal is no exception": (STDIN, "import os\nos.abort()", None),
    "a wrong answer is none": (STDIN, "print(5)", None),
    "a call": (CALL, "def f(x):\n    y = x\n    return y.z", Raised(3, "AttributeError")),
    "a call's definitions": (CALL, "import os\n1 / 0\ndef f(x): return x", Raised(2, "ZeroDivisionError")),
    "nothing to call": (CALL, "def g(x): return x", Raised(None, "NameError")),
    "asserts": (ASSERTS, "def f(x):\n    return [][x]", Raised(2, "IndexError")),
    "definitions under asserts": (ASSERTS, "a = 1\nb = a.c\ndef f(x): return x", Raised(2, "AttributeError")),
    "asserts that are false": (ASSERTS, "def f(x): return 2", None),
    "does not compile": (STDIN, "a = 1\nb = (\n", Raised(2, "SyntaxError")),
    "is badly indented": (CALL, "def f(x):\nreturn x", Raised(2, "IndentationError")),
    "has a null": (STDIN, "a = 1\n\0", Raised(None, "SyntaxError")),
}
FILE_NUMBER = 6
LYING = {
    "far": "\n9999999\nValueError",
    "negative": "\n-1\nValueError",
    "long": "\n" + "9" * 5000 + "\nValueError",
    "no number": "\nline 1\nValueError",
    "markup": "\n1\n<script>alert(1)</script>",
    "control characters": "\n1\n\x1b[2J",
    "long name": "\n1\n" + "E" * 100_000,
    "many lines": "\n1\nE" * 10_000,
    "nothing": "",
}


def grade(grader: Grader, problem: Problem, code: str) -> Grade:
    return grader.grade(problem, Submission("s", problem.id, code=code))


@pytest.mark.parametrize("name", RAISING)
def test_a_grade_says_what_was_raised_where(grader: Grader, name: str) -> None:
    problem, code, raised = RAISING[name]
    graded = grade(grader, problem, code)
    if name == "has a null":  # a ValueError before Python 3.12
        assert graded.raised is not None
        assert graded.raised.exception in ("SyntaxError", "ValueError")
    else:
        assert graded.raised == raised
    again = Grade.from_dict(json.loads(json.dumps(graded.to_dict())))
    assert again.raised == graded.raised
    assert [test.raised for test in again.tests] == [test.raised for test in graded.tests]
    if graded.raised is not None:
        assert shown_line(again) == graded.raised.line


def test_each_failed_test_says_it_in_a_shared_process_too() -> None:
    with Grader(workers=1, isolation="submission", all_tests=True) as grader:
        graded = grade(grader, STDIN, DIVIDES)
        assert [test.raised for test in graded.tests] == [None, Raised(2, "ZeroDivisionError")]
        assert graded.raised == Raised(2, "ZeroDivisionError")


@pytest.mark.parametrize("name", LYING)
def test_a_lie_about_it_changes_no_verdict_and_stays_in_range(grader: Grader, name: str) -> None:
    code = f"import os\nos.write({FILE_NUMBER}, {LYING[name]!r}.encode())\nos._exit(1)\n"
    graded = grade(grader, STDIN, code)
    assert graded.verdict is Verdict.RUNTIME_ERROR
    if graded.raised is not None:
        assert graded.raised.line in (None, 1)
        assert graded.raised.exception in ("", "ValueError")
    right = code.replace("os._exit(1)", "print(input())\n")
    assert grade(grader, STDIN, right).accepted


@pytest.mark.parametrize(
    "definition",
    [
        "class E(Exception):\n    __traceback__ = property(lambda s: 5)",
        "class E(Exception):\n    __traceback__ = property(lambda s: 1 / 0)",
        "class M(type):\n    __name__ = property(lambda s: 1 / 0)\nclass E(Exception, metaclass=M): pass",
        "class M(type):\n    __name__ = 5\nclass E(Exception, metaclass=M): pass",
        "class E(Exception):\n    __class__ = property(lambda s: 1 / 0)",
    ],
)
def test_an_exception_that_hides_where_it_was_raised_is_still_an_error(grader: Grader, definition: str) -> None:
    assert grade(grader, STDIN, f"{definition}\nraise E").verdict is Verdict.RUNTIME_ERROR


def test_what_an_older_version_wrote_is_read() -> None:
    record = Grade("s", "p", Verdict.RUNTIME_ERROR, detail='File "solution.py", line 2', code="a\nb\n").to_dict()
    assert "raised" not in record
    old = Grade.from_dict(record)
    assert old.raised is None
    assert shown_line(old) == 2


@pytest.mark.parametrize("raised", [5, [], "x", {}, {"line": "1", "exception": "E"}, {"line": 1, "exception": 5}])
def test_a_record_of_another_form_is_refused(raised: object) -> None:
    record = {**Grade("s", "p", Verdict.RUNTIME_ERROR).to_dict(), "raised": raised}
    with pytest.raises(TypeError):
        Grade.from_dict(record)
