"""Sets the advantages, masks and token weights of a step's replies. The rules themselves are pure functions in
advantages.py, truncation.py and loss.py; this file applies them to the records."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from microcoder_rl.advantages import group_advantages, has_signal, soft_overlong_penalty, turn_returns
from microcoder_rl.collect import Group
from microcoder_rl.critic.gae import whitened
from microcoder_rl.loss import token_weights
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Rollout
from microcoder_rl.seeds import derive_seed, uniforms
from microcoder_rl.truncation import is_repeating, mask_reason


def may_have_signal(group: Group, config: Config) -> bool:
    """Whether a reply may get an advantage other than 0: equal rewards give 0 only where nothing else counts."""
    rule = config.advantage
    only_within = rule.baseline in ("mean", "leave_one_out") and not rule.whiten and not rule.overlong_buffer
    return has_signal(group.rewards) or not only_within or config.reward.turns != "last"


def assign_advantages(group: Group, config: Config, *, step: int, max_tokens: int) -> None:
    """Set `advantage` and `mask` of each reply of a group. Masked replies still count in the group's statistics."""
    rule, truncation, rewards = config.advantage, config.truncation, group.rewards
    if buffer := rule.overlong_buffer:
        lengths = torch.tensor([len(rollout.last_reply) for rollout in group.rollouts])
        penalties = soft_overlong_penalty(lengths, max_tokens=max_tokens, buffer=buffer, factor=rule.overlong_factor)
        rewards = rewards + penalties
        for rollout, penalty in zip(group.rollouts, penalties.tolist(), strict=True):
            rollout.penalty = penalty
    turn_advantages: list[list[float]] = []
    if config.reward.turns == "discounted":  # the statistics are over all turns of the group
        returns = [
            turn_returns([*(turn.reward for turn in rollout.earlier), last], config.reward.discount)
            for rollout, last in zip(group.rollouts, rewards.tolist(), strict=True)
        ]
        flat = torch.tensor([value for each in returns for value in each])
        pieces = group_advantages(flat, std=rule.std, eps=rule.eps).split([len(each) for each in returns])
        turn_advantages = [piece.tolist() for piece in pieces]
        advantages = torch.tensor([each[-1] for each in turn_advantages])
    else:
        fixed = {"none": 0.0, "value": 0.0, "greedy": group.greedy}
        if (baseline := fixed.get(rule.baseline, rule.baseline)) is None:  # the judge failed on the greedy reply
            baseline, rewards = 0.0, torch.full_like(rewards, float("nan"))
        advantages = group_advantages(rewards, std=rule.std, eps=rule.eps, baseline=baseline)
    for index, (rollout, advantage) in enumerate(zip(group.rollouts, advantages.tolist(), strict=True)):
        assert rollout.grade is not None
        rollout.mask = None
        if rollout.truncated and rollout.reward is not None and truncation.share > 0:
            seed = derive_seed("mask", config.run.seed, step, group.task.problem.id, rollout.sample)
            rollout.mask = mask_reason(
                truncated=True,
                correct=rollout.grade.accepted,
                complete=rollout.grade.complete,
                repeating=is_repeating(rollout.last_reply, window=truncation.window, kind=truncation.repeat),
                draw=float(uniforms(seed, 1)[0]),
                share=truncation.share,
                qualify=truncation.qualify,
            )
        rollout.advantage, rollout.token_advantages = 0.0 if rollout.mask else advantage, None
        if config.reward.turns == "discounted" and rollout.earlier and not rollout.mask:
            spans = zip(rollout.spans, turn_advantages[index], strict=True)
            rollout.token_advantages = [value for (begin, end), value in spans for _ in range(begin, end)]


def whiten_advantages(rollouts: Sequence[Rollout]) -> None:
    """Give the advantages of a step's tokens mean 0 and variance 1, over all tokens that are judged and not masked."""
    counted = [rollout for rollout in rollouts if rollout.reward is not None and rollout.mask is None]
    each = [rollout.token_advantages or [rollout.advantage] * rollout.length for rollout in counted]
    values = whitened(torch.tensor([value for own in each for value in own]))
    for rollout, own in zip(counted, values.split([len(own) for own in each]), strict=True):
        rollout.token_advantages, rollout.advantage = own.tolist(), float(own[-1])


def assign_token_weights(rollouts: Sequence[Rollout], config: Config, max_tokens: int) -> None:
    """Set `token_weight` of each reply of a mini-batch, from all replies of the mini-batch."""
    lengths, longest = torch.tensor([rollout.length for rollout in rollouts]), max_tokens * config.rollout.turns
    flags = {
        "all": [True for _ in rollouts],
        "unmasked": [rollout.mask is None for rollout in rollouts],
        "active": [rollout.has_signal for rollout in rollouts],
    }[config.loss.denominator]
    weights = token_weights(lengths, config.loss.aggregation, max_tokens=longest, counted=torch.tensor(flags).bool())
    for rollout, weight in zip(rollouts, weights.tolist(), strict=True):
        rollout.token_weight = weight
