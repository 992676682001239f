"""Scoring problems: what groups of tests are worth, which tests are run, and what a record may say.

The rules are those of the Kattis problem package format; an independent grader, written out below from the format's
description, is the oracle for trees made at random.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Checker, Grade, Grader, InputError, Problem, Submission, Verdict
from microcoder_eval.scoring import BadGroups, read_groups, score, unneeded
from microcoder_eval.verdict import TestResult
from tests.eval.command import GRADE, microcoder, write

OLYMPIAD = {
    "on_reject": "continue",
    "range": "0 100",
    "grader_flags": "ignore_sample",
    "groups": [
        {"name": "sample", "accept_score": 0, "range": "0 0", "grader_flags": "first_error", "tests": [0]},
        {
            "name": "secret",
            "grader_flags": "first_error accept_if_any_accepted",
            "groups": [
                {"name": "g1", "on_reject": "break", "accept_score": 30, "grader_flags": "min", "tests": [1, 2]},
                {"name": "g2", "on_reject": "break", "accept_score": 70, "grader_flags": "min", "tests": [3, 4, 5]},
            ],
        },
    ],
}
A, W, R, T, J = (
    Verdict.ACCEPTED,
    Verdict.WRONG_ANSWER,
    Verdict.RUNTIME_ERROR,
    Verdict.TIME_LIMIT,
    Verdict.JUDGE_ERROR,
)


def results(*verdicts: Verdict, points: dict[int, float] | None = None) -> dict[int, TestResult]:
    return {n: TestResult(n, v, points=(points or {}).get(n)) for n, v in enumerate(verdicts)}


def test_a_group_is_worth_its_points_when_all_its_tests_are_accepted() -> None:
    root = read_groups(OLYMPIAD, 6)
    whole = score(root, results(A, A, A, A, A, A))
    assert (whole.verdict, whole.points, whole.max_points) == (A, 100, 100)
    part = score(root, results(W, A, A, A, T, A))
    assert (part.points, part.max_points) == (30, 100)
    assert [(group.name, group.verdict, group.points) for group in part.groups] == [
        ("sample", W, 0), ("secret/g1", A, 30), ("secret/g2", T, 0), ("secret", A, 30), ("all", A, 30),
    ]  # fmt: skip
    assert part.verdict is W, "accepted for a part of the points, it is shown with what failed first"
    assert score(root, results(A, W, A, A, R, T)).verdict is W
    assert score(root, results(A, W, A, A, R, T)).points == 0
    assert score(root, results(A, A, A, J, A, A)).verdict is J


@pytest.mark.parametrize(
    ("flags", "on_reject", "verdict", "points"),
    [
        ("", "continue", R, 3),
        ("sum", "break", W, 1),
        ("first_error", "continue", W, 3),
        ("worst_error min", "continue", R, 0),
        ("max", "continue", R, 2),
        ("avg", "continue", R, 0.75),
        ("always_accept", "continue", A, 3),
        ("accept_if_any_accepted", "continue", A, 3),
        ("accept_if_any_accepted", "break", A, 1),
        ("min sum max", "continue", R, 2),
    ],
)
def test_the_default_graders_flags(flags: str, on_reject: str, verdict: Verdict, points: float) -> None:
    groups = {"grader_flags": flags, "on_reject": on_reject, "tests": [0, 1, 2, 3], "reject_score": 0}
    found = score(read_groups(groups, 4), results(A, W, A, R, points={2: 2.0}))
    assert (found.groups[-1].verdict, found.points) == (verdict, points)


def test_what_a_group_leaves_out_is_its_parents() -> None:
    inner = {"name": "b", "tests": [1, 2]}
    groups = {
        "accept_score": 5,
        "reject_score": 1,
        "on_reject": "continue",
        "grader_flags": "max",
        "groups": [{"name": "a", "accept_score": 7, "groups": [inner]}, {"name": "c", "tests": [0]}],
    }
    found = {group.name: group for group in score(read_groups(groups, 3), results(W, W, A)).groups}
    assert found["a/b"].points == 7
    assert found["c"].points == 1
    assert found["a/b"].max_points == 7


LISTED = [
    {"name": "sample", "tests": [0]},
    {"name": "easy", "max_score": 20, "tests": [1, 2]},
    {
        "name": "sum",
        "max_score": 60,
        "tests": [3, 4, 5],
        "score_aggregation": "sum",
        "require_pass": ["sample", "easy"],
    },
    {"name": "min", "max_score": 20, "tests": [6, 7], "score_aggregation": "min", "require_pass": "easy"},
]


def test_a_list_of_groups_is_the_newer_format() -> None:
    root = read_groups(LISTED, 8)
    assert score(root, results(*[A] * 8)).points == 100
    assert score(root, results(*[A] * 8)).max_points == 100
    part = score(root, results(A, A, A, A, W, A, A, A, points={7: 5.0}))
    assert [group.points for group in part.groups] == [0, 20, 40, 5, 65]
    assert score(root, results(A, A, W, A, A, A, A, A)).points == 0
    assert score(root, results(W, A, A, A, A, A, A, A)).points == 40
    assert unneeded(root, {2: W}) == {3, 4, 5, 6, 7}
    assert unneeded(root, {4: W}) == set()


def _oracle(groups: dict[str, Any], verdicts: list[Verdict], inherited: dict[str, Any]) -> tuple[str, float, set[int]]:
    """The verdict, the score and the tests that run, by the description of the legacy format."""
    own = {**inherited, **{key: value for key, value in groups.items() if key not in ("tests", "groups", "name")}}
    members: list[Any] = [*groups.get("tests", ()), *groups.get("groups", ())]
    members.sort(key=lambda member: member if isinstance(member, int) else _first(member))
    got: list[tuple[str, float]] = []
    ran: set[int] = set()
    for member in members:
        if isinstance(member, int):
            accepted = verdicts[member] is A
            got.append((verdicts[member].value, own["accept_score"] if accepted else own["reject_score"]))
            ran.add(member)
        else:
            verdict, points, inner = _oracle(member, verdicts, own)
            got.append((verdict, points))
            ran |= inner
        if got[-1][0] != "ACCEPTED" and own["on_reject"] == "break":
            break
    flags = own["grader_flags"].split()
    bad = [verdict for verdict, _ in got if verdict != "ACCEPTED"]
    order = ["RUNTIME_ERROR", "TIME_LIMIT", "WRONG_ANSWER"]
    verdict = "ACCEPTED"
    if bad and "always_accept" not in flags and not ("accept_if_any_accepted" in flags and len(bad) < len(got)):
        verdict = bad[0] if "first_error" in flags else min(bad, key=order.index)
    points = [value for _, value in got]
    mode = next((flag for flag in flags if flag in ("min", "max", "avg")), "sum")
    total = {"sum": sum, "min": min, "max": max, "avg": lambda p: sum(p) / len(p)}[mode](points)
    return verdict, total, ran


def _first(group: dict[str, Any]) -> int:
    return min([*group.get("tests", ()), *(_first(inner) for inner in group.get("groups", ()))])


def _made_up(rng: random.Random, tests: Iterator[int], depth: int) -> dict[str, Any]:
    group: dict[str, Any] = {}
    for key, values in {
        "on_reject": ["break", "continue"],
        "accept_score": [0, 1, 10.5],
        "reject_score": [0, -1],
        "grader_flags": ["", "min", "max first_error", "avg", "first_error accept_if_any_accepted", "always_accept"],
    }.items():
        if rng.random() < 0.6:
            group[key] = rng.choice(values)
    for _ in range(rng.randint(1, 3)):
        if depth and rng.random() < 0.6:
            group.setdefault("groups", []).append(_made_up(rng, tests, depth - 1))
        else:
            group.setdefault("tests", []).append(next(tests))
    return group


def test_trees_made_at_random_are_worth_what_the_oracle_says() -> None:
    rng = random.Random(5)
    defaults = {"on_reject": "break", "grader_flags": "", "accept_score": 1, "reject_score": 0}
    for _ in range(2000):
        numbers = iter(range(1000))
        groups = _made_up(rng, numbers, 3)
        count = next(numbers)
        verdicts = rng.choices([A, W, R, T], [6, 1, 1, 1], k=count)
        wanted_verdict, wanted_points, ran = _oracle(groups, verdicts, defaults)
        root = read_groups(groups, count)
        found = score(root, results(*verdicts))
        assert found.groups[-1].verdict.value == wanted_verdict
        assert math.isclose(found.points, wanted_points, abs_tol=1e-9)
        assert not unneeded(root, dict(enumerate(verdicts))) & ran
        # run one by one, in the tests' order: exactly what the oracle runs is run, and it comes to the same
        known: dict[int, Verdict] = {}
        for test in range(count):
            if test not in unneeded(root, known):
                known[test] = verdicts[test]
        assert set(known) >= ran
        assert score(root, {n: TestResult(n, v) for n, v in known.items()}) == found


BAD: list[tuple[Any, str]] = [
    ([], '"groups" is a list of groups'),
    ("g1", '"groups" is a list of groups'),
    ([{"name": "a", "max_score": 1, "tests": [0, 1]}, {"name": "b", "max_score": 1, "tests": [1]}], "test 1 is in two"),
    ([{"name": "a", "max_score": 1, "tests": [0, 1, 2]}], "there is no test 2"),
    ([{"name": "a", "max_score": 1, "tests": [1]}], "test 0 is in no group"),
    ([{"name": "a", "tests": [0, 1]}], 'a: "max_score" is missing'),
    ([{"name": "a", "max_score": "30", "tests": [0, 1]}], "a: max_score: a number from 0 expected, found '30'"),
    ([{"name": "a", "max_points": 1, "tests": [0, 1]}], "a: unknown key 'max_points'"),
    ([{"name": "a", "max_score": 1, "tests": [0, 1], "score_aggregation": "summ"}], "did you mean 'sum'?"),
    ([{"name": "a", "max_score": 1, "tests": [0, 1], "require_pass": "b"}], "require_pass names 'b'"),
    ([{"name": "a", "max_score": 1, "tests": "01"}], "a: tests: a list"),
    ({"tests": [0, 1], "grader_flags": "mini"}, "unknown grader flag 'mini'; did you mean 'min'?"),
    ({"tests": [0, 1], "on_reject": "stop"}, "on_reject must be break or continue, not 'stop'"),
    ({"tests": [0, 1], "range": "0"}, "range: two numbers"),
    ({"groups": [{"name": "a", "tests": [0, 1]}, {"name": "b"}]}, 'b: neither "tests" nor "groups"'),
    ({"groups": {"a": {"tests": [0, 1]}}}, "groups: a list"),
]


@pytest.mark.parametrize(("groups", "says"), BAD)
def test_groups_that_cannot_be_used_are_told_in_one_line(groups: Any, says: str) -> None:
    record = {"id": "p", "tests": [{"input": "1", "output": "1"}] * 2, "groups": groups}
    with pytest.raises(InputError, match="problem 'p': groups: ") as caught:
        Problem.from_dict(record)
    assert says in str(caught.value)
    with pytest.raises(BadGroups):
        read_groups(groups, 2)


DOUBLE = Problem.from_dict(
    {
        "id": "double",
        "tests": [{"input": str(n), "output": str(2 * n)} for n in range(6)],
        "groups": OLYMPIAD,
        "time_limit_s": 0.5,
    }
)
RIGHT_BUT = "n = int(input())\nprint(0 if n in {} else 2 * n)"


@pytest.fixture(scope="module", params=["test", "submission"])
def judge(request: pytest.FixtureRequest) -> Iterator[Grader]:
    with Grader(workers=4, isolation=request.param) as opened:
        yield opened


def graded(judge: Grader, code: str, problem: Problem = DOUBLE, **how: Any) -> Grade:
    return judge.submit(problem, Submission("s", problem.id, code), **how).result()


def test_a_program_gets_the_points_of_its_groups_and_only_needed_tests_are_run(judge: Grader) -> None:
    whole = graded(judge, RIGHT_BUT.format([]))
    assert (whole.verdict, whole.points, whole.max_points, whole.score) == (A, 100, 100, 1.0)
    part = graded(judge, RIGHT_BUT.format([1]))
    assert (part.verdict, part.points, part.score) == (W, 70, 0.7)
    assert part.detail == "70 of 100 points; test 1: line 1, token 1: expected '2', got '0'"
    everything = graded(judge, RIGHT_BUT.format([1]), all_tests=True)
    assert len(everything.tests) == 6
    assert replace(everything, tests=(), passed=0) == replace(part, tests=(), passed=0)
    assert [graded(judge, RIGHT_BUT.format(bad)).points for bad in ([0], [2, 5], [3], [0, 1, 2, 3])] == [100, 0, 30, 0]


def test_tests_behind_a_failure_in_their_group_are_not_run() -> None:
    with Grader(workers=1) as grader:
        part = graded(grader, RIGHT_BUT.format([1, 3]))
    assert [test.index for test in part.tests] == [0, 1, 3]
    assert part.points == 0


def test_a_program_that_does_not_run_gets_no_points(judge: Grader) -> None:
    assert (graded(judge, "print(").verdict, graded(judge, "print(").points) == (Verdict.COMPILE_ERROR, 0)
    nothing = judge.grade(DOUBLE, "I do not know.")
    assert (nothing.verdict, nothing.points, nothing.max_points) == (Verdict.NO_CODE, 0, 100)
    broken = replace(DOUBLE, id="broken", checker=Checker("python", code="def chek(*_): return True"))
    failed = graded(judge, RIGHT_BUT.format([]), broken)
    assert (failed.verdict, failed.points, failed.reward) == (J, None, None)


def test_a_checker_may_give_points(judge: Grader) -> None:
    checks = "def check(input, expected, actual):\n    return True, 'as asked', float(actual)"
    groups = {"on_reject": "continue", "range": "0 10", "tests": [0, 1, 2]}
    asked = replace(DOUBLE, id="points", tests=DOUBLE.tests[:3], groups=groups, checker=Checker("python", code=checks))
    grade = graded(judge, "print(int(input()) + 0.5)", asked)
    assert [test.points for test in grade.tests] == [0.5, 1.5, 2.5]
    assert (grade.points, grade.max_points, grade.score, grade.verdict) == (4.5, 10, 0.45, W)


def test_where_a_checker_gives_points_without_bound_the_formats_own_verdict_counts(judge: Grader) -> None:
    checks = "def check(input, expected, actual):\n    return True, 'as asked', float(actual)"
    groups = {"on_reject": "continue", "tests": [0, 1, 2]}
    asked = replace(DOUBLE, id="open", tests=DOUBLE.tests[:3], groups=groups, checker=Checker("python", code=checks))
    grade = graded(judge, "print(0.25)", asked)
    assert (grade.points, grade.max_points, grade.verdict) == (0.75, None, A)


def test_an_interactor_may_give_points(judge: Grader) -> None:
    talks = "def interact(input, read_line, write_line):\n    return True, 'well', float(read_line())"
    record = {
        "id": "talk",
        "kind": "interactive",
        "tests": [{"input": ""}],
        "interactor": {"code": talks},
        "groups": [{"name": "all of it", "max_score": 5, "tests": [0], "score_aggregation": "min"}],
    }
    grades = [graded(judge, f"print({n})", Problem.from_dict(record)) for n in (3, 5)]
    assert [(grade.points, grade.accepted) for grade in grades] == [(3, False), (5, True)]


def test_the_command_writes_points_and_a_record_is_read_as_written(tmp_path: Path) -> None:
    assert Problem.from_dict(json.loads(json.dumps(DOUBLE.to_dict()))) == DOUBLE
    write(tmp_path / "p.jsonl", [DOUBLE.to_dict()])
    write(tmp_path / "s.jsonl", [{"id": "s", "problem_id": "double", "code": RIGHT_BUT.format([1])}])
    for out in ("first", "again"):  # the second time from the cache
        done = microcoder(*GRADE[:-1], out, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        (line,) = (tmp_path / out / "grades.jsonl").read_text().splitlines()
        grade = Grade.from_dict(json.loads(line))
        assert (grade.points, grade.max_points, grade.groups[1].points) == (70, 100, 0)
        assert {**grade.to_dict(), "evidence": json.loads(line)["evidence"]} == json.loads(line)
    (tmp_path / "x.py").write_text(RIGHT_BUT.format([1]))
    shown = microcoder("eval", "run", "x.py", "--problem", "p.jsonl", cwd=tmp_path).stdout
    assert "secret/g1: 0 of 30 points, WRONG_ANSWER" in shown
    assert "70 of 100 points" in shown
