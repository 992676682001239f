"""Supervisors without work take over work of those that have too much."""

from __future__ import annotations

from itertools import combinations

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict

NAP = "import time\nbegan = time.monotonic()\ntime.sleep(float(input()))\nprint(began, time.monotonic())\n"


def naps(name: str, *seconds: float) -> Problem:
    tests = [{"input": str(each), "output": ""} for each in seconds]
    return Problem.from_dict({"id": name, "time_limit_s": 60, "tests": tests})


def code(text: str) -> Submission:
    return Submission("s", "", code=text)


@pytest.fixture
def pair() -> Grader:
    with Grader(workers=2, isolation="test") as opened:
        yield opened


def test_the_tests_of_a_long_program_are_divided_when_a_supervisor_has_ended_its_work(pair: Grader) -> None:
    short = pair.outputs(naps("short", 0.3), code(NAP))
    long = pair.outputs(naps("long", *[0.25] * 16), code(NAP))
    assert short.result()[0].ended_well
    outputs = long.result()
    spans = [tuple(map(float, output.value.split())) for output in outputs]
    assert len(spans) == 16
    assert any(a < d and c < b for (a, b), (c, d) in combinations(spans, 2)), "no two of its tests ran side by side"


def test_a_divided_program_ends_at_its_first_failure(pair: Grader) -> None:
    tests = [{"input": str(number), "output": "ok"} for number in range(40)]
    problem = Problem.from_dict({"id": "p", "time_limit_s": 60, "tests": tests})
    short = pair.outputs(naps("short", 0.3), code(NAP))
    fails = "import time\nn = int(input())\ntime.sleep(0.2)\nprint('ok' if n not in (11, 30) else 'no')"
    grade = pair.submit(problem, code(fails)).result()
    assert short.result()[0].ended_well
    assert grade.verdict is Verdict.WRONG_ANSWER
    assert [test.index for test in grade.tests] == list(range(12))


def test_no_program_waits_behind_a_long_one_while_a_supervisor_has_no_work(pair: Grader) -> None:
    long = pair.outputs(naps("long", 50), code(NAP))
    others = [pair.outputs(naps(f"other {number}", 0.2), code(NAP)) for number in range(3)]
    assert all(other.result()[0].ended_well for other in others)
    assert not long.done()
