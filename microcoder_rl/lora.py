"""LoRA through peft: only a low-rank addition to the linear layers is trained.

The adapter is injected into the model in place, so the rest of the trainer sees an ordinary model. Engines and
checkpoints get merged weights. The reference of a KL term is the model with the adapter switched off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from microcoder_eval import InputError
from microcoder_eval.errors import first_line
from microcoder_eval.install_line import install_line
from microcoder_rl import distributed
from microcoder_rl.model.divided import gathered
from microcoder_rl.recipe.config import LoraConfig

ADAPTER = "default"


def attach(model: Any, config: LoraConfig) -> None:
    """Inject a new adapter, whose output is still 0, and freeze all other weights."""
    try:
        import peft
    except ImportError:
        raise InputError(f"model.lora needs peft: {install_line('lora')}") from None
    settings = peft.LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=config.dropout,
        target_modules=list(config.target) or "all-linear",
        task_type="CAUSAL_LM",
        base_model_name_or_path=model.name_or_path,
    )
    try:
        peft.inject_adapter_in_model(settings, model, ADAPTER)
    except ValueError as error:
        raise InputError(f"model.lora: {first_line(error)}") from None
    model.adapter_settings = settings


def has_adapter(model: Any) -> bool:
    """Whether `attach` was called on this model."""
    return hasattr(model, "adapter_settings")


def plain_weights(model: Any) -> Iterator[tuple[str, Tensor]]:
    """Every weight, merged with the adapter, under the name that it has in a model without one."""
    layers = {name: layer for name, layer in model.named_modules() if hasattr(layer, "base_layer")}
    for name, weight in model.state_dict().items():
        owner, wrapped, kind = name.rpartition(".base_layer.")
        if not wrapped:
            if ".lora_" not in name:
                yield name, weight
            continue
        if kind == "weight":
            weight = weight.float() + layers[owner].get_delta_weight(ADAPTER).detach().float()
        yield f"{owner}.{kind}", weight


def save_adapter(model: Any, folder: Path) -> None:
    """Write the adapter alone, in peft's format. Collective: every rank has to call it."""
    from safetensors.torch import save_file

    added = [(name, weight) for name, weight in model.state_dict().items() if ".lora_" in name]
    weights = {
        f"base_model.model.{name.replace(f'.{ADAPTER}.', '.')}": weight.cpu().contiguous()
        for name, weight in gathered(added)
    }
    if distributed.rank() == 0:
        folder.mkdir()
        save_file(weights, folder / "adapter_model.safetensors", metadata={"format": "pt"})
        model.adapter_settings.save_pretrained(folder)


class BasePolicy:
    """The policy without its adapter: the reference model of a KL term."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy

    @torch.no_grad()
    def logprobs(self, rollouts: Any, layout: str) -> tuple[Tensor, Tensor]:
        """As `Policy.logprobs`, with the adapter switched off."""
        self._switch(False)
        try:
            found: tuple[Tensor, Tensor] = self.policy.logprobs(rollouts, layout)
        finally:
            self._switch(True)
        return found

    def _switch(self, on: bool) -> None:
        for layer in self.policy.model.modules():
            if hasattr(layer, "base_layer"):
                layer.enable_adapters(on)
