"""Faults of the grader's own parts: each is reported to its callers, costs no other grading, and ends no grader."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import Future
from typing import Any

import pytest

from microcoder_eval import Grade, Grader, GraderError, InputError, Problem, Submission, Verdict
from microcoder_eval.protocol import wire
from microcoder_eval.protocol.messages import Cancel, Done, Ready, TestOutcome, pack
from microcoder_eval.scheduling import pool as pool_module
from microcoder_eval.scheduling.delivery import deliver
from microcoder_eval.scheduling.pool import Pool
from microcoder_eval.scheduling.supervisor_handle import SupervisorHandle
from microcoder_eval.verdict import TestResult
from tests.eval.family import descendants

ONE = Problem.from_dict({"id": "one", "tests": [{"input": "", "output": "1"}] * 2})
ANSWER_S = 200.0


def right(number: int = 0) -> Submission:
    return Submission(f"s{number}", ONE.id, code=f"print(1)  # {number}")


def ask(grader: Grader, number: int = 0) -> Future[Grade]:
    return grader.submit(ONE, right(number))


OUTCOME = TestOutcome(TestResult(0, Verdict.ACCEPTED))
MALFORMED: dict[str, Any] = {
    "no tuple": 5,
    "nothing": (),
    "unknown": ("Nonsense", 1),
    "fields": ("Done", 1),
    "number": ("Done", "1", [], None),
    "outcomes": ("Done", 1, 5, None),
    "outcome": ("Done", 1, [5], None),
    "points of text": ("Done", 1, [(None, 0, "ACCEPTED", 1.0, 1.0, 1, None, "", "50", False)], None),
    "points not finite": ("Done", 1, [(None, 0, "ACCEPTED", 1.0, 1.0, 1, None, "", float("nan"), False)], None),
    "unknown verdict": ("Done", 1, [(None, 0, "FINE", 1.0, 1.0, 1, None, "", None, False)], None),
    "detail of none": ("Done", 1, [(None, 0, "ACCEPTED", 1.0, 1.0, 1, None, None, None, False)], None),
    "none of the tests": ("Done", 1, [], None),
    "another's message": ("Cancel", 1),
    "layers": ("Ready", [5]),
}


class Liar(SupervisorHandle):
    """A supervisor whose first answer is replaced."""

    answer: Any = None

    def read(self) -> Any:
        messages, alive = super().read()
        if any(isinstance(message, Done) for message in messages) and Liar.answer is not None:
            number = next(message.number for message in messages if isinstance(message, Done))
            told, Liar.answer = Liar.answer, None
            if isinstance(told, tuple) and told[:2] == ("Done", 1):
                told = ("Done", number, *told[2:])
            self._incoming = wire.Incoming()
            packed = wire.pack(told) if not isinstance(told, bytes) else told
            return [pool_unpack(fields) for fields in self._incoming.feed(packed)], alive
        return messages, alive


def pool_unpack(fields: Any) -> Any:
    from microcoder_eval.protocol.messages import unpack

    return unpack(fields)


@pytest.mark.parametrize("what", [*MALFORMED, "not marshalled", "endless"])
def test_a_malformed_message_costs_its_supervisor_only(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(pool_module, "SupervisorHandle", Liar)
    raw = {"not marshalled": wire.LENGTH.pack(3) + b"\xff\xff\xff", "endless": wire.LENGTH.pack(1 << 60)}
    Liar.answer = raw.get(what, MALFORMED.get(what))
    with Grader(workers=1) as grader:
        assert ask(grader).result(timeout=ANSWER_S).accepted
        assert Liar.answer is None
        assert ask(grader, 1).result(timeout=ANSWER_S).accepted


@pytest.mark.parametrize("step", ["_hand_out", "_take_arrivals", "_attend"])
def test_a_fault_of_the_thread_is_told_and_the_next_is_graded(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    original = getattr(Pool, step)
    faults = [MemoryError("made up")]

    def faulty(self: Pool, *arguments: Any) -> Any:
        if self._open and faults:
            raise faults.pop()
        return original(self, *arguments)

    with Grader(workers=1) as grader:
        assert ask(grader).result(timeout=ANSWER_S).accepted
        monkeypatch.setattr(Pool, step, faulty)
        slow = Submission("slow", ONE.id, code="import time; time.sleep(0.3); print(1)")
        try:
            assert grader.submit(ONE, slow).result(timeout=ANSWER_S).accepted
        except GraderError as error:
            assert "made up" in str(error)
        ended = [ask(grader, number) for number in range(1, 40)]  # the order of the later ones depends on the first
        for future in ended:
            try:
                assert future.result(timeout=ANSWER_S).accepted
            except GraderError as error:
                assert "made up" in str(error)
        assert not faults
        assert ask(grader, 99).result(timeout=ANSWER_S).accepted


def test_a_thread_that_fails_again_and_again_ends_the_grader(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(self: Pool) -> None:
        raise OSError("made up")

    monkeypatch.setattr(Pool, "_hand_out", faulty)
    monkeypatch.setattr(pool_module, "PAUSE_S", 0.0)
    with Grader(workers=1) as grader:
        deadline = time.monotonic() + ANSWER_S
        with pytest.raises(GraderError, match=r"failed 5 times within 60 s, the last time by OSError\('made up'\)"):
            while time.monotonic() < deadline:
                try:
                    ask(grader).result(timeout=ANSWER_S)
                except GraderError as error:
                    if "starts again" not in str(error):
                        raise


def test_what_a_callback_raises_harms_nobody() -> None:
    def leave(_: object) -> None:
        raise SystemExit(3)

    with Grader(workers=1) as grader:
        first, second = ask(grader), ask(grader)  # identical: they share one run
        first.add_done_callback(leave)
        assert first.result(timeout=ANSWER_S).accepted and second.result(timeout=ANSWER_S).accepted
        assert ask(grader, 1).result(timeout=ANSWER_S).accepted


def test_a_future_is_resolved_when_its_result_cannot_be_made() -> None:
    future: Future[int] = Future()
    deliver(future, lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        future.result(timeout=0)
    deliver(future, lambda: 1)  # too late: it is logged


def test_a_call_that_would_wait_for_itself_is_refused() -> None:
    raised: list[BaseException] = []
    ended = threading.Event()

    def wait_for_itself(_: object) -> None:
        try:
            grader.grade(ONE, right(1))
        except GraderError as error:
            raised.append(error)
        grader.close()
        ended.set()

    grader = Grader(workers=1)
    slow = Submission("slow", ONE.id, code="import time; time.sleep(0.3); print(1)")
    grader.submit(ONE, slow).add_done_callback(wait_for_itself)
    assert ended.wait(ANSWER_S)
    assert "callback" in str(raised[0])
    with pytest.raises(GraderError, match="closed"):
        ask(grader)


def test_in_a_forked_process_it_says_so() -> None:
    with Grader(workers=1) as grader:
        assert ask(grader).result(timeout=ANSWER_S).accepted
        child = os.fork()
        if child == 0:
            refused = 0
            for call in (lambda: ask(grader), lambda: grader.outputs(ONE, right())):
                try:
                    call()
                except GraderError:
                    refused += 1
            grader.close()
            os._exit(refused)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
        assert ask(grader, 1).result(timeout=ANSWER_S).accepted


def test_kills_while_it_starts_do_not_end_the_grader() -> None:
    before = descendants(os.getpid())
    stop = threading.Event()
    killed: list[int] = []

    def kill_whatever_starts() -> None:
        while not stop.is_set() and len(killed) < 8:
            for pid, _ in sorted(descendants(os.getpid()) - before):
                try:
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                except ProcessLookupError:
                    continue
            time.sleep(0.02)

    killer = threading.Thread(target=kill_whatever_starts)
    killer.start()
    try:
        with Grader(workers=1) as grader:
            future = ask(grader)
            killer.join(ANSWER_S)
            assert len(killed) >= 8
            assert future.result(timeout=ANSWER_S).verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)
            assert ask(grader, 1).result(timeout=ANSWER_S).accepted
    finally:
        stop.set()


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"workers": -1}, InputError, "workers must be at least 1, not -1"),
        ({"workers": 0}, InputError, "workers"),
        ({"workers": 10**9}, InputError, "workers"),
        ({"workers": 10**400}, InputError, "workers"),
        ({"workers": True}, TypeError, "workers"),
        ({"workers": 1.5}, TypeError, "workers"),
        ({"workers": "2"}, TypeError, "workers"),
        ({"policy": 5}, TypeError, "policy"),
        ({"isolation": None}, TypeError, "isolation"),
        ({"all_tests": "no"}, TypeError, "all_tests"),
        ({"layers": "seccomp"}, TypeError, "layers"),
        ({"layers": [5]}, TypeError, "layers"),
        ({"require_sandbox": None}, TypeError, "require_sandbox"),
        ({"require_sandbox": ["magic"]}, InputError, "'magic' in require_sandbox"),
        ({"cache": 5}, TypeError, "cache"),
        ({"cache_mb": -1}, InputError, "cache_mb"),
        ({"cache_mb": float("nan")}, InputError, "cache_mb"),
        ({"programs": 5}, TypeError, "programs"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Grader(**arguments)


def test_the_messages_that_are_made_up_here_are_malformed() -> None:
    assert pack(Cancel(1)) and pack(Ready([])) and pack(Done(1, [OUTCOME]))
    for name, told in MALFORMED.items():
        if name not in ("none of the tests", "another's message"):
            with pytest.raises(wire.Malformed):
                pool_unpack(told)


def test_work_that_arrived_before_a_failure_is_done_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    take, failures = Pool._take_arrivals, iter([True])

    def fails_once(pool: Pool) -> None:
        if pool._arrived and next(failures, False):
            raise RuntimeError("a fault of the thread's")
        take(pool)

    monkeypatch.setattr(Pool, "_take_arrivals", fails_once)
    with Grader(workers=1) as grader:
        assert ask(grader).result(ANSWER_S).accepted
    assert next(failures, None) is None
