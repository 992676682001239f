"""Find problems with several right answers, and a built-in checker that accepts those of all right solutions.

Two signs: the statement says so, or a right solution contradicts an expected output. If the answers differ only in
letter case, in rounding or in the order of their parts, the grader has a checker that ignores it. The row gets that
checker only if it accepts every right solution on every test, refuses planted wrong answers, and accepts no known-wrong
solution that the row's own comparison rejects. Other rows get a class: any of a fixed set, or any valid object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.process.any_order import asks_for_an_order, in_any_order
from microcoder_data.process.checker import has_guessed_checker
from microcoder_data.process.several_answers import several_answers
from microcoder_data.schema import Row, new_checker
from microcoder_data.verify.agreement import Agreement
from microcoder_data.verify.program_runner import AGAINST, Program, ProgramRunner, programs
from microcoder_eval import Checker, InputError, TestCase, Verdict
from microcoder_eval.reading.problem_from_row import checker_record

MOST_TESTS = 5
"""At most this many doubted tests are run for different answers, and as many get planted wrong answers."""
MOST_WRONG = 5
"""At most this many known-wrong solutions are judged by a new checker."""
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,300}(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_CASE = new_checker("case_insensitive")
_ROUNDING = [new_checker("float", abs=tolerance, rel=tolerance) for tolerance in (1e-6, 1e-4)]
_ORDERS = {
    "stdin": [
        new_checker("unordered", of="lines"),
        new_checker("unordered", of="tokens"),
        new_checker("unordered", of="lines", nested=True),
        new_checker("unordered", of="elements"),
        new_checker("unordered", of="elements", nested=True),
    ],
    "call": [new_checker("unordered", of="elements"), new_checker("unordered", of="elements", nested=True)],
}


@dataclass(frozen=True)
class Several:
    """A problem with several right answers."""

    why: str
    checker: dict[str, Any] | None = None
    """The checker that all right solutions pass, as the row's column; None when none was found."""
    kind: str = ""
    """The class of the problem, where no checker was found."""


def find_several(
    row: Row, runner: ProgramRunner, rights: Sequence[Program], agreement: Agreement, limit_s: float
) -> Several | None:
    """Why several answers are right, and a checker for them, for a row that accepts one answer; None without a sign."""
    if (checker := row["checker"]) is not None and checker["kind"] != "kattis_default":
        return None
    if row["kind"] not in ("stdin", "call"):
        return None
    stated = several_answers(row) if checker is None else None  # a package's jury knows that it compares outputs
    contradicts = bool(agreement.doubted) and agreement.judged > 0
    if not stated and not contradicts:
        return None
    any_order = in_any_order(row)
    candidates = _ORDERS[row["kind"]] if any_order else []
    if contradicts:
        answers = [test.output for test in runner.problem.tests]
        rounding = [column for column in _ROUNDING if not hides_integers(column, answers)]
        by_order = any_order or not (stated or order_counts(row, answers))
        orders = _ORDERS[row["kind"]] if by_order and _often(agreement.doubted, answers) else []
        candidates = [_CASE, *rounding, *orders]
    why = f"the statement says {stated!r}" if stated else "right solutions give the expected answers in another form"
    for column in candidates:
        if _proven(row, runner, rights, column, limit_s):
            return Several(why, column)
    kind = class_of_answers([test.output for test in runner.problem.tests])
    if stated:
        return Several(why, kind=kind)
    majority = agreement.contradicted or not agreement.agreeing
    observed = _different_answers(runner, agreement, limit_s) if majority else ""
    return Several(observed, kind=kind) if observed else None


def _often(doubted: Sequence[int], answers: Sequence[Any]) -> bool:
    """Whether right solutions contradict at least half of the answers that have an order; else these answers are wrong.

    >>> _often([1], ["1 2", "4 3", "5 6"]), _often([1], ["1", "4 3", "5"])
    (False, True)
    """
    parts = [answer.split() if isinstance(answer, str) else answer for answer in answers]
    ordered = sum(isinstance(each, (list, tuple)) and len(set(map(repr, each))) > 1 for each in parts)
    return 2 * len(doubted) >= ordered


