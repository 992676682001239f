"""Validators, generators and checkers that a model writes: right, sloppy and hostile ones, over real HTTP.

Only proven programs are used; every other one is refused by name. The scripted server picks its answer by the prompt
and the seed that each draw has.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.llm import Client, Llm
from microcoder_data.make_tests import validators
from microcoder_data.make_tests.checkers import built_in, planted_answers, prove_checker, written
from microcoder_data.make_tests.generators import run_generator
from microcoder_data.make_tests.grammar import infer
from microcoder_data.make_tests.illegal import near_illegal
from microcoder_data.make_tests.proof import Oracle
from microcoder_data.make_tests.questions import Written
from microcoder_data.make_tests.rule import MakeTestsRule
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.make_tests.validators import best, judge
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_row, new_test, to_problem
from microcoder_data.shards import TestStore
from microcoder_data.verify.program_runner import Program, ProgramRunner
from microcoder_eval import Grader
from tests.data.scripted_server import serving

KNOWN = ["3\n1 2 3\n", "1\n5\n"]
VALIDATOR = """
import re, sys
data = sys.stdin.buffer.read()
def fault():
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ascii"
    match = re.fullmatch(r"(0|[1-9]\\d*)\\n((?:0|-?[1-9]\\d*)(?: (?:0|-?[1-9]\\d*))*)\\n", text)
    if not match:
        return "layout"
    items = [int(word) for word in match[2].split(" ")]
    if not 1 <= int(match[1]) <= 50 or len(items) != int(match[1]):
        return "count"
    return "" if all(-100 <= item <= 100 for item in items) else "bounds"
