"""NeMo Gym's `/aggregate_metrics`: statistics over the answers of `/verify`, by task and over all tasks.

They have the names of its `code_gen` server: mean/max/min/median/std of every number, pass@k and pass@1[avg-of-k] in
percent. Its majority votes and token histograms are left out.
"""

from __future__ import annotations

import asyncio
import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.metrics import pass_at_k
from microcoder_eval.record_schema import LIST, is_number, shown
from microcoder_eval.service.call import Call, CallRequest, Service

TASK, ROLLOUT = "_ng_task_index", "_ng_rollout_index"
MOST_RESPONSES = 100_000
MOST_K = 64


async def aggregate_metrics(service: Service, request: CallRequest) -> dict[str, Any]:
    responses = request.field("verify_responses", LIST)
    if len(responses) > MOST_RESPONSES:
        raise InputError(f"verify_responses: at most {MOST_RESPONSES}, not {len(responses)}")
    tasks: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for response in responses:
        if not isinstance(response, dict) or not is_number(response.get("reward")):
            raise InputError(f"verify_responses: objects with a reward expected, found {shown(response)}")
        task = response.get(TASK, 0)
        if type(task) is not int:
            raise InputError(f"verify_responses: {TASK}: a whole number expected, found {shown(task)}")
        tasks[task].append(response)
    return await asyncio.to_thread(aggregated, dict(sorted(tasks.items())))


def aggregated(tasks: Mapping[int, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """The three parts of the answer.

    >>> aggregated({0: [{"reward": 1.0}, {"reward": 0.0}]})["key_metrics"]
    {'pass@1[avg-of-2]/accuracy': 50.0, 'pass@2/accuracy': 100.0}
    """
    if not tasks:
        return {"group_level_metrics": [], "agent_metrics": {}, "key_metrics": {}}
    groups = [
        {**statistics_of(rollouts), TASK: task, "num_rollouts": len(rollouts)} for task, rollouts in tasks.items()
    ]
    outcomes = [[rollout["reward"] > 0 for rollout in rollouts] for rollouts in tasks.values()]
    most = min(MOST_K, max(map(len, outcomes)))
    passed: dict[str, float] = {}
    for k in range(1, most + 1):
        scores = [pass_at_k(len(right), sum(right), k) for right in outcomes if len(right) >= k]
        passed[f"pass@{k}/accuracy"] = 100 * math.fsum(scores) / len(scores)
        shares = [sum(right[:k]) / len(right[:k]) for right in outcomes]
        passed[f"pass@1[avg-of-{k}]/accuracy"] = 100 * math.fsum(shares) / len(shares)
    everything = statistics_of([rollout for rollouts in tasks.values() for rollout in rollouts])
    keys = (f"pass@1[avg-of-{most}]/accuracy", f"pass@{most}/accuracy")
    return {
        "group_level_metrics": groups,
        "agent_metrics": {**everything, **passed},
        "key_metrics": {key: passed[key] for key in keys},
    }


def statistics_of(rollouts: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """mean, max, min, median and standard deviation of each field, over its values that are numbers."""
    columns: dict[str, list[float]] = defaultdict(list)
    for rollout in rollouts:
        for name, value in rollout.items():
            if name not in (TASK, ROLLOUT) and (is_number(value) or isinstance(value, bool)):
                columns[name].append(float(value))
    found: dict[str, float] = {}
    for name, values in columns.items():
        found[f"mean/{name}"] = math.fsum(values) / len(values)
        found[f"max/{name}"], found[f"min/{name}"] = max(values), min(values)
        found[f"median/{name}"] = statistics.median(values)
        found[f"std/{name}"] = statistics.stdev(values) if len(values) > 1 else 0.0
    return found


CALLS = [Call("POST", "/aggregate_metrics", aggregate_metrics)]
