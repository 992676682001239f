"""Whole commands with the real vLLM: in the process, in the process of each rank, and as a server that is killed.

vLLM takes longer to start than these runs take to train, so a run has every option that must go together.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import time
from collections import Counter

import pytest

pytest.importorskip("torch")
psutil = pytest.importorskip("psutil")

from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from tests.rl.toys import HIDDEN, small_model, torchrun, toy_recipe, two_ranks  # noqa: E402

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not importlib.util.find_spec("vllm"), reason="vLLM is not installed here: make test-vllm"),
]


@pytest.fixture(scope="module")
def wide_toy(toy, tmp_path_factory):
    """The toy with attention heads as wide as vLLM's CPU kernels want them."""
    folder = tmp_path_factory.mktemp("wide")
    shutil.copytree(toy, folder, dirs_exist_ok=True)
    small_model(vocabulary=11, hidden=32, layers=1, spread=0.05, head_dim=32).save_pretrained(folder / "model")
    return folder


def conversations(wide_toy, public_toy, out, *, steps, lr, **rollout):
    """A recipe for an adapter that learns from replies of several turns."""
    return toy_recipe(
        wide_toy,
        out,
        run={"steps": steps},
        model={"lora": {"rank": 4, "alpha": 8}},
        data={"train": str(public_toy)},
        rollout={"turns": 3, "feedback_tokens": 24, **rollout},
        optimizer={"lr": lr},
        evaluate={"every": 0},
        vllm={"cpu_cache_gb": 1},
    )


@pytest.mark.slow  # each rank's process has vLLM in the test of two ranks below
def test_the_tiny_recipe_with_vllm_in_the_process(tmp_path):
    command = [sys.executable, "-c", "from microcoder_rl.commands import train; train(prog_name='train')"]
    changes = [
        *("rollout.engine=vllm", "run.steps=3", "run.threads=1", f"run.out={tmp_path}/run", f"tiny.cache={tmp_path}"),
        *("tiny.warmup_steps=30", "tiny.warmup_batch=16", "tiny.train_tasks=64", "tiny.warmup_tasks=256"),
        *("tiny.test_tasks=8", "evaluate.samples=1", "evaluate.every=0"),
    ]
    ended = subprocess.run(
        [*command, "run", "pipelines/train/tiny.yaml", *changes], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    records = read_jsonl(tmp_path / "run" / "metrics.jsonl")
    assert [record["step"] for record in records] == [1, 2, 3]
    assert all(record["gap_max"] <= 1e-5 for record in records if record["gap_max"] is not None)
    assert (tmp_path / "run" / "checkpoints" / "step-000003" / "config.json").exists()


def test_replies_are_generated_and_graded(wide_toy, tmp_path):
    command = [sys.executable, "-m", "microcoder", "eval", "generate", "--engine", "vllm", "--dtype", "float32"]
    files = ["--model", wide_toy / "model", "--problems", wide_toy / "tasks.jsonl", "--out", tmp_path / "run"]
    sizes = ["--samples", "8", "--temperature", "1", "--max-tokens", "3", "--workers", "1"]
    ended = subprocess.run([*command, *map(str, files), *sizes], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    grades = read_jsonl(tmp_path / "run" / "grades.jsonl")
    verdicts = Counter(grade["verdict"] for grade in grades)
    assert len({(grade["problem_id"], grade["submission_id"]) for grade in grades}) == 64
    assert verdicts["JUDGE_ERROR"] == 0 < verdicts["ACCEPTED"] < 64, verdicts


def test_each_rank_samples_several_turns_from_the_merged_weights_of_an_adapter(wide_toy, public_toy, tmp_path):
    """What vLLM recorded on each rank, also in later turns and behind the feedback, is what the trainer computes."""
    pytest.importorskip("peft")
    two_ranks(conversations(wide_toy, public_toy, tmp_path / "run", steps=6, lr=0.05, engine="vllm"), tmp_path)
    records = read_jsonl(tmp_path / "run" / "metrics.jsonl")
    assert [record["step"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert all(record["gap_max"] <= 1e-5 for record in records) and records[-1]["entropy"] < records[0]["entropy"]
    has_several_turns(tmp_path / "run")


def test_a_server_that_samples_for_two_ranks_during_updates_and_is_killed_goes_on(wide_toy, public_toy, tmp_path):
    pytest.importorskip("peft")
    server = {"engine": "vllm-server", "staleness": 2}
    process = torchrun(conversations(wide_toy, public_toy, tmp_path / "run", steps=12, lr=0.05, **server), tmp_path)
    metrics = tmp_path / "run" / "metrics.jsonl"
    while len(read_jsonl(metrics)) < 3 and process.poll() is None:
        time.sleep(0.05)
    servers = [each for each in psutil.Process(process.pid).children(recursive=True) if is_server(each)]
    assert len(servers) == 1, servers
    servers[0].kill()
    output, _ = process.communicate()
    assert process.returncode == 0, output
    assert "SIGKILL" in output and "restarting it with its last weights" in output
    records = read_jsonl(metrics)
    assert [record["step"] for record in records] == list(range(1, 13))
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


def has_several_turns(run):
    records = read_jsonl(run / "metrics.jsonl")
    assert all(1 <= record["turns"] <= 3 for record in records) and records[0]["turns"] > 1
    assert sum(record["grad_norm"] is not None and record["grad_norm"] > 0 for record in records) >= 4
    shown = [record for record in read_jsonl(run / "samples.jsonl") if "turns" in record]
    feedback = [turn["feedback"] for record in shown for turn in record["turns"]]
    assert feedback and all("Correct the program" in text and HIDDEN not in text for text in feedback)
