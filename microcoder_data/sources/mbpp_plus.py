"""MBPP+: the hub's version (`code`, `test`, `test_imports`) or EvalPlus's own files of inputs. A benchmark."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns
from microcoder_data.sources.humaneval_plus import program_of
from microcoder_data.sources.mbpp import sample_of, tested_function

LICENSE = "apache-2.0"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    if not {"base_input", "test_list", "test_imports"} & record.keys():
        raise Reject("no_tests", "MBPP+ has `base_input`, or `test_imports` and `test_list`")
    prompt = columns.statement_of(record, "prompt", "text")
    number = columns.text(record, "task_id").removeprefix("Mbpp/")
    if not number:
        raise Reject("no_id", "task_id is missing")
    program = columns.text(record, "code", "canonical_solution")
    statement, shown = _docstring(prompt)
    asserts = columns.texts(record.get("test_list"), "test_list") or shown
    if "base_input" in record:
        test_code = program_of(record)
        program = prompt + program
    else:
        test_code = columns.text(record, "test")
        if not test_code.strip():
            raise Reject("no_tests", "test is empty")
        imports = columns.texts(record.get("test_imports"), "test_imports")
        test_code = "\n".join([*imports, test_code])
    function = columns.text(record, "entry_point") or tested_function(asserts or [test_code], program)
    return new_row(
        problem_id=number,
        source="mbpp_plus",
        license=LICENSE,
        split="test",
        title=function,
        statement=statement,
        samples=[sample_of(line) for line in asserts],
        kind="asserts",
        entry_point=function,
        test_code=test_code,
        solutions=columns.programs([program] if program else [], "code"),
    )


def _docstring(prompt: str) -> tuple[str, list[str]]:
    """The text and the assertions of a prompt: EvalPlus writes both in one docstring."""
    try:
        text = ast.literal_eval(prompt.strip()) if prompt.lstrip().startswith(('"""', "'''")) else prompt
    except (ValueError, SyntaxError):
        text = prompt
    lines = str(text).strip().splitlines()
    asserts = [line.strip() for line in lines if line.strip().startswith("assert ")]
    return "\n".join(line for line in lines if not line.strip().startswith("assert ")).strip() or prompt, asserts
