"""Problem kind `asserts`, graded for real: HumanEval's check, MBPP's assert lists, pytest- and unittest-style tests.

Longer than most files: tables of programs and tests, a row for each way to write or to fail them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_eval import Grade, Grader, InputError, Problem, Submission, Verdict


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=1, all_tests=True) as grader:
        yield grader


def grade(grader: Grader, program: str, tests: str, **problem: Any) -> Grade:
    known = Problem.from_dict({"id": "p", "kind": "asserts", "test_code": tests, **problem})
    return grader.grade(known, Submission("s", "p", code=program))


CHECK = """
METADATA = {'author': 'us'}

def check(candidate):
    assert candidate([3, 1, 2]) == [1, 2, 3]
    assert candidate([]) == []
"""
HELPER = """
def check(candidate):
    from random import randint
    for _ in range(20):
        text = ''.join(chr(randint(97, 122)) for _ in range(10))
        assert candidate(encode(text)) == text
"""
CODER = "def encode(t): return t[::-1]\n\ndef decode(t): return t[::-1]"
TOLERANCE = "import math\n\ndef check(candidate):\n    assert abs(candidate(2) - math.sqrt(2)) < 1e-6"
MBPP = """
assert add_lists([5, 6], (9, 10)) == (9, 10, 5, 6)
assert add_lists([], (1,)) == (1,)
for n in range(3):
    assert add_lists([n], ()) == (n,)
"""
PARAMETRIZED = """
import pytest
from solution import square

@pytest.mark.parametrize("value,expected", [(2, 4), (-3, 9), pytest.param(0, 0)])
def test_square(value, expected):
    assert square(value) == expected

@pytest.mark.parametrize("value", [1, 2])
@pytest.mark.parametrize("sign", [1, -1])
def test_sign(value, sign):
    assert square(value * sign) == value ** 2

def test_errors():
    with pytest.raises(TypeError, match="number"):
        square("x")
    with pytest.raises(TypeError) as caught:
        square(None)
    assert "number" in str(caught.value)

def test_near():
    assert square(0.1) == pytest.approx(0.01)
    assert [square(0.1)] == pytest.approx([0.01])
"""
SQUARE = """
def square(x):
    if not isinstance(x, (int, float)):
        raise TypeError("not a number")
    return x * x
"""
FIXTURES = """
import pytest
import solution

@pytest.fixture
def account():
    made = solution.Account("ann")
    yield made
    made.close()

@pytest.fixture(name="rich")
def make_rich(account):
    account.deposit(100)
    return account

class TestAccount:
    def setup_method(self):
        self.start = 5

    def test_deposit(self, account):
        account.deposit(self.start)
        assert account.balance == 5
        assert account.owner.upper() == "ANN"

    def test_withdraw(self, rich):
        rich.withdraw(30)
        assert rich.balance == 70
        with pytest.raises(solution.Overdrawn) as info:
            rich.withdraw(1000)
        assert info.value.missing == 930
        assert isinstance(info.value, ValueError)

def test_prints(capsys):
    solution.Account("bob").show()
    assert capsys.readouterr().out == "bob: 0\\n"
"""
ACCOUNT = """
class Overdrawn(ValueError):
    def __init__(self, missing):
        super().__init__(f"{missing} too little")
        self.missing = missing

class Account:
    def __init__(self, owner):
        self.owner, self.balance = owner, 0
    def deposit(self, amount):
        self.balance += amount
    def withdraw(self, amount):
        if amount > self.balance:
            raise Overdrawn(amount - self.balance)
        self.balance -= amount
    def show(self):
        print(f"{self.owner}: {self.balance}")
    def close(self):
        self.balance = None
"""
UNITTEST = """
import unittest
from solution import Stack

class Base(unittest.TestCase):
    def setUp(self):
        self.stack = Stack([1, 2])

