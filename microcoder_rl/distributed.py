"""What the ranks of one run do together, as torchrun starts them (FSDP2). A process alone is a run of one rank.

Every rank holds the same batch and decides the same from it. Divided are the replies to sample and grade, the
micro-batches of an update, and the weights with their optimiser state. Files and messages are the first rank's.
"""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import groupby
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

from microcoder_eval import InputError

T = TypeVar("T")
NEEDED = ("RANK", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT")
_groups: dict[str, Any] = {}


class RankLost(RuntimeError):
    """Another rank ended or hangs; one line says so."""


@contextmanager
def joined(deadline_s: float, device: str) -> Iterator[None]:
    """Meet the ranks that torchrun started; whatever they do together from here on has this deadline.

    >>> with joined(60, "cpu"):
    ...     gather("here")
    ['here']
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    missing = [name for name in NEEDED if name not in os.environ]
    if missing:
        raise InputError(f"WORLD_SIZE is set but {missing[0]} is not: start several ranks with torchrun")
    signal.signal(signal.SIGTERM, _told_to_stop)
    atexit.register(_leave)
    on_gpu = device != "cpu" and torch.cuda.is_available()
    if on_gpu:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    try:
        deadline = timedelta(seconds=deadline_s)
        dist.init_process_group("cpu:gloo,cuda:nccl" if on_gpu else "gloo", timeout=deadline)
        for name in ("update", "sampling"):  # which may go on side by side
            _groups[name] = dist.new_group(backend="gloo", timeout=deadline)
        yield
        gather(None)
    except RuntimeError as error:  # what torch raises has no class of its own
        if "Timed out waiting" in str(error):
            raise RankLost(f"another rank did not come for {deadline_s:g} s; go on with --resume") from error
        if isinstance(error, dist.DistError) or "gloo" in str(error):
            raise RankLost("another rank was lost; go on with --resume") from error
        raise
    _groups.clear()


def _leave() -> None:
    """After vLLM, which still says good-bye through the group, and before the interpreter ends, when gloo's threads
    could abort the process. After a failure nobody is waited for."""
    if dist.is_initialized() and not _groups:
        dist.destroy_process_group()


def _told_to_stop(*_: object) -> None:
    raise RankLost("told to stop (SIGTERM), as torchrun does when another rank has ended; go on with --resume")


def size() -> int:
    """How many ranks there are."""
    return dist.get_world_size(_groups["update"]) if _groups else 1


def rank() -> int:
    """Which of them this is."""
    return dist.get_rank() if _groups else 0


def gather(value: T, group: str = "update") -> list[T]:
    """The value of every rank, in their order. All of them have to call it."""
    if not _groups:
        return [value]
    found: list[Any] = [None] * size()
    dist.all_gather_object(found, value, group=_groups[group])
    return found


@contextmanager
def first_rank_first() -> Iterator[None]:
    """The first rank does it before the others, who then find it done."""
    if rank() > 0:
        gather(None)
    yield
    if rank() == 0:
        gather(None)


def deal(items: Sequence[T], cost: Callable[[T], int], together: Callable[[T], Any] = id) -> list[list[T]]:
    """A pile for each rank, of about the same cost; neighbours of which `together` says the same stay together.

    >>> deal([3, 1, 2], cost=int)
    [[3, 1, 2]]
    """
    if size() == 1:
        return [list(items)]
    piles: list[list[T]] = [[] for _ in range(size())]
    units = [list(unit) for _, unit in groupby(items, together)]
    for unit in sorted(units, key=lambda unit: sum(map(cost, unit)), reverse=True):
        min(piles, key=lambda pile: sum(map(cost, pile))).extend(unit)
    return piles


def shard(policy: nn.Module, model: Any) -> None:
    """Divide the weights over the ranks; each layer's are put together when it computes.

    What is trained is kept in fp32, gathered in the model's own type, and its gradient is reduced in fp32.
    """
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    mesh = init_device_mesh(model.device.type, (size(),))
    mixed = MixedPrecisionPolicy(param_dtype=model.dtype, reduce_dtype=torch.float32)
    layers = [module for module in model.modules() if type(module).__name__ in (model._no_split_modules or ())]
    for module in (*layers, policy):
        for parameter in module.parameters():
            if parameter.requires_grad and parameter.dtype != torch.float32:
                parameter.data = parameter.data.float()
        fully_shard(module, mesh=mesh, mp_policy=mixed)


def full(tensor: Tensor) -> Tensor:
    """The whole of a tensor that is divided over the ranks. All of them have to call it."""
    from torch.distributed.tensor import DTensor

    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor
