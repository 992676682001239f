"""A problem prepared once for many trials: inputs as bytes, expected outputs, checkers and limits."""

from __future__ import annotations

import json
from typing import Any

from microcoder_eval.boundary.encode_values import encode
from microcoder_eval.problem import Problem, TestCase
from microcoder_eval.protocol.sealed_text import SealedText
from microcoder_eval.scoring import most_points_of
from microcoder_eval.signatures import node_hints
from microcoder_eval.supervisor.opinion import MOST_POINTS
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits

LEAST_ANSWER_BYTES = 8 * MEBIBYTE
LEAST_OUTPUT_BYTES = 64 * MEBIBYTE
SHORT_BYTES = 1024
"""The longest input, and the longest expected output, of a test that is run together with others."""
SealedTexts = dict[tuple[int, str], SealedText]
"""Long texts by a test's number and "input" or "output"."""


class LoadedProblem:
    """A problem as a supervisor keeps it. Every list has one entry for each test."""

    def __init__(self, record: dict[str, Any], sealed: SealedTexts | None = None) -> None:
        """`sealed`: the long texts that the record leaves out."""
        self.problem = Problem.from_dict(record)
        is_call = self.problem.kind == "call"
        self.inputs: list[bytes | SealedText] = [_input_bytes(test, is_call) for test in self.problem.tests]
        self.expected: list[Any] = [test.output if is_call else _bytes(test.output) for test in self.problem.tests]
        """Bytes or a sealed text, or the value that a call must return."""
        for (index, field), text in (sealed or {}).items():
            (self.inputs if field == "input" else self.expected)[index] = text
        self.checkers = [self.problem.checker.with_flags(test.flags) for test in self.problem.tests]
        self.answer_bytes = [
            LEAST_ANSWER_BYTES + 16 * len(json.dumps(encode(value))) if is_call else 0 for value in self.expected
        ]
        """`call`: a longer answer is wrong without being read."""
        longest = max((len(text) for text in self.expected if isinstance(text, (bytes, SealedText))), default=0)
        self.output_bytes = max(LEAST_OUTPUT_BYTES, 2 * longest + MEBIBYTE)
        memory_bytes = int(self.problem.memory_limit_mb * MEBIBYTE)
        self._usual_limits = Limits(self.problem.time_limit_s, memory_bytes, self.output_bytes)
        self.hints = node_hints(self.problem) if is_call else {}
        self.groups = self.problem.scored()
        self.judge_limits: dict[int, Limits | None] = {}
        """By test, the limits of its judge (see `fair_judging`); None when it fails on the expected output too."""
        self.waits_for_program: dict[int, bool] = {}
        """By test, whether its interactor waits for a program that writes nothing."""

    def limits(self, index: int) -> Limits:
        """The problem's limits, or the test's own."""
        problem, test = self.problem, self.problem.tests[index]
        if test.time_limit_s is None and test.memory_limit_mb is None:
            return self._usual_limits
        memory_mb = test.memory_limit_mb or problem.memory_limit_mb
        return Limits(test.time_limit_s or problem.time_limit_s, int(memory_mb * MEBIBYTE), self.output_bytes)

    def is_short(self, index: int) -> bool:
        """Whether a shared process may get the test's input together with those of other tests."""
        given, expected = self.inputs[index], self.expected[index]
        return len(given) <= SHORT_BYTES and (
            not isinstance(expected, (bytes, SealedText)) or len(expected) <= SHORT_BYTES
        )

    def most_points(self, index: int) -> float:
        """The most points that a judge may give on a test."""
        return MOST_POINTS if self.groups is None else min(MOST_POINTS, most_points_of(self.groups, index))


def _input_bytes(test: TestCase, is_call: bool) -> bytes:
    return json.dumps(encode(test.input)).encode() if is_call else _bytes(test.input)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
