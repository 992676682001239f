"""The function tasks for a small language model: how many, held out by family, and that their tests say something."""

from __future__ import annotations

import json

import pytest

from microcoder_eval import Problem
from microcoder_rl.small_model.tasks import FAMILIES, HELD_OUT, make_tasks

pytestmark = pytest.mark.fast


def test_the_test_tasks_are_of_families_that_are_not_trained():
    train, test = make_tasks()
    assert (len(train), len(test)) == (180, 60)
    names = [task["entry_point"] for task in (*train, *test)]
    assert len(set(names)) == 240
    assert {name.rsplit("_", 1)[0] for name in names[180:]} == HELD_OUT
    assert not {name.rsplit("_", 1)[0] for name in names[:180]} & HELD_OUT
    held_out = [family.argument for family in FAMILIES if family.name in HELD_OUT]
    assert {held_out.count(kind) for kind in ("number", "text", "list of numbers")} == {4}


def test_no_constant_passes_a_task():
    for task in (task for tasks in make_tasks() for task in tasks):
        assert len(Problem.from_dict(task).tests) == 8, task["id"]
        assert len({json.dumps(test["output"]) for test in task["tests"]}) > 1, task["id"]
        assert f"`{task['entry_point']}(" in task["prompt"] and "{" not in task["prompt"], task["id"]


def test_the_tasks_are_the_same_in_every_call():
    assert json.dumps(make_tasks()) == json.dumps(make_tasks())
