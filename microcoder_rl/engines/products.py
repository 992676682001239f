"""Matrix products of the fused decoder. On a CPU oneDNN computes them with weights that are packed once for a sampling.

    weight = packed(weight)              # at each new state of the weights
    y = linear(x, weight)                # torch's own product where the weight is not packed

MKL packs the weights again for every product, and divides a hundred rows badly over threads. oneDNN adds what follows
a product while the result is in the cache, and its results do not depend on the number of rows or threads.

These operations of torch are not public. Where one is gone or is declared in another way, no weight is packed.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

DECLARED = (
    "_reorder_linear_weight.default(Tensor self, int? batch_size=None) -> Tensor Y",
    "_linear_pointwise.default(Tensor X, Tensor W, Tensor? B, str attr, Scalar?[] scalars, str? algorithm) -> Tensor Y",
    "_linear_pointwise.binary(Tensor X, Tensor other, Tensor W, Tensor? B, str attr) -> Tensor Y",
    "_is_mkldnn_bf16_supported.default() -> bool _0",
)
"""The operations that are called here, as torch 2.13 and 2.14 declare them."""


def changed_operations() -> list[str]:
    """What this torch declares in another way than `DECLARED`, one line each."""
    lines = []
    for wanted in DECLARED:
        name, _, arguments = wanted.partition("(")
        packet, overload = name.split(".")
        operation = getattr(getattr(torch.ops.mkldnn, packet, None), overload, None)
        found = f"({str(operation._schema).partition('(')[2]}" if operation else "gone"
        if found != f"({arguments}":
            lines.append(f"torch.ops.mkldnn.{wanted} is {found}")
    return lines


def packed(weight: Tensor) -> Tensor:
    """A copy of a weight [n, k] in oneDNN's layout, or the weight itself where oneDNN cannot use it."""
    if weight.device.type != "cpu" or not torch.backends.mkldnn.is_available() or changed_operations():
        return weight
    bfloat16 = weight.dtype == torch.bfloat16 and torch.ops.mkldnn._is_mkldnn_bf16_supported()
    if weight.dtype != torch.float32 and not bfloat16:
        return weight
    result: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.detach().contiguous())
    return result


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x [R, k] times weight [n, k], plus a bias [n]."""
    if not weight.is_mkldnn:
        return functional.linear(x, weight, bias)
    result: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return result


def silu_linear(x: Tensor, weight: Tensor) -> Tensor:
    """silu of the product."""
    if not weight.is_mkldnn:
        return functional.silu(functional.linear(x, weight))
    result: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, None, "swish", [], "")
    return result


def multiplied_linear(x: Tensor, weight: Tensor, factor: Tensor) -> Tensor:
    """The product times `factor` [R, n], number by number."""
    if not weight.is_mkldnn:
        return functional.linear(x, weight) * factor
    result: Tensor = torch.ops.mkldnn._linear_pointwise.binary(x, factor, weight, None, "mul")
    return result


def added_linear(x: Tensor, weight: Tensor, summand: Tensor) -> Tensor:
    """The product plus `summand` [R, n]."""
    if not weight.is_mkldnn:
        return functional.linear(x, weight) + summand
    result: Tensor = torch.ops.mkldnn._linear_pointwise.binary(x, summand, weight, None, "add")
    return result
