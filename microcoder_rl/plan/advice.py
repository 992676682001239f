"""Finds changes of a recipe with which a job fits: tries one change after the other, the cheapest first."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from microcoder_rl.plan.job import Job
from microcoder_rl.plan.plan import Plan, engine_room, make_plan

GPU_COUNTS = (2, 4, 8, 16, 32)
LEAST_REPLY = 256
"""Tokens for a program of a few lines and the text around it. Advice never shortens replies below this."""
MEMORY_SHARES = (0.5, 0.6, 0.7)


@dataclasses.dataclass(frozen=True)
class Change:
    """A change as written on the command line, and its effect on a job."""

    written: str
    apply: Callable[[Job], Job]

    @property
    def key(self) -> str:
        return self.written.replace(" ", "=").split("=")[0]


@dataclasses.dataclass(frozen=True)
class Advice:
    """Changes to make together, and the plan with them."""

    changes: list[str]
    plan: Plan


def advise(plan: Plan) -> Advice | None:
    """The changes with which the job fits, without unnecessary ones; or the best found. None if it already fits."""
    if not plan.problems:
        return None
    taken: dict[str, Change] = {}
    best = plan
    for change in _candidates(plan.job):
        tried = _with(plan, {**taken, change.key: change})
        if _badness(tried) < _badness(best):
            taken[change.key], best = change, tried
        if not best.problems:
            break
    for key in list(taken):  # a later change may have made an earlier one unnecessary
        fewer = {other: change for other, change in taken.items() if other != key}
        tried = _with(plan, fewer)
        if _badness(tried) <= _badness(best) or not tried.problems:
            taken, best = fewer, tried
    return Advice([change.written for change in taken.values()], best) if taken else None


def _with(plan: Plan, changes: dict[str, Change]) -> Plan:
    job = plan.job
    for change in changes.values():
        job = change.apply(job)
    return make_plan(job)


def _badness(plan: Plan) -> tuple[int, int]:
    return len(plan.problems), plan.peak


def _candidates(job: Job) -> Iterator[Change]:
    """Changes in the order in which they are tried: free ones, those that cost time, those that cost GPUs."""
    config, on_gpu = job.config, not job.device.is_cpu
    if on_gpu:
        if job.width == 4:
            yield _keys(("model", "dtype", "bfloat16"))
        if config.rollout.engine == "torch":
            yield _keys(("rollout", "engine", "vllm"))
        yield _keys(("vllm", "sleep", True))
        room = engine_room(job)
        if room is not None and room < 1:
            yield from (_keys(("vllm", "memory_share", s)) for s in MEMORY_SHARES if s > config.vllm.memory_share)
    if not config.model.gradient_checkpointing:
        layout = [("batch", "layout", "padded")] if config.batch.layout == "shared" else []
        yield _keys(("model", "gradient_checkpointing", True), *layout)
    whole, tokens = job.longest_prompt + job.trained_reply, config.batch.micro_tokens
    while tokens > whole:
        tokens = max(whole, tokens // 2)
        yield _keys(("batch", "micro_tokens", tokens))
    rows = config.rollout.rows
    while rows > 16:
        rows = max(16, rows // 2)
        yield _keys(("rollout", "rows", rows))
    yield from _shorter_replies(job)
    if on_gpu:
        for gpus in GPU_COUNTS:
            if gpus > job.gpus:
                yield Change(f"--gpus {gpus}", partial(dataclasses.replace, gpus=gpus))


def _shorter_replies(job: Job) -> Iterator[Change]:
    """Halved limits, while replies stay long enough for a program. Stages of a limit are left to the user."""
    config, room = job.config, job.shape.context - job.longest_prompt
    if config.rollout.max_tokens_stages:
        return
    limit = config.rollout.max_tokens
    if room > 0 and limit > room:
        limit = 1 << (room.bit_length() - 1)
        yield _keys(("rollout", "max_tokens", limit))
    while limit > LEAST_REPLY:
        limit = max(LEAST_REPLY, limit // 2)
        yield _keys(("rollout", "max_tokens", limit))


def _keys(*changes: tuple[str, str, Any]) -> Change:
    def apply(job: Job) -> Job:
        sections = {}
        for section, key, value in changes:
            sections[section] = dataclasses.replace(getattr(job.config, section), **{key: value})
        return dataclasses.replace(job, config=dataclasses.replace(job.config, **sections))

    written = (f"{section}.{key}={str(value).lower()}" for section, key, value in changes)
    return Change(" ".join(written), apply)
