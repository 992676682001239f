"""Measures diversity and accuracy over a grid of temperatures and selects one. The rule is in `temperature.py`."""

from __future__ import annotations

from collections.abc import Sequence

from microcoder_rl.data import Task
from microcoder_rl.diversity import mean_diversity
from microcoder_rl.recipe.config import TemperatureConfig
from microcoder_rl.rollout import Rollout
from microcoder_rl.sampler import Sampler
from microcoder_rl.temperature import Selection, SweepPoint, select_temperature


def sweep_temperatures(
    sampler: Sampler, tasks: Sequence[Task], *, max_tokens: int, step: int = 0
) -> tuple[list[SweepPoint], Selection]:
    """Sample the probe prompts at each temperature of the grid, with the same seeds, and select a temperature."""
    config, settings = sampler.config, sampler.config.temperature
    probes = tasks[: settings.probes]
    seed_parts = [("sweep", config.run.seed, step, task.problem.id) for task in probes]
    points = []
    for temperature in settings.grid:
        groups, _ = sampler.sample(
            probes, seed_parts, config.rollout.group, temperature=temperature, max_tokens=max_tokens
        )
        accepted = [rollout.accuracy for group in groups for rollout in group if rollout.accuracy is not None]
        lengths = [rollout.length for group in groups for rollout in group]
        accuracy = sum(accepted) / len(accepted) if accepted else float("nan")  # the judge failed on every reply
        diversity, length = diversity_of(groups, settings), sum(lengths) / len(lengths)
        points.append(SweepPoint(temperature, diversity, accuracy, length))
    chosen = select_temperature(
        points, target=settings.target, convergence=settings.convergence, margin=settings.margin,
        maximum=settings.maximum, accuracy_drop=settings.accuracy_drop,
    )  # fmt: skip
    return points, chosen


def diversity_of(groups: Sequence[Sequence[Rollout]], settings: TemperatureConfig) -> float:
    """The mean diversity of groups of replies, in the recipe's unit and scope."""
    words = settings.unit == "words"
    replies = [[rollout.text.split() if words else rollout.sampled_ids for rollout in group] for group in groups]
    return mean_diversity(replies, scope=settings.scope)
