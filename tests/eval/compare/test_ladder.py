"""Labelled comparisons: the verdict of a competent contest judge, and what each policy accepts."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.boundary.decode_values import Opaque
from microcoder_eval.compare import Comparison, compare_output, compare_value
from microcoder_eval.problem import Checker, Policy

pytestmark = pytest.mark.fast

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "compare.jsonl").read_text().splitlines()]
TOKENS = Checker()


def literal(text: str) -> Any:
    return ast.literal_eval(text)


def compare(case: dict[str, Any], policy: Policy) -> Comparison:
    checker = Checker.from_dict(case["checker"])
    if case["mode"] == "call":
        return compare_value(literal(case["expected"]), literal(case["actual"]), checker, policy)
    return compare_output(case["expected"].encode(), case["actual"].encode(), checker, policy)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['mode']}-{case['kind']}: {case['why']}"[:60])
def test_contest_judges_as_a_competent_judge_does(case: dict[str, Any]) -> None:
    comparison = compare(case, Policy.CONTEST)
    assert comparison.accepted is case["correct"], comparison
    assert (comparison.rung is not None) is case["correct"]
    assert bool(comparison.detail) is not case["correct"]
    assert len(comparison.detail) < 300
    comparison.detail.encode()  # a report can write it


def test_lenient_accepts_all_that_contest_accepts() -> None:
    refused = [case for case in CASES if case["correct"] and not compare(case, Policy.LENIENT).accepted]
    assert refused == []


@pytest.mark.parametrize(
    ("expected", "actual", "checker", "rung"),
    [
        (b"1 2\n", b"1 2\n", TOKENS, "exact"),
        (b"1 2\n3\n", b"1 2 \r\n3", TOKENS, "lines"),
        (b"1 2\n3\n", b"1\n2 3", TOKENS, "tokens"),
        (b"5\n", b" 5\n", TOKENS, "tokens"),
        (b"0.5\n", b"0.50", TOKENS, "numbers"),
        (b"YES\n", b"yes", Checker("case_insensitive"), "case"),
        (b"1\n2\n", b"2\n1\n", Checker("unordered", of="lines"), "unordered"),
    ],
)
def test_an_accepted_output_names_its_rung(expected: bytes, actual: bytes, checker: Checker, rung: str) -> None:
    assert compare_output(expected, actual, checker, Policy.CONTEST) == Comparison(True, rung, "")


@pytest.mark.parametrize(
    ("expected", "actual", "checker", "rung"),
    [
        ([1, 2], [1, 2], TOKENS, "exact"),
        ([1, 2], (1, 2), TOKENS, "types"),
        ([0.3], [0.1 + 0.2], TOKENS, "approximate"),
        ("Yes", "YES", Checker("case_insensitive"), "case"),
        ([1, 2], [2, 1], Checker("unordered", of="elements"), "unordered"),
    ],
)
def test_an_accepted_value_names_its_rung(expected: Any, actual: Any, checker: Checker, rung: str) -> None:
    assert compare_value(expected, actual, checker, Policy.CONTEST) == Comparison(True, rung, "")


def test_lenient_is_not_bound_by_the_checker() -> None:
    assert compare_output(b"1 2\n", b"1  2", Checker("exact"), Policy.LENIENT).rung == "tokens"
    assert compare_output(b"0.5", b"0.500001", Checker("float", abs=1e-9, rel=1e-9), Policy.LENIENT).accepted
    assert compare_value([1], (1,), Checker("exact"), Policy.LENIENT).rung == "types"


@pytest.mark.parametrize(
    ("expected", "actual", "rung"),
    [
        (b"0.3333", b"0.3335", None),
        (b"100000.0", b"100000.9", "approximate"),
        (b"[1, 2, 'a']", b'(1,2,"a")', "literals"),
        (b"1 2 3", b"[1, 2, 3]", "literals"),
        (b"true null", b"True None", "literals"),
        (b"[0.5, [1.0]]", b"[0.500001, [1]]", "literals"),
        (b"[1, 2]", b"{2, 1}", "literals"),
        (b"{'b': 1, 'a': [2]}", b"{a: (2), b: 1}", "literals"),
        (b"b\na", b"a\nb", "unordered"),
        (b"1 1 2", b"1 2 2", "sets"),
        (b"2e70 0.50\n7", b"7\n0.5 2.0e70\n7", "sets"),
        (b"5", b"5.0", None),
        (b"100000", b"1e5", None),
        (b"[7]", b"[007]", None),
        (b"[9007199254740993]", b"[9007199254740992]", None),
        (b"1 2 3", b"1 2 4", None),
        (b"0.5", b"nan", None),
        (b"True", b"1", None),
        (b"[[1, 2], [3]]", b"[[1], [2, 3]]", None),
    ],
)
def test_lenient_goes_further_but_not_past_the_hard_rules(expected: bytes, actual: bytes, rung: str | None) -> None:
    assert compare_output(expected, actual, TOKENS, Policy.LENIENT).rung == rung


@pytest.mark.parametrize(
    ("expected", "actual", "rung"),
    [
        ([1, 2], "[1, 2]", "literals"),
        (5, "5", "literals"),
        ([True, None], ["true", "null"], "literals"),
        ([1, 2, 3], {3, 2, 1}, "unordered"),
        ([1, 1, 2], [2, 1], "sets"),
        (7, "007", None),
        (5, "5.0", None),
        (2**53 + 1, 2**53, None),
        ([1, 2], [1, 3], None),
        (1, Opaque("One"), None),
    ],
)
def test_lenient_converts_returned_values(expected: Any, actual: Any, rung: str | None) -> None:
    assert compare_value(expected, actual, TOKENS, Policy.LENIENT).rung == rung


@pytest.mark.parametrize(
    ("expected", "actual", "checker", "detail"),
    [
        (b"1 2\n3 4\n", b"1 2\n3 5\n", TOKENS, "line 2, token 2: expected '4', got '5'"),
        (b"1\n2\n", b"1\n", TOKENS, "line 2, token 1: expected '2', but the output ends"),
        (b"1\n", b"1\n2\n", TOKENS, "line 2, token 1 of the output: expected nothing more, got '2'"),
        (b"caf\xc3\xa9", b"caf\xe9\x00", TOKENS, "line 1, token 1: expected 'café', got 'caf\\xe9\\x00'"),
        (b"a b", b"a  b", Checker("exact"), "line 1, byte 3: expected 'a b', got 'a  b'"),
        (b"a\n", b"a", Checker("exact"), "line 1, byte 2: expected 'a\\n', but the output ends"),
        (
            b"1\n1\n2",
            b"1\n2\n2",
            Checker("unordered"),
            "in any order: expected line '1', not found; got line '2', not expected",
        ),
        (b"1\n2", b"2", Checker("unordered"), "in any order: expected line '1', not found"),
        (
            b"1 2",
            b"2 1 1",
            Checker("unordered", of="tokens"),
            "in any order: nothing is missing; got token '1', not expected",
        ),
    ],
)
def test_a_refused_output_shows_its_first_difference(
    expected: bytes, actual: bytes, checker: Checker, detail: str
) -> None:
    comparison = compare_output(expected, actual, checker, Policy.CONTEST)
    assert comparison == Comparison(False, None, detail)


@pytest.mark.parametrize(
    ("expected", "actual", "detail"),
    [
        ({"a": [1, 2]}, {"a": [1, 3]}, "at ['a'][1]: expected 2, got 3"),
        ([1, 2], [1], "at [1]: expected 2, got nothing"),
        ([1], [1, 2], "at [1]: expected nothing, got 2"),
        (5, "5", "expected 5 (int), got '5' (str)"),
        (1, True, "expected 1 (int), got True (bool)"),
        ([1], None, "expected [1] (list), got None"),
        (5, Opaque("Forged"), "expected 5 (int), got <Forged>"),
    ],
)
def test_a_refused_value_shows_its_first_difference(expected: Any, actual: Any, detail: str) -> None:
    assert compare_value(expected, actual, TOKENS, Policy.CONTEST).detail == detail


def test_a_difference_deep_inside_a_long_token_is_shown() -> None:
    detail = compare_output(b"a" * 5000 + b"xyz", b"a" * 5000 + b"xYz", TOKENS, Policy.CONTEST).detail
    assert "xyz'" in detail and "xYz'" in detail
    assert len(detail) < 300


def test_an_opaque_value_equals_nothing() -> None:
    forged = Opaque("Forged")
    for checker in (TOKENS, Checker("exact"), Checker("unordered"), Checker("float"), Checker("case_insensitive")):
        for policy in (Policy.CONTEST, Policy.LENIENT):
            assert not compare_value(forged, forged, checker, policy).accepted
            assert not compare_value([1], [forged], checker, policy).accepted
            assert not compare_value({"a": 1}, {forged: 1}, checker, policy).accepted


def test_nan_equals_an_expected_nan_only() -> None:
    nan = float("nan")
    for checker in (TOKENS, Checker("float"), Checker("unordered"), Checker("exact")):
        assert compare_value([nan], [float("nan")], checker, Policy.CONTEST).accepted
        assert not compare_value([0.5], [nan], checker, Policy.CONTEST).accepted
        assert not compare_value([nan], [0.5], checker, Policy.CONTEST).accepted


def test_values_too_deep_or_too_large_to_show_are_refused_in_one_line() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for expected, actual in ((5, deep), ([[5]], deep), (10**6000, 10**6000 + 1), ([1], list(range(10**5)))):
        for policy in Policy:
            comparison = compare_value(expected, actual, TOKENS, policy)
            assert not comparison.accepted
            assert 0 < len(comparison.detail) < 400


def test_a_broken_rung_accepts_nothing_and_does_not_stop_the_ladder() -> None:
    broken = Checker("float")
    object.__setattr__(broken, "abs", float("nan"))
    comparison = compare_output(b"0.5\n", b"0.6\n", broken, Policy.CONTEST)
    assert not comparison.accepted
    assert "rung numbers failed" in comparison.detail
    assert compare_output(b"0.5\n", b"0.5", broken, Policy.CONTEST).rung == "lines"


def test_a_checker_that_is_a_program_is_not_judged_here() -> None:
    checker = Checker("python", code="def check(input, expected, actual): return True")
    for policy in (Policy.CONTEST, Policy.LENIENT):
        with pytest.raises(ValueError, match="is a program"):
            compare_output(b"1", b"1", checker, policy)
        with pytest.raises(ValueError, match="is a program"):
            compare_value(1, 1, checker, policy)
    assert compare_output(b"1", b"1.0", checker, Policy.STRICT).accepted  # LiveCodeBench runs no checkers
