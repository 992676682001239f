"""A fast decoder on a CPU for Llama, Qwen2.5 and Qwen3: shared prompts, fused projections, grouped queries as they are.

It reads the weights of the transformers model that is trained and owns only fused copies and the cache. The keys and
values of a prompt are stored once, and all rows of its group read them in one matrix product; those of the replies are
stored in blocks. A row's result does not depend on other rows, bit for bit: prompts are prefilled one by one, and sums
run over a row's own positions in a fixed order. On a GPU `gpu_decoder.py` does the same with a kernel of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from microcoder_rl.engines.products import added_linear, linear, multiplied_linear, packed, silu_linear

STEP, BLOCK = 32, 128
"""CPU kernels choose the order of summation by length, so sums over slots run in steps and blocks of fixed length. A
new block of the replies' cache has STEP slots there, because bf16 kernels copy whatever is not contiguous; when there
are enough such blocks, they become one of BLOCK slots."""
PAGE = 256
"""Slots of a page of the replies' cache on a GPU."""
QUERY_STEP = 4
"""CPU kernels round differently unless the number of queries is a multiple of this."""
KINDS = ("llama", "qwen2", "qwen3")
"""Types of models, as their configs name them."""


def supports(model: Any) -> bool:
    """Whether this decoder computes exactly what `model` does."""
    config = model.config
    rope = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    return (
        config.model_type in KINDS
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
                "qkv": packed(torch.cat([part.weight for part in fused])),
                "out": packed(attention.o_proj.weight),
                "norm2": layer.post_attention_layernorm.weight,
                "gate": packed(mlp.gate_proj.weight),
                "up": packed(mlp.up_proj.weight),
                "down": packed(mlp.down_proj.weight),
            }
            if attention.q_proj.bias is not None:
                weights["qkv_bias"] = torch.cat([part.bias for part in fused])
            if hasattr(attention, "q_norm"):
                norms = [attention.q_norm.weight] * self.query_heads + [attention.k_norm.weight] * self.kv_heads
                weights["qk_norm"] = torch.stack(norms)  # [Q + KV, D]
            self.layers.append(weights)
        self.head = packed(self.model.lm_head.weight)

    @torch.no_grad()
    def start(self, prompts: Sequence[Sequence[int]], copies: Sequence[int], max_tokens: int) -> Tensor:
        """Prefill each prompt once for all its rows. Returns the logits [R, V] of the first tokens."""
        device, longest = self.model.device, max(len(prompt) for prompt in prompts)
        self._prepare_rotary(longest + max_tokens)
        counts = torch.tensor(copies, device=device)
        groups = torch.arange(len(prompts), device=device)
        owner = torch.repeat_interleave(groups, counts)  # [R]
        self.width = max(copies)  # rows of a group in the grid of queries that `_read_prompts` makes
        while self.width * self.query_heads // self.kv_heads % QUERY_STEP:
            self.width += 1
        first_rows = (counts.cumsum(0) - counts)[owner]
        self.places = owner * self.width + torch.arange(len(owner), device=device) - first_rows  # [R] in that grid
        slots = -(-longest // STEP) * STEP
        self.prompts = self._empty_cache(len(prompts), slots)
        self.blocks: list[Tensor] = []
        self.filled = 0  # slots of the replies' cache
        last = torch.stack(
            [self._prefill(torch.tensor(prompt, device=device), index) for index, prompt in enumerate(prompts)]
        )
        self.lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)[owner]
        unseen = torch.arange(slots, device=device) >= self.lengths[:, None]  # [R, P]
        bias = torch.zeros(unseen.shape, device=device, dtype=self.cos.dtype).masked_fill_(unseen, float("-inf"))
        self.bias = bias[:, None, None]  # [R, 1, 1, P]
        return self._logits(last[owner])

    @torch.no_grad()
    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token to each row. Returns the logits [R, V] of the next tokens."""
        size = sum(block.shape[-2] for block in self.blocks)
        if self.filled == size:
            if size and size % BLOCK == 0:
                self.blocks[-BLOCK // STEP :] = [torch.cat(self.blocks[-BLOCK // STEP :], dim=-2)]
            self.blocks.append(self._empty_cache(len(tokens), STEP))
            self.bias = functional.pad(self.bias, (0, STEP), value=float("-inf"))
            size += STEP
        last = self.blocks[-1]
        slot = self.filled - (size - last.shape[-2])  # in the last block
        used = -(-(slot + 1) // STEP) * STEP
        self.bias[..., self.prompts.shape[-2] + self.filled] = 0
        bias = self.bias[..., : self.bias.shape[-1] - last.shape[-2] + used]
        cos, sin = self.cos[self.lengths, None], self.sin[self.lengths, None]  # [R, 1, D]
        x = self.model.model.embed_tokens(tokens)  # [R, H]
        for index, weights in enumerate(self.layers):
            q, k, v = self._project(weights, x, cos, sin)
            last[index, 0, :, :, slot], last[index, 1, :, :, slot] = k, v
            blocks = [block[index] for block in self.blocks[:-1]] + [last[index, ..., :used, :]]
            x = self._finish_layer(weights, x, self._attend(q, self.prompts[index], blocks, bias))
        self.filled += 1
        self.lengths = self.lengths + 1
        return self._logits(x)

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, in this order."""
        for index, block in enumerate(self.blocks):  # one by one: old and new blocks never exist all at once
            self.blocks[index] = block[:, :, rows]
        self.lengths, self.bias = self.lengths[rows], self.bias[rows]
        groups, owner = torch.unique(self.places[rows] // self.width, return_inverse=True)
        self.places = owner * self.width + self.places[rows] % self.width
        self.prompts = self.prompts[:, :, groups]

    def _attend(self, q: Tensor, prompts: Tensor, blocks: Sequence[Tensor], bias: Tensor) -> Tensor:
        """One layer's attention of each row's query [R, heads, D] to its prompt and its reply."""
        rows, prompt_slots = len(q), prompts.shape[-2]
        grouped = q.reshape(rows, self.kv_heads, -1, self.head_dim)  # [R, KV, Q / KV, D]
        keys, values = prompts
        scores = [self._read_prompts(grouped, keys.transpose(-1, -2))]
        scores += [torch.matmul(grouped, block[0].transpose(-1, -2)) for block in blocks]
        logits = torch.add(bias, torch.cat(scores, dim=-1), alpha=self.head_dim**-0.5)
        shares = logits.softmax(-1)  # [R, KV, Q / KV, slots]
        of_prompts, *of_blocks = shares.split([prompt_slots, *(block.shape[-2] for block in blocks)], dim=-1)
        pieces = zip(of_prompts.split(BLOCK, dim=-1), values.split(BLOCK, dim=-2), strict=True)
        parts = [self._read_prompts(share, part) for share, part in pieces]
        parts += [torch.matmul(share, block[1]) for share, block in zip(of_blocks, blocks, strict=True)]
        mixed = parts[0]
        for part in parts[1:]:  # in a fixed order
            mixed = mixed + part
        return mixed.reshape(rows, -1)

    def _read_prompts(self, queries: Tensor, cache: Tensor) -> Tensor:
        """queries [R, KV, Q / KV, n] times each row's own prompt in `cache` [G, KV, n, m], a group in one product."""
        groups, kv_heads, _, size = cache.shape
        rows, _, heads, width = queries.shape
        grid, full = queries, rows == groups * self.width
        if not full:
            grid = queries.new_zeros(groups * self.width, kv_heads, heads, width)
            grid[self.places] = queries
        grid = grid.view(groups, self.width, kv_heads, heads, width).transpose(1, 2)
        found = torch.matmul(grid.reshape(groups, kv_heads, -1, width), cache)
        found = found.view(groups, kv_heads, self.width, heads, size).transpose(1, 2)
        found = found.reshape(-1, kv_heads, heads, size)
        return found if full else found[self.places]

    def _prefill(self, ids: Tensor, group: int) -> Tensor:
        length = len(ids)
        cos, sin = self.cos[:length, None], self.sin[:length, None]
        x = self.model.model.embed_tokens(ids)  # [P, H]
        for weights, cache in zip(self.layers, self.prompts, strict=True):
            q, k, v = (part.transpose(0, 1) for part in self._project(weights, x, cos, sin))  # [heads, P, D]
            cache[0, group, :, :length], cache[1, group, :, :length] = k, v
            mixed = functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True, enable_gqa=True)
            x = self._finish_layer(weights, x, mixed[0].transpose(0, 1).reshape(length, -1))
        return x[-1]

    def _project(self, weights: dict[str, Tensor], x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, ...]:
        h = functional.rms_norm(x, x.shape[-1:], weights["norm1"], self.eps)
        fused = linear(h, weights["qkv"], weights.get("qkv_bias"))
        fused = fused.view(len(x), self.query_heads + 2 * self.kv_heads, self.head_dim)
        qk, v = fused.split([self.query_heads + self.kv_heads, self.kv_heads], dim=1)
        if "qk_norm" in weights:
            qk = functional.rms_norm(qk, qk.shape[-1:], None, self.eps) * weights["qk_norm"]
        first, second = qk.chunk(2, dim=-1)
        qk = qk * cos + torch.cat((-second, first), dim=-1) * sin
        q, k = qk.split([self.query_heads, self.kv_heads], dim=1)
        return q, k, v

    def _finish_layer(self, weights: dict[str, Tensor], x: Tensor, mixed: Tensor) -> Tensor:
        x = added_linear(mixed, weights["out"], x)
        h = functional.rms_norm(x, x.shape[-1:], weights["norm2"], self.eps)
        h = multiplied_linear(h, weights["up"], silu_linear(h, weights["gate"]))
        return added_linear(h, weights["down"], x)

    def _logits(self, x: Tensor) -> Tensor:
        h = functional.rms_norm(x, x.shape[-1:], self.model.model.norm.weight, self.eps)
        return linear(h, self.head, self.model.lm_head.bias)

    def _prepare_rotary(self, positions: int) -> None:
        every = torch.arange(positions, device=self.model.device)[None]
        cos, sin = self.model.model.rotary_emb(self.model.model.embed_tokens.weight, every)
        self.cos, self.sin = cos[0], sin[0]  # [positions, D]

    def _empty_cache(self, rows: int, slots: int) -> Tensor:
        """Keys and values, [layers, 2, rows, KV, slots, D]."""
        shape = (len(self.layers), 2, rows, self.kv_heads, slots, self.head_dim)
        return self.model.lm_head.weight.new_zeros(shape)
