"""Sets the values, returns and advantages of a step's tokens before the first update; the critic's loss."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from microcoder_rl import distributed
from microcoder_rl.critic.gae import gae, value_loss
from microcoder_rl.policy import Policy, micro_batches
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Rollout


@torch.no_grad()
def assign_values(rollouts: Sequence[Rollout], policy: Policy, config: Config) -> None:
    """Set `values`, `returns` and `token_advantages` of the judged replies. Every rank computes a share of them."""
    judged = [rollout for rollout in rollouts if rollout.reward is not None]
    places = {id(rollout): place for place, rollout in enumerate(judged)}
    found: dict[int, list[float]] = {}
    for micro in micro_batches(judged, config.batch.micro_tokens, config.batch.layout):
        _, _, values = policy.evaluate(micro, config.batch.layout)
        for rollout, piece in zip(micro, values.split([rollout.length for rollout in micro]), strict=True):
            found[places[id(rollout)]] = piece.tolist()
    for share in distributed.gather(found):
        for place, own in share.items():
            rollout = judged[place]
            rollout.values = own
            advantages, rollout.returns = gae(
                token_rewards(rollout, config), own, config.advantage.gamma, config.advantage.lam
            )
            rollout.token_advantages = [0.0] * len(advantages) if rollout.mask else advantages


def token_rewards(rollout: Rollout, config: Config) -> list[float]:
    """The reward of each sampled token: the reply's at its last token, and with reward.turns discounted each turn's at
    the turn's last token. All others get 0."""
    rewards = [0.0] * rollout.length
    if config.reward.turns == "discounted":
        place = -1
        for turn, (begin, end) in zip(rollout.earlier, rollout.spans, strict=False):
            place += end - begin
            rewards[place] = turn.reward
    assert rollout.reward is not None
    rewards[-1] += rollout.reward + rollout.penalty
    return rewards


def critic_loss(values: Tensor, rollouts: Sequence[Rollout], weights: Tensor, config: Config) -> Tensor:
    """The critic's share of the loss of a micro-batch. `values` and `weights` are [N]."""
    old, returns = (
        torch.tensor([value for rollout in rollouts for value in getattr(rollout, name)], device=values.device)
        for name in ("values", "returns")
    )
    return config.loss.value_weight * value_loss(values, old, returns, weights, config.loss.value_clip)
