"""MBPP: one sentence, three assertions, perhaps set-up code. Only the assertions give the function's name."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject, changed, step
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns
from microcoder_data.syntax import call_and_answer, equation

LICENSE = "CC-BY-4.0"
ALL_DIGITS = 10
"""A float with at least this many decimals was printed in full, not rounded by the author."""
TOLERANCE = 1e-9


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "text", "prompt")
    number = columns.text(record, "task_id")
    if not number:
        raise Reject("no_id", "task_id is missing")
    asserts = columns.texts(record.get("test_list"), "test_list")
    challenges = columns.texts(record.get("challenge_test_list"), "challenge_test_list")
    if not asserts:
        raise Reject("no_tests", "test_list is empty")
    setup = columns.text(record, "test_setup_code") or "\n".join(
        columns.texts(record.get("test_imports"), "test_imports")
    )
    program = columns.text(record, "code").replace("\r\n", "\n")
    function = tested_function(asserts, program)
    judged = [_with_tolerance(line) for line in [*asserts, *challenges]]
    rounded = sum(line not in asserts and line not in challenges for line in judged)
    if rounded:
        setup = "\n".join(filter(None, ["import math", setup]))
    row = new_row(
        problem_id=number,
        source="mbpp",
        license=LICENSE,
        split="test",
        title=function,
        statement=statement,
        samples=[sample_of(line) for line in asserts],
        kind="asserts",
        entry_point=function,
        test_code="\n".join(filter(None, [setup, *judged])) + "\n",
        solutions=columns.programs([program] if program else [], "code"),
    )
    if rounded:
        words = f"{rounded} assertions on all digits of a float allow for rounding"
        row["provenance"] = [step("collect", "rounding_v1", changed(words, rounded))]
    return row


def _with_tolerance(assertion: str) -> str:
    """The assertion, with `math.isclose` instead of `==` for a float with all digits: the last digits depend on the
    order of operations.

    >>> _with_tolerance("assert area(1)==3.141592653589793"), _with_tolerance("assert half(1) == 0.5")
    ('assert math.isclose(area(1), 3.141592653589793, rel_tol=1e-09)', 'assert half(1) == 0.5')
    """
    sides = equation(assertion.strip())
    if sides is None:
        return assertion
    tested, wanted = sides
    value = wanted.operand if isinstance(wanted, ast.UnaryOp) else wanted
    if not (isinstance(value, ast.Constant) and isinstance(value.value, float) and isinstance(tested, ast.Call)):
        return assertion
    if len(repr(value.value).partition(".")[2]) < ALL_DIGITS:
        return assertion
    return f"assert math.isclose({ast.unparse(tested)}, {ast.unparse(wanted)}, rel_tol={TOLERANCE!r})"


def tested_function(asserts: list[str], program: str) -> str:
    """The function that the assertions call: one that the reference program defines, else the innermost call."""
    defined = {node.name for node in ast.walk(_parsed(program)) if isinstance(node, ast.FunctionDef)}
    called = [
        node.func.id
        for node in ast.walk(_parsed("\n".join(asserts)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    for name in called:
        if name in defined:
            return name
    known = {"set", "sorted", "list", "tuple", "dict", "len", "abs", "round", "str", "int", "float", "sum", "isclose"}
    unknown = [name for name in called if name not in known]
    if not unknown:
        raise Reject("no_entry_point", "the assertions call no function")
    return unknown[0]


def _parsed(program: str) -> ast.Module:
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module(body=[], type_ignores=[])


def sample_of(assertion: str) -> dict[str, Any]:
    """`assert f(1) == 2` or `assert not f(1)` as a sample. One without a call is the input, and the output is True."""
    if found := call_and_answer(assertion):
        return {"input": ast.unparse(found[0]), "output": ast.unparse(found[1]), "explanation": None}
    return {"input": assertion.removeprefix("assert ").strip(), "output": "True", "explanation": None}