def order_counts(row: Row, answers: Sequence[Any]) -> bool:
    """Whether an answer in another order is another answer: it is a permutation, or the statement asks for an order.

    Right solutions that differ in nothing but the order then show several right answers, not that none of it counts.
    """
    return not in_any_order(row) and (are_permutations(answers) or asks_for_an_order(row) is not None)


def are_permutations(answers: Sequence[Any]) -> bool:
    """Whether each answer, or its last line, is an order of 0 or 1 to some number.

    >>> are_permutations(["2 1", "3\\n3 1 2"]), are_permutations([[1, 0]]), are_permutations(["1 2", "1 2 4"])
    (True, True, False)
    """
    lasts = [answer.strip().rpartition("\n")[2] if isinstance(answer, str) else answer for answer in answers]
    orders = [sorted(_numbers(last)) for last in lasts]
    return any(len(order) > 1 for order in orders) and all(
        order and order == list(range(first := int(order[0]), first + len(order))) and first in (0, 1)
        for order in orders
    )


def hides_integers(column: dict[str, Any], answers: Sequence[Any]) -> bool:
    """Whether a checker's tolerance takes another integer for the largest of answers that are all integers.

    >>> close = new_checker("float", abs=1e-4, rel=1e-4)
    >>> hides_integers(close, ["7", "33551"]), hides_integers(close, ["7", "3355.5"]), hides_integers(close, [[7, 8]])
    (True, False, False)
    """
    if column["kind"] != "float":
        return False
    numbers = [number for answer in answers for number in _numbers(answer)]
    if not numbers or any(isinstance(number, float) for number in numbers):
        return False
    return bool(column["abs"] >= 1 or (column["rel"] and max(map(abs, numbers)) >= 1 / column["rel"]))


def _numbers(answer: Any) -> Iterator[int | float]:
    """The numbers in an answer, a text or a value; those of a text by how they are written."""
    if isinstance(answer, str):
        for word in answer.split():
            if _NUMBER.fullmatch(word):
                yield int(word) if word.lstrip("+-").isdigit() else float(word)
    elif isinstance(answer, (list, tuple, set, frozenset)):
        for item in answer:
            yield from _numbers(item)
    elif isinstance(answer, dict):
        yield from _numbers([*answer.keys(), *answer.values()])
    elif isinstance(answer, (int, float)) and not isinstance(answer, bool):
        yield answer


def class_of_answers(answers: Sequence[Any]) -> str:
    """The class of a problem by some right answers, which no checker of the grader compares.

    If each answer is one number or word, the right answers to a test are a set that a program can list.

    >>> class_of_answers(["3\\n", "12"]), class_of_answers(["1 2", "3"]), class_of_answers([[1]])
    ('any of a fixed set', 'any valid object', 'any valid object')
    """
    single = (len(one.split()) == 1 if isinstance(one, str) else isinstance(one, (int, float)) for one in answers)
    return "any of a fixed set" if answers and all(single) else "any valid object"


def guess_fails(row: Row, runner: ProgramRunner, rights: Sequence[Program], limit_s: float) -> bool:
    """Whether the row's checker was guessed from its statement and does not pass the proof."""
    if not has_guessed_checker(row) or row["checker"] is None or not rights:
        return False
    exact = runner.on(runner.problem.tests)
    exact.problem = replace(runner.problem, checker=Checker())
    proven = _proven(row, exact, rights, row["checker"], limit_s)
    runner.spend(exact)
    return not proven


