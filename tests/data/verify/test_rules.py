"""The rules of Verify that run no program: broken tests, limits, gradability."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_data.schema import new_checker, new_row, new_test
from microcoder_data.verify.gradable import Gradable
from microcoder_data.verify.integrity import TestIntegrity
from microcoder_data.verify.limits import Limits, limit_was_given

pytestmark = pytest.mark.fast

GOOD = "You are given two numbers in one line. Read them from the input, add them and print the sum of both of them."


def row(statement: str = GOOD, **columns: Any) -> dict[str, Any]:
    given = {"kind": "stdin", "tests": [new_test("3 4\n", "7\n"), new_test("1 1\n", "2\n")], **columns}
    return new_row(problem_id="a:1", source="a", statement=statement, **given)


def test_unsound_tests_are_taken_out_and_counted() -> None:
    problem = row(
        tests=[
            new_test("1", "1"),
            new_test("1\n", "1 "),
            new_test("2", "2"),
            new_test("3", "3"),
            new_test("3", "4"),
            new_test("5", "Error: list index out of range"),
            new_test("6", "6"),
            new_test("7", "7"),
        ]
    )
    outcome = TestIntegrity()(problem)
    assert outcome is not None and outcome.outcome == "kept" and outcome.statistic == 3 / 8
    assert [test["input"] for test in problem["tests"]] == ["1", "2", "6", "7"]
    assert (problem["verification"]["tests_kept"], problem["verification"]["tests_dropped"]) == (4, 4)
    assert TestIntegrity(max_broken_share=0.1)(
        row(tests=[new_test("1", "1"), new_test("2", "Traceback (most recent call last)")])
    )
    twice = [new_test("1", "0.5"), new_test("1\n", "0.500000000000"), new_test("2", "Yes"), new_test("2", "YES")]
    for kind, kept in (("float", ["1"]), ("case_insensitive", ["2"]), ("cpp", ["1", "2"]), (None, [])):
        problem = row(tests=twice, checker=kind and new_checker(kind))
        TestIntegrity(max_broken_share=1)(problem)
        assert [test["input"] for test in problem["tests"]] == kept
    orders = [new_test("3", "0 2 1"), new_test("3\n", "0 1 2\n"), *(new_test(f"{n}", "0 1") for n in range(4, 9))]
    for tests, checker, reason in ((orders, None, "needs_a_checker"), (orders, "cpp", ""), (twice, None, "")):
        outcome = TestIntegrity(max_broken_share=1, min_tests=0)(
            row(tests=tests, checker=checker and new_checker(checker))
        )
        assert outcome is not None and outcome.reason == reason
    broken = TestIntegrity()(row(tests=[new_test("5", "ValueError: no")]))
    assert broken is not None and broken.reason == "no_sound_tests"


def test_absurd_limits_are_replaced() -> None:
    problem = row(time_limit_ms=1, memory_limit_mb=10**7)
    outcome = Limits()(problem)
    assert outcome is not None and (problem["time_limit_ms"], problem["memory_limit_mb"]) == (4000, 512)
    assert Limits()(row(time_limit_ms=2000, memory_limit_mb=256)) is None
    slow = row(time_limit_ms=120_000, memory_limit_mb=256)
    outcome = Limits()(slow)
    assert outcome is not None and outcome.detail == "time_limit_ms 120000, 60000 is used"
    assert (slow["time_limit_ms"], limit_was_given(slow)) == (60_000, True)


FIXTURE = "{}def test(self, {}):\n    assert f(1) == 2\n"
PATCHES = "from unittest import mock\n\n@mock.patch('{}')\ndef test(seen):\n    assert f(1) == 2\n"


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"kind": "asserts", "entry_point": "f", "test_code": "def check(c"}, "test_code_does_not_parse"),
        ({"checker": new_checker("python", code="def check(")}, "checker_does_not_parse"),
        ({"kind": "call", "entry_point": "f", "starter_code": "def g(): ..."}, "entry_point_not_in_starter_code"),
        ({"kind": "call"}, "not_gradable"),
        ({"kind": "asserts", "entry_point": "f", "test_code": PATCHES.format("time.sleep")}, "not_gradable"),
        ({"kind": "asserts", "entry_point": "f", "test_code": FIXTURE.format("", "tmp_path")}, "not_gradable"),
        ({"checker": new_checker("cpp")}, "not_gradable"),
    ],
)
def test_rows_that_cannot_be_graded_are_dropped(columns: dict[str, Any], reason: str) -> None:
    outcome = Gradable()(row(**columns))
    assert outcome is not None and outcome.reason == reason
    assert Gradable()(row()) is None


@pytest.mark.parametrize(
    "tests", [("", "capsys"), ("def tmp_path(): return '/tmp'\n", "tmp_path"), ("tmp_path = 1\n", "x")]
)
def test_fixtures_that_are_there_are_no_obstacle(tests: tuple[str, str]) -> None:
    assert Gradable()(row(kind="asserts", entry_point="f", test_code=FIXTURE.format(*tests))) is None


@pytest.mark.parametrize("shared", ["builtins.input", "sys.stdin", "solution.CHOICES"])
def test_tests_may_replace_what_a_submission_sees(shared: str) -> None:
    assert Gradable()(row(kind="asserts", entry_point="f", test_code=PATCHES.format(shared))) is None


@pytest.mark.parametrize(("time_limit_ms", "given"), [(2000, True), (None, False), (10**9, False)])
def test_a_rule_after_limits_knows_whether_the_source_gave_the_time_limit(
    time_limit_ms: int | None, given: bool
) -> None:
    problem = row(time_limit_ms=time_limit_ms, memory_limit_mb=None)
    assert limit_was_given(problem) == (time_limit_ms is not None), "without the rule, any limit is the source's"
    Limits()(problem)
    assert limit_was_given(problem) == given


def test_answers_that_say_there_is_none_break_a_promise() -> None:
    promise = "The input is generated such that at least one outlier exists. Return the largest."
    tests = [new_test("[1]", "-inf"), new_test("[2]", "-Infinity"), new_test("[3]", "null"), new_test("[4]", "4")]
    given = row(promise, kind="call", entry_point="f", tests=tests)
    outcome = TestIntegrity()(given)
    assert outcome is not None and outcome.outcome == "kept", "the tests that keep the promise are right"
    assert [test["output"] for test in given["tests"]] == ["4"]
    for statement, kept in (("Return the value, or null.", 2), ("Return infinity if there is none, or null.", 4)):
        given = row(statement, kind="call", entry_point="f", tests=list(tests))
        TestIntegrity()(given)
        assert len(given["tests"]) == kept
    program = "inf = float('inf')\n\ndef check(f):\n    assert f([1]) == -inf\n    assert f([2]) == 3\n"
    given = row(promise, kind="asserts", entry_point="f", tests=[], test_code=program)
    outcome = TestIntegrity()(given)
    assert outcome is not None and outcome.statistic == 1
    assert given["test_code"] == program.replace("    assert f([1]) == -inf\n", "")


def test_a_none_that_the_statement_does_not_name_is_no_test() -> None:
    program = (
        "from solution import least\n\ndef test_some():\n    assert least([2, 1]) == 1\n\n"
        "def test_none():\n    assert least([]) is None\n\n"
        "def test_both():\n    hats = []\n    assert least(hats) == None\n    assert least([3]) == 3\n"
    )
    chosen = "def least(hats):\n    return min(hats) if hats else None\n"
    in_place = "def least(hats):\n    hats.sort()\n"

    def left(statement: str, code: str, **columns: str) -> str:
        solutions = [{"language": "python", "code": code, "correct": True, "origin": "publisher"}]
        given = row(statement, kind="asserts", entry_point="least", tests=[], test_code=program, solutions=solutions)
        given.update(columns)
        TestIntegrity()(given)
        return str(given["test_code"])

    without = left("Find the least number, also of an empty list.", chosen)
    assert "None" not in without and "test_none" not in without
    assert "least([2, 1]) == 1" in without and "hats = []\n    assert least([3]) == 3" in without
    assert left("Find the least number, None where there is none.", chosen) == program
    assert left("Find it.", chosen, starter_code="def least(hats) -> Optional[int]: ...") == program
    assert left("Sort the list.", in_place) == program


def _cleaned(statement: str, code: str, program: str, **columns: str) -> str:
    solutions = [{"language": "python", "code": code, "correct": True, "origin": "publisher"}]
    given = row(statement, kind="asserts", entry_point="f", tests=[], test_code=program, solutions=solutions, **columns)
    TestIntegrity()(given)
    return str(given["test_code"])


def test_errors_of_which_the_statement_does_not_speak_are_no_tests() -> None:
    sound = "import pytest\n\ndef test_f():\n    assert f([2]) == 2\n\n"
    expects = "def test_error():\n    with pytest.raises(IndexError):\n        f([])\n"
    item, raising = "def f(hats):\n    return hats[0]\n", "def f(hats):\n    raise IndexError('none')\n"
    assert _cleaned("Find the first hat.", item, sound + expects) == sound
    for said in ("Find the first hat, or raise an IndexError.", "Give the first. IndexError without one."):
        assert _cleaned(said, item, sound + expects) == sound + expects
    assert _cleaned("Find the first hat.", raising, sound + expects) == sound + expects, "another rule drops this row"
    any_kind = sound + expects.replace("IndexError", "Exception")
    assert _cleaned("Find the first hat. Raise appropriate exceptions.", raising, sound + expects) == any_kind
    assert _cleaned("Find the first hat, or raise an error.", item, sound + expects) == any_kind


def test_what_asks_an_error_goes_with_the_error() -> None:
    sound = "import pytest\n\ndef test_f():\n    assert f([2]) == 2\n"
    expects = "    with pytest.raises(IndexError) as caught:\n        f([])\n    assert 'range' in str(caught.value)\n"
    item, last = "def f(hats):\n    return hats[0]\n", "    assert f([3]) == 3\n"
    assert _cleaned("Find the first hat.", item, f"{sound}{expects}{last}") == sound + last
    assert _cleaned("Find the first hat.", item, f"{sound}def test_error():\n{expects}") == sound


@pytest.mark.parametrize("said", ["Treat invalid input as octal 0.", "Return -1 if the input is invalid."])
def test_an_error_for_what_has_a_value_is_no_test(said: str) -> None:
    sound = "class Tests(TestCase):\n    def test_f(self):\n        self.assertEqual(f('7'), 7)\n\n"
    expects = "    def test_error(self):\n        with self.assertRaisesWithMessage(ValueError):\n            f('8')\n"
    raising = "def f(digits):\n    raise ValueError('none')\n"
    assert _cleaned(f"Convert it. {said}", raising, sound + expects) == sound
    for other in ("Raise a ValueError for invalid input.", f"{said} Raise a ValueError for other types."):
        assert _cleaned(f"Convert it. {other}", raising, sound + expects) == sound + expects


@pytest.mark.parametrize("empty", ["[]", "()", '""'])
@pytest.mark.parametrize("first", ["best = hats[0]", "best = max(hats)", "best = hats[-1]"])
def test_the_largest_of_nothing_is_no_test(empty: str, first: str) -> None:
    code = f"def f(hats):\n    if not hats:\n        return 0\n    {first}\n    return best\n"
    program = f"def test_f():\n    assert f([2, 1]) == 2\n\ndef test_empty():\n    assert f({empty}) == 0\n"
    assert _cleaned("Find the maximum sum.", code, program) == "def test_f():\n    assert f([2, 1]) == 2\n\n"
    for said in ("Find the maximum sum, 0 for an empty list.", f"Find the largest. f({empty}) is 0.", "Sum the hats."):
        assert _cleaned(said, code, program) == program


def test_a_value_for_nothing_that_needs_no_choice_stays() -> None:
    program = "def test_f():\n    assert f([2, 1]) == 1\n    assert f([]) == 0\n"
    code = "def f(hats):\n    if not hats:\n        return 0\n    longest = [1] * len(hats)\n    return max(longest)\n"
    assert _cleaned("Find the length of the largest increasing run.", code, program) == program
    assert _cleaned("Find the largest.", "def f(hats):\n    return max(hats, default=0)\n", program) == program


@pytest.mark.parametrize(("chosen", "limit"), [("0", "n <= 0"), ("[]", "n < 1"), ("None", "n < 0")])
def test_a_chosen_answer_for_a_negative_number_is_no_test(chosen: str, limit: str) -> None:
    code = f"def f(n):\n    if {limit}:\n        return {chosen}\n    return f(n - 1) + 1\n"
    program = f"def test_f():\n    assert f(5) == 5\n    assert f(-5) == {chosen}\n"
    assert "-5" not in _cleaned("Find the nth hat.", code, program)
    if chosen != "None":
        assert _cleaned("Find the nth hat, nothing for negative n.", code, program) == program
    computed = f"def f(n):\n    return {chosen} if n < 0 else n\n"
    assert chosen == "None" or _cleaned("Find the nth hat.", computed, program) == program


def test_an_answer_beyond_the_stated_bounds_is_no_test() -> None:
    program = "def test_f():\n    assert f(5) == 5\n    assert f(0) == 1\n"
    starter = {"starter_code": "def f(n):\n    pass\n"}
    assert "f(0)" not in _cleaned("Find the nth hat, where 1 <= n <= 100.", "def f(n): return n", program, **starter)
    for statement in ("Find the nth hat, where 0 <= n <= 100.", "Where 1 <= n <= 100, and f(0) is 1.", "Find hat n."):
        assert _cleaned(statement, "def f(n): return n", program, **starter) == program


def test_no_for_a_negative_number_is_a_test() -> None:
    code = "def f(n):\n    if n < 0:\n        return False\n    return int(n ** 0.5) ** 2 == n\n"
    program = "def test_f():\n    assert f(4) == True\n    assert f(-4) == False\n"
    assert _cleaned("Is n a square?", code, program) == program


def test_the_annotation_of_another_function_does_not_name_none() -> None:
    code = "class f:\n    def take(self):\n        return self.hats.pop() if self.hats else None\n"
    program = (
        "def test_f():\n    box = f()\n    assert box.take() is None\n    box.put(1)\n    assert box.take() == 1\n"
    )
    starter = "class f:\n    def put(self, hat) -> None:\n        pass\n\n    def take(self):\n        pass"
    without = program.replace("    assert box.take() is None\n", "")
    assert _cleaned("Make a box.", code, program, starter_code=starter) == without
    assert _cleaned("Make a box that gives None.", code, program, starter_code=starter) == program


def test_an_assertion_of_none_that_acts_stays() -> None:
    act = "    box = Box()\n    assert box.put(1) is None\n    assert box.take() == 1\n    assert box.take() is None\n"
    program = f"def test_hats():\n{act}"
    code = "class Box:\n    def take(self):\n        return None\n"
    solutions = [{"language": "python", "code": code, "correct": True, "origin": "publisher"}]
    given = row("Make a box.", kind="asserts", entry_point="Box", tests=[], test_code=program, solutions=solutions)
    TestIntegrity()(given)
    assert given["test_code"] == program.replace("    assert box.take() is None\n", "")


def test_an_error_whose_text_the_statement_names_is_an_answer() -> None:
    words = "java.lang.Exception: Breadth and height must be positive"
    asked = row(f'{GOOD} If a number is negative, print "{words}".', tests=[new_test("1", "2"), new_test("-1", words)])
    TestIntegrity()(asked)
    assert len(asked["tests"]) == 2
    other = row(GOOD, tests=[new_test("1", "2"), new_test("-1", words), new_test("3", "4")])
    TestIntegrity()(other)
    assert len(other["tests"]) == 2
