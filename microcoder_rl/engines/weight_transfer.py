"""Sends new weights from GPU to GPU into a vLLM server: by NCCL to other devices, by CUDA IPC within one device.

vLLM implements both ends of the transfer. This module lists the weights and sets up the connection.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import torch

from microcoder_eval import InputError
from microcoder_eval.install_line import install_line
from microcoder_rl.engines.server_process import free_port
from microcoder_rl.rollout import Weights


def open_transfer(method: str, weights: Callable[[], Weights], url: str, *, workers: int, seconds: float) -> Any:
    """Connect to the server's `workers`. Each call of `send_weights()` on the result replaces their weights."""
    try:
        from vllm.distributed.weight_transfer import (
            HTTPVLLMWeightSyncClient,
            ParamMeta,
            WeightSource,
            WeightTransferTrainerFactory,
        )
        from vllm.distributed.weight_transfer.ipc_engine import IPCTrainerInitInfo
        from vllm.distributed.weight_transfer.nccl_engine import NCCLTrainerInitInfo
    except ImportError as error:
        raise InputError(
            f"vllm.weights={method} needs vLLM in the trainer's environment ({error}): {install_line('vllm')}, "
            "or use vllm.weights=disk"
        ) from None

    class Source(WeightSource):
        def metadata(self) -> list[Any]:
            return [ParamMeta(name, weight.dtype, tuple(weight.shape)) for name, weight in weights()]

        def __iter__(self) -> Iterator[tuple[str, torch.Tensor]]:
            return iter(weights())

    connection: Any = IPCTrainerInitInfo(rank=0)
    if method == "nccl":
        connection = NCCLTrainerInitInfo(own_address(url), free_port(), world_size=1 + workers, rank=0)
    client = HTTPVLLMWeightSyncClient(url, timeout=seconds)
    return WeightTransferTrainerFactory.trainer_init(connection, client=client, source=Source())


def own_address(url: str) -> str:
    """The address under which the server can reach this machine."""
    server = httpx.URL(url)
    port = server.port or (443 if server.scheme == "https" else 80)
    with socket.create_connection((server.host, port), timeout=10) as connection:
        return str(connection.getsockname()[0])
