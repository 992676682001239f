"""Group-relative advantages: how much better a reply was than the others to the same prompt.

Pure functions over reward tensors. The truncation mask is applied to the result afterwards (`truncation.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def group_advantages(
    rewards: Tensor, *, std: str = "sample", eps: float = 1e-6, baseline: str | float = "mean"
) -> Tensor:
    """Centre the rewards of one group and divide by their standard deviation.

    `rewards` is [G]. NaN marks a reply that could not be judged: it is left out of the group's statistics and gets
    the advantage 0. A group whose rewards are all equal gets exactly 0. `std` is "sample" (ddof 1), "population"
    (ddof 0) or "none" (Dr.GRPO: only centred). `baseline` is "mean", "leave_one_out" (RLOO: the others' mean), or a
    number to subtract, whatever the deviation.

    >>> group_advantages(torch.tensor([1.0, 0.0, float("nan"), 0.0, 1.0]), std="none")
    tensor([ 0.5000, -0.5000,  0.0000, -0.5000,  0.5000])
    """
    judged = ~torch.isnan(rewards)
    known = rewards[judged]
    advantages = torch.zeros_like(rewards)
    if not isinstance(baseline, str):
        advantages[judged] = known - baseline
    elif has_signal(rewards):
        centred = known - known.mean()
        if baseline == "leave_one_out":
            centred = centred * known.numel() / (known.numel() - 1)
        if std != "none":
            centred = centred / (known.std(correction=1 if std == "sample" else 0) + eps)
        advantages[judged] = centred
    return advantages


def turn_returns(rewards: Sequence[float], discount: float) -> list[float]:
    """What each turn of a conversation is worth: its reward plus the discounted rewards of the turns after it.

    >>> turn_returns([0.0, 0.0, 1.0], 0.5)
    [0.25, 0.5, 1.0]
    """
    total, returns = 0.0, []
    for reward in reversed(rewards):
        total = reward + discount * total
        returns.append(total)
    return returns[::-1]


def has_signal(rewards: Tensor) -> bool:
    """Whether a group has a learning signal: two judged replies with different rewards.

    >>> has_signal(torch.tensor([1.0, 1.0])), has_signal(torch.tensor([1.0, 0.0]))
    (False, True)
    """
    known = rewards[~torch.isnan(rewards)]
    return bool(known.numel() > 1 and (known != known[0]).any())


def soft_overlong_penalty(lengths: Tensor, *, max_tokens: int, buffer: int, factor: float = 1.0) -> Tensor:
    """DAPO's penalty, from 0 down to -factor, on the reward of a reply that reaches the last `buffer` tokens.

    >>> soft_overlong_penalty(torch.tensor([80, 95, 100]), max_tokens=100, buffer=10)
    tensor([-0.0000, -0.5000, -1.0000])
    """
    excess = (lengths - (max_tokens - buffer)).clamp(0, buffer).float()
    return -(excess / buffer) * factor
