"""HumanEval: the prompt is the head of a function, the test program defines `check(candidate)`. A benchmark."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns
from microcoder_data.syntax import nodes_of, parsed

LICENSE = "MIT"
_ESCAPE = re.compile(r"(?<!\\)\\(?=[nt])")


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    prompt = columns.statement_of(record, "prompt")
    name, function = columns.text(record, "task_id"), columns.text(record, "entry_point") or _last_function(prompt)
    test_code = columns.text(record, "test")
    if not name or not function:
        raise Reject("no_id" if not name else "no_entry_point", "task_id and entry_point are needed")
    if not test_code.strip():
        raise Reject("no_tests", "test is empty")
    docstring = _docstring(prompt, function) or _docstring(prompt.rstrip("\n").rpartition("\n")[0], function)
    samples = [
        {"input": example.source.strip(), "output": example.want.strip(), "explanation": None}
        for example in _examples(docstring)
        if example.want.strip()
    ]
    solution = columns.text(record, "canonical_solution")
    program = _program(prompt, solution) if solution else ""
    tested = _tested(function, test_code, program)
    return new_row(
        problem_id=name,
        source="humaneval",
        license=LICENSE,
        split="test",
        title=tested,
        statement=docstring or prompt,
        samples=samples,
        kind="asserts",
        entry_point=tested,
        starter_code=prompt if tested == function else None,
        test_code=test_code,
        solutions=columns.programs([program] if program else [], "canonical_solution"),
    )


def _tested(function: str, test_code: str, program: str) -> str:
    """The function that the tests call: MBPP in this form has heads of helpers that its solutions define too."""
    tests, solution = parsed(test_code), parsed(program)
    if tests is None or solution is None:
        return function
    called = [node.func.id for node in nodes_of(tests, ast.Call) if isinstance(node.func, ast.Name)]
    given = {argument.arg for node in nodes_of(tests, ast.FunctionDef) for argument in node.args.args}
    if function in called or not given.isdisjoint(called):
        return function
    defined = {node.name for node in solution.body if isinstance(node, ast.FunctionDef)}
    return next((name for name in called if name in defined), function)


def _program(head: str, body: str) -> str:
    """The function as a whole: McEval's heads lack their last line end."""
    whole = head + body
    return whole if head.endswith("\n") or parsed(whole) else f"{head}\n{body}"


def _last_function(prompt: str) -> str:
    """The function whose head the prompt ends with, as HumanEval-X leaves it to be read; empty for other prompts."""
    try:
        last = ast.parse(prompt).body[-1:]
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return last[0].name if last and isinstance(last[0], ast.FunctionDef) else ""


def _docstring(prompt: str, function: str) -> str:
    """The text that says what the function does, without indentation; empty when the prompt does not parse."""
    try:
        tree = ast.parse(prompt)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            text = _first_text(node, prompt)
            return inspect.cleandoc(text.removeprefix('"') if text.startswith('"\n') else text)  # four quotes open one
    return ""


def _first_text(function: ast.FunctionDef, prompt: str) -> str:
    r"""The function's docstring, also where an import stands before it. `\n` and `\t` stay as they are written."""
    for line in function.body:
        if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str):
            written = ast.get_source_segment(prompt, line.value) or ""
            if "\\" not in written or written[0] in "rR":
                return line.value.value
            return str(ast.literal_eval(_ESCAPE.sub(r"\\\\", written)))
    return ""


def _examples(docstring: str) -> list[doctest.Example]:
    try:
        return doctest.DocTestParser().get_examples(docstring)
    except ValueError:  # a prompt whose examples are not doctests
        return []
