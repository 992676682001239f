"""Compare predicted with observed difficulty on a finished dataset, and find boundaries of levels that fit.

Observed difficulty is a number from 0 to 1, from one of three observations: the share of a model's attempts that
failed, a rating, or the source's level. The statistics are in `calibrate.py`, the page in `page.py`.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from microcoder_data.difficulty import heuristic
from microcoder_data.difficulty.calibrate import (
    FOLDS,
    best_boundaries,
    crossing,
    held_out,
    isotonic,
    levels_of,
    rank_correlation,
)
from microcoder_data.report.dataset import load_manifest, rows
from microcoder_data.shards import read_shard
from microcoder_eval import InputError
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS
from microcoder_eval.plural import counted

LEAST_ROWS = 20
BINS = 10
CUTS = {"pass_rate": (0.25, 0.75), "rating": (0.25, 0.5), "level": (0.25, 0.75)}
"""The observed difficulties at which medium and hard begin. For ratings they are 1400 and 2000."""
COLUMNS = [
    "problem_id", "source", "kind", "statement", "input_format", "output_format", "constraints", "notes", "tags",
    "difficulty",
]  # fmt: skip


@dataclass(frozen=True)
class JudgedRow:
    """A row with its predicted and its observed difficulty."""

    source: str
    predicted: float
    observed: float


def compare(
    directory: Path, grades: Iterable[Path] = (), by: str | None = None, use_heuristic: bool = False
) -> dict[str, Any]:
    """Compare predictions with observations; the result is plain data, the same for the same dataset."""
    attempts = _pass_rates(grades)
    _refuse_grades_of_other_problems(directory, attempts)
    solutions = _solutions(directory)
    observations: dict[str, list[JudgedRow]] = defaultdict(list)
    predictors: Counter[str] = Counter()
    use_heuristic = use_heuristic or not _has_predictions(directory)
    for row in rows(directory, COLUMNS):
        difficulty = row["difficulty"] or {}
        predicted, predictor = difficulty.get("predicted"), str(difficulty.get("predictor"))
        if use_heuristic:
            row["solutions"] = solutions.get(row["problem_id"], [])
            predicted, predictor = heuristic.score(row)[0], heuristic.NAME
        if predicted is None:
            continue
        predictors[predictor] += 1
        rate = attempts.get(row["problem_id"], difficulty.get("pass_rate") if not attempts else None)
        for name, value in _observed(difficulty, rate).items():
            observations[name].append(JudgedRow(row["source"], predicted, value))
    by = by or _best_observation(observations)
    judged = observations.get(by, [])
    if len(judged) < LEAST_ROWS:
        found = counted(len(judged), "row")
        raise InputError(f"{directory}: {found} with a {by.replace('_', ' ')}; at least {LEAST_ROWS} are needed")
    return {
        "dataset": load_manifest(directory)["name"],
        "by": by,
        "predictors": dict(predictors.most_common()),
        **_agreement(judged, by),
    }


def _refuse_grades_of_other_problems(directory: Path, attempts: Mapping[str, float]) -> None:
    ids = [row["problem_id"] for row in rows(directory, ["problem_id"])]
    if attempts and ids and not attempts.keys() & {*ids}:
        raise InputError(
            f"{directory}: the grades are of other problems, such as {next(iter(attempts))!r}; its own are called as "
            f"{ids[0]!r}: grade replies with `--problems {directory}`"
        )


def _has_predictions(directory: Path) -> bool:
    return any((row["difficulty"] or {}).get("predicted") is not None for row in rows(directory, ["difficulty"]))


def _best_observation(observations: Mapping[str, list[JudgedRow]]) -> str:
    """The first of pass rate, rating and level that enough rows have."""
    return next((name for name in CUTS if len(observations.get(name, [])) >= LEAST_ROWS), "level")


def _observed(difficulty: Mapping[str, Any], pass_rate: float | None) -> dict[str, float]:
    """The observed difficulties of a row, by the kind of observation."""
    found = {}
    if pass_rate is not None:
        found["pass_rate"] = 1.0 - pass_rate
    if difficulty.get("rating") is not None:
        span = heuristic.HARDEST - heuristic.EASIEST
        found["rating"] = min(1.0, max(0.0, (difficulty["rating"] - heuristic.EASIEST) / span))
    if difficulty.get("native") is not None and difficulty.get("level") in DIFFICULTY_LEVELS:
        found["level"] = DIFFICULTY_LEVELS.index(difficulty["level"]) / (len(DIFFICULTY_LEVELS) - 1)
    return found


def _agreement(judged: list[JudgedRow], by: str) -> dict[str, Any]:
    """The statistics of predictions against one kind of observation."""
    x = np.array([one.predicted for one in judged])
    y = np.array([one.observed for one in judged])
    cuts = CUTS[by]
    knots, values = isotonic(x, y)
    calibrated = held_out(x, y)
    levels = levels_of(y, cuts)
    commonest = float(np.bincount(levels, minlength=3).max() / len(levels))
    sources = Counter(one.source for one in judged)
    return {
        "rows": len(judged),
        "rank_correlation": _interval(x, y),
        "held_out": {
            "folds": FOLDS,
            "rank_correlation": _interval(calibrated, y),
            "mean_absolute_error": round(float(np.abs(calibrated - y).mean()), 4),
            "mean_absolute_error_of_the_mean": round(float(np.abs(y.mean() - y).mean()), 4),
            "level_accuracy": round(float((levels_of(calibrated, cuts) == levels).mean()), 4),
            "level_accuracy_of_the_commonest": round(commonest, 4),
        },
        "by_source": {
            name: {"rows": count, **_interval(*_of_source(judged, name))} for name, count in sources.most_common()
        },
        "curve": [[round(float(a), 4), round(float(b), 4)] for a, b in _corners(knots, values)],
        "bins": _bins(x, y),
        "cuts": list(cuts),
        "boundaries": {
            "isotonic": [crossing(knots, values, cut) for cut in cuts],
            "thresholds": list(best_boundaries(x, levels)),
        },
        "observed_levels": {name: int((levels == index).sum()) for index, name in enumerate(DIFFICULTY_LEVELS)},
    }


def _interval(x: np.ndarray, y: np.ndarray) -> dict[str, float | None]:
    value, low, high = (round(number, 4) if np.isfinite(number) else None for number in rank_correlation(x, y))
    return {"value": value, "low": low, "high": high}


def _of_source(judged: list[JudgedRow], source: str) -> tuple[np.ndarray, np.ndarray]:
    mine = [one for one in judged if one.source == source]
    return np.array([one.predicted for one in mine]), np.array([one.observed for one in mine])


def _corners(knots: np.ndarray, values: np.ndarray) -> Iterable[tuple[float, float]]:
    """The ends of the flat parts of the curve, which are enough to draw it."""
    last = len(knots) - 1
    for index in range(len(knots)):
        if index in (0, last) or values[index] != values[index - 1] or values[index] != values[index + 1]:
            yield knots[index], values[index]


def _bins(x: np.ndarray, y: np.ndarray) -> list[dict[str, float]]:
    """The rows, sorted by prediction and cut into tenths: the means of each tenth."""
    order = np.argsort(x, kind="stable")
    return [
        {
            "rows": len(part),
            "predicted": round(float(x[part].mean()), 4),
            "observed": round(float(y[part].mean()), 4),
        }
        for part in np.array_split(order, min(BINS, len(x)))
    ]


def _pass_rates(runs: Iterable[Path]) -> dict[str, float]:
    """The share of accepted attempts by problem, over grading runs; a JUDGE_ERROR does not count as an attempt."""
    passed: Counter[str] = Counter()
    attempted: Counter[str] = Counter()
    for run in runs:
        path = run / "grades.jsonl" if run.is_dir() else run
        try:
            for line in path.read_bytes().splitlines():
                grade = json.loads(line)
                if grade["verdict"] != "JUDGE_ERROR":
                    attempted[grade["problem_id"]] += 1
                    passed[grade["problem_id"]] += bool(grade["accepted"])
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path}: not the grades of a run (microcoder eval grade)") from None
    return {name: passed[name] / count for name, count in attempted.items()}


def _solutions(directory: Path) -> dict[str, list[dict[str, Any]]]:
    return {
        row["problem_id"]: row["solutions"]
        for path in sorted((directory / "solutions").glob("*.parquet"))
        for row in read_shard(path)
    }
