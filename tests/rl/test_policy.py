"""Log-probs of the update: three layouts, any split, one answer; chunking; masters; learning rate."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

from microcoder_eval import InputError  # noqa: E402
from microcoder_rl.logprobs import chunked_logprobs  # noqa: E402
from microcoder_rl.optimizer import MasterAdamW, learning_rate  # noqa: E402
from microcoder_rl.policy import Policy, micro_batches  # noqa: E402
from microcoder_rl.recipe.config import ModelConfig, OptimizerConfig  # noqa: E402
from tests.rl.toys import Tokenizer, gradient, model_logprobs, requests, sample, small_model  # noqa: E402


@pytest.fixture(scope="module")
def rollouts(qwen3):
    return sample(qwen3, requests(4, 5), max_tokens=24, temperature=1.2)


@pytest.mark.parametrize("layout", ["padded", "packed", "shared"])
def test_logprobs_are_the_models_own(any_model, layout):
    replies = sample(any_model, requests(3, 3), max_tokens=10, temperature=0.7)
    logprobs, _ = Policy(any_model, Tokenizer()).logprobs(replies, layout)
    expected = torch.cat([model_logprobs(any_model, rollout) for rollout in replies])
    assert torch.allclose(logprobs, expected, atol=1e-5)


def test_a_model_with_dropout_of_its_own_is_trained_without(toy, tmp_path):
    from transformers import AutoTokenizer

    model = small_model("gpt2")
    for name in ("resid_pdrop", "embd_pdrop", "attn_pdrop"):  # as in the folders that OpenAI published
        setattr(model.config, name, 0.5)
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(toy / "model").save_pretrained(tmp_path)
    replies = sample(model, requests(3, 3), max_tokens=10)
    logprobs, _ = Policy.load(ModelConfig(path=str(tmp_path))).logprobs(replies, "padded")
    recorded = torch.cat([torch.tensor(rollout.sampled_logprobs) for rollout in replies])
    assert torch.allclose(logprobs, recorded, atol=1e-5)


def test_layout_split_and_order_do_not_change_loss_or_gradient(qwen3, rollouts):
    policy = Policy(qwen3, Tokenizer())
    value, expected = gradient(policy, [rollouts], "padded")
    shuffled = [rollouts[index] for index in torch.randperm(len(rollouts)).tolist()]
    for layout in ("padded", "packed", "shared"):
        for order in (rollouts, shuffled):
            for budget in (60, 200, 100_000):
                found, other = gradient(policy, list(micro_batches(order, budget, layout)), layout)
                assert found == pytest.approx(value, rel=1e-5)
                assert (other - expected).norm() <= 1e-5 * expected.norm(), (layout, budget)


@pytest.mark.parametrize("temperature", [0.6, 1.2, 1.8])
@pytest.mark.parametrize("layout", ["padded", "packed", "shared"])
def test_trainer_and_sampler_agree_at_every_temperature(qwen3, temperature, layout):
    replies = sample(qwen3, requests(4, 4), temperature=temperature)
    logprobs, _ = Policy(qwen3, Tokenizer()).logprobs(replies, layout)
    recorded = torch.cat([torch.tensor(rollout.sampled_logprobs) for rollout in replies])
    assert ((logprobs - recorded).exp() - 1).abs().max() <= 2e-5


def test_micro_batches_keep_to_the_budget_and_lose_nothing(rollouts):
    for layout in ("padded", "packed", "shared"):
        batches = list(micro_batches(rollouts, 150, layout))
        assert sorted(id(r) for batch in batches for r in batch) == sorted(id(r) for r in rollouts)
        assert len(batches) > 1
    widths = [
        (len(batch), max(len(r.prompt_ids) + len(r.response_ids) for r in batch))
        for batch in micro_batches(rollouts, 150, "padded")
    ]
    assert all(rows == 1 or rows * width <= 150 for rows, width in widths)


@pytest.mark.parametrize("how", [{}, {"scale": 0.5}, {"scale": 2.0, "softcap": 3.0}], ids=["plain", "scaled", "capped"])
def test_chunks_change_neither_values_nor_gradients(how):
    generator = torch.Generator().manual_seed(0)
    hidden = torch.randn(50, 16, generator=generator, requires_grad=True)
    head = torch.randn(40, 16, generator=generator, requires_grad=True)
    targets = torch.randint(0, 40, (50,), generator=generator)
    temperatures = torch.rand(50, generator=generator) + 0.5
    logits = hidden @ head.T * how.get("scale", 1.0)
    if "softcap" in how:
        logits = torch.tanh(logits / how["softcap"]) * how["softcap"]
    logits = logits / temperatures[:, None]
    expected = logits.log_softmax(-1).gather(-1, targets[:, None]).squeeze(-1)
    expected_entropy = -(logits.softmax(-1) * logits.log_softmax(-1)).sum(-1)
    expected_gradients = torch.autograd.grad(expected.sum(), (hidden, head))
    for per_chunk in (40, 40 * 7, 40 * 1000):
        logprobs, entropy = chunked_logprobs(
            hidden, head, None, targets, temperatures, logits_per_chunk=per_chunk, **how
        )
        assert torch.allclose(logprobs, expected, atol=1e-5)
        assert torch.allclose(entropy, expected_entropy, atol=1e-5) and not entropy.requires_grad
        found = torch.autograd.grad(logprobs.sum(), (hidden, head))
        assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(found, expected_gradients, strict=True))


def test_a_head_that_is_not_trained_costs_no_gradient_and_changes_no_other():
    generator = torch.Generator().manual_seed(0)
    hidden, head = torch.randn(50, 16, generator=generator), torch.randn(40, 16, generator=generator)
    bias, targets = torch.randn(40, generator=generator), torch.randint(0, 40, (50,), generator=generator)
    for per_chunk in (40 * 7, 40 * 1000):
        found = {}
        for trained in (True, False):
            own, weight = hidden.clone().requires_grad_(), head.clone().requires_grad_(trained)
            for offset in (None, bias.clone().requires_grad_()):
                logprobs, _ = chunked_logprobs(own, weight, offset, targets, torch.ones(50), logits_per_chunk=per_chunk)
                with FlopCounterMode(display=False) as work:
                    logprobs.square().sum().backward()
                assert (weight.grad is not None) == trained
                assert offset is None or offset.grad is not None
            found[trained] = own.grad, work.get_total_flops()
        assert torch.equal(found[True][0], found[False][0])
        assert found[False][1] < found[True][1], "nothing is multiplied for the head"


def test_gradient_checkpointing_changes_nothing(rollouts):
    plain, frugal = small_model(), small_model()
    frugal.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    frugal.train()
    for layout in ("padded", "packed"):
        value, expected = gradient(Policy(plain, Tokenizer()), [rollouts], layout)
        found, other = gradient(Policy(frugal, Tokenizer()), [rollouts], layout)
        assert found == pytest.approx(value, rel=1e-6) and torch.allclose(other, expected, atol=1e-4)


def test_bf16_steps_smaller_than_its_resolution_add_up_in_the_masters():
    model = torch.nn.Linear(4, 4, bias=False).to(torch.bfloat16)
    torch.nn.init.ones_(model.weight)
    optimizer = MasterAdamW(model, OptimizerConfig(lr=1e-4, weight_decay=0.0))
    for _ in range(100):
        for _ in range(2):
            model(torch.ones(1, 4, dtype=torch.bfloat16)).sum().backward()
        assert model.weight.grad is None
        optimizer.step(1e-4)
    assert torch.allclose(optimizer.masters["weight"], torch.full((4, 4), 1 - 100e-4), atol=1e-5)
    assert torch.equal(model.weight, optimizer.masters["weight"].bfloat16())


def test_a_gradient_that_is_not_finite_changes_nothing():
    model = torch.nn.Linear(2, 2)
    optimizer = MasterAdamW(model, OptimizerConfig())
    before = model.weight.detach().clone()
    (model(torch.ones(1, 2)) * float("nan")).sum().backward()
    assert not math.isfinite(optimizer.step(0.1))
    assert torch.equal(model.weight, before)


def test_learning_rate_schedules():
    def rates(**keys):
        return [learning_rate(OptimizerConfig(lr=1.0, **keys), step, 6) for step in range(1, 7)]

    assert rates() == [1.0] * 6
    assert rates(warmup_steps=2) == [0.5, 1.0, 1.0, 1.0, 1.0, 1.0]
    assert rates(warmup_steps=2, schedule="linear") == [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    assert rates(schedule="cosine")[0] == 1.0 and rates(schedule="cosine")[-1] < 0.1


def test_a_folder_that_is_no_model_is_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=r"config\.json"):
        Policy.load(ModelConfig(path=str(tmp_path)))
    (tmp_path / "config.json").write_text('{"model_type": "qwen3"}')
    with pytest.raises(InputError, match="has no weights"):
        Policy.load(ModelConfig(path=str(tmp_path)))
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(InputError, match="could not be loaded"):
        Policy.load(ModelConfig(path=str(tmp_path)))
    with pytest.raises(InputError, match=r"model\.path is empty"):
        Policy.load(ModelConfig())


MEASURE = """
import resource, sys, torch
from microcoder_rl.logprobs import chunked_logprobs
torch.set_num_threads(1)
vocabulary, width = 151_936, 8
head = torch.randn(vocabulary, width, requires_grad=True)
for tokens in (128, 512):
    hidden = torch.randn(tokens, width, requires_grad=True)
    targets = torch.arange(tokens)
    chunked_logprobs(hidden, head, None, targets, torch.ones(tokens))[0].sum().backward()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def test_memory_of_the_logits_does_not_grow_with_the_sequence():
    measured = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True)
    few, many = map(float, measured.stdout.split())
    # whole logits of the difference would be 233 MB, and as much for gradients
    assert many < few + 100, (few, many)
