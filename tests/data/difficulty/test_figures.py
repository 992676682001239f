"""Figures of programs, the heuristic, the statistics of calibration, and selection: no build, no process."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.compare.select import Select
from microcoder_data.compare.surplus import Candidate, first_dropped, sorted_keys, surplus
from microcoder_data.difficulty import heuristic
from microcoder_data.difficulty.calibrate import best_boundaries, curve_at, held_out, isotonic, rank_correlation
from microcoder_data.difficulty.code_metrics import measure
from microcoder_data.schema import new_row
from microcoder_eval import InputError

pytestmark = pytest.mark.fast

PROBLEMS = Path(__file__).parents[3] / "problems"

PYTHON = """
def f(a, b):
    for x in a:
        if x > b and x < 10:
            return x
        elif x == b:
            while b:
                b -= 1
    return [y for y in a if y] or None
"""
CPP = """
// a comment with if (x) and for
int f(vector<int> a, int b) {
    for (int x : a) {
        if (x > b && x < 10) return x;
        else if (x == b) { while (b) b--; }
    }
    string s = "if while for";
    return b ? 1 : 0;
}
"""


def test_mccabe_counts_the_ways_through_a_program() -> None:
    python, cpp = measure(PYTHON), measure(CPP, "cpp")
    assert python is not None and cpp is not None
    assert python.cyclomatic == 1 + 8  # for, if, and, elif, while; the comprehension, its if and the or
    assert cpp.cyclomatic == 1 + 6  # for, if, &&, if, while, ?: and nothing from the comment or the string


def test_halstead_grows_with_what_there_is_to_hold_in_mind() -> None:
    small, large = measure("print(1)"), measure(PYTHON)
    assert small is not None and large is not None
    assert small.volume < large.volume and small.effort < large.effort and small.length < large.length
    repeated = measure("print(1)\n" * 10)
    assert repeated is not None and repeated.length == 10 * small.length


@pytest.mark.parametrize("code", ["print 1", "def f(:", "(" * 5000, "x = " + "-" * 3000 + "1", "", "\x00", "日本語"])
def test_what_is_not_python_is_measured_or_left_out(code: str) -> None:
    figures = measure(code)
    assert figures is None or figures.length > 0


def embedded_rows() -> list[tuple[dict[str, Any], int]]:
    found = []
    for path in sorted(PROBLEMS.glob("*/problem.yaml")):
        about = yaml.safe_load(path.read_text())
        programs = [
            {"language": {".py": "python", ".cpp": "cpp"}[file.suffix], "code": file.read_text(), "correct": True}
            for file in sorted(path.parent.glob("solutions/right/*"))
            if file.suffix in (".py", ".cpp")
        ]
        row = new_row(
            statement=(path.parent / "statement.md").read_text(), kind=about.get("kind", "stdin"),
            tags=about.get("tags") or [], solutions=programs,
        )  # fmt: skip
        found.append((row, ["easy", "medium", "hard"].index(about["difficulty"])))
    return found


def test_the_heuristic_orders_problems_that_it_was_not_made_on() -> None:
    judged = embedded_rows()
    assert len(judged) >= 80
    value, low, _ = rank_correlation([heuristic.score(row)[0] for row, _ in judged], [level for _, level in judged])
    assert value >= 0.4 and low > 0.2
    untagged = [heuristic.score({**row, "tags": []})[0] for row, _ in judged]
    assert rank_correlation(untagged, [level for _, level in judged])[0] >= 0.4, "solutions alone say it too"


def test_the_heuristic_never_reads_the_answer() -> None:
    row, _ = embedded_rows()[0]
    told = {
        **row,
        "difficulty": {"native": "hard", "rating": 3500, "level": "hard"},
        "contest_id": "999",
        "problem_index": "H",
    }
    assert heuristic.score(told) == heuristic.score(row)


def test_wrong_solutions_and_longer_ones_say_nothing() -> None:
    short = {"language": "python", "code": "print(int(input()) + 1)", "correct": True}
    wrong = {"language": "python", "code": "", "correct": False}
    alone = new_row(statement="Add one.", kind="stdin", solutions=[short])
    among = new_row(statement="Add one.", kind="stdin", solutions=[wrong, {**short, "code": PYTHON}, short])
    assert heuristic.score(alone) == heuristic.score(among)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-20, 20)), min_size=1, max_size=25))
def test_isotonic_is_the_best_rising_curve(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array(side, float) for side in zip(*sorted(pairs), strict=True))
    knots, values = isotonic(x, y)
    assert (np.diff(values) >= -1e-9).all()
    oracle = [
        max(min(y[(x >= a) & (x <= b)].mean() for b in knots if b >= knot) for a in knots if a <= knot)
        for knot in knots
    ]  # the min-max formula
    assert np.allclose(values, oracle)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=30))
def test_rank_correlation_is_that_of_ranks(pairs: list[tuple[int, int]]) -> None:
    first, second = (pandas.Series(side, dtype=float) for side in zip(*pairs, strict=True))
    expected = first.rank().corr(second.rank())
    value, low, high = rank_correlation(first, second)
    if np.isfinite(expected):
        assert value == pytest.approx(expected, abs=1e-9)
        assert low <= high
    else:
        assert np.isnan(value)


def test_boundaries_are_found_where_the_levels_change() -> None:
    chance = random.Random(1)
    x = np.array([chance.uniform(1, 5) for _ in range(500)])
    medium, hard = best_boundaries(x, (x >= 2.2).astype(int) + (x >= 3.9))
    assert abs(medium - 2.2) < 0.05 and abs(hard - 3.9) < 0.05


def test_held_out_rows_are_predicted_without_having_been_seen() -> None:
    chance = np.random.default_rng(3)
    x, noise = chance.uniform(1, 5, 400), chance.uniform(0, 1, 400)
    seen = np.abs(curve_at(*isotonic(x, noise), x) - noise).mean()
    assert np.abs(held_out(x, noise) - noise).mean() > seen, "on noise, what was not seen is predicted worse"
    assert np.abs(held_out(x, x / 5) - x / 5).mean() < 0.02


levels = st.lists(
    st.tuples(st.sampled_from(["easy", "medium", "hard"]), st.one_of(st.none(), st.floats(1, 5))), max_size=60
)


@given(
    levels,
    st.sampled_from(
        [{"easy": 0.2}, {"easy": 0.0}, {"easy": 0.3, "hard": 0.1}, {"easy": 0.2, "medium": 0.3, "hard": 0.5}]
    ),
)
def test_selection_meets_its_shares_and_takes_no_more_than_it_must(
    known: list[tuple[str, float | None]], shares: dict[str, float]
) -> None:
    candidates = [Candidate(row, f"p{row}", level, score, None) for row, (level, score) in enumerate(known)]
    gone = _gone(Select(shares), candidates)
    shuffled = random.Random(0).sample(candidates, len(candidates))
    assert _gone(Select(shares), shuffled) == gone
    left = [one for one in candidates if one.row not in gone]
    assert set(gone.values()) <= set(shares)
    for level, share in shares.items():
        count = sum(one.level == level for one in left)
        if sum(shares.values()) < 1:
            others = sum(one.level not in shares for one in left)
            assert count <= share * others / (1 - sum(shares.values())) + 1e-6
        if gone and level in gone.values():
            hardest_gone = max((one.predicted or 0) for one in candidates if gone.get(one.row) == level)
            assert all((one.predicted or 0) >= hardest_gone for one in left if one.level == level)


def _gone(settings: Select, candidates: list[Candidate]) -> dict[int, str]:
    parts = [sorted_keys(settings, candidates[start::3]) for start in range(3)]
    dropped = first_dropped(settings, parts)
    return {row: level for part in parts for level, rows in surplus(dropped, part).items() for row in rows.tolist()}


def test_the_easy_share_falls_from_two_fifths_to_one() -> None:
    candidates = [
        Candidate(n, str(n), "easy" if n < 40 else "medium" if n < 70 else "hard", n / 20, None) for n in range(100)
    ]
    gone = _gone(Select({"easy": 0.2}), candidates)
    assert set(gone) == set(range(25)) and len(candidates) - len(gone) == 75


@pytest.mark.parametrize(
    "shares",
    [{}, {"easy": 0.7, "hard": 0.6}, {"simple": 0.1}, {"easy": "x"}, {"easy": 0.1, "medium": 0.1, "hard": 0.1}],
)
def test_impossible_shares_are_refused(shares: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="shares"):
        Select(shares)
