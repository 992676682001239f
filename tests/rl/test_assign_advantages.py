"""What the trainer writes into each rollout before an update: advantage, mask and token weight. Starts no process."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from microcoder_eval import Grade, Problem, Verdict  # noqa: E402
from microcoder_rl.collect import Group  # noqa: E402
from microcoder_rl.credit import assign_advantages, assign_token_weights, whiten_advantages  # noqa: E402
from microcoder_rl.data import Task  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.recipe.algorithms import ALGORITHMS  # noqa: E402
from microcoder_rl.rollout import Rollout, Turn  # noqa: E402
from microcoder_rl.sweep import sweep_temperatures  # noqa: E402


def rollout(sample, ids, finish, accepted, complete=True, verdict=None):
    verdict = verdict or (Verdict.ACCEPTED if accepted else Verdict.WRONG_ANSWER)
    grade = Grade("", "p", verdict, complete=complete)
    reply = Rollout(0, sample, sample, (1,), list(ids), [0.0] * len(ids), finish, 1.0, grade=grade)
    reply.reward = grade.reward
    return reply


def test_the_mask_zeroes_after_the_groups_statistics():
    config = build_config({"truncation": {"share": 1.0, "window": 2}})
    replies = [
        rollout(0, range(9), "stop", True),
        rollout(1, range(9), "length", False, complete=False),  # masked
        rollout(2, [1, 2, 1, 2], "length", False, complete=False),  # repeats
        rollout(3, range(9), "length", False, complete=True),  # a whole, wrong program
        rollout(4, range(9), "length", True),  # correct but truncated: masked
        rollout(5, range(9), "stop", False, verdict=Verdict.JUDGE_ERROR),  # no reward
    ]
    assign_advantages(Group(Task(Problem("p"), "", ()), replies), config, step=1, max_tokens=9)
    rewards = torch.tensor([1.0, 0, 0, 0, 1.0])
    wrong = float((0 - rewards.mean()) / (rewards.std() + 1e-6))
    right = float((1 - rewards.mean()) / (rewards.std() + 1e-6))
    assert [reply.advantage for reply in replies] == pytest.approx([right, 0.0, wrong, wrong, 0.0, 0.0])
    assert [reply.mask for reply in replies] == [
        None, "truncated, incomplete", None, None, "truncated, correct", None,
    ]  # fmt: skip


LEFT = {"one failed": [1.0, None, 0.0, 0.0], "two left": [None, 0.0, None, 1.0], "all failed": [None] * 3}


DISCOUNTED = [name for name in ALGORITHMS if build_config({"algorithm": name}).advantage.baseline in ("mean", "value")]


@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize(
    ("algorithm", "turns"),
    [*((name, "last") for name in ALGORITHMS), *((name, "discounted") for name in DISCOUNTED)],
)
def test_a_reply_that_could_not_be_judged_is_as_if_it_had_not_been_sampled(algorithm, left, turns):
    recipe = {"algorithm": algorithm, "reward": {"turns": turns}, "advantage": {"overlong_buffer": 4}}
    config = build_config(recipe)

    def assigned(rewards):
        replies = []
        for number, reward in rewards:
            verdict = Verdict.JUDGE_ERROR if reward is None else None
            replies.append(rollout(number, range(3 + 2 * number), "length", reward == 1, verdict=verdict))
            if turns == "discounted":  # its first turn was judged in any case
                ids = replies[-1].response_ids
                replies[-1].earlier = [Turn(1, 2, "", Grade("", "p", Verdict.WRONG_ANSWER), 0.0)]
                replies[-1].sampled_logprobs = [0.0] * (len(ids) - 1)
        group = Group(Task(Problem("p"), "", ()), replies, greedy=0.0)
        assign_advantages(group, config, step=1, max_tokens=9)
        if config.advantage.whiten:
            whiten_advantages(replies)
        assign_token_weights([reply for reply in replies if reply.reward is not None], config, 9)
        return replies

    found = assigned(enumerate(LEFT[left]))
    known = [reply for reply in found if reply.reward is not None]
    alone = assigned([(reply.sample, reply.reward) for reply in known])
    for mine, theirs in zip(known, alone, strict=True):
        assert (mine.advantage, mine.token_advantages, mine.mask, mine.token_weight) == (
            theirs.advantage, theirs.token_advantages, theirs.mask, theirs.token_weight,
        )  # fmt: skip
        assert math.isfinite(mine.advantage)
    for reply in found:
        if reply.reward is None:
            assert not reply.has_signal and reply.mask is None and reply.token_weight == 0


def test_the_masks_share_is_drawn_once_per_sample():
    config = build_config({"truncation": {"share": 0.3}})

    def masked(step):
        replies = [rollout(s, range(9), "length", False, complete=False) for s in range(400)]
        assign_advantages(Group(Task(Problem("p"), "", ()), replies), config, step=step, max_tokens=9)
        return [reply.mask is not None for reply in replies]

    assert masked(1) == masked(1) != masked(2)
    assert 0.2 < sum(masked(1)) / 400 < 0.4


def test_token_weights_are_set_over_the_whole_mini_batch_and_skip_what_does_not_count():
    replies = [
        rollout(0, range(6), "stop", True),
        rollout(1, range(4), "length", False),
        rollout(2, range(9), "stop", False),
    ]
    replies[0].advantage, replies[1].mask = 1.0, "truncated, incomplete"
    expected = {"all": 1 / 19, "unmasked": 1 / 15, "active": 1 / 6}
    for denominator, weight in expected.items():
        config = build_config({"loss": {"denominator": denominator, "aggregation": "token_mean"}})
        assign_token_weights(replies, config, 9)
        assert [reply.token_weight for reply in replies] == pytest.approx([weight] * 3), denominator


def test_a_temperature_whose_replies_could_not_be_judged_has_no_accuracy():
    def sample(tasks, seed_parts, count, *, temperature, max_tokens):
        verdict = Verdict.JUDGE_ERROR if temperature < 1 else Verdict.WRONG_ANSWER
        replies = [rollout(n, range(9), "stop", False, verdict=verdict) for n in range(count)]
        for reply in replies:
            reply.text = "these are four words or more"
        return [replies for _ in tasks], None

    config = build_config({"temperature": {"mode": "selected", "grid": [0.8, 1.0], "convergence": 0.1, "margin": 0.0}})
    points, chosen = sweep_temperatures(
        SimpleNamespace(config=config, sample=sample), [Task(Problem("p"), "", ())], max_tokens=9
    )
    assert points[1].accuracy == 0 and math.isnan(points[0].accuracy)
    assert chosen.temperature == 1.0
