"""The keys of a recipe's section `vllm`, for the engines "vllm" and "vllm-server"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from microcoder_data.number_range import Range
from microcoder_eval import InputError
from microcoder_rl.recipe.numbers import Count, Seconds, Whole

METHODS = ("auto", "disk", "nccl", "ipc")


@dataclass(frozen=True)
class VllmConfig:
    tensor_parallel: Count = 1
    """Number of devices that the model is divided over. Above 1, engine "vllm" gets new weights through the disk."""
    memory_share: Annotated[float, Range(above=0, high=1)] = 0.4
    """Share of a GPU's memory for the engine's weights and cache."""
    cpu_cache_gb: Count = 2
    """Size of the cache on a machine without a GPU."""
    eager: bool = False
    """Use no CUDA graphs: the engine starts faster and samples more slowly. Without a GPU this is always so."""
    sleep: bool = True
    """Whether engine "vllm" on a GPU releases its memory while updates run."""
    url: str = ""
    """Address of a running server, such as http://host:8000. When empty, engine "vllm-server" starts a server on this
    machine."""
    devices: str = ""
    """CUDA_VISIBLE_DEVICES of the server that is started. When empty, that of the trainer."""
    weights: str = "auto"
    """How a server gets new weights: "disk" (saved and reloaded), "nccl" (to other GPUs), or "ipc" (on the trainer's
    GPU). "auto" is nccl when the trainer has a GPU and `url` or `devices` name another one, else disk."""
    start_s: Seconds = 300.0
    """A server that is being started counts as stuck when it neither computes nor writes to its log for this long, or
    is not ready after 20 times as long."""
    sync_s: Seconds = 600.0
    """Deadline for loading new weights."""
    silence_s: Seconds = 600.0
    """An engine that samples no token for this long counts as stuck. A busy CPU may need minutes for the first one."""
    restarts: Whole = 3
    """How often in a run a started server that dies or gets stuck is restarted with the last weights."""

    def __post_init__(self) -> None:
        if self.weights not in METHODS:
            raise InputError(f"vllm.weights: unknown value {self.weights!r}; known: {', '.join(METHODS)}")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise InputError(f"vllm.url: {self.url!r} is not an address; write it as http://host:8000")
