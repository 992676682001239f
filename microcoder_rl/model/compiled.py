"""Compiles what the layers of a model compute in an update.

    compile_layers(policy.backbone)         # `model.compile` of a recipe

All layers share one compiled layer. Compiling the whole model instead would take longer with every layer.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


def compile_layers(backbone: nn.Module) -> None:
    """Compile the layers' forward passes in training. Decoding (`eval`) and passes with a cache are not compiled: with
    a cache each layer would need its own compilation."""
    for layer in next(module for module in backbone.modules() if isinstance(module, nn.ModuleList)):
        eager, compiled = layer.forward, torch.compile(layer.forward, dynamic=True)

        def forward(*states: Any, eager: Any = eager, compiled: Any = compiled, layer: Any = layer, **more: Any) -> Any:
            plain = not layer.training or more.get("past_key_values") is not None
            return (eager if plain else compiled)(*states, **more)

        layer.forward = forward
