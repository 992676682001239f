"""Several right answers that only checkers show: neither the statement says so, nor do the right solutions differ.

The problems are embedded ones without the sentence that allows any answer; of their right solutions one is left, in two
independent forms. The scripted model answers with the problem's own checker and with another one.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.make_tests.other_answers import changed_answers, may_have_others
from microcoder_data.problem_set import find_problems, read_entry
from microcoder_data.problem_set.statement import samples, sections
from microcoder_data.schema import new_row, new_test, to_problem
from microcoder_eval import Grader, Submission, TestCase, Verdict
from tests.data.make_tests.test_model import CHECKERS, LARGEST, SORTED, answers, applied

ALLOWS_ANY = (
    " If there are several best splits, print any of\nthem.",
    " Any right answer is accepted.",
    "A merchant always packs\nhis oranges as exactly three triangles, which may be of equal or different sides. ",
    " If several\norders are possible, return any of them.",
    " If several orders are best, return any of them.",
)
TEAMS = """
def check(input, expected, actual):
    first, *rest = [list(map(int, line.split())) for line in input.splitlines()]
    if expected.split() == ["IMPOSSIBLE"] or actual.split() == ["IMPOSSIBLE"]:
        return expected.split() == actual.split()
    found = actual.strip()
    if len(found) != first[0] or any(one not in "12" for one in found):
        return False
    even = lambda split: max(split.count(team) for team in "12")
    return all(found[a - 1] != found[b - 1] for a, b in rest) and even(found) == even(expected.strip())
"""
TRIANGLES = """
import re
def check(input, expected, actual):
    wanted = [int(line) for line in input.splitlines()[1:]]
    found = [re.findall("[^ ]+", line) for line in actual.strip().split("\\n")]
    if len(found) != len(wanted) or any(len(line) != 3 for line in found):
        return False
    if not all(re.fullmatch("[0-9]{1,6}", word) for line in found for word in line):
        return False
    return all(sum(int(side) * (int(side) + 1) for side in line) == 2 * n for line, n in zip(found, wanted))
"""
CONSTRAINTS = {  # of the functions, in words that the grammar's reader knows
    "circle-seating": "2 <= clubs.length <= 8000\n1 <= clubs[i].length <= 6\nclubs[i] consists of lowercase letters.",
    "quest-order": "1 <= n <= 4000\n0 <= rules.length <= 12000\nrules[i].length == 2\n0 <= rules[i][j] < n\n"
    "night.length == n",
}
SEATS = """
def check(input, expected, actual):
    if not expected or not isinstance(actual, list) or not all(isinstance(name, str) for name in actual):
        return actual == expected
    return sorted(actual) == sorted(input[0]) and all(a != b for a, b in zip(actual, actual[1:] + actual[:1]))
"""
QUESTS = """
from itertools import groupby
def check(input, expected, actual):
    count, rules, night = input
    if not expected or not isinstance(actual, list) or not all(type(quest) is int for quest in actual):
        return actual == expected
    times = lambda order: len(list(groupby(order, key=night.__getitem__)))
    return (sorted(actual) == list(range(count)) and all(actual.index(a) < actual.index(b) for a, b in rules)
            and times(actual) == times(expected))
