"""kill -9 and Ctrl-C: of the grader's own processes, and of the user's. Nothing is lost, wrong or left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, wait
from pathlib import Path

import pytest

import microcoder_eval
from microcoder_eval import Grader, Problem, Submission, Verdict
from microcoder_eval.scheduling import pool
from microcoder_eval.supervisor.boxes import Boxes, ProgramLoader
from microcoder_eval.supervisor.run import BoxLost
from tests.eval.family import descendants, wait_until_gone

ROOT = Path(microcoder_eval.__file__).parent.parent
TESTS = [{"input": f"{a} {2 * a}", "output": str(3 * a)} for a in range(8)]
ADD = Problem.from_dict({"id": "add", "time_limit_s": 2, "tests": TESTS})
PROGRAMS = {
    "right": "import time; time.sleep(0.005)\nprint(sum(map(int, input().split())))  # {}",
    "wrong": "a, b = map(int, input().split())\nprint(a + b + (a == 5))  # {}",
    "crash": "a, b = map(int, input().split())\nprint(a + b if a < 3 else 1 / 0)  # {}",
}
VERDICTS = {"right": Verdict.ACCEPTED, "wrong": Verdict.WRONG_ANSWER, "crash": Verdict.RUNTIME_ERROR}


@pytest.mark.parametrize("isolation", ["test", "submission"])
def test_killed_supervisors_and_zygotes_are_replaced(isolation: str) -> None:
    dice = random.Random(7)
    before = descendants(os.getpid())
    pairs = [
        (ADD, Submission(f"{kind} {number}", ADD.id, code.format(number)))
        for number in range(50)
        for kind, code in PROGRAMS.items()
    ]
    stop = threading.Event()
    killed = 0

    def kill_at_random() -> None:
        nonlocal killed
        while not stop.wait(dice.uniform(0.05, 0.4)):
            targets = sorted(descendants(os.getpid()) - before)
            if targets and killed < 12:
                try:
                    os.kill(dice.choice(targets)[0], signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    continue

    with Grader(workers=3, isolation=isolation) as grader:
        killer = threading.Thread(target=kill_at_random)
        killer.start()
        grades = list(grader.grade_many(pairs))
        stop.set()
        killer.join()
        assert grader.grade(ADD, Submission("after", ADD.id, PROGRAMS["right"])).accepted
    assert killed > 0
    assert sorted(grade.submission_id for grade in grades) == sorted(submission.id for _, submission in pairs)
    odd = [
        grade
        for grade in grades
        if grade.verdict not in (VERDICTS[grade.submission_id.split()[0]], Verdict.JUDGE_ERROR)
    ]
    assert not odd
    assert Counter(grade.verdict for grade in grades)[Verdict.ACCEPTED] >= 50 - killed
    assert not wait_until_gone(descendants(os.getpid()) - before)


def test_a_compiler_killed_from_outside_is_not_the_programs_fault(tmp_path: Path) -> None:
    boxes = Boxes([], str(tmp_path))
    loader = ProgramLoader(boxes.close)
    try:
        for _ in range(3):
            box = boxes.first()
            os.kill(box.zygote, signal.SIGKILL)
            with pytest.raises(BoxLost) as lost:
                loader.load(box, "stdin", PROGRAMS["right"])
            assert lost.value.from_outside
            boxes.replace(box)
        loader.load(boxes.first(), "stdin", PROGRAMS["right"])
    finally:
        boxes.close()


def test_stopped_supervisors_hold_up_only_their_own_work() -> None:
    before = descendants(os.getpid())
    with Grader(workers=2) as grader:
        grader.grade(ADD, Submission("s", ADD.id, PROGRAMS["right"]))
        children = {p for p in descendants(os.getpid()) - before if os.path.exists(f"/proc/{p[0]}")}
        parents = {int(Path(f"/proc/{p[0]}/stat").read_text().rpartition(")")[2].split()[1]): p for p in children}
        supervisor = next(p for p in children if p[0] in parents)
        os.kill(supervisor[0], signal.SIGSTOP)
        fast = [grader.submit(ADD, Submission(str(n), ADD.id, PROGRAMS["right"].format(n))) for n in range(4)]
        assert wait(fast, timeout=1200, return_when=FIRST_COMPLETED).done, "the other supervisor goes on"
        os.kill(supervisor[0], signal.SIGCONT)
        assert all(future.result(timeout=1200).accepted for future in fast)


def test_a_stopped_supervisor_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LOOK_S", 0.1)
    before = descendants(os.getpid())
    with Grader(workers=2) as grader:
        assert grader.grade(ADD, Submission("s", ADD.id, PROGRAMS["right"])).accepted
        supervisors = {p for p in descendants(os.getpid()) - before if _parent(p[0]) == os.getpid()}
        for supervisor in supervisors:
            os.kill(supervisor[0], signal.SIGSTOP)
        futures = [grader.submit(ADD, Submission(str(n), ADD.id, PROGRAMS["right"].format(n))) for n in range(8)]
        assert all(future.result(timeout=1200).accepted for future in futures)
    assert not wait_until_gone(descendants(os.getpid()) - before)


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


USER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
from microcoder_eval import Grader, Problem, Submission
problem = Problem.from_dict({"id": "p", "time_limit_s": 30, "tests": [{"input": "", "output": "1"}] * 20})
grader = Grader(workers=2, layers=LAYERS)
sleepers = [grader.submit(problem, Submission(str(n), "p", f"import time; time.sleep(25)  # {n}")) for n in range(8)]
print('started', flush=True)
sys.stdin.read(1)
sleepers[0].result()
"""
LAYERS = {
    "all layers": "__import__('microcoder_eval.boundary.layers').boundary.layers.LAYERS",
    "no name spaces": "('seccomp', 'landlock', 'limits', 'user_id')",
    "no layers": "()",
}


@pytest.mark.parametrize("layers", LAYERS)
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_users_process_is_ended(layers: str, sent: signal.Signals, tmp_path: Path) -> None:
    user = subprocess.Popen(
        [sys.executable, "-c", USER.replace("LAYERS", LAYERS[layers])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
    )
    assert user.stdin is not None and user.stdout is not None
    assert user.stdout.readline() == b"started\n"
    deadline = time.monotonic() + 200
    seen: set[tuple[int, str]] = set()
    family = seen
    while len(family) < 6 and time.monotonic() < deadline:  # 2 supervisors, zygotes, programs
        time.sleep(0.2)
        now = descendants(user.pid)
        family, seen = now & seen, now  # a zygote that starts has children for a moment
    assert len(family) >= 6
    user.send_signal(sent)
    user.wait(timeout=1200)
    user.stdin.close()
    user.stdout.close()
    assert not wait_until_gone(family)
    deadline = time.monotonic() + 200
    while list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not list(tmp_path.iterdir())
