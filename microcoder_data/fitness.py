"""What a row is fit for: reading, supervised fine-tuning (SFT), reinforcement learning (RL); and what it lacks.

    reading   the statement is there and nothing of it was lost on the way
    sft       that, and a right solution: one that was run, or one that the publisher calls right
    rl        the statement is intact, and answers can be checked: a known checker, enough tests beyond the samples, and
              tests that reject wrong programs (or, where no program was run, many tests)

    lacking(row, "rl")        # [] or what is missing, each with what would make the row fit

Fitness is computed from published columns only, so that anybody can compute it again. `filter.fit` drops rows by it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from microcoder_data.process.several_answers import several_answers
from microcoder_data.rates import true_negative
from microcoder_data.rules import Outcome, drop, kept, rule_name
from microcoder_data.schema import Row
from microcoder_data.syntax import nodes_of, parsed, walk
from microcoder_eval import InputError

Use = Literal["reading", "sft", "rl"]
USES: tuple[Use, ...] = ("reading", "sft", "rl")
FIDELITY = "fidelity"
"""The rule that measures what a statement lost. A row that it marked is not intact."""
COLUMNS = [
    "statement", "input_format", "output_format", "constraints", "notes", "title", "kind", "checker", "verification",
    "provenance", "test_code", "samples", "tests",
]  # fmt: skip
"""The columns that fitness is computed from."""


class Lack(NamedTuple):
    """Something that a row lacks for a use."""

    code: str
    cure: str
    """What would make the row fit."""
    statistic: float | None = None
    threshold: float | None = None


@dataclass(frozen=True)
class Fit:
    """Keep only rows that are fit for a use; applied last, after execution. `fit: rl` is short for `{use: rl}`."""

    name: ClassVar[str] = "fit_v1"
    use: Use = "rl"
    """`reading`: the statement is intact. `sft`: also, there is a right solution. `rl`: the statement is intact, and
    answers can be checked."""
    min_tests: int = 4
    """For `rl`: at least this many tests that are not samples of the statement."""
    min_strength: float = 0.8
    """For `rl`: the tests reject at least this share of wrong solutions and mutants, where any were run."""
    enough_tests: int = 16
    """For `rl`: with this many tests beyond the samples, a row is fit even if no wrong program was run."""

    def __post_init__(self) -> None:
        if min(self.min_tests, self.enough_tests) < 1 or not 0 <= self.min_strength <= 1:
            raise InputError("min_tests and enough_tests must be at least 1, min_strength between 0 and 1")

    def __call__(self, row: Row) -> Outcome | None:
        lacks = lacking(row, self.use, self)
        if not lacks:
            return kept(None, None, f"fit for {self.use}")
        first = lacks[0]
        cures = "; ".join(lack.cure for lack in lacks)
        return drop(first.code, f"not fit for {self.use}; it would need: {cures}", first.statistic, first.threshold)


def lacking(row: Row, use: Use, settings: Fit | None = None) -> list[Lack]:
    """What a row lacks for a use; an empty list when it is fit.

    >>> from microcoder_data.schema import new_row
    >>> [lack.code for lack in lacking(new_row(statement="Add.", kind="stdin"), "sft")]
    ['no_right_solution']
    """
    lacks = list(_damage(row))
    if use == "sft" and not _has_right_solution(row["verification"] or {}):
        lacks.append(Lack("no_right_solution", "a right solution"))
    return lacks + list(_uncheckable(row, settings or Fit())) if use == "rl" else lacks


def _damage(row: Row) -> list[Lack]:
    """What the statement lacks."""
    if not (row["statement"] or "").strip():
        return [Lack("no_statement", "a statement")]
    lost = [
        step["detail"] or ""
        for step in row["provenance"] or []
        if step["outcome"] == "marked" and rule_name(step["rule"]) == FIDELITY
    ]
    return [Lack("statement_damaged", f"the statement as it was ({lost[0]})")] if lost else []


def _has_right_solution(verification: Mapping[str, Any]) -> bool:
    ran = verification.get("solutions_run")
    return bool(verification.get("solutions_ok") if ran else verification.get("solutions_given"))


def _uncheckable(row: Row, settings: Fit) -> list[Lack]:
    """What is missing to check answers."""
    verification = row["verification"] or {}
    lacks = []
    if verification.get("status") == "needs_checker" or (row["checker"] is None and _needs_checker(row)):
        lacks.append(Lack("no_checker", "a checker: several answers are right"))
    if row["kind"] == "interactive":
        return lacks
    beyond = verification.get("tests_beyond_samples") or 0
    if not beyond:
        lacks.append(Lack("samples_only", "tests beyond the statement's samples", 0, settings.min_tests))
    elif beyond < settings.min_tests:
        wanted = f"{settings.min_tests} tests beyond the samples"
        lacks.append(Lack("too_few_tests", wanted, beyond, settings.min_tests))
    strength = strength_of(verification)
    if strength is not None and strength < settings.min_strength:
        lacks.append(
            Lack("weak_tests", "tests that reject more wrong programs", round(strength, 3), settings.min_strength)
        )
    if strength is None and beyond < settings.enough_tests:
        tests = f"{settings.enough_tests} tests beyond the samples"
        wanted = f"verify.execution with wrong solutions or mutants, or {tests}"
        lacks.append(Lack("strength_unknown", wanted, beyond, settings.enough_tests))
    return lacks


def _needs_checker(row: Row) -> bool:
    """Whether the statement says that several answers are right."""
    return row["kind"] in ("stdin", "call") and several_answers(row) is not None


def strength_of(verification: Mapping[str, Any] | None) -> float | None:
    """The share of wrong programs that the tests reject, likely right ones left out; None when none was run.

    >>> strength_of({"wrong_run": 1, "wrong_rejected": 1, "mutants_run": 8, "mutants_rejected": 6,
    ...     "mutants_equivalent": 1})
    0.875
    """
    return true_negative(verification).share


class CountTests:
    """The rule that counts the tests that a row is published with, and how many of them are not its samples."""

    name: ClassVar[str] = "count_tests_v1"

    def __call__(self, row: Row) -> Outcome | None:
        row["verification"] = row["verification"] or {}
        tests, beyond = count_tests(row)
        row["verification"].update(tests_kept=tests, tests_beyond_samples=beyond)
        return None


def count_tests(row: Row) -> tuple[int, int]:
    """How many tests (or assertions of a test program) a row has, and how many are not its samples.

    >>> from microcoder_data.schema import new_row, new_test
    >>> tests = [new_test("1 2", "3"), new_test("3 4", "7"), new_test("5 6", "11", public=True)]
    >>> count_tests(new_row(kind="stdin", statement="", tests=tests, samples=[{"input": "1 2\\n", "output": "3"}]))
    (3, 1)
    """
    if row["kind"] == "asserts":
        assertions = _assertions(row["test_code"] or "")
        statement = "".join((row["statement"] or "").split())
        return len(assertions), sum(not _is_shown(assertion, statement) for assertion in assertions)
    shown = {_without_spaces(sample["input"]) for sample in row["samples"] or []}
    beyond = sum(
        not test["public"]
        and test["origin"] != "sample"
        and (bool(test["ref"]) or _without_spaces(test["input"]) not in shown)
        for test in row["tests"]
    )
    return len(row["tests"]), beyond


def _assertions(program: str) -> list[ast.AST]:
    """The assertions of a test program: each `assert`, and each call such as `self.assertEqual(...)`."""
    tree = parsed(program)
    if tree is None:
        return []
    return [*nodes_of(tree, ast.Assert), *filter(_asserts, nodes_of(tree, ast.Call))]


def _asserts(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr.startswith("assert")


def _is_shown(assertion: ast.AST, statement: str) -> bool:
    """Whether a statement without spaces shows an assertion."""
    name = next((node.id for node in walk(assertion) if isinstance(node, ast.Name)), "")
    if name not in statement:  # to write an assertion out takes long
        return False
    try:
        return "".join(ast.unparse(assertion).removeprefix("assert").split()) in statement
    except (ValueError, RecursionError, MemoryError):
        return False


def _without_spaces(text: str | None) -> str:
    return "".join((text or "").split())
