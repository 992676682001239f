"""Checkpoints: a plain Hugging Face model folder plus `trainer.pt`, written whole or not at all.

A checkpoint is a directory `step-000010`, renamed into place after everything in it is on disk. kill -9 at any
moment leaves the previous one; leftovers are removed by the next save or load.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import torch

from microcoder_data.atomic import sync
from microcoder_eval import InputError
from microcoder_rl.policy import Policy
from microcoder_rl.recipe import differences

UNFINISHED = ".unfinished-"
FREE_TO_CHANGE = ("run.out", "run.name", "run.steps", "checkpoint.", "log.", "evaluate.", "grader.workers", "vllm.")
"""Keys that may differ on resume: they do not change what is computed."""


def save_checkpoint(folder: Path, step: int, policy: Policy, state: dict[str, Any], config: dict[str, Any]) -> Path:
    """Write `folder/step-NNNNNN`; a full disk is one clear error and leaves earlier checkpoints as they were."""
    folder.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(folder)
    target = folder / f"step-{step:06d}"
    temporary = folder / f"{UNFINISHED}{target.name}"
    try:
        policy.model.save_pretrained(temporary, safe_serialization=True)
        policy.tokenizer.save_pretrained(temporary)
        (temporary / "recipe.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        torch.save(state, temporary / "trainer.pt")
        for path in temporary.rglob("*"):
            sync(path)
        sync(temporary)
        if target.exists():
            shutil.rmtree(target)
        os.rename(temporary, target)
        sync(folder)
    except Exception as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if _disk_is_full(error, folder):
            raise InputError(
                f"no space left to save {target}; earlier checkpoints are whole: free some and run with --resume"
            ) from error
        raise
    return target


def prune(folder: Path, keep: int, best: int | None) -> None:
    """Remove all but the newest `keep` checkpoints and the best one."""
    steps = saved_steps(folder)
    for step in steps[:-keep]:
        if step != best:
            shutil.rmtree(folder / f"step-{step:06d}")


def saved_steps(folder: Path) -> list[int]:
    """The steps of the whole checkpoints of a folder, ascending."""
    return sorted(int(path.name[5:]) for path in folder.glob("step-*") if path.name[5:].isdigit())


def load_state(folder: Path, config: dict[str, Any]) -> tuple[Path, dict[str, Any]] | None:
    """The newest checkpoint's folder and trainer state, or None; another recipe's checkpoint is refused."""
    _remove_leftovers(folder)
    steps = saved_steps(folder)
    if not steps:
        return None
    newest = folder / f"step-{steps[-1]:06d}"
    try:
        saved = json.loads((newest / "recipe.json").read_text(encoding="utf-8"))
        state = torch.load(newest / "trainer.pt", map_location="cpu", weights_only=False)
    except (OSError, ValueError, RuntimeError, EOFError) as error:
        raise InputError(f"{newest} cannot be read ({error}); delete it to resume from the one before") from None
    found = differences(config, saved)
    steps_matter = config["optimizer"]["schedule"] != "constant"
    changed = [
        line for line in found
        if not line.startswith(FREE_TO_CHANGE) or (steps_matter and line.startswith("run.steps"))
    ]  # fmt: skip
    if changed:
        raise InputError(
            f"{newest} belongs to another recipe ({'; '.join(changed[:4])}); give this run its own run.out, "
            "or go back to the recipe that wrote it"
        )
    return newest, state


def _remove_leftovers(folder: Path) -> None:
    for path in folder.glob(f"{UNFINISHED}*"):
        shutil.rmtree(path, ignore_errors=True)


def _disk_is_full(error: Exception, folder: Path) -> bool:
    """Whether a failed save is the disk's fault: the writers of safetensors and torch hide the error number."""
    return getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or shutil.disk_usage(folder).free < 1 << 20
