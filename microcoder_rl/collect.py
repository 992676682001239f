"""Collecting the batch of a step: prompts in training order, sampled and graded, with dynamic sampling.

A batch records the position in the stream of prompts at which it ends. With `rollout.staleness` above 0 batches come
from `asynchronous/` instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from microcoder_rl.advantages import has_signal
from microcoder_rl.curriculum.order import TaskOrder
from microcoder_rl.data import Task
from microcoder_rl.rollout import Rollout
from microcoder_rl.sampler import GradingTimes, Sampler


@dataclass
class Group:
    """A prompt and its replies."""

    task: Task
    rollouts: list[Rollout]
    greedy: float | None = None
    """The reward of the model's greedy reply (advantage.baseline greedy)."""
    why: str = ""
    """Why the curriculum chose the prompt."""

    @property
    def rewards(self) -> Tensor:
        return torch.tensor([float("nan") if r.reward is None else r.reward for r in self.rollouts])


@dataclass
class Batch:
    """The replies of one step, and how they were sampled."""

    cursor: int
    """Position in the stream of training prompts: where the batch begins, and after `collect` where it ends."""
    temperature: float
    max_tokens: int
    groups: list[Group] = field(default_factory=list)
    """The groups to train on."""
    discarded: list[Group] = field(default_factory=list)
    """Groups whose rewards are all equal, replaced by dynamic sampling."""
    times: GradingTimes = field(default_factory=GradingTimes)
    version: int = 0
    """The version of the weights that this batch trains: the number of steps taken before it."""
    curriculum: dict[str, Any] = field(default_factory=dict)
    """The state of the prompt order (`TaskOrder.snapshot`) after this batch."""
    pending: list[list[int]] = field(default_factory=list)
    """[position, problem] before the cursor whose groups were not complete yet (rollout.staleness)."""
    dropped: int = 0
    """Groups that became too old since the last batch."""

    @property
    def replies(self) -> list[Rollout]:
        """All replies that were sampled, discarded ones included."""
        return [rollout for group in (*self.groups, *self.discarded) for rollout in group.rollouts]

    @property
    def ages(self) -> list[tuple[int, int]]:
        """(steps, tokens) of each piece of a reply: the piece's length, and how many steps older than the trained
        weights the weights are that sampled it."""
        replies = [rollout for group in self.groups for rollout in group.rollouts]
        return [(self.version - version, tokens) for rollout in replies for version, tokens in rollout.versions]


def collect(batch: Batch, step: int, sampler: Sampler, order: TaskOrder, notify: Callable[[str], None]) -> Batch:
    """Fill a batch with the next prompts of an order.

    With dynamic sampling, groups whose rewards are all equal are replaced by new prompts, a limited number of times.
    """
    config = sampler.config
    rounds = config.batch.dynamic_rounds if config.batch.dynamic_sampling else 1
    for _ in range(rounds):
        missing = config.batch.prompts - len(batch.groups)
        if not missing:
            break
        choices = [order.next(step) for _ in range(missing)]
        tasks = [choice.task for choice in choices]
        seed_parts = [("sample", config.run.seed, step, each.position, each.task.problem.id) for each in choices]
        sampled, spent = sampler.sample(
            tasks, seed_parts, config.rollout.group, temperature=batch.temperature, max_tokens=batch.max_tokens
        )
        batch.times += spent
        greedy: list[float | None] = [None] * missing
        if config.advantage.baseline == "greedy":
            greedy_replies, spent = sampler.sample(tasks, seed_parts, 1, temperature=0.0, max_tokens=batch.max_tokens)
            batch.times += spent
            greedy = [rollouts[0].reward for rollouts in greedy_replies]
        for choice, rollouts, baseline in zip(choices, sampled, greedy, strict=True):
            group = Group(choice.task, rollouts, why=choice.why)
            group.greedy = baseline
            order.observe(choice.index, [rollout.accuracy for rollout in rollouts])
            useful = has_signal(group.rewards) or not config.batch.dynamic_sampling
            (batch.groups if useful else batch.discarded).append(group)
    batch.cursor, batch.curriculum = order.cursor, order.snapshot()
    if len(batch.groups) < config.batch.prompts:
        notify(
            f"step {step}: dynamic sampling found {len(batch.groups)} of {config.batch.prompts} prompts with signal in "
            f"{rounds} rounds" + ("; training on these" if batch.groups else "")
        )
    return batch
