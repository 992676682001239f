"""A statement that is too long to be one is rejected, by a key of the source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.conversion import rows_of
from microcoder_data.reading.scanning import scan
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.remedies import remedy_of
from microcoder_data.shards import TestStore

pytestmark = pytest.mark.fast


def collected(folder: Path, statement: str, **settings: Any) -> tuple[Any, Any]:
    path = folder / "rows.jsonl"
    path.write_text(json.dumps({"id": "a", "statement": statement, "inputs": ["1"], "outputs": ["2"]}) + "\n")
    names = {"problem_id": "id", "statement": "statement", "inputs": "inputs", "outputs": "outputs"}
    spec = SourceSpec(source="generic", path=(str(path),), fields=names, **settings)
    (found,) = rows_of(scan((0, str(path), 1 << 20)).parts, spec, TestStore(folder), limit=None, strict=False)
    return found


def test_a_statement_that_is_too_long_is_rejected_and_the_key_lets_it_through(tmp_path: Path) -> None:
    row, rejected = collected(tmp_path, "a" * 100_001)
    assert row is None and (rejected["outcome"], rejected["reason"]) == ("rejected", "statement_too_large")
    remedy = remedy_of(rejected)
    assert str(remedy) == "sources.max_characters: 100001"
    row, rejected = collected(tmp_path, "a" * 100_001, max_characters=remedy.value)
    assert rejected is None and len(row["statement"]) == 100_001


def test_a_statement_of_the_allowed_length_is_kept(tmp_path: Path) -> None:
    row, rejected = collected(tmp_path, "a" * 100_000)
    assert rejected is None and row is not None
