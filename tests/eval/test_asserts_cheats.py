"""Programs that try to pass a test program without solving the problem, or to harm the grader. None may."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_eval import Grade, Grader, Problem, Submission, Verdict

LIMIT_S = 1.0
HONEST = "def f(x):\n    return [x, x + 1]"
TESTS = {
    "check": "def check(candidate):\n    assert candidate(1) == [1, 2]\n    assert candidate(5) == [5, 6]\n",
    "list": "assert f(1) == [1, 2]\nassert f(5) == [5, 6]\nassert sorted(f(2)) == [2, 3]",
    "pytest": "from solution import f\n\ndef test_f():\n    assert f(1) == [1, 2]\n    assert 6 in f(5)\n",
    "zip": "for got, want in zip(map(f, [1, 5]), [[1, 2], [5, 6]]):\n    assert got == want",
    "unittest": (
        "import unittest\n\nclass T(unittest.TestCase):\n    def test_f(self):\n"
        "        self.assertEqual(f(1), [1, 2])\n        self.assertIn(6, f(5))\n"
    ),
}
YES = """
class Yes{base}:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __gt__ = __le__ = __ge__ = __lt__
    def __bool__(self): return True
    def __contains__(self, item): return True
    def __hash__(self): return 1
    def __instancecheck__(self, other): return True
    def __getattr__(self, name): return self
    def __call__(self, *a, **k): return self
    def __iter__(self): return iter([self])
    def __len__(self): return 2
    def __sub__(self, other): return 0
    __rsub__ = __mod__ = __rmod__ = __and__ = __rand__ = __xor__ = __sub__
    def __round__(self, n=0): return self
    def __abs__(self): return 0
    def __array_ufunc__(self, *a, **k): return True
    def __array_function__(self, *a, **k): return True
    def __float__(self): return 0.0
    @property
    def __class__(self): return list

"""
FLOOD = """
import os
def f(x):
    while True:
        os.write(5, b"+" + b"[" * 60000)
"""
FORGED_ANSWER = """
import os, json
def send(*message): os.write(5, b"." + json.dumps(message).encode())
def f(x):
    {body}
"""
CHEATS = {
    "object that equals all": YES.format(base="") + "def f(x): return Yes()",
    "list that equals all": YES.format(base="(list)") + "def f(x): return Yes()",
    "list of objects that equal all": YES.format(base="") + "def f(x): return [Yes(), Yes()]",
    "class in place of the function": YES.format(base="").replace("class Yes", "class f")
    + "f.__init__ = lambda self, x: None",
    "class of a list in place of the function": YES.format(base="(list)").replace("class Yes", "class f")
    + "f.__init__ = lambda self, x: None",
    "metaclass": "class M(type):\n    def __call__(c, *a): return c\n    def __eq__(c, o): return True\n"
    "    def __iter__(c): return iter([1, 2])\n    __hash__ = type.__hash__\nclass f(metaclass=M): pass",
    "mock that equals all": "from unittest.mock import ANY\ndef f(x): return ANY",
    "the mock itself": "from unittest.mock import ANY as f",
    "magic mock": "from unittest.mock import MagicMock\nf = MagicMock()\nf.return_value.__eq__ = lambda a, b: True",
    "leaves with status 0": "import sys\ndef f(x): sys.exit(0)",
    "leaves at import": "import sys\ndef f(x): return 1\nsys.exit(0)",
    "leaves at once": "import os\ndef f(x): os._exit(0)",
    "leaves at once at import": "import os\nos._exit(0)",
    "leaves in a thread": "import os, threading\ndef f(x):\n    threading.Thread(target=os._exit, args=(0,)).start()\n"
    "    return 1",
    "patches the builtins": "import builtins\nbuiltins.AssertionError = ValueError\n"
    "builtins.sorted = lambda x: [2, 3]\n"
    "builtins.isinstance = lambda *a: True\nbuiltins.abs = lambda x: 0\ndef f(x): return 0",
    "defines the builtins": "def abs(x): return 0\ndef sorted(x): return [2, 3]\ndef isinstance(*a): return True\n"
    "def f(x): return 0",
    "assertion error": "class E(AssertionError): pass\ndef f(x): raise E()",
    "skip": "import unittest\ndef f(x): raise unittest.SkipTest()",
    "exception that passes": "def f(x): raise StopIteration\n",
    "generator exit": "def f(x): raise GeneratorExit\n",
    "keyboard interrupt": "def f(x): raise KeyboardInterrupt\n",
    "answers from the caller's frames": (
        "import sys\ndef f(x):\n    frame = sys._getframe()\n    while frame:\n"
        "        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):\n"
        "            if type(value) is list and value[:1] == [x]: return value\n"
        "        for constant in frame.f_code.co_consts:\n"
        "            if constant == (x, x + 1): return list(constant)\n        frame = frame.f_back"
    ),
    "answers from the garbage collector": (
        "import gc\ndef f(x):\n    for value in gc.get_objects():\n"
        "        if type(value) is list and len(value) == 2 and value[0] is x: return value\n"
        "        if type(value) is dict and 'check' in value: return value['check']"
    ),
    "the tests' source": (
        "import sys, glob, os\ndef f(x):\n    for name in glob.glob('/proc/*/mem') + glob.glob('/proc/*/cmdline'):\n"
        "        try:\n            text = open(name, 'rb').read(1 << 20)\n"
        "        except OSError:\n            continue\n"
        "        if b'assert' in text: return eval(text.split(b'==')[1].split(b'\\n')[0])"
    ),
    "the tests' result file": "import os\ndef f(x):\n    for fd in range(256):\n        try:\n"
    '            os.write(fd, b\'{"ended": "passed", "detail": "", "where": ""}\')\n        except OSError: pass\n'
    "    return 1",
    "the tests' process": "import os, signal\ndef f(x):\n    for pid in range(2, 400):\n        try: os.kill(pid, 9)\n"
    "        except OSError: pass\n    return 1",
    "closes the line": "import os\ndef f(x):\n    os.close(5)\n    return [1, 2]",
    "shuts the line": "import socket\ndef f(x):\n    socket.socket(fileno=5).shutdown(2)\n    return 1",
    "makes the line impatient": (
        "import socket, struct\ns = socket.socket(fileno=5)\n"
        "s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack('ll', 0, 1))\n"
        "s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)\ns.setblocking(False)\ndef f(x): return 1"
    ),
    "floods with small lists": "import os\ndef f(x):\n    for _ in range(250): os.write(5, b'+' + b'[],' * 20000)\n"
    "    os.write(5, b'.')",
    "floods with a long number": "import os\ndef f(x):\n    for _ in range(200): os.write(5, b'+' + b'9' * 60000)\n"
    "    os.write(5, b'.')",
    "answers with no message": "import os\ndef f(x):\n    os.write(5, b'.passed')\n    return 1",
    "answers with an empty message": "import os\ndef f(x):\n    os.write(5, b'')\n    return 1",
    "answers with deep nesting": "import os\ndef f(x):\n    os.write(5, b'.' + b'[' * 50000)\n    return 1",
    "answers with an unknown tag": FORGED_ANSWER.format(body='send("ok", [], {"passed": True}, "")'),
    "claims changes of what it was not given": FORGED_ANSWER.format(body='send("ok", [[7, [1]]], 1, "")'),
    "raises what is no exception": FORGED_ANSWER.format(
        body='send("raise", [], {"number": 1, "class": {"n": "int"}, "text": "", "line": 0, "arguments": [], '
        '"attributes": []}, "")'
    ),
    "names what is not a type": FORGED_ANSWER.format(body='send("ok", [], {"n": "eval"}, "")'),
    "asks for evaluation": FORGED_ANSWER.format(body='send("call", [{"own": 0}, "1"], {})'),
    "asks for attributes": FORGED_ANSWER.format(body='send("getattr", [{"own": 0}, "__globals__"], {})'),
    "asks for methods": FORGED_ANSWER.format(body='send("method", [{"v": [0, []]}, "__init__"], {})'),
    "returns an endless length": "class R(list):\n    def __len__(self):\n        while True: pass\n"
    "    __iter__ = __len__\n"
    "    def __eq__(self, o):\n        while True: pass\ndef f(x): return R()",
    "returns an endless repr": "class R:\n    def __repr__(self):\n        while True: pass\ndef f(x): return R()",
    "returns an endless generator": "import itertools\ndef f(x): return itertools.count()",
    "returns itself nested": "def f(x):\n    a = []\n    for _ in range(10**5): a = [a]\n    return a",
    "returns a list in itself": "def f(x):\n    a = [x]\n    a.append(a)\n    return a",
    "crashes": "import ctypes\ndef f(x): return ctypes.string_at(0)",
    "forks": "import os\ndef f(x):\n    while True: os.fork()",
    "leaves a thread that answers": (
        "import threading, os, time\ndef chatter():\n    while True:\n"
        '        os.write(5, b\'.["ok", [], [1, 2], ""]\')\n'
        "def f(x):\n    threading.Thread(target=chatter, daemon=True).start()\n    time.sleep(0.2)\n    return 0"
    ),
}
DENIALS = {
    "waits": "import signal\ndef f(x): signal.pause()",
    "stops itself": "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGSTOP)",
    "loops": "def f(x):\n    while True: pass",
    "loops past every exception": "def f(x):\n    while True:\n        try:\n            while True: pass\n"
    "        except BaseException: pass",
    "takes much memory": "def f(x):\n    a = []\n    while True: a.append(bytearray(10**7))",
    "prints much": "def f(x):\n    while True: print('x' * 10**6)",
    "floods the line": FLOOD,
}


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=1) as grader:
        yield grader


def grade(grader: Grader, program: str, tests: str, **problem: Any) -> Grade:
    known = Problem.from_dict(
        {"id": "p", "kind": "asserts", "test_code": tests, "time_limit_s": LIMIT_S, "memory_limit_mb": 256, **problem}
    )
    return grader.grade(known, Submission("s", "p", code=program))


@pytest.mark.parametrize("name", CHEATS)
@pytest.mark.parametrize("style", TESTS)
def test_no_cheat_is_accepted_and_the_next_program_is_not_disturbed(grader: Grader, name: str, style: str) -> None:
    entry = {"entry_point": "f"} if style == "check" else {}
    denied = grade(grader, CHEATS[name], TESTS[style], **entry)
    assert denied.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR), denied.detail
    after = grade(grader, f"{HONEST}\n# after {name}", TESTS[style], **entry)
    assert after.accepted, after.detail


EXPECTED_SHOWN = {
    "near": "assert abs(f(2) - 3.5) < 1e-6",
    "near, the other way round": "assert abs(3.5 - f(2)) < 1e-6",
    "relative": "assert abs(f(2) / 3.5 - 1) < 1e-6",
    "squared": "assert (f(2) - 3.5) ** 2 < 1e-9",
    "rounded": "assert round(f(2) - 3.5, 6) == 0",
    "none": "assert not f(2) - 3.5",
    "isclose": "import math\nassert math.isclose(f(2), 3.5)",
    "isclose without an import": "assert math.isclose(f(2), 3.5) and isclose(f(2), 3.5)",
    "approx": "import pytest\ndef test_f(): assert f(2) == pytest.approx(3.5)",
    "almost equal": (
        "import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertAlmostEqual(f(2), 3.5)"
    ),
    "numpy": "import numpy as np\nassert np.isclose(f(2), 3.5)",
    "difference of sets": "assert not f(2) ^ {3.5}",
    "contains": "assert 3.5 in f(2)",
    "between": "assert 3.4 < f(2) < 3.6",
    "in": "assert f(2) in (3.5, 3.25)",
    "value of a dict": "assert {3.5: 1}.get(f(2))",
    "object": "assert f(2).distance == 3.5",
    "method": "assert f(2).distance() == 3.5",
    "string": "assert str(f(2)) == '3.5'",
    "hook of numpy": "import numpy as np\nassert np.allclose(f(2), np.array([3.5]))",
    "ufunc of numpy": "import numpy as np\nassert np.equal(f(2), 3.5).all()",
    "array of numpy": "import numpy as np\nassert np.array_equal(np.array([3.5]), f(2))",
}


@pytest.mark.parametrize("name", EXPECTED_SHOWN)
@pytest.mark.parametrize("base", ["", "(float)"])
def test_an_expected_value_shown_to_an_object_does_not_help_it(grader: Grader, name: str, base: str) -> None:
    program = YES.format(base=base) + (
        "def abs(x): return 0\ndef isclose(*a): return True\nclass math: isclose = isclose\ndef f(x): return Yes()"
    )
    result = grade(grader, program, EXPECTED_SHOWN[name], entry_point="f")
    assert result.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR), result.detail


def test_a_program_cannot_replace_the_methods_of_the_tests_objects(grader: Grader) -> None:
    tests = """