class StackTest(Base):
    def test_push(self):
        self.stack.push(3)
        self.assertEqual(self.stack.items, [1, 2, 3])
        self.assertEqual(len(self.stack), 3)
        self.assertTrue(3 in self.stack)
        self.assertFalse(9 in self.stack)

    def test_iterate(self):
        self.assertEqual(list(self.stack), [1, 2])
        self.assertEqual([x * 2 for x in self.stack], [2, 4])
        self.assertEqual(str(self.stack), "Stack([1, 2])")
        self.assertAlmostEqual(self.stack.mean(), 1.5)

    def test_empty(self):
        with self.assertRaises(IndexError):
            Stack([]).pop()
        self.assertFalse(Stack([]))
        self.assertEqual(Stack([1]), Stack([1]))
        self.assertNotEqual(Stack([1]), Stack([2]))

if __name__ == "__main__":
    unittest.main()
"""
STACK = """
class Stack:
    def __init__(self, items): self.items = list(items)
    def push(self, x): self.items.append(x)
    def pop(self): return self.items.pop()
    def mean(self): return sum(self.items) / len(self.items)
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __contains__(self, x): return x in self.items
    def __repr__(self): return f"Stack({self.items})"
    def __eq__(self, other): return self.items == other.items
"""
NODES = """
class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next

def chain(*values):
    head = None
    for value in reversed(values):
        head = Node(value, head)
    return head

def values(node):
    found = []
    while node:
        found.append(node.value)
        node = node.next
    return found

def test_reverse():
    assert values(reverse(chain(1, 2, 3))) == [3, 2, 1]
    assert reverse(None) is None

def test_in_place():
    head, last = chain(1, 2), Node(7)
    append(head, last)
    assert values(head) == [1, 2, 7]
    assert head.next.next is last

def test_cycle():
    head = chain(1, 2)
    assert not has_cycle(head)
    head.next.next = head
    assert has_cycle(head)
"""
REVERSE = """
def reverse(node):
    before = None
    while node:
        node.next, before, node = before, node, node.next
    return before

def append(node, last):
    while node.next:
        node = node.next
    node.next = last

def has_cycle(node):
    seen = set()
    while node:
        if id(node) in seen:
            return True
        seen.add(id(node))
        node = node.next
    return False
"""
IN_PLACE = """
def test_sort_in_place():
    numbers = [3, 1, 2]
    alias = numbers
    assert sort(numbers) is None
    assert numbers == alias == [1, 2, 3]

def test_nested():
    grid = [[1, 2], [3, 4]]
    row = grid[0]
    transpose(grid)
    assert grid == [[1, 3], [2, 4]] and row == [1, 3]

def test_identity():
    numbers = [1]
    assert same(numbers) is numbers

def test_others():
    seen, known, data = set(), {"a": [1]}, bytearray(b"ab")
    fill(seen, known, data)
    assert seen == {1} and known == {"a": [1, 2], "b": 0} and data == b"abc"
"""
SORT = """
def sort(numbers): numbers.sort()

def transpose(grid):
    for i in range(len(grid)):
        for j in range(i):
            grid[i][j], grid[j][i] = grid[j][i], grid[i][j]

def same(numbers): return numbers

def fill(seen, known, data):
    seen.add(1); known["a"].append(2); known["b"] = 0; data.extend(b"c")
"""
VALUES = """
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

def test_values():
    for value in (1, -2**70, 1.5, float("inf"), "ä", None, True, (1, (2,)), [1, [2]], {1: (2,), (3,): {4}}, {1, 2},
                  frozenset({1}), b"x", 1j, Decimal("1.10"), Fraction(1, 3), date(2020, 2, 29), timedelta(days=1),
                  deque([1, 2], maxlen=2), Counter("aab"), OrderedDict(a=1), defaultdict(list, a=[1]), range(3)):
        back = echo(value)
        assert back == value and type(back) is type(value), value
    assert str(echo(float("nan"))) == "nan"

def test_point():
    point = make_point(1, 2)
    assert point == (1, 2) and point.x == 1
    x, y = point
    assert (x, y) == (1, 2) and isinstance(point, tuple)

