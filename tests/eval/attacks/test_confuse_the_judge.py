# ruff: noqa: E501 - programs, each on the line that names it
"""Wrong programs that make an ordinary judge fail, to get no verdict instead of a bad one.

Each judge here handles the expected output. A program's output on which it fails is a WRONG_ANSWER.
"""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Problem
from tests.eval.attacks.grading import REFUSED, WAYS, Attack, Batch, grade_all
from tests.eval.supervisor.test_judge_programs import HEADER
from tests.eval.toolchains import is_here

WRONG = ("WRONG_ANSWER",)
DIGITS, LONG, CLAIM, BRACKETS = (
    "print('9' * 5_000_000)",
    "print('9' * 200_000)",
    "print(10 ** 10)",
    "print('[' * 50_000 + ']' * 50_000)",
)
"""An integer that a judge reads until its time is over; one that it reads in a moment."""
CHECK = "def check(input, expected, actual):\n"
PYTHON_CHECKERS: dict[str, tuple[str, str, dict[str, str]]] = {
    # name: expected output, body of the checker, programs
    "reads-an-integer": ("5", "    return int(actual) == int(expected)", {
        "digits": DIGITS, "letters": "print('abc')", "nothing": "pass", "nul": "print('5\\0')", "infinity": "print('inf')",
    }),
    "allocates-what-is-claimed": ("5", "    seen = [0] * int(actual)\n    return len(seen) == int(expected)", {
        "claim": CLAIM, "large-claim": "print(10 ** 18)", "huge-claim": "print(10 ** 30)", "digits": LONG,
    }),
    "allocates-bytes": ("5", "    seen = bytearray(int(actual))\n    return len(seen) == int(expected)", {"claim": CLAIM}),
    "recurses": ("[[]]", (
        "    def deep(at):\n        if actual[at] == '[': return deep(at + 1)\n        return at\n    return deep(0) == 2"
    ), {"brackets": BRACKETS, "no-end": "print('[' * 3)"}),
    "raises-the-recursion-limit": ("[[]]", (
        "    import sys\n    sys.setrecursionlimit(10 ** 9)\n    def deep(at):\n        if actual[at] == '[': return deep(at + 1)\n"
        "        return at\n    return deep(0) == 2"
    ), {"brackets": "print('[' * 3_000_000)"}),
    "reads-literals": ("[1, 2]", "    import ast\n    return ast.literal_eval(actual) == [1, 2]", {
        "brackets": BRACKETS, "minuses": "print('-' * 100_000 + '1')", "digits": LONG, "nul": "print('\\0')",
    }),
    "reads-json": ("[1, 2]", "    import json\n    return json.loads(actual) == [1, 2]", {"brackets": BRACKETS, "digits": LONG}),
    "evaluates": ("[1, 2]", "    return eval(actual) == [1, 2]", {
        "brackets": BRACKETS, "memory": "print('[0] * 10 ** 10')", "exit": "print('exit()')",
        "exit-at-once": "print('__import__(\"os\")._exit(0)')", "interrupt": "print('(_ for _ in ()).throw(KeyboardInterrupt)')",
        "kill": "print('__import__(\"os\").kill(__import__(\"os\").getpid(), 9)')", "crash": "print('__import__(\"ctypes\").string_at(0)')",
        "verdict": "print('__import__(\"os\").write(6, b\"[true, null, null]\") and __import__(\"os\")._exit(0)')",
        "verdict-and-goes-on": "print('__import__(\"os\").write(6, b\"[true, null, null]\") and [1, 2]')",
        "verdict-in-form": "print('__import__(\"os\").write(6, b\"[true, \\\\\"\\\\\", null]\") and __import__(\"os\")._exit(0)')",
        "verdict-at-exit": "print('__import__(\"atexit\").register(lambda: __import__(\"os\").pwrite(6, b\"[true, null, null]\", 0)) and 5')",
        "secret-read-again": "print('__import__(\"os\").lseek(0, 0, 0) or __import__(\"os\").write(6, __import__(\"os\").read(0, 32) + b\"[true, 0, null]\") and __import__(\"os\")._exit(0)')",
        "verdict-with-points": "print('__import__(\"os\").write(6, b\"[true, 1, 50]\") and __import__(\"os\")._exit(0)')",
    }),
    "loops-to-the-answer": ("5", "    n = 0\n    while n != float(actual) and n < float(actual): n += 1\n    return n == 5", {
        "infinity": "print('inf')",
    }),
    "searches-a-pattern": ("b", "    import re\n    return re.fullmatch(actual.strip(), 'a' * 40 + 'b') is None and actual.strip() == 'b'", {
        "endless": "print('(a*)*c')", "broken": "print('(')",
    }),
    "divides": ("5", "    return 25 / int(actual) == 5", {"zero": "print(0)", "digits": LONG}),
    "repeats-text": ("5", "    return len('x' * int(actual)) == 5", {"claim": CLAIM}),
    "raises-exit": ("5", "    if actual.strip() != '5': raise SystemExit(3)\n    return True", {"wrong": "print(6)"}),
    "raises-memory-error": ("5", "    if actual.strip() != '5': raise MemoryError\n    return True", {"wrong": "print(6)"}),
    "leaves-by-status": ("5", "    import os\n    if actual.strip() != '5': os._exit(1)\n    return True", {"wrong": "print(6)"}),
    "returns-strange-points": ("5", "    return True, '', 25 / int(actual) if actual.strip() == '5' else float('nan')", {"wrong": "print(6)"}),
    "returns-the-output": ("5", "    return int(actual) == 5, actual, float(actual)", {"digits": "print('9' * 5000)", "infinity": "print(10 ** 400)"}),
}  # fmt: skip
TESTLIB_PYTHON = "import sys\nouf = open(sys.argv[2]).read()\n{body}\n"
PROGRAMS: dict[str, tuple[str, str, str, dict[str, str]]] = {
    # name: style, expected output, program of the judges, programs
    "testlib-exits-3": ("testlib", "5", "a = ouf.strip()\nsys.exit(0 if a == '5' else 3)", {"wrong": "print(6)"}),
    "testlib-raises": ("testlib", "5", "sys.exit(0 if int(ouf) == 5 else 1)", {"digits": LONG, "letters": "print('x')"}),
    "testlib-allocates": ("testlib", "5", "sys.exit(0 if len([0] * int(ouf)) == 5 else 1)", {"claim": CLAIM}),
    "testlib-loops": ("testlib", "5", "n = 0\nwhile n < float(ouf): n += 1\nsys.exit(0 if n == 5 else 1)", {"infinity": "print('inf')"}),
    "testlib-killed": ("testlib", "5", "import os\nif ouf.strip() != '5': os.abort()\nsys.exit(0)", {"wrong": "print(6)"}),
    "testlib-evaluates": ("testlib", "5", "sys.exit(0 if eval(ouf) == 5 else 1)", {"brackets": BRACKETS, "verdict": "print('exit(0)')"}),
    "kattis-exits-1": ("kattis", "5", "a = sys.stdin.read().strip()\nassert a == '5'\nsys.exit(42)", {"wrong": "print(6)", "nothing": "pass"}),
    "kattis-raises": ("kattis", "5", "sys.exit(42 if int(sys.stdin.read()) == 5 else 43)", {"digits": LONG, "letters": "print('x')"}),
    "kattis-raises-without-answer": ("kattis", "", "sys.exit(42 if int(sys.stdin.read()) == 5 else 43)", {"letters": "print('x')"}),
    "kattis-allocates": ("kattis", "5", "sys.exit(42 if len([0] * int(sys.stdin.read())) == 5 else 43)", {"claim": CLAIM}),
    "kattis-copies": ("kattis", "5", "a = sys.stdin.read()\nopen(sys.argv[3] + '/score.txt', 'w').write(a)\nsys.exit(42 if a.strip() == '5' else 42)", {
        "nan": "print('nan')", "infinity": "print('inf')", "text": "print('x')", "negative": "print(-5)",
    }),
    "kattis-nests": ("kattis", "2", "import os\nos.chdir(sys.argv[3])\nn = int(sys.stdin.read())\nfor _ in range(n):\n    os.mkdir('a')\n    os.chdir('a')\nsys.exit(42 if n == 2 else 43)", {
        "levels": "print(1500)", "many-levels": "print(100_000)",
    }),
}  # fmt: skip
CPP = HEADER + "#include <vector>\n#include <string>\nint main(int c, char **v) { registerTestlibCmd(c, v); BODY }\n"
CPP_JUDGES: dict[str, tuple[str, dict[str, str]]] = {
    "allocates": ("long long n; if (!(ouf >> n)) return 2; std::vector<long long> a(n, 1); return a.size() == 5 ? 0 : 1;", {
        "claim": CLAIM, "negative": "print(-1)", "larger-claim": "print(10 ** 18)",
    }),
    "divides": ("int n = ouf.number(); return 25 / n == 5 ? 0 : 1;", {"zero": "print(0)"}),
    "indexes": ("int n = ouf.number(); std::vector<int> a(10); return a.at(n) == 0 && n == 5 ? 0 : 1;", {"far": "print(2_000_000_000)"}),
    "points-into-space": ("int n = ouf.number(); static int a[10]; a[n] = 1; return n == 5 ? 0 : 1;", {"far": "print(2_000_000_000)"}),
    "recurses": ("std::string s; ouf >> s; struct D { static int d(const char *p) { volatile char pad[2000]; pad[0] = *p; return *p == '[' ? 1 + d(p + 1) : pad[0] == 0; } }; return D::d(s.c_str()) >= 0 && s == \"5\" ? 0 : 1;", {"brackets": "print('[' * 3_000_000)"}),
    "loops": ("int n = ouf.number(); for (volatile int at = n; at != 5;) {} return 0;", {"wrong": "print(6)"}),
    "exits-3": ("int n = ouf.number(); return n == 5 ? 0 : 3;", {"wrong": "print(6)"}),
}  # fmt: skip
INTERACT = "def interact(input, read_line, write_line):\n    write_line(input)\n"
SQUARE = "print(int(input()) ** 2)"
INTERACTORS: dict[str, tuple[str, dict[str, str]]] = {
    "reads-an-integer": ("    return int(read_line()) == 25", {"digits": LONG, "letters": "print('abc')", "nothing": "pass", "bytes": "import os; os.write(1, b'\\xff\\n')"}),
    "reads-two": ("    a, b = map(int, (read_line() + ' 0').split())\n    return a == 25", {"three": "print('1 2 3')", "none": "print()", "digits": LONG}),
    "allocates": ("    return len([0] * int(read_line())) == 25", {"claim": CLAIM, "huge-claim": "print(10 ** 30)"}),
    "recurses": ("    def deep(s): return deep(s[1:]) if s[:1] == '[' else s\n    return deep(read_line()) == '25'", {"brackets": "print('[' * 5000)"}),
    "evaluates": ("    return eval(read_line()) == 25", {
        "brackets": BRACKETS, "memory": "print('[0] * 10 ** 10')", "exit": "print('__import__(\"os\")._exit(0)')",
        "verdict": "print('__import__(\"os\").write(6, b\"[true, null, null]\") and __import__(\"os\")._exit(0)')",
    }),
    "reads-until": ("    while read_line() != '25': pass\n    return True", {"never": "while True: print('x')", "nothing": "pass"}),
    "answers-each": ("    n = int(read_line())\n    for _ in range(n): write_line('x')\n    return n == 25", {"deaf": "print(10 ** 7)"}),
    "misspells-a-name-on-an-odd-path": ("    if read_line() == '25': return True\n    return False, mesage", {"wrong": "print(6)"}),
    "misspells-a-name-in-a-handler": ("    try: return int(read_line()) == 25\n    except ValueError: return flase", {"letters": "print('x')"}),
    "misspells-a-name-in-a-choice": ("    return {'25': lambda: True}.get(read_line(), lambda: flase)()", {"wrong": "print(6)"}),
    "takes-an-attribute": ("    line = read_line()\n    return (line if line == '25' else None).strip() == '25'", {"wrong": "print(6)"}),
    "names-nothing-on-an-odd-path": ("    for word in read_line().split(): last = word\n    return last == '25'", {"none": "print()", "wrong": "print(6)"}),
    "writes-for-ever": ("    n = int(read_line())\n    while n != 25: write_line('x' * 1000)\n    return True", {"wrong": "print(6)"}),
    "calls-a-type-error": ("    line = read_line()\n    return (line + (0 if line != '25' else '')) == '25'", {"wrong": "print(6)"}),
    "loops": ("    n = int(read_line())\n    while n != 25: pass\n    return True", {"wrong": "print(6)"}),
    "exits": ("    if read_line() != '25': raise SystemExit(2)\n    return True", {"wrong": "print(6)"}),
}  # fmt: skip
PROGRAM_INTERACTORS: dict[str, tuple[str, str, dict[str, str]]] = {
    "kattis-raises": ("kattis", "print(open(sys.argv[1]).read(), flush=True)\nsys.exit(42 if int(input()) == 25 else 43)", {"letters": "print('x')", "digits": LONG, "nothing": "pass"}),
    "kattis-allocates": ("kattis", "print(open(sys.argv[1]).read(), flush=True)\nsys.exit(42 if len([0] * int(input())) == 25 else 43)", {"claim": CLAIM}),
    "testlib-raises": ("testlib", "print(open(sys.argv[1]).read(), flush=True)\nsys.exit(0 if int(input()) == 25 else 1)", {"letters": "print('x')", "nothing": "pass"}),
    "testlib-exits-3": ("testlib", "print(open(sys.argv[1]).read(), flush=True)\nsys.exit(0 if input() == '25' else 3)", {"wrong": "print(6)"}),
}  # fmt: skip
TESTS: dict[str, tuple[str, dict[str, str]]] = {
    # tests that a right program (f(x) = x * x, g the identity) passes; programs
    "int-of": ("assert int(f(5)) == 25", {"digits": "f = lambda x: '9' * 200_000", "very-long-integer": "f = lambda x: 10 ** 5_000_000"}),
    "range-of": ("assert len(list(range(f(5)))) == 25", {"claim": "f = lambda x: 10 ** 10"}),
    "list-of": ("assert len([0] * f(5)) == 25", {"claim": "f = lambda x: 10 ** 11"}),
    "text-of": ("assert str(f(5)) == '25'", {"very-long-integer": "f = lambda x: 10 ** 5_000_000", "deep": "def f(x):\n    a = []\n    for _ in range(9000): a = [a]\n    return a"}),
    "json-of": ("import json\nassert json.loads(str(f(5))) == 25", {"brackets": "f = lambda x: '[' * 100_000"}),
    "evaluated": ("assert eval(str(f(5))) == 25", {
        "brackets": "f = lambda x: '[' * 50_000", "exit": "f = lambda x: 'exit()'", "import": "f = lambda x: '__import__(\"nothing\")'",
        "exit-at-once": "f = lambda x: '__import__(\"os\")._exit(0)'", "skip": "f = lambda x: '__import__(\"pytest\").skip(\"\")'",
        "verdict": "f = lambda x: '__import__(\"os\").write(6, b\\'{\"ended\": \"passed\", \"detail\": \"\", \"where\": \"\"}\\') and __import__(\"os\")._exit(0)'",
    }),
    "imported": ("import importlib\nassert importlib.import_module(f(5) if f(5) != 25 else 'os').name == 'posix'", {"nothing": "f = lambda x: 'nothing_of_this_name'"}),
    "handed-back": ("assert f(5) == 25\nassert f(f(5)) == 625", {"large": "f = lambda x: 'x' * 50_000_000", "deep": "def f(x):\n    a = []\n    for _ in range(5000): a = [a]\n    return a"}),
    "compared-deep": ("assert f(5) == [[25]]", {"deep": "def f(x):\n    a = []\n    for _ in range(9000): a = [a]\n    return a", "in-itself": "def f(x):\n    a = []\n    a.append(a)\n    return a"}),
    "recursive": ("def depth(a): return 1 + max(map(depth, a)) if isinstance(a, list) and a else 0\nassert depth([f(5)]) == 1", {"deep": "def f(x):\n    a = [1]\n    for _ in range(9000): a = [a]\n    return a"}),
    "callback": ("seen = []\nf(lambda v: seen.append(v) or v)\nassert f(5) == 25 and seen", {"large": "def f(g):\n    if callable(g): g('x' * 50_000_000)\n    return 25", "exits": "def f(g):\n    if callable(g): raise SystemExit(0)\n    return 25"}),
    "raises-import-error": ("assert f(5) == 25", {"import": "def f(x): import nothing_of_this_name", "import-error": "def f(x): raise ImportError('x', name='x')", "module-not-found": "def f(x): raise ModuleNotFoundError('numpy', name='numpy')"}),
    "raises-of-tests": ("import pytest\ndef test_f():\n    with pytest.raises(KeyError): f(5)\n    assert f(6) == 36", {"name-error": "def f(x): raise NameError('x')", "not-implemented": "def f(x): raise NotImplementedError"}),
    "attributes": ("assert f(5).real == 25", {"none": "f = lambda x: None", "module": "import os\nf = lambda x: os", "file": "f = lambda x: open('/dev/null')"}),
    "derived": ("assert issubclass(type('T', (type(f(5)),), {}), int)", {"evil-type": "class N: pass\nf = lambda x: N()"}),
    "decorated-coroutine": ("import asyncio\n@f\nasync def helper(): return 25\nassert asyncio.run(helper()) == 25", {"called": "def f(g): return g()"}),
    "callback-gives": ("import re\nassert f(lambda v: re.compile(v) if v else 25) == 25", {"pattern": "f = lambda g: g('a')"}),
    "handed-over-in-a-branch": ("import threading\nr = f(5)\nif r is None: f(threading.Lock())\nassert r == 25", {"none": "f = lambda x: None"}),
    "imported-in-a-branch": ("try:\n    assert f(5) == 25\nexcept TypeError:\n    import nothing_of_this_name", {"raises": "def f(x): raise TypeError"}),
    "made-of-its-type": ("r = f(5)\nif r != 25: r = r(b'x')\nassert f(r) == 625", {"memory-view": "f = lambda x: memoryview"}),
    "ready": ("assert f(5) == 25", {
        "no-names": "import os\nos.write(5, b'.[\"ready\", {}]')\nf = lambda x: 1", "names-list": "import os\nos.write(5, b'.[\"ready\", []]')\nf = lambda x: 1",
        "names-of-lists": "import os\nos.write(5, b'.[\"ready\", {\"f\": [1]}]')\nf = lambda x: 1", "names-null": "import os\nos.write(5, b'.[\"ready\"]')\nf = lambda x: 1",
        "names-many": "import os\nglobals().update({f'x{n}': n for n in range(300_000)})\nf = lambda x: 1", "names-surrogate": "globals()['\\udcff'] = 1\nf = lambda x: 1",
        "names-of-tests": "pytest = assertEqual = METADATA = check = candidate = 1\nf = lambda x: 1", "names-builtins": "import builtins\nglobals().update(vars(builtins))\nf = lambda x: 1",
    }),
}  # fmt: skip
RIGHT_F = "def f(x): return x(5) if callable(x) else x * x"


