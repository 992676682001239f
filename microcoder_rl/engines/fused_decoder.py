"""A fast decoder for Llama, Qwen2.5 and Qwen3: static cache, fused projections, grouped queries without expansion.

It reads the weights of the transformers model that is trained and owns only fused copies and the cache. On a CPU a
row's result does not depend on other rows, bit for bit: prompts are prefilled one by one, and sums run over a row's
own positions in a fixed order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

BLOCK = 256
"""The cache begins with this many slots and doubles, so its size follows the replies and not the length limit."""
SUM_STEP, SUM_BLOCK = 32, 128
"""CPU kernels choose the order of summation by length, so sums over slots run in steps and blocks of fixed length."""


def supports(model: Any) -> bool:
    """Whether this decoder computes exactly what `model` does."""
    config = model.config
    rope = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    return (
        config.model_type in ("llama", "qwen2", "qwen3")
        and not any(getattr(config, name, False) for name in ("attention_bias", "mlp_bias"))  # not implemented here
        and set(getattr(config, "layer_types", None) or ["full_attention"]) == {"full_attention"}
        and rope.get("rope_type", "default") in ("default", "linear", "yarn", "llama3")
    )


class FusedDecoder:
    """Prefill prompts, then decode one token for every row at a time.

    >>> decoder = FusedDecoder(model)                                   # doctest: +SKIP
    >>> logits = decoder.start([prompt_ids], copies=[8], max_tokens=64)  # doctest: +SKIP
    >>> logits = decoder.step(tokens)                                  # doctest: +SKIP
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        config = model.config
        self.kv_heads = config.num_key_value_heads
        self.query_heads = config.num_attention_heads
        self.head_dim = getattr(config, "head_dim", None) or config.hidden_size // self.query_heads
        self.eps = config.rms_norm_eps
        self.layers: list[dict[str, Tensor]] = []
        self.cache = torch.empty(0)
        self.sync()

    @torch.no_grad()
    def sync(self) -> None:
        """Fuse the model's current weights."""
        self.layers = []
        for layer in self.model.model.layers:
            attention, mlp = layer.self_attn, layer.mlp
            fused = (attention.q_proj, attention.k_proj, attention.v_proj)
            weights = {
                "norm1": layer.input_layernorm.weight,
                "qkv": torch.cat([part.weight for part in fused]),
                "out": attention.o_proj.weight,
                "norm2": layer.post_attention_layernorm.weight,
                "gate_up": torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]),
                "down": mlp.down_proj.weight,
            }
            if attention.q_proj.bias is not None:
                weights["qkv_bias"] = torch.cat([part.bias for part in fused])
            if hasattr(attention, "q_norm"):
                weights["q_norm"], weights["k_norm"] = attention.q_norm.weight, attention.k_norm.weight
            self.layers.append(weights)

    @torch.no_grad()
    def start(self, prompts: Sequence[Sequence[int]], copies: Sequence[int], max_tokens: int) -> Tensor:
        """Prefill each prompt once and copy its cache to its rows. Returns the logits [R, V] of the first tokens."""
        rows, longest = sum(copies), max(len(prompt) for prompt in prompts)
        device = self.model.device
        self._prepare_rotary(longest + max_tokens)
        self._reserve(rows, longest + min(max_tokens, BLOCK) + SUM_STEP)
        self.lengths = torch.tensor(
            [len(prompt) for prompt, count in zip(prompts, copies, strict=True) for _ in range(count)], device=device
        )
        self.longest, self.limit = longest, longest + max_tokens
        hidden, row = [], 0
        for prompt, count in zip(prompts, copies, strict=True):
            ids = torch.tensor(prompt, device=device)
            last = self._prefill(ids, slice(row, row + count))
            hidden.append(last.expand(count, -1))
            row += count
        return self._logits(torch.cat(hidden))

    @torch.no_grad()
    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token to each row. Returns the logits [R, V] of the next tokens."""
        rows = len(tokens)
        slots = -(-(self.longest + 1) // SUM_STEP) * SUM_STEP
        if slots > self.cache.shape[-2]:
            self._reserve(rows, min(self.limit + SUM_STEP, 2 * slots))
        positions = self.lengths
        cos, sin = self.cos[positions, None], self.sin[positions, None]  # [R, 1, D]
        unseen = torch.arange(slots, device=tokens.device) > positions[:, None]  # [R, S]
        bias = torch.zeros(unseen.shape, device=tokens.device, dtype=self.cos.dtype)
        bias = bias.masked_fill_(unseen, float("-inf"))[:, None, None]  # [R, 1, 1, S]
        all_rows = torch.arange(rows, device=tokens.device)
        x = self.model.model.embed_tokens(tokens)  # [R, H]
        for weights, (keys, values) in zip(self.layers, self.cache, strict=True):
            q, k, v = self._project(weights, x, cos, sin)
            keys[all_rows, :, positions], values[all_rows, :, positions] = k, v
            grouped = q.view(rows, self.kv_heads, -1, self.head_dim)  # [R, KV, Q / KV, D]
            scores = torch.matmul(grouped, keys[:rows, :, :slots].transpose(-1, -2))
            shares = (scores * self.head_dim**-0.5 + bias).softmax(-1)
            mixed = _mix(shares, values[:rows, :, :slots]).view(rows, -1)
            x = self._finish_layer(weights, x, mixed)
        self.lengths = positions + 1
        self.longest += 1
        return self._logits(x)

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, in this order."""
        for layer in self.cache:
            for part in layer:
                part[: len(rows), :, : self.longest] = part[rows, :, : self.longest]
        self.lengths = self.lengths[rows]

    def _prefill(self, ids: Tensor, rows: slice) -> Tensor:
        length = len(ids)
        cos, sin = self.cos[:length, None], self.sin[:length, None]
        x = self.model.model.embed_tokens(ids)  # [P, H]
        for weights, (keys, values) in zip(self.layers, self.cache, strict=True):
            q, k, v = (part.transpose(0, 1) for part in self._project(weights, x, cos, sin))  # [heads, P, D]
            keys[rows, :, :length], values[rows, :, :length] = k, v
            mixed = functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True, enable_gqa=True)
            x = self._finish_layer(weights, x, mixed[0].transpose(0, 1).reshape(length, -1))
        return x[-1]

    def _project(self, weights: dict[str, Tensor], x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, ...]:
        h = functional.rms_norm(x, x.shape[-1:], weights["norm1"], self.eps)
        fused = functional.linear(h, weights["qkv"], weights.get("qkv_bias"))
        fused = fused.view(len(x), self.query_heads + 2 * self.kv_heads, self.head_dim)
        q, k, v = fused.split([self.query_heads, self.kv_heads, self.kv_heads], dim=1)
        if "q_norm" in weights:
            q = functional.rms_norm(q, q.shape[-1:], weights["q_norm"], self.eps)
            k = functional.rms_norm(k, k.shape[-1:], weights["k_norm"], self.eps)
        return _rotate(q, cos, sin), _rotate(k, cos, sin), v

    def _finish_layer(self, weights: dict[str, Tensor], x: Tensor, mixed: Tensor) -> Tensor:
        x = x + functional.linear(mixed, weights["out"])
        h = functional.rms_norm(x, x.shape[-1:], weights["norm2"], self.eps)
        gate, up = functional.linear(h, weights["gate_up"]).chunk(2, dim=-1)
        return x + functional.linear(functional.silu(gate) * up, weights["down"])

    def _logits(self, x: Tensor) -> Tensor:
        h = functional.rms_norm(x, x.shape[-1:], self.model.model.norm.weight, self.eps)
        logits: Tensor = self.model.lm_head(h)
        return logits

    def _prepare_rotary(self, positions: int) -> None:
        every = torch.arange(positions, device=self.model.device)[None]
        cos, sin = self.model.model.rotary_emb(self.model.model.embed_tokens.weight, every)
        self.cos, self.sin = cos[0], sin[0]  # [positions, D]

    def _reserve(self, rows: int, slots: int) -> None:
        """Enlarge the cache to rows x slots and keep its contents. Shape [layers, 2, R, KV, S, D]."""
        old = self.cache
        if old.dim() == 6 and old.shape[2] >= rows and old.shape[4] >= slots:
            return
        weight = self.layers[0]["qkv"]
        shape = (len(self.layers), 2, rows, self.kv_heads, slots, self.head_dim)
        self.cache = weight.new_zeros(shape)
        if old.dim() == 6:
            filled = (
                slice(None),
                slice(None),
                slice(min(rows, old.shape[2])),
                slice(None),
                slice(min(slots, old.shape[4])),
            )
            self.cache[filled] = old[filled]


def _mix(shares: Tensor, values: Tensor) -> Tensor:
    """shares [R, KV, Q / KV, S] times values [R, KV, S, D]. On a CPU block by block, always in the same order."""
    if shares.is_cuda:
        return torch.matmul(shares, values)
    blocks = zip(shares.split(SUM_BLOCK, dim=-1), values.split(SUM_BLOCK, dim=-2), strict=True)
    total = torch.matmul(*next(blocks))
    for share, value in blocks:
        total = total + torch.matmul(share, value)
    return total


def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin
