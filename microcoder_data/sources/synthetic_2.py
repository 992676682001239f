"""PrimeIntellect's SYNTHETIC-2: tasks of many kinds with model answers; those with tests of programs become rows.

The card names the columns: `problem_id`, `prompt`, `verification_info` (text), and for each model `<model>_responses`
and `<model>_avg_reward`. It does not say what `verification_info` holds. A record is read if it has SYNTHETIC-1's form
for code, {"test_cases": [{"input", "output", "type", "fn_name"}]}, and rejected as `not_a_coding_task` otherwise.
Responses are left out: no column says which of them are right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row
from microcoder_data.sources import columns
from microcoder_data.sources.prime_intellect import row_of


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    info = columns.decoded(record.get("verification_info"), "verification_info")
    if not isinstance(info, Mapping) or "test_cases" not in info:
        raise Reject("not_a_coding_task", "verification_info holds no test_cases")
    return row_of({**record, "verification_info": info}, "synthetic_2", "prompt")
