"""Whether the output head of a model is a matrix product, so that its logits can be computed chunk by chunk."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from microcoder_rl.logprobs import head_logits


class _States(tuple[Tensor]):
    """A backbone's output: its last hidden states, and None for all else that a model reads."""

    last_hidden_state = property(itemgetter(0))

    def __getattr__(self, name: str) -> None:
        return None


@torch.no_grad()
def head_is_plain(model: Any, scale: float, softcap: float | None) -> bool:
    """Whether logits = softcap(scale * head(hidden)).

    No layer computes anything for this: the weights may still be on the host, where their attention may not work.
    """
    head, backbone = model.get_output_embeddings(), model.base_model
    if head is None:
        return False
    hidden = torch.linspace(-9, 9, 8 * head.weight.shape[1]).sin().mul(9).view(8, -1).to(head.weight)
    backbone.forward = lambda *_, **__: _States([hidden[None]])
    try:
        logits = model(torch.arange(8, device=hidden.device)[None], use_cache=False).logits[0].float()
    finally:
        del backbone.forward
    ours = head_logits(linear(hidden, head.weight, getattr(head, "bias", None)), scale, softcap)
    return torch.allclose(ours, logits, atol=1e-4, rtol=1e-2)
