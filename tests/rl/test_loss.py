"""The loss against TRL's own function, values and gradients, and its invariances."""

from __future__ import annotations

import math
from collections import defaultdict
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.fast

torch = pytest.importorskip("torch")

from microcoder_rl.loss import kl_estimate, mismatch_weights, policy_loss, token_weights  # noqa: E402

MAX_TOKENS = 33


def ragged_batch(seed, replies=32, spread=0.4):
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, MAX_TOKENS + 1, (replies,), generator=generator)
    mask = torch.arange(MAX_TOKENS)[None] < lengths[:, None]
    old = -torch.rand(replies, MAX_TOKENS, generator=generator) * 3
    new = old + torch.randn(replies, MAX_TOKENS, generator=generator) * spread
    reference = old + torch.randn(replies, MAX_TOKENS, generator=generator) * spread
    advantages = torch.randn(replies, generator=generator)
    return SimpleNamespace(mask=mask, lengths=lengths, old=old, new=new, reference=reference, advantages=advantages)


def ours(batch, aggregation, *, rows=None, counted=None, kl_weight=0.0, **options):
    """Loss and gradient with respect to the padded [B, T] log-probs; `rows` picks and orders the replies."""
    weights = token_weights(batch.lengths, aggregation, max_tokens=MAX_TOKENS, counted=counted)
    rows = torch.arange(len(batch.mask)) if rows is None else rows
    new = batch.new.clone().requires_grad_()
    mask = batch.mask[rows]
    sequence = torch.arange(len(rows))[:, None].expand_as(mask)[mask]
    spread = [value[rows][:, None].expand_as(mask)[mask] for value in (batch.advantages, weights)]
    parts = policy_loss(
        new[rows][mask],
        batch.old[rows][mask],
        *spread,
        sequence,
        kl_weight=kl_weight,
        reference_logprobs=batch.reference[rows][mask] if kl_weight else None,
        **options,
    )
    parts.loss.backward()
    return parts.loss.detach(), new.grad


def trl_loss(batch, loss_type, *, beta=0.0, level="token", low=0.2, high=0.28):
    trl = pytest.importorskip("trl.trainer.grpo_trainer")
    new = batch.new.clone().requires_grad_()
    metrics = {"train": defaultdict(list)}
    trainer = SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *a, **k: (new, torch.zeros_like(new), None),
        aux_loss_enabled=False,
        top_entropy_quantile=1.0,
        off_policy_mask_threshold=None,
        importance_sampling_level=level,
        beta=beta,
        args=SimpleNamespace(use_bias_correction_kl=False, delta=None, steps_per_generation=1),
        epsilon_low=low,
        epsilon_high=high,
        loss_type=loss_type,
        use_vllm=False,
        model=SimpleNamespace(training=True),
        current_gradient_accumulation_steps=1,
        max_completion_length=MAX_TOKENS,
        accelerator=SimpleNamespace(num_processes=1, gather=lambda value: value, reduce=lambda value, reduction: value),
        _metrics=metrics,
        _entropy_bonus_enabled=False,
    )
    mask = batch.mask.int()
    inputs = {
        "prompt_ids": torch.zeros(len(mask), 1, dtype=torch.long),
        "prompt_mask": torch.ones(len(mask), 1, dtype=torch.int),
        "completion_ids": torch.zeros_like(mask),
        "completion_mask": mask,
        "advantages": batch.advantages,
        "old_per_token_logps": batch.old,
        "ref_per_token_logps": batch.reference,
        "num_items_in_batch": mask.sum(),
    }
    loss = trl.GRPOTrainer._compute_loss(trainer, None, inputs)
    loss.backward()
    return loss.detach(), new.grad


def test_cispo_equals_trl():
    for seed in range(20):
        batch = ragged_batch(seed, spread=1.0)
        loss, gradient = ours(batch, "token_mean", policy="cispo", clip_high=1.0)
        expected_loss, expected_gradient = trl_loss(batch, "cispo", high=2.0)
        assert abs(loss - expected_loss) <= 1e-6
        assert (gradient - expected_gradient).abs().max() <= 1e-6


