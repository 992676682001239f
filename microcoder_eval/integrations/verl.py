"""verl: an asynchronous custom reward function. Each sample is one grading with all its tests.

    reward.custom_reward_function.path=pkg://microcoder_eval.integrations.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.shape=fraction

`ground_truth` is what `microcoder data export --to verl` writes, a problem's record, or any form that `ground_truth`
reads. verl has no reward of None: a JUDGE_ERROR gets the score `judge_error` and is counted in the metric
`judge_error`; with judge_error="raise" it stops the run.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from typing import Any

from microcoder_eval.integrations.grading import Rewarder
from microcoder_eval.rewards import check_reward
from microcoder_eval.verdict import Verdict

logger = logging.getLogger(__name__)


async def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Any = None,
    *,
    grader: str | None = None,
    token: str = "",
    shape: str = "binary",
    cut_off: float | None = None,
    time_limit_s: float = 10.0,
    memory_limit_mb: int = 1024,
    language: str = "python",
    judge_error: float | str = 0.0,
    **_: Any,
) -> dict[str, float]:
    """The score of a sample, and its metrics. Every sample has the same keys, and all values are numbers."""
    rewarder = _rewarder(grader, token, shape, cut_off, time_limit_s, memory_limit_mb, language)
    name = str((extra_info or {}).get("problem_id") or "") if isinstance(extra_info, dict) else ""
    of_a_failure = None if judge_error == "raise" else check_reward("judge_error", judge_error)
    grade = await asyncio.wrap_future(rewarder.submit(ground_truth, solution_str, name))
    failed = grade.verdict is Verdict.JUDGE_ERROR
    if failed and of_a_failure is not None:
        logger.warning("JUDGE_ERROR on problem %s, scored %s: %s", grade.problem_id, of_a_failure, grade.detail)
        score = of_a_failure
    else:
        score = rewarder.reward_or_raise(grade)
    return {
        "score": score,
        "acc": float(grade.accepted),
        "passed_share": grade.score,
        "judge_error": float(failed),
        "no_code": float(grade.verdict is Verdict.NO_CODE),
        "time_limit": float(grade.verdict is Verdict.TIME_LIMIT),
        "cut_off": float(not grade.complete),
    }


@functools.lru_cache(maxsize=16)
def _rewarder(
    grader: str | None,
    token: str,
    shape: str,
    cut_off: float | None,
    time_limit_s: float,
    memory_limit_mb: int,
    language: str,
) -> Rewarder:
    return Rewarder(grader, token, shape, cut_off, time_limit_s, memory_limit_mb, language)
