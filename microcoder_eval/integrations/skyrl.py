"""SkyRL: an environment for skyrl-gym whose episodes have one turn.

    skyrl_gym.register("microcoder", "microcoder_eval.integrations.skyrl:CodeEnv", {"shape": "fraction"})

`extras["reward_spec"]["ground_truth"]` is a problem in any form that `ground_truth` reads. The settings `grader`,
`token`, `shape` and `cut_off` are given when it is registered, or in `env_config`. A JUDGE_ERROR raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from microcoder_eval.errors import InputError
from microcoder_eval.integrations.grading import Rewarder

SETTINGS = ("grader", "token", "shape", "cut_off")


class CodeEnv(BaseTextEnv):
    """Grades the first action, the model's reply; it ends the episode."""

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None, **settings: Any) -> None:
        super().__init__()
        spec = (extras or {}).get("reward_spec") or {}
        if spec.get("ground_truth") is None:
            raise InputError('extras["reward_spec"]["ground_truth"] is missing')
        configured = {name: _setting(env_config, name) for name in SETTINGS}
        settings |= {name: value for name, value in configured.items() if value is not None}
        self._rewarder = Rewarder(**settings)
        try:
            self._problem = self._rewarder.problem(spec["ground_truth"])
        except InputError as error:  # subclasses take two arguments; SkyRL makes the error anew from one
            raise InputError(str(error)) from None
        self._metrics: dict[str, float] = {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Grade the reply."""
        grade = self._rewarder.submit(self._problem, action).result()
        reward = self._rewarder.reward_or_raise(grade)
        self._metrics = {"accepted": float(grade.accepted), "passed": grade.score}
        return BaseTextEnvStepOutput(
            observations=[],
            reward=reward,
            done=True,
            metadata={"verdict": grade.verdict.value, "parsed_code": grade.code or ""},
        )

    def get_metrics(self) -> dict[str, float]:
        """The metrics of the episode, for SkyRL to average."""
        return self._metrics


def _setting(config: Any, name: str) -> Any:
    if config is None:
        return None
    return config.get(name) if hasattr(config, "get") else getattr(config, name, None)
