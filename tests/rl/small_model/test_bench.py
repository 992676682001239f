"""`make real` on a toy model: its page, and what stops it, `bench/real_model.py`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")

# five starts of torch: runs that resume, their pages and Ctrl-C are tested in lab/ and commands/
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def keys(toy) -> list[str]:
    tasks = json.dumps(str(toy / "tasks.jsonl"))
    return [
        f"model.path={toy / 'model'}", "model.dtype=float32", f"data.train={tasks}", "run.steps=2",
        f"evaluate.sets.held_out.data={tasks}", "evaluate.every=1", "evaluate.samples=2", "checkpoint.every=1",
        "rollout.group=4", "rollout.max_tokens=3", "batch.prompts=2", "batch.minibatch=2", "grader.workers=1",
    ]  # fmt: skip


def command(out: Path, keys: list[str], seeds: int = 1) -> list[str]:
    options = ["--algorithms", "grpo", "--seeds", str(seeds), "--jobs", "1", "--out", str(out)]
    return [sys.executable, str(ROOT / "bench" / "real_model.py"), *options, *keys]


def call(*arguments) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def finished(keys, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("real")
    ended = call(out, keys)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "grpo" in ended.stdout and "1 seeds" in ended.stdout
    return out


def test_the_page_has_curves_and_replies_before_and_after(finished):
    page = (finished / "curves.html").read_text()
    assert "<polyline" in page
    assert "Replies before and after" in page
    assert "Step 0" in page and "Step 2" in page


def test_finished_runs_are_not_repeated(finished, keys):
    ended = call(finished, keys)
    assert ended.returncode == 0, ended.stderr
    assert "grpo-0:" not in ended.stdout


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("optimizer.lr=0.5", "belongs to another recipe (optimizer.lr: "),
        ("--turns=3", "--turns"),
    ],
)
def test_finished_runs_are_not_taken_for_those_of_other_keys(finished, keys, more, reason):
    ended = call(finished, [*keys, more])
    assert ended.returncode == 1
    assert reason in ended.stderr and "Traceback" not in ended.stderr


def test_ctrl_c_starts_no_other_run(keys, tmp_path):
    asked = command(tmp_path, keys, seeds=2)
    bench = subprocess.Popen(asked, cwd=ROOT, start_new_session=True, stderr=subprocess.PIPE, text=True)
    while bench.poll() is None and not (tmp_path / "grpo-0" / "metrics.jsonl").exists():
        time.sleep(0.05)
    os.killpg(bench.pid, signal.SIGINT)
    _, said = bench.communicate()
    assert bench.returncode == 130
    assert "the same command resumes" in said and "Traceback" not in said
    assert not (tmp_path / "grpo-1").exists()
