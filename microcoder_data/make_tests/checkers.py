"""Prove checkers for problems with several right answers: the grader's own ones, or those that a model has written.

    for candidate in built_in():
        proof = prove_checker(*candidate, oracle, tests, wrongs)        # proof.fault is empty if it may be used

A checker must accept every answer of the right solutions. It must refuse all planted answers that are certainly wrong
(empty, cut, with a word too many, garbage), and a share of those that are likely wrong (two words swapped, the last
number off by one or far off, another test's answer). One that a model has written must also refuse a share of near
misses (`near_misses.py`): a lax one looks at the form only. A checker must reject at least half of the known-wrong
programs. A program that prints the very answer of every test is no evidence: every right checker accepts it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.make_tests.near_misses import near_misses, spread
from microcoder_data.make_tests.proof import Oracle
from microcoder_data.make_tests.questions import Written
from microcoder_data.schema import new_checker
from microcoder_data.verify.program_runner import AGAINST, Program
from microcoder_data.verify.several_answers import constant_program, hides_integers
from microcoder_eval import Checker, InputError, TestCase, Verdict
from microcoder_eval.reading.problem_from_row import checker_record

PLANTED_TESTS = 6
"""Wrong answers are planted in this many tests: with the shortest answer, the longest one, and some between them."""
LEAST_LIKELY = 0.3
"""A checker must refuse at least this share of the likely wrong answers."""
LEAST_NEAR = 0.4
"""A checker that a model has written must refuse at least this share of near misses."""
BUILT_IN = (
    ("letters in any case", new_checker("case_insensitive")),
    ("tolerance", new_checker("float", abs=1e-6, rel=1e-6)),
    ("tolerance", new_checker("float", abs=1e-4, rel=1e-4)),
    ("any order", new_checker("unordered", of="lines")),
    ("any order", new_checker("unordered", of="tokens")),
)
"""The grader's own checkers by the class of problems that they fit, the strictest first."""
WRITTEN = "any valid object"
"""The class of problems for which a model writes the checker."""
CERTAIN, LIKELY, NEAR = "certainly wrong", "likely wrong", "a near miss"
Candidate = tuple[str, str, dict[str, Any]]
"""A checker before its proof: its name, the class of problems that it fits, and the row's column."""


@dataclass(frozen=True)
class CheckerProof:
    """What a checker did with right and with planted wrong answers."""

    name: str
    kind: str
    """The class of the problem: letters in any case, tolerance, any order, any valid object."""
    column: dict[str, Any]
    accepted: int = 0
    right: int = 0
    refused: int = 0
    planted: int = 0
    likely_refused: int = 0
    likely: int = 0
    near_refused: int = 0
    near: int = 0
    fault: str = ""

    @property
    def in_words(self) -> str:
        near = f", {self.near_refused} of {self.near} near misses" if self.near else ""
        return (
            f"{self.kind}: {self.name} accepts {self.accepted} of {self.right} right answers, refuses "
            f"{self.refused} of {self.planted} planted wrong ones{near} and "
            f"{self.likely_refused} of {self.likely} likely wrong ones"
        )


def built_in() -> Iterator[Candidate]:
    """The grader's own checkers."""
    for kind, column in BUILT_IN:
        yield f"{column['kind']}{' of ' + column['of'] if column['of'] else ''}", kind, column


def written(programs: Iterable[Written]) -> Iterator[Candidate]:
    """Checkers that a model has written."""
    for program in programs:
        yield program.name, WRITTEN, new_checker("python", code=program.code, style="function")


