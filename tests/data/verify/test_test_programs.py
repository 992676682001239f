"""Which test programs are dropped, and which, much like them, are not."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_data.schema import new_row
from microcoder_data.verify.test_programs import TestPrograms

pytestmark = pytest.mark.fast


def judged(test_code: str, statement: str = "Write a function f.", **fields: Any) -> str:
    row = new_row(problem_id="1", source="s", statement=statement, kind="asserts", entry_point="f", test_code=test_code)
    row.update(fields)
    outcome = TestPrograms()(row)
    return outcome.reason if outcome else ""


def solution(code: str) -> dict[str, Any]:
    return {"solutions": [{"language": "python", "code": code, "correct": True, "origin": "publisher"}]}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def f(x):\n    return x\n\nassert f(1) == 1", "tests_ignore_the_answer"),
        ("def helper(x):\n    return f(x)\n\nassert helper(1) == 1", ""),
        ("def test():\n    f(1)\n    assert True", "tests_ignore_the_answer"),
        ("{'stdin': ['1'], 'stdout': ['2']}", "tests_ignore_the_answer"),
        ("def test():\n    np.testing.assert_allclose(f(1), 2)", ""),
        ("if f(1) != 2:\n    raise SystemExit(1)", ""),
        ("import sys\nassert f((1,)) == sys.getsizeof((1,))", "not_deterministic"),
        ("import time\nt = time.time()\nassert f(1) == 1", ""),
        ("assert f('ac') == 'a' or f('ac') == 'c'", "contradictory_statement"),
        ("assert f(1) == 1 or f(2) == 2", ""),
        ("this does not parse(", ""),
        ("from solution import f\n\ndef test():\n    assert f(1) == 1", ""),
    ],
)
def test_programs(code: str, reason: str) -> None:
    assert judged(code) == reason


def test_an_example_that_the_tests_contradict() -> None:
    starter = 'def f(a):\n    """\n    >>> f([2, 3])\n    0\n    """\n'
    assert judged("assert f([2, 3]) == 2", starter_code=starter) == "sample_contradicts_test"
    assert judged("assert f([2, 3]) == 0", starter_code=starter) == ""
    assert judged("assert f([2, 4]) == 2", starter_code=starter) == ""
    nothing = 'def f(a):\n    """\n    >>> f(set())\n    [[[]]]\n    """\n'
    assert judged("assert f(set()) == [[]]", starter_code=nothing) == "sample_contradicts_test"


def test_a_name_to_import_that_no_reader_meets() -> None:
    tests = "from solution import f, WHITE\n\ndef test():\n    assert f(1) == WHITE"
    assert judged(tests, "The color of hat x.") == "incomplete"
    assert judged(tests, "The color of hat x, such as WHITE.") == ""
    assert judged(tests, "The color of hat x.", starter_code="WHITE = 'w'\n\ndef f(x):\n    pass") == ""


def test_answers_that_hang_on_a_short_pi() -> None:
    code = "def f(r):\n    return 3.1415 * r * r\n"
    assert (
        judged("assert f(10) == 314.15000000000003", "Write a function for the area of a hat.", **solution(code))
        == "incomplete"
    )
    assert judged("assert f(10) == 314.15", "The area of a hat, with 3.1415 for pi.", **solution(code)) == ""
    assert judged("assert f(10) == 314", "Write a function for the area of a hat.", **solution(code)) == ""
    whole = "import math\n\ndef f(r):\n    return math.pi * r * r\n"
    assert judged("assert f(10) == 314.1592653589793", "Write a function for the area.", **solution(whole)) == ""


def test_answers_that_are_cut_at_32_bits() -> None:
    code = "def f(s):\n    return max(-2**31, min(2**31 - 1, int(s)))\n"
    tests = "assert f('9' * 11) == 2147483647\nassert f('7') == 7"
    assert judged(tests, "Convert a text to an integer.", **solution(code)) == "incomplete"
    assert judged(tests, "Convert a text to a 32-bit integer.", **solution(code)) == ""
    assert judged(tests, "Convert a text to an integer, at most 2^31 - 1.", **solution(code)) == ""
    assert judged(tests, "Convert a text to an integer.", **solution("def f(s):\n    return int(s)\n")) == ""
    assert judged("assert f('7') == 7", "Convert a text to an integer.", **solution(code)) == ""


def test_an_example_on_a_name_or_an_object_is_not_compared() -> None:
    """`tree` and `hat` are others in the tests."""
    starter = 'def f(a):\n    """\n    >>> f(tree)\n    3\n    >>> hat.empty()\n    False\n    """\n'
    assert judged("tree = make()\nassert f(tree) == 4\nassert hat.empty() == True", starter_code=starter) == ""


def test_several_answers_and_one_that_counts() -> None:
    said = "Return the indices in any order."
    assert judged("assert f([2, 7], 9) == [0, 1]", said) == "needs_a_checker"
    assert judged("assert sorted(f([2, 7], 9)) == [0, 1]", said) == ""
    assert judged("assert f([2, 7], 9) == [0]", said) == ""
    arranged = "Write a function to re-arrange the array so that negative numbers come first."
    assert judged("assert f([1, -1]) == [-1, 1]", arranged) == "needs_a_checker"
    assert judged("assert f([1, -1]) == True", arranged) == ""


def test_a_tree_is_compared_with_one_of_several() -> None:
    tests = "assert is_same_tree(candidate(root = tree_node([1, 2])), tree_node([2, 1]))"
    assert judged(tests, "Balance the tree. If there is more than one answer, return any of them.") == "needs_a_checker"
    assert judged(tests, "Rearrange the tree in-order so that no node has a left child.") == ""
    for read in ("tree_values(f(root)) == [2, 1]", "[tree_values(node) for node in f(root)] == [[2], [1]]"):
        assert judged(f"assert {read}", "Return any of them.") == "needs_a_checker"
        assert judged(f"assert {read}", "Return the only one.") == ""
    assert judged("assert sorted(tree_values(f(root))) == [1, 2]", "Return any of them.") == ""


def test_the_order_of_a_set() -> None:
    of_a_set = solution("def f(t):\n    found = tuple(set(t))\n    return found")
    assert judged("assert f((3, 1, 1)) == (1, 3)", "Remove the duplicates.", **of_a_set) == "needs_a_checker"
    assert judged("assert f((3, 1, 1)) == (1, 3)", "Remove the duplicates and sort.", **of_a_set) == ""
    of_two = solution("def f(t, u):\n    return tuple(set(t) ^ set(u))")
    assert judged("assert f((3, 1), (1, 9)) == (9, 3)", "Return what is in one only.", **of_two) == "needs_a_checker"
    by_method = solution(
        "def f(t, u):\n    a, b = set(t), 0\n    a = set(t)\n    c = a.union(set(u))\n    return list(c)"
    )
    assert judged("assert f((3, 1), (1, 9)) == [9, 3]", "Return what is in either.", **by_method) == "needs_a_checker"
    for code in ("list(set.intersection(*map(set, t)))", "list(list(set(t) - set(u)) + list(set(u) - set(t)))"):
        of_sets = solution(f"def f(t, u):\n    return {code}")
        assert judged("assert f((3, 1), (1, 9)) == [9, 3]", "Return some of them.", **of_sets) == "needs_a_checker"
    by_hand = solution("def f(t):\n    return tuple(sorted(set(t)))")
    assert judged("assert f((3, 1, 1)) == (1, 3)", "Remove the duplicates.", **by_hand) == ""


def test_all_permutations_come_in_any_order() -> None:
    tests = "assert f('ab') == ['ab', 'ba']"
    assert judged(tests, "Write a function to print all permutations of a word.") == "needs_a_checker"
    assert judged(tests, "Print all possible permutations of a word in lexicographical order.") == ""
    assert judged("assert sorted(f('ab')) == ['ab', 'ba']", "Print all permutations of a word.") == ""
    assert judged("assert f('ab') == 2", "Count all permutations of a word.") == ""
    assert judged("assert f(['a', 'b']) == ['a']", "Find all words that begin with a.") == ""


def test_a_parameter_that_nobody_explains() -> None:
    counting = solution("def f(a, n, count):\n    return n == 0 or f(a, n - 1, count + 1)")
    tests = "assert f([1], 1, 0) == True\nassert f([1, 2], 2, 0) == True"
    assert judged(tests, "Find a triplet in the array.", **counting) == "incomplete"
    assert judged(tests, "Find a triplet; count says how many were found.", **counting) == ""
    assert judged(tests.replace("2, 0)", "2, 1)"), "Find a triplet in the array.", **counting) == ""


GIVEN = 'def f(x: int) -> int:\n    """Twice x."""\n    return 2 * x'


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (GIVEN, "answer_in_statement"),
        (f"Twice x.\n\n```python\n{GIVEN}\n```", "answer_in_statement"),
        (f"{GIVEN}\n\ndef test_f():\n    assert f(1) == 2", "answer_in_statement"),
        (GIVEN.replace("return 2 * x", "pass"), ""),
        (GIVEN.replace("return 2 * x", "raise NotImplementedError"), ""),
        (GIVEN.replace("return 2 * x", "x = int(x)\n    # your code goes here"), ""),
        (GIVEN.replace("Twice x.", "Twice x. Fix the bug."), ""),
        (GIVEN.replace("Twice x.", "Twice x. Complete the function."), ""),
        (GIVEN.replace("Twice x.", "Twice the missing nodes of a complete tree."), "answer_in_statement"),
        (GIVEN.replace("f(", "half("), ""),
        (f"{GIVEN}\n\ndef g(x):\n    ...", ""),
        ("class f:\n    def __init__(self):\n        self.x = [].copy()\n    def g(self):\n        ...", ""),
        ("class f:\n    def g(self):\n        return self.x", "answer_in_statement"),
        (
            "class f:\n    def g(self):\n        return self.x\n    def h(self):\n        return 0",
            "answer_in_statement",
        ),
        ("class f:\n    def g(self):\n        return self.x\n    def h(self):\n        return None", ""),
        ("class f:\n    def g(self):\n        return 0", ""),
    ],
)
def test_a_statement_that_holds_the_answer(statement: str, reason: str) -> None:
    """`g` is asked for too: where the statement leaves it open, it gives `f` as help."""
    assert judged("def test_f():\n    assert f(1) == 2 and g(1)", statement) == reason


RAISES = solution("def f(x):\n    if x < 0:\n        raise ValueError('no such hat')\n    return [1][x]")


@pytest.mark.parametrize(
    ("tests", "statement", "reason"),
    [
        ("with pytest.raises(ValueError):\n    f(-1)", "The hat x.", "incomplete"),
        ("with pytest.raises(ValueError):\n    f(-1)", "The hat x; negative numbers raise a ValueError.", ""),
        ("with pytest.raises(ValueError):\n    f(-1)", "The hat x. Reject invalid numbers.", ""),
        ("with pytest.raises(IndexError):\n    f(9)", "The hat x.", ""),
        ("with pytest.raises(ValueError, match='such .at'):\n    f(-1)", "The hat x, or a ValueError.", "incomplete"),
        ("with pytest.raises(ValueError, match='such hat'):\n    f(-1)", "ValueError ('No such hat').", ""),
        (
            "with pytest.raises(ValueError, match='(x+x+)+y'):\n    f(-1)",
            f"A ValueError for {'x' * 60}y.",
            "",
        ),  # not run
        ("try:\n    f(-1)\nexcept ValueError as e:\n    assert str(e) == 'no such hat'", "A ValueError.", "incomplete"),
        ("try:\n    f(-1)\nexcept ValueError as e:\n    assert 'hat' in str(e)", "A ValueError for the hat.", ""),
        (
            "with t.assertRaises(ValueError) as e:\n    f(-1)\nt.assertEqual(e.exception.args[0], 'no such hat')",
            "A ValueError.",
            "incomplete",
        ),
        (
            "with t.assertRaises(ValueError) as e:\n    f('hat')\nt.assertEqual(e.exception.args[0], 'hat')",
            "A ValueError.",
            "",
        ),
    ],
)
def test_an_error_that_only_the_solution_knows(tests: str, statement: str, reason: str) -> None:
    assert judged(tests, statement, **RAISES) == reason
    assert judged(tests, statement) == ""  # without a solution nobody chose the error


def test_a_name_that_the_tests_take_for_granted() -> None:
    tests = "root = Node(1)\nroot.left = Node(2)\nassert f(root) == 2"
    assert judged(tests, "The depth of a tree of hats.") == "incomplete"
    assert judged(tests, "The depth of a tree of objects of the class Node.") == ""
    assert (
        judged(f"class Node:\n    def __init__(self, x): self.x = x\n\n{tests}", "The depth of a tree of hats.") == ""
    )
    assert judged(f"from nodes import *\n\n{tests}", "The depth of a tree of hats.") == ""
    comprehension = "def test(hats=(1, 2)):\n    for hat in hats:\n        assert f(hat) == sum(x for x in range(hat))"
    assert judged(comprehension, "Write a function f.") == ""


def test_a_member_that_no_reader_meets() -> None:
    code = (
        "class Hats:\n    def __init__(self, hats):\n        self.hats = hats\n\n"
        "    def tallest(self):\n        return max(self.hats)\n"
    )
    tests = "from solution import Hats\n\ndef test():\n    assert Hats([1, 2]).tallest() == 2"
    starter = "class Hats:\n    def __init__(self, hats):\n        pass\n"
    known = solution(code) | {"starter_code": starter, "entry_point": "Hats"}
    assert judged(tests, "Write methods for the last hat and the one that is the highest.", **known) == "incomplete"
    assert judged(tests, "Write the method `tallest`.", **known) == ""
    assert judged(tests.replace("tallest()", "hats[0]"), "Write a class of hats.", **known) == ""
    assert judged(tests, "Write a class.", **known | {"starter_code": f"{starter}\n    def tallest(self): ..."}) == ""
    of_a_site = tests.replace("from solution import Hats\n", code)
    assert (
        judged(of_a_site + "\n    assert f(Hats([1])).tallest() == 1", "Write f.", **known | {"entry_point": "f"}) == ""
    )
