"""TRL: reward functions for `GRPOTrainer` and the trainers like it. Needs TRL 1.6 or newer.

    GRPOTrainer(model, reward_funcs=code_reward, train_dataset=...)
    GRPOTrainer(model, reward_funcs=CodeReward(shape="fraction", cut_off=-0.5), ...)

The data set has a column `problem` (JSON or an object); `microcoder data export --to trl` writes it. A JUDGE_ERROR
gives None, which TRL leaves out of the group.
"""

from __future__ import annotations

import asyncio
import functools
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from importlib.metadata import version
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.integrations.grading import Rewarder, reply_text
from microcoder_eval.verdict import Grade, Verdict

OLDEST = (1, 6)


Reward = functools.partial[Coroutine[Any, Any, list[float | None]]]


def CodeReward(column: str = "problem", **settings: Any) -> Reward:
    """A reward function with settings. Picklable, because asynchronous trainers pickle it.

    column: the column of the data set that holds the problems. settings: those of `Rewarder`.
    """
    _check_trl()
    # a partial: TRL 1.6 takes an object with an asynchronous `__call__` for a synchronous function
    reward = functools.partial(_rewards, column, Rewarder(**settings))
    reward.__name__ = "code_reward"  # type: ignore[attr-defined]
    return reward


async def code_reward(prompts: Any = None, completions: Sequence[Any] = (), **columns: Any) -> list[float | None]:
    """1.0 for an accepted reply, 0.0 for any other, None where the grader failed. The node's shared grader grades."""
    return await _default()(prompts, completions, **columns)


@functools.lru_cache(maxsize=1)
def _default() -> Reward:
    return CodeReward()


async def _rewards(
    column: str, rewarder: Rewarder, /, prompts: Any = None, completions: Sequence[Any] = (), **columns: Any
) -> list[float | None]:
    problems = columns.get(column)
    if problems is None:
        raise InputError(f"the data set has no column {column!r}: write it with `microcoder data export --to trl`")
    futures = [
        asyncio.wrap_future(rewarder.submit(problem, reply_text(completion)))
        for problem, completion in zip(problems, completions, strict=True)
    ]
    grades = await asyncio.gather(*futures)
    if columns.get("log_metric") is not None:
        _log(columns["log_metric"], grades)
    if columns.get("log_extra") is not None:
        columns["log_extra"]("verdict", [grade.verdict.value for grade in grades])
    return [rewarder.reward(grade) for grade in grades]


def _log(log_metric: Callable[[str, float], None], grades: Sequence[Grade]) -> None:
    """Log the share of every verdict, also of those that did not occur: TRL averages only the steps with a value."""
    counts = Counter(grade.verdict for grade in grades)
    for verdict in Verdict if grades else ():
        log_metric(f"verdict/{verdict.value.lower()}", counts[verdict] / len(grades))


def _check_trl() -> None:
    found = version("trl")
    parts = found.split(".")[:2]
    if tuple(int(part) for part in parts if part.isdigit()) < OLDEST:
        raise ImportError(
            f"TRL {found} scores a reward of None as 0, so a failure of the grader would count as a wrong answer: "
            'pip install "trl>=1.6"'
        )
