"""Hundreds of steps with kill -9 at random moments, by the benchmark's own script: see `bench/train_soak.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
import yaml

from tests.rl.toys import toy_recipe

STEPS = os.environ.get("SOAK_STEPS", "500")
SCRIPT = Path(__file__).parents[2] / "bench" / "train_soak.py"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("staleness", "steps", "threads"), [(0, STEPS, 2), (1, "100", 1), (3, "100", 2)])
def test_a_run_killed_at_random_is_the_undisturbed_run_and_nothing_grows(toy, tmp_path, staleness, steps, threads):
    pytest.importorskip("psutil")
    sections = {"evaluate": {"every": 100}, "checkpoint": {"every": 10}, "log": {"samples": 1}}
    sections |= {"rollout": {"staleness": staleness}, "run": {"threads": threads}}
    (tmp_path / "toy.yaml").write_text(yaml.safe_dump(toy_recipe(toy, "", optimizer={"lr": 1e-4}, **sections)))
    command = [sys.executable, str(SCRIPT), "--recipe", str(tmp_path / "toy.yaml"), "--steps", steps]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
