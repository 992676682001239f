"""slime: a custom reward, for one sample or a list of them.

    --custom-rm-path microcoder_eval.integrations.slime.reward

A sample's label is a problem as JSON, or its metadata has one as `problem`. MICROCODER_SHAPE and MICROCODER_CUT_OFF
choose the reward. A JUDGE_ERROR raises.
"""

from __future__ import annotations

import asyncio
from typing import Any

from microcoder_eval.integrations.grading import rewarder_from_environment


async def reward(args: Any, sample: Any, **_: Any) -> float | list[float]:
    """The reward of a sample, or the rewards of a list of samples."""
    if isinstance(sample, (list, tuple)):
        return list(await asyncio.gather(*(_reward(each) for each in sample)))
    return await _reward(sample)


async def _reward(sample: Any) -> float:
    rewarder = rewarder_from_environment()
    metadata = sample.metadata if isinstance(getattr(sample, "metadata", None), dict) else {}
    truth = metadata.get("problem", sample.label)
    truncated = getattr(getattr(sample, "status", None), "value", "") == "truncated"
    future = rewarder.submit(truth, sample.response, truncated=truncated)
    return rewarder.reward_or_raise(await asyncio.wrap_future(future))