def judged(name: str, expected: str, checker: dict[str, Any], **more: Any) -> Problem:
    tests = [{"input": expected, "output": expected}]
    return Problem.from_dict({"id": name, "tests": tests, "checker": checker, "time_limit_s": 1.0, **more})


def _attacks() -> list[Attack]:
    found = []

    def add(problem: Problem, programs: dict[str, str], honest: str, wants: tuple[str, ...] = WRONG) -> None:
        for name, code in programs.items():
            found.append(Attack(f"{problem.id}-{name}", problem, code, wants, honest=honest))

    for name, (expected, body, programs) in PYTHON_CHECKERS.items():
        add(judged(name, expected, {"kind": "python", "code": f"{CHECK}{body}\n"}), programs, "print(input())")
    for name, (style, expected, body, programs) in PROGRAMS.items():
        code = ("import sys\n" if style == "kattis" else "") + (
            body if style == "kattis" else TESTLIB_PYTHON.format(body=body)
        )
        add(
            judged(name, expected, {"kind": "python", "style": style, "code": code}),
            programs,
            f"print({expected or 5})",
        )
    for name, (body, programs) in CPP_JUDGES.items():
        checker = {
            "kind": "cpp",
            "style": "testlib",
            "code": CPP.replace("BODY", body),
        }
        if is_here("cpp17"):
            add(judged(f"cpp-{name}", "5", checker), programs, "print(input())")
    for name, (body, programs) in INTERACTORS.items():
        wants = (*WRONG, "TIME_LIMIT", "OUTPUT_LIMIT") if "never" in programs else WRONG
        add(_talk(f"interactor-{name}", {"code": f"{INTERACT}{body}\n"}), programs, SQUARE, wants)
    for name, (style, body, programs) in PROGRAM_INTERACTORS.items():
        interactor = {"style": style, "code": f"import sys\n{body}\n"}
        add(_talk(f"interactor-{name}", interactor), programs, SQUARE)
    for name, (tests, programs) in TESTS.items():
        record = {"id": f"tests-{name}", "kind": "asserts", "entry_point": "f", "test_code": tests, "time_limit_s": 1.0}
        add(Problem.from_dict(record), programs, "" if name in OWN_RIGHT else RIGHT_F, (REFUSED,))
    for name, tests in MODULES.items():
        record = {"id": f"module-{name}", "kind": "asserts", "test_code": tests, "time_limit_s": 1.0}
        add(
            Problem.from_dict(record),
            {"lacks-the-name": "def other(): pass"},
            "def add(a, b): return a + b",
            (REFUSED,),
        )
    return found


