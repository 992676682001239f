"""What changes the update's speed and memory but not what is learned: bf16, compilation, micro-batches, layouts."""

from __future__ import annotations

import os
import shutil

import pytest

torch = pytest.importorskip("torch")

from microcoder_eval import InputError  # noqa: E402
from microcoder_rl.policy import Policy, micro_batches  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.recipe.config import ModelConfig  # noqa: E402
from microcoder_rl.run import open_parts, train  # noqa: E402
from microcoder_rl.trainer import Trainer  # noqa: E402
from tests.rl.toys import Tokenizer, gradient, quiet, requests, sample, small_model, steps_of, toy_recipe  # noqa: E402


def test_a_bf16_model_with_fp32_masters_learns(toy, tmp_path):
    recipe = toy_recipe(toy, tmp_path / "run", run={"steps": 25}, model={"dtype": "bfloat16"}, evaluate={"every": 25})
    summary = train(build_config(recipe), notify=quiet)
    records = steps_of(tmp_path / "run")
    rewards = [record["reward"] for record in records]
    assert sum(rewards[-5:]) > sum(rewards[:5]) + 1.5 and summary["test"]["last"] > 0.5
    gaps = [record["gap"] for record in records]
    # What bf16 costs in a sampler that multiplies in another order: less than half its step at logits of 2 to 4.
    # Weights one update old would give 0.1 and more, a temperature 5 % off 0.02.
    assert 0 < max(gaps) < 1 / 128, gaps


def test_micro_batches_and_layouts_change_neither_loss_nor_gradient_of_a_step(toy, tmp_path):
    found = []
    for layout, tokens in (("padded", 16384), ("padded", 5), ("packed", 16384), ("packed", 30), ("shared", 16)):
        batch = {"layout": layout, "micro_tokens": tokens, "minibatch": 4}
        config = build_config(toy_recipe(toy, tmp_path / "run", rollout={"max_tokens": 9}, batch=batch))
        with open_parts(config, quiet) as parts:
            metrics = Trainer(config, parts.policy, parts.engine, parts.grader, parts.train).train_step()
        found.append([metrics["loss"], metrics["grad_norm"], metrics["entropy"]])
    assert found[0][1] > 0
    assert all(each == pytest.approx(found[0], rel=1e-4, abs=1e-6) for each in found), found


def test_compiling_without_a_compiler_is_one_clear_line(toy, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(InputError, match=r"model\.compile needs a C\+\+ compiler") as caught:
        Policy.load(ModelConfig(path=str(toy / "model"), compile=True))
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not shutil.which(os.environ.get("CXX", "g++")), reason="compiling needs a C++ compiler")
@pytest.mark.parametrize("layout", ["padded", "packed", "shared"])
def test_a_compiled_update_is_the_same_update_and_is_not_compiled_for_every_shape(layout):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    model = small_model()
    replies = sample(model, requests(4, 5), max_tokens=24, temperature=1.2)
    eager, compiled = Policy(model, Tokenizer()), Policy(model, Tokenizer(), compile_update=True)
    graphs = []
    for budget in (100_000, 90, 400, 150):  # the second has micro-batches of one row, too
        batches = list(micro_batches(replies, budget, layout))
        value, expected = gradient(eager, batches, layout)
        found, other = gradient(compiled, batches, layout)
        assert found == pytest.approx(value, rel=1e-5)
        assert (other - expected).norm() <= 1e-4 * expected.norm()
        graphs.append(torch._dynamo.utils.counters["stats"]["unique_graphs"])
    passes = 2 if layout == "shared" else 1  # prompts, then replies
    assert graphs[1] <= 3 * passes + 2, "a pass for one row, for several, and for few tokens; log-probs, their gradient"
    assert graphs[-1] == graphs[1], "new shapes compile nothing new"
