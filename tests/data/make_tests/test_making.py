"""Tests made by rules and by differences: real solutions behind the real grader prove them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.make_tests.choose import choose
from microcoder_data.make_tests.grammar import infer
from microcoder_data.make_tests.making import Making
from microcoder_data.make_tests.mutate import smaller
from microcoder_data.make_tests.rule import MakeTestsRule
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.process.checker import FindChecker
from microcoder_data.report.dataset import rows
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_checker, new_row, new_test, to_problem
from microcoder_data.shards import TestStore
from microcoder_data.verify.program_runner import ProgramRunner, programs
from microcoder_eval import Grader
from tests.data.builds import published
from tests.data.made_up import write_lines

LARGEST = "input()\nprint(max(map(int, input().split())))"
SORTED = "n = int(input())\na = sorted(map(int, input().split()))\nprint(a[n - 1])"
FORGETS_SIGNS = "input()\nprint(max(abs(int(x)) for x in input().split()))"
SECOND_HALF = "n = int(input())\na = list(map(int, input().split()))\nprint(max(a[n // 2:]) if n < 9 else max(a))"
RARE = "input()\na = list(map(int, input().split()))\nprint(max(a) + (a.count(7) == 3 and len(a) == 5))"
SLOW = "n = int(input())\na = list(map(int, input().split()))\nprint(max(max(x, y) for x in a for y in a))"
QUICK = MakeTests(small=24, limits=3, mutants=0, rounds=4, ways=("rules", "differences"))


def row(right: list[str], wrong: list[str], **columns: Any) -> dict[str, Any]:
    samples = [("3\n1 2 3\n", "3\n"), ("2\n-5 4\n", "4\n")]
    given = {
        "statement": "Print the largest of the numbers.",
        "input_format": "The first line holds `n`. The second line holds `n` integers `a_1 ... a_n`.",
        "constraints": "- 1 ≤ n ≤ 3000\n- -100 ≤ a_i ≤ 100",
        "samples": [{"input": a, "output": b, "explanation": None} for a, b in samples],
        "tests": [new_test(a, b, public=True, origin="sample") for a, b in samples],
        "time_limit_ms": 1000,
        "memory_limit_mb": 256,
        **columns,
    }
    solutions = [
        {"language": "python", "code": code, "correct": correct, "origin": "official"}
        for correct, codes in ((True, right), (False, wrong))
        for code in codes
    ]
    return new_row(problem_id="a:1", source="a", solutions=solutions, **{"kind": "stdin", **given})


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=2) as opened:
        yield opened


def made(given: dict[str, Any], grader: Grader, settings: MakeTests = QUICK) -> tuple[Making, str, str]:
    problem = to_problem(given)
    rights, _ = programs(given, problem, correct=True, most=settings.solutions)
    making = Making(given, ProgramRunner(grader, problem, 200.0), rights, settings)
    outcome = making.run()
    assert outcome is not None
    return making, outcome.outcome, outcome.detail or ""


def test_made_tests_reject_what_the_samples_accept(grader: Grader) -> None:
    given = row(
        [LARGEST, SORTED], [FORGETS_SIGNS, SECOND_HALF, SLOW], constraints="- 1 ≤ n ≤ 20000\n- -100 ≤ a_i ≤ 100"
    )
    making, outcome, detail = made(given, grader)
    assert outcome == "changed" and "they reject 3 of 3" in detail, detail
    fresh = [test for test in given["tests"] if test["origin"] == "rules"]
    assert len(fresh) >= 10 and all(making.grammar and not making.grammar.fault(test["input"]) for test in fresh)
    for test in fresh:
        assert int(test["output"]) == max(map(int, test["input"].split()[1:]))


def test_differences_find_what_sampling_misses_and_make_it_small(grader: Grader) -> None:
    given = row([LARGEST, SORTED], [RARE], constraints="- 1 ≤ n ≤ 3000\n- 5 ≤ a_i ≤ 7",
                samples=[{"input": "2\n5 7\n", "output": "7\n", "explanation": None}],
                tests=[new_test("2\n5 7\n", "7\n", public=True, origin="sample")])  # fmt: skip
    few = MakeTests(small=2, limits=0, mutants=0, rounds=40, ways=("rules", "differences"))
    _, _, detail = made(given, grader, few)
    found = [test["input"] for test in given["tests"] if test["origin"] == "differences"]
    assert found and "reject 1 of 1" in detail, detail
    numbers = found[0].split()[1:]
    assert len(numbers) == 5 and numbers.count("7") == 3


def test_one_right_solution_in_two_spellings_is_one(grader: Grader) -> None:
    again = LARGEST.replace("x", "y") + "\n# the same\n"
    _, outcome, detail = made(row([LARGEST, again], [FORGETS_SIGNS]), grader)
    assert outcome == "marked" and "1 independent right solutions" in detail


def test_a_right_solution_that_fails_a_sample_proves_nothing(grader: Grader) -> None:
    _, outcome, detail = made(row([LARGEST, "print(3)"], []), grader)
    assert outcome == "marked" and "2 are needed" in detail


def test_inputs_on_which_right_solutions_disagree_are_not_used(grader: Grader) -> None:
    breaks = SORTED.replace("print(a[n - 1])", "print(a[n - 1] + (n > 100))")
    given = row([LARGEST, breaks], [])
    _, _, detail = made(given, grader)
    assert "right solutions disagree" in detail
    assert all(int(test["input"].split()[0]) <= 100 for test in given["tests"])


def test_a_checker_judges_the_answer_that_becomes_the_expected_one_too(grader: Grader) -> None:
    place = "n = int(input())\na = list(map(int, input().split()))\nprint(a.index(max(a)) + 1)"
    past_the_end = place.replace("+ 1)", "+ (1 if n < 100 else 5000))")
    checker = (
        "def check(input, expected, actual):\n    a = list(map(int, input.split()))[1:]\n    at = int(actual)\n"
        "    return 1 <= at <= len(a) and a[at - 1] == max(a)"
    )
    given = row([past_the_end, place], [], checker=new_checker("python", code=checker))
    _, outcome, _ = made(given, grader)
    assert outcome == "changed"
    assert all(int(test["output"]) <= int(test["input"].split()[0]) for test in given["tests"][2:])


def test_several_answers_in_any_order_get_a_proven_checker(grader: Grader) -> None:
    up = "n = int(input())\nprint(*sorted(map(int, input().split())), sep='\\n')"
    down = "n = int(input())\nprint(*sorted(map(int, input().split()), reverse=True), sep='\\n')"
    short = "n = int(input())\nprint(*sorted(map(int, input().split()))[1:], sep='\\n')"
    given = row([up, down], [short], statement="Print all numbers.",
                samples=[{"input": "1\n4\n", "output": "4\n", "explanation": None}],
                tests=[new_test("1\n4\n", "4\n", public=True, origin="sample")])  # fmt: skip
    given["constraints"] = "- 1 ≤ n ≤ 30\n- -100 ≤ a_i ≤ 100"
    ordered = copy.deepcopy(given)
    _, outcome, detail = made(given, grader)
    assert outcome == "changed" and "any order" in detail, detail
    assert given["checker"]["kind"] == "unordered"
    ordered["statement"] = "Print all numbers in an order in which they can be taken."
    _, _, detail = made(ordered, grader)
    assert ordered["checker"] is None and "needs a checker (any valid object)" in detail


def test_a_right_solution_that_contradicts_two_others_shows_several_answers(grader: Grader) -> None:
    up = "n = int(input())\nprint(*sorted(map(int, input().split())), sep='\\n')"
    again = "n = int(input())\na = sorted(map(int, input().split()))\nfor x in a:\n    print(x)"
    down = "n = int(input())\nprint(*sorted(map(int, input().split()), reverse=True), sep='\\n')"
    given = row([up, again, down], [], statement="Print all numbers.", constraints="- 1 ≤ n ≤ 30\n- -100 ≤ a_i ≤ 100",
                samples=[], tests=[new_test("2\n4 1\n", "1\n4\n", public=True)])  # fmt: skip
    _, outcome, detail = made(given, grader)
    assert outcome == "changed" and given["checker"]["kind"] == "unordered", detail
    assert "1 right solutions give other answers to known tests" in detail


def test_any_valid_answer_without_a_checker_makes_no_test(grader: Grader) -> None:
    given = row(
        [LARGEST, SORTED], [], output_format="Print any of the numbers. If there are several, print any of them."
    )
    _, outcome, detail = made(given, grader)
    assert outcome == "marked" and "needs a checker (any of a fixed set)" in detail
    assert len(given["tests"]) == 2


def test_the_rule_gives_rows_without_tests_their_samples(grader: Grader, tmp_path: Path) -> None:
    given = row([LARGEST, SORTED], [FORGETS_SIGNS], tests=[])
    assert apply_rules(given, [MakeTestsRule(QUICK, grader, TestStore(tmp_path))], "verify") is None
    assert [test["origin"] for test in given["tests"][:2]] == ["sample", "sample"] and len(given["tests"]) > 10
    assert given["provenance"][-1]["rule"] == "make_tests_v7"


def test_rows_with_enough_tests_are_left_alone(grader: Grader, tmp_path: Path) -> None:
    tests = [new_test(f"1\n{number}\n", f"{number}\n") for number in range(30)]
    given = row([LARGEST, SORTED], [], tests=tests)
    assert apply_rules(given, [MakeTestsRule(QUICK, grader, TestStore(tmp_path))], "verify") is None
    assert given["tests"] == tests and not given["provenance"]


def test_smaller_inputs_are_allowed_and_smaller() -> None:
    grammar = infer(row([], []))
    text = "6\n1 2 3 4 5 6\n"
    steps = list(smaller(grammar, text))
    assert steps and all(not grammar.fault(step) and len(step) <= len(text) for step in steps)
    assert "3\n4 5 6\n" in steps


def test_the_choice_rejects_every_program_twice(grader: Grader) -> None:
    making, _, _ = made(row([LARGEST, SORTED], [FORGETS_SIGNS, SECOND_HALF]), grader)
    kept = set(choose(making.tests, making.rejecting, 30))
    assert all(len(found & kept) >= min(2, len(found)) for found in making.rejecting)


def test_a_build_with_made_tests_is_the_same_twice(tmp_path: Path) -> None:
    record = {
        "id": "one", "statement": "Print the largest of the numbers.\n\n## Input\n\nThe first line holds `n`. The "
        "second line holds `n` integers `a_1 ... a_n`.\n\n## Constraints\n\n- 1 ≤ n ≤ 50\n- -100 ≤ a_i ≤ 100\n",
        "samples": [{"input": "3\n1 2 3\n", "output": "3\n"}],
        "tests": [{"input": "3\n1 2 3\n", "output": "3\n"}, {"input": "2\n-5 4\n", "output": "4\n"}],
        "solutions": [LARGEST, SORTED],
    }  # fmt: skip
    write_lines(tmp_path / "in.jsonl", [record])
    recipe = tmp_path / "made.yaml"
    recipe.write_text(
        f"sources:\n  - source: generic\n    path: {tmp_path / 'in.jsonl'}\n"
        "filter: {relevance: false, quality: false}\n"
        "verify:\n  make_tests: {small: 12, limits: 2, mutants: 2, rounds: 1}\n"
        "  execution: {mutants: 2, strengthen: false}\n"
    )
    for name in ("a", "b"):
        build(load_recipe(recipe), tmp_path / name, make_engine("local", workers=1))
    assert published(tmp_path / "a") == published(tmp_path / "b")
    (only,) = rows(tmp_path / "a")
    assert any(test["origin"] == "rules" for test in only["tests"])
    assert only["verification"]["status"] == "executed"


PADDED = "print(input().strip().rjust(5))"
PADDED_TOO = "word = input().strip()\nprint(' ' * (5 - len(word)) + word)"
FLUSH_LEFT = "print(input().strip().ljust(5))"


@pytest.mark.parametrize(("answer", "kind"), [("   ab\n", "exact"), ("ab\n", None), ("   ab", None)])
def test_spaces_count_where_right_solutions_print_them(
    answer: str, kind: str | None, grader: Grader, tmp_path: Path
) -> None:
    given = row(
        [PADDED, PADDED_TOO], [FLUSH_LEFT],
        statement="Print the word flush right in a column of five letters.",
        input_format="The only line holds a word `s`.", output_format="Print the column. Spaces count.",
        constraints="- `s` has 1 to 5 letters from `a` to `z`",
        samples=[{"input": "ab\n", "output": answer, "explanation": None}],
        tests=[new_test("ab\n", answer, public=True, origin="sample")],
    )  # fmt: skip
    rules = [FindChecker(), MakeTestsRule(QUICK, grader, TestStore(tmp_path))]
    assert apply_rules(given, rules, "verify") is None
    assert (given["checker"] or {"kind": None})["kind"] == kind
    found = given["provenance"][-1]["detail"]
    assert f"reject {1 if kind else 0} of 1" in found, found


FIRST_PLACE = (
    "n = int(input())\na = input().split()\nprint(1 + min(i for i in range(n) if int(a[i]) == max(map(int, a))))"
)
LAST_PLACE = "n = int(input())\na = list(map(int, input().split()))\nprint(n - a[::-1].index(max(a)))"
LEAST_PLACE = "n = int(input())\na = list(map(int, input().split()))\nprint(a.index(min(a)) + 1)"
FIRST_MODE = "input()\na = input().split()\nprint(max(a, key=a.count))"
LAST_MODE = (
    "input()\na = input().split()[::-1]\nbest = max(map(a.count, a))\nprint(next(x for x in a if a.count(x) == best))"
)
FIRST_NUMBER = "input()\nprint(input().split()[0])"
LAST_NUMBER = "input()\nprint(input().split()[-1])"
RAREST = "input()\na = input().split()\nprint(min(a, key=a.count))"


@pytest.mark.parametrize(
    ("rights", "wrong", "given"),
    [
        ([FIRST_PLACE, LAST_PLACE], LEAST_PLACE, "the same value at its place in the longest line, from 1"),
        ([FIRST_MODE, LAST_MODE], RAREST, "as often in the input"),
        ([FIRST_PLACE, FIRST_PLACE.replace("1 + min(", "min(1 + ")], LEAST_PLACE, ""),
        ([FIRST_PLACE, LEAST_PLACE], LAST_PLACE, ""),
        ([FIRST_NUMBER, LAST_NUMBER], LAST_PLACE, ""),
    ],
)
@pytest.mark.parametrize("said", ["If there are several, print any of them.", ""])
def test_any_of_a_fixed_set_of_answers(
    rights: list[str], wrong: str, given: str, said: str, grader: Grader, tmp_path: Path
) -> None:
    one = row(
        rights, [wrong], statement=f"Print a number or its place. {said}", constraints="- 1 ≤ n ≤ 9\n- 1 ≤ a_i ≤ 3",
        samples=[], tests=[new_test("1\n1\n", "1\n", public=True)],
    )  # fmt: skip
    assert apply_rules(one, [MakeTestsRule(QUICK, grader, TestStore(tmp_path))], "verify") is None
    found = one["provenance"][-1]["detail"]
    if given:
        assert given in found and "reject 1 of 1" in found, found
        assert one["checker"]["kind"] == "python" and given in one["checker"]["code"]
    elif said:  # two that always agree show nothing, and two that have nothing in common have no checker
        assert "needs a checker (any of a fixed set)" in found and one["checker"] is None, found


@pytest.mark.parametrize(
    ("argument", "rights", "wrong", "given"),
    [
        ("list[int]", ["a.index(max(a))", "len(a) - 1 - a[::-1].index(max(a))"], "a.index(min(a))", "from 0"),
        ("list[int]", ["max(a, key=a.count)", "max(a[::-1], key=a.count)"], "min(a, key=a.count)", "as often"),
        ("str", ["max(a, key=a.count)", "max(a[::-1], key=a.count)"], "min(a, key=a.count)", "as often"),
        ("list[int]", ["a[0]", "a[-1]"], "max(a)", ""),
    ],
)
def test_any_of_a_fixed_set_of_values_of_a_function(
    argument: str, rights: list[str], wrong: str, given: str, grader: Grader, tmp_path: Path
) -> None:
    values = "a consists of lowercase English letters." if argument == "str" else "1 <= a[i] <= 3"
    known, answer = ('"a"', '"a"') if argument == "str" else ("[1]", "0" if "from" in given else "1")
    one = row(
        *([f"def solve(a):\n    return {code}" for code in codes] for codes in (rights, [wrong])), kind="call",
        statement="Return one of the best. If there are several, return any of them.", entry_point="solve",
        starter_code=f"def solve(a: {argument}) -> {'int' if argument != 'str' else 'str'}: ...", input_format=None,
        constraints=f"1 <= a.length <= 9\n{values}", samples=[], tests=[new_test(known, answer, public=True)],
    )  # fmt: skip
    assert apply_rules(one, [MakeTestsRule(QUICK, grader, TestStore(tmp_path))], "verify") is None
    found = one["provenance"][-1]["detail"]
    if given:
        assert given in found and "reject 1 of 1" in found and one["checker"]["kind"] == "python", found
    else:
        assert "needs a checker (any of a fixed set)" in found and one["checker"] is None, found