why = fault()
print("VALID" if not why else "INVALID: " + why)
"""
VALIDATORS = {
    "takes everything": ("print('VALID')", "certainly illegal"),
    "refuses everything": ("print('INVALID: no')", "refuses a known input"),
    "refuses large counts": (VALIDATOR.replace("<= 50", "<= 2"), "refuses a known input"),
    "splits on any space": (
        "a = [int(x) for x in __import__('sys').stdin.read().split()]\n"
        "print('VALID' if a and len(a) == a[0] + 1 else 'INVALID: count')",
        "certainly illegal",
    ),
    "ends without a word": ("input()", "no verdict"),
    "says both": ("print('VALID')\nprint('INVALID: x')", "no verdict"),
    "raises": ("raise SystemExit(3)", "no verdict"),
    "never ends": ("while True: pass", "no verdict"),
    "prints without end": ("while True: print('VALID' * 1000)", "no verdict"),
    "forks": ("import os\nwhile True: os.fork()", "no verdict"),
    "takes everything, then raises": ("print('VALID')\nraise ValueError", "no verdict"),
    "takes everything and complains": ("import sys\nprint('VALID')\nprint('bad', file=sys.stderr)", "certainly"),
    "counts its runs in a file": (
        "import os\nruns = os.path.getsize('/tmp/runs') if os.path.exists('/tmp/runs') else 0\n"
        "open('/tmp/runs', 'a').write('x')\nprint('VALID' if runs < 2 or runs > 60 else 'INVALID: no')", ""
    ),
    "leaves a process behind": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(1000)\nprint('VALID')", ""
    ),
    "kills its parent": ("import os\nos.kill(os.getppid(), 9)\nprint('VALID')", ""),
    "asks the network": ("import socket\nsocket.create_connection(('10.0.0.1', 80), 1)\nprint('VALID')", "no verdict"),
    "remembers the samples": (
        "import sys\nprint('VALID' if sys.stdin.read() in ('3\\n1 2 3\\n', '1\\n5\\n') else 'INVALID: unknown')", None
    ),
}  # fmt: skip
GENERATOR = """
import random
seed, number = map(int, input().split())
chance = random.Random(f"{seed} {number}")
count = chance.randint(1, 50)
print(count)
print(*[chance.randint(-100, 100) for _ in range(count)])
"""
GENERATORS = {
    "without a seed": (GENERATOR.replace('random.Random(f"{seed} {number}")', "random.Random()"), "not reproducible"),
    "without a seed at times": (
        GENERATOR.replace('random.Random(f"{seed} {number}")', "random.Random() if number == 1 else random.Random(1)"),
        "not reproducible",
    ),
    "no text": ("import sys\nsys.stdout.buffer.write(b'\\xff 1\\n')", "prints bytes that are no text"),
    "by the clock": ("import time\nprint(1)\nprint(time.time_ns() % 100)", "not reproducible"),
    "by the day": (GENERATOR.replace("{seed}", "{__import__('time').time() // 86400}"), "not reproducible"),
    "by the date": (GENERATOR.replace("{seed}", "{__import__('datetime').date.today()}"), "not reproducible"),
    "by the month": (GENERATOR.replace("{seed}", "{__import__('time').strftime('%B %Y')}"), "not reproducible"),
    "remembers in a file": (
        "import os\nif not os.path.exists('/tmp/seed'):\n    open('/tmp/seed', 'w').write(os.urandom(8).hex())\n"
        + GENERATOR.replace("{seed}", "{open('/tmp/seed').read()}"),
        "",
    ),
    "forks": ("import os\nwhile True: os.fork()", ""),
    "half a gigabyte at once": ("print('1 ' * (1 << 28))", ""),
    "complains without end": ("import sys\nwhile True: print('1 ' * 10000, file=sys.stderr)", ""),
    "slow": ("while True: pass", "slow"),
    "without end": ("while True: print('1 ' * 10000)", "too large"),
    "out of bounds": (GENERATOR.replace("randint(1, 50)", "randint(40, 90)"), "out of bounds"),
    "sloppy layout": (GENERATOR.replace("print(count)", "print(count, end=' ')"), "out of bounds"),
    "crashes": ("raise ValueError", "fails"),
    "prints nothing": ("pass", "prints nothing"),
    "reads files": ("print(open('/etc/passwd').read())", "fails"),
    "eats memory": ("x = 'a' * (1 << 33)\nprint(x)", "fails"),
}
LARGEST = "input()\nprint(max(map(int, input().split())))"
SORTED = "n = int(input())\na = sorted(map(int, input().split()))\nprint(a[n - 1])"
FORGETS_SIGNS = "input()\nprint(max(abs(int(x)) for x in input().split()))"
FIRST = "input()\nprint(1)"
"""Prints the place of some number that is largest: there may be several."""
SMALLEST_PLACE = "n = int(input())\na = list(map(int, input().split()))\nprint(a.index(max(a)) + 1)"
LARGEST_PLACE = "n = int(input())\na = list(map(int, input().split()))\nprint(n - a[::-1].index(max(a)))"
CHECKER = """
def check(input, expected, actual):
    lines = input.split("\\n")
    numbers = list(map(int, lines[1].split()))
    words = actual.split()
    if len(words) != 1 or not words[0].isdigit() or not 1 <= int(words[0]) <= len(numbers):
        return False
    return numbers[int(words[0]) - 1] == max(numbers)
