"""AdamW with fp32 masters where the model is bf16, gradient accumulation in fp32, clipping, and the learning rate.

The learning rate is a pure function of the step: there is no scheduler state to save.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from microcoder_rl.model.divided import full
from microcoder_rl.recipe.config import OptimizerConfig


def learning_rate(config: OptimizerConfig, step: int, steps: int) -> float:
    """The learning rate of a step (1-based) of a run of `steps`.

    >>> learning_rate(OptimizerConfig(lr=1.0, warmup_steps=4), step=2, steps=10)
    0.5
    """
    if step <= config.warmup_steps:
        return config.lr * step / config.warmup_steps
    progress = (step - config.warmup_steps - 1) / max(1, steps - config.warmup_steps)
    if config.schedule == "linear":
        return config.lr * (1 - progress)
    if config.schedule == "cosine":
        return config.lr * 0.5 * (1 + math.cos(math.pi * progress))
    return config.lr


class MasterAdamW:
    """AdamW over fp32 parameters: the model's own, or fp32 masters of bf16 ones, copied back after each step."""

    def __init__(self, model: nn.Module, config: OptimizerConfig) -> None:
        self.config = config
        self.parameters = {name: each for name, each in model.named_parameters() if each.requires_grad}
        self.masters: dict[str, Tensor] = dict(self.parameters)
        for name, parameter in self.parameters.items():
            if parameter.dtype != torch.float32:
                self.masters[name] = parameter.detach().float().requires_grad_()
                parameter.register_post_accumulate_grad_hook(_accumulate_into(self.masters[name]))
        decayed = [master for master in self.masters.values() if master.dim() >= 2]
        others = [master for master in self.masters.values() if master.dim() < 2]
        self.adamw = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": config.weight_decay}, {"params": others, "weight_decay": 0.0}],
            lr=config.lr,
            betas=(config.betas[0], config.betas[1]),
            eps=config.eps,
        )
        for master in self.masters.values():  # the initial state that AdamW itself would make at its first step
            moments = {"exp_avg": torch.zeros_like(master), "exp_avg_sq": torch.zeros_like(master)}
            self.adamw.state[master] = {"step": torch.tensor(0.0), **moments}

    def step(self, lr: float) -> float:
        """Clip, step and clear the gradients; returns their norm. When the norm is not finite no weight changes."""
        norm = float(full(nn.utils.clip_grad_norm_(self.masters.values(), self.config.max_grad_norm)))
        if math.isfinite(norm):
            for group in self.adamw.param_groups:
                group["lr"] = lr
            self.adamw.step()
            self.publish()
        self.adamw.zero_grad(set_to_none=True)
        return norm

    @torch.no_grad()
    def publish(self) -> None:
        """Copy the fp32 masters, rounded, into the model's parameters."""
        for name, master in self.masters.items():
            if self.parameters[name] is not master:
                self.parameters[name].copy_(master)

    def tensors(self) -> dict[str, Tensor]:
        """The state that a checkpoint saves, by name. Call `publish` after loading into these tensors."""
        found = {f"master.{name}": master.detach() for name, master in self.masters.items()}
        for name, master in self.masters.items():
            found.update({f"{kind}.{name}": value for kind, value in self.adamw.state[master].items()})
        return found


def _accumulate_into(master: Tensor) -> Any:
    def hook(parameter: Tensor) -> None:
        assert parameter.grad is not None
        if master.grad is None:
            master.grad = parameter.grad.float()
        else:
            master.grad.add_(parameter.grad)
        parameter.grad = None

    return hook
