"""Which programs may run all their tests in one process: those that can leave nothing behind, and no other."""

from __future__ import annotations

import importlib

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict
from microcoder_eval.sandbox.self_contained import (
    FREE,
    METHODS,
    ONLY_CALLED,
    ONLY_IN_ANNOTATIONS,
    cannot_change,
    leaves_nothing,
)
from tests.eval.test_cheats_session import SESSION_CHEATS

MADE_ANEW = {"stderr", "stdin", "stdout"}
"""What `sys` has that every test gets anew."""
PASS = {
    "adds": "print(sum(map(int, input().split())))",
    "reads fast": "import sys\ninput = sys.stdin.readline\nsys.stdout.write(input())",
    "recurses": "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return n and f(n - 1)\nprint(f(int(input())))",
    "has a class": (
        "class A:\n    def __init__(self, x): self.x = x\n    def __lt__(self, o): return self.x < o.x\n"
        "print(A(1) < A(2))"
    ),
    "caches": (
        "from functools import lru_cache\n@lru_cache(maxsize=None)\n"
        "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nprint(f(9))"
    ),
    "counts": "from collections import Counter, deque\nprint(Counter(input()).most_common(1), deque([1]))",
    "names a module": (
        "import heapq as h, collections\nq = collections.Counter('ab')\nh.heappush([], 1)\nprint(h.nlargest(1, [2]))"
    ),
    "annotates": (
        "from typing import Dict, List\ndef f(a: List[int], b: 'Dict[int, str]' = None) -> List[int]: return a\n"
        "print(f([1]))"
    ),
    "generates": "def g():\n    for i in range(3): yield i\nprint(list(g()))",
    "is a module too": "def main(): print(1)\nif __name__ == '__main__': main()",
    "catches": "try: n = int(input())\nexcept (EOFError, ValueError) as e: n = 0\nprint(n)",
    "leaves early": "import sys\nif not input(): sys.exit()\nexit(0)",
}
LEAVE = {
    "a namespace": "globals()['__builtins__'].print = None",
    "a namespace by name": "print(__builtins__)",
    "a module as a value": "import math\nm = [math]\nm[0].pi = 3",
    "a module's attribute": "import math\nmath.pi = 3",
    "a module's name deleted": "import math\ndel math.pi",
    "a module in a class": "class A:\n    import sys\nA.sys.stdin = None",
    "a module of another name": "import sys as __s\nclass C:\n    import math\nprint(_C__s)",
    "two modules of one name": (
        "import math as m\nif input(): import sys as m\ntry: m.inf\nexcept AttributeError as e: e.obj.stdin = 0"
    ),
    "a library class": "from collections import Counter\nCounter.kept = 1",
    "a library class as an argument": "from collections import Counter\ndef f(c): c.kept = 1\nf(Counter)",
    "a library class's type": "from collections import Counter\ntype(Counter()).kept = 1",
    "a base of the library": "from collections import Counter\nclass C(Counter): pass\nprint(C.mro()[1])",
    "a library function": "from functools import lru_cache\ndef f(g): g.kept = 1\nf(lru_cache)",
    "a frame": "def g(): yield\nprint(g().gi_frame.f_builtins)",
    "a frame of a traceback": "try: 1 / 0\nexcept ZeroDivisionError as e: e.__traceback__.tb_frame",
    "a class pattern": "def f(): pass\nmatch f:\n    case object(__globals__=g): print(g)",
    "a computed name": "getattr(print, '__self__').print = None",
    "an operator's computed name": "from operator import attrgetter\nprint(attrgetter('__self__')(print))",
    "a destructor": "class A:\n    def __del__(self): print(9)\na = A()",
    "a destructor by another name": "class A:\n    __del__ = lambda self: print(9)\na = A()",
    "a destructor by import": "class A:\n    pass\nfrom math import gcd as __del__",
    "a destructor of a made class": "A = type('A', (), {'__del__': lambda self: print(9)})\na = A()",
    "a destructor set later": "class A: pass\nA.__del__ = lambda self: print(9)\na = A()",
    "a destructor's slot": "class A:\n    __slots__ = ('__del__',)",
    "a generator that cleans up": "def g():\n    try: yield 1\n    finally: print(9)\nkept = g()\nnext(kept)",
    "a stream's close": "import sys\nsys.stdout.close = lambda: print(9)",
    "a stream's flush": "import sys\nout = sys.stdout\nout.flush = lambda: None\nprint(9)",
    "a stream's lower layer": "import sys\nkept = sys.stdout.detach()\nkept.write(b'9')",
    "a file": "kept = open('kept', 'w')\nkept.write('9')",
    "a cached comparison": (
        "from typing import List\nclass A:\n    def __call__(self): pass\n    def __hash__(self): return hash(int)\n"
        "    def __eq__(self, other): print(9)\nint = A()\ndef f(a: List[int]): pass"
    ),
    "a library class in an annotation's call": (
        "from collections import Counter\ndef f(c): c.kept = 1\nx: f(Counter) = 0"
    ),
    "a library class in an annotation's index": (
        "from collections import Counter\nclass A:\n    def __getitem__(self, c): c.kept = 1\na = A()\n"
        "x: a[Counter] = 0"
    ),
    "a cached attribute": "from typing import List\nclass A: pass\nA.b = A()\ndef f(a: List[A.b]): pass",
    "a call in an annotation": "def f(a: exec('import builtins')): pass",
    "a copy's state": "import copy\nclass A:\n    def __reduce__(self): return (A, (), {'x': 1})\ncopy.copy(A())",
    "the interpreter's switches": "import sys\nsys.set_int_max_str_digits(0)",
    "random numbers": "import random\nprint(random.random())",
    "decimal's context": "from decimal import getcontext\ngetcontext().prec = 3",
    "everything of a module": "from sys import *\nprint(modules)",
    "a thread": "import threading\nthreading.Thread(target=print).start()",
    "no program": "print(",
}