"""
CHECKERS = {
    "accepts everything": ("def check(input, expected, actual):\n    return True", "planted"),
    "accepts what is not empty": ("def check(input, expected, actual):\n    return bool(actual.strip())", "planted"),
    "refuses everything": ("def check(input, expected, actual):\n    return False", "every right answer"),
    "compares": ("def check(input, expected, actual):\n    return expected.split() == actual.split()", "every right"),
    "raises on garbage": (CHECKER.replace("    if len(words) != 1 or", "    if int(words[0]) < 0 or"), "planted"),
    "looks at the first word": (CHECKER.replace("len(words) != 1 or ", "not words or "), "planted"),
    "never ends": ("def check(input, expected, actual):\n    while True: pass", "every right answer"),
    "no function": ("x = 1", "every right answer"),
    "counts its calls": (
        "calls = []\ndef check(input, expected, actual):\n    calls.append(actual)\n"
        "    return expected.split() == actual.split() or len(calls) > 1",
        "",
    ),
    "counts its runs in a file": (
        "import os\ndef check(input, expected, actual):\n    open('/tmp/runs', 'a').write('x')\n"
        "    return os.path.getsize('/tmp/runs') < 7 or os.path.getsize('/tmp/runs') > 60",
        "",
    ),
    "forks": ("import os\ndef check(input, expected, actual):\n    while True: os.fork()", "every right answer"),
    "exits": ("import os\ndef check(input, expected, actual):\n    os._exit(0)", "every right answer"),
    "returns a gigabyte": ("def check(input, expected, actual):\n    return 'x' * (1 << 30)", ""),
    "not Python": ("def check(", "every right answer"),
}


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=2) as opened:
        yield opened


def row(right: list[str], wrong: list[str], **columns: Any) -> dict[str, Any]:
    solutions = [
        {"language": "python", "code": code, "correct": correct, "origin": "official"}
        for correct, codes in ((True, right), (False, wrong))
        for code in codes
    ]
    tests = [new_test(KNOWN[0], "3\n", public=True, origin="sample"), new_test(KNOWN[1], "5\n", public=True)]
    given = {"statement": "Print the largest number.", "tests": tests, "time_limit_ms": 1000, "memory_limit_mb": 256}
    return new_row(problem_id="a:1", source="a", solutions=solutions, **{"kind": "stdin", **given, **columns})


def test_the_right_validator_passes_its_proof(grader: Grader) -> None:
    judged = judge(Written("validator 0", VALIDATOR), KNOWN, grader)
    assert not judged.fault, judged
    assert judged.refused == judged.certain >= 10 and judged.likely_refused >= 0.8 * judged.likely


def endless_is_slow(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=pytest.mark.slow) if name == "never ends" else name for name in names]


@pytest.mark.parametrize("name", endless_is_slow(VALIDATORS))
def test_sloppy_and_hostile_validators_are_refused(name: str, grader: Grader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validators, "TIME_S", 1.0)
    code, fault = VALIDATORS[name]
    judged = judge(Written("validator 0", code), KNOWN, grader)
    if fault is None:  # it only takes what is known already: no harm, and no generator passes by it
        made = run_generator(
            Written("generator", GENERATOR), 3, grader, MakeTests(), lambda text: "" if text in KNOWN else "unknown"
        )
        assert "out of bounds" in made.fault
        return
    assert judged.fault and fault in judged.fault, judged
    assert best([judged]) is None


def test_the_validator_that_refuses_most_is_chosen(grader: Grader) -> None:
    lax = VALIDATOR.replace("-100 <= item <= 100", "True").replace("<= 50", "<= 10**30")
    judged = [judge(Written(name, code), KNOWN, grader) for name, code in (("lax", lax), ("strict", VALIDATOR))]
    chosen = best(judged)
    assert chosen is not None and chosen.program.name == "strict"


def test_a_grammar_refuses_all_that_is_certainly_illegal() -> None:
    given = row([], [], input_format="The first line holds `n`. The second line holds `n` integers `a_1 ... a_n`.",
                constraints="- 1 ≤ n ≤ 50\n- -100 ≤ a_i ≤ 100")  # fmt: skip
    grammar = infer(given)
    for text, fault, certain in near_illegal(KNOWN[0]):
        assert not certain or grammar.fault(text), fault


def test_the_right_generator_gives_different_inputs(grader: Grader) -> None:
    made = run_generator(Written("generator", GENERATOR), 6, grader, MakeTests(), lambda text: "")
    again = run_generator(Written("generator", GENERATOR), 6, grader, MakeTests(), lambda text: "")
    assert not made.fault and len(made.texts) == 6 and made.texts == again.texts


@pytest.mark.parametrize("name", GENERATORS)
def test_sloppy_and_hostile_generators_are_refused(name: str, grader: Grader) -> None:
    code, fault = GENERATORS[name]
    given = row([], [], input_format="The first line holds `n`. The second line holds `n` integers `a_1 ... a_n`.",
                constraints="- 1 ≤ n ≤ 50\n- -100 ≤ a_i ≤ 100")  # fmt: skip
    settings = MakeTests(generator_seconds=1.0, max_bytes=1 << 16)
    made = run_generator(Written("generator", code), 3, grader, settings, infer(given).fault)
    assert made.fault.startswith(fault) and not made.texts, made


def checker_oracle(grader: Grader) -> tuple[Oracle, list[Any]]:
    tests = [new_test("3\n4 4 1\n", "1\n"), new_test("4\n1 9 9 2\n", "2\n"), new_test("2\n5 7\n", "2\n")]
    given = row([SMALLEST_PLACE, LARGEST_PLACE], [], tests=tests)
    problem = to_problem(given)
    rights = [Program("python", code, code[:9]) for code in (SMALLEST_PLACE, LARGEST_PLACE)]
    return Oracle(given, ProgramRunner(grader, problem, 100.0), rights), list(problem.tests)


def test_the_right_checker_passes_its_proof(grader: Grader) -> None:
    bench, tests = checker_oracle(grader)
    (candidate,) = written([Written("checker 0", CHECKER)])
    proof = prove_checker(*candidate, bench, tests, [Program("python", FIRST, "wrong")])
    assert not proof.fault, proof
    assert (proof.accepted, proof.right) == (6, 6) and proof.refused == proof.planted > 8


@pytest.mark.parametrize("name", endless_is_slow(CHECKERS))
def test_sloppy_and_hostile_checkers_are_refused(name: str, grader: Grader) -> None:
    code, fault = CHECKERS[name]
    bench, tests = checker_oracle(grader)
    (candidate,) = written([Written("checker 0", code)])
    proof = prove_checker(*candidate, bench, tests, [])
    assert fault in proof.fault, proof


def test_a_checker_that_knows_the_planted_answers_is_refused(grader: Grader) -> None:
    codes = ["input()\nprint(input().split()[0])", "input()\nprint(input().split()[-1])"]
    tests = [new_test("3\n10 20 30\n", "10\n"), new_test("2\n70 50\n", "50\n"), new_test("2\n90 7\n", "90\n")]
    given = row(codes, [], tests=tests)
    problem = to_problem(given)
    bench = Oracle(given, ProgramRunner(grader, problem, 100.0), [Program("python", code, code) for code in codes])
    knowing = """
