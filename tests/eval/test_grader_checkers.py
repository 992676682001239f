"""Checkers through the whole grader: each kind accepts and rejects, and a problem's own program may misbehave."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Grader, InputError, Problem, Submission, Verdict

PAIR = {"id": "p", "time_limit_s": 1, "tests": [{"input": "8", "output": "any two numbers that make 8"}]}


def _problem(checker: dict[str, Any], given: str, wanted: str) -> Problem:
    return Problem.from_dict({"id": "p", "checker": checker, "tests": [{"input": given, "output": wanted}]})


def _printed(text: str) -> Submission:
    return Submission("s", "p", f"import sys\nsys.stdout.buffer.write({text.encode('utf-8', 'surrogateescape')!r})")


@pytest.mark.parametrize(
    ("checker", "wanted", "printed", "accepted"),
    [
        ({"kind": "tokens"}, "1 2\n", "1\n2", True),
        ({"kind": "tokens"}, "1 2\n", "1 2 3", False),
        ({"kind": "tokens"}, "0.5\n", "0.5000001", True),
        ({"kind": "tokens"}, "9007199254740993", "9007199254740992", False),
        ({"kind": "exact"}, "a  b\n", "a  b\n", True),
        ({"kind": "exact"}, "a  b\n", "a b\n", False),
        ({"kind": "case_insensitive"}, "YES", "yes", True),
        ({"kind": "case_insensitive"}, "YES", "yea", False),
        ({"kind": "float", "abs": 0.1, "rel": 0}, "1.0", "1.05", True),
        ({"kind": "float", "abs": 0.1, "rel": 0}, "1.0", "1.15", False),
        ({"kind": "float", "abs": 0, "rel": 0.01}, "1000", "1009", True),
        ({"kind": "unordered", "of": "lines"}, "a b\nc d\n", "c d\na b\n", True),
        ({"kind": "unordered", "of": "lines"}, "a b\nc d\n", "b a\nc d\n", False),
        ({"kind": "unordered", "of": "lines"}, "a\na\nb\n", "a\nb\nb\n", False),
        ({"kind": "unordered", "of": "tokens"}, "1 2 3", "3 1 2", True),
    ],
)
def test_each_kind(grader: Grader, checker: dict[str, Any], wanted: str, printed: str, accepted: bool) -> None:
    assert grader.grade(_problem(checker, "", wanted), _printed(printed)).accepted is accepted


def test_output_that_is_no_text_is_compared_as_bytes(grader: Grader) -> None:
    binary = "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe 1')"
    grade = grader.grade(_problem({"kind": "tokens"}, "", "x 1"), Submission("s", "p", binary))
    assert grade.verdict is Verdict.WRONG_ANSWER
    assert "\\xff" in grade.detail
    grade.detail.encode("utf-8")


def test_elements_of_a_returned_list_in_any_order(grader: Grader) -> None:
    problem = Problem.from_dict(
        {
            "id": "p",
            "kind": "call",
            "entry_point": "f",
            "checker": {"kind": "unordered", "of": "elements"},
            "tests": [{"input": [1], "output": [[1, 2], [3]]}],
        }
    )
    assert grader.grade(problem, Submission("s", "p", "def f(n): return [[3], [1, 2]]")).accepted
    assert not grader.grade(problem, Submission("s", "p", "def f(n): return [[3], [3]]")).accepted


def _python(code: str) -> Problem:
    return Problem.from_dict({**PAIR, "checker": {"kind": "python", "code": code}})


SUM_IS_INPUT = """
def check(input, expected, actual):
    numbers = [int(token) for token in actual.split()]
    if len(numbers) != 2: return False, f"{len(numbers)} numbers instead of 2"
    return sum(numbers) == int(input)
