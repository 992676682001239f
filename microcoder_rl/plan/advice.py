"""Finds changes of a recipe with which a job fits: tries one change after the other, the cheapest first."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

from microcoder_rl.plan.job import Job
from microcoder_rl.plan.plan import Plan, engine_room, make_plan

GPU_COUNTS = (2, 4, 8, 16, 32)
LEAST_REPLY = 256
"""Tokens for a program of a few lines and the text around it. Advice never shortens replies below this."""
MEMORY_SHARES = (0.5, 0.6, 0.7)


class Setting(NamedTuple):
    """A value for a key of the recipe."""

    section: str
    key: str
    value: Any


@dataclasses.dataclass(frozen=True)
class Change:
    """Keys of the recipe to set together, or another number of GPUs. As text: as written on the command line.

    >>> str(Change((Setting("vllm", "sleep", True),))), str(Change(gpus=4))
    ('vllm.sleep=true', '--gpus 4')
    """

    settings: tuple[Setting, ...] = ()
    gpus: int | None = None

    def __str__(self) -> str:
        if self.gpus:
            return f"--gpus {self.gpus}"
        return " ".join(f"{section}.{key}={str(value).lower()}" for section, key, value in self.settings)

    @property
    def what(self) -> tuple[str, ...]:
        """What is changed: a later change of the same thing replaces this one."""
        return self.settings[0][:2] if self.settings else ("gpus",)

    def apply(self, job: Job) -> Job:
        sections: dict[str, Any] = {}
        for section, key, value in self.settings:
            before = sections.get(section, getattr(job.config, section))
            sections[section] = dataclasses.replace(before, **{key: value})
        config = dataclasses.replace(job.config, **sections)  # checked once, with all sections in place
        return dataclasses.replace(job, config=config, gpus=self.gpus or job.gpus)


@dataclasses.dataclass(frozen=True)
class Advice:
    """Changes to make together, and the plan with them."""

    changes: list[Change]
    plan: Plan

    def __str__(self) -> str:
        return " ".join(map(str, self.changes))


def advise(plan: Plan) -> Advice | None:
    """The changes with which the job fits, without unnecessary ones; or the best found. None if it already fits."""
    if not plan.problems:
        return None
    taken: dict[tuple[str, ...], Change] = {}
    best = plan
    for change in _candidates(plan.job):
        tried = _with(plan, {**taken, change.what: change})
        if _badness(tried) < _badness(best):
            taken[change.what], best = change, tried
        if not best.problems:
            break
    for what in list(taken):  # a later change may have made an earlier one unnecessary
        fewer = {other: change for other, change in taken.items() if other != what}
        tried = _with(plan, fewer)
        if _badness(tried) <= _badness(best) or not tried.problems:
            taken, best = fewer, tried
    return Advice([*taken.values()], best) if taken else None


def _with(plan: Plan, changes: dict[tuple[str, ...], Change]) -> Plan:
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
            yield _set(("model", "dtype", "bfloat16"))
        if config.rollout.engine == "torch":
            yield _set(("rollout", "engine", "vllm"))
        yield _set(("vllm", "sleep", True))
        room = engine_room(job)
        if room is not None and room < 1:
            yield from (_set(("vllm", "memory_share", s)) for s in MEMORY_SHARES if s > config.vllm.memory_share)
    if not config.model.gradient_checkpointing:
        layout = [("batch", "layout", "padded")] if config.batch.layout == "shared" else []
        yield _set(("model", "gradient_checkpointing", True), *layout)
    whole, tokens = job.longest_prompt + job.trained_reply, config.batch.micro_tokens
    while tokens > whole:
        tokens = max(whole, tokens // 2)
        yield _set(("batch", "micro_tokens", tokens))
    rows = config.rollout.rows
    while rows > 16:
        rows = max(16, rows // 2)
        yield _set(("rollout", "rows", rows))
    yield from _shorter_replies(job)
    if on_gpu:
        for gpus in GPU_COUNTS:
            if gpus > job.gpus:
                yield Change(gpus=gpus)


def _shorter_replies(job: Job) -> Iterator[Change]:
    """Halved limits, while replies stay long enough for a program. Stages of a limit are left to the user."""
    config, room = job.config, job.shape.context - job.longest_prompt
    if config.rollout.max_tokens_stages:
        return
    limit = config.rollout.max_tokens
    if room > 0 and limit > room:
        limit = 1 << (room.bit_length() - 1)
        yield _set(("rollout", "max_tokens", limit))
    while limit > LEAST_REPLY:
        limit = max(LEAST_REPLY, limit // 2)
        yield _set(("rollout", "max_tokens", limit))


def _set(*settings: tuple[str, str, Any]) -> Change:
    return Change(tuple(Setting(*setting) for setting in settings))
