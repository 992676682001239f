"""The programs that the grading benchmarks grade: small, all different, each with 15 small tests. Runs nothing.

right(200)     200 programs, all right
mixed(200)     of which 30 % wrong on one test, 10 % endless, 10 % crashing. Of the endless ones every second changes
               nothing, so that it is certain that it cannot end; the others count, and nobody can be certain
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

TESTS = 15
STILL, COUNTING = "while True:\n    pass\n", "n = 0\nwhile True:\n    n += 1\n"
"""How the two kinds of endless programs begin."""

# `{k}` makes every program differ from all others, so that no grader can grade two of them at once.
_TEMPLATES = (
    "a, b = map(int, input().split())\nprint(a + b + {k})",
    "n = int(input())\nvalues = list(map(int, input().split()))\nprint(*sorted(v + {k} for v in values))",
    "import math\na, b = map(int, input().split())\nprint(math.gcd(a * {k}, b * {k}))",
    "import sys\n\ndef main():\n    words = sys.stdin.read().split()\n    print(len(words) * {k})\n\nmain()",
    "from collections import Counter\nline = input().strip()\nfor letter, count in sorted(Counter(line).items()):\n"
    "    print(letter, count + {k})",
    "import heapq\nn = int(input())\nheap = list(map(int, input().split()))\nheapq.heapify(heap)\n"
    "while len(heap) > 1:\n    heapq.heappush(heap, heapq.heappop(heap) + heapq.heappop(heap) + {k})\nprint(heap[0])",
    "n = int(input())\nbest = [0] * (n + 1)\nfor i in range(1, n + 1):\n    best[i] = max(best[i - 1], i * {k} % 97)\n"
    "print(best[n])",
    "def prime(n):\n    return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))\n\n"
    "n = int(input())\nprint('YES' if prime(n + {k}) else 'NO')",
)
_TWO, _LIST, _WORDS, _LINE, _ONE = "two", "list", "words", "line", "one"
_INPUTS = (_TWO, _LIST, _TWO, _WORDS, _LINE, _LIST, _ONE, _ONE)


@dataclass(frozen=True)
class Program:
    code: str
    tests: tuple[tuple[str, str], ...]
    """Pairs of input and expected output."""
    verdict: str
    """The right verdict."""


def right(count: int, seed: int = 0) -> list[Program]:
    """Programs that pass all their tests."""
    draw = random.Random(seed)
    programs = []
    for index in range(count):
        kind = index % len(_TEMPLATES)
        code = _TEMPLATES[kind].format(k=index + 1)
        inputs = [_input(_INPUTS[kind], draw) for _ in range(TESTS)]
        programs.append(Program(code, tuple((given, _output(code, given)) for given in inputs), "ACCEPTED"))
    return programs


def mixed(count: int, seed: int = 0) -> list[Program]:
    """The same programs, of which 30 % are wrong on one test, 10 % never end and 10 % crash."""
    draw = random.Random(seed + 1)
    programs = []
    for index, program in enumerate(right(count, seed)):
        share = index % 10
        if share < 3:
            chosen = draw.randrange(TESTS)
            tests = tuple(
                (given, "another answer\n" if at == chosen else wanted)
                for at, (given, wanted) in enumerate(program.tests)
            )
            program = Program(program.code, tests, "WRONG_ANSWER")
        elif share == 3:
            loop = COUNTING if index // 10 % 2 else STILL
            program = Program(f"{loop}{program.code}", program.tests, "TIME_LIMIT")
        elif share == 4:
            program = Program(f"{program.code}\nprint([][{index}])", program.tests, "RUNTIME_ERROR")
        programs.append(program)
    draw.shuffle(programs)
    return programs


def _input(kind: str, draw: random.Random) -> str:
    if kind == _TWO:
        return f"{draw.randint(1, 1000)} {draw.randint(1, 1000)}\n"
    if kind == _ONE:
        return f"{draw.randint(1, 200)}\n"
    if kind == _LIST:
        count = draw.randint(2, 20)
        return f"{count}\n{' '.join(str(draw.randint(1, 100)) for _ in range(count))}\n"
    letters = "".join(draw.choices("abcdef", k=draw.randint(5, 30)))
    return f"{letters}\n" if kind == _LINE else f"{letters[:3]} {letters[2:]}\n{letters}\n"


def _output(code: str, given: str) -> str:
    printed = io.StringIO()
    stdin = io.StringIO(given)
    names = {"__name__": "__main__", "input": lambda: stdin.readline().rstrip("\n")}
    with contextlib.redirect_stdout(printed), _stdin(stdin):
        exec(code, names)
    return printed.getvalue()


@contextlib.contextmanager
def _stdin(stream: io.StringIO) -> Iterator[None]:
    before, sys.stdin = sys.stdin, stream
    try:
        yield
    finally:
        sys.stdin = before
