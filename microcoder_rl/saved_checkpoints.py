"""The complete checkpoints of a run: finds the one to resume from, and removes old ones. Needs no torch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from microcoder_eval import InputError
from microcoder_eval.errors import first_line
from microcoder_rl.recipe import build_config, differences, merged, plain

FREE_TO_CHANGE = ("run.out", "run.name", "run.deadline_s", "checkpoint", "log", "evaluate",
                  "grader.workers", "grader.address", "vllm")  # fmt: skip
"""Keys and whole sections that may differ on resume, because they do not change what is computed. With a constant
learning rate run.steps may differ too."""


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
        raise unreadable(newest, error) from None
    free = {*FREE_TO_CHANGE, "run.steps"} if config["optimizer"]["schedule"] == "constant" else {*FREE_TO_CHANGE}
    saved = merged(plain(build_config({})), saved)  # a key that is newer than the checkpoint had its default
    if changed := [one for one in differences(config, saved) if not free & {one.key, one.key.partition(".")[0]}]:
        raise InputError(
            f"{newest} belongs to another recipe ({'; '.join(map(str, changed[:4]))}); give this run its own run.out, "
            "or go back to the recipe that wrote it"
        )
    return newest


def unreadable(checkpoint: Path, error: Exception) -> InputError:
    return InputError(f"{checkpoint} cannot be read ({first_line(error)}); delete it to resume from the one before")
