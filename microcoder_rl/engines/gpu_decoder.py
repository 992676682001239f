"""The fused decoder on a GPU: one kernel for the attention of a layer, and a step is recorded as a CUDA graph.

The keys and values of a prompt are stored once for its group. Those of the replies are stored in pages, which are
allocated as the replies grow, so that a recorded step stays valid until rows are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from microcoder_rl.engines.fused_decoder import PAGE, FusedDecoder
from microcoder_rl.engines.gpu_attention import attend
from microcoder_rl.engines.products import linear
from microcoder_rl.engines.recording import GraphMemory, Recording


class GpuDecoder(FusedDecoder):
    """The interface of `FusedDecoder`. The logits of a step are valid until the next one."""

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.memory = GraphMemory()

    @torch.no_grad()
    def start(self, prompts: Sequence[Sequence[int]], copies: Sequence[int], max_tokens: int) -> Tensor:
        """Prefill each prompt once for all its rows. Returns the logits [R, V] of the first tokens."""
        device, longest = self.model.device, max(len(prompt) for prompt in prompts)
        self._prepare_rotary(longest + max_tokens)
        self.prompts = self._empty_cache(len(prompts), longest)
        last = torch.stack(
            [self._prefill(torch.tensor(prompt, device=device), index) for index, prompt in enumerate(prompts)]
        )
        groups = torch.arange(len(prompts), device=device)
        self.owner = torch.repeat_interleave(groups, torch.tensor(copies, device=device))  # [R]
        self.prompt_lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)[self.owner]
        self.pages: list[Tensor] = []
        self.addresses = torch.zeros(-(-max_tokens // PAGE), dtype=torch.long, device=device)
        self.steps, self.used = 0, torch.zeros(1, dtype=torch.long, device=device)
        self.recording = Recording(self.memory)
        return self._logits(last[self.owner])

    @torch.no_grad()
    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token to each row. Returns the logits [R, V] of the next tokens."""
        if self.steps == len(self.pages) * PAGE:
            self.pages.append(self._empty_cache(len(tokens), PAGE))
            self._find_pages()
        self.steps += 1
        return self.recording.run(self._step, tokens)

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, in this order."""
        for index, page in enumerate(self.pages):  # one by one: old and new pages never exist all at once
            self.pages[index] = page.index_select(2, rows)
        self._find_pages()
        groups, self.owner = torch.unique(self.owner[rows], return_inverse=True)
        self.prompts, self.prompt_lengths = self.prompts.index_select(2, groups), self.prompt_lengths[rows]
        self.recording = Recording(self.memory)

    def _step(self, tokens: Tensor) -> Tensor:
        """The operations of a step. None needs a value from the device, so they can be recorded."""
        positions = self.prompt_lengths + self.used
        cos, sin = self.cos[positions], self.sin[positions]  # [R, D]
        x = self.model.model.embed_tokens(tokens)  # [R, H]
        for layer, weights in enumerate(self.layers):
            h = functional.rms_norm(x, x.shape[-1:], weights["norm1"], self.eps)
            qkv = linear(h, weights["qkv"], weights.get("qkv_bias"))
            cache = self.prompts, self.owner, self.prompt_lengths, self.addresses, self.used
            x = self._finish_layer(weights, x, attend(qkv, weights.get("qk_norm"), cos, sin, *cache, layer, self.eps))
        self.used += 1
        return self._logits(x)

    def _find_pages(self) -> None:
        addresses = torch.tensor([page.data_ptr() for page in self.pages], device=self.addresses.device)
        self.addresses[: len(self.pages)] = addresses