"""


def test_python_checker_accepts_any_right_answer(grader: Grader) -> None:
    for answer in ("3 5", "5\n3", "8 0"):
        grade = grader.grade(_python(SUM_IS_INPUT), _printed(answer))
        assert grade.accepted, grade.detail
        assert grade.tests[0].rung == "checker"


def test_python_checker_rejects_and_says_why(grader: Grader) -> None:
    assert grader.grade(_python(SUM_IS_INPUT), _printed("3 4")).verdict is Verdict.WRONG_ANSWER
    assert "3 numbers instead of 2" in grader.grade(_python(SUM_IS_INPUT), _printed("1 2 3")).detail


def test_python_checker_that_cannot_read_the_output_rejects_it(grader: Grader) -> None:
    grade = grader.grade(_python(SUM_IS_INPUT), _printed("three five"))
    assert grade.verdict is Verdict.WRONG_ANSWER
    assert "ValueError" in grade.detail


@pytest.mark.parametrize(
    "code",
    [
        "def check(input, expected, actual):\n    import os; os.abort()",
        "def verify(input, expected, actual): return True",
        "def check(input, expected, actual) return True",
        "def check(input, expected, actual):\n    import os; os._exit(0)",
        "1 / 0",
        "def check(input, expected, actual): return int(expected.split()[2]) > 0",
    ],
    ids=[
        *("crashes", "has no check", "does not compile", "leaves without an answer", "fails when it is loaded"),
        "raises whatever the output",
    ],
)
def test_a_checker_that_fails_is_the_judges_error(grader: Grader, code: str) -> None:
    grade = grader.grade(_python(code), _printed("3 5"))
    assert grade.verdict is Verdict.JUDGE_ERROR
    assert grade.reward is None
    assert "checker" in grade.detail


def test_a_checker_that_raises_without_an_expected_output_rejects(grader: Grader) -> None:
    """It may be unable to read what stands in for the expected output, so a program must not get out of it."""
    tests = [{"input": "8", "output": ""}]
    code = "def check(input, expected, actual): return sum(int(v) for v in actual[actual.index('{') + 1:].split()) == 8"
    problem = Problem.from_dict({**PAIR, "tests": tests, "checker": {"kind": "python", "code": code}})
    assert grader.grade(problem, _printed("{ 3 5")).accepted
    assert grader.grade(problem, _printed("3 5")).verdict is Verdict.WRONG_ANSWER


@pytest.mark.slow
def test_a_checker_that_never_ends_is_stopped() -> None:
    endless = "def check(input, expected, actual):\n    while True: pass"
    with Grader(workers=1) as grader:
        grade = grader.grade(_python(endless), _printed("3 5"))
    assert grade.verdict is Verdict.JUDGE_ERROR
    assert "time" in grade.detail


@pytest.mark.parametrize("said", ["1", "[1]", "'yes'", "(True, 'fine')", "(1, None)"])
def test_what_counts_as_yes(grader: Grader, said: str) -> None:
    assert grader.grade(_python(f"def check(input, expected, actual): return {said}"), _printed("")).accepted


@pytest.mark.parametrize("said", ["0", "None", "''", "(False, 'bad')", "(0, None)"])
def test_what_counts_as_no(grader: Grader, said: str) -> None:
    code = f"def check(input, expected, actual): return {said}"
    assert grader.grade(_python(code), _printed("")).verdict is Verdict.WRONG_ANSWER


def test_checker_of_values_sees_values(grader: Grader) -> None:
    code = "def check(input, expected, actual): return isinstance(actual, list) and sum(actual) == input[0]"
    problem = Problem.from_dict(
        {
            "id": "p",
            "kind": "call",
            "entry_point": "f",
            "checker": {"kind": "python", "code": code},
            "tests": [{"input": [8], "output": [4, 4]}],
        }
    )
    assert grader.grade(problem, Submission("s", "p", "def f(n): return [n - 1, 1]")).accepted
    assert not grader.grade(problem, Submission("s", "p", "def f(n): return (n, 1)")).accepted
    assert not grader.grade(problem, Submission("s", "p", "class L(list): pass\ndef f(n): return n")).accepted


def test_a_program_cannot_forge_the_checkers_answer(grader: Grader) -> None:
    code = (
        "import os\nfor fd in range(2, 30):\n    try: os.write(fd, b'[true, \"\"]')\n    except OSError: pass\nprint(9)"
    )
    assert not grader.grade(_python(SUM_IS_INPUT), Submission("s", "p", code)).accepted


def test_a_checker_keeps_nothing_from_one_output_to_the_next(grader: Grader) -> None:
    code = "seen = []\ndef check(input, expected, actual):\n    seen.append(actual)\n    return len(seen) == 1"
    for answer in ("1", "2", "3"):
        assert grader.grade(_python(code), _printed(answer)).accepted


@pytest.mark.parametrize(
    ("checker", "message"),
    [
        ({"kind": "fuzzy"}, "unknown checker 'fuzzy'"),
        ({"kind": "python"}, "checker.code: is missing"),
        ({"kind": "float", "abs": "tiny"}, "checker.abs: a number from 0 expected, found 'tiny'"),
        (
            {"kind": "unordered", "of": "letters"},
            "checker.of: one of lines, tokens, elements expected, found 'letters'",
        ),
        ("tokens", 'an object with a "kind"'),
    ],
)
def test_a_wrong_checker_is_told_in_one_line(checker: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        Problem.from_dict({**PAIR, "checker": checker})
    assert "\n" not in str(raised.value)
    assert "'p'" in str(raised.value)
