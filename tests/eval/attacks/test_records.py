"""Bad records and wrong calls: every field of every type, and arguments of wrong types.

A record is refused with one `InputError`, or it can be graded; one bad line never ends a run. A wrong call is refused
at once, by a `TypeError`, `ValueError` or `InputError`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Checker, Grader, InputError, Interactor, Problem, Submission
from tests.eval.attacks.alone import ROOT, Alone, grade_alone
from tests.eval.attacks.grading import ANSWER_S, Attack
from tests.eval.record_mutants import changed, places

STDIN = {
    "id": "p", "kind": "stdin", "tests": [{"input": "", "output": "1", "time_limit_s": 2.0, "memory_limit_mb": 256}],
    "statement": "Print 1.", "time_limit_s": 2.0, "memory_limit_mb": 256, "starter_code": "",
}  # fmt: skip
RECORDS: dict[str, dict[str, Any]] = {
    "stdin": STDIN,
    "float": {**STDIN, "checker": {"kind": "float", "abs": 1e-6, "rel": 1e-6}},
    "unordered": {**STDIN, "checker": {"kind": "unordered", "of": "lines"}},
    "kattis": {**STDIN, "checker": {"kind": "kattis_default", "flags": ["case_sensitive"]}},
    "python": {
        **STDIN,
        "checker": {"kind": "python", "code": "def check(input, expected, actual): return True", "style": "function"},
    },
    "program": {
        **STDIN,
        "checker": {"kind": "python", "code": "import sys; sys.exit(42)", "style": "kattis", "files": {"a.py": ""},
                    "flags": ["x"]},
    },
    "call": {**STDIN, "kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": 1}]},
    "asserts": {**STDIN, "kind": "asserts", "entry_point": "f", "tests": [], "test_code": "assert f(1) == 1"},
    "interactive": {
        **STDIN, "kind": "interactive", "tests": [{"input": "1"}],
        "interactor": {"language": "python", "style": "function", "files": {}, "flags": [],
                       "code": "def interact(input, read_line, write_line): return read_line() == '1'"},
    },
    "groups": {
        **STDIN,
        "groups": [{"name": "all", "max_score": 100, "tests": [0], "score_aggregation": "sum", "require_pass": []}],
    },
    "legacy-groups": {
        **STDIN,
        "groups": {"on_reject": "continue", "grader_flags": "sum", "groups": [
            {"name": "a", "accept_score": 30, "reject_score": 0, "range": "0 30", "tests": [0]}]},
    },
}  # fmt: skip
VALUES: dict[str, Any] = {
    "null": None, "five": 5, "negative": -1, "zero": 0, "half": 0.5, "true": True, "empty-text": "", "text": "x",
    "list": [], "list-of-five": [5], "list-of-null": [None], "object": {}, "object-of-five": {"a": 5},
    "huge": 10**400, "large": 1e308, "infinite": float("inf"), "nan": float("nan"), "surrogate": "\ud800",
    "nul": "a\0b", "deep": json.loads("[" * 300 + "]" * 300), "control": "\x1b]0;x\x07",
}  # fmt: skip
PROGRAMS = {"call": "def f(x): return 1", "asserts": "def f(x): return 1"}
SUBMISSION = {"id": "s", "problem_id": "p", "language": "python", "code": "print(1)"}
CALLER_S = 240


def _mutants() -> dict[str, tuple[str, dict[str, Any]]]:
    found = {}
    common = set(places(STDIN))
    for name, record in RECORDS.items():
        for place in places(record):
            if name == "stdin" or place not in common:
                for value_name, value in VALUES.items():
                    path = ".".join(map(str, place))
                    found[f"{name}-{path}-{value_name}"] = name, changed(record, place, value)
    return found


MUTANTS = _mutants()


def problem_of(record: Any) -> Problem | None:
    """The problem, or None when the record is refused as it should be."""
    try:
        return Problem.from_dict(record)
    except InputError as error:
        assert "\n" not in str(error)
        return None


@pytest.mark.parametrize("kind", RECORDS)
def test_a_problem_is_read_or_refused(kind: str) -> None:
    failed = {}
    for name, (_, record) in ((n, m) for n, m in MUTANTS.items() if m[0] == kind):
        try:
            problem_of(record)
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
    assert not failed


@pytest.mark.parametrize("field", SUBMISSION)
def test_a_submission_is_read_or_refused(field: str) -> None:
    for name, value in VALUES.items():
        try:
            submission = Submission.from_dict({**SUBMISSION, field: value})
        except InputError:
            continue
        parts = submission.id, submission.problem_id, submission.language
        assert all(isinstance(part, str) for part in parts), name


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("read", [Problem, Submission, Checker, Interactor])
def test_a_record_that_is_no_object_is_refused(read: Any, value: str) -> None:
    if isinstance(VALUES[value], dict) or (read is Checker and VALUES[value] is None):
        return
    with pytest.raises(InputError):
        read.from_dict(VALUES[value])


def _gradable() -> list[Attack]:
    found = []
    for name, (kind, record) in MUTANTS.items():
        try:
            problem = Problem.from_dict(record)
            json.dumps(problem.to_dict(), allow_nan=False).encode()
        except Exception:  # what is wrong with it is another test's to say
            continue
        found.append(Attack(name, problem, PROGRAMS.get(kind, "print(1)")))
    return found[::4]


GRADABLE = _gradable()


@pytest.fixture(scope="module")
def graded() -> dict[str, Alone]:
    return grade_alone(GRADABLE, {})


@pytest.mark.parametrize("attack", GRADABLE, ids=lambda attack: attack.name)
def test_what_is_read_can_be_graded(graded: dict[str, Alone], attack: Attack) -> None:
    result = graded[attack.name]
    assert not result.replaced, result.detail
    assert result.honest_after == "ACCEPTED"
    assert result.verdict or result.detail.startswith(("InputError", "GraderError")), result.detail


def _raw(record: dict[str, Any], value: str) -> str:
    """A line of JSON with a value that `json.dumps` would not write, in place of "@"."""
    return json.dumps(record).replace('"@"', value)


LONG_INTEGER = "9" * 5000
DEEP_LISTS = "[" * 900 + "]" * 900
DEEP = '{"a":' * 950 + "1" + "}" * 950
GOOD = {"id": "good", "tests": [{"input": "", "output": "1"}]}
LINES: dict[str, tuple[list[Any], list[Any]]] = {
    # problems and submissions beside the good ones
    "language-number": ([], [{**SUBMISSION, "problem_id": "good", "language": 5}]),
    "language-list": ([], [{**SUBMISSION, "problem_id": "good", "language": ["python"]}]),
    "language-unknown": ([], [{**SUBMISSION, "problem_id": "good", "language": "no such"}]),
    "files-true": ([changed(RECORDS["program"], ("checker", "files"), True)], [SUBMISSION]),
    "flags-number": ([changed(RECORDS["kattis"], ("checker", "flags"), 5)], [SUBMISSION]),
    "tests-of-a-group-number": ([changed(RECORDS["groups"], ("groups", 0, "tests"), 5)], [SUBMISSION]),
    "tolerance-huge": ([changed(RECORDS["float"], ("checker", "abs"), 10**400)], [SUBMISSION]),
    "interactor-language-list": ([changed(RECORDS["interactive"], ("interactor", "language"), [])], [SUBMISSION]),
    "code-with-surrogates": ([STDIN], [{**SUBMISSION, "code": "print('\ud800')"}]),
    "id-with-control": ([{**STDIN, "id": "\x1b]0;x\x07"}], [{**SUBMISSION, "problem_id": "\x1b]0;x\x07"}]),
    "id-with-surrogate": ([{**STDIN, "id": "\ud800"}], [{**SUBMISSION, "problem_id": "\ud800"}]),
    "no-problem": ([], [{**SUBMISSION, "problem_id": "nowhere"}]),
    "not-json": (["{", "[1]", "5", "null", "\"x\"", "{\"id\": 1e999}", "[" * 100_000], ["{", "[]", "\x00", "NaN"]),
    "long-integers": (
        [_raw({**STDIN, "difficulty": "@", "platform": "@", "rating": "@"}, LONG_INTEGER),
         _raw({**STDIN, "id": "long", "statement": "@"}, LONG_INTEGER),
         _raw(RECORDS["call"] | {"id": "@"}, LONG_INTEGER),
         _raw({**STDIN, "id": "longer", "rating": "@"}, "9" * 200_000)],
        [_raw({**SUBMISSION, "seed": "@"}, LONG_INTEGER), _raw({**SUBMISSION, "id": "@"}, LONG_INTEGER),
         _raw({**SUBMISSION, "id": "t", "model": "@"}, "9" * 200_000)]),
    "deep-fields": (
        [_raw({**STDIN, "difficulty": {"level": "@"}}, DEEP_LISTS),
         _raw({**STDIN, "id": "d2", "rating": "@"}, DEEP)],
        [_raw({**SUBMISSION, "model": "@"}, DEEP_LISTS),
         _raw({**SUBMISSION, "id": "s2", "model": "@"}, DEEP)]),
    "submission-fields": ([STDIN], [{**SUBMISSION, f: v} for f in SUBMISSION for v in VALUES.values()]),
    "changed-fields": ([record for _, record in MUTANTS.values()][::3], [SUBMISSION]),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_one_bad_line_never_ends_a_run(tmp_path: Path, name: str) -> None:
    problems, submissions = LINES[name]
    good = {"id": "right", "problem_id": "good", "code": "print(1)"}
    write(tmp_path / "problems.jsonl", [*problems, GOOD])
    write(tmp_path / "submissions.jsonl", [*submissions, good])
    done = subprocess.run(
        [sys.executable, "-m", "cli", "eval", "grade", "--problems", "problems.jsonl", "--submissions",
         "submissions.jsonl", "--out", "out", "--no-cache", "--workers", "1", "-q"],
        cwd=tmp_path, capture_output=True, timeout=CALLER_S, env=_environment(),
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert b"Traceback" not in said, said[-3000:].decode("utf-8", "replace")
    assert done.returncode in (0, 1), said[-3000:].decode("utf-8", "replace")
    assert b"\x1b]" not in said
    grades = [json.loads(line) for line in (tmp_path / "out/grades.jsonl").read_text("utf-8").splitlines()]
    assert [grade["verdict"] for grade in grades if grade["submission_id"] == "right"] == ["ACCEPTED"]


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT)}


def write(path: Path, records: list[Any]) -> None:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


REFUSALS = (TypeError, ValueError, InputError)
ARGUMENTS: dict[str, dict[str, Any]] = {
    "workers-negative": {"workers": -1},
    "workers-zero": {"workers": 0},
    "workers-half": {"workers": 1.5},
    "workers-text": {"workers": "2"},
    "workers-true": {"workers": True},
    "policy-unknown": {"policy": "kind"},
    "policy-number": {"policy": 5},
    "isolation-unknown": {"isolation": "none"},
    "isolation-none": {"isolation": None},
    "layers-unknown": {"layers": ["sandbox"]},
    "layers-text": {"layers": "seccomp"},
    "layers-number": {"layers": 5},
    "layers-of-numbers": {"layers": [5]},
    "required-unknown": {"require_sandbox": ["sandbox"]},
    "required-text": {"require_sandbox": "seccomp"},
    "required-not-used": {"require_sandbox": ["seccomp"], "layers": ["limits"]},
    "cache-number": {"cache": 5.5},
    "cache-size-negative": {"cache": "/tmp/microcoder-attack-cache", "cache_mb": -1},
    "programs-number": {"programs": 5.5},
    "all-tests-text": {"all_tests": "no"},
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_grader_refuses_wrong_arguments(name: str) -> None:
    with pytest.raises((*REFUSALS, Exception) if name == "required-not-used" else REFUSALS):
        grader = Grader(**{"workers": 1, **ARGUMENTS[name]})
        try:
            if name == "required-not-used":
                grader.submit(PROBLEM, CODE).result(timeout=ANSWER_S)
        finally:
            grader.close()


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """The grader of all wrong calls: none of them may end it."""
    with Grader(workers=1) as grader:
        yield grader


PROBLEM = Problem.from_dict(GOOD)
CODE = Submission("s", "good", code="print(1)")
CALLS: dict[str, Callable[[Grader], Any]] = {
    "submission-none": lambda grader: grader.submit(PROBLEM, None),  # type: ignore[arg-type]
    "submission-number": lambda grader: grader.submit(PROBLEM, 5),  # type: ignore[arg-type]
    "submission-bytes": lambda grader: grader.submit(PROBLEM, b"print(1)"),  # type: ignore[arg-type]
    "submission-object": lambda grader: grader.submit(PROBLEM, SUBMISSION),  # type: ignore[arg-type]
    "submission-list": lambda grader: grader.submit(PROBLEM, [CODE]),  # type: ignore[arg-type]
    "problem-none": lambda grader: grader.submit(None, CODE),  # type: ignore[arg-type]
    "problem-object": lambda grader: grader.submit(GOOD, CODE),  # type: ignore[arg-type]
    "problem-text": lambda grader: grader.submit("good", CODE),  # type: ignore[arg-type]
    "problem-of-another": lambda grader: grader.submit(PROBLEM, Submission("s", "other", code="print(1)")),
    "problem-and-submission-swapped": lambda grader: grader.submit(CODE, PROBLEM),  # type: ignore[arg-type]
    "code-number": lambda grader: grader.submit(PROBLEM, Submission("s", "good", code=5)),  # type: ignore[arg-type]
    "code-bytes": lambda grader: grader.submit(PROBLEM, Submission("s", "good", code=b"x")),  # type: ignore[arg-type]
    "code-missing": lambda grader: grader.submit(PROBLEM, Submission("s", "good")),
    "response-number": lambda grader: grader.submit(PROBLEM, Submission("s", "good", response=5)),  # type: ignore[arg-type]
    "language-number": lambda grader: grader.submit(PROBLEM, Submission("s", "good", "print(1)", language=5)),  # type: ignore[arg-type]
    "language-unknown": lambda grader: grader.submit(PROBLEM, Submission("s", "good", "print(1)", language="x")),
    "tests-of-objects": lambda grader: grader.submit(Problem("x", tests=(GOOD,)), CODE),  # type: ignore[arg-type]
    "tests-none": lambda grader: grader.submit(Problem("x", tests=None), CODE),  # type: ignore[arg-type]
    "limit-text": lambda grader: grader.submit(Problem("x", tests=PROBLEM.tests, time_limit_s="2"), CODE),  # type: ignore[arg-type]
    "checker-text": lambda grader: grader.submit(Problem("x", tests=PROBLEM.tests, checker="exact"), CODE),  # type: ignore[arg-type]
    "outputs-none": lambda grader: grader.outputs(PROBLEM, None),  # type: ignore[arg-type]
    "outputs-text": lambda grader: grader.outputs(PROBLEM, "print(1)"),  # type: ignore[arg-type]
    "many-of-problems": lambda grader: list(grader.grade_many([PROBLEM])),  # type: ignore[list-item]
    "many-of-threes": lambda grader: list(grader.grade_many([(PROBLEM, CODE, 1)])),  # type: ignore[list-item]
    "many-none": lambda grader: list(grader.grade_many(None)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_is_refused_and_the_next_is_graded(grader: Grader, name: str) -> None:
    with pytest.raises(REFUSALS):
        CALLS[name](grader)
    code = Submission("s", "good", code=f"print(1)  # after {name}")
    assert grader.submit(PROBLEM, code).result(timeout=ANSWER_S).accepted


def test_a_closed_grader_says_so() -> None:
    grader = Grader(workers=1)
    grader.close()
    grader.close()
    with pytest.raises(Exception, match="closed"):
        grader.submit(PROBLEM, CODE)
