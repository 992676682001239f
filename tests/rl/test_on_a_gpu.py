"""What only a GPU shows: recorded decoding steps, training there, and weights that FSDP2 divides with NCCL."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.engines.recording import Recording  # noqa: E402
from microcoder_rl.engines.torch_engine import TorchEngine  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.run import train  # noqa: E402
from tests.rl.toys import END, quiet, requests, sample, small_model, steps_of, toy_recipe, write_toy  # noqa: E402

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")


@pytest.fixture(scope="module", params=["qwen3", "qwen2", "llama", "gpt2"])
def model(request):
    return small_model(request.param).to("cuda")


def as_data(rollouts):
    return [(rollout.response_ids, rollout.sampled_logprobs) for rollout in rollouts]


@pytest.mark.parametrize("prompts", [1, 5])
def test_recorded_steps_give_what_single_operations_give(model, monkeypatch, prompts):
    """Up to 300 tokens: rows end and are dropped, and a second page of the cache begins."""
    recorded = as_data(sample(model, requests(prompts), max_tokens=300, temperature=0.7))
    monkeypatch.setattr(Recording, "run", lambda self, function, tokens: function(tokens))
    assert recorded == as_data(sample(model, requests(prompts), max_tokens=300, temperature=0.7))
    lengths = [len(ids) for ids, _ in recorded]
    assert prompts == 1 or (min(lengths) < 100 and max(lengths) > 256)


def test_recorded_logprobs_are_the_models_own(model):
    for rollout in sample(model, requests(), max_tokens=300, temperature=0.7):
        ids = torch.tensor([*rollout.prompt_ids, *rollout.response_ids], device="cuda")
        with torch.no_grad():
            logits = model(ids[None]).logits[0, len(rollout.prompt_ids) - 1 : -1] / rollout.temperature
        own = logits.log_softmax(-1).gather(-1, ids[len(rollout.prompt_ids) :, None]).squeeze(-1)
        assert (own.cpu() - torch.tensor(rollout.sampled_logprobs)).abs().max() <= 2e-5


def test_recordings_take_no_more_memory_each_time():
    model = small_model("qwen3").to("cuda")
    engine = TorchEngine(model, [END])
    reserved = []
    for _ in range(4):
        list(engine.generate(requests(8), temperature=0.7, max_tokens=60))
        reserved.append(torch.cuda.memory_reserved())
    assert reserved[-1] < reserved[1] + (8 << 20)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"model": {"compile": True}, "batch": {"layout": "padded"}},
        {"model": {"gradient_checkpointing": True}, "batch": {"layout": "padded"}},
        {"rollout": {"staleness": 1}},
        {"model": {"dtype": "bfloat16"}},
    ],
    ids=["shared", "compiled", "checkpointed", "asynchronous", "bf16"],
)
def test_a_gpu_trains_as_a_cpu_does(toy, tmp_path, changes):
    first = {}
    for device in ("cpu", "cuda"):
        own = changes if device == "cuda" else {**changes, "model": {}}
        recipe = toy_recipe(toy, tmp_path / device, run={"steps": 4, "device": device}, evaluate={"every": 0}, **own)
        train(build_config(recipe), notify=quiet)
        first[device], *others = steps_of(tmp_path / device)
    assert len(others) == 3
    close = 0.05 if changes.get("model", {}).get("dtype") else 1e-4
    on_policy = [first["cuda"], *(others if "rollout" not in changes else [])]  # stale tokens have a gap of their own
    assert all(step["gap_max"] < close for step in on_policy)
    if "rollout" in changes:
        return  # which groups are complete first differs from run to run
    assert first["cuda"]["grad_norm"] == pytest.approx(first["cpu"]["grad_norm"], rel=0.1 if close > 0.01 else 1e-3)
    if close < 0.01:
        assert all(first["cuda"][key] == first["cpu"][key] for key in ("reward", "length", "tokens"))


ONE_RANK = """
import json, os, sys, torch
os.environ |= {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0"}
import torch.distributed as dist
from microcoder_rl import distributed
from microcoder_rl.engines.from_recipe import _on_host
from microcoder_rl.model.divided import divide
from microcoder_rl.optimizer import MasterAdamW
from microcoder_rl.policy import Policy
from microcoder_rl.recipe.config import ModelConfig, OptimizerConfig
from microcoder_rl.rollout import Rollout

store = dist.HashStore()
dist.init_process_group("cpu:gloo,cuda:nccl", rank=0, world_size=1, store=store)
replies = [Rollout(0, n, n, (2, 3, 4), [5, 6, 7 + n % 3], [0.0] * 3, "length", 1.0) for n in range(6)]
found = {}
for dtype in ("float32", "bfloat16"):
    for kind in ("whole", "divided"):
        policy = Policy.load(ModelConfig(path=sys.argv[1], dtype=dtype), "cuda" if kind == "whole" else "cpu")
        if kind == "divided":
            divide(policy, policy.model, "cuda")
        optimizer = MasterAdamW(policy.model, OptimizerConfig(lr=1e-3))
        logprobs, _ = policy.logprobs(replies, "padded")
        logprobs.sum().backward()
        norm = optimizer.step(1e-3)
        weights = dict(_on_host(policy.weights))  # as a server's weights are saved
        assert {weight.device.type for weight in weights.values()} == {"cpu"}
        found[kind] = logprobs.detach().float().cpu(), norm, weights, {w.device.type for w in policy.parameters()}
    whole, divided = found["whole"], found["divided"]
    result = {
        "dtype": dtype,
        "logprobs": float((whole[0] - divided[0]).abs().max()),
        "norm": abs(whole[1] - divided[1]) / whole[1],
        "weights": max(float((whole[2][name] - weight).float().abs().max()) for name, weight in divided[2].items()),
        "devices": sorted(divided[3]),
        "names": list(whole[2]) == list(divided[2]),
    }
    print(json.dumps(result), flush=True)
dist.destroy_process_group()
"""


def test_fsdp2_on_one_gpu_computes_the_undivided_update(tmp_path):
    write_toy(tmp_path)
    small_model(vocabulary=10).save_pretrained(tmp_path / "model")
    command = [sys.executable, "-c", ONE_RANK, str(tmp_path / "model")]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    results = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    assert [result["dtype"] for result in results] == ["float32", "bfloat16"]
    for result, close in zip(results, (1e-5, 0.05), strict=True):
        assert result["names"] and result["devices"] == ["cuda"]
        assert result["logprobs"] <= close and result["norm"] <= close and result["weights"] <= 0.01
