"""Our policy `strict` compared with LiveCodeBench's own evaluator: the verdict of every program, and the scores.

    python bench/livecodebench_agreement.py --lcb CHECKOUT --data test.jsonl --peers-python VENV/bin/python

For every question, programs are made from its own tests: right, wrong, crashing, endless, and exiting early; programs
that read and print in unusual ways; outputs or values that are nearly right. The idioms of the test suite
(tests/eval/cases/idioms.jsonl) are added as questions of their own. Both evaluators run all of them; every
difference is printed. LiveCodeBench runs in the interpreter of its own environment (numpy and tqdm are enough).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import machine

IDIOMS = Path(__file__).parent.parent / "tests" / "eval" / "cases" / "idioms.jsonl"

# `TABLE` holds the expected output by input; `wanted` is the one of this test.
READ = {
    "input()": "lines = []\ntry:\n    while True: lines.append(input())\nexcept: pass\ngiven = chr(10).join(lines)",
    "sys.stdin.read()": "import sys\ngiven = sys.stdin.read()",
    "import inside": "def get():\n    import sys\n    return sys.stdin.read()\ngiven = get()",
    "from sys import stdin": "from sys import stdin\ngiven = stdin.read()",
    "sys.stdin.buffer": "import sys\ngiven = sys.stdin.buffer.read().decode()",
    "for line": "import sys\ngiven = ''.join(line for line in sys.stdin)",
    "iter": "import sys\ngiven = chr(10).join(iter(sys.stdin.readline, ''))",
    "readlines": "import sys\ngiven = chr(10).join(sys.stdin.readlines())",
    "open(0)": "given = open(0).read()",
    "os.read": "import os\ngiven = os.read(0, 1 << 20).decode()",
    "read twice": "import sys\nsys.stdin.read()\ngiven = sys.stdin.read()",
    "fileinput": "import fileinput\ngiven = chr(10).join(fileinput.input())",
    "getattr": "given = getattr(sys, 'stdin').read()",
}
PRINT = {
    "print": "print(wanted)",
    "write": "import sys\nsys.stdout.write(wanted)",
    "no names imported": "print(reduce(lambda a, b: a + b, list(wanted), ''))",
    "buffer.write": "import sys\nsys.stdout.buffer.write(wanted.encode())",
    "os.write": "import os\nos.write(1, wanted.encode())",
    "stdout imported": "from sys import stdout\nstdout.write(wanted)",
    "main guard": "def main():\n    print(wanted)\nif __name__ == '__main__':\n    main()",
    "main guard not last": "def main():\n    print(wanted)\nif __name__ == '__main__':\n    main()\nlast = 1",
    "main guard in quotes": 'def main(): print(wanted)\nif __name__ == "__main__":\n    main()\nelse:\n    print(1)',
    "main guard turned": "def main():\n    print(wanted)\nif '__main__' == __name__:\n    main()",
    "then leaves": "print(wanted)\nexit()",
    "then leaves with 1": "import sys\nprint(wanted)\nsys.exit(1)",
    "then quits": "print(wanted)\nquit()",
    "then raises": "print(wanted)\nraise ValueError('late')",
    "then interrupts": "print(wanted)\nraise KeyboardInterrupt",
    "then os._exit": "import os\nprint(wanted)\nos._exit(0)",
    "then asserts": "print(wanted)\nassert False",
    "global": "count = 0\ndef show():\n    global count\n    count += 1\n    print(wanted)\nshow()",
    "global defined there": "def show():\n    global seen\n    seen = wanted\n    print(seen)\nshow()",
    "nonlocal": "count = 0\ndef show():\n    nonlocal count\n    count += 1\n    print(wanted)\nshow()",
    "class": "class A:\n    text = wanted\n    def show(self): print(self.text)\nA().show()",
    "exec": "exec('print(wanted)')",
    "exec with names": "exec('print(wanted)', {'wanted': wanted})",
    "thread": "import threading\nt = threading.Thread(target=print, args=(wanted,))\nt.start()\nt.join()",
    "atexit": "import atexit\natexit.register(print, wanted)",
    "numpy": "import numpy as np\nprint(str(np.array([wanted])[0]))",
    "resource": "import resource\nprint(wanted)",
    "getcwd": "import os\nos.getcwd()\nprint(wanted)",
    "recursion": "def down(n): return n and down(n - 1)\ndown(20000)\nprint(wanted)",
    "del": "x = 1\ndel x\nprint(wanted)",
    "shadowed": "print(str(wanted)) if pow(2, 5) == 32 and sum([1]) == 1 else print('no')",
    "from the future": "from __future__ import annotations\nprint(wanted)",
    "star import": "from math import *\nfrom os import *\nprint(wanted)",
    "dataclass": "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: int\nprint(wanted if A(1).a else '')",
    "return": "print(wanted)\nreturn",
    "async": "import asyncio\nasync def main(): print(wanted)\nasyncio.run(main())",
    "redirected": "import io, sys\nkept = sys.stdout\nsys.stdout = io.StringIO()\nprint(wanted)\n"
    "kept.write(sys.stdout.getvalue())",
    "docstring": '"""What it does"""\nprint(wanted)',
    "prompt": "input(wanted)",
}
OUTPUT = {
    "nothing": "''",
    "one more line": "wanted.rstrip() + '\\n0'",
    "one line less": "'\\n'.join(wanted.rstrip().split('\\n')[:-1])",
    "blank lines around": "'\\n\\n' + wanted + '\\n\\n'",
    "blank lines between": "wanted.strip().replace('\\n', '\\n\\n')",
    "spaces at ends": "'\\n'.join('  ' + line + ' \\t' for line in wanted.split('\\n'))",
    "two spaces": "wanted.replace(' ', '  ')",
    "carriage returns": "wanted.replace('\\n', '\\r\\n')",
    "decimals": "' '.join(word + '.0' if word.isdigit() else word for word in wanted.split(' '))",
    "floats": "'\\n'.join(str(float(l)) if l.strip().isdigit() else l for l in wanted.split('\\n'))",
    "rounded": "'\\n'.join('%.6f' % float(l) if '.' in l else l for l in wanted.strip().split('\\n'))",
    "leading zeros": "' '.join('0' + word if word.isdigit() else word for word in wanted.split(' '))",
    "plus signs": "' '.join('+' + word if word.isdigit() else word for word in wanted.split(' '))",
    "underscores": "' '.join(word[0] + '_' + word[1:] if len(word) > 1 else word for word in wanted.split(' '))",
    "other case": "wanted.swapcase()",
    "one line": "' '.join(wanted.split())",
    "a line a word": "'\\n'.join(wanted.split())",
    "full width": "''.join(chr(ord(c) + 65248) if c.isdigit() else c for c in wanted)",
    "nbsp": "wanted.rstrip() + '\\xa0'",
    "form feed": "'\\x0c' + wanted",
    "last word": "wanted.split()[-1]",
    "nan": "'nan'",
}
ENDS = {
    "empty": "",
    "no python": "this is no program",
    "only a comment": "# nothing",
    "only imports": "import sys",
    "null byte": "print(1)\0",
    "endless": "while True: pass",
    "endless, hidden": "try:\n    while True: pass\nexcept ValueError: pass",
    "sleeping": "import time\ntime.sleep(1000)",
    "divides": "1 / 0",
    "deep": "def f(): return f()\nf()",
    "much memory": "x = [0] * (1 << 40)",
    "leaves": "exit()",
    "fence": "```python\nprint(1)\n```",
}

# `wanted` is the value expected for these arguments.
RETURN = {
    "right": "return wanted",
    "tuple": "return tuple(wanted) if isinstance(wanted, list) else wanted",
    "inner tuples": "of = lambda x: tuple(x) if isinstance(x, list) else x\n"
    "        return list(map(of, wanted)) if isinstance(wanted, list) else wanted",
    "float": "return float(wanted) if isinstance(wanted, int) else wanted",
    "bool": "return bool(wanted) if wanted in (0, 1) else wanted",
    "text": "return str(wanted)",
    "nothing": "return None",
    "in place": "given[0][:] = wanted if isinstance(wanted, list) else given[0]",
    "generator": "return (x for x in wanted) if isinstance(wanted, list) else wanted",
    "set": "return set(wanted) if isinstance(wanted, list) else {wanted}",
    "range": "return range(3)",
    "one off": "return wanted + type(wanted)([1] if isinstance(wanted, list) else 1)",
    "deque": "return collections.deque(wanted) if isinstance(wanted, list) else wanted",
    "subclass": "class L(list): pass\n        return L(wanted) if isinstance(wanted, list) else wanted",
    "numpy number": "import numpy\n        return numpy.int64(wanted) if type(wanted) is int else wanted",
    "fraction": "from fractions import Fraction\n        return Fraction(wanted) if type(wanted) is int else wanted",
    "decimal": "from decimal import Decimal\n        return Decimal(wanted) if type(wanted) is int else wanted",
    "names given": "return [w for w in deepcopy([wanted])][0] if inf > 1 and List else None",
    "prints, too": "print('x' * 100)\n        return wanted",
    "raises": "raise ValueError(1)",
    "exits": "exit()",
    "endless": "while True: pass",
    "asserts": "assert False",
    "near": "return wanted + 1e-9 if isinstance(wanted, float) else wanted",
    "nan": "return float('nan')",
    "mutates": "given[0] = None\n        return wanted",
}
METHOD = "    def {name}(self, *given): return find(given)"
SHAPES = {
    "a bare function": "def {name}(*given):\n    return find(given)",
    "a static method": "class Solution:\n    @staticmethod\n    def {name}(*given):\n        return find(given)",
    "no such method": "class Solution:\n    def other(self, *given):\n        return find(given)",
    "another class": "class Answer:\n    def {name}(self, *given):\n        return find(given)",
    "class in a comment": "# class Solution\ndef {name}(*given):\n    return find(given)",
    "needs an argument": "class Solution:\n    def __init__(self, n): self.n = n\n" + METHOD,
    "with attributes": "class Solution:\n    def __init__(self): self.n = 1\n" + METHOD,
    "main guard": "class Solution:\n" + METHOD + "\nif __name__ == '__main__':\n    1 / 0",
    "example run": "class Solution:\n" + METHOD + "\nprint(Solution().{name}(0))",
    "only once": "class Solution:\n    done = []\n    def {name}(self, *given):\n        self.done.append(1)\n"
    "        return find(given) if len(self.done) == 1 else None",
    "counts calls": "calls = 0\ndef {name}(*given):\n    global calls\n    calls += 1\n"
    "    return find(given) if calls < 2 else 0",
    "cached with its state": "class Solution:\n    def {name}(self, *given):\n        self.given = given\n"
    "        return self.find()\n    @lru_cache(None)\n    def find(self): return find(self.given)",
    "spoils a default": "class Solution:\n    def {name}(self, *given, seen=[]):\n        seen.append(find(given))\n"
    "        return seen[0]",
    "empty": "",
    "no python": "class Solution: def",
}

LIVECODEBENCH = """
import json, sys
checkout, timeout, samples, programs = json.load(open("asked.json"))  # arguments would be files to `fileinput`
sys.path.insert(0, checkout)
from lcb_runner.evaluation.compute_code_generation_metrics import codegen_metrics
from lcb_runner.evaluation.pass_k_utils import compute_metrics_from_results, extract_instance_results
if __name__ == "__main__":
    # it needs the same number of programs for every question: each program becomes a question, regrouped for the scores
    each = [(index, program) for index, listed in enumerate(programs) for program in listed]
    alone = codegen_metrics([samples[i] for i, _ in each], [[program] for _, program in each],
                            num_process_evaluate=2, timeout=timeout)[1]
    results = {}
    for number, (index, _) in enumerate(each):
        results.setdefault(index, []).append(alone[number][0])
    scores = compute_metrics_from_results(results, k_list=[1, 5, 10])
    graded = [[bool(good) for good in listed] for listed in extract_instance_results(results)]
    scores = {name: float(value) for name, value in scores.items() if name != "detail"}
    json.dump({"graded": graded, "scores": scores}, open("livecodebench.json", "w"))
