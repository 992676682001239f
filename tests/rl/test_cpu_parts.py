"""The work of a small model divided over threads: the same replies, and the same log-probs and gradients."""

from __future__ import annotations

import signal
import threading
import time
from dataclasses import astuple

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from microcoder_rl.engines.torch_engine import TorchEngine  # noqa: E402
from microcoder_rl.model import cpu_parts  # noqa: E402
from microcoder_rl.policy import Policy  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.run import train  # noqa: E402
from tests.rl.toys import (  # noqa: E402
    END,
    Tokenizer,
    gradient,
    quiet,
    requests,
    sample,
    small_model,
    steps_of,
    toy_recipe,
    weights_of,
)  # fmt: skip


@pytest.fixture
def two_threads():
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(1)


def test_replies_are_those_of_one_thread(qwen3, two_threads):
    divided = TorchEngine(qwen3, [END])
    wanted = requests(8)
    assert divided.threads and [len(part) for part in divided._parts([(i, range(6)) for i in range(8)])] == [4, 4]
    found = sorted(divided.generate(wanted, temperature=1.0, max_tokens=40), key=lambda one: (one.group, one.sample))
    torch.set_num_threads(1)
    assert [astuple(one) for one in found] == [astuple(one) for one in sample(qwen3, wanted)]


@pytest.mark.parametrize("layout", ["padded", "packed", "shared"])
def test_an_update_in_parts_has_the_same_gradient_each_time_in_the_same_bits(qwen3, two_threads, layout):
    replies = sample(qwen3, requests(4, 5), max_tokens=24)
    divided, whole = Policy(qwen3, Tokenizer()), Policy(qwen3, Tokenizer())
    assert divided.threads
    whole.threads = None
    value, expected = gradient(whole, [replies[:7], replies[7:]], layout)
    found, first = gradient(divided, [replies[:7], replies[7:]], layout)
    assert found == pytest.approx(value, rel=1e-5)
    assert (first - expected).norm() <= 1e-5 * expected.norm()
    for _ in range(3):
        assert torch.equal(gradient(divided, [replies[:7], replies[7:]], layout)[1], first)
    for own, right in zip(divided.evaluate(replies, layout), whole.evaluate(replies, layout), strict=True):
        assert torch.allclose(own, right, atol=1e-5)
    assert not divided.evaluate(replies, layout)[1].requires_grad, "entropies are for the log only"
    with torch.no_grad():
        assert not divided.logprobs(replies, layout)[0].requires_grad


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": "grpo"},  # its reference is divided too, and has no gradient
        {"algorithm": "ppo", "batch": {"layout": "padded", "micro_tokens": 40}},
        {"model": {"dtype": "bfloat16"}},
    ],
)
def test_a_run_in_parts_resumes_bit_for_bit_and_is_that_of_one_thread_but_for_rounding(
    toy, tmp_path, two_threads, changes
):
    options = {"evaluate": {"every": 0, "at_start": False}, **changes}

    def run(name, threads, *stops):
        for stop in stops:
            recipe = toy_recipe(toy, tmp_path / name, run={"steps": stop, "threads": threads}, **options)
            train(build_config(recipe), resume=stop != stops[0], notify=quiet)
        return steps_of(tmp_path / name), weights_of(tmp_path / name / "checkpoints" / "step-000004")

    steps, weights = run("undisturbed", 2, 4)
    again, resumed = run("resumed", 2, 2, 4)
    assert again == steps and all(torch.equal(resumed[name], weight) for name, weight in weights.items())
    alone, _ = run("alone", 1, 4)
    assert alone[0]["reward"] == steps[0]["reward"]
    rounding = 0.02 if "model" in changes else 1e-4
    assert alone[0]["grad_norm"] == pytest.approx(steps[0]["grad_norm"], rel=rounding)


def test_an_error_in_a_part_ends_the_whole_and_an_early_end_stops_every_part():
    threads = cpu_parts.Threads(2)
    made = {"left": 0, "right": 0}

    def endless(name):
        while True:
            made[name] += 1
            yield name

    def broken():
        yield "once"
        raise ValueError("broken")

    for _ in threads.interleave([lambda: endless("left"), lambda: endless("right")]):
        if all(made.values()):
            break
    else:
        pytest.fail("it ended by itself")
    made_then = dict(made)
    with pytest.raises(ValueError, match="broken"):
        list(threads.interleave([broken, lambda: iter("ab")]))
    assert made == made_then, "nothing runs on"
    with pytest.raises(ZeroDivisionError):
        threads.map(lambda part: 1 / part, [1, 0])


def broken():
    raise ValueError("broken")


def ctrl_c():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


@pytest.mark.parametrize(("happens", "raised"), [(broken, ValueError), (ctrl_c, KeyboardInterrupt)])
def test_what_ends_sampling_ends_every_part_before_a_reply_ends(two_threads, happens, raised):
    model, tokens = small_model(), []

    def at_each_token(*_):
        tokens.append(1)
        if len(tokens) == 30:
            happens()

    model.model.embed_tokens.register_forward_hook(at_each_token)
    with pytest.raises(raised):
        list(TorchEngine(model, []).generate(requests(8), temperature=1.0, max_tokens=400))
    assert len(tokens) < 150


def test_a_caller_that_ends_early_finds_nothing_running(two_threads):
    model, modes = small_model().train(), []
    model.model.embed_tokens.register_forward_hook(lambda *_: modes.append(model.training))
    replies = TorchEngine(model, [END]).generate(requests(8), temperature=1.0, max_tokens=200)
    next(replies)
    replies.close()
    assert model.training and not any(modes)
    before = len(modes)
    time.sleep(0.1)
    assert len(modes) == before


def test_only_small_models_without_dropout_are_divided(two_threads, monkeypatch):
    model = small_model()
    assert cpu_parts.threads_for(model, trains=True)
    monkeypatch.setattr(cpu_parts, "MOST_WEIGHTS", 1000)
    assert cpu_parts.threads_for(model, trains=True) is None
    monkeypatch.undo()
    torch.set_num_threads(1)
    assert cpu_parts.threads_for(model, trains=True) is None


@pytest.mark.parametrize("kind", ["dropout", "attention_dropout"])
def test_updates_that_draw_random_numbers_are_not_divided_but_sampling_is(two_threads, kind):
    """OPT's layers have no module for it: they call the function."""
    shape = {
        "hidden_size": 32,
        "ffn_dim": 64,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "word_embed_proj_dim": 32,
    }
    config = transformers.OPTConfig(**shape, vocab_size=96, **{"dropout": 0.0, kind: 0.1})
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    state = torch.get_rng_state()
    assert cpu_parts.threads_for(model) and cpu_parts.threads_for(model, trains=True) is None
    assert torch.equal(torch.get_rng_state(), state) and not model.training