@pytest.mark.parametrize("name", PASS)
def test_accepts_what_leaves_nothing(name: str) -> None:
    assert leaves_nothing(PASS[name])


@pytest.mark.parametrize("name", LEAVE)
def test_refuses_what_may_leave_something(name: str) -> None:
    assert not leaves_nothing(LEAVE[name])


@pytest.mark.parametrize("name", [name for name in SESSION_CHEATS if not name.startswith("compiler:")])
def test_refuses_every_cheat_of_shared_processes(name: str) -> None:
    assert not leaves_nothing(SESSION_CHEATS[name])


def test_what_may_be_used_freely_cannot_be_changed() -> None:
    for module, names in FREE.items():
        for name in names - MADE_ANEW if module == "sys" else names:
            if module != "__future__":
                assert cannot_change(getattr(importlib.import_module(module), name)), f"{module}.{name}"


def test_every_listed_name_exists() -> None:
    for listed in (FREE, ONLY_CALLED, ONLY_IN_ANNOTATIONS):
        for module, names in listed.items():
            assert names <= set(dir(importlib.import_module(module))), module
    assert not METHODS & {"del", "new", "reduce", "set_name", "init_subclass", "getattribute", "setstate", "deepcopy"}


TESTS = [{"input": f"{n} 1", "output": f"{n + 1}"} for n in range(12)]
ANSWER = "print(sum(map(int, input().split())))"
GRADED = {
    "right": (ANSWER, Verdict.ACCEPTED, None),
    "wrong late": ("n = sum(map(int, input().split()))\nprint(n if n < 9 else 0)", Verdict.WRONG_ANSWER, 8),
    "crashes late": ("n = sum(map(int, input().split()))\nprint(n if n < 9 else 1 // 0)", Verdict.RUNTIME_ERROR, 8),
    "endless late": ("n = sum(map(int, input().split()))\nwhile n > 8: pass\nprint(n)", Verdict.TIME_LIMIT, 8),
    "large late": (
        "n = sum(map(int, input().split()))\nif n > 8: a = [0] * 10**9\nprint(n)",
        Verdict.MEMORY_LIMIT,
        8,
    ),
    "slow but right": (
        "n = sum(map(int, input().split()))\nfor _ in range(3 * 10**6): pass\nprint(n)",
        Verdict.ACCEPTED,
        None,
    ),
    "reads too much late": (
        "n = sum(map(int, input().split()))\nif n > 8: input()\nprint(n)",
        Verdict.RUNTIME_ERROR,
        8,
    ),
    "sets its recursion limit by the test": (
        "import sys\nn = sum(map(int, input().split()))\nprint(n if sys.getrecursionlimit() == 1000 else 0)\n"
        "sys.setrecursionlimit(5000)",
        Verdict.ACCEPTED,
        None,
    ),
    "counts the tests": (
        "import builtins\nbuiltins.tests = getattr(builtins, 'tests', 0) + 1\nn = sum(map(int, input().split()))\n"
        "print(n if builtins.tests == 1 else 0)",
        Verdict.ACCEPTED,
        None,
    ),
    "closes its streams": (
        "import sys\nprint(sum(map(int, input().split())))\nsys.stdin.close()\nsys.stdout.close()",
        Verdict.ACCEPTED,
        None,
    ),
}


@pytest.fixture(scope="module", params=["test", "process"])
def grader(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    with Grader(workers=1, isolation=request.param, tests_order="given") as opened:
        yield opened


@pytest.mark.parametrize("name", GRADED)
def test_same_verdicts_with_a_process_for_each_test(grader: Grader, name: str) -> None:
    problem = Problem.from_dict({"id": name, "time_limit_s": 1, "memory_limit_mb": 256, "tests": TESTS})
    code, verdict, failed = GRADED[name]
    grade = grader.grade(problem, Submission("", "", code=code))
    assert grade.verdict is verdict
    assert grade.passed == (len(TESTS) if failed is None else failed)
    assert all(test.memory_kb > 0 for test in grade.tests)


def test_calls_share_a_process_too() -> None:
    record = {
        "id": "call",
        "kind": "call",
        "entry_point": "Solution.add",
        "tests": [{"input": [n, [1] * n], "output": n + n} for n in range(10)],
    }
    code = "class Solution:\n    def add(self, n: int, a: List[int]) -> int:\n        return n + Counter(a)[1]"
    with Grader(workers=1) as shared, Grader(workers=1, isolation="process") as apart:
        grades = [g.grade(Problem.from_dict(record), Submission("", "", code=code)) for g in (shared, apart)]
    assert [grade.accepted for grade in grades] == [True, True]
    # in a process of its own each test has its own peak
    assert len({test.memory_kb for test in grades[0].tests[1:]}) == 1
