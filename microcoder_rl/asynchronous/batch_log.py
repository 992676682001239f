"""The batches that a run has consumed, one file per step, written before the step's updates.

    batches = BatchLog(Path("runs/mine/batches"))
    batches.save(12, batch)
    batches.load(12, tasks)             # the same batch, or None

A resumed run trains on the batches that were consumed after its checkpoint. A replay (`rollout.replay`) trains on all
batches of another run. The files hold numbers and text only; nothing in them is executed when they are read.
"""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from microcoder_eval import Grade, InputError
from microcoder_eval.atomic import atomic_path
from microcoder_eval.errors import first_line
from microcoder_rl.collect import Batch, Group
from microcoder_rl.data import Task
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Rollout, Turn
from microcoder_rl.sampler import GradingTimes

PLAIN = ("cursor", "temperature", "max_tokens", "version", "pending", "dropped", "curriculum")

ADDED = {"baseline": ("greedy", "greedy replies"), "credit": ("executed", "executed lines")}
"""Keys of `advantage` whose values need more in a batch than sampled and graded replies, and what."""


def replayed(config: Config) -> BatchLog:
    """The batches of the run that `rollout.replay` names. Raises InputError when they lack what the recipe needs."""
    run, ours = Path(config.rollout.replay), vars(config.advantage)
    recipe = run / "recipe.json"
    theirs = json.loads(recipe.read_text(encoding="utf-8"))["advantage"] if recipe.exists() else ours
    for key, (value, what) in ADDED.items():
        if ours[key] == value != theirs[key]:
            raise InputError(f"advantage.{key}: {value} needs {what}; the batches of {run} are from {theirs[key]}")
    return BatchLog(run / "batches")


class BatchLog:
    """The folder of a run's batches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, step: int, batch: Batch) -> None:
        """Write a batch, completely or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        record = {
            **{name: getattr(batch, name) for name in PLAIN},
            "times": asdict(batch.times),
            **{name: [_group(group) for group in getattr(batch, name)] for name in ("groups", "discarded")},
        }
        try:
            with atomic_path(self._path(step)) as temporary:
                torch.save(record, temporary)
        except (OSError, RuntimeError) as error:
            raise InputError(f"{self._path(step)}: cannot be written: {error}; continue with --resume") from error

    def load(self, step: int, tasks: Sequence[Task]) -> Batch | None:
        """The batch of a step, or None when there is none."""
        path = self._path(step)
        if not path.exists():
            return None
        try:
            record = torch.load(path, weights_only=True)
        except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
            raise InputError(f"{path} cannot be read ({first_line(error)})") from None
        known = {task.problem.id: task for task in tasks}
        batch = Batch(**{name: record[name] for name in PLAIN}, times=GradingTimes(**record["times"]))
        for name in ("groups", "discarded"):
            for each in record[name]:
                if each["problem"] not in known:
                    raise InputError(f"{path}: problem {each['problem']!r} is not in data.train")
                rollouts = [_rollout_from(plain) for plain in each["rollouts"]]
                task = replace(known[each["problem"]], prompt=each["prompt"], prompt_ids=rollouts[0].prompt_ids)
                getattr(batch, name).append(Group(task, rollouts, each["greedy"], each["why"]))
        return batch

    def prune(self, before: int) -> None:
        """Remove the batches of earlier steps."""
        for path in self.folder.glob("step-*.pt"):
            if path.stem[5:].isdigit() and int(path.stem[5:]) < before:
                path.unlink()

    def clear(self) -> None:
        """Remove all batches."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, step: int) -> Path:
        return self.folder / f"step-{step:06d}.pt"


def _group(group: Group) -> dict[str, Any]:
    return {
        "problem": group.task.problem.id,
        "prompt": group.task.prompt,  # a curriculum may have changed it
        "why": group.why,
        "greedy": group.greedy,
        "rollouts": [_plain(rollout) for rollout in group.rollouts],
    }


def _plain(rollout: Rollout) -> dict[str, Any]:
    turns = [{**vars(turn), "grade": turn.grade.to_dict()} for turn in rollout.earlier]
    return {**vars(rollout), "grade": rollout.grade and rollout.grade.to_dict(), "earlier": turns}


def _rollout_from(plain: dict[str, Any]) -> Rollout:
    turns = [Turn(**{**turn, "grade": Grade.from_dict(turn["grade"])}) for turn in plain["earlier"]]
    grade = plain["grade"] and Grade.from_dict(plain["grade"])
    return Rollout(**{**plain, "grade": grade, "earlier": turns})
