"""A row of the problem "add two numbers" with a given statement."""

from __future__ import annotations

from typing import Any

from microcoder_data.schema import new_row, new_test


def row(statement: str, kind: str = "stdin", **columns: Any) -> dict[str, Any]:
    given = {"tests": [new_test("3 4\n", "7\n"), new_test("1 1\n", "2\n")], "language": "en", **columns}
    return new_row(problem_id="a:1", source="a", statement=statement, kind=kind, **given)