MODULES = {
    "name": "from of_the_author import add\ndef test_add(): assert add(1, 2) == 3",
    "attribute": "import of_the_author\ndef test_add(): assert of_the_author.add(1, 2) == 3",
}
"""Tests that have the program from a module of the author's name: a program without what they want is wrong."""
OWN_RIGHT = ("imported", "compared-deep", "raises-of-tests", "derived", "decorated-coroutine", "callback-gives")
"""Tests that ask for more than a square."""


def _talk(name: str, interactor: dict[str, Any]) -> Problem:
    return Problem.from_dict(
        {"id": name, "kind": "interactive", "tests": [{"input": "5"}], "interactor": interactor, "time_limit_s": 1.0}
    )


ENDLESS_TWINS = ("loops-to-the-answer-infinity", "searches-a-pattern-endless", "testlib-loops-infinity")
"""Judges that go on until their time is over, like `reads-an-integer-digits` and `cpp-loops-wrong`."""
EVERY = _attacks()
ATTACKS = [attack for attack in EVERY if attack.name not in ENDLESS_TWINS]
TWINS = [attack for attack in EVERY if attack.name in ENDLESS_TWINS]


@pytest.fixture(scope="module")
def batch() -> Batch:
    return grade_all(ATTACKS, WAYS["spaces-test"])


@pytest.mark.slow  # seconds of CPU time each
def test_a_judge_that_never_ends_on_a_wrong_output_says_no() -> None:
    batch = grade_all(TWINS, WAYS["spaces-test"])
    for attack in TWINS:
        batch.check(attack)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_judge_that_fails_on_a_wrong_output_says_no(batch: Batch, attack: Attack) -> None:
    batch.check(attack)


def test_no_process_is_replaced_or_left(batch: Batch) -> None:
    assert not batch.replaced
    assert not batch.left
