"""OpenRLHF's remote reward: lists of queries, prompts and labels, answered with a list of rewards.

    --reward.remote_url http://127.0.0.1:8080/openrlhf

A query is the prompt and the reply together; the prompt is removed. A label is the id of a loaded problem, or a ground
truth as JSON. If one of the gradings fails, the whole request fails, and OpenRLHF retries it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.extract.after_prompt import after_prompt
from microcoder_eval.record_schema import LIST
from microcoder_eval.service.call import Call, CallRequest, Service
from microcoder_eval.service.dialects.rewarding import reward_for
from microcoder_eval.service.side_by_side import all_of


async def remote_reward(service: Service, request: CallRequest) -> dict[str, Any]:
    queries, labels = request.field("query", LIST), request.field("labels", LIST)
    prompts = request.field("prompts", LIST, [""] * len(queries))
    if not len(queries) == len(prompts) == len(labels):
        raise InputError(f"{len(queries)} queries, {len(prompts)} prompts and {len(labels)} labels")
    if len(queries) > service.limits.batch:
        raise InputError(f"query: at most {service.limits.batch} at a time")
    replies = [reply_of(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
    pairs = zip(labels, replies, strict=True)
    found = await all_of(request, [partial(reward_for, service, request, label, reply) for label, reply in pairs])
    rewards = [reward for reward, _ in found]
    logs = {"accepted": [float(grade.accepted) for _, grade in found], "passed": [grade.score for _, grade in found]}
    return {"rewards": rewards, "scores": rewards, "extra_logs": logs}


def reply_of(query: Any, prompt: Any) -> str:
    """The model's reply: the query without the prompt."""
    if not isinstance(query, str) or not isinstance(prompt, str):
        raise InputError("query and prompts are lists of texts")
    return after_prompt(query, prompt)


CALLS = [Call("POST", "/openrlhf", remote_reward)]
