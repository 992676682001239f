"""Collective operations of the ranks (processes) that torchrun starts. One process alone is a run of one rank.

Every rank holds the same batch and makes the same decisions. The ranks divide the replies to sample and grade, the
micro-batches of an update, and (FSDP2) the weights with their optimiser state. Only the first rank writes files and
messages.
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

from microcoder_eval import InputError
from microcoder_rl.errors import RunFailed

T = TypeVar("T")
REQUIRED = ("RANK", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT")
_groups: dict[str, Any] = {}


class RankLost(RunFailed):
    """Another rank ended or hangs."""


@contextmanager
def joined(deadline_s: float, device: str) -> Iterator[None]:
    """Connect to the other ranks that torchrun started. Every collective operation inside has this deadline.

    >>> with joined(60, "cpu"):
    ...     gather("here")
    ['here']
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    missing = [name for name in REQUIRED if name not in os.environ]
    if missing:
        raise InputError(f"WORLD_SIZE is set but {missing[0]} is not: start several ranks with torchrun")
    signal.signal(signal.SIGTERM, _on_sigterm)
    atexit.register(_destroy_process_group)
    on_gpu = device != "cpu" and torch.cuda.is_available()
    if on_gpu:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    try:
        deadline = timedelta(seconds=deadline_s)
        dist.init_process_group("cpu:gloo,cuda:nccl" if on_gpu else "gloo", timeout=deadline)
        for name in ("update", "sampling"):  # two groups, because sampling may run during an update
            _groups[name] = dist.new_group(backend="gloo", timeout=deadline)
        yield
        gather(None)
    except RunFailed:
        raise
    except RuntimeError as error:
        if is_collective(error):
            what = f"another rank ended, or did not respond for {deadline_s:g} s; continue with --resume"
            raise RankLost(what) from error
        raise
    _groups.clear()


def is_collective(error: RuntimeError) -> bool:
    """Whether a collective operation raised `error`. Gloo raises plain RuntimeErrors without a code, so the module of
    the innermost frame decides."""
    module, trace = "", error.__traceback__
    while trace is not None:
        module, trace = trace.tb_frame.f_globals.get("__name__", ""), trace.tb_next
    if isinstance(error, torch.OutOfMemoryError):
        return False
    return isinstance(error, dist.DistError) or module.startswith("torch.distributed")


def _destroy_process_group() -> None:
    """Runs at exit: after vLLM's shutdown, which still uses the group, and before the interpreter ends, when gloo's
    threads could abort the process. After a failure the group is kept: destroying it would wait for the other ranks."""
    if dist.is_initialized() and not _groups:
        dist.destroy_process_group()


def _on_sigterm(*_: object) -> None:
    raise RankLost("stopped by SIGTERM, which torchrun sends when another rank has ended; continue with --resume")


def size() -> int:
    """The number of ranks."""
    return dist.get_world_size(_groups["update"]) if _groups else 1


def rank() -> int:
    """The index of this rank."""
    return dist.get_rank() if _groups else 0


def gather(value: T, group: str = "update") -> list[T]:
    """The value of every rank, in rank order. Collective: every rank has to call it."""
    if not _groups:
        return [value]
    found: list[Any] = [None] * size()
    dist.all_gather_object(found, value, group=_groups[group])
    return found


@contextmanager
def first_rank_first() -> Iterator[None]:
    """Run the block on the first rank, then on the others, which find its files."""
    if rank() > 0:
        gather(None)
    yield
    if rank() == 0:
        gather(None)


def deal(items: Sequence[T], cost: Callable[[T], float], together: Callable[[T], Any] | None = None) -> list[list[T]]:
    """Divide items into one list per rank, of about equal cost. Neighbours with equal `together(item)` stay together.

    >>> deal([3, 1, 2], cost=int)
    [[3, 1, 2]]
    """
    if size() == 1:
        return [list(items)]
    shares: list[list[T]] = [[] for _ in range(size())]
    units = [list(unit) for _, unit in groupby(items, together)] if together else [[item] for item in items]
    costs = [0.0] * size()
    for unit in sorted(units, key=lambda unit: sum(map(cost, unit)), reverse=True):
        least = costs.index(min(costs))
        costs[least] += sum(map(cost, unit))
        shares[least].extend(unit)
    return shares
