"""skyrl-gym's own registry and environment interface, with our environment."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("skyrl_gym", reason="needs skyrl-gym: make test-integrations")

import skyrl_gym

from microcoder_eval import InputError
from microcoder_eval.integrations.grading import JudgeError
from tests.integrations.conftest import BROKEN, PROBLEM, REPLIES


@pytest.fixture(scope="module", autouse=True)
def registered() -> None:
    skyrl_gym.register("microcoder", entry_point="microcoder_eval.integrations.skyrl:CodeEnv")


def make(truth: Any, **config: Any) -> Any:
    extras = {"reward_spec": {"method": "rule", "ground_truth": truth}}
    return skyrl_gym.make("microcoder", env_config=config, extras=extras)


def test_an_episode() -> None:
    for what, reward in (("right", 1.0), ("half", 0.0), ("no code", 0.0)):
        environment = make(json.dumps(PROBLEM))
        prompt, _ = environment.init([{"role": "user", "content": "Add."}])
        done = environment.step(REPLIES[what])
        assert (done["reward"], done["done"], done["observations"]) == (reward, True, [])
        assert environment.get_metrics()["accepted"] == reward
        environment.close()
        assert prompt


def test_settings_and_mistakes() -> None:
    assert make(PROBLEM, shape="fraction").step(REPLIES["half"])["reward"] == 0.5
    entry_point = "microcoder_eval.integrations.skyrl:CodeEnv"
    skyrl_gym.register("microcoder-fraction", entry_point, kwargs={"shape": "fraction"})
    extras = {"reward_spec": {"ground_truth": json.dumps(PROBLEM)}}
    made = skyrl_gym.make("microcoder-fraction", env_config={}, extras=extras)
    assert made.step(REPLIES["half"])["reward"] == 0.5
    with pytest.raises(InputError):
        make(None)
    with pytest.raises(InputError, match="tests"):
        make({"id": "a", "tests": 5})
    with pytest.raises(JudgeError):
        make(BROKEN).step(REPLIES["right"])
