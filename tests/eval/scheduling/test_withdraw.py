"""Withdrawn work: it is not run, and does not delay other work."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from microcoder_eval import Grader, GraderError, Problem, Submission, Verdict

SLOW = "import time\nfor _ in range(10**9): pass"
ECHO = Problem.from_dict({"id": "echo", "tests": [{"input": str(n), "output": str(n)} for n in range(3)]})
MANY = Problem.from_dict({"id": "many", "time_limit_s": 1, "tests": [{"input": "", "output": "x"}] * 500})


@pytest.fixture
def single() -> Grader:
    with Grader(workers=1) as opened:
        yield opened


def code(text: str) -> Submission:
    return Submission("s", "", code=text)


def test_what_waits_in_the_queue_is_never_run(single: Grader) -> None:
    first = single.submit(MANY, code(SLOW), all_tests=True, withdrawable=True)
    waiting = [single.submit(ECHO, code(f"print(input()) # {n}"), withdrawable=True) for n in range(50)]
    for future in waiting[:-1]:
        single.withdraw(future)
    for future in waiting[:-1]:
        with pytest.raises(GraderError, match="withdrawn"):
            future.result(60)
    single.withdraw(first)  # 500 tests of a second each
    assert waiting[-1].result(60).verdict is Verdict.ACCEPTED
    with pytest.raises(GraderError, match="withdrawn"):
        first.result(60)


def test_a_cancelled_task_withdraws_its_work(single: Grader) -> None:
    async def hurried() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(single.agrade(MANY, code("import time; time.sleep(0.3); print('x')")), 1)
        assert (await single.agrade(ECHO, code("print(input())"))).accepted  # not after 500 tests

    asyncio.run(asyncio.wait_for(hurried(), 60))


def test_a_program_that_another_waits_for_is_graded(single: Grader) -> None:
    slow = single.submit_run("import time; time.sleep(0.5)", withdrawable=True)
    mine, theirs = (single.submit(ECHO, code("print(input())"), withdrawable=True) for _ in range(2))
    single.withdraw(mine)
    single.withdraw(mine)  # twice is once
    assert theirs.result(60).accepted
    assert mine.result(60).accepted
    assert slow.result(60).ended_well


def test_an_identical_program_that_comes_after_a_withdrawal_is_graded(single: Grader) -> None:
    single.submit_run("import time; time.sleep(0.5)")
    first = single.submit(ECHO, code("print(input())"), withdrawable=True)
    single.withdraw(first)
    assert single.submit(ECHO, code("print(input())")).result(60).accepted


def test_a_run_is_withdrawn(single: Grader) -> None:
    single.submit_run("import time; time.sleep(3)")
    waiting = single.submit_run("print(1)", withdrawable=True)
    single.withdraw(waiting)
    with pytest.raises(GraderError, match="withdrawn"):
        waiting.result(60)
    assert single.run("print(2)").stdout == "2\n"


def test_what_is_done_or_unknown_is_left_alone(single: Grader) -> None:
    done = single.submit(ECHO, code("print(input())"), withdrawable=True)
    assert done.result(60).accepted
    single.withdraw(done)
    single.withdraw(Future())
    gc.collect()
    assert not single._wanted


def test_a_supervisor_that_dies_with_withdrawn_work_harms_nobody(single: Grader) -> None:
    withdrawn = single.submit(MANY, code(SLOW), all_tests=True, withdrawable=True)
    waiting = single.submit(ECHO, code("print(input())"))
    time.sleep(0.3)
    single.withdraw(withdrawn)
    for process in _children():
        os.kill(process, signal.SIGKILL)
    assert waiting.result(60).accepted
    with pytest.raises(GraderError, match="withdrawn"):
        withdrawn.result(60)


def test_the_state_says_what_runs(single: Grader) -> None:
    assert single.run("print(1)").ended_well
    state = single.state
    assert (state.workers, state.ready, state.restarts) == (1, 1, 0)
    assert "limits" in state.layers
    running = single.submit_run("import time; time.sleep(3)")
    while not single.state.busy:
        assert not running.done()
        time.sleep(0.01)
    assert single.state.busy == 1
    running.result()


def _children() -> list[int]:
    text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    threads = Path("/proc/self/task").iterdir()
    found = {int(pid) for thread in threads for pid in (thread / "children").read_text().split()}
    return sorted(found | {int(pid) for pid in text.split()})
