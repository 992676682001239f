"""Tests made for functions: by a model's generators as JSON lines, and by rules from a list of constraints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from microcoder_data.llm import Client, Llm
from microcoder_data.make_tests.rule import MakeTestsRule
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_row, new_test
from microcoder_data.shards import TestStore
from microcoder_eval import Grader
from tests.data.scripted_server import serving

LOOP = "def largest(a):\n    best = a[0]\n    for x in a:\n        best = max(best, x)\n    return best"
BUILT_IN = "def largest(a):\n    return max(a)"
FORGETS_SIGNS = "def largest(a):\n    return max(map(abs, a))"
VALIDATOR = """
import json, sys
text = sys.stdin.read()
try:
    value = json.loads(text)
    good = isinstance(value, list) and 0 < len(value) <= 20 and all(type(x) is int and abs(x) <= 100 for x in value)
    print("VALID" if good and json.dumps(value) + "\\n" == text else "INVALID: form")
except ValueError:
    print("INVALID: no JSON")
"""
GENERATOR = """
import json, random
seed, number = map(int, input().split())
chance = random.Random(f"{seed} {number}")
print(json.dumps([chance.randint(-100, 100) for _ in range(chance.randint(1, 20))]))
"""


def script(body: dict[str, Any], number: int) -> str:
    system, user = body["messages"][0]["content"], body["messages"][1]["content"]
    assert "Test inputs look exactly like these:\n```\n[1, 2, 3]\n```" in user
    return json.dumps({"program": VALIDATOR if "validators for" in system else GENERATOR})


def test_a_function_gets_the_inputs_of_proven_generators(tmp_path: Path) -> None:
    solutions = [
        {"language": "python", "code": code, "correct": correct, "origin": "official"}
        for code, correct in ((LOOP, True), (BUILT_IN, True), (FORGETS_SIGNS, False))
    ]
    row = new_row(
        problem_id="a:1", source="a", kind="call", statement="Return the largest number.", entry_point="largest",
        tests=[new_test("[1, 2, 3]", "3")], time_limit_ms=1000, memory_limit_mb=256, solutions=solutions,
    )  # fmt: skip
    with serving(script) as server, Grader(workers=2) as grader:
        llm = Llm(backend="openai", model="scripted", base_url=server.base_url, attempts=1)
        with Client(llm, tmp_path / "llm") as client:
            rule = MakeTestsRule(MakeTests(mutants=0, candidates=1), grader, TestStore(tmp_path), client)
            assert apply_rules(row, [rule], "verify") is None
    made = [test for test in row["tests"] if test["origin"] == "model"]
    assert made and "reject 1 of 1" in row["provenance"][-1]["detail"]
    assert all(max(json.loads(test["input"])) == json.loads(test["output"]) for test in made)


def test_a_function_with_constraints_gets_tests_by_rules(tmp_path: Path) -> None:
    starter = "class Solution:\n    def longest(self, s: str, k: int) -> int:\n        "
    runs = "__import__('re').findall('a*', s)[:k]"
    loop = f"best = 0\n        for run in {runs}:\n            best = max(best, len(run))\n        return best"
    right = [f"{starter}return max(map(len, {runs}), default=0)", f"{starter}{loop}"]
    wrong = f"{starter}return max(map(len, s.split('b')))"  # without the bound by k
    row = new_row(
        problem_id="a:2", source="a", kind="call", statement="The longest run among the first `k` matches.",
        constraints="- `1 <= k <= s.length <= 40`\n- `s[i]` is either `'a'` or `'b'`.", entry_point="Solution.longest",
        starter_code=starter, tests=[new_test('s = "aab"\nk = 1', "2")], time_limit_ms=2000, memory_limit_mb=256,
        solutions=[{"language": "python", "code": code, "correct": code != wrong, "origin": "official"}
                   for code in (*right, wrong)],
    )  # fmt: skip
    with Grader(workers=2) as grader:
        settings = MakeTests(ways=("rules",), mutants=0, small=20, limits=1)
        assert apply_rules(row, [MakeTestsRule(settings, grader, TestStore(tmp_path))], "verify") is None
    assert "reject 1 of 1" in row["provenance"][-1]["detail"]
    made = [test for test in row["tests"] if test["origin"] == "rules"]
    assert len(made) >= 10
    for test in made:
        s, k = (json.loads(line.partition(" = ")[2]) for line in test["input"].splitlines())
        assert 1 <= k <= len(s) <= 40 and set(s) <= set("ab")
