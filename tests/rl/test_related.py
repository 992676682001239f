"""The recipes of related systems: each trains the toy for 20 steps, with a real model and the real grader."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
import yaml  # noqa: E402

from microcoder_rl.recipe import build_config, merged  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.run import train  # noqa: E402
from tests.rl.toys import evaluations_of, quiet, steps_of, toy_recipe  # noqa: E402

RELATED = sorted(Path("pipelines/train/related").glob("*.yaml"))
STAGES = ("coderl_samples", "coderl_stored")
SMALL = {
    "run": {"steps": 20},
    "rollout": {"engine": "torch", "max_tokens": 3, "feedback_tokens": 24},
    "evaluate": {"every": 0},
}


def own_keys(path):
    """What a recipe adds to base.yaml."""
    written = yaml.safe_load(path.read_text())
    base = written.pop("extends")
    return written if base.endswith("base.yaml") else merged(own_keys(path.parent / base), written)


def write_solutions(toy, path):
    names = [json.loads(line)["id"] for line in (toy / "tasks.jsonl").read_text().splitlines()]
    code = "x = 1\nif x:\n    print(1)\nfor y in []:\n    pass\n"
    path.write_text("".join(json.dumps({"id": name, "solution": code}) + "\n" for name in names))
    return path


@pytest.fixture
def changes_of(toy, tmp_path):
    """A recipe's keys, with sizes and files of the toy."""

    def changed(path):
        changes = merged(own_keys(path), SMALL)
        if "solutions" in changes.get("curriculum", {}):
            changes["curriculum"]["solutions"] = str(write_solutions(toy, tmp_path / "solutions.jsonl"))
        if "replay" in changes["rollout"]:
            changes["rollout"]["replay"] = str(tmp_path / "samples")
        curriculum = changes.get("curriculum", {})
        if "from_step" in curriculum:
            curriculum["from_step"] = 10
        if curriculum.get("rate") == "mean":  # the toy's model solves nothing at first, and visits count from then on
            curriculum["high"] = 0.5
        if "batch" in changes:
            changes["batch"]["minibatch"] = 4
        if "overlong_buffer" in changes.get("advantage", {}):
            changes["advantage"]["overlong_buffer"] = 1
        if "repetition" in changes.get("reward", {}):
            changes["truncation"] = {"window": 1}
        return changes

    return changed


@pytest.mark.parametrize("path", [path for path in RELATED if path.stem not in STAGES], ids=lambda path: path.stem)
def test_a_related_recipe_trains_the_toy(toy, tmp_path, changes_of, path):
    recipe = toy_recipe(toy, tmp_path / "run", **{"algorithm": "dapo", **changes_of(path)})
    train(build_config(recipe), notify=quiet)
    records = steps_of(tmp_path / "run")
    assert len(records) == 20 and all(math.isfinite(record["loss"]) for record in records)
    assert sum(record["grad_norm"] is not None for record in records) > 10
    accepted = [record["accepted"] for record in records]
    assert sum(accepted[-5:]) > sum(accepted[:5])
    if recipe.get("reward", {}).keys() & {"cost", "repetition"}:
        assert any(record["reward"] < record["accepted"] for record in records)
    if recipe.get("curriculum"):
        assert_problems_are_left_out(tmp_path / "run", recipe)


def assert_problems_are_left_out(run, recipe):
    """An epoch has fewer problems than all, so the run is not the one without a curriculum. Of kind reference: a
    problem is shown in several ways."""
    chosen = [each for line in read_jsonl(run / "curriculum.jsonl") for each in line["problems"]]
    if recipe["curriculum"]["kind"] == "reference":
        assert len({each["why"].partition(", reference")[2] for each in chosen}) > 1
        return
    epochs = [int(re.match(r"epoch (\d+)", each["why"])[1]) for each in chosen]
    assert sorted(epochs) == epochs
    sizes = Counter(epochs)
    assert sizes[1] == 8 > min(sizes[epoch] for epoch in range(2, epochs[-1]))


def test_stored_samples_train_the_toy_without_sampling(toy, tmp_path, changes_of):
    samples, stored = (changes_of(RELATED[0].with_name(f"{stage}.yaml")) for stage in STAGES)
    samples["evaluate"] = stored["evaluate"] = {"every": 0, "samples": 32}
    train(build_config(toy_recipe(toy, tmp_path / "samples", **{**samples, "run": {"steps": 20}})), notify=quiet)
    before, after = evaluations_of(tmp_path / "samples")
    assert before["accuracy"] == after["accuracy"], "the first stage trains nothing"
    train(build_config(toy_recipe(toy, tmp_path / "run", **stored)), notify=quiet)
    first, second = (steps_of(tmp_path / name) for name in ("samples", "run"))
    assert [record["accepted"] for record in second] == [record["accepted"] for record in first]
    assert {record["ratio"] for record in second if record["grad_norm"] is not None} == {1.0}
    assert evaluations_of(tmp_path / "run")[-1]["accuracy"] > before["accuracy"] + 0.05
