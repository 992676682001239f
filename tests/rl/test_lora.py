"""LoRA: only the adapter learns, everyone else gets merged weights, and a run resumes as if it had never stopped.

Several ranks with an adapter are in test_launch.py.
"""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
peft = pytest.importorskip("peft")

from transformers import AutoModelForCausalLM  # noqa: E402

from microcoder_eval import InputError  # noqa: E402
from microcoder_rl.lora import BasePolicy  # noqa: E402
from microcoder_rl.policy import Policy  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.recipe.config import LoraConfig, ModelConfig  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.rollout import Rollout  # noqa: E402
from microcoder_rl.run import open_parts, train  # noqa: E402
from tests.rl.toys import toy_recipe  # noqa: E402

LORA = {"rank": 8, "alpha": 16}


def recipe_of(toy, out, **changes):
    model = {"path": str(toy / "model"), "lora": LORA, **changes.pop("model", {})}
    return toy_recipe(toy, out, model=model, **{"optimizer": {"lr": 0.02}, **changes})


def run(recipe, **options):
    return train(build_config(recipe), notify=lambda message: None, **options)


def replies():
    return [Rollout(0, n, n, (6, 7), [2 + n, 0], [0.0, 0.0], "stop", 1.0) for n in range(3)]


@pytest.fixture
def policy(toy):
    """A policy whose adapter is not zero."""
    policy = Policy.load(ModelConfig(path=str(toy / "model"), lora=LoraConfig(rank=4, alpha=8)))
    torch.manual_seed(1)
    for name, weight in policy.model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.2)
    return policy


def test_only_the_adapter_gets_gradients(policy):
    logprobs, _ = policy.logprobs(replies(), "padded")
    logprobs.sum().backward()
    learning = {name for name, weight in policy.model.named_parameters() if weight.grad is not None}
    assert learning and all(".lora_" in name for name in learning)
    assert {name for name, weight in policy.model.named_parameters() if weight.requires_grad} == learning


def test_merged_weights_compute_what_the_adapter_does(policy, toy):
    merged = Policy.load(ModelConfig(path=str(toy / "model")))
    base, _ = merged.logprobs(replies(), "padded")
    merged.model.load_state_dict(dict(policy.weights()))
    expected, _ = policy.logprobs(replies(), "padded")
    found, _ = merged.logprobs(replies(), "padded")
    assert torch.allclose(found, expected, atol=1e-5) and not torch.allclose(found, base, atol=1e-2)


def test_the_reference_is_the_model_without_its_adapter(policy, toy):
    expected, _ = Policy.load(ModelConfig(path=str(toy / "model"))).logprobs(replies(), "padded")
    logprobs, _ = policy.logprobs(replies(), "padded")
    found, _ = BasePolicy(policy).logprobs(replies(), "padded")
    assert torch.equal(found, expected) and not found.requires_grad
    logprobs.sum().backward()  # of a pass that began before the reference's
    assert any(weight.grad is not None and weight.grad.any() for weight in policy.model.parameters())


def test_a_run_learns_and_its_checkpoint_holds_both(toy, tmp_path):
    more = {"algorithm": "grpo", "batch": {"prompts": 8, "minibatch": 4}, "evaluate": {"every": 0}}
    run(recipe_of(toy, tmp_path / "run", run={"steps": 30}, **more))
    records = read_jsonl(tmp_path / "run" / "metrics.jsonl")
    assert sum(each["reward"] for each in records[-5:]) > sum(each["reward"] for each in records[:5]) + 0.5
    assert max(each["gap_max"] for each in records if each["gap_max"] is not None) < 1e-4  # merged for the sampler
    assert records[-1]["kl"] > records[0]["kl"] >= 0
    folder = tmp_path / "run" / "checkpoints" / "step-000030"
    merged = AutoModelForCausalLM.from_pretrained(folder)
    base = AutoModelForCausalLM.from_pretrained(toy / "model")
    adapted = peft.PeftModel.from_pretrained(base, str(folder / "adapter"))
    ids = torch.arange(2, 8)[None]
    assert torch.allclose(merged(ids).logits, adapted(ids).logits, atol=1e-4)
    assert set(merged.state_dict()) == set(AutoModelForCausalLM.from_pretrained(toy / "model").state_dict())


def test_resuming_gives_the_same_run_bit_for_bit(toy, tmp_path):
    run(recipe_of(toy, tmp_path / "whole"))
    run(recipe_of(toy, tmp_path / "parts", run={"steps": 4}))
    run(recipe_of(toy, tmp_path / "parts"), resume=True)
    whole, parts = (read_jsonl(tmp_path / out / "metrics.jsonl") for out in ("whole", "parts"))
    assert len(whole) == 6
    for a, b in zip(whole, parts, strict=True):
        assert all(a[key] == b[key] for key in a if not key.startswith("time/"))


def test_an_adapter_on_layers_that_are_not_there_is_one_line(toy, tmp_path):
    config = build_config(recipe_of(toy, tmp_path, model={"lora": {"target": ["no_such_layer"]}}))
    with pytest.raises(InputError, match=r"model\.lora: .*no_such_layer"), open_parts(config, print):
        pass


def test_dropout_trains_and_resumes_the_same(toy, tmp_path):
    changes = {"model": {"lora": {**LORA, "dropout": 0.2}}}
    run(recipe_of(toy, tmp_path / "whole", run={"steps": 4}, **changes))
    run(recipe_of(toy, tmp_path / "parts", run={"steps": 2}, **changes))
    run(recipe_of(toy, tmp_path / "parts", run={"steps": 4}, **changes), resume=True)
    losses = [[each["loss"] for each in read_jsonl(tmp_path / out / "metrics.jsonl")] for out in ("whole", "parts")]
    assert losses[0] == losses[1]
