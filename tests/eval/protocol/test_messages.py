"""Messages survive the wire as they were, however the bytes are cut."""

from __future__ import annotations

import pytest

from microcoder_eval import TestResult, Verdict
from microcoder_eval.protocol import wire
from microcoder_eval.protocol.messages import (
    Cancel,
    Done,
    ForgetProblem,
    KnowProblem,
    Message,
    PlainRun,
    Ready,
    RunOptions,
    RunTests,
    Start,
    Streams,
    TestOutcome,
    Toolchain,
    Working,
    pack,
    unpack,
)
from microcoder_eval.verdict import Excerpt, Raised

pytestmark = pytest.mark.fast

TOOLS = Toolchain("cpp", {"g++": "/g++"}, "12", ("/opt",))
OPTIONS = RunOptions("contest", "test", True, skip_unneeded=True, toolchain=TOOLS, judges_toolchain=TOOLS)
PLAIN = RunOptions("contest", "test", False, judged=False, plain_run=PlainRun(b"1", {"a.txt": b"\xff"}, 10))
MESSAGES: list[Message] = [
    KnowProblem("k", {"id": "p", "tests": [{"input": "1", "output": "2"}]}),
    ForgetProblem("k"),
    RunTests(7, "k", "print('\udc80')", [2, 0, 1], OPTIONS, shared=True),
    RunTests(8, "k", "", [0], PLAIN, shared=False),
    Cancel(7),
    Cancel(7, 2),
    Working(7, 3),
    Ready(["seccomp", "limits"]),
    Done(7, [], "line 1: invalid syntax"),
    Done(7, [], "line 1: invalid syntax", Raised(1, "SyntaxError")),
    Done(
        8,
        [
            TestOutcome(TestResult(0, Verdict.ACCEPTED, 1.5, 2.5, 100, "exact", "", 0.25)),
            TestOutcome(TestResult(1, Verdict.ACCEPTED, rung="output"), b"\xff\n"),
            TestOutcome(TestResult(1, Verdict.ACCEPTED), Streams(-9, b"\xff", b"", 70, 0)),
            TestOutcome(TestResult(2, Verdict.WRONG_ANSWER, detail="line 1: ...")),
            TestOutcome(TestResult(2, Verdict.TIME_LIMIT, endless=True)),
            TestOutcome(TestResult(3, Verdict.RUNTIME_ERROR, raised=Raised(None, ""), stderr=Excerpt("x", 0, 1))),
        ],
    ),
]


@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_messages_arrive_as_they_were_sent(step: int) -> None:
    data = b"".join(pack(message) for message in MESSAGES)
    incoming = wire.Incoming()
    arrived = []
    for start in range(0, len(data), step):
        arrived += [unpack(fields) for fields in incoming.feed(data[start : start + step])]
    assert arrived == MESSAGES
    assert [type(message) for message in arrived] == [type(message) for message in MESSAGES]


def test_a_supervisor_gets_the_start_that_it_is_given() -> None:
    start = Start(["seccomp"], "/tmp/boxes", 7, "")
    assert Start.from_argument(start.to_argument()) == start


def test_verdicts_are_verdicts_again() -> None:
    (fields,) = wire.Incoming().feed(pack(MESSAGES[-1]))
    done = unpack(fields)
    assert isinstance(done, Done)
    assert done.outcomes[0].result.verdict is Verdict.ACCEPTED
