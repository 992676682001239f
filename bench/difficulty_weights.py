"""Fit the weights of the difficulty heuristic, and measure them on sources that they were not fitted on.

    python bench/difficulty_weights.py rated.jsonl [--show-weights] [--json FILE]

One JSON object a line: {"source", "kind", "statement", "tags", "solutions": [{"language", "code"}], "rating"}, or with
"level" (easy, medium, hard) for a source that is only measured on. The shipped weights come from 2,259 Codeforces
problems (Go and C++ solutions, ratings of the contests) and 2,131 LeetCode problems (Python, C++ and Java solutions,
contest ratings). Both sets are public; neither is part of this project. Each source has the same weight. The table
shows the rank correlation within a source: with the shipped weights, with statements alone, and with fitted weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from microcoder_data.difficulty import heuristic
from microcoder_data.difficulty.calibrate import rank_correlation
from microcoder_data.schema import new_row
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS

NAMES = sorted(heuristic.WEIGHTS)
RIDGE = 50.0
TRUST_IN_TAGS = 0.5
"""The fitted weights of tags are multiplied by this, because every source tags in its own way. With half of them the
correlation with levels, and with the other source's ratings, is better; with Codeforces' own ratings a little worse."""


def read(path: Path) -> tuple[np.ndarray, np.ndarray, list[str], list[str], list[Any], set[str]]:
    """Features (nan where absent), ratings or levels, kinds, sources, rows; and which sources have ratings."""
    table, ratings, kinds, sources, rows = [], [], [], [], []
    rated = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record.get("rating") is None and record.get("level") not in DIFFICULTY_LEVELS:
            continue
        programs = [{**program, "correct": True, "origin": "reference"} for program in record["solutions"]]
        row = new_row(statement=record["statement"], kind=record["kind"], tags=record["tags"], solutions=programs)
        found = heuristic.features(row)
        table.append([found.get(name, np.nan) for name in NAMES])
        if record.get("rating") is not None:
            rated.add(record["source"])
        ratings.append(
            float(record["rating"] if record["source"] in rated else DIFFICULTY_LEVELS.index(record["level"]))
        )
        kinds.append(record["kind"])
        sources.append(record["source"])
        rows.append(row)
    return np.array(table), np.array(ratings), kinds, sources, rows, rated


def centred(table: np.ndarray, groups: Sequence[str]) -> np.ndarray:
    """Each feature as its distance from the group's average; 0 where it is absent."""
    out = np.zeros_like(table)
    for group in set(groups):
        mine = np.array([one == group for one in groups])
        out[mine] = np.nan_to_num(table[mine] - np.nanmean(table[mine], axis=0))
    return out


def fit(table: np.ndarray, ratings: np.ndarray, groups: Sequence[str]) -> np.ndarray:
    """Ridge regression on distances from each source's average. Sources weigh the same; no weight is negative."""
    names = np.array(groups)
    weight = np.array([1000 / np.sum(names == name) for name in names])
    x, y = centred(table, groups), centred(ratings[:, None], groups)[:, 0]
    scale = x.std(axis=0) + 1e-9
    x = x / scale
    free = np.ones(x.shape[1], bool)
    while True:
        inner = x[:, free]
        solved = np.linalg.solve((inner.T * weight) @ inner + RIDGE * np.eye(inner.shape[1]), (inner.T * weight) @ y)
        if (solved >= 0).all():
            break
        free[np.flatnonzero(free)[solved < 0]] = False
    out = np.zeros(x.shape[1])
    out[free] = solved
    for name in ("tags", "hardest_tag"):
        out[NAMES.index(name)] *= TRUST_IN_TAGS
    return np.asarray(out / scale)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rated", type=Path)
    parser.add_argument("--show-weights", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    table, ratings, kinds, sources, rows, rated = read(options.rated)
    names = np.array(sources)
    has_rating = np.array([name in rated for name in sources])
    shipped = np.array([heuristic.rating(row) for row in rows])
    alone = np.array([heuristic.rating({**row, "tags": [], "solutions": []}) for row in rows])
    results = []
    for name in sorted(set(sources)):
        mine, others = names == name, has_rating & (names != name)
        shown = {"shipped": shipped[mine], "statements alone": alone[mine]}
        for label, chosen in (("itself", mine), ("the others", others)):
            if chosen.any() and name in rated:
                weights = fit(table[chosen], ratings[chosen], [sources[index] for index in np.flatnonzero(chosen)])
                shown[f"fitted on {label}"] = centred(table[mine], [name] * int(mine.sum())) @ weights
        for label, estimate in shown.items():
            value, low, high = rank_correlation(estimate, ratings[mine])
            numbers = {
                "rows": int(mine.sum()),
                "rank_correlation": round(value, 4),
                "interval": [round(low, 4), round(high, 4)],
            }
            results.append({"source": name, "weights": label, **numbers})
            print(f"{name:24} {label:22} n={int(mine.sum()):5} rank correlation {value:.3f} ({low:.3f} to {high:.3f})")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if options.show_weights:
        weights = fit(table[has_rating], ratings[has_rating], list(names[has_rating]))
        print("WEIGHTS", {name: round(float(value), 1) for name, value in zip(NAMES, weights, strict=True)})
        for kind in sorted(set(kinds)):
            mine = has_rating & np.array([one == kind for one in kinds])
            averages = np.nanmean(table[mine], axis=0)
            print("BASE", kind, round(float(ratings[mine].mean())))
            print("CENTRES", kind, {name: round(float(value), 2) for name, value in zip(NAMES, averages, strict=True)})


if __name__ == "__main__":
    main()
