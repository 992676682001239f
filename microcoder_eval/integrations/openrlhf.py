"""OpenRLHF: a reward function in a file.

    --reward.remote_url "$(python -c 'import microcoder_eval.integrations.openrlhf as m; print(m.__file__)')"

A label is a problem as JSON. Settings come from the environment: MICROCODER_GRADER, MICROCODER_SHAPE and
MICROCODER_CUT_OFF. A JUDGE_ERROR raises: OpenRLHF logs it and leaves the sample without a reward.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from microcoder_eval.extract.after_prompt import after_prompt
from microcoder_eval.integrations.grading import rewarder_from_environment


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any]) -> dict[str, Any]:
    """The rewards of replies. A query is the prompt and the reply together."""
    import torch

    rewarder = rewarder_from_environment()
    replies = [after_prompt(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
    futures = [rewarder.submit(label, reply) for label, reply in zip(labels, replies, strict=True)]
    grades = [future.result() for future in futures]
    rewards = torch.tensor([rewarder.reward_or_raise(grade) for grade in grades])
    accepted = torch.tensor([float(grade.accepted) for grade in grades])
    return {"rewards": rewards, "scores": rewards, "extra_logs": {"accepted": accepted}}
