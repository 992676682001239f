"""Checkpoints: a plain Hugging Face model folder plus the trainer's state, written completely or not at all.

With LoRA the model is merged, and the adapter is saved in `adapter/`. `optimizer/` has torch's distributed format:
each rank writes its part, and any number of ranks can read it.

A checkpoint is a directory such as `step-000010`, renamed into place after its files are on disk. After kill -9 the
previous checkpoint is intact; the next save removes the unfinished one.
"""

from __future__ import annotations

import json
import os
import shutil
import warnings
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch.distributed.checkpoint as dcp
from torch import Tensor

from microcoder_eval import InputError
from microcoder_eval.atomic import disk_is_full, sync
from microcoder_rl import distributed, lora
from microcoder_rl.policy import Policy
from microcoder_rl.recipe import plain
from microcoder_rl.saved_checkpoints import unreadable
from microcoder_rl.trainer import Trainer, TrainState

UNFINISHED = ".unfinished-"
OPTIMIZER, STATE = "optimizer", "trainer.json"


def save_checkpoint(folder: Path, trainer: Trainer) -> Path:
    """Write `folder/step-NNNNNN`. On a full disk it raises InputError and leaves earlier checkpoints untouched."""
    target = folder / f"step-{trainer.state.step:06d}"
    temporary = folder / f"{UNFINISHED}{target.name}"
    first = distributed.rank() == 0
    try:
        if first:
            for leftover in folder.glob(f"{UNFINISHED}*"):
                shutil.rmtree(leftover, ignore_errors=True)
            temporary.mkdir(parents=True)
        distributed.gather(None)  # barrier: the folder exists before the other ranks write
        _transfer(dcp.save, trainer.optimizer.tensors(), temporary / OPTIMIZER)
        save_model(temporary, trainer.policy)
        if first:
            files = {"recipe.json": plain(trainer.config), STATE: asdict(trainer.state)}
            for name, value in files.items():
                (temporary / name).write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
            for path in (*temporary.rglob("*"), temporary):
                sync(path)
            if target.exists():
                shutil.rmtree(target)
            os.rename(temporary, target)
            sync(folder)
        distributed.gather(None)  # barrier: the checkpoint is complete for every rank
    except Exception as error:
        full = disk_is_full(error, folder)  # before the space is free again
        shutil.rmtree(temporary, ignore_errors=True)
        if full:
            raise InputError(
                f"no space left to save {target}; earlier checkpoints are intact: free some space and run with --resume"
            ) from error
        raise
    return target


def save_model(folder: Path, policy: Policy) -> None:
    """Write a plain Hugging Face folder: adapters merged, divided weights gathered. Every rank has to call it."""
    model, first = policy.model, distributed.rank() == 0
    with_tied, without_tied = (dict(model.named_parameters(remove_duplicate=once)) for once in (False, True))
    tied = set(with_tied) - set(without_tied)  # a tied weight is written under one of its names
    weights = {name: weight.cpu() for name, weight in policy.weights() if first and name not in tied}
    if lora.has_adapter(model):
        lora.save_adapter(model, folder / "adapter")
    if first:
        model.save_pretrained(folder, state_dict=weights)
        model.config.dtype = policy.dtype  # not the fp32 of the masters
        model.config.save_pretrained(folder)
        policy.tokenizer.save_pretrained(folder)


def load_checkpoint(checkpoint: Path, trainer: Trainer) -> None:
    """Continue from a checkpoint, which may have been written by another number of ranks."""
    try:
        state = json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
        _transfer(dcp.load, trainer.optimizer.tensors(), checkpoint / OPTIMIZER)
    except (OSError, ValueError) as error:
        raise unreadable(checkpoint, error) from None
    trainer.state = TrainState(**state)
    trainer.optimizer.publish()
    trainer.engine.sync()


def _transfer(save_or_load: Callable[..., Any], tensors: dict[str, Tensor], folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns when there is only one process
        try:
            save_or_load(tensors, checkpoint_id=folder, no_dist=distributed.size() == 1)
        # Raised on every rank when one rank fails. It is a BaseException, so `except Exception` would miss it.
        except dcp.api.CheckpointException as failed:
            cause = next(iter(failed.failures.values()))[0]
            fault = OSError(getattr(cause, "errno", None) or 0, " ".join(str(cause).split()))
            raise (fault if isinstance(cause, Exception) else cause) from failed  # Ctrl-C stays Ctrl-C
