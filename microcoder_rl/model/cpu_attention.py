"""Attention on a CPU for models that transformers runs with "sdpa": the same values in less time.

    use_cpu_attention(model)

Keys and values are not repeated for grouped queries. In bf16, whose CPU kernel has a slow backward pass, scores are
computed by matrix products and kept for the backward pass while they are few; long sequences use the kernel.
"""

from __future__ import annotations

import gc
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

collects = gc.isenabled()
gc.disable()  # what these import stays, and looking for garbage among it is a fifth of the time
from transformers import AttentionInterface, AttentionMaskInterface  # noqa: E402
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS  # noqa: E402

if collects:
    gc.enable()

NAME = "microcoder_cpu"
FAMILIES = ("llama", "qwen2", "qwen3")
"""Models whose attention has nothing but a mask and a scale: no caps on scores, no sinks."""
MOST_SCORES = 1 << 22
"""Scores of a layer that are kept for its backward pass: 8 MB in bf16."""


def use_cpu_attention(model: Any) -> None:
    """Give a model on a CPU this attention in place of transformers' "sdpa"."""
    config = model.config
    if config.model_type in FAMILIES and config._attn_implementation == "sdpa":
        AttentionInterface.register(NAME, attend)
        AttentionMaskInterface.register(NAME, ALL_MASK_ATTENTION_FUNCTIONS["sdpa"])
        model.set_attn_implementation(NAME)


def attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    scaling: float | None = None,
    dropout: float = 0.0,
    is_causal: bool | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """The attention of query [B, heads, L, D] to key and value [B, KV, S, D]. Returns [B, L, heads, D].

    `attention_mask` [B, 1, L, S] is true where a query sees a key; None is causal attention.
    """
    length = query.shape[2]
    causal = length > 1 and attention_mask is None and (module.is_causal if is_causal is None else is_causal)
    scores = query.shape[0] * query.shape[1] * length * key.shape[2]
    if query.dtype == torch.bfloat16 and attention_mask is not None and not dropout and scores <= MOST_SCORES:
        mixed = _products(query, key, value, attention_mask, query.shape[-1] ** -0.5 if scaling is None else scaling)
    else:
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=attention_mask, dropout_p=dropout, scale=scaling, is_causal=causal,
            enable_gqa=key.shape[1] != query.shape[1],
        )  # fmt: skip
    return mixed.transpose(1, 2).contiguous(), None


def _products(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, scaling: float) -> Tensor:
    batch, heads, length, size = query.shape
    grouped = query.reshape(batch, key.shape[1], -1, size)  # [B, KV, Q / KV * L, D]
    scores = torch.matmul(grouped, key.transpose(-1, -2)).view(batch, heads, length, -1)
    shares = (scores.float() * scaling).masked_fill(~mask, float("-inf")).softmax(-1).to(query.dtype)
    return torch.matmul(shares.view(*grouped.shape[:-1], -1), value).view(batch, heads, length, -1)
