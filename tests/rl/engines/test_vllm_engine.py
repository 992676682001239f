"""The engine "vllm" with the real vLLM: what it samples and records, and that weights are replaced in place."""

from __future__ import annotations

import importlib.util

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.recipe.vllm import VllmConfig  # noqa: E402
from microcoder_rl.rollout import Request  # noqa: E402
from tests.rl.toys import END, gap, requests, sample_from, small_model  # noqa: E402

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not importlib.util.find_spec("vllm"), reason="vLLM is not installed here: make test-vllm"),
]


@pytest.fixture(scope="module")
def model():
    return small_model(head_dim=32)


@pytest.fixture(scope="module")
def engine(model, tmp_path_factory):
    from microcoder_rl.engines.vllm_engine import VllmEngine

    folder = tmp_path_factory.mktemp("vllm") / "model"
    model.save_pretrained(folder)
    engine = VllmEngine(
        str(folder), lambda: model.state_dict().items(), [END], VllmConfig(cpu_cache_gb=1, eager=True), context=256
    )
    yield engine
    engine.close()


@pytest.mark.parametrize("temperature", [0.6, 1.0, 1.8])
def test_recorded_logprobs_are_the_models_own(model, engine, temperature):
    rollouts = sample_from(engine, requests(), temperature=temperature)
    assert [(r.group, r.sample) for r in rollouts] == [(g, s) for g in range(5) for s in range(6)]
    assert gap(model, rollouts) <= 1e-5
    for rollout in rollouts:
        assert END not in rollout.response_ids[:-1] and len(rollout.response_ids) == len(rollout.sampled_logprobs)
        assert (rollout.response_ids[-1] == END) == (rollout.finish == "stop")
        assert len(rollout.response_ids) == 40 or rollout.finish == "stop"


def test_the_gap_stays_after_ten_weight_updates(model, engine):
    generator = torch.Generator().manual_seed(0)
    before = sample_from(engine, requests(2))
    for _ in range(10):
        for parameter in model.parameters():
            parameter.data.add_(torch.randn(parameter.shape, generator=generator) * 0.01)
        engine.sync()
    after = sample_from(engine, requests(), temperature=1.2)
    assert gap(model, after) <= 1e-5 < gap(model, before)


def test_each_reply_comes_from_its_own_seed(engine):
    wanted = requests(3)
    whole = sample_from(engine, wanted)
    assert [r.response_ids for r in sample_from(engine, wanted)] == [r.response_ids for r in whole]
    assert len({tuple(r.response_ids) for r in whole[:6]}) > 1
    other = [Request(request.prompt_ids, tuple(seed + 1 for seed in request.seeds)) for request in wanted]
    assert [r.response_ids for r in sample_from(engine, other)] != [r.response_ids for r in whole]


def test_more_prompt_tokens_than_one_step_takes(model, engine):
    """vLLM would cut a prompt into chunks there, which seeded requests on a CPU cannot take."""
    generator = torch.Generator().manual_seed(1)
    prompts = [torch.randint(1, 96, (200,), generator=generator).tolist() for _ in range(60)]
    rollouts = sample_from(engine, [Request(tuple(prompt), (3, 4)) for prompt in prompts])
    assert len(rollouts) == 120
    assert gap(model, rollouts) <= 1e-5


def test_replies_come_as_they_end(engine):
    lengths = [len(r.response_ids) for r in engine.generate(requests(), temperature=1.0, max_tokens=40)]
    assert lengths == sorted(lengths) and lengths[0] < lengths[-1]


def test_a_caller_that_stops_listening_leaves_nothing_behind(engine):
    replies = engine.generate(requests(), temperature=1.0, max_tokens=40)
    next(replies)
    replies.close()
    assert not engine.llm.llm_engine.has_unfinished_requests()
    assert len(sample_from(engine, requests(2))) == 12
