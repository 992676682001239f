"""Several ranks, started by torchrun as a user does: the same run as one process, whatever happens to them.

Their engines with vLLM are in engines/test_vllm_training.py.
"""

from __future__ import annotations

import json
import re
import signal
import time

import pytest

torch = pytest.importorskip("torch")
psutil = pytest.importorskip("psutil")
from safetensors.torch import load_file  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

from microcoder_rl import distributed  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.run import train  # noqa: E402
from tests.rl.toys import torchrun, toy_recipe, two_ranks  # noqa: E402


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
    ours, theirs = (
        {(each["step"], each["accuracy"]) for each in read_jsonl(run / "evals.jsonl")} for run in (found, expected)
    )
    assert theirs <= ours  # a run of several parts is tested at the end of each


def test_two_ranks_go_on_with_what_one_process_began_and_it_with_theirs(toy, tmp_path):
    def recipe(steps, out="run"):
        often = {"evaluate": {"every": 10}, "checkpoint": {"every": 20}}
        return toy_recipe(toy, tmp_path / out, run={"steps": steps}, **often)

    one_process(recipe(2))
    output = two_ranks(recipe(20), tmp_path, "--resume")
    assert output.count("run folder:") == 1
    one_process(recipe(20, "alone"))
    compare(tmp_path / "run", tmp_path / "alone")

    saved = [tmp_path / run / "checkpoints" / "step-000020" for run in ("alone", "run")]
    alone, two = (load_file(folder / "model.safetensors") for folder in saved)
    assert set(alone) == set(two)  # tied weights once
    alone, two = (AutoModelForCausalLM.from_pretrained(folder).state_dict() for folder in saved)
    for name, weight in alone.items():
        assert torch.allclose(weight, two[name], atol=1e-4), name

    for out in ("run", "alone"):
        one_process(recipe(22, out), resume=True)
    compare(tmp_path / "run", tmp_path / "alone")


def test_a_killed_rank_ends_the_run_with_a_reason_and_resume_goes_on(toy, tmp_path):
    """In bf16, whose losses are those of one process until then."""
    half = {"model": {"dtype": "bfloat16"}, "loss": {"old_logprobs": "recomputed"}, "batch": {"micro_tokens": 40}}
    half |= {"optimizer": {"lr": 1e-4}, "checkpoint": {"every": 1}, "evaluate": {"every": 0}}
    recipe = toy_recipe(toy, tmp_path / "run", run={"steps": 400}, **half)
    process = torchrun(recipe, tmp_path)
    while len(read_jsonl(tmp_path / "run" / "metrics.jsonl")) < 3 and process.poll() is None:
        time.sleep(0.1)
    ranks = {int(each.environ()["RANK"]): each for each in psutil.Process(process.pid).children() if has_rank(each)}
    ranks[1].send_signal(signal.SIGKILL)
    output, _ = process.communicate(timeout=1200)
    assert process.returncode != 0
    lines = [line for line in output.splitlines() if line.startswith("Error: ")]
    if lines:
        assert len(lines) == 1 and "rank" in lines[0] and "--resume" in lines[0]
    else:  # torchrun ended the other rank before it saw the loss: its own report names the killed one
        assert "SIGKILL" in output, output
    reached = len(read_jsonl(tmp_path / "run" / "metrics.jsonl"))
    recipe["run"]["steps"] = reached + 1
    one_process(recipe, resume=True)
    assert [record["step"] for record in read_jsonl(tmp_path / "run" / "metrics.jsonl")] == list(range(1, reached + 2))
    one_process(toy_recipe(toy, tmp_path / "alone", run={"steps": 3}, **half))
    losses = [[each["loss"] for each in read_jsonl(tmp_path / run / "metrics.jsonl")] for run in ("run", "alone")]
    assert losses[0][:3] == pytest.approx(losses[1], abs=2e-3)
    saved = max((tmp_path / "run" / "checkpoints").iterdir())
    assert json.loads((saved / "config.json").read_text())["dtype"] == "bfloat16"


def has_rank(process):
    try:
        return "RANK" in process.environ()
    except psutil.Error:
        return False


def test_a_mistake_is_reported_once(toy, tmp_path):
    process = torchrun(toy_recipe(toy, tmp_path / "run", data={"train": "nowhere.jsonl"}), tmp_path)
    output, _ = process.communicate(timeout=1200)
    assert process.returncode != 0
    assert output.count("Error: nowhere.jsonl") == 1
    root_cause = output.partition("Root Cause")[2]
    assert re.search(r"traceback : nowhere\.jsonl.*\n=+\s*$", root_cause), output


def test_a_rank_without_torchruns_variables_is_one_line(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(Exception, match="RANK is not: start several ranks with torchrun"), distributed.joined(1, "cpu"):
        pass


def test_only_errors_of_collective_operations_mean_that_a_rank_was_lost(tmp_path):
    with pytest.raises(RuntimeError) as wrong_shapes:
        torch.ones(2, 3) @ torch.ones(2, 3)
    assert not distributed.is_collective(wrong_shapes.value)
    torch.distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/meeting", rank=0, world_size=1)
    try:
        with pytest.raises(RuntimeError) as refused:
            torch.distributed.all_gather([torch.ones(2)], torch.ones(2, 2))
    finally:
        torch.distributed.destroy_process_group()
    assert distributed.is_collective(refused.value)
    assert distributed.is_collective(torch.distributed.DistNetworkError("made up"))
