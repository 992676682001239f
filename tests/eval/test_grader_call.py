"""Problems of kind `call`: how honest solutions may be written, and what arguments and results may be."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict

# name: (entry point, starter code, code, [(arguments, result), ...])
Accepted = tuple[str, str, str, list[tuple[Any, Any]]]
ACCEPTED: dict[str, Accepted] = {
    "a method": ("Solution.f", "", "class Solution:\n def f(self, a, b): return a + b", [([1, 2], 3)]),
    "a bare function": ("f", "", "def f(a, b): return a + b", [([1, 2], 3)]),
    "a bare function where a method is asked for": ("Solution.f", "", "def f(a, b): return a + b", [([1, 2], 3)]),
    "a method where a function is asked for": ("f", "", "class Solution:\n def f(self, a): return a", [([1], 1)]),
    "a static method": ("Solution.f", "", "class Solution:\n @staticmethod\n def f(a): return a * 2", [([4], 8)]),
    "a class method": ("Solution.f", "", "class Solution:\n @classmethod\n def f(cls, a): return a * 2", [([4], 8)]),
    "an inherited method": (
        "Solution.f",
        "",
        "class Base:\n def f(self, a): return a\nclass Solution(Base): pass",
        [([4], 4)],
    ),
    "a method with helpers": (
        "Solution.f",
        "",
        "class Solution:\n def __init__(self): self.k = 2\n def g(self, a): return a * self.k\n"
        " def f(self, a): return self.g(a)",
        [([4], 8)],
    ),
    "nested functions": (
        "f",
        "",
        "def f(n):\n def g(k):\n  nonlocal total\n  total += k\n total = 0\n [g(k) for k in range(n)]\n return total",
        [([5], 10)],
    ),
    "a lambda": ("f", "", "f = lambda a, b: a * b", [([3, 4], 12)]),
    "a cached function": (
        "f",
        "",
        "@cache\ndef f(n): return n if n < 2 else f(n - 1) + f(n - 2)",
        [([80], 23416728348467685)],
    ),
    "a callable object": ("f", "", "class F:\n def __call__(self, a): return a\nf = F()", [([1], 1)]),
    "a partial": ("f", "", "f = partial(max, 3)", [([5], 5), ([1], 3)]),
    "default arguments": ("f", "", "def f(a, b=2, *rest, c=4, **more): return a + b + c", [([1], 7), ([1, 1], 6)]),
    "keyword arguments": ("f", "", "def f(nums, target): return target in nums", [({"target": 2, "nums": [2]}, True)]),
    "in place": ("Solution.f", "", "class Solution:\n def f(self, a): a.reverse()", [([[1, 2]], [2, 1])]),
    "in place by keyword": ("f", "", "def f(a): a.sort()", [({"a": [2, 1]}, [1, 2])]),
    "in place on a board": (
        "f",
        "",
        "def f(b):\n for row in b: row[:] = row[::-1]",
        [([[[1, 2], [3, 4]]], [[2, 1], [4, 3]])],
    ),
    "nothing, and nothing expected": ("f", "", "def f(a): return None", [([1], None)]),
    "annotations without imports": (
        "Solution.f",
        "",
        "class Solution:\n def f(self, a: List[int], b: Dict[str, int] = None) -> Tuple[int, ...]: return len(a)",
        [([[1, 2]], 2)],
    ),
    "the modules that LeetCode gives": (
        "f",
        "",
        "def f(n): return [gcd(n, 4), comb(n, 2), len(Counter('aab')), heapq.nsmallest(1, [3, n])[0], inf > n, "
        "bisect_left([1, n], n), reduce(lambda a, b: a + b, [n, n]), next(accumulate([n])), deque([n])[0], pow(2, n)]",
        [([6], [2, 15, 2, 3, True, 1, 12, 6, 6, 64])],
    ),
    "from __future__": ("f", "", "from __future__ import annotations\ndef f(a: X) -> Y: return a", [([1], 1)]),
    "a program that also runs as a script": (
        "f",
        "",
        "def f(a): return a\nif __name__ == '__main__':\n print(f(3))",
        [([1], 1)],
    ),
    "a main guard that reads, fails and exits": (
        "f",
        "",
        "def f(a): return a\nif __name__ == '__main__':\n print(f(int(input())) + 'x')\n raise SystemExit(0)",
        [([1], 1), ([[2]], [2])],
    ),
    "reading of standard input finds its end": (
        "f",
        "",
        "import sys\nread = sys.stdin.read()\ndef f(a): return [read, sys.stdin.readline(), a]",
        [([1], ["", "", 1])],
    ),
    "a class that is pickled, found by its module": (
        "f",
        "",
        "import pickle\nclass P: x = 1\ndef f(a): return pickle.loads(pickle.dumps(P())).x + a",
        [([1], 2)],
    ),
    "prints beside its answer": ("f", "", "def f(a):\n print('debug', a)\n return a", [([1], 1)]),
    "prints without end of line and to stderr": (
        "f",
        "",
        "import sys\ndef f(a):\n print(a, end='')\n print('x', file=sys.stderr)\n return a",
        [([1], 1)],
    ),
    "global state": (
        "f",
        "",
        "seen = []\ndef f(a):\n seen.append(a)\n return len(seen)",
        [([1], 1), ([2], 1), ([3], 1)],
    ),
    "a dataclass as helper": (
        "f",
        "",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n x: int\ndef f(a): return P(a).x",
        [([1], 1)],
    ),
    "deep recursion": ("f", "", "def f(n): return 0 if n == 0 else 1 + f(n - 1)", [([20000], 20000)]),
    "huge integers": ("f", "", "def f(n): return 7 ** n", [([2000], 7**2000)]),
    "huge integers as arguments": ("f", "", "def f(n): return n + 1", [([10**400], 10**400 + 1)]),
    "negative huge integers": ("f", "", "def f(n): return -n", [([2**64], -(2**64))]),
    "floats": ("f", "", "def f(a): return a / 3", [([1.0], 1 / 3)]),
    "an infinite float": ("f", "", "def f(): return float('inf')", [([], float("inf"))]),
    "no arguments": ("f", "", "def f(): return 'x'", [([], "x")]),
    "text": ("f", "", "def f(s): return s[::-1]", [(["añ日"], "日ña")]),
    "empty text and lists": ("f", "", "def f(s, l): return [s, l]", [(["", []], ["", []])]),
    "booleans and null": ("f", "", "def f(a, b): return [not a, b]", [([True, None], [False, None])]),
    "a tuple for a list": ("f", "", "def f(a): return tuple(a)", [([[1, 2]], [1, 2])]),
    "a defaultdict": ("f", "", "def f(a):\n d = defaultdict(int)\n d['x'] += a\n return d", [([1], {"x": 1})]),
    "a Counter": ("f", "", "def f(s): return Counter(s)", [(["aab"], {"a": 2, "b": 1})]),
    "exact numbers of other types": (
        "f",
        "",
        "from decimal import Decimal\nfrom fractions import Fraction\n"
        "def f(a): return [Decimal(a), Fraction(4 * a, 2), Fraction(1, 3), Decimal('0.1'), Decimal('inf')]",
        [([3], [3, 6, 1 / 3, 0.1, float("inf")]), ([10**30], [10**30, 2 * 10**30, 1 / 3, 0.1, float("inf")])],
    ),
    "a deque": ("f", "", "def f(a): return deque(a)", [([[1, 2]], [1, 2])]),
    "a range": ("f", "", "def f(n): return range(n)", [([3], [0, 1, 2])]),
    "the keys and values of a dict": ("f", "", "def f(d): return [d.keys(), d.values()]", [([{"a": 1}], [["a"], [1]])]),
    "an int of a subclass": ("f", "", "import enum\nclass C(enum.IntEnum):\n R = 3\ndef f(): return C.R", [([], 3)]),
    "a named tuple": (
        "f",
        "",
        "P = namedtuple('P', 'x y')\ndef f(a): return [P(a, a)]",
        [([1], [[1, 1]])],
    ),
    "a numpy number": ("f", "", "import numpy as np\ndef f(a): return np.int64(a) + np.sum([1])", [([2], 3)]),
    "a numpy array": ("f", "", "import numpy as np\ndef f(a): return np.array(a) * 2", [([[1, 2]], [2, 4])]),
    "a list of numpy numbers": (
        "f",
        "",
        "import numpy as np\ndef f(a): return list(np.cumsum(a))",
        [([[1, 2]], [1, 3])],
    ),
    "a linked list": (
        "Solution.f",
        "class Solution:\n    def f(self, head: Optional[ListNode]) -> Optional[ListNode]:",
        "class Solution:\n def f(self, head):\n  last = None\n  while head:\n"
        "   head.next, last, head = last, head, head.next\n  return last",
        [([[1, 2, 3]], [3, 2, 1]), ([[]], [])],
    ),
    "a linked list by the solution's own annotation": (
        "f",
        "",
        "def f(head: ListNode, k: int) -> int:\n n = 0\n while head: n, head = n + head.val * k, head.next\n return n",
        [([[1, 2], 10], 30), ([[], 1], 0)],
    ),
    "linked lists in a list": (
        "Solution.f",
        "class Solution:\n    def f(self, lists: List[Optional[ListNode]]) -> Optional[ListNode]:",
        "class Solution:\n def f(self, lists):\n  values = []\n  for n in lists:\n"
        "   while n: values.append(n.val); n = n.next\n"
        "  head = None\n  for v in sorted(values, reverse=True): head = ListNode(v, head)\n  return head",
        [([[[1, 4], [1, 3], []]], [1, 1, 3, 4]), ([[]], []), ([[[]]], [])],
    ),
    "a list of linked lists as result": (
        "f",
        "def f(head: ListNode) -> List[Optional[ListNode]]: pass",
        "def f(head):\n parts = []\n while head:\n  rest, head.next = head.next, None\n  parts.append(head)\n"
        "  head = rest\n return parts",
        [([[1, 2]], [[1], [2]])],
    ),
    "a tree": (
        "Solution.f",
        "class Solution:\n    def f(self, root: Optional[TreeNode]) -> Optional[TreeNode]:",
        "class Solution:\n def f(self, root):\n  if root:\n"
        "   root.left, root.right = self.f(root.right), self.f(root.left)\n  return root",
        [([[4, 2, 7, 1, 3, 6, 9]], [4, 7, 2, 9, 6, 3, 1]), ([[1, None, 2, 3]], [1, 2, None, None, 3]), ([[]], [])],
    ),
    "a tree with a value as result": (
        "f",
        "def f(root: TreeNode, k: int) -> int: pass",
        "def f(root, k): return 0 if root is None else 1 + f(root.left, k) + f(root.right, k)",
        [([[5, 3, None, 1], 2], 3), ([[], 2], 0)],
    ),
    "a list of trees as result": (
        "f",
        "def f(n: int) -> List[Optional[TreeNode]]: pass",
        "def f(n): return [TreeNode(k, TreeNode(0) if k else None) for k in range(n)]",
        [([2], [[0], [1, 0]])],
    ),
    "the solution's own node class": (
        "f",
        "def f(head: ListNode) -> ListNode: pass",
        "class ListNode:\n def __init__(self, val=0, next=None): self.val, self.next = val, next\n"
        "def f(head): return ListNode(head.val, head.next)",
        [([[1, 2]], [1, 2])],
    ),
    "a node given back in place": (
        "f",
        "def f(head: ListNode) -> None: pass",
        "def f(head):\n while head: head.val, head = head.val + 1, head.next",
        [([[1, 2]], [2, 3])],
    ),
    "a long linked list": (
        "f",
        "def f(head: ListNode) -> ListNode: pass",
        "def f(head): return head",
        [([list(range(5000))], list(range(5000)))],
    ),
    "a deep tree": (
        "f",
        "def f(root: TreeNode) -> int: pass",
        "def f(root): return 0 if not root else 1 + max(f(root.left), f(root.right))",
        [([[x for _ in range(1500) for x in (1, None)]], 1500)],
    ),
    "arguments as JSON lines": ("f", "", "def f(a, k): return sum(a) + k", [("[1, 2]\n3", 6)]),
    "arguments as Python literals": ("f", "", "def f(a, k): return a[0] + k", [("(1, 2), 3", 4), ("[True], 1", 2)]),
    "arguments as name = value": ("f", "", "def f(nums, k): return sum(nums) + k", [("nums = [1, 2], k = 3", 6)]),
    "text results": ("f", "", "def f(a): return [a, str(a)]", [("5", '[5, "5"]')]),
}
REJECTED: dict[str, tuple[str, list[tuple[Any, Any]], Verdict]] = {
    "the wrong name": ("def g(n): return n", [([1], 1)], Verdict.RUNTIME_ERROR),
    "too few parameters": ("def f(): return 1", [([1], 1)], Verdict.RUNTIME_ERROR),
    "a coroutine instead of its result": ("async def f(n): return n", [([1], 1)], Verdict.WRONG_ANSWER),
    "a generator instead of a list": ("def f(n):\n yield n", [([1], [1])], Verdict.WRONG_ANSWER),
    "printed instead of returned": ("def f(n): print(n)", [([1], 1)], Verdict.WRONG_ANSWER),
    "text instead of a number": ("def f(n): return [n, 'x']", [([1], [1, 0])], Verdict.WRONG_ANSWER),
    "almost the same integer": ("def f(n): return n + 1", [([10**18], 10**18)], Verdict.WRONG_ANSWER),
    "one element too many": ("def f(n): return [n, n]", [([1], [1])], Verdict.WRONG_ANSWER),
    "nothing, where the argument is the answer": ("def f(s): pass", [(["x"], "x")], Verdict.WRONG_ANSWER),
    "nothing": ("def f(n): pass", [([1], 1)], Verdict.WRONG_ANSWER),
    "an exception": ("def f(n): return 1 / 0", [([1], 1)], Verdict.RUNTIME_ERROR),
    "an exception when it is loaded": ("def f(n): return n\n1 / 0", [([1], 1)], Verdict.RUNTIME_ERROR),
    "sys.exit": ("import sys\ndef f(n): sys.exit(0)", [([1], 1)], Verdict.RUNTIME_ERROR),
    "an endless loop": ("def f(n):\n while True: pass", [([1], 1)], Verdict.TIME_LIMIT),
    "too much memory": ("def f(n): return len([0] * 10**9)", [([1], 10**9)], Verdict.MEMORY_LIMIT),
    "a syntax error": ("def f(n) return n", [([1], 1)], Verdict.COMPILE_ERROR),
}


def _problem(entry_point: str, starter: str, tests: list[tuple[Any, Any]]) -> Problem:
    listed = [{"input": given, "output": wanted} for given, wanted in tests]
    record = {"id": "p", "kind": "call", "entry_point": entry_point, "starter_code": starter, "tests": listed}
    return Problem.from_dict({**record, "time_limit_s": 2, "memory_limit_mb": 256})


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(grader: Grader, name: str) -> None:
    entry_point, starter, code, tests = ACCEPTED[name]
    if "numpy" in code:
        pytest.importorskip("numpy")
    grade = grader.grade(_problem(entry_point, starter, tests), Submission("s", "p", code))
    assert grade.accepted, grade.detail
    assert grade.passed == grade.total == len(tests)


def test_endless_recursion_is_rejected(grader: Grader) -> None:
    grade = grader.grade(_problem("f", "", [([1], 1)]), Submission("s", "p", "def f(n): return f(n)"))
    # calls of Python 3.10 lie on the stack of the process, whose memory may end first
    assert grade.verdict in (Verdict.RUNTIME_ERROR, Verdict.MEMORY_LIMIT), grade.detail


@pytest.mark.parametrize("name", REJECTED)
def test_rejected(grader: Grader, name: str) -> None:
    code, tests, verdict = REJECTED[name]
    grade = grader.grade(_problem("f", "", tests), Submission("s", "p", code))
    assert grade.verdict is verdict, grade.detail


@pytest.mark.parametrize("entry_point", ["gcd", "Solution.gcd", "max", "add"])
def test_a_name_that_leetcodes_judge_gives_is_no_answer(grader: Grader, entry_point: str) -> None:
    name = entry_point.rpartition(".")[2]
    problem = _problem(entry_point, "", [([4, 6], {"gcd": 2, "max": 6, "add": 10}[name])])
    grade = grader.grade(problem, Submission("s", "p", "print(1)"))
    assert grade.verdict is Verdict.RUNTIME_ERROR and f"does not define {entry_point}" in grade.detail
    own = f"def {name}(a, b):\n    return {{'gcd': 2, 'max': 6, 'add': 10}}['{name}']"
    assert grader.grade(problem, Submission("s", "p", own)).accepted
    if name != "max":
        imported = f"from {'math' if name == 'gcd' else 'operator'} import {name}"
        assert grader.grade(problem, Submission("s", "p", imported)).accepted
    inside = f"class Solution:\n    def {name}(self, a, b):\n        return {name}(a, b)"
    assert grader.grade(_problem(f"Solution.{name}", "", [([4, 4], 8 if name == "add" else 4)]), inside).accepted


def test_the_detail_names_line_and_error(grader: Grader) -> None:
    code = "def f(n):\n    x = n\n    return x.no_such\n"
    grade = grader.grade(_problem("f", "", [([1], 1)]), Submission("s", "p", code))
    assert "line 3" in grade.detail and "no_such" in grade.detail
    assert "microcoder_eval" not in grade.detail


def test_arguments_of_one_test_do_not_reach_the_next(grader: Grader) -> None:
    code = "kept = []\ndef f(a):\n    kept.append(a)\n    a.append(len(kept))\n    return kept[0]"
    problem = _problem("f", "", [([[1]], [1, 1]), ([[2]], [2, 1])])
    assert grader.grade(problem, Submission("s", "p", code)).accepted


@pytest.mark.parametrize(
    "inside",
    [
        "@property\n def __annotations__(self): raise ValueError('mine')",
        "@property\n def __annotations__(self): return {'a': Odd()}",
        "__annotations__ = 5",
        "def __getattr__(self, name): return {}[name]",
    ],
)
def test_a_callable_that_cannot_be_described_is_called(inside: str, grader: Grader) -> None:
    odd = "class Odd:\n def __str__(self): raise ValueError('mine')\n"
    code = f"{odd}class F:\n def __call__(self, a): return a + 1\n {inside}\nf = F()"
    grade = grader.grade(_problem("f", "", [([1], 2)]), Submission("s", "p", code))
    assert grade.accepted, grade.detail


@pytest.mark.skipif(sys.version_info < (3, 14), reason="before Python 3.14 a name in an annotation had to exist")
def test_annotations_that_nobody_can_evaluate_still_ask_for_nodes(grader: Grader) -> None:
    code = "class Solution:\n def f(self, head: Optional[ListNode], k: Missing = 1) -> Gone: return head.next.val"
    record = {"id": "p", "kind": "call", "entry_point": "Solution.f", "tests": [{"input": [[1, 2]], "output": 2}]}
    assert grader.grade(Problem.from_dict(record), Submission("s", "p", code=code)).accepted
