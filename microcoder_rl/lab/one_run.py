"""One run of the lab: an arm with a seed, trained by the unchanged trainer and evaluated during training.

    record = run_arm(lab.arm("mask", "all"), seed=3, bench=Bench(Path("runs/lab")))

The record has a point for each evaluation: accuracy on the test questions with the training's length limit (`short`)
and with a long one (`long`), and the means of the training's metrics since the point before. The record depends on the
arm, the seed, the versions of the packages and the CPU, and on nothing else; `results.py` stores it.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from microcoder_eval import Submission
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS
from microcoder_rl.data import Task
from microcoder_rl.engines.torch_engine import TorchEngine
from microcoder_rl.evaluate import evaluate
from microcoder_rl.lab.experiment import Arm
from microcoder_rl.lab.judge import Judge
from microcoder_rl.lab.results import LONG_LIMIT, METRIC_NAMES
from microcoder_rl.lab.world import build_model, draw_questions, tasks_of
from microcoder_rl.policy import Policy
from microcoder_rl.recipe.config import Config
from microcoder_rl.sampler import Sampler
from microcoder_rl.trainer import Trainer

TRAINING_QUESTIONS, TEST_QUESTIONS = 2000, 96
POLICIES = ("strict", "contest", "lenient")
TRUTH = "contest"
"""The policy whose verdicts are right in this world: its questions allow any white space, and no other order."""


@dataclass
class Bench:
    """What the runs of a process share: a folder for models, and the graders."""

    folder: Path
    notify: Callable[[str], None] = print
    judges: dict[str, Judge] = field(default_factory=dict)

    def judge(self, policy: str) -> Judge:
        """The grader with this policy, started when it is first needed."""
        if policy not in self.judges:
            self.judges[policy] = Judge(policy)
        return self.judges[policy]

    def close(self) -> None:
        while self.judges:
            self.judges.popitem()[1].grader.close()


def run_arm(arm: Arm, seed: int, bench: Bench) -> dict[str, Any]:
    """Train and measure an arm. Returns the record of `results.jsonl`, without versions."""
    torch.set_num_threads(1)  # the bits of a sum depend on the number of threads
    began = time.process_time()
    config, world = arm.training(seed), arm.world
    folder = str(build_model(world, seed % world.models, bench.folder / "models", bench.notify))
    model = dataclasses.replace(config.model, path=folder)
    policy = Policy.load(model)
    reference = Policy.load(model) if config.loss.kl_weight else None
    if reference is not None:
        reference.model.requires_grad_(False)
    engine = TorchEngine(policy.model, policy.end_ids, rows=config.rollout.rows)
    training = draw_questions(TRAINING_QUESTIONS, ("train", seed), world, lengths=arm.config.letters)
    test = tasks_of(draw_questions(TEST_QUESTIONS, "test", world), "test")
    grader = bench.judge(config.grader.policy).as_grader(refuse=arm.config.refuse, accept=arm.config.accept, seed=seed)
    trainer = Trainer(
        config, policy, engine, grader, tasks_of(training, "train"), reference=reference, notify=lambda message: None
    )
    sampler = Sampler(engine, bench.judge(TRUTH).as_grader(), policy.tokenizer, config)
    points = [_point(trainer, sampler, test, arm, bench)]
    metrics: list[Mapping[str, float]] = []
    logged = METRIC_NAMES if config.model.dtype == "float32" else {**METRIC_NAMES, "gap": "gap"}  # 0 in fp32
    for step in range(1, config.run.steps + 1):
        metrics.append(trainer.train_step())
        if step % config.evaluate.every == 0 or step == config.run.steps:
            means = {name: _mean([each[metric] for each in metrics]) for metric, name in logged.items()}
            points.append({**_point(trainer, sampler, test, arm, bench), **means})
            metrics = []
    return {"arm": arm.key, "seed": seed, "points": points, "cpu_s": round(time.process_time() - began, 1)}


def _point(trainer: Trainer, sampler: Sampler, test: Sequence[Task], arm: Arm, bench: Bench) -> dict[str, Any]:
    short = evaluate(sampler, test, max_tokens=trainer.max_tokens(max(1, trainer.state.step)))
    long = evaluate(sampler, test, max_tokens=LONG_LIMIT)
    point: dict[str, Any] = {
        "step": trainer.state.step,
        "short": short.accuracy,
        "long": long.accuracy,
        "hex": long.table["hex"]["All"],
        **{level: long.table["dec"][level] for level in DIFFICULTY_LEVELS},
        "eval_length": long.length,
        "eval_cut": short.truncated,
    }
    if arm.config.probe_temperatures:
        point["robust_to"] = _robust_to(sampler, test, arm.config.probe_temperatures)
    if arm.config.probe_policies:
        point |= _by_policy(sampler, test, bench)
    return {name: round(value, 6) for name, value in point.items()}


def _robust_to(sampler: Sampler, test: Sequence[Task], temperatures: Sequence[float]) -> float:
    """The highest temperature whose accuracy is within 10 % of the best one's."""
    accuracy = {}
    for temperature in temperatures:
        how = dataclasses.replace(sampler.config.evaluate, temperature=temperature)
        config: Config = dataclasses.replace(sampler.config, evaluate=how)
        accuracy[temperature] = evaluate(
            dataclasses.replace(sampler, config=config), test, max_tokens=LONG_LIMIT
        ).accuracy
    return max(each for each, value in accuracy.items() if value >= 0.9 * max(accuracy.values()))


def _by_policy(sampler: Sampler, test: Sequence[Task], bench: Bench) -> dict[str, float]:
    """The same replies graded by each policy: the share accepted, and the share of right verdicts."""
    seed_parts = [("policies", sampler.config.run.seed, task.problem.id) for task in test]
    groups, _ = sampler.sample(test, seed_parts, 4, temperature=1.0, max_tokens=LONG_LIMIT)
    replies = [(test[reply.group].problem, reply) for group in groups for reply in group]
    truth = [bool(reply.grade and reply.grade.accepted) for _, reply in replies]
    found = {}
    for policy in POLICIES:
        judge = bench.judge(policy)
        futures = [
            judge.submit(problem, Submission("", problem.id, response=reply.text, truncated=reply.truncated))
            for problem, reply in replies
        ]
        accepted = [future.result().accepted for future in futures]
        found[f"accepted_{policy}"] = fmean(accepted)
        found[f"agree_{policy}"] = fmean(mine == true for mine, true in zip(accepted, truth, strict=True))
    return found


def _mean(values: Sequence[float]) -> float | None:
    known = [value for value in values if value == value]  # a NaN is not equal to itself
    return round(fmean(known), 6) if known else None