def test_enum():
    assert mix() is Color.RED and mix() == Color.RED != Color.BLUE
    assert Color.RED.value == 1 and Color(2) is Color.BLUE and [c.name for c in Color] == ["RED", "BLUE"]

def test_generator():
    assert list(count(3)) == [0, 1, 2]
    numbers = count(5)
    assert next(numbers) == 0 and sum(numbers) == 10

def test_callbacks():
    calls = []
    assert apply(lambda x, *, by=1: x + by, [1, 2]) == [2, 3]
    assert apply(calls.append, [7]) == [None] and calls == [7]
    assert total(x * x for x in range(4)) == 14
    assert apply(abs, [-1]) == [1]

def test_callback_errors():
    def broken(x):
        raise KeyError("k")
    try:
        apply(broken, [1])
    except KeyError as error:
        assert error.args == ("k",)
    else:
        assert False
    assert careful(broken) == "caught"

def test_operators():
    assert Vector(1, 2) + Vector(3, 4) == Vector(4, 6)
    assert Vector(1, 2) * 2 == 2 * Vector(1, 2) == Vector(2, 4)
    assert Vector(2, 4) / 2 == Vector(1, 2)
    assert abs(Vector(3, 4)) == 5 and Vector(1, 2)[0] == 1 and -Vector(1, 2) != Vector(1, 2)
    assert {Vector(1, 2): 1}[Vector(1, 2)] == 1
    assert sorted([Vector(2, 0), Vector(1, 0)])[0].x == 1

def test_context():
    with Open() as name:
        assert name == "open"
    assert Open.closed == 1
"""
OBJECTS = """
import enum
from collections import namedtuple

def echo(x): return x

Point = namedtuple("Point", "x y")
def make_point(x, y): return Point(x, y)

class Color(enum.Enum):
    RED = 1
    BLUE = 2
def mix(): return Color.RED

def count(n):
    for i in range(n):
        yield i

def apply(f, xs): return [f(x) for x in xs]
def total(xs): return sum(xs)
def careful(f):
    try:
        f(1)
    except KeyError:
        return "caught"

class Vector:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vector(self.x + o.x, self.y + o.y)
    def __mul__(self, k): return Vector(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __truediv__(self, k): return Vector(self.x / k, self.y / k)
    def __neg__(self): return Vector(-self.x, -self.y)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __getitem__(self, i): return (self.x, self.y)[i]
    def __eq__(self, o): return isinstance(o, Vector) and (self.x, self.y) == (o.x, o.y)
    def __lt__(self, o): return (self.x, self.y) < (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))

class Open:
    closed = 0
    def __enter__(self): return "open"
    def __exit__(self, *error): Open.closed += 1