"""


def stdin_programs(tests: list[dict[str, str]]) -> dict[str, str]:
    table = {test["input"].strip(): test["output"] for test in tests}
    find = f"TABLE = {table!r}\nwanted = TABLE[given.strip()]"
    usual = READ["sys.stdin.read()"]
    made = {f"read by {name}": f"{read}\n{find}\nprint(wanted)" for name, read in READ.items()}
    made |= {f"print: {name}": f"{usual}\n{find}\n{text}" for name, text in PRINT.items()}
    made |= {f"output: {name}": f"{usual}\n{find}\nprint({text})" for name, text in OUTPUT.items()}
    return made | {f"end: {name}": text for name, text in ENDS.items()}


def call_programs(tests: list[dict[str, str]], name: str) -> dict[str, str]:
    table = [[[json.loads(line) for line in test["input"].split("\n")], json.loads(test["output"])] for test in tests]
    find = f"TABLE = {table!r}\n\ndef find(given):\n    return next(w for g, w in TABLE if g == list(given))\n\n"
    head = f"class Solution:\n    def {name}(self, *given):\n        given = list(given)\n"
    head += "        wanted = find(given)\n        "
    made = {f"return: {case}": find + head + text for case, text in RETURN.items()}
    return made | {f"shape: {case}": find + text.replace("{name}", name) for case, text in SHAPES.items()}


def questions_with_programs(data: Path, most: int | None) -> list[tuple[dict[str, Any], dict[str, str]]]:
    found = []
    for line in data.read_text(encoding="utf-8").splitlines()[:most]:
        record = json.loads(line)
        tests = json.loads(record["public_test_cases"])
        name = json.loads(record.get("metadata") or "{}").get("func_name")
        found.append((record, call_programs(tests, name) if name else stdin_programs(tests)))
    for number, line in enumerate(IDIOMS.read_text(encoding="utf-8").splitlines()):
        idiom = json.loads(line)
        tests = [{"input": given, "output": wanted, "testtype": "stdin"} for given, wanted in idiom["tests"]]
        record = {"question_id": f"idiom_{number:03}", "contest_date": "2024-01-01T00:00:00", "platform": "atcoder"}
        record |= {"difficulty": "easy", "public_test_cases": json.dumps(tests), "metadata": "{}"}
        found.append((record, {idiom["name"]: idiom["code"]}))
    return sorted(found, key=lambda asked: str(asked[0]["question_id"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lcb", required=True, help="a checkout of LiveCodeBench")
    parser.add_argument("--data", required=True, type=Path, help="a file of code_generation_lite")
    parser.add_argument("--peers-python", default=sys.executable)
    parser.add_argument("--timeout", type=int, default=2)
    parser.add_argument("--questions", type=int, help="only the first so many")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    asked = questions_with_programs(arguments.data, arguments.questions)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        theirs, their_s = livecodebench(arguments, asked, work)
        ours, our_s, scores = microcoder(arguments, asked, work)
    differing = [
        {
            "question": record["question_id"],
            "program": name,
            "livecodebench": theirs["graded"][i][j],
            "ours": ours[str(record["question_id"]), str(j)],
        }
        for i, (record, programs) in enumerate(asked)
        for j, name in enumerate(programs)
        if (ours[str(record["question_id"]), str(j)] == "ACCEPTED") != theirs["graded"][i][j]
    ]
    count = sum(len(programs) for _, programs in asked)
    for case in differing:
        print(case)
    accepted = sum(map(sum, theirs["graded"]))
    print(f"{count} programs, {accepted} accepted by LiveCodeBench; {len(differing)} verdicts differ")
    print(f"pass@1: LiveCodeBench {theirs['scores']['pass@1']!r}, ours {scores['all']['pass@1']!r}")
    print(f"seconds, 2 processes each: LiveCodeBench {their_s:.0f}, ours {our_s:.0f}")
    if arguments.json:
        result = {
            "machine": machine(),
            "programs": count,
            "differing": differing,
            "their_scores": theirs["scores"],
            "our_scores": scores["all"],
        }
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


def livecodebench(arguments: Any, asked: list[Any], work: Path) -> tuple[dict[str, Any], float]:
    samples, programs = [], []
    for record, made in asked:
        tests = json.loads(record["public_test_cases"])
        io = {"inputs": [test["input"] for test in tests], "outputs": [test["output"] for test in tests]}
        io["fn_name"] = json.loads(record.get("metadata") or "{}").get("func_name")
        samples.append({"input_output": json.dumps(io)})
        programs.append(list(made.values()))
    asked_there = [str(Path(arguments.lcb).resolve()), arguments.timeout, samples, programs]
    (work / "asked.json").write_text(json.dumps(asked_there))
    (work / "run_there.py").write_text(LIVECODEBENCH)
    started = time.monotonic()
    command = [arguments.peers_python, "run_there.py"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return json.loads((work / "livecodebench.json").read_text()), time.monotonic() - started


def microcoder(arguments: Any, asked: list[Any], work: Path) -> tuple[dict[tuple[str, str], str], float, Any]:
    (work / "data.jsonl").write_text("".join(json.dumps(record) + "\n" for record, _ in asked))
    generations = [{"question_id": record["question_id"], "code_list": list(made.values())} for record, made in asked]
    (work / "generations.json").write_text(json.dumps(generations))
    started = time.monotonic()
    command = [sys.executable, "-m", "cli", "eval", "livecodebench", "--data", "data.jsonl", "--no-differences"]
    command += ["--generations", "generations.json", "--out", "run", "--timeout", str(arguments.timeout), "--json"]
    done = subprocess.run([*command, "--no-cache", "--workers", "2"], cwd=work, capture_output=True, text=True)
    seconds = time.monotonic() - started
    if done.returncode:
        raise SystemExit(done.stderr)
    grades = map(json.loads, (work / "run" / "grades.jsonl").read_text().splitlines())
    verdicts = {(grade["problem_id"], grade["submission_id"]): grade["verdict"] for grade in grades}
    return verdicts, seconds, json.loads(done.stdout)["benchmark_scores"]


if __name__ == "__main__":
    main()
