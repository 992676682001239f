"""The lab's arms on another model, by `bench/lab_on_model.py`: keys in proportion, a plan, runs, and the page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
import yaml
from click.testing import CliRunner

import cli
from tests.rl.toys import toy_recipe

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def recipe(toy, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("recipe") / "toy.yaml"
    sections = {"run": {"steps": 8}, "log": {"tensorboard": False, "live": False}}
    path.write_text(yaml.safe_dump(toy_recipe(toy, "", **sections)))
    return path


def script(*arguments):
    command = [sys.executable, str(ROOT / "bench" / "lab_on_model.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_the_plan_has_every_arm_but_those_of_the_labs_own_world():
    found = script("pipelines/train/base.yaml", "--plan", "--gpus", 8, "--gpu", "H100", "--seeds", 2)
    assert found.returncode == 0, found.stderr
    arms = {line.split()[0]: float(line.split()[1]) for line in found.stdout.splitlines()[:-1]}
    assert {"mask/m20", "batch/p48", "kl_and_clip/kl_symmetric"} <= arms.keys()
    assert not {"data/easy", "evaluator/flip20", "temperature/probed", "sensitivity/dapo_large"} & arms.keys()
    assert arms["context/l14"] > arms["algorithms/dapo"] > arms["sensitivity/dapo_strong"]
    assert f"{2 * len(arms)} runs, 2 seeds" in found.stdout


@pytest.mark.slow  # nine evaluations in processes of their own; the lab's own runs and pages are in test_runner.py
def test_runs_on_a_model_become_a_page_and_are_not_repeated(recipe, tmp_path):
    run = (recipe, "--claims", "K2", "--seeds", 1, "--out", tmp_path)
    found = script(*run)
    assert found.returncode == 0, found.stderr
    records = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert len(records) == 2 and all(len(record["points"]) == 9 for record in records)
    assert "loss.kl_weight=0.05" in found.stdout and "evaluate.sets.lab_long" in found.stdout
    assert script(*run).stdout == f"results: {tmp_path / 'results.jsonl'}\n"
    page = ["lab", "page", "--results", str(tmp_path / "results.jsonl"), "--out", str(tmp_path)]
    shown = CliRunner().invoke(cli.microcoder, page)
    assert shown.exit_code == 0, shown.output
    assert "1 seeds, too few seeds" in (tmp_path / "insights.md").read_text()
