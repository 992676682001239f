"""Verify by execution: real programs behind the real grader decide about tests, checkers, limits and strength."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.process.checker import FindChecker, has_guessed_checker
from microcoder_data.report.dataset import rows
from microcoder_data.report.validate import validate
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_checker, new_row, new_test
from microcoder_data.shards import TestStore
from microcoder_data.verify import Verify
from microcoder_data.verify.cap_by_strength import Cap
from microcoder_data.verify.execution import Execution
from microcoder_data.verify.integrity import TestIntegrity
from microcoder_data.verify.limits import Limits
from microcoder_data.verify.run_solutions import RunSolutions
from microcoder_data.verify.strengthen import Strengthen
from microcoder_eval import Grader
from tests.data.made_up import taco_record, write_lines
from tests.eval.toolchains import needs

ADD = "a, b = map(int, input().split())\nprint(a + b)"
ADD_AGAIN = "import sys\nprint(sum(map(int, sys.stdin.read().split())))"
FORGETS_SIGNS = "a, b = map(int, input().split())\nprint(abs(a) + abs(b))"
STATEMENT = "Print the sum of the two integers a and b, where -100 <= a, b <= 100."
PLAIN = Execution(mutants=0, strengthen=None)

Examine = Callable[..., dict[str, Any] | None]


def sums(*pairs: tuple[int, int], wrong: int | None = None) -> list[dict[str, Any]]:
    return [new_test(f"{a} {b}\n", f"{a + b + (i == wrong)}\n") for i, (a, b) in enumerate(pairs)]


def row(right: list[str], wrong: list[str] = [], statement: str = STATEMENT, **columns: Any) -> dict[str, Any]:  # noqa: B006
    solutions = [
        {"language": "python", "code": code, "correct": correct, "origin": "official"}
        for correct, codes in ((True, right), (False, wrong))
        for code in codes
    ]
    given = {"kind": "stdin", "tests": sums((1, 2), (3, 4), (5, 6), (7, 8), (9, 1)), "time_limit_ms": 2000, **columns}
    return new_row(problem_id="a:1", source="a", statement=statement, solutions=solutions, **given)


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=2) as opened:
        yield opened


@pytest.fixture
def examine(grader: Grader, tmp_path: Path) -> Examine:
    """Verify a row; returns the entry for `dropped/`, or None."""

    def examined(row: dict[str, Any], settings: Execution = PLAIN) -> dict[str, Any] | None:
        executed = RunSolutions(settings, grader, TestStore(tmp_path))
        return apply_rules(row, [TestIntegrity(), Limits(), executed], "verify")

    return examined


def said(row: dict[str, Any], rule: str) -> str:
    return "; ".join(step["detail"] or "" for step in row["provenance"] if step["rule"] == rule)


def busy(seconds: float) -> str:
    """A right program that takes so much CPU time."""
    return f"import time\nwhile time.process_time() < {seconds}: pass\n{ADD}"


def test_a_package_without_a_limit_gets_the_one_its_judges_would_set(examine: Examine) -> None:
    given = row([ADD, ADD_AGAIN], [busy(1.6)], tests=sums((1, 2), (3, 4)), time_limit_ms=None, time_multiplier=5.0)
    assert examine(given) is None
    assert given["time_limit_ms"] == 1000
    assert (given["verification"]["wrong_run"], given["verification"]["wrong_rejected"]) == (1, 1)


def test_the_slowest_right_program_sets_it_also_when_two_others_have_agreed(examine: Examine) -> None:
    rights = [ADD, ADD_AGAIN, busy(0.8)]
    given = row(rights, [busy(1.6)], tests=sums((1, 2), (3, 4)), time_limit_ms=None, time_multiplier=3.0)
    assert examine(given) is None
    assert given["time_limit_ms"] in (3000, 4000)
    assert given["verification"]["wrong_rejected"] == 0


def test_solutions_that_agree_with_the_tests_are_noted(examine: Examine) -> None:
    given = row([ADD, ADD_AGAIN, "print(7)"])
    assert examine(given) is None
    found = given["verification"]
    assert (found["status"], found["solutions_run"], found["solutions_ok"]) == ("executed", 2, 2)
    assert len(given["tests"]) == found["tests_kept"] == 5


def test_a_wrong_expected_output_goes_and_is_counted(examine: Examine) -> None:
    given = row([ADD, ADD_AGAIN], tests=sums((1, 2), (3, 4), (5, 6), (7, 8), wrong=2))
    assert examine(given) is None
    assert [test["input"] for test in given["tests"]] == ["1 2\n", "3 4\n", "7 8\n"]
    assert (given["verification"]["tests_kept"], given["verification"]["tests_dropped"]) == (3, 1)
    assert "1 of 4 tests contradicted and dropped: 2" in said(given, "agreement_v2")


def test_one_wrong_solution_does_not_cost_a_test(examine: Examine) -> None:
    given = row([FORGETS_SIGNS, ADD], tests=sums((1, 2), (-3, 4), (5, 6)))
    assert examine(given) is None
    assert len(given["tests"]) == 3
    assert given["verification"]["agreement"] == 0.5


def test_a_row_whose_tests_are_mostly_contradicted_is_dropped(examine: Examine) -> None:
    entry = examine(row([ADD, ADD_AGAIN], tests=[new_test("1 2\n", "4\n"), new_test("2 2\n", "5\n"), *sums((1, 1))]))
    assert entry is not None and entry["reason"] == "solutions_contradict_tests"


@pytest.mark.parametrize(
    ("solution", "columns", "reason"),
    [
        ({"language": "cobol", "code": "DISPLAY 'HI'."}, {}, "cobol"),
        ({"language": "python", "code": "print 'an old Python'"}, {}, "does not compile"),
        (
            {"language": "python", "code": ADD},
            {"checker": new_checker("python", code="def other(): pass")},
            "JUDGE_ERROR",
        ),
    ],
)
def test_what_cannot_be_run_or_judged_stays_and_is_named(
    examine: Examine, solution: dict[str, Any], columns: dict[str, Any], reason: str
) -> None:
    given = row([], **columns)
    given["solutions"] = [{**solution, "correct": True, "origin": "official"}]
    assert examine(given) is None
    assert given["verification"]["status"] == "checked"
    notes = [step["detail"] for step in given["provenance"] if step["outcome"] == "marked"]
    assert any("not executed" in note and reason in note for note in notes)


def test_rows_without_a_reference_go_only_where_one_is_required(examine: Examine) -> None:
    assert examine(row([])) is None
    entry = examine(row([]), Execution(required=True))
    assert entry is not None and entry["reason"] == "no_reference"


def test_several_answers_are_found_by_what_the_statement_says(examine: Examine) -> None:
    statement = "Print two numbers with this sum. If there are several answers, print any of them."
    tests = [new_test("3\n", "1 2\n"), new_test("4\n", "1 3\n")]
    solution = "n = int(input())\nprint(1, n - 1)"
    entry = examine(row([solution], statement=statement, tests=tests), Execution(several_answers="drop"))
    assert entry is not None and entry["reason"] == "needs_checker"
    assert entry["detail"].startswith("any valid object: ")
    kept = row([solution], statement=statement, tests=tests)
    assert examine(kept) is None
    assert kept["verification"]["status"] == "needs_checker"
    assert "needs_checker (any valid object)" in said(kept, "agreement_v2")


def test_answers_of_one_word_are_a_class_of_their_own(examine: Examine) -> None:
    statement = "Print a divisor of the number that is not 1. If there are several, print any of them."
    tests = [new_test("6\n", "2\n"), new_test("15\n", "15\n")]
    given = row(["n = int(input())\nprint(n if n % 2 else 2)"], statement=statement, tests=tests)
    assert examine(given) is None and given["verification"]["status"] == "needs_checker"
    assert "needs_checker (any of a fixed set)" in said(given, "agreement_v2")


def test_several_answers_are_found_by_what_right_solutions_do(examine: Examine) -> None:
    tests = [new_test(f"{n}\n", f"1 {n - 1}\n") for n in (5, 6, 7)]
    splits = [f"n = int(input())\nprint({k}, n - {k})" for k in (2, 3, 4)]
    for checker in (None, new_checker("kattis_default")):  # a package without its own validator, too
        given = row(splits, statement="Print two positive numbers with this sum.", tests=tests, checker=checker)
        assert examine(given) is None and given["verification"]["status"] == "needs_checker"
        assert "right solutions answer differently" in said(given, "agreement_v2"), "with its evidence"


LOOP = "n = int(input())\nfor d in range(1, n + 1):\n    if n % d == 0:\n        print(d)"
"""The divisors of n."""


@pytest.mark.parametrize(
    ("kind", "right", "other", "wanted", "checker"),
    [
        ("stdin", LOOP, LOOP.replace("range(1, n + 1)", "range(n, 0, -1)"), ("1\n2\n3\n6\n", "1\n2\n4\n"), "lines"),
        ("stdin", "print('YES')", "print('Yes')", ("YES\n", "YES\n"), "case_insensitive"),
        ("stdin", "print(int(input()) / 7)", "print('%.5f' % (int(input()) / 7))", (6 / 7, 4 / 7), "float"),
        ("call", "def f(n):\n    return [n, 1]", "def f(n):\n    return [1, n]", ([6, 1], [4, 1]), "elements"),
    ],
)
def test_right_answers_in_another_form_get_a_checker(
    examine: Examine, kind: str, right: str, other: str, wanted: tuple[Any, Any], checker: str
) -> None:
    tests = [new_test(f"{n}", json.dumps(out) if kind == "call" else str(out)) for n, out in zip((6, 4), wanted)]  # noqa: B905
    columns = {"kind": kind, "entry_point": "f" if kind == "call" else None, "tests": tests}
    given = row([right, other], statement="Answer for n.", **columns)
    assert examine(given) is None
    assert checker in (given["checker"]["kind"], given["checker"]["of"])
    assert given["verification"]["solutions_ok"] == 2 and len(given["tests"]) == 2


@pytest.mark.parametrize(
    ("right", "answers", "wrong"),
    [
        ("print(int(input()) + 1)", {1: "2", 2: "3", 3: "4", 4: "5", 5: "6", 33550: "33552"}, 33550),
        ("n = int(input())\nprint(n, n + 1)", {1: "1 2", 2: "2 3", 3: "4 3", 4: "4 5", 5: "5 6"}, 3),
    ],
    ids=["integers that are close", "another order"],
)
def test_a_wrong_answer_is_no_other_form(examine: Examine, right: str, answers: dict[int, str], wrong: int) -> None:
    tests = [new_test(f"{n}\n", f"{answer}\n") for n, answer in answers.items()]
    given = row([right, right + "  "], statement="Answer for n.", tests=tests)
    assert examine(given) is None and given["checker"] is None
    assert {int(test["input"]) for test in given["tests"]} == answers.keys() - {wrong}


def test_no_checker_lets_a_known_wrong_solution_through(examine: Examine) -> None:
    up = "print(*sorted(map(int, input().split())))"
    down = "print(*sorted(map(int, input().split()), reverse=True))"
    tests = [new_test("2 1\n", "1 2\n"), new_test("5 4\n", "4 5\n")]
    given = row([up, up + "  ", down], [down + " "], statement="Print both numbers, sorted.", tests=tests)
    assert examine(given) is None and given["checker"] is None


@pytest.mark.parametrize(
    ("said", "least"),
    [("Print any such numbers.", 1), ("Print n numbers.", 1), ("Print the numbers in an order that n allows.", 5)],
)
def test_an_answer_that_is_an_order_is_not_compared_without_it(examine: Examine, said: str, least: int) -> None:
    rotated = f"n = int(input()) + {least} - 1\nprint(*range({least} + 1, n + 1), {least})"
    back = f"n = int(input()) + {least} - 1\nprint(n, *range({least}, n))"
    tests = [new_test(f"{n}\n", " ".join(map(str, [*range(least + 1, n + least), least]))) for n in (3, 4, 5)]
    given = row([rotated, back], statement=f"The only line has n. {said}", tests=tests)
    examine(given)
    assert given["checker"] is None


def test_answers_in_any_order_get_a_checker(examine: Examine) -> None:
    statement = "Print the divisors of n, one a line, in any order."
    up = "n = int(input())\nfor d in range(1, n + 1):\n    if n % d == 0:\n        print(d)"
    down = up.replace("range(1, n + 1)", "range(n, 0, -1)")
    given = row([up, down], statement=statement, tests=[new_test("6\n", "1\n2\n3\n6\n"), new_test("4\n", "1\n2\n4\n")])
    assert examine(given) is None
    assert (given["checker"]["kind"], given["checker"]["of"]) == ("unordered", "lines")
    assert given["verification"]["solutions_ok"] == 2


def test_an_order_of_the_input_is_no_reason_for_a_checker(examine: Examine) -> None:
    given = row([ADD, ADD_AGAIN], statement="The two integers are given in any order. Print their sum.")
    assert examine(given) is None
    assert given["checker"] is None and given["verification"]["status"] == "executed"


def test_where_no_limit_is_named_too_slow_is_what_takes_much_longer_than_the_right_ones(examine: Examine) -> None:
    needs("cpp")
    quick = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; WAIT std::cout << a + b; }"
    slow = "#include <ctime>\n" + quick.replace("WAIT", "while (clock() < 1.6 * CLOCKS_PER_SEC);")
    for limit, rejected in ((None, 1), (3000, 0)):
        given = row([quick.replace("WAIT", "")], [slow], time_limit_ms=limit, tests=sums((1, 2)))
        for solution in given["solutions"]:
            solution["language"] = "cpp"
        assert examine(given) is None
        assert (given["verification"]["wrong_run"], given["verification"]["wrong_rejected"]) == (1, rejected)
    assert given["time_limit_ms"] == 3000


def test_time_limits_follow_the_slowest_right_solution(examine: Examine) -> None:
    slow = "import time\nwhile time.process_time() < 0.4: pass\n" + ADD
    given = row([slow], time_limit_ms=200, tests=sums((1, 2)))
    assert examine(given) is None
    assert given["time_limit_ms"] >= 1200
    missing = row([ADD], time_limit_ms=None)
    assert examine(missing) is None
    assert missing["time_limit_ms"] == 1000 and missing["verification"]["max_time_ms"] in (100, 200, 500)


def test_tests_are_as_strong_as_the_wrong_programs_they_reject(examine: Examine) -> None:
    given = row([ADD, ADD_AGAIN], [FORGETS_SIGNS, "print(3)"])
    assert examine(given, Execution(mutants=4, strengthen=None)) is None
    found = given["verification"]
    assert (found["wrong_run"], found["wrong_rejected"]) == (2, 1)
    assert found["mutants_run"] >= found["mutants_rejected"] >= 1
    assert "1 of 2 wrong solutions" in said(given, "strength_v1")


def test_generated_tests_reject_what_got_through(examine: Examine) -> None:
    given = row([ADD, ADD_AGAIN], [FORGETS_SIGNS], tests=sums((1, 2), (-3, -4), (50, 60), (-7, -8), (9, 11)))
    weak = row([ADD, ADD_AGAIN], [FORGETS_SIGNS], tests=sums((1, 2), (30, 40), (50, 60), (0, 8), (9, 0)))
    settings = Execution(mutants=0, strengthen=Strengthen())
    assert examine(given, settings) is None and examine(weak, settings) is None
    assert not given["verification"]["tests_generated"], "strong tests need no more"
    made = [test for test in weak["tests"] if test["origin"] == "generated"]
    assert made and weak["verification"]["wrong_rejected"] == 1
    for test in made:
        a, b = map(int, test["input"].split())
        assert -100 <= a <= 100 and -100 <= b <= 100 and int(test["output"]) == a + b


def test_nothing_is_generated_where_more_is_promised_than_can_be_kept(examine: Examine) -> None:
    given = row([ADD, ADD_AGAIN], [FORGETS_SIGNS], statement=STATEMENT + " They are the ends of an edge of a tree.")
    assert examine(given, Execution(mutants=0)) is None
    assert len(given["tests"]) == 5 and "'tree'" in said(given, "strengthen_v1")


def test_a_cap_keeps_the_tests_that_tell(examine: Examine) -> None:
    tests = sums((-1, 2), *[(n, n) for n in range(1000, 1019)])
    given = row([ADD, ADD_AGAIN], [FORGETS_SIGNS], tests=tests)
    assert examine(given, Execution(mutants=0, strengthen=None, cap=Cap(limit=3))) is None
    assert len(given["tests"]) == 3 and given["tests"][0]["input"] == "-1 2\n"
    other = row([ADD, ADD_AGAIN], [FORGETS_SIGNS], tests=tests)
    assert examine(other, Execution(mutants=0, strengthen=None, cap=Cap(limit=3, choose="longest"))) is None
    assert "1 of 1 rejected programs get through" in said(other, "cap_v1")


def test_functions_and_test_programs_are_executed_too(examine: Examine) -> None:
    right, wrong = "def f(x):\n    return max(x)", "def f(x):\n    return x[0]"
    tests = [new_test(json.dumps(x), json.dumps(max(x))) for x in ([1, 2], [4, 2], [3, 9])]
    call = row([right, "def f(x):\n    return sorted(x)[-1]"], [wrong], kind="call", entry_point="f", tests=tests)
    assert examine(call) is None
    assert (call["verification"]["solutions_ok"], call["verification"]["wrong_rejected"]) == (2, 1)
    asserts = row([right], [wrong], kind="asserts", tests=[], test_code="assert f([1, 2]) == 2")
    assert examine(asserts) is None and asserts["verification"]["wrong_rejected"] == 1
    lie = row([right], kind="asserts", tests=[], test_code="assert f([1, 2]) == 1")
    entry = examine(lie)
    assert entry is not None and entry["reason"] == "solutions_contradict_tests"


def test_rules_before_it_may_be_switched_off(grader: Grader, tmp_path: Path) -> None:
    given = row([ADD], time_limit_ms=None)
    assert apply_rules(given, [RunSolutions(PLAIN, grader, TestStore(tmp_path))], "verify") is None
    assert given["verification"]["status"] == "executed" and given["time_limit_ms"] == 1000


def test_a_row_that_uses_up_its_time_says_so(examine: Examine) -> None:
    slow = "import time\nwhile time.process_time() < 0.3: pass\n" + ADD
    given = row([slow, slow + "\n"], [FORGETS_SIGNS])
    assert examine(given, Execution(row_seconds=0.1)) is None
    notes = [step["detail"] for step in given["provenance"] if step["outcome"] == "marked"]
    assert any("0.1 s" in note or "no time left" in note for note in notes)


def test_the_same_rows_come_of_one_worker_and_of_two(tmp_path: Path) -> None:
    lies = {"inputs": ["1 1\n", "1 2\n", "1 3\n", "1 4\n"], "outputs": ["2\n", "3\n", "4\n", "6\n"]}
    records = [taco_record(number, solutions=json.dumps([ADD, ADD_AGAIN])) for number in range(2, 7)]
    records.append(taco_record(1, solutions=json.dumps([ADD, ADD_AGAIN]), input_output=json.dumps(lies)))
    slips = [f"a, b = map(int, input().split())\nprint(a + b + (b == {b}))" for b in (1, 2)]
    records.append(taco_record(8, solutions=json.dumps([*slips, ADD])))
    source = write_lines(tmp_path / "taco.jsonl", records)
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        f"part_bytes: 4000\nsources:\n  - {{source: taco, path: {source}}}\n"
        "verify: {execution: {mutants: 2, strengthen: {tries: 5}}}\n"
    )
    manifests = []
    for workers in (1, 2):
        with_workers = make_engine("local", workers=workers)
        try:
            manifests.append(build(load_recipe(recipe), tmp_path / str(workers), with_workers))
        finally:
            with_workers.close()
    one, two = manifests
    assert one is not None and one == two
    assert one["stages"][-1]["executed"]["tests contradicted"] == 1
    found = [row["verification"] for row in rows(tmp_path / "1")]
    assert len(found) == 7 and all(one["status"] == "executed" for one in found)
    assert min(one["agreement"] for one in found) == pytest.approx(1 / 3)
    assert validate(tmp_path / "1") == []


def test_execution_is_off_unless_asked_for() -> None:
    assert Verify().execution is None


def all_of_them(solution: str, *answers: list[Any]) -> dict[str, Any]:
    given = "[1, 2, 3]"
    return row(
        [solution],
        statement="Return all subsets of numbers that are even, given an array.",
        kind="call",
        entry_point="f",
        starter_code="def f(nums):\n    pass",
        tests=[new_test(f"nums = {given[: -1 - number]}]", json.dumps(one)) for number, one in enumerate(answers)],
    )


def test_a_guessed_order_is_proven_or_taken_back(examine: Examine) -> None:
    proven = all_of_them("def f(nums):\n    return [2, 4] if len(nums) > 2 else [4, 6]", [4, 2], [4, 6])
    assert apply_rules(proven, [FindChecker()], "process") is None and has_guessed_checker(proven)
    examine(proven)
    assert proven["checker"]["kind"] == "unordered"
    wrong = all_of_them("def f(nums):\n    return [2, 5]", [4, 2], [4, 6])
    apply_rules(wrong, [FindChecker()], "process")
    examine(wrong)
    assert wrong["checker"] is None
    assert any(step["rule"] == "guessed_checker_v1" for step in wrong["provenance"])


DOUBLE = "def twice(x):\n    return 2 * x"


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        (">>> twice(3)\n6", None),
        (">>> twice(3)\n7", "sample_contradicts_test"),
        (">>> twice(3)\n7\n8", None),  # it may print several lines
        (">>> twice([1])\n[1, ...]", None),
        (">>> twice(0.1)\n0.3", None),  # rounding is not judged
        (">>> twice('a')\naa", None),
        (">>> twice(x)\n7", None),
        (">>> other(3)\n7", None),  # an error decides nothing
    ],
)
def test_an_example_that_a_right_solution_contradicts(examine: Examine, shown: str, reason: str | None) -> None:
    given = row([DOUBLE], statement=f"Double x.\n\n{shown}", kind="asserts", tests=[], entry_point="twice")
    given["test_code"] = "assert twice(1) == 2\nassert twice(4) == 8"
    entry = examine(given)
    assert (entry or {}).get("reason") == reason


def test_a_function_that_prints_its_example_contradicts_nothing(examine: Examine) -> None:
    prints = "def show(x):\n    print(x)\n    show.seen = x"
    given = row([prints], statement="Show x.\n\n>>> show(3)\n3", kind="asserts", tests=[], entry_point="show")
    given["test_code"] = "show(4)\nassert show.seen == 4"
    assert examine(given) is None


def test_a_row_whose_tests_the_grader_cannot_run_is_dropped(examine: Examine) -> None:
    given = row([DOUBLE], statement="Double x.", kind="asserts", tests=[], entry_point="twice")
    given["test_code"] = "def test(unheard_of):\n    assert twice(1) == 2"
    entry = examine(given)
    assert entry is not None and entry["reason"] == "not_gradable" and "unheard_of" in entry["detail"]


def test_a_solution_that_imports_what_is_not_installed_contradicts_nothing(examine: Examine) -> None:
    given = row([f"import not_there_at_all.part\n{ADD}"])
    assert examine(given) is None
    assert "it imports not_there_at_all.part, which is not installed" in said(given, Execution.name)


def test_the_first_difference_is_said_of_contradicted_tests(examine: Examine) -> None:
    given = row(["def twice(x):\n    return x.y"], statement="Double x.", kind="asserts", tests=[], entry_point="twice")
    given["test_code"] = "assert twice(1) == 2"
    entry = examine(given)
    assert (
        entry is not None and entry["reason"] == "solutions_contradict_tests" and "no attribute 'y'" in entry["detail"]
    )
