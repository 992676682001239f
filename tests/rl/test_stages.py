"""What changes in the course of a run: the temperature chosen anew, longer replies, a warning when diversity falls."""

from __future__ import annotations

import re

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.run import open_parts, train  # noqa: E402
from microcoder_rl.trainer import Trainer  # noqa: E402
from tests.rl.toys import quiet, steps_of, toy_recipe  # noqa: E402

RESELECTED = {
    "temperature": {"mode": "selected", "reselect_at": [3], "grid": [0.5, 1.0, 1.5], "probes": 2, "unit": "tokens"},
    "rollout": {"max_tokens": 9},
    "evaluate": {"every": 0, "at_start": False},
}


def choices(messages):
    """Step and temperature of each selection in the messages."""
    found = (re.match(r"step (\d+): T = ([\d.]+):", message) for message in messages)
    return [(int(match[1]), float(match[2])) for match in found if match]


def test_the_temperature_is_chosen_at_the_start_and_anew_at_named_steps_only(toy, tmp_path):
    messages = []
    recipe = toy_recipe(toy, tmp_path / "run", run={"steps": 4}, **RESELECTED)
    train(build_config(recipe), notify=messages.append)
    (first_step, first), (second_step, second) = choices(messages)
    assert (first_step, second_step) == (1, 3)
    assert [record["temperature"] for record in steps_of(tmp_path / "run")] == [first, first, second, second]
    assert all(f"{value:g}: D" in messages[0] for value in (0.5, 1.0, 1.5)), "the whole sweep is shown"


def test_a_resumed_run_keeps_the_chosen_temperature_and_chooses_the_same_one_again(toy, tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    train(build_config(toy_recipe(toy, whole, run={"steps": 4}, **RESELECTED)), notify=quiet)
    train(build_config(toy_recipe(toy, cut, run={"steps": 1}, **RESELECTED)), notify=quiet)
    messages = []
    train(build_config(toy_recipe(toy, cut, run={"steps": 4}, **RESELECTED)), resume=True, notify=messages.append)
    assert [step for step, _ in choices(messages)] == [3]
    assert steps_of(cut) == steps_of(whole)


def test_replies_may_be_longer_from_the_named_step_on_and_are_tested_so(toy, tmp_path):
    changes = {"rollout": {"max_tokens_stages": [[0, 2], [3, 9]]}, "log": {"samples": 99}}
    evaluate = {"every": 2, "sets": {"fixed": {"data": str(toy / "tasks.jsonl"), "max_tokens": 4}}}
    recipe = toy_recipe(toy, tmp_path / "run", run={"steps": 4}, evaluate=evaluate, **changes)
    train(build_config(recipe), notify=quiet)
    assert [record["max_tokens"] for record in steps_of(tmp_path / "run")] == [2, 2, 9, 9]
    samples = read_jsonl(tmp_path / "run" / "samples.jsonl")
    longest = {step: max(line["tokens"] for line in samples if line["step"] == step) for step in (1, 2, 3, 4)}
    assert longest[1] == longest[2] == 2 and longest[3] > 2
    assert all(line["finish"] == "stop" for line in samples if line["tokens"] < (2 if line["step"] < 3 else 9))
    lengths = {(line["step"], line["set"]): line["length"] for line in read_jsonl(tmp_path / "run" / "evals.jsonl")}
    assert lengths[2, "test"] <= 2 < lengths[4, "test"], "a set without a limit of its own follows the training's"
    assert lengths[0, "fixed"] > 2


@pytest.mark.parametrize(("slope", "warned"), [(-0.005, True), (0.01, False)])
def test_a_sustained_fall_of_diversity_is_reported_once_in_twenty_steps(toy, tmp_path, slope, warned):
    messages = []
    same_replies = {"value": 0.05, "unit": "tokens"}  # a diversity near 0
    config = build_config(toy_recipe(toy, tmp_path / "run", rollout={"max_tokens": 9}, temperature=same_replies))
    with open_parts(config, quiet) as parts:
        trainer = Trainer(config, parts.policy, parts.engine, parts.grader, parts.train, notify=messages.append)
        trainer.state.step = 18
        trainer.state.diversity = [0.4 + slope * step for step in range(18)]
        for _ in range(3):  # steps 19 to 21
            trainer.train_step()
            trainer.state.diversity[-1] = 0.4 + slope * trainer.state.step
    expected = [20] if warned else []
    warnings = [message for message in messages if "diversity" in message]  # and of steps without an update
    assert [int(re.match(r"step (\d+): diversity fell", message)[1]) for message in warnings] == expected
