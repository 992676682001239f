"""Accuracy on held-out problems: avg@n, by platform and difficulty as in the paper's table.

Evaluation has its own number of samples, temperature and length. Its seeds do not depend on the step, so two
checkpoints are compared with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS
from microcoder_rl.data import Task
from microcoder_rl.diversity import mean_diversity
from microcoder_rl.rollout import Rollout
from microcoder_rl.sampler import Sampler

KEPT_TEXTS = 100
"""The first so many problems of a set keep their prompt and first reply for the run's page."""
LONGEST_TEXT = 4000  # characters


@dataclass(frozen=True)
class Evaluation:
    """The result of one evaluation of one set."""

    accuracy: float
    """Mean over problems of the share of accepted replies (avg@n)."""
    table: dict[str, dict[str, float]]
    """Accuracy by platform and level, with a row and a column "All"."""
    length: float
    truncated: float
    diversity: float
    judge_errors: int
    problems: int
    seconds: float
    answers: tuple[dict[str, Any], ...]
    """For each problem its accuracy and the verdicts of its replies; for the first ones also the prompt and a reply."""

    def record(self, step: int, name: str) -> dict[str, Any]:
        """A line of evals.jsonl."""
        known = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "answers"}
        return {"step": step, "set": name, **known}

    def answer_records(self, step: int, name: str) -> list[dict[str, Any]]:
        """Lines of answers.jsonl: one a problem."""
        return [{"step": step, "set": name, **answer} for answer in self.answers]


def evaluate(sampler: Sampler, tasks: Sequence[Task], *, max_tokens: int) -> Evaluation:
    """Sample `evaluate.samples` replies to each task and grade them."""
    how, seed = sampler.config.evaluate, sampler.config.run.seed
    seed_parts = [("evaluate", seed, task.problem.id) for task in tasks]
    groups, times = sampler.sample(tasks, seed_parts, how.samples, temperature=how.temperature, max_tokens=max_tokens)
    replies = [rollout for group in groups for rollout in group]
    accuracies = [_mean([rollout.accuracy for rollout in group if rollout.accuracy is not None]) for group in groups]
    return Evaluation(
        accuracy=_mean(accuracies),
        table=accuracy_table(tasks, accuracies),
        length=_mean([rollout.length for rollout in replies]),
        truncated=_mean([float(rollout.truncated) for rollout in replies]),
        diversity=mean_diversity([[rollout.text.split() for rollout in group] for group in groups]),
        judge_errors=sum(rollout.reward is None for rollout in replies),
        problems=len(tasks),
        seconds=times.sampling_s + times.waiting_s,
        answers=tuple(
            _answer(task, accuracy, group, with_text=number < KEPT_TEXTS)
            for number, (task, accuracy, group) in enumerate(zip(tasks, accuracies, groups, strict=True))
        ),
    )


def accuracy_table(tasks: Sequence[Task], accuracies: Sequence[float]) -> dict[str, dict[str, float]]:
    """Mean accuracy by platform (rows) and level (columns), with "All" for both.

    >>> from microcoder_eval import Problem
    >>> tasks = [Task(Problem("a"), "", (), "AtCoder", "easy"), Task(Problem("b"), "", (), "AtCoder", "hard")]
    >>> accuracy_table(tasks, [1.0, 0.0])
    {'AtCoder': {'easy': 1.0, 'hard': 0.0, 'All': 0.5}, 'All': {'easy': 1.0, 'hard': 0.0, 'All': 0.5}}
    """
    platforms = sorted({task.platform or "unknown" for task in tasks})
    found = {task.level for task in tasks}
    levels = [level for level in DIFFICULTY_LEVELS if level in found] + sorted(found - {*DIFFICULTY_LEVELS, ""})
    table = {}
    for platform in [*platforms, "All"] if platforms != ["All"] else platforms:
        row = {}
        for level in [*levels, "All"]:
            cell = [
                accuracy
                for task, accuracy in zip(tasks, accuracies, strict=True)
                if platform in ("All", task.platform or "unknown") and level in ("All", task.level)
            ]
            if cell:
                row[level] = _mean(cell)
        table[platform] = row
    return table


def _answer(task: Task, accuracy: float, group: Sequence[Rollout], *, with_text: bool) -> dict[str, Any]:
    verdicts = [rollout.grade.verdict.value if rollout.grade else None for rollout in group]
    texts = {"prompt": task.prompt[:LONGEST_TEXT], "reply": group[0].text[:LONGEST_TEXT]} if with_text and group else {}
    return {"problem_id": task.problem.id, "accuracy": accuracy, "verdicts": verdicts, **texts}


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
