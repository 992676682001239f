"""The rule that a row can be graded: tests parse, test programs and checkers compile, the entry point is there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome, drop
from microcoder_data.schema import Row, to_problem
from microcoder_data.syntax import parsed
from microcoder_eval import InputError


@dataclass(frozen=True)
class Gradable:
    """Drop rows that no submission could be graded against."""

    name: ClassVar[str] = "gradable_v1"

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] == "asserts" and parsed(row["test_code"]) is None:
            return drop("test_code_does_not_parse")
        checker = row["checker"]
        if checker and checker["kind"] == "python" and parsed(checker["code"] or "") is None:
            return drop("checker_does_not_parse")
        function = (row["entry_point"] or "").rpartition(".")[2]
        starter = row["starter_code"]
        if row["kind"] == "call" and starter and not re.search(rf"\b{re.escape(function)}\b", starter):
            return drop("entry_point_not_in_starter_code", row["entry_point"])
        inline = {**row, "tests": [test for test in row["tests"] if not test["ref"]]}
        if not inline["tests"] and row["tests"]:
            return None  # all tests are oversized and not loaded here
        try:
            to_problem(inline)
        except InputError as error:
            return drop("not_gradable", str(error))
        return None
