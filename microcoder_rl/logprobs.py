"""Log-probabilities of given tokens from hidden states, without ever holding [tokens, vocabulary] logits.

Tokens are processed in chunks. The logits of a chunk are computed, reduced to log-probs and freed; the backward pass
computes them again. For a head that is not trained (LoRA) no gradient is computed.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

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
    compiled: bool = False,
) -> tuple[Tensor, Tensor]:
    """log softmax(logits / T)[target] per token, and the entropy of that distribution (detached), both [N] fp32.

    `hidden` is [N, H], `head` [V, H], `targets` and `temperatures` [N]. Some models scale or softcap the logits
    after the head: `scale`, `softcap`. With `compiled`, all that follows the head's product is.

    >>> hidden, head = torch.randn(5, 8), torch.randn(11, 8)
    >>> logprobs, entropy = chunked_logprobs(hidden, head, None, torch.arange(5), torch.ones(5))
    >>> torch.allclose(logprobs, (hidden @ head.T).log_softmax(-1)[range(5), range(5)], atol=1e-5)
    True
    """
    size = max(1, (logits_per_chunk or chunk_for(hidden.device.type, _free(hidden.device))) // head.shape[0])
    chunks = -(-len(hidden) // size)
    if chunks == 1 and not compiled:
        return tempered_logprobs(linear(hidden, head, bias), targets, temperatures, scale, softcap)
    return _Chunked.apply(hidden, head, bias, targets, temperatures, chunks, compiled, scale, softcap)


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


def tempered_logprobs(
    outputs: Tensor, targets: Tensor, temperatures: Tensor, scale: float = 1.0, softcap: float | None = None
) -> tuple[Tensor, Tensor]:
    """Log-probs [n] of `targets` under softmax(logits / T), and the entropies [n] of that distribution (detached)."""
    logprobs = (head_logits(outputs, scale, softcap) / temperatures[:, None]).log_softmax(-1)  # [n, V]
    with torch.no_grad():
        entropy = -logprobs.exp().mul_(logprobs).sum(-1)
    return logprobs.gather(-1, targets[:, None]).squeeze(-1), entropy


def head_logits(outputs: Tensor, scale: float, softcap: float | None) -> Tensor:
    """softcap(scale * outputs), fp32, of the outputs [n, V] of the head."""
    logits = outputs.float() if scale == 1.0 else outputs.float() * scale
    return logits if softcap is None else torch.tanh(logits / softcap) * softcap


def _gradient(outputs: Tensor, targets: Tensor, at: Tensor, scale: float, softcap: float | None, grad: Tensor) -> Any:
    """With respect to the head's outputs, of the log-probs at temperatures `at`, whose own gradient is `grad`."""
    logits, weight = head_logits(outputs, scale, softcap), (grad * scale / at)[:, None]
    found = (logits / at[:, None]).softmax(-1).mul_(-weight).scatter_add_(1, targets[:, None], weight)
    return (found if softcap is None else found * (1 - (logits / softcap).square())).to(outputs.dtype)


_compiled = cache(partial(torch.compile, dynamic=True))


class _Chunked(torch.autograd.Function):
    """Holds the logits of one chunk at a time, in the forward and in the backward pass."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> tuple[Tensor, Tensor]:
        (hidden, head, bias, targets, temperatures), (chunks, compiled, scale, softcap) = inputs[:5], inputs[5:]
        ctx.save_for_backward(*inputs[:5])
        ctx.how = chunks, _compiled(_gradient) if compiled else _gradient, scale, softcap
        reduce = _compiled(tempered_logprobs) if compiled else tempered_logprobs
        parts = zip(*(each.tensor_split(chunks) for each in (hidden, targets, temperatures)), strict=True)
        pieces = [reduce(linear(states, head, bias), of, at, scale, softcap) for states, of, at in parts]
        logprobs, entropies = (torch.cat(piece) for piece in zip(*pieces, strict=True))
        ctx.mark_non_differentiable(entropies)
        return logprobs, entropies

    @staticmethod
    def backward(ctx: Any, grad_logprobs: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        hidden, head, bias, *others = ctx.saved_tensors
        chunks, gradient, scale, softcap = ctx.how
        of_hidden: list[Tensor] = []
        of_head = torch.zeros_like(head, dtype=torch.float32) if ctx.needs_input_grad[1] else None
        of_bias = torch.zeros_like(bias, dtype=torch.float32) if ctx.needs_input_grad[2] else None
        pieces = (each.tensor_split(chunks) for each in (hidden, *others, grad_logprobs))
        for states, of, at, grad in zip(*pieces, strict=True):
            of_outputs = gradient(linear(states, head, bias), of, at, scale, softcap, grad)
            of_hidden.append(of_outputs @ head)
            if of_head is not None:
                of_head += of_outputs.T @ states
            if of_bias is not None:
                of_bias += of_outputs.sum(0)
        found = torch.cat(of_hidden), *(None if each is None else each.to(head.dtype) for each in (of_head, of_bias))
        return *found, None, None, None, None, None, None
