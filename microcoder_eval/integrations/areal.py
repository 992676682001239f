"""AReaL: a reward function for its workflows, which call it in a pool of processes.

    reward_fn = "microcoder_eval.integrations.areal.code_reward"

The data set has a column `problem` (or `ground_truth`, `input_output`). AReaL waits 15 s for a reward by default and
then counts 0: set `timeout_seconds` above the sum of the tests' limits. A JUDGE_ERROR raises, and AReaL calls three
times more.
"""

from __future__ import annotations

import functools
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.integrations.grading import Rewarder, reply_text

COLUMNS = ("problem", "ground_truth", "input_output")


def code_reward(
    prompt: Any,
    completions: Any,
    prompt_ids: Any = None,
    completion_ids: Any = None,
    *,
    shape: str = "binary",
    cut_off: float | None = None,
    **columns: Any,
) -> float:
    """The reward of one completion."""
    truth = next((columns[name] for name in COLUMNS if columns.get(name) is not None), None)
    if truth is None:
        raise InputError(f"the data set has none of the columns {', '.join(COLUMNS)}")
    rewarder = _rewarder(shape, cut_off)
    return rewarder.reward_or_raise(rewarder.submit(truth, reply_text(completions)).result())


@functools.lru_cache(maxsize=16)
def _rewarder(shape: str, cut_off: float | None) -> Rewarder:
    return Rewarder(shape=shape, cut_off=cut_off)
