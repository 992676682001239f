"""Bad answers of a language model on every embedded `stdin` problem: is each bad program refused?

    python bench/hostile_answers.py [--only SLUG ...] [--lines FILE] [--json FILE]

The problems' tests, generators and checkers are hidden, as in `test_making.py`. The bad programs are the same for every
problem: wrong (accept everything), sloppy (look at half of it) and hostile (loop, fork, read files, ask the network).
Each is proven as `verify.make_tests` proves what a model wrote, and has to be refused. Generators are judged where the
grammar of the input can be inferred. `--lines` writes one line for each problem; a second run resumes after the last.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from measure import machine
from test_making import SETTINGS, hidden_row

from microcoder_data.make_tests.checkers import prove_checker, written
from microcoder_data.make_tests.generators import run_generator
from microcoder_data.make_tests.grammar import Unclear, infer
from microcoder_data.make_tests.proof import Oracle
from microcoder_data.make_tests.questions import Written
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.make_tests.validators import judge
from microcoder_data.problem_set.reader import find_problems, problem_folders, read_entry
from microcoder_data.schema import to_problem
from microcoder_data.verify.program_runner import ProgramRunner, programs
from microcoder_eval import Grader

VALIDATORS = {
    "takes everything": "print('VALID')",
    "takes what is not empty": "import sys\nprint('VALID' if sys.stdin.read().strip() else 'INVALID: empty')",
    "takes any numbers": (
        "import sys\ntry:\n    [float(word) for word in sys.stdin.read().split()]\n    print('VALID')\n"
        "except ValueError:\n    print('INVALID: no number')"
    ),
    "refuses everything": "print('INVALID: no')",
    "says both": "print('VALID')\nprint('INVALID: x')",
    "says nothing": "pass",
    "raises": "raise SystemExit(3)",
    "never ends": "while True: pass",
    "prints without end": "while True: print('VALID' * 1000)",
    "forks": "import os\nwhile True: os.fork()",
    "asks the network": "import socket\nsocket.create_connection(('10.0.0.1', 80), 1)\nprint('VALID')",
}
GENERATORS = {
    "by the clock": "import time\nprint(time.time_ns())",
    "without a seed": "import random\nprint(random.random())",
    "one word": "print('x')",
    "a huge number": "print(10 ** 40)",
    "never ends": "while True: pass",
    "prints without end": "while True: print('1 ' * 10000)",
    "crashes": "raise ValueError",
    "prints nothing": "pass",
    "reads files": "print(open('/etc/passwd').read())",
    "eats memory": "x = 'a' * (1 << 33)\nprint(x)",
}
CHECKERS = {
    "accepts everything": "def check(input, expected, actual):\n    return True",
    "accepts what is not empty": "def check(input, expected, actual):\n    return bool(actual.strip())",
    "accepts the same number of words": (
        "def check(input, expected, actual):\n    return len(expected.split()) == len(actual.split())"
    ),
    "looks at the first word": (
        "def check(input, expected, actual):\n    return expected.split()[:1] == actual.split()[:1] != []"
    ),
    "refuses everything": "def check(input, expected, actual):\n    return False",
    "never ends": "def check(input, expected, actual):\n    while True: pass",
    "kills its parent": "import os\ndef check(input, expected, actual):\n    os.kill(os.getppid(), 9)\n    return True",
    "no function": "x = 1",
    "not Python": "def check(",
}
LIMITS = MakeTests(generator_seconds=1.0, max_bytes=1 << 16)


def examined(folder: Path, grader: Grader) -> dict[str, Any]:
    """For each kind of program, those that were not refused, and how many were tried."""
    entry = read_entry(folder)
    row = hidden_row(entry)
    problem = to_problem(row)
    known = [test["input"] for test in row["tests"]]
    accepted: dict[str, list[str]] = {"validators": [], "generators": [], "checkers": []}
    for name, code in VALIDATORS.items():
        if not judge(Written(name, code), known, grader).fault:
            accepted["validators"].append(name)
    generators = GENERATORS
    try:
        grammar = infer(row)
    except Unclear:
        generators = {}
    for name, code in generators.items():
        if not run_generator(Written(name, code), 3, grader, LIMITS, grammar.fault).fault:
            accepted["generators"].append(name)
    rights, _ = programs(row, problem, correct=True, most=SETTINGS.solutions)
    oracle = Oracle(row, ProgramRunner(grader, problem, SETTINGS.row_seconds), rights)
    for name, code in CHECKERS.items():
        candidates = written([Written(name, code)])
        if any(not prove_checker(*candidate, oracle, list(problem.tests), []).fault for candidate in candidates):
            accepted["checkers"].append(name)
    tried = {"validators": len(VALIDATORS), "generators": len(generators), "checkers": len(CHECKERS)}
    return {"problem": entry.slug, "tried": tried, "taken": accepted}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="*", help="slugs of problems")
    parser.add_argument("--lines", type=Path, help="a line for each problem; a second run resumes after the last")
    parser.add_argument("--json", type=Path, help="write the result here")
    options = parser.parse_args()
    done = [json.loads(line) for line in options.lines.read_text().splitlines()] if _is_file(options.lines) else []
    names = {line["problem"] for line in done}
    began = time.process_time()
    with Grader(workers=1) as grader:
        for folder in problem_folders(find_problems()):
            entry = read_entry(folder)
            if entry.kind != "stdin" or entry.slug in names or (options.only and entry.slug not in options.only):
                continue
            done.append(examined(folder, grader))
            print(json.dumps(done[-1]), flush=True)
            if options.lines:
                with options.lines.open("a") as file:
                    file.write(json.dumps(done[-1]) + "\n")
    tried: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for line in done:
        tried.update(line["tried"])
        taken.update(f"{kind}: {name}" for kind, names in line["taken"].items() for name in names)
    result = {"problems": len(done), "tried": dict(tried), "not refused": dict(taken.most_common())}
    print(json.dumps({**result, "cpu_s": round(time.process_time() - began, 1)}, indent=1))
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), **result, "lines": done}, indent=1) + "\n")


def _is_file(path: Path | None) -> bool:
    return path is not None and path.is_file()


if __name__ == "__main__":
    main()
