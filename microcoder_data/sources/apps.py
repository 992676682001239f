"""APPS: `problem_id` starts at 0 in every split; solutions and tests are JSON text, sometimes empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.identity import place_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns
from microcoder_data.sources.taco import tests_of

LICENSE = "MIT"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "question")
    starter = columns.text(record, "starter_code")
    solutions = columns.programs(record.get("solutions"), "solutions")
    url = columns.text(record, "url") or None
    place = place_of(url)
    platform = place.platform if place else None
    kind, entry_point, tests = tests_of(record, starter, [program["code"] for program in solutions], platform)
    number = columns.text(record, "problem_id", "id") or text_sha256(statement)[:16]
    return new_row(
        problem_id=f"{spec.split}/{number}" if spec.split else number,
        source="apps",
        license=LICENSE,
        url=url,
        platform=platform,
        contest_id=place.contest_id if place else None,
        problem_index=place.problem_index if place else None,
        slug=place.slug if place else None,
        statement=statement,
        kind=kind,
        entry_point=entry_point,
        starter_code=starter or None,
        tests=tests,
        difficulty=columns.difficulty(record.get("difficulty")),
        solutions=solutions,
    )
