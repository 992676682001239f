"""rLLM: an evaluator for its agent flows (0.3), and a reward function `f(task_info, action) -> RewardOutput` (0.2).

    AgentTrainer(agent_flow=..., evaluator=CodeEvaluator(shape="fraction"), ...)
    rllm eval DATASET --evaluator microcoder_eval.integrations.rllm:CodeEvaluator
    SingleTurnEnvironment(task=..., reward_fn=code_reward)

The task has `problem` (or `ground_truth`, `tests`) in any form that `ground_truth` reads. A JUDGE_ERROR raises.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from rllm.rewards.reward_types import RewardOutput

from microcoder_eval.errors import InputError
from microcoder_eval.integrations.grading import Rewarder, reply_text
from microcoder_eval.verdict import Grade

COLUMNS = ("problem", "ground_truth", "tests")


class CodeEvaluator:
    """Grades the answer of an episode."""

    def __init__(self, **settings: Any) -> None:
        """settings: those of `Rewarder`."""
        self._rewarder = Rewarder(**settings)

    def evaluate(self, task: Any, episode: Any) -> Any:
        """The `EvalOutput` of an episode. Its metadata holds numbers only, because rLLM makes metrics of them."""
        from rllm.eval.reward_fns._helpers import extract_answer_text
        from rllm.eval.types import EvalOutput, Signal

        record = task if isinstance(task, Mapping) else task.metadata
        grade = _submit(self._rewarder, record, extract_answer_text(episode)).result()
        return EvalOutput(
            reward=self._rewarder.reward_or_raise(grade),
            is_correct=grade.accepted,
            signals=[Signal(name="accuracy", value=float(grade.accepted))],
            metadata={"passed": grade.passed, "total": grade.total},
        )


def code_reward(task_info: Mapping[str, Any], action: Any, *, shape: str = "binary") -> RewardOutput:
    """The reward of one reply."""
    rewarder = _rewarder(shape)
    grade = _submit(rewarder, task_info, reply_text(getattr(action, "action", action))).result()
    return RewardOutput(
        reward=rewarder.reward_or_raise(grade),
        is_correct=grade.accepted,
        metadata={"verdict": grade.verdict.value, "passed": grade.passed, "total": grade.total},
    )


def _submit(rewarder: Rewarder, task: Mapping[str, Any] | None, reply: str) -> Future[Grade]:
    truth = next((task[name] for name in COLUMNS if task.get(name) is not None), None) if task else None
    if truth is None:
        raise InputError(f"the task has none of {', '.join(COLUMNS)}")
    return rewarder.submit(truth, reply)


@functools.lru_cache(maxsize=8)
def _rewarder(shape: str) -> Rewarder:
    return Rewarder(shape=shape)