def test_gppo_has_the_value_of_the_clip_and_keeps_the_gradient_of_clipped_tokens():
    new = torch.tensor([0.5, -0.5, 0.5, -0.5, 0.1]).requires_grad_()
    advantages, ones = torch.tensor([1.0, -1.0, -1.0, 1.0, 1.0]), torch.ones(5)
    options = {"clip_low": 0.2, "clip_high": 0.28}
    fixed = (torch.zeros(5), advantages, ones, torch.zeros(5, dtype=torch.long))
    parts = policy_loss(new, *fixed, policy="gppo", **options)
    assert torch.allclose(parts.loss, policy_loss(new, *fixed, **options).loss)
    (gradient,) = torch.autograd.grad(parts.loss, new)
    ratio = new.detach().exp()
    weights = torch.tensor([1.28, 0.8, ratio[2], ratio[3], ratio[4]])  # those of the paper: the bound, or the ratio
    assert torch.allclose(gradient, -weights * advantages)
    assert parts.clipped.tolist() == [True, True, False, False, False]


CASES = {
    "dapo": ("token_mean", {}),
    "grpo": ("sequence_mean", {}),
    "dr_grpo": ("constant", {}),
    "gspo": ("sequence_mean", {"ratio": "sequence"}),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kl_weight", [0.0, 0.04])
def test_loss_and_gradient_equal_trl(name, kl_weight):
    aggregation, options = CASES[name]
    loss_type, level = ("grpo", "sequence") if name == "gspo" else (name, "token")
    for seed in range(20):
        batch = ragged_batch(seed)
        loss, gradient = ours(batch, aggregation, kl_weight=kl_weight, **options)
        expected_loss, expected_gradient = trl_loss(batch, loss_type, beta=kl_weight, level=level)
        assert abs(loss - expected_loss) <= 1e-6
        assert (gradient - expected_gradient).abs().max() <= 1e-6


def test_with_a_ratio_per_sequence_each_token_is_trained_by_its_own_advantage():
    """As in GSPO-token: credit by line or by turn is not spread over the reply."""
    new = torch.tensor([0.2, -0.1, 0.05, 0.3]).requires_grad_()
    advantages, sequence = torch.tensor([1.0, 0.0, -2.0, 0.0]), torch.tensor([0, 0, 1, 1])
    weights = torch.tensor([0.5, 0.5, 0.25, 0.25])
    options = {"ratio": "sequence", "clip_low": 0.5, "clip_high": 0.5}
    policy_loss(new, torch.zeros(4), advantages, weights, sequence, **options).loss.backward()
    ratios = torch.tensor([0.05, 0.05, 0.175, 0.175]).exp()  # exp of the mean log-ratio of each reply
    assert torch.allclose(new.grad, -weights * ratios * advantages)


def test_a_value_worked_out_by_hand():
    # two replies of 1 and 2 tokens; ratios 1.5 (A=1, clipped at 1.28), 0.5 (A=-1, clipped at 0.8), 1 (A=-1)
    log = torch.tensor([1.5, 0.5, 1.0]).log().requires_grad_()
    advantages, sequence = torch.tensor([1.0, -1.0, -1.0]), torch.tensor([0, 1, 1])
    weights = token_weights(torch.tensor([1, 2]), "sequence_mean")[sequence]
    parts = policy_loss(log, torch.zeros(3), advantages, weights, sequence)
    assert parts.loss.item() == pytest.approx(-1.28 / 2 + (0.8 + 1.0) / 4)
    parts.loss.backward()
    assert log.grad.tolist() == pytest.approx([0.0, 0.0, 0.25])
    assert parts.clipped.tolist() == [True, True, False]


@pytest.mark.parametrize("name", CASES)
def test_splitting_and_reordering_a_window_changes_nothing(name):
    aggregation, options = CASES[name]
    batch = ragged_batch(7)
    whole_loss, whole_gradient = ours(batch, aggregation, **options)
    order = torch.randperm(32, generator=torch.Generator().manual_seed(0))
    for cuts in ([5, 27], [1, 30, 1], [11, 10, 11]):
        parts = [ours(batch, aggregation, rows=rows, **options) for rows in order.split(cuts)]
        assert abs(sum(loss for loss, _ in parts) - whole_loss) <= 1e-6
        assert (sum(gradient for _, gradient in parts) - whole_gradient).abs().max() <= 1e-7


def test_on_policy_gradient_is_reinforce():
    batch = ragged_batch(3, spread=0.0)
    _, gradient = ours(batch, "token_mean")
    reinforce = -(batch.advantages[:, None] * batch.mask) / batch.mask.sum()
    assert torch.allclose(gradient, reinforce, atol=1e-8)


def test_a_fully_masked_batch_has_zero_loss_and_gradient():
    batch = ragged_batch(1)
    batch.advantages.zero_()
    loss, gradient = ours(batch, "token_mean", counted=torch.zeros(32, dtype=torch.bool))
    assert loss == 0 and not gradient.any()


def test_leaving_masked_replies_out_of_the_denominator_only_rescales():
    batch = ragged_batch(5)
    masked = torch.arange(32) % 4 == 0
    batch.advantages[masked] = 0
    _, kept_in = ours(batch, "token_mean")
    _, left_out = ours(batch, "token_mean", counted=~masked)
    scale = batch.lengths.sum() / batch.lengths[~masked].sum()
    assert torch.allclose(left_out, kept_in * scale, atol=1e-8)


def test_dual_clip_bounds_the_loss_of_bad_tokens():
    log_ratio = torch.tensor([5.0]).log()
    one = torch.ones(1)
    arguments = (log_ratio, torch.zeros(1), -one, one, torch.zeros(1, dtype=torch.long))
    assert policy_loss(*arguments).loss.item() == pytest.approx(5.0)
    assert policy_loss(*arguments, dual_clip=3.0).loss.item() == pytest.approx(3.0)


def test_kl_estimates():
    logs = torch.linspace(-3, 0, 50)
    assert all((kl_estimate(logs, logs, kind) == 0).all() for kind in ("k1", "k2", "k3"))
    assert (kl_estimate(logs, logs.flip(0) - 0.01) > 0).all()
    new, reference = torch.tensor([-1.0]), torch.tensor([-1.5])
    values = [kl_estimate(new, reference, kind).item() for kind in ("k1", "k2", "k3")]
    assert values == pytest.approx([0.5, 0.125, math.exp(-0.5) - 1 + 0.5])


def test_only_k2_has_the_gradient_of_the_kl_on_average():
    logits, other = torch.tensor([0.3, -0.2, 0.5], requires_grad=True), torch.tensor([0.1, 0.4, -0.3])
    logprobs, reference = logits.log_softmax(-1), other.log_softmax(-1)
    (right,) = torch.autograd.grad((logprobs.exp() * (logprobs - reference)).sum(), logits, retain_graph=True)
    for kind, agrees in (("k1", False), ("k2", True), ("k3", False)):
        average = (logprobs.detach().exp() * kl_estimate(logprobs, reference, kind)).sum()
        (gradient,) = torch.autograd.grad(average, logits, retain_graph=True)
        assert torch.allclose(gradient, right, atol=1e-6) == agrees, kind


@pytest.mark.parametrize(
    ("policy", "ratio"), [("clip", "token"), ("clip", "sequence"), ("cispo", "token"), ("gppo", "token")]
)
@pytest.mark.parametrize("advantage", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("apart", [-1e4, -200.0, 200.0, 1e4])
def test_a_huge_ratio_leaves_loss_and_gradient_finite(apart, advantage, policy, ratio):
    new = torch.full((3,), apart).requires_grad_()
    ones, sequence = torch.ones(3), torch.zeros(3, dtype=torch.long)
    old = torch.zeros(3)
    for estimator in ("k1", "k2", "k3"):
        parts = policy_loss(
            *(new, old, ones * advantage, ones, sequence),
            policy=policy,
            ratio=ratio,
            kl_weight=0.1,
            kl_estimator=estimator,
            reference_logprobs=old,
        )
        (gradient,) = torch.autograd.grad(parts.loss, new)
        assert torch.isfinite(parts.loss) and torch.isfinite(gradient).all()


def test_the_weights_that_correct_for_the_sampler():
    old, sampled = torch.tensor([0.0, 3.0, -3.0, 0.1, 900.0]), torch.zeros(5)
    sequence = torch.tensor([0, 0, 0, 1, 2])
    token = mismatch_weights(old, sampled, sequence, "token", 2.0)
    assert torch.allclose(token, torch.tensor([1.0, 2.0, math.exp(-3), math.exp(0.1), 2.0]))
    masked = mismatch_weights(old, sampled, sequence, "sequence_mask", 2.0)
    assert masked.tolist() == [1, 1, 1, 1, 0]
