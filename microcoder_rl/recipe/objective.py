"""The keys of what training maximises: rewards, advantages, the truncation mask and the loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microcoder_eval import InputError
from microcoder_rl.recipe.numbers import AboveOne, Count, NotNegative, Positive, Share, Whole


@dataclass(frozen=True)
class RewardConfig:
    """The reward of a reply in training. Evaluation always counts accepted replies."""

    kind: Literal["binary", "score", "outcomes", "adaptive"] = "binary"
    """"binary": 1 when accepted, else 0. "score": the share of tests passed, or of points. "outcomes" (CodeRL): does
    not compile -1, ends with an error or at a limit -0.6, fails a test -0.3, passes 1. "adaptive" (RLTF): the same, but
    -0.3 + 1.3 * the share of tests passed for a program that answers wrong. All but "binary" run all tests of every
    reply."""
    cost: NotNegative = 0.0
    """Subtracted from the reward of an accepted program: this times the largest share of the time or memory limit that
    any of its tests used."""
    repetition: NotNegative = 0.0
    """Subtracted from the reward of a reply that ends in a loop (truncation.repeat and truncation.window define a
    loop)."""
    turns: Literal["last", "discounted"] = "last"
    """Rewards of the turns of a conversation (rollout.turns). "last": all tokens have the advantage of the last turn's
    reward. "discounted": a turn's return is its own reward plus the discounted rewards of the turns after it."""
    discount: Share = 0.4
    """Discount per turn, with turns discounted. With advantage.baseline value, advantage.gamma takes its place."""


@dataclass(frozen=True)
class AdvantageConfig:
    baseline: Literal["mean", "leave_one_out", "none", "greedy", "value"] = "mean"
    """What is subtracted from a reward: the group's "mean"; "leave_one_out", the mean of the group's other replies
    (RLOO); "none"; the reward of a "greedy" reply, sampled in addition (CodeRL, ReMax); or the "value" of each token by
    a value head (PPO, with GAE). The last three go with std none."""
    whiten: bool = False
    """Give the advantages of all tokens of a step mean 0 and variance 1 (REINFORCE++, PPO)."""
    credit: Literal["all", "executed"] = "all"
    """Tokens that are trained: "all"; or "executed", without the tokens of program lines that no test executed
    (StepCoder). "executed" runs each program once more under a tracer, for Python programs of kind stdin and call
    only."""
    fine: NotNegative = 0.0
    """RLTF's fine feedback: subtracted from the advantage of the tokens of the line that does not compile or raises an
    error, or of all tokens of a program that ran out of time or stack. RLTF uses 0.3."""
    gamma: Share = 1.0
    """Discount per token, for baseline value."""
    lam: Share = 0.95
    """The lambda of GAE, for baseline value."""
    std: Literal["sample", "population", "none"] = "sample"
    """What advantages are divided by: the "sample" (ddof 1) or "population" (ddof 0) deviation, or "none" (Dr.GRPO)."""
    eps: NotNegative = 1e-6
    """Added to the standard deviation."""
    overlong_buffer: Whole = 0
    """DAPO's soft overlong penalty: the number of tokens before the limit in which it applies; 0 switches it off."""
    overlong_factor: NotNegative = 1.0
    """The largest overlong penalty."""

    def __post_init__(self) -> None:
        if self.baseline in ("none", "greedy", "value") and self.std != "none":
            raise InputError(f"advantage.baseline {self.baseline} goes with advantage.std none")


@dataclass(frozen=True)
class TruncationConfig:
    share: Share = 0.0
    """Share rho of the qualifying truncated replies that get the advantage 0. 0: no mask; 1: all of them."""
    qualify: Literal["paper", "correct", "incomplete", "all", "deepcoder"] = "paper"
    """Which truncated replies qualify: "paper" (correct, or without a complete program), "correct", "incomplete",
    "all", or "deepcoder" (all that are not correct). A program is complete when its block was closed and no words
    follow it. Replies that end in a loop never qualify."""
    repeat: Literal["exact", "periodic"] = "exact"
    """What counts as a loop: "exact" (the last window equals the one before) or "periodic" (the last two windows have
    any period up to the window's length)."""
    window: Count = 128
    """Number of tokens in a window."""


@dataclass(frozen=True)
class LossConfig:
    policy: Literal["clip", "cispo", "gppo"] = "clip"
    """"clip": the clipped surrogate of PPO. "cispo": REINFORCE weighted by the ratio, which is cut at 1 + clip_high.
    "gppo": as "clip", but clipped tokens keep a gradient, weighted by the bound at which they were clipped."""
    ratio: Literal["token", "sequence"] = "token"
    """Probability ratio per "token", or per "sequence" (GSPO's geometric mean; a token keeps its own advantage)."""
    aggregation: Literal["token_mean", "sequence_mean", "constant"] = "token_mean"
    """How tokens are averaged: "token_mean" (DAPO), "sequence_mean" (GRPO), or "constant" (Dr.GRPO: the sum divided by
    replies * L_max)."""
    denominator: Literal["all", "unmasked", "active"] = "all"
    """Replies that count in the average: "all", "unmasked" (not masked by truncation) or "active" (advantage not 0)."""
    clip_low: Share = 0.2
    """The ratio is clipped below 1 - clip_low."""
    clip_high: NotNegative = 0.28
    """The ratio is clipped above 1 + clip_high."""
    dual_clip: AboveOne | None = None
    """Limit of the loss of a negative advantage A: dual_clip * -A. None switches it off."""
    kl_weight: NotNegative = 0.0
    """Weight of the KL to the starting model, the reference. With 0 no reference is loaded."""
    kl_estimator: Literal["k1", "k2", "k3"] = "k3"
    """"k1" (the log-ratio), "k2" (half its square, whose gradient is that of the KL on average) or "k3"."""
    old_logprobs: Literal["sampled", "recomputed"] = "sampled"
    """Log-probs of pi_old in the second and later updates of a step: "sampled" (recorded by the sampler) or
    "recomputed" (by the trainer). In the first update the ratio is exactly 1, unless tokens are stale
    (rollout.staleness) and "sampled" is set."""
    correction: Literal["auto", "off", "token", "sequence", "sequence_mask"] = "auto"
    """Correction for a sampler whose log-probs differ from the trainer's. "token": each token's loss is multiplied by
    its importance weight pi_old / sampler, at most `importance_cap`. "sequence": by the product of its reply's
    weights, at most `importance_cap`. "sequence_mask": replies whose mean weight is not between 1 / importance_cap and
    importance_cap are left out. "auto": "token" when the engine is not torch, model.dtype is not float32 or
    rollout.staleness is not 0, else "off"."""
    value_weight: NotNegative = 0.1
    """Weight of the value loss (advantage.baseline value)."""
    value_clip: Positive = 0.2
    """The value loss clips a token's value to this distance from its value before the step, as in PPO."""
    importance_cap: AboveOne = 2.0
    """Upper limit of the importance weight."""

    def __post_init__(self) -> None:
        if self.policy != "clip" and self.ratio == "sequence":
            raise InputError(f"loss: policy {self.policy} goes with ratio token")
        if self.policy == "cispo" and self.dual_clip is not None:
            raise InputError("loss: policy cispo has no dual_clip")
        if self.ratio == "sequence" and self.aggregation == "constant":
            raise InputError("loss: ratio sequence goes with aggregation sequence_mean or token_mean")
