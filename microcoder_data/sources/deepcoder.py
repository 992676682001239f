"""DeepCoder-Preview: four configurations, three shapes of `tests`, all of them text inside one column.

taco                  {"inputs", "outputs", perhaps "fn_name"}
primeintellect        [{"type": "stdin_stdout" | "function_call", "fn_name", "input", "output"}]
lcbv5, codeforces     [{"input", "output", "testtype": "stdin" | "functional"}]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, new_test, text_sha256
from microcoder_data.sources import columns

LICENSE = "MIT"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "problem", "question", "prompt")
    starter = columns.text(record, "starter_code")
    solutions = columns.programs(record.get("solutions"), "solutions")
    metadata = columns.decoded(record.get("metadata"), "metadata")
    function = metadata.get("func_name") if isinstance(metadata, Mapping) else None
    tests = columns.decoded(record.get("tests"), "tests")
    if isinstance(tests, Mapping):
        function = tests.get("fn_name") or function
        kind, rows = _from_pairs(tests, function, starter)
    elif isinstance(tests, list):
        function = function or next((test.get("fn_name") for test in tests if isinstance(test, Mapping)), None)
        kind, rows = _from_objects(tests, function, starter)
    elif tests is None:
        raise Reject("no_tests", "tests is empty")
    else:
        raise Reject("broken_tests", f"tests is a {type(tests).__name__}")
    if kind == "call" and not function:
        raise Reject("no_entry_point", "the tests call a function that has no name")
    programs = [program["code"] for program in solutions]
    return new_row(
        problem_id="/".join(filter(None, [spec.config, spec.split, text_sha256(statement)[:16]])),
        source="deepcoder",
        license=LICENSE,
        contest_date=columns.date(metadata.get("contest_date")) if isinstance(metadata, Mapping) else None,
        statement=statement,
        kind=kind,
        entry_point=columns.entry_point_of(str(function), starter, programs) if kind == "call" else None,
        starter_code=starter or None,
        tests=rows,
        solutions=solutions,
    )


def _from_pairs(tests: Mapping[str, Any], function: Any, starter: str) -> tuple[str, list[dict[str, Any]]]:
    inputs, outputs = tests.get("inputs"), tests.get("outputs")
    if not function:
        return "stdin", columns.stdin_tests(inputs, outputs)
    return "call", columns.call_tests(inputs, outputs, wrapped=columns.outputs_are_wrapped(outputs, starter))


def _from_objects(tests: list[Any], function: Any, starter: str) -> tuple[str, list[dict[str, Any]]]:
    if not all(isinstance(test, Mapping) and "input" in test and "output" in test for test in tests):
        raise Reject("broken_tests", "a test without input and output")
    kinds = {str(test.get("testtype") or test.get("type") or "stdin") for test in tests}
    if kinds <= {"stdin", "stdin_stdout"}:
        return "stdin", columns.stdin_tests([test["input"] for test in tests], [test["output"] for test in tests])
    if kinds == {"functional"}:  # texts: one JSON value a line, as LiveCodeBench writes them
        return "call", [
            new_test(columns.stdin_text(test["input"]), columns.stdin_text(test["output"])) for test in tests
        ]
    if kinds == {"function_call"}:
        outputs = [test["output"] for test in tests]
        inputs = [test["input"] for test in tests]
        return "call", columns.call_tests(inputs, outputs, wrapped=columns.outputs_are_wrapped(outputs, starter))
    raise Reject("broken_tests", f"test types {', '.join(sorted(kinds))} in one problem")
