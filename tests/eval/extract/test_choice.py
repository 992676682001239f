"""Which of several blocks is the program, and how the blocks of one program are joined."""

from __future__ import annotations

import pytest

from microcoder_eval.errors import InputError
from microcoder_eval.extract import extract
from tests.eval.extract.replies import SUM, TWO_SUM, call, fenced, run

pytestmark = pytest.mark.fast


class TestSeveralBlocks:
    SOLUTION = "def double(x):\n    return 2 * x"

    @pytest.mark.parametrize("main", ["def quadruple(x):\n    return double(double(x))", "class Q:\n    of = double"])
    def test_a_function_that_calls_a_helper_of_an_earlier_block_is_the_program(self, main: str) -> None:
        reply = f"A helper:\n{fenced(self.SOLUTION)}\nThen:\n{fenced(main)}"
        assert extract(reply).code == f"{self.SOLUTION}\n\n{main}"
        test = "def test_it():\n    assert quadruple(1) == 4 and Q"
        assert extract(f"{reply}\nA test:\n{fenced(test)}").code == f"{self.SOLUTION}\n\n{main}"

    @pytest.mark.parametrize(
        "usage",
        [
            "print(double(3))",
            "assert double(2) == 4\nassert double(0) == 0",
            "def test_double():\n    assert double(2) == 4\n\ntest_double()",
            "from solution import double\nprint(double(3))",
            "for i in range(3):\n    print(i, double(i))",
            "import unittest\n\nclass TestDouble(unittest.TestCase):\n    def test(self):\n"
            "        self.assertEqual(double(1), 2)",
        ],
    )
    def test_an_example_of_use_does_not_win(self, usage: str) -> None:
        reply = f"{fenced(self.SOLUTION)}\nExample:\n{fenced(usage)}"
        assert extract(reply).code == self.SOLUTION
        assert extract(reply, entry_point="double").code == self.SOLUTION

    def test_a_function_made_by_lambda_is_one(self) -> None:
        solution = "double = lambda x: 2 * x"
        reply = f"{fenced(solution)}\nExample:\n{fenced('print(double(3))')}"
        assert extract(reply).code == extract(reply, entry_point="double").code == solution
        assert extract(f"{fenced(SUM)}\nOr:\n{fenced(solution)}", entry_point="double").code == solution

    def test_a_rewrite_with_tests_wins(self) -> None:
        rewrite = f"{self.SOLUTION}\n\nprint(double(3))"
        assert extract(f"{fenced(self.SOLUTION)}\nWith a test:\n{fenced(rewrite)}").code == rewrite

    def test_the_block_with_the_entry_point_wins(self) -> None:
        other = "def triple(x):\n    return 3 * x\n\nprint(triple(1))"
        assert extract(f"{fenced(self.SOLUTION)}\n{fenced(other)}", entry_point="double").code == self.SOLUTION
        assert extract(f"{fenced(self.SOLUTION)}\n{fenced(other)}").code == other

    def test_a_usage_of_the_class_does_not_win(self) -> None:
        usage = "solution = Solution()\nprint(solution.twoSum([2, 7], 9))"
        assert extract(f"{fenced(TWO_SUM)}\n{fenced(usage)}", entry_point="Solution.twoSum").code == TWO_SUM
        assert extract(f"{fenced(TWO_SUM)}\n{fenced(usage)}").code == TWO_SUM

    def test_a_program_split_over_blocks_is_put_together(self) -> None:
        reply = (
            f"First a function:\n{fenced(self.SOLUTION)}\nThen read the input:\n{fenced('print(double(int(input())))')}"
        )
        assert run(extract(reply).code, "21\n") == "42\n"

    def test_the_call_of_main_is_part_of_the_program(self) -> None:
        reply = f"{fenced('def main():' + chr(10) + '    print(2 * int(input()))')}\nRun it:\n{fenced('main()')}"
        assert run(extract(reply).code, "21\n") == "42\n"

    def test_a_helper_class_of_an_earlier_block_comes_along(self) -> None:
        helper = "class Node:\n    def __init__(self, value):\n        self.value = value"
        solution = "class Solution:\n    def f(self, x):\n        return Node(x).value"
        found = extract(f"{fenced(helper)}\n{fenced(solution)}", entry_point="Solution.f")
        assert call(found.code, "Solution.f", 5) == 5

    PROGRAM = "def main():\n    print(twice(int(input())))\n\nmain()"
    TWICE = "def twice(x):\n    return 2 * x"

    def test_a_helper_in_a_later_block_comes_along(self) -> None:
        found = extract(f"The program:\n{fenced(self.PROGRAM)}\nAnd its helper:\n{fenced(self.TWICE)}")
        assert run(found.code, "21\n") == "42\n"

    def test_a_helper_in_a_block_after_the_entry_point_comes_along(self) -> None:
        found = extract(
            f"{fenced('def solve(x):' + chr(10) + '    return twice(x)')}\n{fenced(self.TWICE)}", entry_point="solve"
        )
        assert call(found.code, "solve", 5) == 10

    def test_the_last_version_of_a_helper_is_taken(self) -> None:
        wrong = "def twice(x):\n    return x + x + 1"
        found = extract(f"{fenced(wrong)}\n{fenced(self.PROGRAM)}\nThe helper is wrong, so:\n{fenced(self.TWICE)}")
        assert run(found.code, "21\n") == "42\n"

    def test_a_last_function_that_no_program_needs_wins(self) -> None:
        found = extract(f"{fenced('print(int(input()))')}\n{fenced(self.TWICE)}")
        assert found.code == self.TWICE

    def test_a_draft_that_prints_does_not_win_over_the_last_version(self) -> None:
        draft = "def solve(x):\n    return twice(x) + 1\n\nprint(solve(3))"
        last = f"{self.TWICE}\n\ndef solve(x):\n    return twice(x)"
        for entry_point in ("solve", None):
            assert extract(f"{fenced(draft)}\nRather:\n{fenced(last)}", entry_point=entry_point).code == last

    def test_tests_before_the_function_do_not_win(self) -> None:
        for asserts in ("def check():\n    assert twice(1) == 3\n\ncheck()", "assert twice(1) == 3"):
            assert extract(f"First tests:\n{fenced(asserts)}\nThen:\n{fenced(self.TWICE)}").code == self.TWICE

    def test_a_function_before_the_block_with_its_helper_is_the_program(self) -> None:
        main, tests = "def solve(x):\n    return twice(x)", "assert solve(2) == 4"
        for before in (main, f"{main}\n\n{tests}"):
            found = extract(f"{fenced(before)}\nwith:\n{fenced(self.TWICE)}")
            assert call(found.code, "solve", 5) == 10

    def test_a_helper_of_a_helper_comes_along_from_any_block(self) -> None:
        main, use = "def main():\n    print(twice(int(input())))", "main()"
        for parts in ([main, self.TWICE, use], [main, use, self.TWICE], [use, main, self.TWICE]):
            assert run(extract("\nand\n".join(map(fenced, parts)), is_script=True).code, "21\n") == "42\n"
        found = extract(f"{fenced(use)}\n{fenced(main)}\n{fenced(self.TWICE)}\n{fenced('x = 3')}", is_script=True)
        assert run(found.code, "21\n") == "42\n"

    @pytest.mark.parametrize(
        "between", [[], ["from math import gcd\nprint(gcd(4, 6))"], ["for k in range(n):\n    ..."]]
    )
    def test_a_part_of_a_script_that_is_explained_does_not_win(self, between: list[str]) -> None:
        whole = f"{self.TWICE}\n\n{self.PROGRAM}"
        reply = "\nIts heart is\n".join(map(fenced, [whole, *between, self.TWICE]))
        assert extract(reply, is_script=True).code == whole
        assert extract(reply).code == self.TWICE
        reply = "\nwith\n".join(map(fenced, [self.PROGRAM, *between, self.TWICE]))
        assert run(extract(reply, is_script=True).code, "21\n") == "42\n"

    @pytest.mark.parametrize(
        "advice",
        [
            "import sys\ninput = sys.stdin.readline",
            "import sys\nsys.setrecursionlimit(10**6)",
            "import threading\nthreading.stack_size(1 << 26)  # for deep trees",
            "MOD = 10**9 + 7\nprimes: list[int] = [2, 3, 5]",
            "a, b = map(int, input().split(','))",
            "from functools import lru_cache",
            "key = lambda p: p[1]",
            "numbers = lambda: map(int, input().split())",
        ],
    )
    def test_what_only_sets_something_does_not_win(self, advice: str) -> None:
        assert extract(f"{fenced(SUM)}\nYou may add:\n{fenced(advice)}").code == SUM
        assert extract(f"{fenced(SUM, '')}\nYou may add:\n{fenced(advice, '')}").code == SUM
        assert extract(fenced(advice)).code == advice

    @pytest.mark.parametrize(
        "program",
        [
            "import sys\nsys.stdout.write('NO')",
            "import sys\nprinted = sys.stdout.write(sys.stdin.read())",
            "[print(n) for n in range(3)]",
            "import app\napp.run(input())",
            "from threading import Thread\nThread(target=lambda: print(3)).start()",
            "_ = [*map(print, range(3))]",
        ],
    )
    def test_what_prints_wins(self, program: str) -> None:
        assert extract(f"{fenced(SUM)}\nBetter:\n{fenced(program)}").code == program

    def test_a_function_is_more_than_advice(self) -> None:
        solution, advice = "double = lambda n: 2 * n", "import sys\ninput = sys.stdin.readline"
        assert extract(f"{fenced('print(2 * 3)')}\nAs a function:\n{fenced(solution)}").code == solution
        assert extract(f"{fenced(solution)}\nYou may add:\n{fenced(advice)}").code == solution

    @pytest.mark.parametrize(
        ("reads", "call"),
        [
            ("solve = lambda: print(int(input()))", "solve()"),
            ("class Solver:\n    def run(self):\n        print(int(input()))", "solver = Solver()\nsolver.run()"),
        ],
    )
    def test_a_call_of_what_reads_is_joined_to_it(self, reads: str, call: str) -> None:
        assert extract(f"{fenced(reads)}\nThen call it:\n{fenced(call)}").code == f"{reads}\n\n{call}"

    def test_a_broken_last_attempt_is_not_excused(self) -> None:
        broken = "a, b = map(int input().split())\nprint(a + b + 0)"
        assert extract(f"{fenced(SUM)}\nBetter:\n{fenced(broken)}").code == broken

    def test_longest(self) -> None:
        reply = f"{fenced(SUM)}\nor\n{fenced('print(sum(map(int, input().split())))')}\nor\n{fenced('print(3)')}"
        assert extract(reply, pick="longest").code == SUM
        assert extract(reply).code == "print(3)"

    def test_joined_keeps_future_imports_first_and_main_guards(self) -> None:
        guarded = "if __name__ == '__main__':\n    print(double(4))"
        future = "from __future__ import annotations\nimport sys\n\nLIMIT: Missing = 1"
        code = extract(f"{fenced(self.SOLUTION)}\n{fenced(future)}\n{fenced(guarded)}", pick="joined").code
        assert code is not None and code.startswith("from __future__ import annotations\n")
        assert guarded in code
        assert run(code, "") == "8\n"

    def test_joined_leaves_out_other_languages_and_outputs(self) -> None:
        reply = f"{fenced('x = int(input())')}\n{fenced('ls', 'bash')}\n{fenced('print(x)')}\n```\n5\n```"
        assert run(extract(reply, pick="joined").code, "5\n") == "5\n"

    def test_unknown_pick_is_one_clear_line(self) -> None:
        with pytest.raises(InputError, match="last, longest, joined"):
            extract(SUM, pick="first")
