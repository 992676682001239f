"""The order in which problems are trained, and why each one comes.

    order = TaskOrder(tasks, config, tokenizer, longest=2048)
    choice = order.next(step=1)                  # the task, its place in the stream, and the reason
    order.observe(choice.index, [1.0, 0.0])      # the accuracies of its replies
    order.restore(cursor, order.snapshot())      # exactly the same choices again

An epoch is a permutation of the problems. `curriculum.kind` leaves some of them out at the beginning of an epoch, by
their pass rates, or changes their prompts.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from microcoder_eval import InputError
from microcoder_rl.chat.foreign_text import without_special_tokens
from microcoder_rl.chat.prompt import encode_prompt
from microcoder_rl.chat.training_rows import text_of
from microcoder_rl.curriculum.references import cuts, read_references, with_beginning
from microcoder_rl.data import Task, training_order
from microcoder_rl.recipe.config import Config
from microcoder_rl.seeds import derive_seed, uniforms

BY_PROBLEM = ("rates", "visits", "stages")
"""What is known of each problem, by its index."""


@dataclass(frozen=True)
class Choice:
    """A problem to sample next."""

    position: int
    """Position in the stream of prompts. Seeds are derived from it."""
    index: int
    """Index of the problem in the training set."""
    task: Task
    why: str = ""
    """Empty without a curriculum."""


class TaskOrder:
    """Chooses the next problem. `cursor` is the position of the next choice, `longest` the room for a prompt in
    tokens."""

    def __init__(self, tasks: Sequence[Task], config: Config, tokenizer: Any, *, longest: int) -> None:
        self.tasks, self.config, self.rule, self.tokenizer = tasks, config, config.curriculum, tokenizer
        self.references = read_references(self.rule.solutions) if self.rule.kind == "reference" else {}
        self.longest = min(longest, config.data.max_prompt_tokens)
        known = [self.references[task.problem.id] for task in tasks if task.problem.id in self.references]
        if self.references and not any(map(cuts, known)):
            what = "Python solution with a branch or a loop" if known else "solution"
            raise InputError(f"curriculum.solutions: {self.rule.solutions} has no {what} of a problem of data.train")
        self.restore(0, {})

    def restore(self, cursor: int, snapshot: dict[str, Any]) -> None:
        """Continue from a cursor and a snapshot. Without a curriculum the snapshot is empty."""
        self.cursor = cursor
        self.epoch: int = snapshot.get("epoch", -1)
        self.began: int = snapshot.get("began", 0)  # the step in which the epoch began
        self.left: list[int] = list(snapshot.get("left", []))
        by_problem = ({int(index): value for index, value in snapshot.get(name, {}).items()} for name in BY_PROBLEM)
        self.rates: dict[int, float]
        self.visits: dict[int, int]
        self.stages: dict[int, int]
        self.rates, self.visits, self.stages = by_problem

    def snapshot(self) -> dict[str, Any]:
        """The state behind the choices, as plain data for JSON."""
        if self.rule.kind == "none":
            return {}
        by_problem = {name: {str(index): each for index, each in getattr(self, name).items()} for name in BY_PROBLEM}
        return {"epoch": self.epoch, "began": self.began, "left": list(self.left), **by_problem}

    def next(self, step: int) -> Choice:
        """The next problem of the stream."""
        seed, shuffle = self.config.run.seed, self.config.data.shuffle
        position, self.cursor = self.cursor, self.cursor + 1
        if self.rule.kind == "none":
            index = next(training_order(len(self.tasks), seed, position, shuffle=shuffle))
            return Choice(position, index, self.tasks[index])
        if not self.left or self.began < self.rule.from_step <= step:
            self.epoch, self.began = self.epoch + 1, step
            count = len(self.tasks)
            order = list(itertools.islice(training_order(count, seed, self.epoch * count, shuffle=shuffle), count))
            self.left = [index for index in order if self._stays(index, step)] or order
        return self.again(position, self.left.pop(0))

    def again(self, position: int, index: int) -> Choice:
        """The choice of a given problem at a given position, for a resumed run as for `next`."""
        task, rate = self.tasks[index], self.rates.get(index)
        if self.rule.kind == "none":
            return Choice(position, index, task)
        known = "not visited yet" if rate is None else f"{self.rule.rate} pass rate {rate:.2f}"
        why = f"epoch {self.epoch + 1}, {known}"
        code = self.references.get(task.problem.id)
        if code is None:
            return Choice(position, index, task, why)
        stage, stages = self.stages.get(index, 0), len(cuts(code))
        if stage >= stages:
            return Choice(position, index, task, f"{why}, without the reference")
        chat = with_beginning(task.messages, without_special_tokens(self.tokenizer, code), stage)
        ids = tuple(encode_prompt(self.tokenizer, chat, self.config.data.chat))
        if len(ids) > self.longest:
            return Choice(position, index, task, f"{why}, without the reference: too long a prompt")
        shown = f"{why}, reference up to line {cuts(code)[stage]}, stage {stage + 1} of {stages + 1}"
        return Choice(position, index, replace(task, prompt=text_of(chat), prompt_ids=ids), shown)

    def observe(self, index: int, accuracies: Sequence[float | None]) -> None:
        """Record the pass rate of a problem's replies. Replies that could not be judged do not count."""
        judged = [accuracy for accuracy in accuracies if accuracy is not None]
        if not judged or self.rule.kind == "none":
            return
        seen = self.visits.get(index, 0) if self.rule.rate == "mean" else 0
        self.rates[index] = (self.rates.get(index, 0.0) * seen + fmean(judged)) / (seen + 1)
        self.visits[index] = seen + 1
        if self.references.get(self.tasks[index].problem.id) and self.rates[index] > self.rule.threshold:
            self.stages[index] = self.stages.get(index, 0) + 1

    def _stays(self, index: int, step: int) -> bool:
        """Whether a problem is part of the epoch that begins now."""
        rate = self.rates.get(index)
        if rate is None:
            return True
        if self.rule.kind == "history":
            return rate < 1
        if self.rule.kind != "bands" or step < self.rule.from_step or self.rule.low <= rate <= self.rule.high:
            return True
        seed = derive_seed("outside", self.config.run.seed, self.epoch, self.tasks[index].problem.id)
        return float(uniforms(seed, 1)[0]) < self.rule.outside
