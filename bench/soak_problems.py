# ruff: noqa: E501 - programs, each on the line that names it
"""Every kind of problem and checker, and programs in every language of this machine, each right or wrong.

    for problem, submission in mixed(20_000): ...

A submission's id begins with "right" or "wrong". The n-th program differs from all others.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from microcoder_eval import Problem, Submission
from microcoder_eval.languages.toolchain import ToolchainMissing, find_toolchain

SUM = [{"input": f"{n} {n + 1}\n", "output": f"{2 * n + 1}\n"} for n in range(1, 4)]
LIMITS = {"time_limit_s": 2.0, "memory_limit_mb": 256}
ADD = "a, b = map(int, input().split())\nprint(a + b + {off})"
CHECK = "def check(input, expected, actual):\n    return actual.split() == expected.split()"
TESTLIB = "import sys\nsys.exit(0 if open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split() else 1)"
KATTIS = "import sys\nsys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)"
INTERACT = "def interact(input, read_line, write_line):\n    write_line(input)\n    return read_line() == str(sum(map(int, input.split())))"
KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "tokens": ({"tests": SUM}, ADD),
    "float": ({"tests": SUM, "checker": {"kind": "float", "abs": 1e-6, "rel": 1e-6}}, ADD),
    "checker": ({"tests": SUM, "checker": {"kind": "python", "code": CHECK}}, ADD),
    "testlib": ({"tests": SUM, "checker": {"kind": "python", "style": "testlib", "code": TESTLIB}}, ADD),
    "kattis": ({"tests": SUM, "checker": {"kind": "python", "style": "kattis", "code": KATTIS}}, ADD),
    "interactive": ({"kind": "interactive", "tests": [{"input": "1 2"}], "interactor": {"code": INTERACT}}, ADD),
    "call": ({"kind": "call", "entry_point": "f", "tests": [{"input": [1, 2], "output": 3}]}, "def f(a, b): return a + b + {off}"),
    "asserts": (
        {"kind": "asserts", "entry_point": "f", "test_code": "assert f(1, 2) == 3\nassert f(2, 2) == 4"},
        "def f(a, b): return a + b + {off}",
    ),
    "asserts-numpy": (
        {"kind": "asserts", "entry_point": "f", "test_code": "import numpy as np\nassert np.isclose(f(1, 2), 3)"},
        "import numpy as np\ndef f(a, b): return np.float64(a + b + {off})",
    ),
}  # fmt: skip
LANGUAGES = {
    "cpp": "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b + {off}; }",
    "c": '#include <stdio.h>\nint main() { int a, b; scanf("%d %d", &a, &b); printf("%d", a + b + {off}); return 0; }',
    "java": "import java.util.*;\nclass Main { public static void main(String[] x) { var s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt() + {off}); } }",
    "javascript": "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number); console.log(a + b + {off})",
    "rust": "use std::io::*; fn main() { let mut s = String::new(); stdin().read_to_string(&mut s).unwrap(); println!(\"{}\", s.split_whitespace().map(|x| x.parse::<i64>().unwrap()).sum::<i64>() + {off}); }",
    "ruby": "a, b = gets.split.map(&:to_i)\nputs a + b + {off}",
    "php": "<?php fscanf(STDIN, '%d %d', $a, $b); echo $a + $b + {off};",
}  # fmt: skip
EACH_COMPILED = 40
"""One program in so many is in another language than Python, because compilers take a second."""
COMMENTS = {"ruby": "#", "python": "#"}


def mixed(count: int) -> Iterator[tuple[Problem, Submission]]:
    """`count` problems with submissions; the kinds take turns."""
    kinds = {
        name: (Problem.from_dict({"id": name, **record, **LIMITS}), code) for name, (record, code) in KINDS.items()
    }
    languages = itertools.cycle([name for name in LANGUAGES if _is_here(name)] or ["python"])
    turns = itertools.cycle(kinds.values())
    for number in range(count):
        is_right = number % 2 == 0
        language = next(languages) if number % EACH_COMPILED == 0 else "python"
        problem, code = kinds["tokens"] if language != "python" else next(turns)
        text = (LANGUAGES[language] if language != "python" else code).replace("{off}", "0" if is_right else "1")
        mark = f"{COMMENTS.get(language, '//')} {number}"
        name = f"{'right' if is_right else 'wrong'}-{number}"
        yield problem, Submission(name, problem.id, code=f"{text}\n{mark}\n", language=language)


def _is_here(language: str) -> bool:
    try:
        find_toolchain(language)
    except ToolchainMissing:
        return False
    return True
