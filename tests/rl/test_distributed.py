"""Several ranks, started by torchrun as a user does: the same run as one process, whatever happens to them."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time

import pytest

torch = pytest.importorskip("torch")
psutil = pytest.importorskip("psutil")
import yaml  # noqa: E402
from safetensors.torch import load_file  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402

from microcoder_rl import distributed  # noqa: E402
from microcoder_rl.commands.run import train  # noqa: E402
from microcoder_rl.metrics import read_jsonl  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from tests.rl.conftest import small_model, toy_recipe  # noqa: E402

START = """
import atexit, torch.distributed
atexit.register(lambda: torch.distributed.is_initialized() and print("a rank ends within its process group"))
from microcoder_rl.commands import train
train(prog_name="train")
"""


def torchrun(recipe, folder, *flags):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy.yaml").write_text(yaml.safe_dump(recipe))
    (folder / "start.py").write_text(START)
    command = ["torch.distributed.run", "--nproc-per-node", "2", folder / "start.py", "run", folder / "toy.yaml"]
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, command), "--quiet", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )


def two_ranks(recipe, folder, *flags):
    process = torchrun(recipe, folder, *flags)
    output, _ = process.communicate(timeout=280)
    assert process.returncode == 0, output
    assert "within its process group" not in output  # or gloo's threads may abort it
    return output


def one_process(recipe, **options):
    train(build_config(recipe), notify=lambda message: None, **options)


def compare(found, expected):
    """The same run: the same replies, and numbers equal up to the order in which gradients were added."""
    ours, theirs = read_jsonl(found / "metrics.jsonl"), read_jsonl(expected / "metrics.jsonl")
    assert len(ours) == len(theirs) > 0
    for a, b in zip(ours, theirs, strict=True):
        assert a["loss"] == pytest.approx(b["loss"], abs=1e-6)
        assert (a["grad_norm"] or 0.0) == pytest.approx(b["grad_norm"] or 0.0, rel=1e-4)  # null without an update
        for key in ("step", "reward", "length", "diversity", "tokens", "prompts_with_signal", "mask_share"):
            assert a[key] == b[key], key
    texts = [[sample["reply"] for sample in read_jsonl(run / "samples.jsonl")] for run in (found, expected)]
    assert texts[0] == texts[1]
    accuracies = [[each["accuracy"] for each in read_jsonl(run / "evals.jsonl")] for run in (found, expected)]
    assert accuracies[0] == accuracies[1]


def test_two_ranks_train_as_one_for_twenty_steps(toy, tmp_path):
    changes = {"run": {"steps": 20}, "evaluate": {"every": 10}, "checkpoint": {"every": 20}}
    one_process(toy_recipe(toy, tmp_path / "one", **changes))
    output = two_ranks(toy_recipe(toy, tmp_path / "two", **changes), tmp_path)
    compare(tmp_path / "two", tmp_path / "one")
    assert output.count("run folder:") == 1

    models = [
        AutoModelForCausalLM.from_pretrained(tmp_path / run / "checkpoints" / "step-000020").state_dict()
        for run in ("one", "two")
    ]
    files = [tmp_path / run / "checkpoints" / "step-000020" / "model.safetensors" for run in ("one", "two")]
    assert set(load_file(files[0])) == set(load_file(files[1]))  # tied weights once
    for name, weight in models[0].items():
        assert torch.allclose(weight, models[1][name], atol=1e-4), name


def test_a_run_goes_on_with_another_number_of_ranks(toy, tmp_path):
    def recipe(steps, out="run"):
        return toy_recipe(toy, tmp_path / out, run={"steps": steps}, evaluate={"every": 0, "sets": {}})

    one_process(recipe(2))
    two_ranks(recipe(4), tmp_path, "--resume")
    one_process(recipe(6), resume=True)
    one_process(recipe(6, "undisturbed"))
    steps = [
        [record["loss"] for record in read_jsonl(tmp_path / run / "metrics.jsonl")] for run in ("run", "undisturbed")
    ]
    assert len(steps[0]) == 6 and steps[0] == pytest.approx(steps[1], abs=1e-6)


def test_a_killed_rank_ends_the_run_with_a_reason_and_resume_goes_on(toy, tmp_path):
    recipe = toy_recipe(toy, tmp_path / "run", run={"steps": 400}, checkpoint={"every": 1}, evaluate={"every": 0})
    process = torchrun(recipe, tmp_path)
    deadline = time.monotonic() + 200
    while len(read_jsonl(tmp_path / "run" / "metrics.jsonl")) < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    ranks = {int(each.environ()["RANK"]): each for each in psutil.Process(process.pid).children() if has_rank(each)}
    ranks[1].send_signal(signal.SIGKILL)
    output, _ = process.communicate(timeout=90)
    assert process.returncode != 0
    (line,) = [line for line in output.splitlines() if line.startswith("Error: ")]
    assert "rank" in line and "--resume" in line
    reached = len(read_jsonl(tmp_path / "run" / "metrics.jsonl"))
    recipe["run"]["steps"] = reached + 1
    one_process(recipe, resume=True)
    assert [record["step"] for record in read_jsonl(tmp_path / "run" / "metrics.jsonl")] == list(range(1, reached + 2))


def has_rank(process):
    try:
        return "RANK" in process.environ()
    except psutil.Error:
        return False


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": "grpo", "model": {"gradient_checkpointing": True}, "batch": {"layout": "padded"}},
        {"model": {"dtype": "bfloat16"}, "loss": {"old_logprobs": "recomputed"}, "batch": {"micro_tokens": 40}},
    ],
    ids=["checkpointing and KL", "bf16"],
)
def test_options_work_with_several_ranks(toy, tmp_path, changes):
    common = {"run": {"steps": 3}, "evaluate": {"every": 0}, "optimizer": {"lr": 1e-4}, **changes}
    two_ranks(toy_recipe(toy, tmp_path / "two", **common), tmp_path)
    one_process(toy_recipe(toy, tmp_path / "one", **common))
    losses = [[record["loss"] for record in read_jsonl(tmp_path / run / "metrics.jsonl")] for run in ("one", "two")]
    assert losses[0] == pytest.approx(losses[1], abs=2e-3 if "dtype" in changes["model"] else 1e-6)
    if "dtype" in changes["model"]:
        saved = tmp_path / "two" / "checkpoints" / "step-000003"
        assert json.loads((saved / "config.json").read_text())["dtype"] == "bfloat16"


@pytest.mark.vllm
@pytest.mark.skipif(not importlib.util.find_spec("vllm"), reason="vLLM is not installed here: make test-vllm")
@pytest.mark.parametrize("engine", ["vllm", "vllm-server"])
def test_every_rank_gets_the_new_weights_into_its_vllm(toy, tmp_path, engine):
    small_model(vocabulary=11, hidden=32, layers=1, spread=0.05, head_dim=32).save_pretrained(tmp_path / "model")
    AutoTokenizer.from_pretrained(toy / "model").save_pretrained(tmp_path / "model")
    common = {"model": {"path": str(tmp_path / "model")}, "rollout": {"engine": engine}, "vllm": {"cpu_cache_gb": 1}}
    two_ranks(toy_recipe(toy, tmp_path / "run", run={"steps": 3}, evaluate={"every": 0}, **common), tmp_path)
    records = read_jsonl(tmp_path / "run" / "metrics.jsonl")
    assert len(records) == 3 and all(record["gap_max"] <= 1e-5 for record in records)


def test_a_mistake_is_said_once(toy, tmp_path):
    process = torchrun(toy_recipe(toy, tmp_path / "run", data={"train": "nowhere.jsonl"}), tmp_path)
    output, _ = process.communicate(timeout=200)
    assert process.returncode != 0
    assert output.count("Error: nowhere.jsonl") == 1


def test_a_rank_without_torchruns_variables_is_one_line(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(Exception, match="RANK is not: start several ranks with torchrun"), distributed.joined(1, "cpu"):
        pass