class Box:
    def __init__(self): self.items = []
    def same(self, items): return self.items == items

def test_f():
    box = Box()
    f(box)
    assert box.same([1])
"""
    assert grade(grader, "def f(box): box.items.append(1)", tests).accepted
    denied = grade(grader, "def f(box): box.__dict__['same'] = lambda items: True", tests)
    assert denied.verdict is Verdict.RUNTIME_ERROR, denied.detail


@pytest.mark.parametrize("name", DENIALS)
def test_denials_end_within_their_limit(grader: Grader, name: str) -> None:
    denied = grade(grader, DENIALS[name], TESTS["list"])
    assert denied.verdict in (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT), denied.detail
    assert denied.tests[0].cpu_ms <= 1000 * (LIMIT_S + 1)
    assert grade(grader, f"{HONEST}\n# after {name}", TESTS["list"]).accepted


def test_an_endless_answer_ends_within_its_limit(grader: Grader) -> None:
    denied = grade(grader, "import itertools\ndef f(x): return itertools.count()", "assert list(f(1)) == [1, 2]")
    assert denied.verdict is Verdict.TIME_LIMIT, denied.detail


def test_cheats_leave_no_process_and_no_descriptor() -> None:
    with Grader(workers=1) as grader:
        grade(grader, HONEST, TESTS["list"])
        before = len(os.listdir("/proc/self/fd")), _descendants()
        for name in ("leaves in a thread", "closes the line", "shuts the line", "forks", "crashes"):
            grade(grader, CHEATS[name] + "\n# counted", TESTS["list"])
        grade(grader, HONEST + "\n# counted", TESTS["list"])
        assert (len(os.listdir("/proc/self/fd")), _descendants()) == before


def _descendants() -> int:
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {os.getpid()}
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return len(found)
        found |= more


@pytest.mark.parametrize(
    "tests",
    [
        "assert gcd(4, 6) == 2",
        "assert max(1, 2) == 2\nassert max(2, 1) == 2",
        "from solution import *\n\ndef test_reduce():\n    assert gcd(4, 6) == 2\n",
    ],
)
def test_a_program_without_the_function_does_not_pass_because_python_has_one(grader: Grader, tests: str) -> None:
    problem = Problem.from_dict({"id": "p", "kind": "asserts", "test_code": tests})
    grade = grader.grade(problem, Submission("s", "p", "print(1)"))
    assert grade.verdict is Verdict.RUNTIME_ERROR and "does not define" in grade.detail
    own = "def gcd(a, b):\n    return 2\n\ndef max(a, b):\n    return 2\n"
    assert grader.grade(problem, Submission("s", "p", own)).accepted
