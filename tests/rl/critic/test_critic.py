"""PPO's critic and the baselines of REINFORCE: closed forms, the value head in whole runs, exact resumes."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from microcoder_eval import Grade, InputError, Problem, Verdict  # noqa: E402
from microcoder_rl.collect import Group  # noqa: E402
from microcoder_rl.credit import assign_advantages, whiten_advantages  # noqa: E402
from microcoder_rl.critic.assign import token_rewards  # noqa: E402
from microcoder_rl.critic.gae import gae, value_loss, whitened  # noqa: E402
from microcoder_rl.data import Task  # noqa: E402
from microcoder_rl.policy import Policy  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.rollout import Rollout, Turn  # noqa: E402
from microcoder_rl.run import open_parts, train  # noqa: E402
from microcoder_rl.trainer import Trainer  # noqa: E402
from tests.rl.toys import Tokenizer, quiet, requests, sample, small_model, steps_of, toy_recipe, weights_of  # noqa: E402


def reply(number, length, reward):
    verdict = Verdict.JUDGE_ERROR if reward is None else Verdict.ACCEPTED if reward else Verdict.WRONG_ANSWER
    found = Rollout(0, number, number, (1,), [5] * length, [0.0] * length, "stop", 1.0)
    found.grade, found.reward = Grade("", "p", verdict), reward
    return found


def assigned(rewards, lengths, greedy=None, **keys):
    config = build_config(keys)
    replies = [reply(n, length, reward) for n, (length, reward) in enumerate(zip(lengths, rewards, strict=True))]
    assign_advantages(Group(Task(Problem("p"), "", ()), replies, greedy), config, step=1, max_tokens=9)
    if config.advantage.whiten:
        whiten_advantages(replies)
    return replies


def test_gae_is_the_sum_of_its_definition():
    rewards, values = torch.randn(7).tolist(), torch.randn(7).tolist()
    gamma, lam = 0.9, 0.8
    deltas = [rewards[t] + gamma * (values[t + 1] if t < 6 else 0.0) - values[t] for t in range(7)]
    expected = [sum((gamma * lam) ** k * deltas[t + k] for k in range(7 - t)) for t in range(7)]
    advantages, returns = gae(rewards, values, gamma, lam)
    assert advantages == pytest.approx(expected)
    assert returns == pytest.approx([a + v for a, v in zip(expected, values, strict=True)])
    rewards = [0.0] * 6 + [1.0]  # gamma = lam = 1: the return is the reward, whatever the critic says
    assert gae(rewards, values, 1.0, 1.0)[1] == pytest.approx([1.0] * 7)


def test_the_value_loss_is_clipped_against_the_old_value():
    values = torch.tensor([0.0, 1.0, 5.0], requires_grad=True)
    old, returns, weights = torch.tensor([0.0, 0.0, 5.0]), torch.tensor([1.0, 2.0, 5.1]), torch.full((3,), 1 / 3)
    loss = value_loss(values, old, returns, weights, 0.2)
    assert float(loss) == pytest.approx((1.0 + 1.8**2 + 0.01) / 6)
    loss.backward()
    assert values.grad[1] == 0 and values.grad[0] < 0  # the second has moved too far already


def test_reinforce_plus_plus_whitens_over_tokens():
    replies = assigned([1.0, 0.0, 1.0], [2, 3, 1], algorithm="reinforce_pp")
    tokens = torch.tensor([1.0, 1, 0, 0, 0, 1])
    expected = (tokens - tokens.mean()) / (tokens.var() + 1e-8).sqrt()
    assert torch.tensor([v for r in replies for v in r.token_advantages]).allclose(expected, atol=1e-6)
    replies = assigned([1.0, 0.0, None], [2, 3, 4], algorithm="reinforce_pp_baseline")
    tokens = torch.tensor([0.5, 0.5, -0.5, -0.5, -0.5])
    expected = whitened(tokens).tolist()
    assert replies[0].token_advantages == pytest.approx(expected[:2]) and replies[2].token_advantages is None


@pytest.mark.parametrize("reward", [-0.3, 0.1, -0.6])
@pytest.mark.parametrize("length", [7, 5000])
def test_a_step_whose_rewards_are_all_equal_trains_nothing(reward, length):
    """Whitening a rounding error gives advantages that Adam makes a whole step of."""
    replies = assigned([reward] * 3, [length, 3, 1], algorithm="reinforce_pp")
    assert not any(rollout.has_signal for rollout in replies)


def test_the_greedy_baseline():
    assert [r.advantage for r in assigned([1.0, 0.0], [1, 1], 1.0, algorithm="reinforce")] == [0.0, -1.0]
    assert [r.advantage for r in assigned([1.0, 1.0], [1, 1], 0.0, algorithm="reinforce")] == [1.0, 1.0]
    assert [r.advantage for r in assigned([1.0, 0.0], [1, 1], None, algorithm="reinforce")] == [0.0, 0.0]


def test_rewards_of_tokens():
    own = reply(0, 4, 1.0)
    own.response_ids = [5, 5, 9, 5, 5]
    own.earlier = [Turn(2, 3, "", Grade("", "p", Verdict.WRONG_ANSWER), -0.3)]
    own.penalty = -0.5
    assert token_rewards(own, build_config({"algorithm": "ppo"})) == [0, 0, 0, 0.5]
    discounted = build_config({"algorithm": "ppo", "reward": {"turns": "discounted"}})
    assert token_rewards(own, discounted) == [0, -0.3, 0, 0.5]


@pytest.mark.parametrize("layout", ["padded", "packed", "shared"])
def test_values_are_of_the_states_before_the_tokens(layout):
    model = small_model()
    policy = Policy(model, Tokenizer(), value_head=True)
    torch.nn.init.normal_(model.value_head.weight)
    replies = sample(model, requests(2, 3), max_tokens=7)
    _, _, values = policy.evaluate(replies, layout)
    expected = []
    for rollout in replies:
        ids = torch.tensor([[*rollout.prompt_ids, *rollout.response_ids]])
        states = model.model(ids).last_hidden_state[0, len(rollout.prompt_ids) - 1 : -1]
        expected.append(model.value_head(states).squeeze(-1))
    assert torch.allclose(values, torch.cat(expected), atol=1e-4)
    assert not any("value_head" in name for name, _ in policy.weights())


def ppo_recipe(toy, out, steps, **changes):
    return build_config(
        toy_recipe(toy, out, algorithm="ppo", run={"steps": steps}, evaluate={"every": 0, "at_start": False}, **changes)
    )


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_resumed_run_has_the_same_critic(toy, tmp_path, dtype):
    model = {"model": {"dtype": dtype}}
    train(ppo_recipe(toy, tmp_path / "whole", 4, **model), notify=quiet)
    train(ppo_recipe(toy, tmp_path / "run", 2, **model), notify=quiet)
    train(ppo_recipe(toy, tmp_path / "run", 4, **model), resume=True, notify=quiet)
    assert steps_of(tmp_path / "run") == steps_of(tmp_path / "whole")
    found, expected = (weights_of(tmp_path / name / "checkpoints" / "step-000004") for name in ("run", "whole"))
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    assert not any("value_head" in name for name in found)  # a plain model folder


def test_the_critic_learns_what_replies_are_worth(toy, tmp_path):
    config = ppo_recipe(toy, tmp_path, 15, loss={"value_weight": 1.0})
    with open_parts(config, quiet) as parts:
        trainer = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train)
        errors = []
        for _ in range(15):
            trainer.train_step()
            judged = [r for group in trainer.groups for r in group.rollouts]
            errors.append(sum((r.values[0] - r.reward) ** 2 for r in judged) / sum(r.reward**2 for r in judged))
    assert errors[0] == pytest.approx(1.0) and sum(errors[-3:]) < 0.8 * 3  # the head begins at 0


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"algorithm": "ppo", "advantage": {"std": "sample"}}, "baseline value goes with advantage.std none"),
        ({"algorithm": "reinforce", "rollout": {"staleness": 1}}, "greedy goes with rollout.staleness 0"),
        ({"algorithm": "reinforce_pp", "reward": {"turns": "discounted"}}, "baseline mean or value"),
    ],
)
def test_what_cannot_be_asked_for(keys, words):
    with pytest.raises(InputError, match=words):
        build_config(keys)
