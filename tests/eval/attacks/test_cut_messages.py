"""Messages cut at every byte, and with every byte changed: each reader raises what it declares, and nothing else."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from microcoder_eval.boundary.decode_values import NotAValue, read_answer
from microcoder_eval.protocol import wire
from microcoder_eval.protocol.messages import Done, Ready, TestOutcome, Working, pack, unpack
from microcoder_eval.sandbox.asserts.channel import Broken, parsed
from microcoder_eval.supervisor.opinion import read_opinion
from microcoder_eval.supervisor.tests_report import read_report
from microcoder_eval.verdict import TestResult, Verdict

pytestmark = pytest.mark.fast
SECRET = b"0123456789abcdef"
OUTCOME = TestOutcome(TestResult(0, Verdict.WRONG_ANSWER, 1.5, 2.5, 300, None, "détail", 0.5, True), b"\xff out")
REPORT = json.dumps({"ended": "passed", "detail": "é\n", "where": "line 1"}).encode()
ANSWER = b'{"r": [1, {"t": [2.5, "x"]}, {"d": [["a", {"s": [1, 2]}]]}], "a": [{"i": "0xff"}, {"f": "nan"}]}'


def _from_wire(data: bytes) -> None:
    for fields in wire.Incoming().feed(data):
        unpack(fields)


@dataclass(frozen=True)
class Reader:
    read: Callable[[bytes], object]
    message: bytes
    declared: tuple[type[BaseException], ...] = ()


READERS = {
    "opinion": Reader(lambda d: read_opinion(d, SECRET, "checker", 100.0), SECRET + b'[true, "fine", 0.5]'),
    "report": Reader(lambda d: read_report(d, SECRET), SECRET + REPORT),
    "answer": Reader(lambda d: read_answer(d, True), ANSWER, (NotAValue,)),
    "channel": Reader(parsed, b'["ok", [[0, [1]]], {"t": [1, {"h": [1, {"n": "int"}, null, null]}]}, ""]', (Broken,)),
    "ready": Reader(_from_wire, pack(Ready(["seccomp", "limits"])), (wire.Malformed,)),
    "done": Reader(_from_wire, pack(Done(7, [OUTCOME], None)), (wire.Malformed,)),
    "working": Reader(_from_wire, pack(Working(7, 1)), (wire.Malformed,)),
}

FROM_SUPERVISORS = ("ready", "done", "working")
"""marshal reserves what a changed length says. Only a trusted process writes these."""


@pytest.mark.parametrize("name", READERS)
def test_a_message_cut_anywhere_is_refused_as_declared(name: str) -> None:
    reader = READERS[name]
    for end in range(len(reader.message)):
        for data in (reader.message[:end], reader.message[end:] if end else b""):
            with contextlib.suppress(*reader.declared):
                reader.read(data)


@pytest.mark.parametrize("name", [name for name in READERS if name not in FROM_SUPERVISORS])
def test_a_message_with_any_byte_changed_is_refused_as_declared(name: str) -> None:
    reader = READERS[name]
    for place in range(len(reader.message)):
        for byte in (0, 0x22, 0x5B, 0x7F, 0xFF, reader.message[place] ^ 1, reader.message[place] ^ 0x80):
            data = reader.message[:place] + bytes([byte]) + reader.message[place + 1 :]
            with contextlib.suppress(*reader.declared):
                reader.read(data)


@pytest.mark.parametrize("end", range(len(SECRET)))
def test_nothing_is_accepted_without_the_whole_secret(end: int) -> None:
    forged = SECRET[:end] + b"0" * (len(SECRET) - end)
    if forged == SECRET:
        return
    for secret in (SECRET[:end], forged):
        assert read_report(secret + REPORT, SECRET) is None
        assert read_opinion(secret + b'[true, "", null]', SECRET, "checker", 1.0).verdict is Verdict.JUDGE_ERROR
