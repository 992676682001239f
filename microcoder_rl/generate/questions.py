"""The problems that `eval generate` asks: a dataset, or LiveCodeBench's own files.

LiveCodeBench's tests do not fit into memory, so its tasks have none; `QuestionSet.problem_of` reads them again for
each reply.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microcoder_eval import InputError, Problem
from microcoder_eval.benchmarks.livecodebench.questions import Questions
from microcoder_rl.data import Task, load_tasks, make_task
from microcoder_rl.recipe.config import DataConfig

TIMEOUT_S = 6.0
"""Time limit of a LiveCodeBench test, as in LiveCodeBench's own evaluator."""


@dataclass(frozen=True)
class QuestionSet:
    """Tasks to ask, and `problem_of`, which gives the whole problem of a task, with its tests."""

    tasks: Sequence[Task]
    problem_of: Callable[[Task], Problem]
    left_out: Sequence[str] = ()


def read_dataset(path: Path, tokenizer: Any, data: DataConfig, *, limit: int | None) -> QuestionSet:
    """The problems of a dataset folder, a Parquet file or JSON lines."""
    found = load_tasks(str(path), tokenizer, data, longest=data.max_prompt_tokens, limit=limit or 0)
    return QuestionSet(found.items, lambda task: task.problem, found.left_out)


def read_livecodebench(
    path: Path, release: str | None, tokenizer: Any, data: DataConfig, *, limit: int | None
) -> QuestionSet:
    """The questions of a LiveCodeBench release, without their tests."""
    questions = Questions([path], release)
    tasks = []
    for name in itertools.islice(questions, limit):
        about = {"platform": questions[name].platform, "difficulty": questions[name].difficulty}
        problem = questions.problem(name, TIMEOUT_S)
        task = make_task(replace(problem, tests=()), about, tokenizer, data)
        if len(task.prompt_ids) <= data.max_prompt_tokens:
            tasks.append(task)
    if not tasks:
        raise InputError(f"{path}: no question to ask")
    return QuestionSet(tasks, lambda task: questions.problem(task.problem.id, TIMEOUT_S))
