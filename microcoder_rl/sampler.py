"""Sampling and grading at the same time: every reply goes to the grader's own processes as soon as it ends.

A reply has no reward, rather than 0, when the grader itself failed or the step's time for grading (`grader.step_s`) was
over before its grade came. With several turns, feedback follows a failed reply, and the conversation is sampled
further as a new request.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import astuple, dataclass, field
from itertools import chain
from statistics import fmean
from typing import Any

from microcoder_eval import Grade, Submission
from microcoder_eval.connection import AnyGrader, step_grades
from microcoder_rl import distributed
from microcoder_rl.data import Task
from microcoder_rl.engines import Engine
from microcoder_rl.recipe.config import Config
from microcoder_rl.rewards import reward_of
from microcoder_rl.rollout import Request, Rollout
from microcoder_rl.seeds import derive_seed
from microcoder_rl.truncation import is_repeating
from microcoder_rl.turns.conversation import add_feedback


@dataclass(frozen=True)
class GradingTimes:
    """Seconds of sampling and grading."""

    sampling_s: float = 0.0
    waiting_s: float = 0.0
    """From the end of sampling to the last grade."""
    hidden_s: float = 0.0
    """Time in which at least one reply was being graded during sampling."""

    def __add__(self, other: GradingTimes) -> GradingTimes:
        return GradingTimes(*(left + right for left, right in zip(astuple(self), astuple(other), strict=True)))


@dataclass
class Submitted:
    """A reply that was sent to the grader."""

    rollout: Rollout
    task: Task
    future: Future[Grade]
    began: float
    ended: float = math.inf


@dataclass(frozen=True)
class Sampler:
    """An engine and a grader that work at the same time. With several ranks, each rank has its share of the tasks."""

    engine: Engine
    grader: AnyGrader
    tokenizer: Any
    config: Config
    lengths: dict[str, float] = field(default_factory=dict)
    """The mean length of the last replies to each problem: ranks get shares of about the same expected length."""

    def sample(
        self,
        tasks: Sequence[Task],
        seed_parts: Sequence[tuple[object, ...]],
        count: int,
        *,
        temperature: float,
        max_tokens: int,
    ) -> tuple[list[list[Rollout]], GradingTimes]:
        """Sample `count` replies to each task and grade them as they end.

        `seed_parts` gives, for each task, what its seeds are derived from (`seeds.derive_seed`).
        """
        requests = [
            Request(task.prompt_ids, tuple(derive_seed(*parts, sample) for sample in range(count)))
            for task, parts in zip(tasks, seed_parts, strict=True)
        ]
        everything, mean = range(len(tasks)), fmean(self.lengths.values() or [1])
        shares = distributed.deal(everything, cost=lambda index: self.lengths.get(tasks[index].problem.id, mean))
        if self.config.rollout.engine == "vllm-server":  # the other ranks have no engine
            shares = [list(everything), *([] for _ in shares[1:])]
        mine = shares[distributed.rank()]
        sampled = self._sample_own([tasks[i] for i in mine], [requests[i] for i in mine], temperature, max_tokens)
        by_rank = distributed.gather(sampled, "sampling")
        groups = dict(zip(chain(*shares), chain(*(groups for groups, _ in by_rank)), strict=True))
        for index, group in groups.items():
            self.lengths[tasks[index].problem.id] = fmean(rollout.length for rollout in group)
        times = max((times for _, times in by_rank), key=lambda times: times.sampling_s + times.waiting_s)
        return [groups[index] for index in everything], times

    def _sample_own(
        self, tasks: Sequence[Task], requests: Sequence[Request], temperature: float, max_tokens: int
    ) -> tuple[list[list[Rollout]], GradingTimes]:
        times = GradingTimes()
        groups: list[list[Rollout]] = [[] for _ in requests]
        unfinished: list[Rollout] = []
        while requests:
            begin = time.perf_counter()
            submitted: list[Submitted] = []
            for piece in self.engine.generate(requests, temperature=temperature, max_tokens=max_tokens):
                rollout = piece
                if unfinished:
                    rollout = unfinished[piece.group]
                    rollout.append(piece)
                else:
                    groups[piece.group].append(rollout)
                submitted.append(self.submit(rollout, tasks[rollout.group]))
            sampled = time.perf_counter()
            self.settle(submitted)
            busy = _covered([(entry.began, min(sampled, entry.ended)) for entry in submitted])
            replies = [(entry.rollout, entry.task) for entry in submitted]
            unfinished = add_feedback(replies, self.grader, self.tokenizer, self.config)
            requests = [rollout.continuation for rollout in unfinished]
            times += GradingTimes(sampled - begin, time.perf_counter() - sampled, busy)
        for group in groups:
            group.sort(key=lambda rollout: rollout.sample)
        return groups, times

    def submit(self, rollout: Rollout, task: Task) -> Submitted:
        """Send the last turn's program to the grader."""
        rollout.text = self.tokenizer.decode(rollout.sampled_ids, skip_special_tokens=True)
        reply = self.tokenizer.decode(rollout.last_reply, skip_special_tokens=True)
        submission = Submission("", task.problem.id, response=reply, truncated=rollout.truncated)
        run_all = self.config.reward.kind != "binary"  # the other kinds count what passes after a failed test
        may_be_cut = self.config.grader.step_s > 0
        future = step_grades.submit(self.grader, task.problem, submission, all_tests=run_all, may_be_cut=may_be_cut)
        entry = Submitted(rollout, task, future, time.perf_counter())
        future.add_done_callback(lambda _: setattr(entry, "ended", time.perf_counter()))
        return entry

    def settle(self, submitted: Sequence[Submitted]) -> None:
        """Wait for the grades, and set grade and reward of each reply."""
        futures, limits = [entry.future for entry in submitted], self.config.grader
        cut = step_grades.wait_for(self.grader, futures, quiet_s=limits.deadline_s, budget_s=limits.step_s)
        for entry in submitted:
            self.conclude(entry, entry.future in cut)

    def conclude(self, entry: Submitted, cut: bool = False) -> None:
        """Set grade and reward of a reply. A grade that has not come, or was cut, is a JUDGE_ERROR."""
        rollout, problem, truncation = entry.rollout, entry.task.problem, self.config.truncation
        limits = {"quiet_s": self.config.grader.deadline_s, "budget_s": self.config.grader.step_s}
        rollout.grade = step_grades.grade_of(entry.future, problem.id, **limits, cut=cut)
        repeating = is_repeating(rollout.last_reply, window=truncation.window, kind=truncation.repeat)
        rollout.reward = reward_of(rollout.grade, problem, self.config.reward, repeating=repeating)


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    """The length of the union of time spans."""
    total, covered_to = 0.0, float("-inf")
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, covered_to))
        covered_to = max(covered_to, end)
    return total
