"""Generate tests for rows with few tests, or whose tests accept wrong programs.

New inputs come from `variations.py`; their expected outputs are those on which right solutions agree. An input on which
they disagree, fail or are slow is not used. Agreement does not show that an input is allowed, so a validator of
`promises.py` must check each promise of the statement. If a promise has no validator, no inputs are made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from microcoder_data.process.bounds import bounds_of
from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row, new_test
from microcoder_data.verify.input_invariants import Tree, learn, read_text, write_text
from microcoder_data.verify.program_runner import Program, ProgramRunner
from microcoder_data.verify.promises import promises, prove, unseen_validator
from microcoder_data.verify.variations import variations
from microcoder_eval import InputError, TestCase, Verdict

KEPT_CHARACTERS = 20_000
"""Tests with longer inputs or outputs are not added."""


@dataclass(frozen=True)
class Strengthen:
    """Add generated tests."""

    min_tests: int = 5
    """Rows with fewer tests get more, even if no wrong program passes."""
    most: int = 10
    """At most this many tests are added."""
    tries: int = 40
    """At most this many new inputs are run."""
    references: int = 2
    """This many solutions must agree on an output."""

    def __post_init__(self) -> None:
        if min(self.references, self.most, self.tries) < 1:
            raise InputError("references, most and tries must be at least 1")


@dataclass(frozen=True)
class GeneratedTest:
    """A new input that the problem very likely allows, with the output that the solutions agree on."""

    case: TestCase
    column: dict[str, Any]
    """The test as the row holds it."""


@dataclass(frozen=True)
class Made:
    """The new tests, and which promises of the statement were checked, or which one could not be."""

    tests: list[GeneratedTest] = field(default_factory=list)
    refused: str = ""
    """The words of a promise without a validator, because of which no tests were made; else empty."""
    proven: list[str] = field(default_factory=list)
    """The words of the promises that a validator has checked on every input."""


def generate(row: Row, runner: ProgramRunner, references: Sequence[Program], settings: Strengthen) -> Made:
    """New tests whose inputs keep every promise of the statement, and whose answers all references agree on."""
    if unseen := unseen_validator(row):
        return Made(refused=unseen)
    read = [_tree(row, test) for test in runner.problem.tests]
    known = [tree for tree in read if tree is not None]
    if len(known) < len(read) or not known:
        return Made()
    proof = prove(promises(whole_text(row)), known, learn(known))
    if proof.refused:
        return Made(refused=proof.refused)
    trees = variations(known, bounds_of(row), row["problem_id"], settings.tries, proof.holds)
    by_keyword = isinstance(runner.problem.tests[0].input, dict)
    inputs = [_input_of(row, tree, by_keyword) for tree in trees]
    # the grader finds out from a present test's expected output where a function's answer is
    blank = [TestCase(given, runner.problem.tests[0].output) for given in inputs]
    answered = [
        TestCase(case.input, with_lists(answer.value))
        for case, answer in zip(blank, runner.outputs(references[0], blank), strict=False)
        if answer.ended_well and _can_be_stored(case.input, with_lists(answer.value))
    ]
    if not answered:
        return Made()
    others = runner.on(answered)
    results = others.run(references[1:], all_tests=True)
    runner.spend(others)
    agreed = [
        case
        for index, case in enumerate(answered)
        if all(result.verdicts[index] is Verdict.ACCEPTED for result in results)
    ]
    return Made([GeneratedTest(case, _column(case)) for case in agreed], proven=proof.proven)


def pick(
    candidates: Sequence[GeneratedTest], rejecting: Sequence[set[int]], settings: Strengthen, present: int
) -> list[int]:
    """The candidates to add: those that reject surviving programs, then, up to `min_tests`, those with a new output."""
    chosen: list[int] = []
    left = [set(tests) for tests in rejecting if tests]
    while left and len(chosen) < settings.most:
        best = min(set().union(*left), key=lambda test: (-sum(test in tests for tests in left), test))
        chosen.append(best)
        left = [tests for tests in left if best not in tests]
    answers = {candidates[index].column["output"] for index in chosen}
    for index, candidate in enumerate(candidates):
        if present + len(chosen) >= settings.min_tests or len(chosen) >= settings.most:
            break
        if candidate.column["output"] not in answers:
            answers.add(candidate.column["output"])
            chosen.append(index)
    return sorted(chosen)


def _tree(row: Row, test: TestCase) -> Tree | None:
    if row["kind"] == "stdin":
        return read_text(test.input)
    if isinstance(test.input, dict):
        return test.input if _is_json(test.input) else None
    names = _parameters(row)
    named = names if len(names) == len(test.input) else [f"argument {i}" for i in range(len(test.input))]
    return dict(zip(named, test.input, strict=True)) if _is_json(test.input) else None


def _parameters(row: Row) -> list[str]:
    """The names of the function's parameters; statements use them to state bounds."""
    function = re.escape((row["entry_point"] or "").rpartition(".")[2])
    found = re.search(rf"def\s+{function}\s*\(([^)]*)\)", row["starter_code"] or "")
    listed = re.sub(r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]", "", found[1]) if found else ""
    return [part.split(":")[0].split("=")[0].strip() for part in listed.split(",") if part.strip() not in ("", "self")]


def _input_of(row: Row, tree: Tree, by_keyword: bool) -> Any:
    return write_text(tree) if row["kind"] == "stdin" else tree if by_keyword else list(tree.values())


def _column(case: TestCase) -> dict[str, Any]:
    if isinstance(case.input, str):
        return new_test(case.input, case.output, origin="generated")
    if isinstance(case.input, dict):
        given = ", ".join(f"{name} = {json.dumps(value)}" for name, value in case.input.items())
    else:
        given = "\n".join(json.dumps(value) for value in case.input)
    return new_test(given, json.dumps(case.output), origin="generated")


def _can_be_stored(given: Any, answer: Any) -> bool:
    """Whether input and answer can be stored in a row: small, not empty, and unchanged by a round trip through JSON."""
    if isinstance(given, str):
        return bool(answer.strip()) and len(given) + len(answer) <= KEPT_CHARACTERS and _is_json(answer)
    return answer is not None and _is_json(answer) and len(json.dumps([given, answer])) <= KEPT_CHARACTERS


def _is_json(value: Any) -> bool:
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False).encode()) == value)
    except (TypeError, ValueError, RecursionError):
        return False


def with_lists(value: Any) -> Any:
    """The value with lists in place of tuples, as rows hold them."""
    if isinstance(value, dict):
        return {name: with_lists(item) for name, item in value.items()}
    return [with_lists(item) for item in value] if isinstance(value, (list, tuple)) else value
