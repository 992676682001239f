"""The decoder for all models that `fused_decoder.py` does not support: the model's own forward pass and cache.

Prompts are left-padded to one length and prefilled once each. Results equal the model's own up to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


class GenericDecoder:
    """The interface of `FusedDecoder`, implemented with `model.forward`."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def sync(self) -> None:
        """Nothing to do: the decoder runs the model itself."""

    @torch.no_grad()
    def start(self, prompts: Sequence[Sequence[int]], copies: Sequence[int], max_tokens: int) -> Tensor:
        """Prefill each prompt once and repeat its cache for its rows. Returns the logits [R, V] of the first tokens."""
        device = self.model.device
        longest = max(len(prompt) for prompt in prompts)
        pads = [longest - len(prompt) for prompt in prompts]
        ids = torch.tensor([[0] * pad + list(prompt) for pad, prompt in zip(pads, prompts, strict=True)], device=device)
        slots = torch.arange(longest, device=device)[None]
        seen = (slots >= torch.tensor(pads, device=device)[:, None]).long()  # [G, P]
        positions = (seen.cumsum(-1) - 1).clamp(min=0)
        output = self.model(ids, attention_mask=seen, position_ids=positions, use_cache=True, logits_to_keep=1)
        rows = torch.repeat_interleave(torch.arange(len(prompts), device=device), torch.tensor(copies, device=device))
        self.cache = output.past_key_values
        self.cache.batch_select_indices(rows)
        self.seen, self.positions = seen[rows], positions[rows, -1]
        logits: Tensor = output.logits[rows, -1]
        return logits

    @torch.no_grad()
    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token to each row. Returns the logits [R, V] of the next tokens."""
        self.seen = torch.cat([self.seen, self.seen.new_ones(len(tokens), 1)], dim=1)
        self.positions = self.positions + 1
        output = self.model(
            tokens[:, None],
            attention_mask=self.seen,
            position_ids=self.positions[:, None],
            past_key_values=self.cache,
            use_cache=True,
        )
        logits: Tensor = output.logits[:, -1]
        return logits

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, in this order."""
        self.cache.batch_select_indices(rows)
        self.seen, self.positions = self.seen[rows], self.positions[rows]