"""
COMPARES = CHECKERS["compares"][0]
LAX_TEAMS = "def check(input, expected, actual):\n    found = actual.split()\n    return len(found) == 1 and (\n"
LAX_TEAMS += (
    "        found == expected.split() or len(found[0]) == len(expected.strip()) and set(found[0]) <= set('12'))\n"
)


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=2) as opened:
        yield opened


def row(slug: str, right: str) -> dict[str, Any]:
    entry = read_entry(find_problems() / slug)
    statement = entry.statement
    for sentence in ALLOWS_ANY:
        statement = statement.replace(sentence, "")
    parts, pairs = sections(statement), samples(statement)
    if entry.kind == "call":
        pairs = [("\n".join(line.split(" = ", 1)[1] for line in a.splitlines()), b) for a, b in pairs]
    code = solution(slug, right)
    again = "if True:\n" + textwrap.indent(code, "    ")
    labelled = [(code, True), (again, True), *((one.code, False) for one in entry.solutions if one.role == "wrong")]
    return new_row(
        problem_id=f"embedded:{slug}", source="embedded", kind=entry.kind, statement=statement.split("\n## ")[0],
        input_format=parts.get("Input"), output_format=parts.get("Output"),
        constraints=CONSTRAINTS.get(slug, parts["Constraints"]),
        entry_point=entry.entry_point or None, starter_code=entry.starter or None,
        samples=[{"input": a, "output": b, "explanation": None} for a, b in pairs],
        tests=[new_test(a, b, public=True, origin="sample") for a, b in pairs], time_limit_ms=2000, memory_limit_mb=256,
        solutions=[{"language": "python", "code": one, "correct": yes, "origin": "official"} for one, yes in labelled],
    )  # fmt: skip


def own_checker(slug: str) -> str:
    return (find_problems() / slug / "checker.py").read_text()


def solution(slug: str, name: str) -> str:
    return next(one.code for one in read_entry(find_problems() / slug).solutions if one.name.endswith(name))


def verdict(given: dict[str, Any], code: str, grader: Grader) -> Verdict:
    return grader.grade(to_problem(given), Submission("one", given["problem_id"], code)).verdict


OTHERS = {  # how a right solution gives other right answers, a wrong one, and another checker
    "rival-teams": ("bitset.py", '"1" if', '"1" if not', "any_split.py", TEAMS),
    "triangular-crates": ("two_pointers.py", "return top, high, low", "return low, high, top", "greedy.py", TRIANGLES),
    "circle-seating": ("every_other_seat.py", "return seats", "return seats[::-1]", "row_not_ring.py", SEATS),
    "quest-order": ("phases.py", "for quest in range(n) if", "for quest in range(n)[::-1] if", "any_order.py", QUESTS),
}


@pytest.mark.parametrize("slug", OTHERS)
def test_checkers_show_that_other_answers_are_right(slug: str, grader: Grader, tmp_path: Path) -> None:
    right, was, now, wrong, second = OTHERS[slug]
    given, other = row(slug, right), solution(slug, right).replace(was, now)
    assert verdict(given, other, grader) is Verdict.WRONG_ANSWER  # before, answers are compared
    script = answers(validators=[], generators=[], checkers=[own_checker(slug), second])
    detail = applied(given, script, grader, tmp_path, wrong=2, ways=("rules", "model"))
    assert "several answers are right" in detail and given["checker"]["kind"] == "python", detail
    assert len(given["tests"]) > 10
    assert verdict(given, other, grader) is Verdict.ACCEPTED
    assert verdict(given, solution(slug, wrong), grader) is Verdict.WRONG_ANSWER


SAME_VALUE = "def check(input, expected, actual):\n    return actual == expected"
LAX_QUESTS = QUESTS.replace("times(actual) == times(expected)", "True")


@pytest.mark.parametrize(
    ("slug", "checkers"),
    [
        ("rival-teams", [own_checker("rival-teams")]),  # one alone
        ("rival-teams", [TEAMS, TEAMS.replace("found", "answer").replace("actual", "given")]),  # one in two spellings
        ("rival-teams", [TEAMS, COMPARES, own_checker("rival-teams")]),  # one says that no other answer is right
        ("rival-teams", [LAX_TEAMS, f"import re\n{LAX_TEAMS}"]),  # solutions that are known to be wrong pass
        ("circle-seating", [SEATS]),
        ("circle-seating", [SEATS, SAME_VALUE, own_checker("circle-seating")]),
        ("quest-order", [LAX_QUESTS, f"import re\n{LAX_QUESTS}"]),
    ],
)
def test_without_agreeing_checkers_answers_are_compared(
    slug: str, checkers: list[str], grader: Grader, tmp_path: Path
) -> None:
    given = row(slug, OTHERS[slug][0])
    script = answers(validators=[], generators=[], checkers=[*checkers, "no program"][:3])
    detail = applied(given, script, grader, tmp_path, wrong=5, ways=("rules", "model"))
    assert given["checker"] is None and len(given["tests"]) > 10, detail


def test_a_problem_with_one_answer_keeps_its_comparison(grader: Grader, tmp_path: Path) -> None:
    asked = []

    def script(body: dict[str, Any], number: int) -> Any:
        asked.append("checkers for" in body["messages"][0]["content"])
        return answers(checkers=[COMPARES])(body, number)

    solutions = [
        {"language": "python", "code": code, "correct": True, "origin": "official"} for code in (LARGEST, SORTED)
    ]
    given = new_row(
        problem_id="a:1", source="a", kind="stdin", statement="Print the largest of the numbers.", solutions=solutions,
        input_format="The first line holds `n`. The second line holds `n` integers `a_1 ... a_n`.",
        constraints="- 1 ≤ n ≤ 30\n- -100 ≤ a_i ≤ 100", time_limit_ms=1000, memory_limit_mb=256,
        tests=[new_test("3\n1 2 3\n", "3\n", public=True)],
    )  # fmt: skip
    applied(given, script, grader, tmp_path)
    assert sum(asked) == 1 and given["checker"] is None  # its first answer is proven, and takes no other one


def test_a_value_of_another_type_is_no_other_answer(grader: Grader, tmp_path: Path) -> None:
    codes = [
        "[min(values), max(values)]",
        "sorted(values)[:1] + sorted(values)[-1:]",
        "[min(values), max(values) + 0.0]",
    ]
    solutions = [
        {
            "language": "python",
            "code": f"def bounds(values):\n    return {code}",
            "correct": number < 2,
            "origin": "official",
        }
        for number, code in enumerate(codes)
    ]
    given = new_row(
        problem_id="a:1", source="a", kind="call", statement="Return the bounds of the numbers.", solutions=solutions,
        entry_point="bounds", starter_code="def bounds(values: list[int]) -> list[int]: ...",
        constraints="- 1 <= len(values) <= 30\n- -100 <= values[i] <= 100", time_limit_ms=1000, memory_limit_mb=256,
        tests=[new_test("[1, 2, 3]", "[1, 3]", public=True)],
    )  # fmt: skip
    script = answers(validators=[], generators=[], checkers=[SAME_VALUE, f"import re\n{SAME_VALUE}"])
    detail = applied(given, script, grader, tmp_path, wrong=2, ways=("rules", "model"))
    assert given["checker"] is None and len(given["tests"]) > 10, detail


@pytest.mark.parametrize(
    ("statement", "given", "answer", "asks"),
    [
        ("Print the place of a largest number.", "3\n1 5 5", "2", True),
        ("Print the places of two numbers.", "3\n1 5 5", "2 3", True),
        ("Print the lexicographically smallest pair.", "3\n1 5 5", "2 3", False),
        ("Print Yes or No.", "3\n1 5 5", "Yes", False),
        ("Print the number of ways.", "3\n1 5 5", "1200", False),
        ("Print a word without repeated letters.", "3", "abc", True),
        ("Return a word of these letters.", [["a", "b"]], "ba", True),
        ("Return the place of a largest number.", [[1, 5, 5]], 1, True),
        ("Return the sentence.", ["no red fox"], "no fox", True),
        ("Say whether they are sorted.", [[1, 5, 5]], True, False),
        ("Change the list in place.", [[1, 5, 5]], None, False),
        ("Return the number of ways.", [[1, 5, 5]], 1200, False),
    ],
)
def test_checkers_are_asked_for_where_an_answer_may_be_chosen(
    statement: str, given: Any, answer: Any, asks: bool
) -> None:
    assert may_have_others(new_row(statement=statement), [TestCase(given, answer)]) is asks


def test_changed_answers() -> None:
    assert {"1 3\n2\n", "2\n3 1\n", "1\n2 3\n"} <= set(changed_answers("2\n1 3\n", "4 7"))
    assert "2112\n" in set(changed_answers("1221\n", "4")) and "bab\n" in set(changed_answers("aba\n", "3"))
    assert {5, 2, 4} == set(changed_answers(3, [[3, 5]]))
    assert [3, 2, 1] in list(changed_answers([1, 2, 3], []))
    assert {"red fox", "a b"} <= set(changed_answers("a b c", [["red fox", "a b"], "a b c"]))
