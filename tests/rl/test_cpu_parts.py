"""The work of a small model divided over threads: the same replies, and the same log-probs and gradients."""

from __future__ import annotations

from dataclasses import astuple

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.engines.torch_engine import TorchEngine  # noqa: E402
from microcoder_rl.model import cpu_parts  # noqa: E402
from microcoder_rl.policy import Policy  # noqa: E402
from tests.rl.toys import END, Tokenizer, gradient, requests, sample, small_model  # noqa: E402


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


def test_only_small_models_without_dropout_are_divided(two_threads, monkeypatch):
    model = small_model()
    assert cpu_parts.threads_for(model)
    model.config.attention_dropout = 0.1
    assert cpu_parts.threads_for(model) is None
    model.config.attention_dropout = 0.0
    monkeypatch.setattr(cpu_parts, "MOST_WEIGHTS", 1000)
    assert cpu_parts.threads_for(model) is None
    monkeypatch.undo()
    torch.set_num_threads(1)
    assert cpu_parts.threads_for(model) is None
