"""A training step as graders see it: problems with tests of real sizes, replies that mostly fail, and their arrivals.

    step = step_of(problems=64, replies=8, seconds=60.0, seed=0)

The verdicts of the replies (`MIX`) follow "Where Do Large Language Models Fail on Competitive Programming?"
(arXiv:2606.05228, 2026: 315 Codeforces problems): 36.8 to 63.5 % accepted; wrong answers are 70 % to over 90 % of the
failures; 9 to 31 of 315 replies do not compile. We take 46 %, 80 % and 4 %. The paper does not say how a wrong answer
is spread over the tests, how many right programs are slow, or how the rest divides: those shares are our assumptions.
So are the sizes: most tests are small, one in twenty is large, up to 5 MB. Runs nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

TIME_LIMIT_S = 2.0
MEMORY_LIMIT_MB = 256
MIX = {
    "right": 0.42,
    "slow": 0.04,  # right, and needs half of its time limit on the largest test
    "wrong at first": 0.28,
    "wrong late": 0.15,
    "cut off": 0.04,
    "endless": 0.03,
    "crashing": 0.025,
    "memory": 0.005,
    "no code": 0.01,
}
VERDICTS = {
    "right": {"ACCEPTED"},
    "slow": {"ACCEPTED"},
    "wrong at first": {"WRONG_ANSWER"},
    "wrong late": {"WRONG_ANSWER"},
    "cut off": {"COMPILE_ERROR", "NO_CODE"},
    "endless": {"TIME_LIMIT"},
    "crashing": {"RUNTIME_ERROR"},
    "memory": {"MEMORY_LIMIT"},
    "no code": {"NO_CODE"},
}
"""The right verdicts on a reply, by its kind."""
FEWEST_TESTS, MOST_TESTS = 5, 60
SIZES = ((0.80, 10, 400), (0.15, 400, 50_000), (0.05, 50_000, 5_000_000))
"""Shares of tests, and between which bytes their inputs lie (evenly in the logarithm)."""
SPREAD = 0.8
"""Standard deviation of the logarithm of a reply's length: the longest of 500 is about ten times the median."""

_START = "import sys, time\n\ndef main():\n    began = time.process_time()\n"
_READ = "    values = list(map(int, sys.stdin.read().split()))\n"
_TEMPLATES = (
    "    print(sum(values) + {k})\n",
    "    best = total = 0\n    for value in values:\n        total = max(0, total + value - 50)\n"
    "        best = max(best, total)\n    print(best + {k})\n",
    "    print(*sorted(value + {k} for value in values))\n",
    "    seen = {{}}\n    for value in values:\n        seen[value] = seen.get(value, 0) + {k}\n"
    "    for value in sorted(seen):\n        print(value, seen[value])\n",
)


@dataclass(frozen=True)
class Task:
    """One problem: its tests as pairs of input and expected output."""

    id: str
    tests: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Reply:
    """One reply of a model."""

    id: str
    task: int
    text: str
    code: str
    """The program in it, for graders that take no replies."""
    kind: str
    at_s: float
    """Seconds from the start of the step to the end of the reply's sampling."""


@dataclass(frozen=True)
class Step:
    tasks: list[Task]
    replies: list[Reply]
    """In the order in which they arrive."""


def step_of(problems: int, replies: int, seconds: float, seed: int = 0) -> Step:
    """A step whose sampling takes `seconds`."""
    draw = random.Random(seed)
    tasks = [_task(number, draw) for number in range(problems)]
    kinds = _kinds(problems * replies, draw)
    lengths = [draw.lognormvariate(0.0, SPREAD) for _ in kinds]
    longest = max(lengths)
    made = []
    for number, (kind, length) in enumerate(zip(kinds, lengths, strict=True)):
        task = number // replies
        code = _program(task, kind, tasks[task], number)
        at_s = seconds * (1.0 if kind == "cut off" else length / longest)  # the length limit ends these
        made.append(Reply(f"r{number}", task, _text(kind, code), "" if kind == "no code" else code, kind, at_s))
    return Step(tasks, sorted(made, key=lambda reply: reply.at_s))


def input_bytes(step: Step) -> int:
    return sum(len(given) for task in step.tasks for given, _ in task.tests)


def _kinds(count: int, draw: random.Random) -> list[str]:
    """As many of each kind as its share says; the rest is right."""
    kinds = [kind for kind, share in MIX.items() for _ in range(round(share * count))][:count]
    kinds += ["right"] * (count - len(kinds))
    draw.shuffle(kinds)
    return kinds


def _task(number: int, draw: random.Random) -> Task:
    tests = []
    for _ in range(draw.randint(FEWEST_TESTS, MOST_TESTS)):
        _, least, most = draw.choices(SIZES, [share for share, _, _ in SIZES])[0]
        size = least * (most / least) ** draw.random()
        values = draw.choices(range(100, 1000), k=max(2, round(size / 4)))
        tests.append((" ".join(map(str, values)) + "\n", _answer(number, values)))
    return Task(f"p{number}", tuple(tests))


def _answer(number: int, values: list[int]) -> str:
    """The output of the right program, computed independently of it."""
    k, form = number + 1, number % len(_TEMPLATES)
    if form == 0:
        return f"{sum(values) + k}\n"
    if form == 1:
        best = total = 0
        for value in values:
            total = max(0, total + value - 50)
            best = max(best, total)
        return f"{best + k}\n"
    if form == 2:
        return " ".join(str(value + k) for value in sorted(values)) + "\n"
    counts = dict.fromkeys(sorted(values), 0)
    for value in values:
        counts[value] += k
    return "".join(f"{value} {count}\n" for value, count in counts.items())


def _program(task: int, kind: str, about: Task, number: int) -> str:
    """A program of its kind. The number makes it differ from the other replies of its group."""
    body = _TEMPLATES[task % len(_TEMPLATES)].format(k=task + 1)
    largest = max(len(given.split()) for given, _ in about.tests)
    if kind == "wrong at first":
        body = f'    print("no {number}")\n'
    elif kind == "wrong late":
        late = about.tests[len(about.tests) * 4 // 5][0].split()
        seen = f"len(values) == {len(late)} and values[0] == {late[0]}"
        body = f"    if {seen}:\n        print(-5)\n{body}"
    elif kind == "endless":
        loop = "number += 1" if number % 2 else "pass"  # the one that counts cannot be recognised
        body = f"    number = 0\n    while True:\n        {loop}\n"
    elif kind == "crashing":
        body += "    print(values[len(values)])\n"
    elif kind == "memory":
        body = "    held = []\n    while len(held) < 40:\n        held.append(b'x' * (16 << 20))\n    print(-1)\n"
    elif kind == "slow":
        until = f"    until = began + {TIME_LIMIT_S / 2} * len(values) / {largest}\n"
        body = f"{until}    while time.process_time() < until:\n        pass\n{body}"
    code = f"# {number}\n{_START}{_READ}{body}\n\nmain()\n"
    return code[: code.index("map(int") + 6] if kind == "cut off" else code


def _text(kind: str, code: str) -> str:
    if kind == "no code":
        return "I think that the answer follows from the first observation, so we are done."
    end = "" if kind == "cut off" else "```\n"
    return f"We read all values and go through them once.\n\n```python\n{code}{end}"
