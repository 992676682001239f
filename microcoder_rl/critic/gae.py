"""Generalised advantage estimation, whitening over tokens, and the clipped value loss. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def gae(rewards: Sequence[float], values: Sequence[float], gamma: float, lam: float) -> tuple[list[float], list[float]]:
    """Advantages and returns of one reply's tokens. The value after the last token is 0.

    >>> gae([0.0, 1.0], [0.5, 0.5], gamma=1.0, lam=1.0)
    ([0.5, 0.5], [1.0, 1.0])
    """
    advantages = [0.0] * len(values)
    following, running = 0.0, 0.0
    for place in reversed(range(len(values))):
        running = rewards[place] + gamma * following - values[place] + gamma * lam * running
        advantages[place], following = running, values[place]
    return advantages, [advantage + value for advantage, value in zip(advantages, values, strict=True)]


def whitened(values: Tensor) -> Tensor:
    """Values [N] with mean 0 and variance 1 (ddof 1, 1e-8 added), as verl whitens. One value alone stays as it is.
    Equal values become exactly 0: Adam would make a whole step of their mean's rounding error.

    >>> whitened(torch.tensor([1.0, 3.0]))
    tensor([-0.7071,  0.7071])
    """
    if len(values) < 2:
        return values
    if bool((values == values[0]).all()):
        return torch.zeros_like(values)
    return (values - values.mean()) * torch.rsqrt(values.var() + 1e-8)


def value_loss(values: Tensor, old_values: Tensor, returns: Tensor, weights: Tensor, clip: float) -> Tensor:
    """sum_n w_n / 2 * max((V_n - R_n)^2, (V'_n - R_n)^2), where V' is V cut to at most `clip` from its old value.

    >>> one = torch.ones(1)
    >>> value_loss(one * 3, one, one * 3, one, clip=0.5)
    tensor(1.1250)
    """
    cut = torch.maximum(torch.minimum(values, old_values + clip), old_values - clip)
    return (weights * torch.maximum((values - returns).square(), (cut - returns).square())).sum() / 2
