"""What all integrations share: a `Rewarder` grades a reply against a data set's problem and gives the reward.

    rewarder = Rewarder(shape="fraction")
    rewarder.reward(rewarder.submit(truth, reply).result())

A `Rewarder` holds only settings, so it can be pickled and used from any thread or process. A process opens one
connection to each address; by default all processes of a machine share one grader.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from microcoder_eval.connection import AnyGrader, connect
from microcoder_eval.errors import GraderError, InputError
from microcoder_eval.ground_truth import MEMORY_LIMIT_MB, TIME_LIMIT_S, problem_from
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.reading.chat import replies_in
from microcoder_eval.record_schema import shown
from microcoder_eval.rewards import check_reward, check_shape, needs_all_tests, reward_of
from microcoder_eval.verdict import Grade


class JudgeError(GraderError):
    """The grader failed on a reply, which therefore has no reward."""


@dataclass(frozen=True)
class Rewarder:
    """Where replies are graded, and which reward a grade gets."""

    grader: str | None = None
    """The address for `connect`; None: the variable MICROCODER_GRADER, otherwise this machine's shared grader."""
    token: str = ""
    shape: str = "binary"
    """"binary", "fraction" or "groups" (see `rewards`)."""
    cut_off: float | None = None
    """The reward of a reply that was cut off and is not accepted."""
    time_limit_s: float = TIME_LIMIT_S
    """For problems without a limit of their own, as is `memory_limit_mb`."""
    memory_limit_mb: int = MEMORY_LIMIT_MB
    language: str = "python"

    def __post_init__(self) -> None:
        check_shape(self.shape)
        if self.cut_off is not None:
            check_reward("cut_off", self.cut_off)

    def submit(self, truth: Any, reply: str, name: str = "", truncated: bool = False) -> Future[Grade]:
        """Start grading a model's reply. truth, name: as for `problem`; truncated: as in a `Submission`."""
        problem = self.problem(truth, name)
        submission = Submission("", problem.id, response=reply, language=self.language, truncated=truncated)
        return self.submit_program(problem, submission)

    def submit_program(self, problem: Problem, submission: Submission) -> Future[Grade]:
        """Start grading with as many tests as the reward's shape needs."""
        return self.connected().submit(problem, submission, all_tests=needs_all_tests(self.shape) or None)

    def problem(self, truth: Any, name: str = "") -> Problem:
        """The problem in what a data set holds. truth: any form that `ground_truth` reads. name: its id, if any."""
        if isinstance(truth, Problem):
            return truth
        text = truth if isinstance(truth, str) else json.dumps(without_nulls(truth), default=_array_as_list)
        return _problem(text, name, self.time_limit_s, self.memory_limit_mb)

    def connected(self) -> AnyGrader:
        """The grader at the address; one for each process."""
        return _connected(self.grader, self.token)

    def reward(self, grade: Grade) -> float | None:
        """The reward; None when the grader failed."""
        return reward_of(grade, self.shape, self.cut_off)

    def reward_or_raise(self, grade: Grade) -> float:
        """The reward; raises `JudgeError` when the grader failed."""
        found = self.reward(grade)
        if found is None:
            raise JudgeError(f"problem {grade.problem_id!r}: the grader failed: {grade.detail}")
        return found


_graders: dict[tuple[str | None, str], AnyGrader] = {}


def _connected(address: str | None, token: str) -> AnyGrader:
    """The process's grader at an address. Two threads that come at the same time get the same one."""
    if (address, token) not in _graders:
        _graders.setdefault((address, token), connect(address, token=token))  # one that is dropped has opened nothing
    return _graders[address, token]


def rewarder_from_environment() -> Rewarder:
    """A `Rewarder` for frameworks that pass no settings: MICROCODER_SHAPE and MICROCODER_CUT_OFF choose the reward."""
    text = os.environ.get("MICROCODER_CUT_OFF")
    cut_off = check_reward("MICROCODER_CUT_OFF", text) if text else None
    return Rewarder(shape=os.environ.get("MICROCODER_SHAPE") or "binary", cut_off=cut_off)


@functools.lru_cache(maxsize=256)
def _problem(text: str, name: str, time_limit_s: float, memory_limit_mb: int) -> Problem:
    return problem_from(text, name, time_limit_s=time_limit_s, memory_limit_mb=memory_limit_mb)


def without_nulls(value: Any) -> Any:
    """A record without its nulls: Arrow gives all records of a column the same keys, with null for missing values."""
    if isinstance(value, Mapping):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return value


def _array_as_list(value: Any) -> Any:
    """A numpy array as a list: Parquet readers make arrays of lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not data")


def reply_text(completion: Any) -> str:
    """The reply in a completion: a text, chat messages (the model's last one counts), or any form that `chat` reads.

    Raises `InputError` for another form: an empty reply would get the reward 0.

    >>> reply_text([{"role": "assistant", "content": [{"type": "text", "text": "a"}]}])
    'a'
    """
    plain = completion.tolist() if hasattr(completion, "tolist") else completion
    plain = list(plain) if isinstance(plain, tuple) else plain
    if plain in ("", []):
        return ""
    replies = replies_in(plain)
    if replies is None:
        raise InputError(f"the completion holds no reply of a model: {shown(plain)}")
    return "".join(replies)
