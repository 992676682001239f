"""Do programs get the same verdict when their tests share a process as with a process for every test?

    python bench/shared_process.py [--programs 10000] [--seed 0] [--workers N] [--json FILE]

Each program is a mutant of one of the programs below, which are of usual forms; some keep something between tests on
purpose. A mutant differs in one to three places: a constant, an operator, a comparison, a statement left out or
repeated. Each is graded under isolation `process` and under `test`. Compared are the verdict, the first test that
failed, and which tests ran. A program that differs is graded four times more, twice under each, and counts as
different only if the two isolations never agree (a program at a limit may fall on either side by chance).

The exit status is 1 if any program is different. The table also gives how many of the accepted programs shared a
process, and the CPU time of the accepted ones under both.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from measure import machine
from service_process import cpu_s, tree

from microcoder_eval import Grade, Grader, Problem, Submission

TESTS = 12
BASES = {
    "sum": "print(sum(map(int, input().split())))",
    "fast input": (
        "import sys\ninput = sys.stdin.readline\nn, *rest = map(int, input().split())\nbest = n\nfor x in rest:\n"
        "    best = max(best, x)\nsys.stdout.write(str(best) + '\\n')"
    ),
    "class": (
        "class Tree:\n    def __init__(self, n):\n        self.size = n\n        self.kept = [0] * (n + 1)\n"
        "    def add(self, i, x):\n        while i <= self.size:\n            self.kept[i] += x\n"
        "            i += i & -i\n"
        "    def upto(self, i):\n        total = 0\n        while i > 0:\n            total += self.kept[i]\n"
        "            i -= i & -i\n        return total\nt = Tree(50)\nfor x in map(int, input().split()):\n"
        "    t.add(x % 50 + 1, x)\nprint(t.upto(20), t.upto(50))"
    ),
    "cache": (
        "from functools import lru_cache\nimport sys\nsys.setrecursionlimit(4000)\n@lru_cache(maxsize=None)\n"
        "def ways(n):\n    if n < 2:\n        return 1\n    return (ways(n - 1) + ways(n - 2)) % 1000007\n"
        "print(ways(max(map(int, input().split()))))"
    ),
    "heap": (
        "import heapq\nfrom collections import defaultdict\nnumbers = list(map(int, input().split()))\nq = []\n"
        "seen = defaultdict(int)\nfor x in numbers:\n    heapq.heappush(q, (x % 7, x))\n    seen[x] += 1\nout = []\n"
        "while q:\n    _, x = heapq.heappop(q)\n    out.append(x * seen[x])\nprint(*out)"
    ),
    "default argument": (
        "def f(x, kept=[]):\n    kept.append(x)\n    return len(kept)\nn = 0\nfor x in input().split():\n"
        "    n = f(x)\nprint(n)"
    ),
    "attributes": (
        "from collections import Counter\nclass Kept:\n    seen = {}\nfor x in input().split():\n"
        "    Kept.seen[x] = Kept.seen.get(x, 0) + 1\n"
        "print(len(Kept.seen), Counter(Kept.seen.values()).most_common(1)[0][1])"
    ),
    "generator": (
        "def digits(n):\n    while n:\n        yield n % 10\n        n //= 10\n"
        "print([sum(digits(x)) for x in map(int, input().split())])"
    ),
    "search": (
        "numbers = sorted(map(int, input().split()))\ndef first(x):\n    low, high = 0, len(numbers)\n"
        "    while low < high:\n"
        "        middle = (low + high) // 2\n        if numbers[middle] < x:\n            low = middle + 1\n"
        "        else:\n"
        "            high = middle\n    return low\nprint(*[first(x * 3) for x in numbers])"
    ),
    "try": (
        "total = 0\nwhile True:\n    try:\n        line = input()\n    except EOFError:\n        break\n"
        "    for word in line.split():\n        total += int(word) * 2\nprint(total)"
    ),
    "kept in builtins": (
        "import builtins\nkept = getattr(builtins, 'kept', [])\nbuiltins.kept = kept\nkept.append(input())\n"
        "print(len(kept), sum(map(int, kept[0].split())))"
    ),
    "kept in a module": (
        "import math\nmath.calls = getattr(math, 'calls', 0) + 1\nprint(sum(map(int, input().split())) * math.calls)"
    ),
    "kept in a class of the library": (
        "from collections import Counter\nCounter.calls = getattr(Counter, 'calls', 0) + 1\n"
        "print(sum(Counter(input().split()).values()) + Counter.calls)"
    ),
    "prints when freed": (
        "class A:\n    def __del__(self):\n        print(9)\nkept = A()\nprint(sum(map(int, input().split())))"
    ),
}


class Mutation(ast.NodeTransformer):
    """Changes the node of a number, counted in the order of the walk."""

    CHANGED = (ast.Constant, ast.BinOp, ast.AugAssign, ast.Compare, ast.Expr, ast.Assign)
    OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Mod, ast.FloorDiv)
    COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)

    def __init__(self, draw: random.Random, at: int) -> None:
        self._draw, self._left = draw, at

    def visit(self, node: ast.AST) -> Any:
        self._left -= isinstance(node, self.CHANGED)
        if self._left == 0:
            self._left = -1
            return self._changed(node)
        return self.generic_visit(node)

    def _changed(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return ast.copy_location(ast.Constant(node.value + self._draw.choice((-1, 1, 10))), node)
        if isinstance(node, (ast.BinOp, ast.AugAssign)):
            node.op = self._draw.choice(self.OPERATORS)()
        elif isinstance(node, ast.Compare):
            node.ops = [self._draw.choice(self.COMPARISONS)(), *node.ops[1:]]
        elif isinstance(node, (ast.Expr, ast.Assign)):
            return self._draw.choice([ast.Pass(), [node, copy.deepcopy(node)]])
        return node


def mutants(count: int, seed: int) -> list[tuple[str, str]]:
    """Names of bases, and programs that all differ: the bases first."""
    draw = random.Random(seed)
    found: dict[str, str] = {code: name for name, code in BASES.items()}
    while len(found) < count:
        name, code = draw.choice([*BASES.items()])
        parsed = ast.parse(code)
        for _ in range(draw.randint(1, 3)):
            places = sum(isinstance(node, Mutation.CHANGED) for node in ast.walk(parsed))
            parsed = Mutation(draw, draw.randint(1, places or 1)).visit(parsed)
        text = ast.unparse(ast.fix_missing_locations(parsed))
        found.setdefault(f"{text}\n# {len(found)}" if text in found else text, name)
    return [(name, code) for code, name in found.items()]


def problems(workers: int, seed: int) -> dict[str, Problem]:
    """A problem for each base, whose answers it gives when every test has a process of its own."""
    draw = random.Random(seed)
    made = {}
    with Grader(workers, isolation="process") as grader:
        for name, code in BASES.items():
            inputs = [" ".join(str(draw.randint(0, 99)) for _ in range(draw.randint(2, 9))) for _ in range(TESTS)]
            limits = {"id": name, "time_limit_s": 0.2, "memory_limit_mb": 256}
            empty = Problem.from_dict({**limits, "tests": [{"input": text, "output": ""} for text in inputs]})
            answers = grader.outputs(empty, Submission("", name, code=code)).result()
            tests = [{"input": text, "output": answer.value} for text, answer in zip(inputs, answers, strict=True)]
            made[name] = Problem.from_dict({**limits, "tests": tests})
    return made


def seen(grade: Grade) -> tuple[Any, ...]:
    """What must be the same."""
    failed = next((test.index for test in grade.tests if test.verdict != "ACCEPTED"), None)
    return str(grade.verdict), failed, tuple(test.index for test in grade.tests)


def graded(isolation: str, workers: int, work: list[tuple[Problem, Submission]]) -> tuple[dict[str, Grade], float]:
    """The grades by submission, and the CPU time of all processes."""
    with Grader(workers, isolation=isolation, tests_order="given") as grader:
        grader.grade(*work[0])
        before = cpu_s(tree(os.getpid()))
        grades = {grade.submission_id: grade for grade in grader.grade_many(work)}
        return grades, cpu_s(tree(os.getpid())) - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    known = problems(options.workers, options.seed)
    codes = mutants(options.programs, options.seed)
    work = [(known[name], Submission(str(n), name, code=code)) for n, (name, code) in enumerate(codes)]
    apart, _ = graded("process", options.workers, work)
    shared, _ = graded("test", options.workers, work)
    differ = []
    for problem, submission in work:
        if seen(apart[submission.id]) != seen(shared[submission.id]):
            again = {
                isolation: {seen(graded(isolation, 1, [(problem, submission)])[0][submission.id]) for _ in range(2)}
                for isolation in ("process", "test")
            }
            if not again["process"] & again["test"]:
                differ.append(submission.id)
    accepted = [pair for pair in work if apart[pair[1].id].accepted]
    # tests that share a process have its peak of memory in common
    in_one = sum(len({test.memory_kb for test in shared[s.id].tests[1:]}) == 1 for _, s in accepted)
    verdicts = Counter(str(grade.verdict) for grade in apart.values())
    (_, apart_s), (_, shared_s) = (graded(isolation, options.workers, accepted) for isolation in ("process", "test"))
    print(f"{len(work)} programs x {TESTS} tests: {dict(verdicts)}")
    print(f"different: {len(differ)}; {in_one} of {len(accepted)} accepted programs shared a process")
    per = 1000 / len(accepted)
    print(f"CPU ms an accepted program: process {apart_s * per:.1f}, test {shared_s * per:.1f}")
    print(json.dumps(machine()))
    for name in differ:
        print(f"--- {seen(apart[name])} {seen(shared[name])}\n{codes[int(name)][1]}")
    if options.json:
        found = {"verdicts": verdicts, "different": len(differ), "accepted": len(accepted), "in_one_process": in_one}
        figures = {"machine": machine(), "tests": TESTS, **found, "process_cpu_s": apart_s, "test_cpu_s": shared_s}
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
