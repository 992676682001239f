"""The integrations that need no framework to be called: verl, slime, AReaL, open-r1, and what all share."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from microcoder_eval import InputError
from microcoder_eval.integrations import areal, open_r1, slime, verl
from microcoder_eval.integrations.grading import (
    JudgeError,
    Rewarder,
    reply_text,
    rewarder_from_environment,
    without_nulls,
)
from tests.integrations.conftest import BROKEN, PROBLEM, REPLIES, RIGHT

TRUTH = json.dumps({"inputs": ["1 2", "3 4"], "outputs": ["3", "7"]})


def test_nothing_is_imported_until_it_is_used() -> None:
    program = (
        "import sys\nimport microcoder_eval.integrations, microcoder_eval\n"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    frameworks = {
        "trl",
        "verl",
        "torch",
        "inspect_ai",
        "skyrl_gym",
        "verifiers",
        "ray",
        "starlette",
        "uvicorn",
        "httpx",
    }
    assert not set(done.stdout.split()) & frameworks


REWARDS: dict[str, tuple[float, float, float]] = {
    "right": (1.0, 1.0, 1.0),
    "half": (0.0, 0.5, 0.0),
    "no code": (0.0, 0.0, 0.0),
    "cut off": (0.0, 0.0, -0.5),
}


@pytest.mark.parametrize("what", REWARDS)
def test_shapes_of_rewards(problem: str, what: str) -> None:
    binary, fraction, with_penalty = REWARDS[what]
    for settings, expected in (
        ({}, binary),
        ({"shape": "fraction"}, fraction),
        ({"cut_off": -0.5}, with_penalty if what != "no code" else None),
    ):
        rewarder = Rewarder(**settings)
        found = rewarder.reward(rewarder.submit(problem, REPLIES[what]).result())
        assert expected is None or found == expected, settings


def test_a_share_of_groups() -> None:
    groups = [{"name": "a", "max_score": 1, "tests": [0]}, {"name": "b", "max_score": 3, "tests": [1]}]
    rewarder = Rewarder(shape="groups")
    problem = rewarder.problem({**PROBLEM, "groups": groups})
    assert rewarder.reward(rewarder.submit(problem, REPLIES["half"]).result()) == 0.5
    assert rewarder.reward(rewarder.submit(problem, REPLIES["right"]).result()) == 1.0


def test_a_judges_failure_has_no_reward(broken: str) -> None:
    rewarder = Rewarder(shape="fraction", cut_off=-1)
    grade = rewarder.submit(broken, REPLIES["right"]).result()
    assert rewarder.reward(grade) is None
    with pytest.raises(JudgeError):
        rewarder.reward_or_raise(grade)


def test_settings_are_checked_and_travel() -> None:
    with pytest.raises(InputError, match="binary"):
        Rewarder(shape="binry")
    assert pickle.loads(pickle.dumps(Rewarder(shape="fraction"))) == Rewarder(shape="fraction")


def test_replies_in_every_form() -> None:
    chat = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    parts = [{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]
    assert [reply_text(c) for c in ("a", chat, parts, tuple(chat), [], "")] == ["a", "a", "ab", "a", "", ""]
    asked = [*chat, {"role": "assistant", "tool_calls": [{"function": {"name": "run"}}]}]
    shared = [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]
    assert [reply_text(c) for c in (asked, shared, {"message": chat[1]}, np.array(chat))] == ["", "a", "a", "a"]
    assert without_nulls({"a": None, "b": {"c": None, "d": [1]}}) == {"b": {"d": [1]}}


@pytest.mark.parametrize(
    "completion", [None, False, 5, [1, 2], [None], {}, {"said": "a"}, [{"role": "user", "content": "q"}], b"a"]
)
def test_what_holds_no_reply_gets_no_reward(completion: Any) -> None:
    with pytest.raises(InputError, match="no reply"):
        reply_text(completion)


def score(truth: Any, reply: str, **settings: Any) -> dict[str, float]:
    return asyncio.run(
        verl.compute_score(
            data_source="taco", solution_str=reply, ground_truth=truth, extra_info={"index": 1}, **settings
        )
    )


def test_verl_gives_the_same_numbers_for_every_sample(problem: str, broken: str) -> None:
    assert inspect.iscoroutinefunction(verl.compute_score)
    found = [score(truth, reply) for truth in (problem, TRUTH, broken) for reply in REPLIES.values()]
    assert len({tuple(one) for one in found}) == 1
    assert all(isinstance(value, float) for one in found for value in one.values())
    assert [one["score"] for one in found[:8]] == [1.0, 0.0, 0.0, 0.0] * 2
    assert (found[8]["judge_error"], found[0]["judge_error"]) == (1.0, 0.0)
    assert score(TRUTH, REPLIES["half"], shape="fraction", reward_router_address=None)["score"] == 0.5


def test_verl_does_with_a_judges_failure_what_it_is_told(broken: str) -> None:
    assert score(broken, REPLIES["right"], judge_error=-0.25)["score"] == -0.25
    with pytest.raises(JudgeError):
        score(broken, REPLIES["right"], judge_error="raise")


@pytest.mark.parametrize("wrong", ["x", "", float("nan"), "inf", 1e300])
def test_a_reward_that_is_no_number_is_refused_before_anything_is_graded(wrong: Any) -> None:
    for settings in ({"cut_off": wrong}, {"judge_error": wrong}):
        with pytest.raises(InputError, match=rf"{next(iter(settings))}: a number expected"):
            asyncio.run(verl.compute_score("taco", REPLIES["right"], "no problem", None, **settings))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cut_off"):
        Rewarder(cut_off=wrong)


def test_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_CUT_OFF", "-0.5")
    monkeypatch.setenv("MICROCODER_SHAPE", "")
    assert rewarder_from_environment() == Rewarder(cut_off=-0.5)
    monkeypatch.setenv("MICROCODER_CUT_OFF", "half")
    with pytest.raises(InputError, match="MICROCODER_CUT_OFF: a number expected, found 'half'"):
        rewarder_from_environment()


def test_threads_that_come_first_share_one_grader(problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microcoder_eval.integrations.grading._graders", {})
    begin = threading.Barrier(8)

    def one(number: int) -> float:
        rewarder = Rewarder()
        begin.wait()
        return rewarder.reward_or_raise(rewarder.submit(problem, f"```python\n{RIGHT}\n# {number}\n```").result())

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(8))) == [1.0] * 8


def test_slime_takes_one_and_many(problem: str, broken: str) -> None:
    samples = [SimpleNamespace(response=reply, label=problem, metadata={}) for reply in REPLIES.values()]
    assert asyncio.run(slime.reward(None, samples[0])) == 1.0
    assert asyncio.run(slime.reward(None, samples)) == [1.0, 0.0, 0.0, 0.0]
    in_metadata = SimpleNamespace(response=REPLIES["right"], label="", metadata={"problem": PROBLEM})
    assert asyncio.run(slime.reward(None, in_metadata)) == 1.0
    with pytest.raises(JudgeError):
        asyncio.run(slime.reward(None, SimpleNamespace(response=REPLIES["right"], label=broken, metadata=None)))


@pytest.mark.parametrize(
    ("status", "reply", "reward"),
    [
        ("truncated", "Let me think about it.", -0.5),
        ("completed", "Let me think about it.", 0.0),
        ("truncated", REPLIES["right"], 1.0),
    ],
)
def test_slime_says_that_a_reply_was_cut_off(
    problem: str, monkeypatch: pytest.MonkeyPatch, status: str, reply: str, reward: float
) -> None:
    monkeypatch.setenv("MICROCODER_CUT_OFF", "-0.5")
    sample = SimpleNamespace(response=reply, label=problem, metadata={}, status=SimpleNamespace(value=status))
    assert asyncio.run(slime.reward(None, sample)) == reward


def test_areal_calls_it_in_a_pool(problem: str, broken: str) -> None:
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1) as pool:
        reward = pool.submit(areal.code_reward, "p", REPLIES["right"], [1], [2], problem=problem, other=5)
        assert reward.result(120) == 1.0
    assert areal.code_reward("p", REPLIES["half"], [], [], ground_truth=TRUTH, shape="fraction") == 0.5
    with pytest.raises(JudgeError):
        areal.code_reward("p", REPLIES["right"], [], [], problem=broken)
    with pytest.raises(InputError, match="input_output"):
        areal.code_reward("p", REPLIES["right"], [], [], tests=TRUTH)


TEMPLATE = """
        import subprocess
        import json

        def evaluate_code(code, test_cases):
            return 1.0

        code_snippet = {code}
        test_cases = json.loads({test_cases})

        evaluate_code(code_snippet, test_cases)
        """
"""The form of the scripts that open-r1's code_reward writes."""


def script(code: str, tests: Any) -> str:
    return TEMPLATE.format(code=json.dumps(code), test_cases=json.dumps(json.dumps(tests)))


def test_open_r1_gets_the_share_of_tests() -> None:
    tests = [{"input": "1 2", "output": "3\n", "type": "stdin_stdout"}, {"input": "3 4", "output": "7\n"}]
    lines = [{"input": "", "output": "1\n2\n3\n"}]
    fenced = RIGHT + "\n'''\n```\n'''"
    scripts = [script(RIGHT, tests), script("print(3)", tests), script("print(1)", lines), script(fenced, tests)]
    assert open_r1.MicrocoderProvider().execute_scripts(scripts, ["python"] * 4) == [1.0, 0.5, 0.0, 1.0]
    with pytest.raises(InputError, match="code_reward"):
        open_r1.MicrocoderProvider().execute_scripts(["print(1.0)"], ["python"])


def test_a_broken_record_is_the_data_sets_fault() -> None:
    for truth in ("", "{", "[]", "5", "{}", {"inputs": ["1"], "outputs": []}, [5], [{"input": "1"}], None):
        with pytest.raises(InputError):
            score(truth, REPLIES["right"])
    assert BROKEN["id"] == "broken"