"""

HONEST = {
    "check": ("def f(x): return sorted(x)", CHECK, {"entry_point": "f"}, 1),
    "check with a helper of the program": (CODER, HELPER, {"entry_point": "decode"}, 1),
    "check that calls itself": ("def f(x): return sorted(x)", CHECK + "\ncheck(f)\n", {}, 1),
    "check with a tolerance": ("def root(x): return x ** 0.5", TOLERANCE, {"entry_point": "root"}, 1),
    "check of a method": (
        "class Solution:\n    def f(self, x: List[int]) -> List[int]: return sorted(x)",
        CHECK,
        {"entry_point": "Solution().f"},
        1,
    ),
    "assert list": ("def add_lists(a, b): return tuple(b) + tuple(a)", MBPP, {}, 3),
    "assert list on a builtin's name": ("def sum(a, b): return a * b", "assert sum(2, 3) == 6", {}, 1),
    "modules that only the program imports": (
        "import sys, math\ndef size(x): return sys.getsizeof(x)",
        "assert size(()) == sys.getsizeof(())\nassert math.isclose(1, size(()) / size(()))",
        {},
        2,
    ),
    "a name that only a module's class can mean": (
        "from datetime import datetime\ndef day(): return datetime.now().date()",
        "assert day() == datetime.now().date()",
        {},
        1,
    ),
    "parametrized": (SQUARE, PARAMETRIZED, {}, 9),
    "fixtures": (ACCOUNT, FIXTURES, {}, 3),
    "unittest": (STACK, UNITTEST, {}, 3),
    "objects of the tests": (REVERSE, NODES, {}, 3),
    "the same class in the program": ("class Node:\n    pass\n" + REVERSE, NODES, {}, 3),
    "changes in place": (SORT, IN_PLACE, {}, 4),
    "values and objects": (OBJECTS, VALUES, {}, 8),
    "module run as a script": (
        "def f():\n    return __name__\nif __name__ == '__main__':\n    raise SystemExit(input())",
        "def test_f():\n    assert f() == 'solution'\n\nif __name__ == '__main__':\n    test_f()\n",
        {},
        1,
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_programs_are_accepted(grader: Grader, name: str) -> None:
    program, tests, problem, units = HONEST[name]
    result = grade(grader, program, tests, **problem)
    assert result.verdict is Verdict.ACCEPTED, result.detail
    assert (result.passed, result.total) == (units, units)
    assert {test.rung for test in result.tests} == {"asserts"}


FAILURES = {
    "wrong value": (
        "def f(x): return x + 2",
        "assert f(1) == 2",
        Verdict.WRONG_ANSWER,
        "assert f(1) == 2: 3 against 2",
    ),
    "wrong type": ("def f(x): return 'a'", "assert abs(f(1) - 2) < 1", Verdict.WRONG_ANSWER, "TypeError"),
    "none": ("def f(x): pass", "assert len(f(1)) == 2", Verdict.WRONG_ANSWER, "NoneType"),
    "message": ("def f(x): return 0", "assert f(1), 'must be true'", Verdict.WRONG_ANSWER, "must be true"),
    "exception": ("def f(x):\n    return {}[x]", "assert f(1) == 2", Verdict.RUNTIME_ERROR, "line 2: KeyError: 1"),
    "own exception": (
        "class Bad(Exception): pass\ndef f(x): raise Bad('so bad')",
        "assert f(1) == 2",
        Verdict.RUNTIME_ERROR,
        "Bad: so bad",
    ),
    "assertion of the program": (
        "def f(x):\n    assert x > 1\n    return 2",
        "assert f(1) == 2",
        Verdict.RUNTIME_ERROR,
        "AssertionError",
    ),
    "missing": ("def g(x): return 2", "assert f(1) == 2", Verdict.RUNTIME_ERROR, "'f' is not defined"),
    "missing import": (
        "def g(x): return 2",
        "from solution import f\ndef test_f(): assert f(1)",
        Verdict.RUNTIME_ERROR,
        "cannot import name 'f'",
    ),
    "at import": ("import nothing_like_it", "assert f(1) == 2", Verdict.RUNTIME_ERROR, "ModuleNotFoundError"),
    "syntax": ("def f(:", "assert f(1) == 2", Verdict.COMPILE_ERROR, "line 1"),
    "did not raise": (
        "def f(x): return 1",
        "import pytest\ndef test_f():\n    with pytest.raises(ValueError):\n        f(1)",
        Verdict.WRONG_ANSWER,
        "DID NOT RAISE",
    ),
    "endless": ("def f(x):\n    while True: pass", "assert f(1) == 2", Verdict.TIME_LIMIT, "CPU time"),
    "sleeping": ("import time\ndef f(x): time.sleep(60)", "assert f(1) == 2", Verdict.TIME_LIMIT, "did not end"),
    "memory": ("def f(x): return len([0] * 10**9)", "assert f(1) == 2", Verdict.MEMORY_LIMIT, "MemoryError"),
    "deep recursion": ("def f(x): return f(x)", "assert f(1) == 2", Verdict.RUNTIME_ERROR, "RecursionError"),
    "endless tests": ("def f(x): return 10**12", "assert sum(range(f(1))) == 2", Verdict.TIME_LIMIT, "the tests"),
}


def test_pytest_may_be_used_without_importing_it(grader: Grader) -> None:
    tests = "@pytest.fixture\ndef one(): return 1\n\ndef test(one):\n    assert f(one) == pytest.approx(2)\n"
    assert grade(grader, "def f(x): return 2 * x", tests).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("name", FAILURES)
def test_failures_are_named(grader: Grader, name: str) -> None:
    program, tests, verdict, words = FAILURES[name]
    limit = 5.0 if name == "deep recursion" else 1.0  # half a million calls take a while on a busy machine
    result = grade(grader, program, tests, time_limit_s=limit)
    assert result.verdict is verdict, result.detail
    assert words in result.detail


UNFIT = {
    "missing library": "import not_there_at_all\ndef test_f(): assert f(1)",
    "built-in fixture": "def test_f(tmp_path): assert f(1)",
    "patching": "from unittest.mock import patch\ndef test_f():\n    with patch('os.sep'):\n        assert f(1)",
    "skipped": "import pytest\ndef test_f(): pytest.skip('later')",
    "subclass": "class Other: pass\nclass Mine(Thing, Other):\n    pass\ndef test_f(): assert Mine()",
    "assigned builtin": "import builtins\nbuiltins.len = open\ndef test_f(): assert f(1)",
    "patched dict": "from unittest.mock import patch\n@patch.dict('sys.modules', a=1)\ndef test_f(): assert f(1)",
    "monkeypatched": "def test_f(monkeypatch):\n    monkeypatch.setattr('time.sleep', None)\n    assert f(1)",
    "lock": "import threading\ndef test_f(): assert f(threading.Lock())",
    "caught": "def test_f():\n    try:\n        f(__import__('threading').Lock())\n    except Exception:\n        pass",
}


@pytest.mark.parametrize("name", UNFIT)
def test_what_the_tests_cannot_do_is_no_wrong_answer(grader: Grader, name: str) -> None:
    result = grade(grader, "class Thing: pass\ndef f(x): return 1", UNFIT[name])
    assert result.verdict is Verdict.JUDGE_ERROR
    assert "\n" not in result.detail


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        ("x = 1", "nothing could be graded"),
        ("assert f(1", "line 1"),
        ("def check(candidate): assert candidate(1)", "entry"),
    ],
)
def test_tests_that_are_none_are_refused(grader: Grader, tests: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        grade(grader, "def f(x): return 1", tests)


def test_all_units_count_and_failures_do_not_disturb_later_ones(grader: Grader) -> None:
    program = "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)"
    result = grade(grader, program, "assert f(1) == 1\nassert f(2) == 2\nassert f(3) == 1")
    assert [test.verdict.value for test in result.tests] == ["ACCEPTED", "WRONG_ANSWER", "ACCEPTED"]
    assert (result.passed, result.total) == (2, 3)


def test_large_values_travel(grader: Grader) -> None:
    tests = "big = list(range(200_000))\nassert f(big) == big[::-1]\nassert g('x' * 3_000_000) == 3_000_000"
    result = grade(grader, "def f(x): return x[::-1]\ndef g(x): return len(x)", tests, time_limit_s=10)
    assert result.accepted, result.detail


def test_arrays_travel(grader: Grader) -> None:
    program = "import numpy as np\ndef f(x):\n    x[0] = 9\n    return np.maximum(x, 0).reshape(2, 2)"
    tests = """
import numpy as np

def test_f():
    given = np.array([1.0, -2, 3, -4])
    result = f(given)
    assert result.shape == (2, 2) and np.allclose(result, [[9, 0], [3, 0]])
    assert given[0] == 9
    assert (result.sum() == 12) and f(np.array([1, 2, 3, 4]))[0, 0] == 9
"""
    result = grade(grader, program, tests)
    assert result.accepted, result.detail
