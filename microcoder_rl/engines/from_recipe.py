"""Opens the engine that a recipe names, and closes it however the run ends. `refuse_engine` checks its needs first."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from microcoder_eval import InputError
from microcoder_eval.install_line import install_line
from microcoder_rl import distributed
from microcoder_rl.engines import Engine
from microcoder_rl.engines.first_rank import FirstRankEngine
from microcoder_rl.engines.torch_engine import TorchEngine
from microcoder_rl.engines.vllm_engine import VllmEngine
from microcoder_rl.model.load import load_model
from microcoder_rl.policy import Policy
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Weights


def needs_vllm(config: Config) -> bool:
    """Whether vLLM has to be installed on this machine. A server that already runs at `vllm.url` needs none here."""
    return config.rollout.engine == "vllm" or (config.rollout.engine == "vllm-server" and not config.vllm.url)


def refuse_engine(config: Config) -> None:
    """Raise InputError when the recipe's engine cannot work here. Called before a model is loaded."""
    kind, settings, ranks = config.rollout.engine, config.vllm, int(os.environ.get("WORLD_SIZE", "1"))
    if needs_vllm(config) and importlib.util.find_spec("vllm") is None:
        raise InputError(f"rollout.engine={kind} needs vLLM: {install_line('vllm')}, or use rollout.engine=torch")
    if kind == "torch" and ranks > 1 and config.rollout.staleness:
        raise InputError("rollout.staleness with several ranks needs rollout.engine=vllm-server")
    if kind == "vllm" and ranks > 1 and settings.tensor_parallel > 1:
        raise InputError(
            "rollout.engine=vllm with several ranks samples on each rank's own GPU: use vllm.tensor_parallel=1, or "
            "rollout.engine=vllm-server on other GPUs (vllm.devices)"
        )
    if kind == "vllm-server" and settings.weights in ("nccl", "ipc") and not torch.cuda.is_available():
        raise InputError(f"vllm.weights={settings.weights} needs a GPU in the trainer: use vllm.weights=disk")
    if kind == "vllm-server" and settings.weights == "ipc" and ranks > 1:
        raise InputError("vllm.weights=ipc works with one rank only: use nccl to other GPUs, or disk")


def _on_host(weights: Callable[[], Weights]) -> Weights:
    return ((name, weight.cpu()) for name, weight in weights())


@contextmanager
def open_engine(
    config: Config,
    model: str,
    end_ids: Sequence[int],
    *,
    policy: Policy | None,
    context: int,
    notify: Callable[[str], None] = print,
) -> Iterator[Engine]:
    """Open the engine. `model` is a folder or hub name; `policy` is the model that is trained.

    Without a policy, vLLM samples from the folder as it is. `context` is the length of the longest prompt plus reply.

    >>> ready = open_engine(config, "my/model", policy.end_ids, policy=policy, context=4096)      # doctest: +SKIP
    >>> with ready as engine:                                                                    # doctest: +SKIP
    ...     replies = list(engine.generate(requests, temperature=1.0, max_tokens=2048))
    """
    kind, rows, settings = config.rollout.engine, config.rollout.rows, config.vllm
    if kind == "torch":
        assert policy is not None
        if distributed.size() == 1 and not config.model.lora and not config.rollout.staleness:
            yield TorchEngine(policy.model, end_ids, rows=rows)
            return
        device = policy.model.device
        copy, _ = load_model(replace(config.model, path=model), device.type)
        copied = TorchEngine(copy.to(device), end_ids, rows=rows, weights=policy.weights)
        copied.sync()
        yield copied
        return
    engine: Engine
    weights = policy.weights if policy else tuple
    dtype, on_gpu = config.model.dtype, torch.cuda.is_available()
    if settings.weights == "auto":
        settings = replace(settings, weights="nccl" if on_gpu and (settings.url or settings.devices) else "disk")
    settings = replace(settings, eager=settings.eager or not on_gpu)
    if kind == "vllm":
        engine = VllmEngine(model, weights, end_ids, settings, context=context, dtype=dtype, rows=rows)
    else:
        from microcoder_rl.engines.server_engine import ServerEngine
        from microcoder_rl.engines.server_process import ServerProcess

        start = partial(ServerProcess, model, settings, context=context, dtype=dtype, rows=rows)
        folder = Path(config.run.out) / "engine"

        def open_server(weights: Callable[[], Weights]) -> Engine:
            return ServerEngine(start, weights, end_ids, settings, folder, rows=rows, notify=notify)

        if settings.weights == "disk":  # not all of them on one device
            weights = partial(_on_host, weights)
        engine = open_server(weights) if distributed.size() == 1 else FirstRankEngine(open_server, weights)
    try:
        if policy:
            engine.sync()  # the policy may differ from the folder: another dtype, an adapter
        yield engine
    finally:
        engine.close()
