"""Log-probabilities of given tokens from hidden states, without ever holding [tokens, vocabulary] logits.

Tokens are processed in chunks. The logits of a chunk are computed, reduced to log-probs and freed; the backward pass
computes them again. For a head that is not trained (LoRA) no gradient is computed.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

LOGITS_PER_CHUNK = {"cpu": (1 << 24, 1 << 24), "cuda": (1 << 26, 1 << 28)}
"""The fewest and the most logits held at once, whatever the sequence length. Smaller chunks fragment the C library's
heap on a CPU. On a GPU each chunk reads and writes the head's whole gradient (`bench/gpu_update.py`)."""
COPIES = 5
"""fp32 copies of a chunk's logits that exist while its log-probs or their gradients are computed."""
FREE_SHARE = 8
"""A GPU's chunks take one part in so many of the memory that is free when log-probs begin."""


def chunked_logprobs(
    hidden: Tensor,
    head: Tensor,
    bias: Tensor | None,
    targets: Tensor,
    temperatures: Tensor,
    *,
    logits_per_chunk: int | None = None,
    scale: float = 1.0,
    softcap: float | None = None,
) -> tuple[Tensor, Tensor]:
    """log softmax(logits / T)[target] per token, and the entropy of that distribution (detached), both [N] fp32.

    `hidden` is [N, H], `head` [V, H], `targets` and `temperatures` [N]. Some models scale or softcap the logits
    after the head: `scale`, `softcap`.

    >>> hidden, head = torch.randn(5, 8), torch.randn(11, 8)
    >>> logprobs, entropy = chunked_logprobs(hidden, head, None, torch.arange(5), torch.ones(5))
    >>> torch.allclose(logprobs, (hidden @ head.T).log_softmax(-1)[range(5), range(5)], atol=1e-5)
    True
    """
    size = max(1, (logits_per_chunk or chunk_for(hidden.device.type, _free(hidden.device))) // head.shape[0])
    if len(hidden) <= size:
        return tempered_logprobs(head_logits(hidden, head, bias, scale, softcap), targets, temperatures)
    result: tuple[Tensor, Tensor] = _Chunked.apply(hidden, head, bias, targets, temperatures, size, scale, softcap)
    return result


def chunk_for(kind: str, free: float) -> int:
    """How many logits are held at once where `free` bytes are free: a power of two, so that blocks are used again.

    >>> chunk_for("cpu", 0), chunk_for("cuda", 0), chunk_for("cuda", 26e9), chunk_for("cuda", 80e9)
    (16777216, 67108864, 134217728, 268435456)
    """
    least, most = LOGITS_PER_CHUNK[kind]
    fitting = max(0, int(free / FREE_SHARE / COPIES / 4))
    return min(most, max(least, 1 << fitting.bit_length() >> 1))


def _free(device: torch.device) -> int:
    """Free bytes of a GPU, with those that torch holds and does not use; 0 on a CPU."""
    if device.type == "cpu":
        return 0
    return torch.cuda.mem_get_info(device)[0] + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)


def tempered_logprobs(logits: Tensor, targets: Tensor, temperatures: Tensor) -> tuple[Tensor, Tensor]:
    """Log-probs [n] of `targets` under softmax(logits / T), and the entropies [n] of that distribution (detached)."""
    logprobs = (logits / temperatures[:, None]).log_softmax(-1)  # [n, V]
    with torch.no_grad():
        entropy = -logprobs.exp().mul_(logprobs).sum(-1)
    return logprobs.gather(-1, targets[:, None]).squeeze(-1), entropy


def head_logits(hidden: Tensor, head: Tensor, bias: Tensor | None, scale: float, softcap: float | None) -> Tensor:
    """softcap(scale * head(hidden)), fp32."""
    logits = torch.nn.functional.linear(hidden, head, bias).float()  # [n, V]
    if scale != 1.0:
        logits = logits * scale
    if softcap is not None:
        logits = torch.tanh(logits / softcap) * softcap
    return logits


class _Chunked(torch.autograd.Function):
    """Holds the logits of one chunk at a time, in the forward and in the backward pass."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        head: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        temperatures: Tensor,
        size: int,
        scale: float,
        softcap: float | None,
    ) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(hidden, head, bias, targets, temperatures)
        ctx.size, ctx.scale, ctx.softcap = size, scale, softcap
        parts = zip(hidden.split(size), targets.split(size), temperatures.split(size), strict=True)
        pieces = [tempered_logprobs(head_logits(h, head, bias, scale, softcap), t, at) for h, t, at in parts]
        logprobs, entropies = (torch.cat(piece) for piece in zip(*pieces, strict=True))
        ctx.mark_non_differentiable(entropies)
        return logprobs, entropies

    @staticmethod
    def backward(ctx: Any, grad_logprobs: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        hidden, head, bias, targets, temperatures = ctx.saved_tensors
        head = head.detach().requires_grad_(head.requires_grad)
        bias = None if bias is None else bias.detach().requires_grad_(bias.requires_grad)
        trained = [weight for weight in (head, bias) if weight is not None and weight.requires_grad]
        totals = [torch.zeros_like(weight, dtype=torch.float32) for weight in trained]
        grad_hidden = torch.empty_like(hidden)
        for start in range(0, len(hidden), ctx.size):
            cut = slice(start, start + ctx.size)
            chunk = hidden[cut].detach().requires_grad_()
            with torch.enable_grad():
                logits = head_logits(chunk, head, bias, ctx.scale, ctx.softcap) / temperatures[cut, None]
                logprobs = logits.log_softmax(-1).gather(-1, targets[cut, None]).squeeze(-1)
            grad_hidden[cut], *parts = torch.autograd.grad(logprobs, [chunk, *trained], grad_logprobs[cut])
            for total, part in zip(totals, parts, strict=True):
                total += part
        grads = iter([total.to(weight.dtype) for total, weight in zip(totals, trained, strict=True)])
        wanted = (next(grads) if needed else None for needed in ctx.needs_input_grad[1:3])
        return grad_hidden, *wanted, None, None, None, None, None, None
