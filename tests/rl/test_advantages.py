"""Group advantages and the overlong penalty: values against the statistics module."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from microcoder_rl.advantages import group_advantages, has_signal, soft_overlong_penalty  # noqa: E402

NAN = float("nan")


@given(st.lists(st.sampled_from([0.0, 1.0, 0.5]), min_size=2, max_size=16))
def test_advantages_equal_the_statistics_module(rewards):
    found = group_advantages(torch.tensor(rewards, dtype=torch.float64))
    if len(set(rewards)) == 1:
        assert found.tolist() == [0.0] * len(rewards)
        return
    mean, std = statistics.mean(rewards), statistics.stdev(rewards)
    assert found.tolist() == pytest.approx([(reward - mean) / (std + 1e-6) for reward in rewards])
    population = group_advantages(torch.tensor(rewards, dtype=torch.float64), std="population", eps=0.0)
    assert population.tolist() == pytest.approx([(r - mean) / statistics.pstdev(rewards) for r in rewards])


def test_an_unjudged_reply_is_as_if_it_had_not_been_sampled():
    with_error = group_advantages(torch.tensor([1.0, NAN, 0.0, 0.0]))
    without = group_advantages(torch.tensor([1.0, 0.0, 0.0]))
    assert with_error[[0, 2, 3]].tolist() == without.tolist() and with_error[1] == 0
    assert not has_signal(torch.tensor([1.0, NAN])) and not has_signal(torch.tensor([NAN, NAN]))
    assert group_advantages(torch.tensor([NAN, NAN])).tolist() == [0.0, 0.0]


def test_overlong_penalty_falls_linearly_over_the_buffer():
    penalty = soft_overlong_penalty(torch.tensor([0, 90, 92, 100]), max_tokens=100, buffer=10, factor=0.5)
    assert penalty.tolist() == pytest.approx([0.0, 0.0, -0.1, -0.5])
    longer = soft_overlong_penalty(torch.tensor([400]), max_tokens=100, buffer=10, factor=0.5)
    assert longer.item() == -0.5  # sampled before rollout.max_tokens_stages went down


def test_the_leave_one_out_baseline_is_the_mean_of_the_others():
    rewards = torch.tensor([1.0, 0.0, float("nan"), 0.0, 0.5])
    found = group_advantages(rewards, std="none", baseline="leave_one_out")
    judged = [0, 1, 3, 4]
    for place in judged:
        others = [float(rewards[other]) for other in judged if other != place]
        assert found[place] == pytest.approx(float(rewards[place]) - sum(others) / len(others))
    assert found[2] == 0