def check(input, expected, actual):
    words = actual.split()
    if len(words) != 1 or not words[0].isdigit() or "xyzzy" in words:
        return False
    return int(words[0]) != int(expected) + 1
"""
    some = "def check(input, expected, actual):\n    return actual.split() in [[word] for word in input.split()[1:]]"
    faults = [prove_checker(*one, bench, list(problem.tests), []).fault
              for one in written([Written("knowing", knowing), Written("right", some)])]  # fmt: skip
    assert faults == ["it accepts too much of what is likely wrong", ""]


BALANCE = """
def check(input, expected, actual):
    weights, sides = list(map(int, input.split()[1:])), actual.strip()
    if expected.strip() == "NONE":
        return sides == "NONE"
    if len(sides) != len(weights) or set(sides) - set("LR"):
        return False
    return sum(w if side == "L" else -w for w, side in zip(weights, sides)) == 0
"""
SPLITS = """
from itertools import product
n, *weights = map(int, open(0).read().split())
found = ["".join(s) for s in product("LR", repeat=n) if sum(w if c == "L" else -w for w, c in zip(weights, s)) == 0]
print(found[CHOSEN] if found else "NONE")
"""
LAX_ABOUT = {
    "what makes it right": (BALANCE.rpartition("    return")[0] + "    return True", "near misses of right answers"),
    "inputs without an answer": (BALANCE.replace('sides == "NONE"', "True"), "every planted"),
}


@pytest.mark.parametrize("about", LAX_ABOUT)
def test_a_checker_of_the_form_alone_is_refused(about: str, grader: Grader) -> None:
    codes = [SPLITS.replace("CHOSEN", chosen) for chosen in ("0", "-1")]
    lists = ([1, 2, 3, 4], [2, 2], [1, 3, 4], [1, 1, 2, 2], [1, 2], [5, 1, 4, 2, 2])
    answers = ("LRRL", "LR", "LLR", "LRLR", "NONE", "LRRLR")
    tests = [new_test(f"{len(one)}\n{' '.join(map(str, one))}\n", f"{answer}\n")
             for one, answer in zip(lists, answers, strict=True)]  # fmt: skip
    given = row(codes, [], tests=tests)
    problem = to_problem(given)
    rights = [Program("python", code, f"right {n}") for n, code in enumerate(codes)]
    bench = Oracle(given, ProgramRunner(grader, problem, 100.0), rights)
    lax, fault = LAX_ABOUT[about]
    faults = [prove_checker(*one, bench, list(problem.tests), []).fault
              for one in written([Written("right", BALANCE), Written("lax", lax)])]  # fmt: skip
    assert not faults[0] and fault in faults[1]


def test_the_unchanged_list_of_a_function_may_be_a_right_answer(grader: Grader) -> None:
    codes = ["def f(a):\n    return sorted(a)", "def f(a):\n    return sorted(a)[::-1]"]
    tests = [new_test("[1, 2, 3]", "[1, 2, 3]"), new_test("[6, 5]", "[5, 6]")]
    starter = "def f(a: list[int]) -> list[int]: ..."
    given = row(codes, [], kind="call", entry_point="f", starter_code=starter, tests=tests)
    problem = to_problem(given)
    rights = [Program("python", code, code) for code in codes]
    bench = Oracle(given, ProgramRunner(grader, problem, 100.0), rights)
    any_order = (
        "def check(input, expected, actual):\n"
        "    return type(actual) is list and sorted(map(str, actual)) == sorted(map(str, input[0]))"
    )
    (candidate,) = written([Written("checker 0", any_order)])
    assert not prove_checker(*candidate, bench, list(problem.tests), []).fault


def test_a_wrong_program_that_prints_the_right_answers_is_no_evidence_against_a_checker(grader: Grader) -> None:
    bench, tests = checker_oracle(grader)
    quiet = [Program("python", f"{SMALLEST_PLACE}\n# wrong elsewhere {n}\n", f"quiet {n}") for n in range(3)]
    (candidate,) = written([Written("checker 0", CHECKER)])
    assert not prove_checker(*candidate, bench, tests, quiet).fault
    lax = CHECKER.replace("== max(numbers)", "> min(numbers)")
    (candidate,) = written([Written("checker 1", lax)])
    assert not prove_checker(*candidate, bench, tests, quiet).fault
    above_least = SMALLEST_PLACE.replace("a.index(max(a))", "max(i for i in range(n) if a[i] > min(a))")
    loud = Program("python", above_least, "loud")
    assert prove_checker(*candidate, bench, tests, [*quiet, loud]).fault == "it lets loud pass"


def test_no_built_in_checker_fits_any_valid_place(grader: Grader) -> None:
    bench, tests = checker_oracle(grader)
    assert all(prove_checker(*candidate, bench, tests, []).fault for candidate in built_in())


def test_planted_answers_are_never_the_right_one() -> None:
    for right in ("5", "1 2 3", "YES", "a b\nc", "--5", "\u00b2", "9" * 5000):
        assert all(answer.split() != right.split() for answer, certain in planted_answers(right, "7") if certain)


def answers(**programs: list[str]) -> Any:
    """A script: the n-th draw of a question gets the n-th program."""
    words = {"validators": "validators for", "generators": "test generators", "checkers": "checkers for",
             "references": "brute-force"}  # fmt: skip

    def script(body: dict[str, Any], number: int) -> Any:
        system = body["messages"][0]["content"]
        listed = next(programs.get(name, []) for name, said in words.items() if said in system)
        return json.dumps({"program": listed[body["seed"] % len(listed)]}) if listed else "no"

    return script


def applied(given: dict[str, Any], script: Any, grader: Grader, folder: Path, **settings: Any) -> str:
    chosen = MakeTests(**{"mutants": 0, "small": 10, "limits": 1, "generator_seconds": 2.0, **settings})
    with serving(script) as server:
        llm = Llm(backend="openai", model="scripted", base_url=server.base_url, attempts=1)
        with Client(llm, folder / "llm") as client:
            rule = MakeTestsRule(chosen, grader, TestStore(folder), client)
            assert apply_rules(given, [rule], "verify") is None
    return str(given["provenance"][-1]["detail"])


def test_a_row_without_a_grammar_is_made_by_proven_programs(grader: Grader, tmp_path: Path) -> None:
    given = row([LARGEST, SORTED], [FORGETS_SIGNS])
    hostile, sloppy = VALIDATORS["takes everything"][0], VALIDATORS["splits on any space"][0]
    bad = GENERATORS["without a seed"][0]
    script = answers(
        validators=[hostile, sloppy, VALIDATOR], generators=[GENERATOR, bad, GENERATORS["out of bounds"][0]]
    )
    detail = applied(given, script, grader, tmp_path)
    made = [test for test in given["tests"] if test["origin"] == "model"]
    assert made and "reject 1 of 1" in detail, detail
    for test in made:
        count, *numbers = map(int, test["input"].split())
        assert count == len(numbers) and 1 <= count <= 50
        assert int(test["output"]) == max(numbers)


RARE = "input()\na = list(map(int, input().split()))\nprint(max(a) + (a[0] == 99 and len(a) == 2))"


def test_a_generator_is_asked_for_against_what_the_other_tests_let_through(grader: Grader, tmp_path: Path) -> None:
    given = row([LARGEST, SORTED], [FORGETS_SIGNS, FIRST, RARE])
    against = GENERATOR.replace("randint(1, 50)", "randint(2, 2)").replace("randint(-100, 100)", "choice([99, 1])")

    def script(body: dict[str, Any], number: int) -> Any:
        if RARE in body["messages"][1]["content"]:
            return json.dumps({"program": against})
        return answers(validators=[VALIDATOR], generators=[GENERATOR])(body, number)

    assert "reject 3 of 3" in applied(given, script, grader, tmp_path, rounds=0)


@pytest.mark.parametrize(("rounds", "rejected"), [(0, 0), (3, 1)])
def test_generators_give_more_inputs_while_a_wrong_program_survives(
    rounds: int, rejected: int, grader: Grader, tmp_path: Path
) -> None:
    given = row([LARGEST, SORTED], [RARE])
    rare = "if number == 30:\n    print(2)\n    print(99, 1)\n    exit()\n"
    later = GENERATOR.replace("print(count)", f"{rare}print(count)")
    script = answers(validators=[VALIDATOR], generators=[later])
    assert f"reject {rejected} of 1" in applied(given, script, grader, tmp_path, rounds=rounds)


def test_hostile_programs_alone_make_nothing(grader: Grader, tmp_path: Path) -> None:
    given = row([LARGEST, SORTED], [FORGETS_SIGNS])
    bad = [code for code, _ in list(VALIDATORS.values())[:3]]
    detail = applied(given, answers(validators=bad, generators=[GENERATOR]), grader, tmp_path)
    assert "no validator passes its proof" in detail and len(given["tests"]) == 2


def test_a_brute_force_solution_is_the_second_voice(grader: Grader, tmp_path: Path) -> None:
    given = row([LARGEST], [FORGETS_SIGNS])
    script = answers(validators=[VALIDATOR], generators=[GENERATOR], references=[FIRST, SORTED, FIRST])
    detail = applied(given, script, grader, tmp_path)
    assert [test for test in given["tests"] if test["origin"] == "model"], detail


def test_a_written_checker_is_proven_before_its_tests(grader: Grader, tmp_path: Path) -> None:
    rights = [code.replace("print(", "print('#', end='')\nprint(") for code in (SMALLEST_PLACE, LARGEST_PLACE)]
    checker = CHECKER.replace("actual.split()", "[word[1:] for word in actual.split() if word[0] == '#']")
    given = row(
        rights, [FIRST],
        statement="Print a # and the place of a largest number. If there are several, print any of them.",
        input_format="The first line holds `n`. The second line holds `n` integers `a_1 ... a_n`.",
        constraints="- 1 ≤ n ≤ 50\n- -100 ≤ a_i ≤ 100",
        tests=[new_test("2\n5 7\n", "#2\n", public=True, origin="sample")],
    )  # fmt: skip
    bad = [CHECKERS[name][0] for name in ("accepts everything", "compares")]
    script = answers(validators=[], generators=[], checkers=[*bad, checker])
    detail = applied(given, script, grader, tmp_path)
    assert given["checker"]["kind"] == "python" and given["checker"]["code"].strip() == checker.strip(), detail
    assert len([test for test in given["tests"] if test["origin"] == "rules"]) > 5


def test_a_written_checker_is_proven_for_a_function_too(grader: Grader, tmp_path: Path) -> None:
    first = "def largest(a):\n    return [a.index(max(a)), max(a)]"
    last = "def largest(a):\n    return [len(a) - 1 - a[::-1].index(max(a)), max(a)]"
    wrong = "def largest(a):\n    return [0, max(a)]"
    given = row(
        [first, last], [wrong], kind="call", entry_point="largest",
        starter_code="def largest(a: list[int]) -> list[int]: ...",
        statement="Return the place of a largest number, and the number. If there are several, return any of them.",
        tests=[new_test("[9, 9]", "[1, 9]", public=True), new_test("[7, 7]", "[1, 7]", public=True)],
    )  # fmt: skip
    right = """
