"""Python programs whose loop cannot end are ended early, but in interactive problems; others keep their verdict."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from microcoder_eval import Grade, Grader, Problem, Submission, Verdict
from microcoder_eval.supervisor.boxes import FORKS_FOR_A_START

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has other instructions")
SEARCH = "lo, hi = 0, int(input())\nwhile lo < hi:\n    mid = (lo + hi) // 2\n    lo = mid\nprint(lo)\n"
METHOD = (
    "class Solution:\n    def small(self, m): return m * m < 50\n    def f(self, n):\n        lo, hi = 0, n\n"
    "        while lo < hi:\n            mid = (lo + hi) // 2\n            if self.small(mid): lo = mid\n"
    "            else: hi = mid - 1\n        return lo\n"
)
LINKED = (
    "class Solution:\n    def f(self, head: ListNode):\n        head.next.next = head\n        n = 0\n"
    "        while head:\n            head = head.next\n        return n\n"
)
FORGES = (
    "import os, time\nos.write(6, b'endless\\n1\\n')\nuntil = time.process_time() + {seconds}\n"
    "while time.process_time() < until: pass\nos._exit(87)"
)
OWN_REFERENCES = (
    "import abc, _abc, sys\nclass B(abc.ABC): pass\nB.register(int)\nref = type(next(iter(_abc._get_dump(B)[0])))\n"
    "class A: pass\na = A()\n"
)
OWN_FILE = "from io import IOBase\nclass A(IOBase):\n    def flush(self): done.append(1)\na = A()\n"
ENDED_BY_GARBAGE = (
    "done = []\n{object}a.me = a\nheld = [a]\ndel a\nt = [[] for _ in range(1500)]\nheld.clear()\n"
    "while not done:\n    y = []; y.append(y)\n    z = max(range(3000))\nprint(input())\n"
)
"""The garbage collector finds the object after about a second, and its end ends the loop."""
STDIN: dict[str, Any] = {"tests": [{"input": "5", "output": "5"}]}
CALL: dict[str, Any] = {"kind": "call", "entry_point": "Solution.f", "tests": [{"input": [7], "output": 7}]}
NODES: dict[str, Any] = {**CALL, "tests": [{"input": [[1, 2]], "output": 2}]}
ASSERTS: dict[str, Any] = {"kind": "asserts", "entry_point": "f", "test_code": "assert f(3) == 1\n"}


@pytest.fixture(scope="module", params=["test", "submission"])
def grader(request: pytest.FixtureRequest) -> Any:
    with Grader(workers=1, isolation=request.param) as opened:
        yield opened


def grade(grader: Grader, problem: dict[str, Any], code: str, limit_s: float = 5.0) -> Grade:
    record = {"id": "p", "time_limit_s": limit_s, **problem}
    return grader.grade(Problem.from_dict(record), Submission("s", "p", code=code))


@pytest.mark.parametrize(
    ("problem", "code", "line"),
    [
        (STDIN, "while True:\n    pass\n", 2),
        (STDIN, SEARCH, 3),
        (STDIN, "import sys\nfrom collections import deque\ndata = sys.stdin.read().split()\n" + "q = deque(data)\n"
         "while q:\n    q.append(q.popleft())\n", 6),
        (CALL, METHOD, 6),
        (NODES, LINKED, 6),
        (ASSERTS, "def f(n):\n    i = 0\n    while i < n:\n        j = i\n    return j\n", 4),
    ],
    ids=["pass", "search", "queue", "method", "linked list", "asserts"],
)  # fmt: skip
def test_a_loop_without_progress_costs_a_part_of_its_limit(
    grader: Grader, problem: dict[str, Any], code: str, line: int
) -> None:
    graded = grade(grader, problem, code)
    assert (graded.verdict, graded.raised) == (Verdict.TIME_LIMIT, None)
    (test,) = graded.tests
    assert test.endless and test.cpu_ms < 2500
    first = line - 1 if sys.version_info >= (3, 14) else line  # it names the line of the `while` itself
    assert f"the loop in line {first} cannot end" in test.detail


def test_after_many_programs_loops_are_found_as_before(grader: Grader) -> None:
    """After some of them, programs without imports get an interpreter that has loaded fewer modules. Its programs load
    more of them when they are asked."""
    for number in range(FORKS_FOR_A_START + 1):
        assert grade(grader, STDIN, f"print(input())  # {number}").verdict is Verdict.ACCEPTED
    for code in ("while True:\n    pass\n", "import fractions, json, typing\nwhile True:\n    pass\n"):
        (test,) = grade(grader, STDIN, code).tests
        assert test.endless, code
    code = "import sys\nfor name in sys.modules:\n    i = 0\n    while i < 200000: i += 1\nprint(5)\n"
    assert grade(grader, STDIN, code, limit_s=60.0).accepted


@pytest.mark.parametrize(
    "code",
    [
        "n = 0\nwhile True:\n    n += 1\n",
        "import random\nwhile random.random() < 2:\n    pass\n",
        "import signal\nwhile True:\n    pass\n",
    ],
)
def test_where_nothing_is_certain_the_limit_is_used_up(grader: Grader, code: str) -> None:
    graded = grade(grader, STDIN, code, limit_s=1.0)
    assert graded.verdict is Verdict.TIME_LIMIT
    (test,) = graded.tests
    assert not test.endless and test.cpu_ms >= 1000


@pytest.mark.parametrize(
    "made",
    [
        f"{OWN_REFERENCES}class R(ref): pass\nkeep = R(a, lambda _: done.append(1))\n",
        f"{OWN_REFERENCES}setattr(sys, 'unraisable' + 'hook', lambda _: done.append(1))\n"
        "keep = ref(a, ref(B).__dir__)\n",
        OWN_FILE,
    ],
    ids=["subclass of a reference", "callback that fails", "file"],
)
def test_a_loop_that_garbage_ends_is_not_called_endless(grader: Grader, made: str) -> None:
    (test,) = grade(grader, STDIN, ENDED_BY_GARBAGE.format(object=made), limit_s=10.0).tests
    assert (test.verdict, test.endless) == (Verdict.ACCEPTED, False)


def test_a_program_that_computes_for_long_and_was_asked_is_right(grader: Grader) -> None:
    code = "n = int(input())\ni = t = 0\nwhile i < 4000000:\n    t += i % 2\n    i += 1\nprint(n + t - 2000000)\n"
    assert grade(grader, STDIN, code, limit_s=60.0).accepted


@pytest.mark.parametrize(
    ("code", "memory_mb"),
    [
        pytest.param(
            "def main():\n    exec('y = 5')\n    i = 0\n    while i < 4000000: i += 1\n    print(eval('y'))\nmain()\n",
            256,
            marks=pytest.mark.skipif(
                sys.version_info >= (3, 13), reason="Python 3.13 forgets the names that exec made"
            ),
        ),
        ("d = dict.fromkeys(range(2000000))\ni = 0\nwhile i < 2000000:\n    if i in d: i += 1\nprint(5)\n", 512),
        (
            "def work():\n    b = [0] * (90 << 17)\n    i = 0\n    while i < 200000: i += 1\n"
            "for _ in range(40): work()\nprint(5)\n",
            160,
        ),
        (f"T = {[[str(n), n, [n]] for n in range(9000)]}\ni = 0\nwhile i < 3000000: i += 1\nprint(5)\n", 256),
    ],
    ids=["names that exec made", "a large dict", "memory that a function gives back", "a long table"],
)
def test_a_program_does_not_notice_that_it_was_asked(grader: Grader, code: str, memory_mb: int) -> None:
    assert grade(grader, {**STDIN, "memory_limit_mb": memory_mb}, code, limit_s=60.0).accepted


def test_only_a_program_that_was_asked_can_answer(grader: Grader) -> None:
    """An answer ends the test of that program alone, with a verdict that rejects."""
    early = grade(grader, STDIN, FORGES.format(seconds=0.0))
    assert (early.verdict, early.tests[0].endless) == (Verdict.RUNTIME_ERROR, False)
    late = grade(grader, STDIN, FORGES.format(seconds=1.0))
    assert late.verdict is Verdict.TIME_LIMIT
    assert grade(grader, STDIN, "print(input())").accepted


def test_tests_that_pass_before_are_kept(grader: Grader) -> None:
    tests = [{"input": f"{n}", "output": f"{n}"} for n in range(6)]
    code = "n = int(input())\nwhile n == 4:\n    n = 4\nprint(n)\n"
    record = Problem.from_dict({"id": "p", "tests": tests, "time_limit_s": 5.0})
    graded = grader.submit(record, Submission("s", "p", code=code), all_tests=True).result()
    assert [test.verdict is Verdict.ACCEPTED for test in graded.tests] == [n != 4 for n in range(6)]
    assert graded.tests[4].endless
