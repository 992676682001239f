"""What the lab's world is like before any training: one row for each property that the experiments rely on.

    for row in measure(WorldConfig(), load_lab(), bench): print(row.name, row.value, row.holds)

A property that does not hold is a fault of the world: change the world, not the claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import torch

from microcoder_eval import Grade
from microcoder_rl.engines.torch_engine import TorchEngine
from microcoder_rl.lab.experiment import Lab
from microcoder_rl.lab.one_run import Bench
from microcoder_rl.lab.results import LONG_LIMIT
from microcoder_rl.lab.words import FILLER, HEADS, LANGUAGE, RARE_HEAD, Question
from microcoder_rl.lab.world import build_model, draw_questions, tasks_of
from microcoder_rl.lab.world_config import WorldConfig
from microcoder_rl.policy import Policy
from microcoder_rl.recipe import build_config
from microcoder_rl.recipe.config import ModelConfig
from microcoder_rl.rollout import Rollout
from microcoder_rl.sampler import Sampler
from microcoder_rl.truncation import is_repeating

QUESTIONS = 128
SAMPLES = 8


@dataclass(frozen=True)
class Property:
    """A measured property, and the range in which the experiments can show something."""

    name: str
    value: float
    least: float
    most: float
    why: str

    @property
    def holds(self) -> bool:
        return self.least <= self.value <= self.most


@dataclass(frozen=True)
class _Reply:
    question: Question
    rollout: Rollout
    words: tuple[str, ...]

    @property
    def grade(self) -> Grade:
        assert self.rollout.grade is not None
        return self.rollout.grade

    @property
    def manner(self) -> str:
        """How much of the working is written out."""
        lines = next((place for place, word in enumerate(self.words) if word in HEADS), len(self.words))
        lines -= self.words[:lines].count(FILLER)
        return "none" if not lines else "some" if lines < len(self.question.steps) else "all"

    @property
    def program(self) -> tuple[str, ...]:
        start = next((place for place, word in enumerate(self.words) if word in HEADS), len(self.words))
        return self.words[start : start + 3]


def measure(world: WorldConfig, lab: Lab, bench: Bench, number: int = 0) -> list[Property]:
    """Sample model `number` of the world as the base recipe does, grade its replies, and return the properties."""
    torch.set_num_threads(1)
    config = build_config(lab.base)
    model = build_model(world, number, bench.folder / "models", bench.notify)
    policy = Policy.load(ModelConfig(path=str(model)))
    engine = TorchEngine(policy.model, policy.end_ids, rows=config.rollout.rows)
    sampler = Sampler(engine, bench.judge(config.grader.policy).as_grader(), policy.tokenizer, config)
    questions = draw_questions(QUESTIONS, "properties", world)
    tasks = tasks_of(questions, "properties")

    def sample(limit: int) -> list[list[_Reply]]:
        seeds = [("properties", task.problem.id) for task in tasks]
        groups, _ = sampler.sample(tasks, seeds, SAMPLES, temperature=config.temperature.value, max_tokens=limit)
        return [
            [_Reply(question, each, tuple(LANGUAGE.words[token] for token in each.response_ids)) for each in group]
            for question, group in zip(questions, groups, strict=True)
        ]

    short, long = sample(config.rollout.max_tokens), sample(LONG_LIMIT)
    window = config.truncation.window
    return [
        Property(
            "parameters (millions)", sum(each.numel() for each in policy.model.parameters()) / 1e6, 0.1, 2, "cost"
        ),
        *_lengths([reply for group in short for reply in group], [r for group in long for r in group], window),
        *_variety(short, long),
    ]


def _lengths(short: Sequence[_Reply], long: Sequence[_Reply], window: int) -> list[Property]:
    cut = [reply for reply in short if reply.rollout.truncated]
    plain = [reply for reply in long if reply.question.kind == "dec" and not reply.rollout.truncated]
    loops = [is_repeating(reply.rollout.response_ids, window=window) for reply in cut]
    worked, terse = (
        [r for r in plain if r.manner == manner and len(r.question.steps) > 2] for manner in ("all", "none")
    )
    return [
        Property("replies that the training's limit cuts", len(cut) / len(short), 0.1, 0.4, "truncation"),
        Property("of those: right", _share([r.grade.accepted for r in cut]), 0.01, 0.5, "mask"),
        Property("of those: without a whole program", _share([not r.grade.complete for r in cut]), 0.3, 0.98, "mask"),
        Property("of those: ending in a loop", _share(loops), 0.02, 0.6, "repetition"),
        Property("replies with all working, right when not cut", _share(_right(worked)), 0.7, 1, "length pays"),
        Property("replies without working, right (3 letters and more)", _share(_right(terse)), 0.1, 0.5, "length pays"),
        Property("replies without working", _share([r.manner == "none" for r in long]), 0.2, 0.8, "length is a choice"),
    ]


def _variety(short: Sequence[Sequence[_Reply]], long: Sequence[Sequence[_Reply]]) -> list[Property]:
    rates = [_share(_right(group)) for group in short]
    hexadecimal = [reply for group in long for reply in group if reply.question.kind == "hex"]
    programs = [len({reply.program for reply in group if reply.grade.accepted}) for group in long]
    rare = [reply.program[:1] == (HEADS[RARE_HEAD],) for group in long for reply in group]
    return [
        Property("accuracy at the training's limit", fmean(rates), 0.15, 0.7, "room to rise"),
        Property("questions never solved in 8 replies", _share([rate == 0 for rate in rates]), 0.05, 0.5, "difficulty"),
        Property("questions always solved", _share([rate >= 0.875 for rate in rates]), 0.01, 0.5, "difficulty"),
        Property("different right programs for a question", fmean(programs), 1.5, 8, "diversity"),
        Property("replies in the rare manner", _share(rare), 0.001, 0.05, "clip and KL"),
        Property("hexadecimal questions, right", _share(_right(hexadecimal)), 0.0, 0.05, "clip and KL"),
    ]


def _right(replies: Sequence[_Reply]) -> list[bool]:
    return [reply.grade.accepted for reply in replies]


def _share(flags: Sequence[bool]) -> float:
    return fmean(flags) if flags else float("nan")