def check(input, expected, actual):
    (a,) = input
    if type(actual) is not list or [type(item) for item in actual] != [int, int]:
        return False
    return 0 <= actual[0] < len(a) and a[actual[0]] == actual[1] == max(a)
"""
    generator = """
import json, random
seed, number = map(int, input().split())
chance = random.Random(f"{seed} {number}")
print(json.dumps([chance.randint(1, 3) for _ in range(chance.randint(1, 6))]))
"""
    validator = """
import json, sys
data = sys.stdin.buffer.read()
try:
    a = json.loads(data.decode("ascii"))
    right = data in (json.dumps(a).encode(), json.dumps(a).encode() + b"\\n") and type(a) is list and a
    right = right and all(type(item) is int and 0 < item < 100 for item in a)
except ValueError:
    right = False
print("VALID" if right else "INVALID: no list")
"""
    bad = [CHECKERS[name][0] for name in ("accepts everything", "compares")]
    script = answers(validators=[validator], generators=[generator], checkers=[*bad, right])
    detail = applied(given, script, grader, tmp_path, ways=("model",))
    assert given["checker"] and given["checker"]["code"].strip() == right.strip(), detail
    # on both known tests the wrong program gives another answer that is right as well: the made inputs tell
    assert [test for test in given["tests"] if test["origin"] == "model"] and "reject 1 of 1" in detail, detail


def test_planted_values_are_never_the_right_one() -> None:
    for right in (5, [], [1, 2, 2], ["a"], True, "word", [[1], [2]], 0.5):
        assert all(value != right for value, certain in planted_answers(right, [7]) if certain)
    certain = [value for value, certain in planted_answers([], [7]) if certain and isinstance(value, list)]
    assert {type(value) for (value,) in certain} == {int, str}, "where no list is right, wrong ones are planted"