def prove_checker(
    name: str, kind: str, column: dict[str, Any], oracle: Oracle, tests: Sequence[TestCase], wrongs: Sequence[Program]
) -> CheckerProof:
    """Run a checker on right answers, on planted answers and on the answers of wrong solutions."""
    proof = CheckerProof(name, kind, column)
    try:
        checker = Checker.from_dict(checker_record(column))
    except InputError as error:
        return replace(proof, fault=str(error))
    if hides_integers(column, [test.output for test in tests]):
        return replace(proof, fault="its tolerance takes other integers")
    verdicts: list[Verdict | None] = []
    # one answer first: a checker that never ends costs its time once
    for programs, of_these in ((oracle.rights[:1], tests[:1]), (oracle.rights, tests)):
        runner = oracle.runner.on(of_these)
        runner.problem = replace(runner.problem, checker=checker)
        results = [result for result in runner.run(programs) if not result.not_run]
        oracle.runner.spend(runner)
        verdicts = [verdict for result in results for verdict in result.verdicts]
        if Verdict.ACCEPTED not in verdicts:
            break
    accepted = sum(verdict is Verdict.ACCEPTED for verdict in verdicts)
    proof = replace(proof, accepted=accepted, right=len(verdicts))
    if not verdicts or accepted < len(verdicts):
        return replace(proof, fault="it does not accept every right answer")
    planted: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for test, other in planted_tests(tests):
        answers = [(answer, CERTAIN if certain else LIKELY) for answer, certain in planted_answers(test.output, other)]
        if kind == WRITTEN:
            answers += [(answer, NEAR) for answer in near_misses(test.output)]
        one = oracle.runner.on([test])
        one.problem = replace(one.problem, checker=checker)
        programs = [
            Program("python", constant_program(oracle.row, answer), f"planted {at}")
            for at, (answer, _) in enumerate(answers)
        ]
        for result, (_, sort) in zip(one.run(programs), answers, strict=True):
            planted[sort] += 1
            refused[sort] += result.verdicts[0] in AGAINST
        oracle.runner.spend(one)
    proof = replace(
        proof, refused=refused[CERTAIN], planted=planted[CERTAIN], likely_refused=refused[LIKELY],
        likely=planted[LIKELY], near_refused=refused[NEAR], near=planted[NEAR],
    )  # fmt: skip
    if proof.refused < proof.planted:
        return replace(proof, fault="it does not refuse every planted wrong answer")
    if proof.likely_refused < LEAST_LIKELY * proof.likely:
        return replace(proof, fault="it accepts too much of what is likely wrong")
    if proof.near_refused < LEAST_NEAR * proof.near:
        took = proof.near - proof.near_refused
        return replace(proof, fault=f"it accepts {took} of {proof.near} near misses of right answers")
    passing = _accepted(wrongs, checker, oracle, tests)
    same = _accepted(passing, Checker("tokens"), oracle, tests)
    passing = [program for program in passing if program not in same]
    if len(passing) * 2 > len(wrongs) - len(same) > 0:
        return replace(proof, fault=f"it lets {', '.join(program.name for program in passing)} pass")
    return proof


def _accepted(
    programs: Sequence[Program], checker: Checker, oracle: Oracle, tests: Sequence[TestCase]
) -> list[Program]:
    """The programs whose answers a checker accepts on all tests."""
    runner = oracle.runner.on(tests)
    runner.problem = replace(runner.problem, checker=checker)
    found = [result.program for result in runner.run(programs) if result.accepted()]
    oracle.runner.spend(runner)
    return found


def planted_tests(tests: Sequence[TestCase]) -> list[tuple[TestCase, Any]]:
    """The tests in which wrong answers are planted, each with the answer of another one."""
    by_length = sorted(tests, key=lambda test: len(str(test.output)))
    chosen = [by_length[at] for at in spread(len(by_length), PLANTED_TESTS)]
    return [(test, chosen[number - 1].output) for number, test in enumerate(chosen)]


def planted_answers(right: Any, other: Any) -> Iterator[tuple[Any, bool]]:
    """Wrong answers made of a right one, and whether they are certainly wrong: texts, or values of a function.

    Garbage and large numbers depend on the answers: no checker can know them beforehand.

    >>> [answer for answer, certain in planted_answers("2 7", "5") if certain][:3]
    ['', '2', '2 7 7']
    >>> [value for value, certain in planted_answers([2, 7], [5]) if certain][1:3]
    [[2], [2, 7, 7]]
    """
    drawn = int(hashlib.sha256(repr((right, other)).encode("utf-8", "surrogatepass")).hexdigest()[:12], 16)
    garbage = f"x{drawn:x}"
    if not isinstance(right, str) or not isinstance(other, str):
        yield from _planted_values(right, other, garbage, drawn)
        return
    words = right.split()
    yield "", True
    if len(words) > 1:
        yield " ".join(words[:-1]), True
    yield f"{right.rstrip()} {words[-1] if words else 0}", True
    yield f"{garbage} ?", True
    if words:
        yield " ".join([*words[:-1], garbage]), True
        if re.fullmatch(r"-?[0-9]{1,1000}", words[-1]):
            for number in (int(words[-1]) + 1, int(words[-1]) - 1, drawn):
                yield " ".join([*words[:-1], str(number)]), False
    if len(set(words)) > 1:
        yield " ".join(_swapped(words)), False
    if sorted(other.split()) != sorted(words):
        yield other, False


def _planted_values(right: Any, other: Any, garbage: str, drawn: int) -> Iterator[tuple[Any, bool]]:
    # A function that returns None may have changed its list in place: the unchanged list may be a right answer.
    yield None, right is not None and not isinstance(right, list)
    yield f"{garbage} ?", True
    if right == []:  # a sloppy checker takes any list of the right type where there is no answer
        yield [garbage], True
        yield [drawn], True
    elif isinstance(right, list):
        yield right[:-1], True
        yield [*right, right[-1]], True
        yield [*right[:-1], f"{garbage} ?"], True
        if type(right[-1]) is int:
            for number in (right[-1] + 1, right[-1] - 1, drawn):
                yield [*right[:-1], number], False
        if any(item != right[0] for item in right):
            yield _swapped(right), False
    elif type(right) is int:
        for number in (right + 1, right - 1, drawn):
            yield number, False
    if other != right:
        yield other, False


def _swapped(items: Sequence[Any]) -> list[Any]:
    """The items with the first one and the first that differs from it in each other's place."""
    at = next(index for index, item in enumerate(items) if item != items[0])
    return [items[at], *items[1:at], items[0], *items[at + 1 :]]
