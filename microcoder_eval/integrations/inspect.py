"""Inspect: a scorer for programming tasks, and for logs of such tasks.

    Task(dataset, scorer=code_scorer())
    inspect score LOG --scorer microcoder_eval/code_scorer

A sample's metadata has the problem as `problem`, or its target is the problem as JSON. A JUDGE_ERROR is unscored:
Inspect leaves it out of the metrics.
"""

from __future__ import annotations

import asyncio
from typing import Any

from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from microcoder_eval.integrations.grading import Rewarder


@scorer(metrics=[mean(), stderr()])
def code_scorer(
    grader: str | None = None, shape: str = "binary", column: str = "problem", language: str = "python"
) -> Scorer:
    """Grades the completion of a sample. column: the key of its metadata that holds the problem."""
    rewarder = Rewarder(grader, shape=shape, language=language)

    async def score(state: TaskState, target: Target) -> Score:
        truth: Any = (state.metadata or {}).get(column) or target.text
        grade = await asyncio.wrap_future(rewarder.submit(truth, state.output.completion))
        reward = rewarder.reward(grade)
        metadata = {"verdict": grade.verdict.value, "passed": grade.passed, "total": grade.total}
        if reward is None:
            return Score.unscored(reason="scoring_failed", explanation=grade.detail, metadata=metadata)
        value = (CORRECT if reward == 1 else INCORRECT) if shape == "binary" else reward
        return Score(value=value, answer=grade.code, explanation=grade.detail or grade.verdict.value, metadata=metadata)

    return score
