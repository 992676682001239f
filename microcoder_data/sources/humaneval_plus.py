"""HumanEval+: the hub's version (HumanEval's columns, more tests) or EvalPlus's own files of inputs. A benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row
from microcoder_data.sources import humaneval
from microcoder_eval.benchmarks.functions.extra_tests import test_program

LICENSE = "apache-2.0"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    if "base_input" in record:
        record = {**record, "test": program_of(record)}
    row = humaneval.to_row(record, spec)
    row.update(source="humaneval_plus", license=LICENSE)
    return row


def program_of(record: Mapping[str, Any]) -> str:
    """The test program of an EvalPlus record: it compares with the reference solution on the record's inputs."""
    missing = [name for name in ("task_id", "prompt", "entry_point", "canonical_solution") if not record.get(name)]
    if missing:
        raise Reject("broken_tests", f"{', '.join(missing)} missing")
    try:
        return test_program({"plus_input": [], **record})
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise Reject("broken_tests", f"inputs of another form: {type(error).__name__}: {error}") from None
