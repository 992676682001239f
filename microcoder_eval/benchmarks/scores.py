"""Scores as the benchmarks' publishers compute them: pass@k as a mean over problems.

A group gets a score for every k up to the number of samples that each of its problems has.

Pure arithmetic over grades. Intervals and mean@n are in `runs/tally.py`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from microcoder_eval.metrics import pass_at_k
from microcoder_eval.verdict import Grade, Verdict

Scores = dict[str, dict[str, Any]]
"""For each group of problems their number under "problems", and the scores under "pass@1" and so on."""


def score(grades: Iterable[Grade], groups_of: Callable[[Grade], Mapping[str, bool]], ks: Sequence[int]) -> Scores:
    """Score every group. `groups_of` gives the groups that a grade counts in, and whether it is right there.

    A JUDGE_ERROR is neither right nor wrong and is left out.
    """
    groups: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for grade in grades:
        if grade.verdict is not Verdict.JUDGE_ERROR:
            for group, right in groups_of(grade).items():
                counts = groups[group][grade.problem_id]
                counts[0] += 1
                counts[1] += right
    return {
        group: {"problems": len(problems), **_pass_at(list(problems.values()), ks)}
        for group, problems in groups.items()
    }


def _pass_at(counts: list[list[int]], ks: Sequence[int]) -> dict[str, float]:
    """pass@k of a group. counts: for each problem its samples, and how many of them are right."""
    fewest = min(samples for samples, _ in counts)
    return {
        f"pass@{k}": math.fsum(pass_at_k(samples, right, k) for samples, right in counts) / len(counts)
        for k in ks
        if k <= fewest
    }
