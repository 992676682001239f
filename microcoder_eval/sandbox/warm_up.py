"""Runs a typical program before the first fork, so that the interpreter's caches are filled once and not in each child.

Method look-ups, interned names and argument parsers are cached on their first use. In a child that write to memory
copies a page.
"""

from __future__ import annotations

import os

from microcoder_eval.sandbox import harness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

ROUNDS = 3
INPUT = b"3 2\n1 2 3\nx y\n1.5\n"
TYPICAL = """
import sys

def area(width, height=2):
    return width * height

class Node:
    def __init__(self, value):
        self.value = value

n, m = map(int, input().split())
numbers = list(map(int, input().split()))
words = sys.stdin.readline().strip().split()
rest = sys.stdin.read()
counts, seen, table = {}, set(), [[0] * m for _ in range(n)]
for index, number in enumerate(numbers):
    counts[number] = counts.get(number, 0) + 1
    seen.add(number)
    table[index][0] = area(number)
for key, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
    numbers.append(key)
numbers.sort(reverse=True)
numbers.pop()
try:
    int("x")
except ValueError:
    nodes = [Node(value) for value in numbers if value % 2 == 0]
total, most, least = sum(numbers), max(numbers), min(numbers)
while total > most:
    total -= 1
print(total, abs(least), len(words))
print(*numbers, sep=" ", end="\\n")
print(" ".join(str(number) for number in numbers), "YES" if 1 in seen else "NO", f"{total / 3:.6f}")
print("\\n".join(map(str, zip(numbers, words))), any(numbers), all(words), round(2.5), divmod(7, 2), pow(2, 10, 7))
sys.stdout.write(str(numbers[::-1]) + "abc".upper().replace("A", "b"))
"""


SMALL = "a, b = map(int, input().split())\nprint(a + b)"
_programs = [compile(program, harness.SCRIPT, "exec", dont_inherit=True) for program in (TYPICAL, SMALL)]


def warm_up() -> None:
    """Run the typical program and a small one a few times. The interpreter does not end: its threads are not joined."""
    for code in _programs * ROUNDS:
        with_files(lambda code=code: harness.flush_streams(harness.run_script(code, harness.fresh_main())))  # type: ignore[misc]


def with_files(work: Callable[[], T]) -> T:
    """Call `work` with memory files in place of stdin and stdout; returns its result."""
    saved = [os.dup(harness.STDIN), os.dup(harness.STDOUT)]
    for place in (harness.STDIN, harness.STDOUT):
        file = os.memfd_create("warm-up")
        os.dup2(file, place)
        os.close(file)
    os.pwrite(harness.STDIN, INPUT, 0)
    harness.open_streams()
    result = work()
    for place, descriptor in enumerate(saved):
        os.dup2(descriptor, place)
        os.close(descriptor)
    return result
