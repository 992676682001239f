"""open-r1/verifiable-coding-problems-python: PrimeIntellect's Python problems, with structs for some text columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import Row
from microcoder_data.sources.prime_intellect import row_of


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    return row_of(record, "open_r1_verifiable", "problem_statement")