def _proven(row: Row, runner: ProgramRunner, rights: Sequence[Program], column: dict[str, Any], limit_s: float) -> bool:
    """Whether this checker passes the proof: it accepts what is right and refuses what is wrong."""
    try:
        checker = Checker.from_dict(checker_record(column))
    except InputError:
        return False
    if column["nested"] and not getattr(checker, "nested", False):
        return False
    looser = runner.on(runner.problem.tests)
    looser.problem = replace(runner.problem, checker=checker)
    results = [result for result in looser.run(rights, limit_s=limit_s) if not result.not_run]
    proven = bool(results) and all(result.accepted() for result in results) and _refuses_planted(row, looser)
    if proven:
        wrongs, _ = programs(row, runner.problem, correct=False, most=MOST_WRONG)
        before, now = runner.run(wrongs, limit_s=limit_s), looser.run(wrongs, limit_s=limit_s)
        proven = not any(old.rejected() and new.accepted() for old, new in zip(before, now, strict=True))
    runner.spend(looser)
    return proven


def _refuses_planted(row: Row, looser: ProgramRunner) -> bool:
    """Whether programs that give wrong answers without reading their input are all refused."""
    tests = looser.problem.tests[:MOST_TESTS]
    others = [tests[number - 1] for number in range(len(tests))]
    for test, other in zip(tests, others, strict=True):
        planted = [
            Program("python", constant_program(row, answer), "planted") for answer in _planted_answers(test, other)
        ]
        one = looser.on([test])
        verdicts = [result.verdicts[0] for result in one.run(planted)]
        looser.spend(one)
        if Verdict.ACCEPTED in verdicts or not AGAINST & {verdict for verdict in verdicts if verdict is not None}:
            return False
    return bool(tests)


def _planted_answers(test: TestCase, other: TestCase) -> Iterator[Any]:
    """Wrong answers to a test: an item too few, an item too many, another number, another test's answer."""
    right = test.output
    if isinstance(right, str):
        words = right.split()
        yield " ".join(words[:-1])
        yield f"{right.rstrip()} {words[-1] if words else 0}"
        yield " ".join([*words[:-1], _another_value(words[-1])]) if words else "1"
        if sorted(other.output.lower().split()) != sorted(right.lower().split()):
            yield other.output
    elif isinstance(right, list) and right:
        yield right[:-1]
        yield [*right, right[-1]]
        yield [*right[:-1], _another_value(right[-1])]
    else:
        yield [right]
        yield _another_value(right)


def _another_value(item: Any) -> Any:
    if isinstance(item, str):
        return str(int(item) + 1) if re.fullmatch(r"-?[0-9]{1,1000}", item) else f"{item}x"
    if isinstance(item, bool) or item is None:
        return not item
    return item + 1 if isinstance(item, (int, float)) else [item, item]


def constant_program(row: Row, answer: Any) -> str:
    """A program that always gives this answer."""
    if row["kind"] == "stdin":
        return f"print({answer!r})"
    owner, _, name = (row["entry_point"] or "").replace("()", "").rpartition(".")
    function = f"def {name}(*arguments, **named):\n    return {answer!r}"
    return f"class {owner}:\n    @staticmethod\n    " + function.replace("\n", "\n    ") if owner else function


def _different_answers(runner: ProgramRunner, agreement: Agreement, limit_s: float) -> str:
    """In words: on how many tests two right solutions differ from the expected output and each other; else empty."""
    if agreement.judged < 2:
        return ""
    tests = agreement.doubted[:MOST_TESTS]
    given = [runner.problem.tests[index] for index in tests]
    ran = [result.program for result in agreement.results if not result.not_run]
    answers = [runner.outputs(program, given, limit_s) for program in ran]
    split, shown = 0, ""
    for position, test in enumerate(given):
        given_answers = {
            repr(_plain(each[position].value)) for each in answers if position < len(each) and each[position].ended_well
        } - {repr(_plain(test.output))}
        if len(given_answers) >= 2:
            split += 1
            shown = shown or " and ".join(answer[:60] for answer in sorted(given_answers)[:2])
    if split * 2 <= len(tests):
        return ""
    found = f"right solutions answer differently, and not as expected, on {split} of {len(tests)} tests"
    return f"{found}, such as {shown}"


def _plain(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value
