"""The policy loss: ratio, clipping, KL, and how tokens are averaged. Pure functions, no model.

Tokens are flat: the N response tokens of a micro-batch, where `sequence[n]` is the reply that token n belongs to.
Averaging is a weight per token, computed once over the whole mini-batch (`token_weights`). So the loss does not
depend on how the mini-batch is cut into micro-batches, and padding never enters it.

There are four kinds of log-probs of a token: the policy's own (with gradient); the sampled ones, which the engine
recorded; the "old" ones (pi_old, the denominator of the ratio), which the trainer takes from the sampled or from
recomputed ones; and those of the reference model, for the KL term only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

LARGEST_LOG_RATIO = 20.0
"""Log-ratios are cut at +-20 before `exp`, whose overflow would make even a clipped token's gradient NaN."""


@dataclass(frozen=True)
class LossParts:
    """The loss to differentiate, and per-token values for the metrics (detached)."""

    loss: Tensor
    """Scalar: the micro-batch's share of the mini-batch's loss."""
    ratio: Tensor
    """[N] pi / pi_old. The same for all tokens of a reply when the ratio is per sequence."""
    clipped: Tensor
    """[N] bool: the ratio of this token was clipped."""
    kl: Tensor
    """[N] the KL estimate against the reference. Zeros without a reference."""


def token_weights(lengths: Tensor, aggregation: str, *, max_tokens: int = 0, counted: Tensor | None = None) -> Tensor:
    """The weight of each token of each reply [B], computed over a whole mini-batch.

    `token_mean` 1 / all tokens (DAPO); `sequence_mean` 1 / (replies * own length) (GRPO, GSPO); `constant`
    1 / (replies * max_tokens) (Dr.GRPO). Replies with `counted` [B] false are left out of the denominators.

    >>> token_weights(torch.tensor([1, 3]), "token_mean"), token_weights(torch.tensor([1, 4]), "sequence_mean")
    (tensor([0.2500, 0.2500]), tensor([0.5000, 0.1250]))
    """
    counted = torch.ones_like(lengths, dtype=torch.bool) if counted is None else counted
    lengths = lengths.float()
    replies = counted.sum().clamp(min=1)
    if aggregation == "token_mean":
        return (1.0 / lengths[counted].sum().clamp(min=1.0)).expand_as(lengths)
    if aggregation == "sequence_mean":
        return 1.0 / (replies * lengths.clamp(min=1.0))
    if aggregation == "constant":
        return torch.full_like(lengths, 1.0 / (replies.item() * max_tokens))
    raise ValueError(f"unknown aggregation {aggregation!r}")


