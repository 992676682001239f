"""Weights that FSDP2 divides over the ranks: dividing a model that was read from disk, and gathering whole weights.

    divide(policy, policy.model, "cuda")        # each rank keeps its part of every weight
    dict(gathered(model.state_dict().items()))  # collective: every rank has to iterate

No rank ever holds the whole model on its device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from microcoder_rl import distributed

BUCKET = 1 << 28
"""Bytes of the whole weights that one operation gathers. A larger weight is gathered alone."""


def divide(policy: nn.Module, model: Any, device: str) -> None:
    """Divide the weights over the ranks with FSDP2. Each layer is gathered when it computes.

    Trained weights are kept in fp32, gathered in the model's own dtype, and their gradients are reduced in fp32. FSDP2
    moves one layer after the other to the device and keeps this rank's part. On the host, weights that have the file's
    dtype are pages of the file, which all ranks of a machine share.
    """
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    mesh = init_device_mesh(torch.device(device).type, (distributed.size(),))
    mixed = MixedPrecisionPolicy(param_dtype=model.dtype, reduce_dtype=torch.float32)
    layers = [module for module in model.modules() if type(module).__name__ in (model._no_split_modules or ())]
    for module in (*layers, policy):
        for parameter in module.parameters():
            if parameter.requires_grad and parameter.dtype != torch.float32:
                parameter.data = parameter.data.float()
        fully_shard(module, mesh=mesh, mp_policy=mixed)


def gathered(named: Iterable[tuple[str, Tensor]]) -> Iterator[tuple[str, Tensor]]:
    """The whole of each weight, in order. One operation gathers as many divided ones as a bucket holds."""
    bucket: list[tuple[str, Any]] = []
    for name, weight in named:
        together = [each for _, each in bucket] + [weight]
        alike = _is_divided(weight) and len({each.dtype for each in together}) == 1
        if not alike or sum(each.nbytes for each in together) > BUCKET:
            yield from _gathered_at_once(bucket)
            bucket = []
        if _is_divided(weight):
            bucket.append((name, weight))
        else:
            yield name, weight
    yield from _gathered_at_once(bucket)


def full(tensor: Tensor) -> Tensor:
    """The whole of one tensor. Collective."""
    return tensor.full_tensor() if _is_divided(tensor) else tensor  # type: ignore[attr-defined]


def _is_divided(tensor: Tensor) -> bool:
    from torch.distributed.tensor import DTensor

    return isinstance(tensor, DTensor)


def _gathered_at_once(bucket: list[tuple[str, Any]]) -> Iterator[tuple[str, Tensor]]:
    """Each rank's part is filled up to equal length: rows that a rank lacks are at the end of the whole weight."""
    from torch.distributed.tensor import Shard

    if not bucket:
        return
    ranks, parts = distributed.size(), []
    for _, weight in bucket:
        own = weight.redistribute(placements=[Shard(0)]).to_local()
        part = own.new_zeros(-(-weight.shape[0] // ranks), *weight.shape[1:])
        part[: len(own)] = own
        parts.append(part.flatten())
    mine = torch.cat(parts)
    every = mine.new_empty(ranks, len(mine))
    dist.all_gather(list(every), mine, group=bucket[0][1].device_mesh.get_group())
    pieces = every.split([len(part) for part in parts], dim=1)
    for (name, weight), piece in zip(bucket, pieces, strict=True):
        yield name, piece.reshape(-1, *weight.shape[1:])[: weight.shape[0]]
