"""The torch engine: what it samples, that its log-probs are the model's, and that batching changes nothing."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.engines import fused_decoder  # noqa: E402
from microcoder_rl.engines.draw import draw_tokens  # noqa: E402
from microcoder_rl.engines.torch_engine import TorchEngine  # noqa: E402
from microcoder_rl.rollout import Request  # noqa: E402
from tests.rl.toys import END, model_logprobs, requests, sample, small_model  # noqa: E402


@pytest.mark.parametrize("temperature", [0.6, 1.0, 1.8])
def test_recorded_logprobs_are_the_models_own(any_model, temperature):
    rollouts = sample(any_model, requests(), temperature=temperature)
    assert len(rollouts) == 30
    assert {rollout.finish for rollout in rollouts} == {"stop", "length"}
    for rollout in rollouts:
        recorded = torch.tensor(rollout.sampled_logprobs)
        assert (recorded - model_logprobs(any_model, rollout)).abs().max() <= 1e-5


def test_every_reply_ends_as_it_says(any_model):
    for rollout in sample(any_model, requests(), max_tokens=20):
        assert END not in rollout.response_ids[:-1]
        assert (rollout.response_ids[-1] == END) == (rollout.finish == "stop")
        assert len(rollout.response_ids) == 20 or rollout.finish == "stop"


def as_data(rollouts):
    return [(rollout.response_ids, rollout.sampled_logprobs) for rollout in rollouts]


def test_a_reply_does_not_depend_on_what_is_sampled_beside_it(qwen3):
    wanted = requests(8)
    whole = as_data(sample(qwen3, wanted))
    for rows in (1, 5, 16, 20):
        assert as_data(sample(qwen3, wanted, rows=rows)) == whole, rows
    alone = [reply for request in wanted for reply in as_data(sample(qwen3, [request]))]
    assert alone == whole
    backwards = sample(qwen3, wanted[::-1])
    assert [reply for group in range(7, -1, -1) for reply in as_data(backwards)[6 * group : 6 * group + 6]] == whole


def test_a_longer_limit_only_continues_the_replies_that_were_cut(qwen3):
    short, long = sample(qwen3, requests(), max_tokens=12), sample(qwen3, requests(), max_tokens=30)
    for cut, full in zip(short, long, strict=True):
        assert full.response_ids[:12] == cut.response_ids
        assert cut.finish == "length" or cut.response_ids == full.response_ids


def test_long_prompts_and_replies_are_computed_like_short_ones(qwen3):
    wanted = [Request(tuple(range(2, 2 + length % 90)) * (1 + length // 90), (1, 2, 3)) for length in (3, 140, 70)]
    whole = sample(qwen3, wanted, max_tokens=80)
    assert max(len(rollout.response_ids) for rollout in whole) > 64
    for rollout in whole:
        recorded = torch.tensor(rollout.sampled_logprobs)
        assert (recorded - model_logprobs(qwen3, rollout)).abs().max() <= 1e-5
    alone = [reply for request in wanted for reply in as_data(sample(qwen3, [request], max_tokens=80))]
    assert alone == as_data(whole)


def test_models_with_weights_that_the_fast_decoder_does_not_read_use_the_other_one():
    kinds = {kind: fused_decoder.supports(small_model(kind)) for kind in ("qwen3", "qwen2", "llama", "gpt2")}
    assert kinds == {"qwen3": True, "qwen2": True, "llama": True, "gpt2": False}
    for bias in ("attention_bias", "mlp_bias"):
        model = small_model("llama", **{bias: True})
        assert not fused_decoder.supports(model)
        (rollout,) = sample(model, [Request((5, 6, 7), (1,))], max_tokens=8)
        recorded = torch.tensor(rollout.sampled_logprobs)
        assert (recorded - model_logprobs(model, rollout)).abs().max() <= 1e-5


def test_sync_takes_over_new_weights():

    model, other = small_model(seed=1), small_model(seed=2)
    engine = TorchEngine(model, [END])
    model.load_state_dict(other.state_dict())
    engine.sync()
    found = list(engine.generate(requests(2), temperature=1.0, max_tokens=10))
    expected = sample(other, requests(2), max_tokens=10)
    assert as_data(sorted(found, key=lambda rollout: (rollout.group, rollout.sample))) == as_data(expected)


def test_greedy_decoding_is_the_argmax(qwen3):
    (rollout,) = sample(qwen3, [Request((5, 6, 7), (1,))], temperature=0, max_tokens=8)
    ids = [5, 6, 7]
    for token in rollout.response_ids:
        assert token == int(qwen3(torch.tensor([ids])).logits[0, -1].argmax())
        ids.append(token)


def test_replies_come_as_they_end(qwen3):
    lengths = [
        len(rollout.response_ids)
        for rollout in TorchEngine(qwen3, [END]).generate(requests(), temperature=1.0, max_tokens=40)
    ]
    assert lengths == sorted(lengths) and lengths[0] < lengths[-1]


def test_draws_follow_the_distribution_and_never_take_an_impossible_token():
    logits = torch.tensor([2.0, float("-inf"), 0.0, 1.0, float("-inf")])
    count = 200_000
    uniform = (torch.arange(count) + 0.5) / count
    tokens, logprobs = draw_tokens(logits.expand(count, -1), uniform, 0.7)
    expected = (logits / 0.7).softmax(-1)
    assert torch.allclose(torch.bincount(tokens, minlength=5) / count, expected, atol=1e-4)
    assert torch.allclose(logprobs.exp(), expected[tokens], atol=1e-6)
    edges = torch.tensor([0.0, 1 - 2**-24])
    assert draw_tokens(logits.expand(2, -1), edges, 1.0)[0].tolist() == [0, 3]