def policy_loss(
    logprobs: Tensor,
    old_logprobs: Tensor,
    advantages: Tensor,
    weights: Tensor,
    sequence: Tensor,
    *,
    clip_low: float = 0.2,
    clip_high: float = 0.28,
    ratio: str = "token",
    policy: str = "clip",
    dual_clip: float | None = None,
    kl_weight: float = 0.0,
    kl_estimator: str = "k3",
    reference_logprobs: Tensor | None = None,
    importance: Tensor | None = None,
) -> LossParts:
    """sum_n w_n * -min(rho_n * A_n, clip(rho_n, 1 - clip_low, 1 + clip_high) * A_n) + kl_weight * KL_n.

    All arguments are [N]. `ratio="sequence"` gives each token the geometric mean of its reply's ratios as value, and
    its own gradient (GSPO-token; GSPO where a reply has one advantage). `policy` is "clip" as above; "cispo":
    -sg(min(rho_n, 1 + clip_high)) * A_n * log pi_n; or "gppo": as "clip", but a clipped token has the gradient of its
    bound times log pi_n. `dual_clip` limits the loss of a negative advantage to `dual_clip * -A` (None: off).
    `importance` multiplies a token's policy term, to correct for a sampler that differs from the trainer.

    >>> one = torch.ones(1)
    >>> policy_loss(one * 0.5, one * 0.0, one, one, torch.zeros(1, dtype=torch.long)).loss
    tensor(-1.2800)
    """
    log_ratio = logprobs - old_logprobs
    if ratio == "sequence":
        means = sequence_means(log_ratio.detach(), sequence)[sequence]
        log_ratio = means + (logprobs - logprobs.detach())
    rho = _ratio(log_ratio)
    if policy == "cispo":
        losses = -rho.detach().clamp(max=1 + clip_high) * advantages * logprobs
        clipped = rho > 1 + clip_high
    else:
        bound = rho.clamp(1 - clip_low, 1 + clip_high)
        if policy == "gppo":
            bound = bound.detach() * (rho / rho.detach())
        free, bounded = -rho * advantages, -bound * advantages
        losses = torch.maximum(free, bounded)
        clipped = bounded > free
    if dual_clip is not None:
        limit = -advantages * dual_clip
        over = (advantages < 0) & (losses > limit)
        losses = torch.where(over, limit, losses)
        clipped = clipped | over
    if importance is not None:
        losses = losses * importance
    kl = torch.zeros_like(logprobs)
    if reference_logprobs is not None:
        kl = kl_estimate(logprobs, reference_logprobs, kl_estimator)
        losses = losses + kl_weight * kl
    return LossParts((weights * losses).sum(), rho.detach(), clipped, kl.detach())


def kl_estimate(logprobs: Tensor, reference_logprobs: Tensor, kind: str = "k3") -> Tensor:
    """An estimate of KL(pi || reference) per token: k1 the log-ratio, k2 half its square, k3 unbiased and never < 0.

    >>> kl_estimate(torch.tensor([-1.0]), torch.tensor([-1.0]))
    tensor([0.])
    """
    log_ratio = logprobs - reference_logprobs
    return {"k1": log_ratio, "k2": log_ratio.square() / 2, "k3": _ratio(-log_ratio) + log_ratio - 1}[kind]


def mismatch_weights(old_logprobs: Tensor, sampled_logprobs: Tensor, sequence: Tensor, kind: str, cap: float) -> Tensor:
    """The importance weight pi_old / sampler of each token [N], for a sampler whose log-probs differ from pi_old.

    "token": the token's own ratio, at most `cap`. "sequence": the product of its reply's ratios, at most `cap`.
    "sequence_mask": 1 for the tokens of a reply whose mean ratio (the geometric mean over its tokens) is between
    1 / cap and cap, else 0.

    >>> mismatch_weights(torch.tensor([0.0, 1.0]), torch.zeros(2), torch.tensor([0, 1]), "token", 2.0)
    tensor([1., 2.])
    """
    log_ratio = old_logprobs - sampled_logprobs
    if kind == "token":
        return _ratio(log_ratio).clamp(max=cap)
    if kind == "sequence":
        replies = int(sequence.max()) + 1 if sequence.numel() else 0
        totals = log_ratio.new_zeros(replies).index_add(0, sequence, log_ratio)
        return _ratio(totals).clamp(max=cap)[sequence]
    return (sequence_means(log_ratio, sequence).abs() <= math.log(cap)).to(log_ratio.dtype)[sequence]


def _ratio(log_ratio: Tensor) -> Tensor:
    return log_ratio.clamp(-LARGEST_LOG_RATIO, LARGEST_LOG_RATIO).exp()


def sequence_means(values: Tensor, sequence: Tensor) -> Tensor:
    """The mean of `values` [N] over each reply, [B].

    >>> sequence_means(torch.tensor([1.0, 3.0, 5.0]), torch.tensor([0, 0, 1]))
    tensor([2., 5.])
    """
    replies = int(sequence.max()) + 1 if sequence.numel() else 0
    totals = values.new_zeros(replies).index_add(0, sequence, values)
    counts = values.new_zeros(replies).index_add(0, sequence, torch.ones_like(values))
    return totals / counts.clamp(min=1.0)
