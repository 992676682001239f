"""Prove made inputs: a test is used when independent right solutions agree on its answer and none contradicts it.

    proven = prove(inputs, oracle, agreeing=2)
    proven.tests, proven.refused           # Counter({"right solutions disagree": 3, "a right solution is too slow": 1})

The grammar or a proven validator has checked the inputs before: agreement does not show that an input is allowed.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_data.make_tests.settings import Way
from microcoder_data.schema import Row, new_test, to_problem
from microcoder_data.verify.program_runner import AGAINST, Program, ProgramRunner
from microcoder_data.verify.strengthen import with_lists
from microcoder_eval import InputError, TestCase, Verdict


@dataclass(frozen=True)
class MadeInput:
    """An allowed input, and how it was made."""

    text: str
    """The input as a row's test holds it."""
    way: Way
    plan: str = ""


@dataclass(frozen=True)
class MadeTest:
    """A proven test."""

    made: MadeInput
    case: TestCase
    output: str
    """The answer as a row's test holds it."""

    @property
    def column(self) -> dict[str, Any]:
        return new_test(self.made.text, self.output, origin=self.made.way)


@dataclass
class Proven:
    """What the right solutions say about made inputs."""

    tests: list[MadeTest] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    """Inputs that are not used, by reason."""
    disagreed: list[MadeInput] = field(default_factory=list)
    """The inputs on which right solutions give different answers."""


class Oracle:
    """The right solutions of a row: they answer made inputs."""

    def __init__(self, row: Row, runner: ProgramRunner, rights: Sequence[Program]) -> None:
        self.row, self.runner, self.rights = row, runner, independent(rights)
        self.answer_bits = 0
        """A test is used only if every whole number of its answer fits in so many bits; 0 for any answer."""

    def cases(self, inputs: Sequence[MadeInput]) -> list[TestCase | None]:
        """The inputs as the grader takes them; None for one that it cannot take."""
        blank = self.row["tests"][0]["output"] if self.row["tests"] else ""
        found: list[TestCase | None] = []
        for made in inputs:
            tests = [new_test(made.text, blank)]
            try:
                found.append(to_problem({**self.row, "tests": tests, "groups": None}).tests[0])
            except InputError:
                found.append(None)
        return found


def independent(programs: Sequence[Program]) -> list[Program]:
    """The programs without those that differ from an earlier one only in layout, comments or names of variables.

    >>> codes = "x = 1\\nprint(x)", "y=1  # one\\nprint(y)", "def f(a): return a", "def f(b): 'b'; return b"
    >>> [program.name for program in independent([Program("python", code, code[:8]) for code in codes])]
    ['x = 1\\npr', 'def f(a)']
    """
    seen: set[str] = set()
    found = []
    for program in programs:
        key = form(program)
        if key not in seen:
            seen.add(key)
            found.append(program)
    return found


def form(program: Program) -> str:
    """A hash of a program without its layout, comments and docstrings, with its variables numbered in order."""
    if program.language != "python":
        return hashlib.sha256(f"{program.language} {' '.join(program.code.split())}".encode()).hexdigest()
    try:
        tree = ast.parse(program.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return hashlib.sha256(program.code.encode("utf-8", "surrogatepass")).hexdigest()
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    numbers: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = numbers.setdefault(node.id, f"name{len(numbers)}")
        elif isinstance(node, ast.arg):
            node.arg = numbers.setdefault(node.arg, f"name{len(numbers)}")
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return hashlib.sha256(ast.dump(tree).encode("utf-8", "surrogatepass")).hexdigest()


def prove(inputs: Sequence[MadeInput], oracle: Oracle, agreeing: int, limit_s: float | None = None) -> Proven:
    """Run the right solutions on the inputs. The first one's answer makes a test if enough of the others agree.

    With a checker, it must accept the answers of all of them.
    """
    proven = Proven()
    runner = oracle.runner
    given = [(made, case) for made, case in zip(inputs, oracle.cases(inputs), strict=True) if case is not None]
    proven.refused["no input that can be read"] += len(inputs) - len(given)
    reference, *others = oracle.rights
    limit_s = limit_s or runner.problem.time_limit_s
    outputs = runner.outputs(reference, [case for _, case in given], limit_s)
    proven.refused["no time left"] += len(given) - len(outputs)
    answered: list[tuple[MadeInput, TestCase, str]] = []
    for (made, case), output in zip(given, outputs, strict=False):
        if not output.ended_well:
            slow = output.verdict in (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT)
            proven.refused["a right solution is too slow" if slow else "a right solution fails"] += 1
            continue
        if oracle.answer_bits and not fits(output.value, oracle.answer_bits):
            proven.refused[f"an answer of more than {oracle.answer_bits} bits"] += 1
            continue
        text = _as_column(oracle.row, output.value)
        if text is None:
            proven.refused["no answer that a row can hold"] += 1
            continue
        answered.append((made, replace(case, output=with_lists(output.value)), text))
    if not answered:
        return _counted(proven)
    judging = runner.on([case for _, case, _ in answered])
    # A checker judges the answer that becomes the expected one, too: the others may pass it with answers of their own.
    judged = others if oracle.row["checker"] is None else oracle.rights
    results = judging.run(judged, limit_s=limit_s, all_tests=True)
    runner.spend(judging)
    for index, (made, case, text) in enumerate(answered):
        verdicts = [result.verdicts[index] for result in results if not result.not_run]
        if any(verdict in AGAINST for verdict in verdicts):
            proven.refused["right solutions disagree"] += 1
            proven.disagreed.append(made)
        elif any(verdict in (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT) for verdict in verdicts):
            proven.refused["a right solution is too slow"] += 1
        elif (judged is others) + sum(verdict is Verdict.ACCEPTED for verdict in verdicts) < agreeing:
            proven.refused["too few right solutions answer"] += 1
        else:
            proven.tests.append(MadeTest(made, case, text))
    return _counted(proven)


def fits(value: Any, bits: int) -> bool:
    """Whether every whole number of a function's answer fits in a signed number of so many bits.

    >>> fits([2**31 - 1, -(2**31)], 32), fits([[2**31]], 32)
    (True, False)
    """
    if isinstance(value, (list, tuple)):
        return all(fits(item, bits) for item in value)
    return not isinstance(value, int) or -(1 << (bits - 1)) <= value < 1 << (bits - 1)


def _counted(proven: Proven) -> Proven:
    proven.refused = +proven.refused  # without the reasons that were counted zero times
    return proven


def _as_column(row: Row, value: Any) -> str | None:
    """A program's answer as the text that a row holds; None if the text would stand for another value."""
    if row["kind"] == "stdin":
        try:
            value.encode()
        except (UnicodeEncodeError, AttributeError):
            return None
        return str(value) if value.strip() else None
    try:
        text = json.dumps(with_lists(value), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return text if value is not None and json.loads(text) == with_lists(value) else None
