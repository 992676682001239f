"""Writes a run's log files (.jsonl: metrics, evals, answers, samples, curriculum), and to TensorBoard and W&B.

On resume the lines after the checkpoint are removed first, so the files equal those of a run that never stopped.
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path
from microcoder_eval.install_line import install_line
from microcoder_rl.data import Task
from microcoder_rl.recipe.config import LogConfig
from microcoder_rl.rollout import Rollout, Turn


class Log:
    """The log files of one run. Only the first rank writes them."""

    def __init__(self, folder: Path, config: LogConfig, *, name: str, recipe: dict[str, Any], after_step: int) -> None:
        from microcoder_rl import distributed  # here, because reading logs needs no torch

        self.folder, self.config = folder, config
        self._board = None
        self._wandb: Any = None
        self.disabled = distributed.rank() > 0
        if self.disabled:
            return
        folder.mkdir(parents=True, exist_ok=True)
        for file in ("metrics.jsonl", "evals.jsonl", "answers.jsonl", "samples.jsonl", "curriculum.jsonl"):
            _remove_after(folder / file, after_step)
        (folder / "recipe.json").write_text(json.dumps(recipe, indent=1) + "\n", encoding="utf-8")
        if config.tensorboard and importlib.util.find_spec("tensorboard"):
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=after_step + 1)
        if config.wandb:
            if not importlib.util.find_spec("wandb"):
                raise InputError(f"log.wandb is true, but wandb is not installed: {install_line('wandb')}")
            import wandb

            settings = wandb.Settings(mode="offline", silent=True)
            self._wandb = wandb.init(dir=str(folder), project="microcoder", name=name, config=recipe, settings=settings)

    def __enter__(self) -> Log:
        return self

    def step(self, metrics: Mapping[str, float]) -> None:
        """Append a line to metrics.jsonl. The key `step` is required."""
        self._append("metrics.jsonl", [metrics])
        self._numbers(metrics, int(metrics["step"]))

    def evaluation(self, record: Mapping[str, Any], answers: Iterable[Mapping[str, Any]] = ()) -> None:
        """Append the evaluation of one set to evals.jsonl, and its lines for each problem to answers.jsonl."""
        self._append("answers.jsonl", answers)
        self._append("evals.jsonl", [record])
        self._numbers({f"eval/{record['set']}/accuracy": record["accuracy"]}, record["step"])

    def samples(self, step: int, groups: Iterable[tuple[Task, Sequence[Rollout]]]) -> None:
        """Append the first `log.samples` replies of a step, group after group, with verdict, reward and advantage."""
        replies = [(task, rollout) for task, group in groups for rollout in group][: self.config.samples]
        self._append("samples.jsonl", [_sample(step, task, rollout) for task, rollout in replies])

    def choices(self, step: int, chosen: Iterable[tuple[Task, str]]) -> None:
        """Append to curriculum.jsonl why the problems of a step were chosen. Nothing without a curriculum."""
        lines = [{"problem_id": task.problem.id, "why": why} for task, why in chosen if why]
        if lines:
            self._append("curriculum.jsonl", [{"step": step, "problems": lines}])

    def __exit__(self, *_: object) -> None:
        if self._board:
            self._board.close()
        if self._wandb:
            self._wandb.finish()

    def _append(self, name: str, records: Iterable[Mapping[str, Any]]) -> None:
        if self.disabled:
            return
        path = self.folder / name
        lines = "".join(json.dumps(_finite(record), ensure_ascii=False) + "\n" for record in records)
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(lines)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be written: {error.strerror}; fix this and continue with --resume"
            ) from None

    def _numbers(self, metrics: Mapping[str, Any], step: int) -> None:
        numbers = {k: v for k, v in metrics.items() if isinstance(v, (int, float)) and math.isfinite(v)}
        if self._board:
            for key, value in numbers.items():
                self._board.add_scalar(key, value, step)
        if self._wandb:
            self._wandb.log(numbers, step=step)


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The complete lines of a JSONL file. A last line that was cut off by a kill is left out."""
    if not path.exists():
        return []
    records = []
    for line in path.read_bytes().splitlines():  # those of str split at U+2028 too, which JSON does not escape
        try:
            records.append(json.loads(line))
        except ValueError:
            break
    return records


def _sample(step: int, task: Task, rollout: Rollout) -> dict[str, Any]:
    grade = rollout.grade
    rungs = sorted({test.rung for test in grade.tests if test.rung}) if grade else []
    return {
        "step": step,
        "problem_id": task.problem.id,
        "sample": rollout.sample,
        "prompt_tokens": len(rollout.prompt_ids),
        "tokens": rollout.length,
        "finish": rollout.finish,
        "temperature": rollout.temperature,
        "verdict": grade and grade.verdict.value,
        "rungs": rungs,
        "detail": grade and grade.detail,
        "reward": rollout.reward,
        "advantage": rollout.advantage,
        "mask": rollout.mask,
        "prompt": task.prompt,
        "reply": rollout.text,
        **({"turns": [_turn(turn) for turn in rollout.earlier]} if rollout.earlier else {}),
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {"verdict": turn.grade.verdict.value, "reward": turn.reward, "feedback": turn.feedback}


def _finite(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with null in place of NaN and infinities, which JSON does not have."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in record.items()}


def _remove_after(path: Path, step: int) -> None:
    """Rewrite a log file without the lines of later steps."""
    if not path.exists():
        return
    kept = [record for record in read_jsonl(path) if record["step"] <= step]
    with atomic_path(path) as temporary:
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in kept)
        temporary.write_text("".join(lines), encoding="utf-8")
