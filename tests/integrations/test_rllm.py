"""rLLM's own types, decorators and loader around our reward and evaluator."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.integrations.grading import JudgeError
from tests.integrations.conftest import REPLIES

types = pytest.importorskip("rllm.rewards.reward_types", reason="needs rllm")
ours = pytest.importorskip("microcoder_eval.integrations.rllm")


class Action:
    """What rLLM wraps a model's reply in."""

    def __init__(self, action: Any) -> None:
        self.action = action


def test_its_reward_output(problem: str, broken: str) -> None:
    told = ours.code_reward({"problem": problem, "question": "q"}, REPLIES["right"])
    assert isinstance(told, types.RewardOutput)
    assert (told.reward, told.is_correct, told.metadata["verdict"]) == (1.0, True, "ACCEPTED")
    assert ours.code_reward({"ground_truth": problem}, Action(REPLIES["half"])).reward == 0.0
    assert ours.code_reward({"ground_truth": problem}, REPLIES["half"], shape="fraction").reward == 0.5
    with pytest.raises(JudgeError):
        ours.code_reward({"problem": broken}, REPLIES["right"])
    with pytest.raises(InputError, match="none of"):
        ours.code_reward({"question": "q"}, REPLIES["right"])


def episode(reply: str) -> Any:
    """An episode as rLLM makes one of a flow's answer."""
    from rllm.types import Episode

    return Episode(id="e", task={}, artifacts={"answer": reply})


def task(**metadata: Any) -> Any:
    from rllm.types import Task

    return Task(id="t", instruction="q", metadata=metadata)


def test_its_loader_and_an_episode(problem: str, broken: str) -> None:
    loader = pytest.importorskip("rllm.eval.evaluator_loader", reason="needs rllm 0.3")
    evaluator = loader.load_evaluator("microcoder_eval.integrations.rllm:CodeEvaluator")
    told = evaluator.evaluate(task(problem=problem), episode(REPLIES["right"]))
    assert (told.reward, told.is_correct, told.signals[0].value) == (1.0, True, 1.0)
    assert all(type(value) in (int, float) for value in told.metadata.values())
    assert evaluator.evaluate({"ground_truth": problem}, episode(REPLIES["half"])).reward == 0.0
    assert ours.CodeEvaluator(shape="fraction").evaluate(task(tests=problem), episode(REPLIES["half"])).reward == 0.5
    assert evaluator.evaluate(task(problem=problem), episode("")).reward == 0.0
    with pytest.raises(JudgeError):
        evaluator.evaluate(task(problem=broken), episode(REPLIES["right"]))
    with pytest.raises(InputError, match="none of"):
        evaluator.evaluate(task(question="q"), episode(REPLIES["right"]))
