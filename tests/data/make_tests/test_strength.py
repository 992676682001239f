"""Strength as a rate with an interval: the rule that selects by it, and what the report shows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from microcoder_data.filter.strength import MinStrength
from microcoder_data.rates import Rate, true_negative, true_positive, wilson
from microcoder_data.report.strength_section import Strengths, strength
from microcoder_data.rules import changed, marked, step
from microcoder_data.schema import new_row
from microcoder_eval import InputError

pytestmark = pytest.mark.fast


def row(rejected: int, run: int, accepted: int = 2, right: int = 2, **columns: Any) -> dict[str, Any]:
    said = {"wrong_run": run, "wrong_rejected": rejected, "solutions_run": right, "solutions_ok": accepted}
    return new_row(**{"problem_id": "a:1", "source": "a", "kind": "stdin", "verification": said, **columns})


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (50, 100, 0.404, 0.596), (1, 1, 0.207, 1.0)],
)
def test_the_interval_is_wilsons(part: int, whole: int, low: float, high: float) -> None:
    found = wilson(part, whole)
    assert found == (pytest.approx(low, abs=1e-3), pytest.approx(high, abs=1e-3))


def test_likely_right_mutants_do_not_count() -> None:
    said = {"wrong_run": 2, "wrong_rejected": 2, "mutants_run": 8, "mutants_rejected": 6, "mutants_equivalent": 2}
    assert true_negative(said) == Rate(8, 8)
    assert true_negative(None).share is None and str(true_positive({})) == "not known"


@pytest.mark.parametrize(
    ("settings", "given", "reason"),
    [
        (MinStrength(), row(9, 10), ""),
        (MinStrength(), row(7, 10), "weak_tests"),
        (MinStrength(min_rejected_low=0.75), row(10, 10), "strength_uncertain"),
        (MinStrength(min_rejected_low=0.75), row(40, 40), ""),
        (MinStrength(), row(10, 10, accepted=1, right=3), "right_solutions_rejected"),
        (MinStrength(), row(0, 0), ""),
        (MinStrength(unknown="drop"), row(0, 0), "strength_unknown"),
    ],
)
def test_rows_are_selected_by_strength(settings: MinStrength, given: dict[str, Any], reason: str) -> None:
    outcome = settings(given)
    assert (outcome.reason if outcome else "") == reason


def test_shares_are_shares() -> None:
    with pytest.raises(InputError, match="shares from 0 to 1"):
        MinStrength(min_rejected=80)


def test_the_report_shows_rates_made_tests_and_the_weakest_rows() -> None:
    strengths = Strengths()
    made = step("verify", "make_tests_v2", changed("20 tests made", 20))
    tried = step("verify", "make_tests_v2", marked("no tests made: no grammar: a sentence"))
    strengths.add(row(10, 10))
    strengths.add(row(3, 10, problem_id="a:weak"))
    strengths.add(row(9, 10, problem_id="b:made", source="b", provenance=[made]))
    strengths.add(row(5, 10, problem_id="b:tried", source="b", provenance=[tried]))
    counts = {
        "made: rows tried": 2, "made: rows with tests": 1, "made: wrong programs run": 10, "made: rejected before": 2,
        "made: tests by rules": 15, "made: rejected by rules": 9, "made: rejected after": 9,
    }  # fmt: skip
    page = "".join(map(str, strength(strengths, counts)))
    text = re.sub(r"<[^>]+>", " ", page)
    assert "67.5 % of 40" in text and "20.0 % of 10" in text and "90.0 % of 10" in text
    assert text.index("a:weak") < text.index("b:tried") < text.index("b:made")
    assert "no grammar: a sentence" in text and "verify.make_tests" in text


def test_nothing_run_is_nothing_shown() -> None:
    assert strength(Strengths(), {}) == []
