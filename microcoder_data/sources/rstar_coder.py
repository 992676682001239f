"""rStar-Coder: five configurations, every column text. Two hold tests; the others are rejected as `no_tests`.

synthetic_rl_testcase   question_id, question, inputs, outputs
seed_testcase           ... and starter_code, is_synthesized, test_case_type, func_name, class_name
synthetic_rl, synthetic_sft, seed_sft   questions and answers without tests
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns

LICENSE = "CC-BY-4.0"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "question")
    if "inputs" not in record:
        raise Reject("no_tests", "this configuration has no tests; they are in seed_testcase and synthetic_rl_testcase")
    inputs, outputs = (columns.decoded(record.get(name), name) for name in ("inputs", "outputs"))
    function, owner = columns.text(record, "func_name"), columns.text(record, "class_name")
    starter = columns.text(record, "starter_code")
    if function and function.lower() != "none":
        kind, entry_point = "call", f"{owner}.{function}" if owner else columns.entry_point_of(function, starter)
        wrapped = columns.outputs_are_wrapped(outputs, starter)
        tests = columns.call_tests(_values(inputs), _values(outputs), wrapped=wrapped)
    else:
        kind, entry_point, tests = "stdin", None, columns.stdin_tests(inputs, outputs)
    if kind == "stdin" and starter:
        raise Reject("no_entry_point", "starter code, but no func_name")
    made = columns.decoded(record.get("is_synthesized"), "is_synthesized")
    for index, test in enumerate(tests):
        test["origin"] = "generated" if _synthesized(made, index, "starter_code" in record) else "official"
    return new_row(
        problem_id=columns.text(record, "question_id") or text_sha256(statement)[:16],
        source="rstar_coder",
        license=LICENSE,
        statement=statement,
        kind=kind,
        entry_point=entry_point,
        starter_code=starter or None,
        tests=tests,
    )


def _values(listed: Any) -> Any:
    """Arguments or results, parsed where they are written as text."""
    if not isinstance(listed, list):
        return listed
    return [columns.decoded_or_same(item) for item in listed]


def _synthesized(made: Any, index: int, seed: bool) -> bool:
    """Whether a model made the test: every test of a synthetic problem, and the marked ones of a seed problem.

    made: the column `is_synthesized`, one value or one for each test. seed: whether it is a seed problem.
    """
    if not isinstance(made, list):
        return not seed if made is None else str(made).lower() in ("1", "true")
    return index < len(made) and str(made[index]).lower() in ("1", "true")
