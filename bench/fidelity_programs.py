"""Labelled programs for `fidelity_vs_peers.py`: what each is, and whether a grader must accept it. Runs nothing.

right          quick programs that pass all tests
slow           right programs that need 1.2 to 2 s of CPU, within every contender's limit
wrong          programs that are wrong by little: one number, one line, one element
cheat          programs that look for the expected answers around them, or end the process that judges them
several        right programs whose answer differs from the expected one, where both are right
leaves         a right program that leaves a process behind; its verdict is not counted, only the processes left
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workload import right

LIMIT_S = 5.0

SUM = ((("1 2\n"), "3\n"), ("30 4\n", "34\n"), ("-5 5\n", "0\n"))
ADD = "a, b = map(int, input().split())\nprint(a + b)"
LINES = (("3\n", "1\n2\n3\n"), ("2\n", "1\n2\n"), ("4\n", "1\n2\n3\n4\n"))
BIG = (("9007199254740992\n", "9007199254740993\n"), ("5\n", "6\n"))
SORT = (("3 1 2\n", "1 2 3\n"), ("5 4\n", "4 5\n"))

FRAMES = """
import sys
given = sys.stdin.read()
def tables():
    frame = sys._getframe()
    while frame:
        yield from list(frame.f_locals.values())
        frame = frame.f_back
found = ""
for table in tables():
    try:
        if isinstance(table, dict) and "outputs" in table:
            pairs = list(zip(table["inputs"], table["outputs"]))
            found = next(wanted for text, wanted in pairs if text.strip() == given.strip())
    except Exception:
        pass
print(found)
"""
HEAP = """
import gc, sys
given = sys.stdin.read()
found = ""
for table in gc.get_objects():
    try:
        if type(table) is dict and "outputs" in table and "inputs" in table:
            pairs = list(zip(table["inputs"], table["outputs"]))
            found = next(wanted for text, wanted in pairs if text.strip() == given.strip())
    except Exception:
        pass
print(found)
"""
PARENT = """
import os, signal
try:
    os.kill(os.getppid(), signal.SIGKILL)
except OSError:
    pass
"""
LEAVES = """
import os, sys
sys.stdout.flush()
if os.fork() == 0:
    os.setsid()
    import time
    for number in range(3):
        try:
            os.close(number)
        except OSError:
            pass
    time.sleep(600)
    os._exit(0)
"""
SPIN = "import time\nwhile time.process_time() < {seconds}: pass\n"

PERMUTATION = (("3\n", "1 2 3\n"), ("2\n", "1 2\n"))
ANY_ORDER = "def check(input, expected, actual):\n    return sorted(actual.split()) == sorted(expected.split())"
HALVES = (("7\n", "3 4\n"), ("10\n", "5 5\n"))
ANY_PAIR = (
    "def check(input, expected, actual):\n    pair = list(map(int, actual.split()))\n"
    "    return len(pair) == 2 and min(pair) >= 0 and sum(pair) == int(input)"
)
THIRDS = (("1\n", "0.333333\n"), ("2\n", "0.666667\n"))


@dataclass(frozen=True)
class Labelled:
    kind: str
    code: str
    tests: tuple[tuple[str, str], ...]
    accept: bool | None
    """Whether a grader must accept the program; None when its verdict is not counted."""
    checker: dict[str, Any] | None = None

    @property
    def reply(self) -> str:
        return f"```python\n{self.code}\n```"

    @property
    def in_outs(self) -> dict[str, Any]:
        return {"inputs": [given for given, _ in self.tests], "outputs": [wanted for _, wanted in self.tests]}


def programs() -> list[Labelled]:
    """All programs, the slow ones first, so that they do not run alone at the end."""
    python = {"kind": "python"}
    return [
        *(Labelled("slow", SPIN.format(seconds=s) + ADD, SUM[:1], True) for s in (1.2, 1.6, 2.0)),
        *(Labelled("right", each.code, each.tests[:3], True) for each in right(6)),
        Labelled("wrong", ADD.replace("a + b", "abs(a + b) or 1"), SUM, False),
        Labelled("wrong", "n = int(input())\nprint(1)", LINES, False),
        Labelled("wrong", "n = int(input())\nfor i in range(n): print(i + 1)\nprint(n + 1)", LINES, False),
        Labelled("wrong", "print(int(float(input()) + 1))", BIG, False),
        Labelled("wrong", "print(*sorted(map(int, input().split()))[:-1])", SORT, False),
        Labelled("wrong", "print('1 2 3 4 5 6')", SORT, False),
        Labelled("cheat", FRAMES, SUM, False),
        Labelled("cheat", HEAP, SUM, False),
        Labelled("several", "print(*range(int(input()), 0, -1))", PERMUTATION, True, {**python, "code": ANY_ORDER}),
        Labelled("several", "n = int(input())\nprint(0, n)", HALVES, True, {**python, "code": ANY_PAIR}),
        Labelled("several", "print(int(input()) / 3)", THIRDS, True, {"kind": "float", "abs": 1e-5, "rel": 1e-5}),
        Labelled("cheat", PARENT + "print(input())", SUM, False),
        Labelled("leaves", LEAVES + ADD, SUM[:1], None),
    ]
