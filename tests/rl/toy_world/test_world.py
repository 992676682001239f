"""The toy world: its programs are right, lengths differ by style, and it is found again once built."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from microcoder_eval import Grader, Problem  # noqa: E402
from microcoder_rl.recipe.config import TinyConfig  # noqa: E402
from microcoder_rl.toy_world import build_world  # noqa: E402
from microcoder_rl.toy_world.tasks import STYLES, make_tasks  # noqa: E402


def test_every_style_of_every_task_is_accepted_by_the_grader():
    tasks = make_tasks(60, seed=1)
    pairs = [(Problem.from_dict(task), task["replies"][style]) for task in tasks for style in STYLES]
    with Grader(workers=1, isolation="submission") as grader:
        assert all(grade.accepted for grade in grader.grade_many(pairs))


def test_tasks_are_distinct_reproducible_and_of_every_kind():
    tasks = make_tasks(300, seed=0)
    assert tasks == make_tasks(300, seed=0) and len({task["prompt"] for task in tasks}) == 300
    assert {task["difficulty"] for task in tasks} == {"easy", "medium", "hard"}
    assert {task["platform"] for task in tasks} == {"Numbers", "Lists"}
    lengths = {style: sum(len(task["replies"][style]) for task in tasks) for style in STYLES}
    assert lengths["spelled"] > 1.2 * lengths["steps"]


def prompts_of(path):
    return {json.loads(line)["prompt"] for line in Path(path).read_text().splitlines()}


def test_a_world_is_built_once_and_does_not_depend_on_where(tmp_path):
    from safetensors.torch import load_file

    def config(cache):
        return TinyConfig(
            cache=str(tmp_path / cache), hidden=32, layers=1, train_tasks=40, warmup_tasks=40, test_tasks=20,
            warmup_steps=5, warmup_batch=8,
        )  # fmt: skip

    messages = []
    world = build_world(config("a"), messages.append)
    assert messages
    messages.clear()
    assert build_world(config("a"), messages.append) == world and not messages
    other = build_world(config("b"), messages.append)
    first, second = (load_file(f"{each.model}/model.safetensors") for each in (world, other))
    assert all(torch.equal(first[name], second[name]) for name in first)
    train, test = (prompts_of(path) for path in (world.train, world.test))
    assert len(train) == 40 and len(test) == 20 and not train & test
