"""Whole runs with the real vLLM, from the command line: in the process, as a server, during updates, and killed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time

import pytest

pytest.importorskip("torch")
psutil = pytest.importorskip("psutil")
import yaml  # noqa: E402

from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from tests.rl.toys import HIDDEN, small_model, toy_recipe  # noqa: E402

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not importlib.util.find_spec("vllm"), reason="vLLM is not installed here: make test-vllm"),
]
COMMAND = [sys.executable, "-c", "from microcoder_rl.commands import train; train(prog_name='train')", "run"]

TURNS = {"turns": 3, "feedback_tokens": 24}


@pytest.fixture(scope="module")
def wide_toy(toy, tmp_path_factory):
    """The toy with attention heads as wide as vLLM's CPU kernels want them."""
    import shutil

    folder = tmp_path_factory.mktemp("wide")
    shutil.copytree(toy, folder, dirs_exist_ok=True)
    small_model(vocabulary=11, hidden=32, layers=1, spread=0.05, head_dim=32).save_pretrained(folder / "model")
    return folder


def start(toy, folder, **changes):
    """Without compilation, which only the tiny recipe's run has: it takes longer than the rest of a short run."""
    recipe = toy_recipe(toy, folder / "run", evaluate={"every": 0}, vllm={"cpu_cache_gb": 1, "eager": True}, **changes)
    (folder / "toy.yaml").write_text(yaml.safe_dump(recipe))
    return subprocess.Popen(
        [*COMMAND, str(folder / "toy.yaml")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def finished(process):
    output, _ = process.communicate()
    assert process.returncode == 0, output
    return output


def test_the_tiny_recipe_with_vllm_in_the_process(tmp_path):
    changes = [
        *("rollout.engine=vllm", "run.steps=3", "run.threads=1", f"run.out={tmp_path}/run", f"tiny.cache={tmp_path}"),
        *("tiny.warmup_steps=30", "tiny.warmup_batch=16", "evaluate.samples=1", "evaluate.every=0"),
    ]
    finished(
        subprocess.Popen(
            [*COMMAND, "pipelines/train/tiny.yaml", *changes],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    )
    records = read_jsonl(tmp_path / "run" / "metrics.jsonl")
    assert [record["step"] for record in records] == [1, 2, 3]
    assert all(record["gap_max"] <= 1e-5 for record in records if record["gap_max"] is not None)
    assert (tmp_path / "run" / "checkpoints" / "step-000003" / "config.json").exists()


def test_training_with_vllm_in_the_process_raises_the_reward(wide_toy, tmp_path):
    finished(start(wide_toy, tmp_path, run={"steps": 30}, rollout={"engine": "vllm"}))
    records = read_jsonl(tmp_path / "run" / "metrics.jsonl")
    assert all(record["gap_max"] <= 1e-5 for record in records if record["gap_max"] is not None)
    rewards = [record["reward"] for record in records]
    assert sum(rewards[-5:]) - sum(rewards[:5]) > 1.5


def test_a_server_that_samples_during_updates_and_is_killed_goes_on(wide_toy, public_toy, tmp_path):
    rollout = {"engine": "vllm-server", "staleness": 2, **TURNS}
    process = start(wide_toy, tmp_path, run={"steps": 12}, data={"train": str(public_toy)}, rollout=rollout)
    metrics = tmp_path / "run" / "metrics.jsonl"
    while len(read_jsonl(metrics)) < 3 and process.poll() is None:
        time.sleep(0.05)
    servers = [each for each in psutil.Process(process.pid).children(recursive=True) if is_server(each)]
    assert servers, "no server was found"
    servers[0].kill()
    output = finished(process)
    assert "SIGKILL" in output and "restarting it with its last weights" in output
    records = read_jsonl(metrics)
    assert records[0]["staleness_max"] == 0 and 1 <= max(record["staleness_max"] for record in records) <= 2
    assert sum(record["reward"] for record in records[-3:]) > sum(record["reward"] for record in records[:3])
    assert not any(each.is_running() for each in servers)
    has_several_turns(tmp_path / "run")


def is_server(process):
    try:
        words = " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # a program that was graded, and ended since it was listed
        return False
    return "vllm.entrypoints" in words and "end_with_parent" not in words


@pytest.mark.parametrize("engine", ["vllm", "vllm-server"])
def test_an_adapters_merged_weights_sample_several_turns(wide_toy, public_toy, tmp_path, engine):
    """What vLLM recorded, also in later turns and behind the feedback, is what the trainer computes."""
    pytest.importorskip("peft")
    lora = {"model": {"lora": {"rank": 4, "alpha": 8}}, "optimizer": {"lr": 0.05}}
    more = {"data": {"train": str(public_toy)}, "rollout": {"engine": engine, **TURNS}, **lora}
    finished(start(wide_toy, tmp_path, run={"steps": 6}, **more))
    records = read_jsonl(tmp_path / "run" / "metrics.jsonl")
    assert [record["step"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert all(record["gap_max"] <= 1e-5 for record in records) and records[-1]["entropy"] < records[0]["entropy"]
    has_several_turns(tmp_path / "run")


def has_several_turns(run):
    records = read_jsonl(run / "metrics.jsonl")
    assert all(1 <= record["turns"] <= 3 for record in records) and records[0]["turns"] > 1
    assert sum(record["grad_norm"] is not None and record["grad_norm"] > 0 for record in records) >= 4
    shown = [record for record in read_jsonl(run / "samples.jsonl") if "turns" in record]
    feedback = [turn["feedback"] for record in shown for turn in record["turns"]]
    assert feedback and all("Correct the program" in text and HIDDEN not in text for text in feedback)
