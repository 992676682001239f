"""The attention of the update on a CPU: the values and gradients of the plain formula, in fp32 and in bf16."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.model import cpu_attention  # noqa: E402
from microcoder_rl.model.load import load_model  # noqa: E402
from microcoder_rl.recipe.config import ModelConfig  # noqa: E402

MODULE = SimpleNamespace(is_causal=True, num_key_value_groups=2)
ROUNDING = {torch.float32: 1e-5, torch.bfloat16: 2e-2}


def formula(query, key, value, seen, scaling):
    """softmax(scaling * Q K^T) V in fp64, one row and one head at a time."""
    mixed = torch.zeros(query.shape[0], query.shape[2], query.shape[1], query.shape[3], dtype=torch.float64)
    shared = query.shape[1] // key.shape[1]
    for row in range(len(query)):
        for head in range(query.shape[1]):
            q, k, v = query[row, head], key[row, head // shared], value[row, head // shared]
            scores = (q @ k.T * scaling).masked_fill(~seen[row, 0], float("-inf"))
            mixed[row, :, head] = scores.softmax(-1) @ v
    return mixed


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("most_scores", [1 << 22, 0])
def test_values_and_gradients_are_those_of_the_formula(dtype, masked, most_scores, monkeypatch):
    monkeypatch.setattr(cpu_attention, "MOST_SCORES", most_scores)
    torch.manual_seed(0)
    length, past = 5, 3 if masked else 0
    query = torch.randn(2, 4, length, 16)
    key, value = torch.randn(2, 2, past + length, 16), torch.randn(2, 2, past + length, 16)
    seen = torch.ones(2, 1, length, past + length, dtype=torch.bool).tril(past)
    if masked:
        seen[1, :, :, 2] = False  # a prompt shorter than the longest
    inputs = [tensor.to(dtype).requires_grad_() for tensor in (query, key, value)]
    exact = [tensor.detach().double().requires_grad_() for tensor in inputs]
    weight = torch.randn(2, length, 4, 16)
    found, _ = cpu_attention.attend(MODULE, *inputs, seen if masked else None, scaling=0.3)
    expected = formula(*exact, seen, 0.3)
    (found.float() * weight).sum().backward()
    (expected * weight).sum().backward()
    close = {"atol": ROUNDING[dtype], "rtol": ROUNDING[dtype]}
    assert found.dtype == dtype and torch.allclose(found.double(), expected, **close)
    for own, right in zip(inputs, exact, strict=True):
        assert torch.allclose(own.grad.double(), right.grad, **close)


def test_a_saved_model_names_no_attention_of_ours(toy, tmp_path):
    model, _ = load_model(ModelConfig(path=str(toy / "model")), "cpu")
    assert model.config._attn_implementation == cpu_attention.NAME
    model.save_pretrained(tmp_path)
    assert cpu_attention.NAME not in (tmp_path / "config.json").read_text()


def test_attention_that_a_recipe_names_is_kept(toy):
    model, _ = load_model(ModelConfig(path=str(toy / "model"), attention="eager"), "cpu")
    assert model.config._attn_implementation == "eager"
