"""Which lines the tests execute is found by running the program under a tracer, in the sandbox."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_data.verify.program_runner import ProgramRunner
from microcoder_data.verify.reached_lines import reached_lines
from microcoder_eval import Grader, Problem

PROGRAM = "import sys\nn = int(input())\nif n > 3:\n    print(1)\nelse:\n    print(2)\nsys.exit()"
FUNCTION = (
    "class Other:\n    def __init__(self, a=0):\n        self.a = a\n\nclass Solution:\n\n"
    "    def f(self, head: Optional[ListNode], k: int=3) -> int:\n\n        def go(h):\n"
    "            return 0 if h is None else 1 + go(h.next)\n"
    "        if k > 5:\n            return 7\n        return go(head)"
)


@pytest.mark.parametrize(
    ("record", "code", "lines"),
    [
        ({"kind": "stdin", "tests": [{"input": "1", "output": "2"}]}, PROGRAM, {1, 2, 3, 6, 7}),
        (
            {"kind": "stdin", "tests": [{"input": "1", "output": "2"}, {"input": "9", "output": "1"}]},
            PROGRAM,
            {1, 2, 3, 4, 6, 7},
        ),
        (
            {"kind": "call", "entry_point": "Solution.f", "tests": [{"input": "[1, 2]\n4", "output": "2"}]},
            FUNCTION,
            {9, 10, 11, 13},
        ),
        (
            {"kind": "stdin", "tests": [{"input": "1", "output": "2"}]},
            "n = '\\n é漢🙂 \"'  # 𝔘\n\nif n == '':\n\tprint(n)\nprint(2)\n",
            {1, 3, 5},
        ),
    ],
)
def test_only_what_runs_is_reached(record: dict[str, Any], code: str, lines: set[int]) -> None:
    with Grader(workers=1) as grader:
        problem = Problem.from_dict({"id": "a", **record})
        assert reached_lines(ProgramRunner(grader, problem, 60.0), code, 5.0) == lines
        asserts = Problem.from_dict({"id": "a", "kind": "asserts", "test_code": "assert True"})
        assert reached_lines(ProgramRunner(grader, asserts, 60.0), code, 5.0) is None, "not known"
