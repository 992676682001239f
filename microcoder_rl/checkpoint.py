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
from microcoder_eval.errors import first_line
from microcoder_rl import distributed, lora
from microcoder_rl.policy import Policy
from microcoder_rl.recipe import differences, plain
from microcoder_rl.trainer import Trainer, TrainState

UNFINISHED = ".unfinished-"
OPTIMIZER, STATE = "optimizer", "trainer.json"
FREE_TO_CHANGE = ("run.out", "run.name", "run.deadline_s", "checkpoint", "log", "evaluate",
                  "grader.workers", "grader.address", "vllm")  # fmt: skip
"""Keys and whole sections that may differ on resume, because they do not change what is computed. With a constant
learning rate run.steps may differ too."""


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
    weights = {name: weight for name, weight in policy.weights() if first and name not in tied}
    if lora.has_adapter(model):
        lora.save_adapter(model, folder / "adapter")
    if first:
        model.save_pretrained(folder, state_dict=weights)
        model.config.dtype = policy.dtype  # not the fp32 of the masters
        model.config.save_pretrained(folder)
        policy.tokenizer.save_pretrained(folder)


def prune(folder: Path, keep: int, best: int | None) -> None:
    """Remove all but the newest `keep` checkpoints and the best one."""
    for step in saved_steps(folder)[:-keep]:
        if step != best:
            shutil.rmtree(folder / f"step-{step:06d}")


def saved_steps(folder: Path) -> list[int]:
    """The steps of the complete checkpoints in a folder, ascending."""
    return sorted(int(path.name[5:]) for path in folder.glob("step-*") if path.name[5:].isdigit())


def find_checkpoint(folder: Path, config: dict[str, Any]) -> Path | None:
    """The newest checkpoint, or None. A checkpoint of another recipe is refused."""
    steps = saved_steps(folder)
    if not steps:
        return None
    newest = folder / f"step-{steps[-1]:06d}"
    try:
        saved = json.loads((newest / "recipe.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unreadable(newest, error) from None
    free = {*FREE_TO_CHANGE, "run.steps"} if config["optimizer"]["schedule"] == "constant" else {*FREE_TO_CHANGE}
    if changed := [one for one in differences(config, saved) if not free & {one.key, one.key.partition(".")[0]}]:
        raise InputError(
            f"{newest} belongs to another recipe ({'; '.join(map(str, changed[:4]))}); give this run its own run.out, "
            "or go back to the recipe that wrote it"
        )
    return newest


def load_checkpoint(checkpoint: Path, trainer: Trainer) -> None:
    """Continue from a checkpoint, which may have been written by another number of ranks."""
    try:
        state = json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
        _transfer(dcp.load, trainer.optimizer.tensors(), checkpoint / OPTIMIZER)
    except (OSError, ValueError) as error:
        raise _unreadable(checkpoint, error) from None
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
            raise OSError(getattr(cause, "errno", None) or 0, " ".join(str(cause).split())) from failed


def _unreadable(checkpoint: Path, error: Exception) -> InputError:
    return InputError(f"{checkpoint} cannot be read ({first_line(error)}); delete it to resume from the one before")
