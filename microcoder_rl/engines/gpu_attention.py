"""A decoding step's attention on a GPU as one kernel (Triton): from the projections to the mixed values.

For each row it normalises and turns the new queries and keys, stores the new key and value, and attends to the row's
prompt, which its group shares, and to its reply so far, which lies in pages. Sums are in fp32.
"""

from __future__ import annotations

import triton
import triton.language as tl
from torch import Tensor

from microcoder_rl.engines.fused_decoder import PAGE

SLOTS = 32
"""Slots that are read at once. A page holds a whole number of them."""


def attend(
    qkv: Tensor,
    norms: Tensor | None,
    cos: Tensor,
    sin: Tensor,
    prompts: Tensor,
    owner: Tensor,
    prompt_lengths: Tensor,
    pages: Tensor,
    filled: Tensor,
    layer: int,
    eps: float,
) -> Tensor:
    """The mixed values [R, Q * D] of one layer.

    `qkv` is [R, (Q + 2 KV) * D], `norms` [Q + KV, D], `cos` and `sin` [R, D]. `prompts` is the cache of the prompts,
    [layers, 2, G, KV, P, D]. `owner` and `prompt_lengths` [R] say which prompt a row has, and how long it is. `pages`
    holds the addresses of the replies' pages [layers, 2, R, KV, PAGE, D], and `filled` [1] how many slots are used.
    """
    rows, (_, _, groups, kv_heads, prompt_slots, size) = len(qkv), prompts.shape
    heads = qkv.shape[1] // size - 2 * kv_heads
    mixed = qkv.new_empty(rows, heads * size)
    _attend[(rows, kv_heads)](
        qkv, qkv if norms is None else norms, cos, sin, prompts, owner, prompt_lengths, pages, filled, mixed,
        layer, rows, groups, prompt_slots, eps, size**-0.5,
        KV=kv_heads, HEADS=heads // kv_heads, HALF=size // 2, NORMED=norms is not None, PAGE=PAGE, SLOTS=SLOTS,
        HEADS_PADDED=max(16, triton.next_power_of_2(heads // kv_heads)),
        HALF_PADDED=max(16, triton.next_power_of_2(size // 2)),
    )  # fmt: skip
    return mixed


@triton.jit
def _normalised(first, second, weight, half, known, eps, HALF: tl.constexpr):
    """RMS norm over both halves of the last dimension, rounded where transformers rounds."""
    kind = first.dtype
    first, second = first.to(tl.float32), second.to(tl.float32)
    squares = tl.sum(first * first, -1, keep_dims=True) + tl.sum(second * second, -1, keep_dims=True)
    factor = tl.rsqrt(squares / (2 * HALF) + eps)
    of_first = tl.load(weight + half, known, 0.0)[None, :]
    of_second = tl.load(weight + HALF + half, known, 0.0)[None, :]
    return (first * factor).to(kind) * of_first, (second * factor).to(kind) * of_second


@triton.jit
def _fold(
    q1, q2, keys, values, left, slots, half, known, scale, most,
    total, mixed1, mixed2, HALF: tl.constexpr,
):  # fmt: skip
    """Add up to SLOTS keys and values, of which `left` are valid, to a running softmax."""
    seen = slots < left
    at, mask = slots[:, None] * 2 * HALF + half[None, :], seen[:, None] & known[None, :]
    k1, k2 = tl.load(keys + at, mask, 0.0), tl.load(keys + at + HALF, mask, 0.0)
    scores = tl.dot(q1, tl.trans(k1), input_precision="ieee") + tl.dot(q2, tl.trans(k2), input_precision="ieee")
    scores = tl.where(seen[None, :], scores * scale, float("-inf"))
    new_most = tl.maximum(most, tl.max(scores, 1))
    shares, kept = tl.exp(scores - new_most[:, None]), tl.exp(most - new_most)
    v1, v2 = tl.load(values + at, mask, 0.0), tl.load(values + at + HALF, mask, 0.0)
    rounded = shares.to(v1.dtype)
    mixed1 = mixed1 * kept[:, None] + tl.dot(rounded, v1, input_precision="ieee")
    mixed2 = mixed2 * kept[:, None] + tl.dot(rounded, v2, input_precision="ieee")
    return new_most, total * kept + tl.sum(shares, 1), mixed1, mixed2


@triton.jit(do_not_specialize=["layer", "rows", "groups", "prompt_slots"])
def _attend(
    qkv, norms, cos, sin, prompts, owner, prompt_lengths, pages, filled,
    mixed, layer, rows, groups, prompt_slots, eps, scale,
    KV: tl.constexpr, HEADS: tl.constexpr, HALF: tl.constexpr, NORMED: tl.constexpr, PAGE: tl.constexpr,
    SLOTS: tl.constexpr, HEADS_PADDED: tl.constexpr, HALF_PADDED: tl.constexpr,
):  # fmt: skip
    """One row and one key-value head with its group of query heads."""
    row, kv = tl.program_id(0).to(tl.int64), tl.program_id(1)
    size: tl.constexpr = 2 * HALF
    half, heads, slots = tl.arange(0, HALF_PADDED), tl.arange(0, HEADS_PADDED), tl.arange(0, SLOTS)
    known = half < HALF
    kind = qkv.dtype.element_ty

    own = qkv + row * (KV * HEADS + 2 * KV) * size
    queries = own + (kv * HEADS + heads)[:, None] * size + half[None, :]
    wanted = (heads < HEADS)[:, None] & known[None, :]
    q1, q2 = tl.load(queries, wanted, 0.0), tl.load(queries + HALF, wanted, 0.0)
    key, value = own + (KV * HEADS + kv) * size + half[None, :], own + (KV * HEADS + KV + kv) * size + half[None, :]
    k1, k2 = tl.load(key, known[None, :], 0.0), tl.load(key + HALF, known[None, :], 0.0)
    v1, v2 = tl.load(value, known[None, :], 0.0), tl.load(value + HALF, known[None, :], 0.0)
    if NORMED:
        q1, q2 = _normalised(q1, q2, norms + kv * HEADS * size, half, known, eps, HALF)
        k1, k2 = _normalised(k1, k2, norms + (KV * HEADS + kv) * size, half, known, eps, HALF)
    c = tl.load(cos + row * size + half, known, 0.0)[None, :]
    s = tl.load(sin + row * size + half, known, 0.0)[None, :]
    q1, q2 = (q1 * c).to(kind) - (q2 * s).to(kind), (q2 * c).to(kind) + (q1 * s).to(kind)
    k1, k2 = (k1 * c).to(kind) - (k2 * s).to(kind), (k2 * c).to(kind) + (k1 * s).to(kind)

    count = tl.load(filled)
    page = tl.multiple_of(tl.load(pages + count // PAGE).to(tl.pointer_type(kind)), 16)
    of_keys, of_values = ((layer * 2) * rows + row) * KV + kv, ((layer * 2 + 1) * rows + row) * KV + kv
    slot = (count % PAGE) * size + half[None, :]
    tl.store(page + of_keys * PAGE * size + slot, k1, known[None, :])
    tl.store(page + of_keys * PAGE * size + slot + HALF, k2, known[None, :])
    tl.store(page + of_values * PAGE * size + slot, v1, known[None, :])
    tl.store(page + of_values * PAGE * size + slot + HALF, v2, known[None, :])

    # a running softmax, which begins with the new token
    products = q1.to(tl.float32) * k1.to(tl.float32) + q2.to(tl.float32) * k2.to(tl.float32)
    most = tl.sum(products, 1) * scale
    total = tl.zeros_like(most) + 1.0
    mixed1, mixed2 = tl.zeros_like(products) + v1.to(tl.float32), tl.zeros_like(products) + v2.to(tl.float32)
    length, group = tl.load(prompt_lengths + row), tl.load(owner + row).to(tl.int64)
    prompt_keys = prompts + (((layer * 2) * groups + group) * KV + kv) * prompt_slots * size
    prompt_values = prompt_keys + groups * KV * prompt_slots.to(tl.int64) * size
    for start in range(0, length, SLOTS):
        most, total, mixed1, mixed2 = _fold(
            q1, q2, prompt_keys + start * size, prompt_values + start * size, length - start, slots, half, known,
            scale, most, total, mixed1, mixed2, HALF,
        )  # fmt: skip
    for start in range(0, count, SLOTS):
        page = tl.multiple_of(tl.load(pages + start // PAGE).to(tl.pointer_type(kind)), 16) + (start % PAGE) * size
        most, total, mixed1, mixed2 = _fold(
            q1, q2, page + of_keys * PAGE * size, page + of_values * PAGE * size, count - start, slots, half, known,
            scale, most, total, mixed1, mixed2, HALF,
        )  # fmt: skip
    out = mixed + row * KV * HEADS * size + (kv * HEADS + heads)[:, None] * size + half[None, :]
    tl.store(out, (mixed1 / total[:, None]).to(kind), wanted)
    tl.store(out + HALF, (mixed2 / total[:, None]).to(kind), wanted)
