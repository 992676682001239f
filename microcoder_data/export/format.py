"""What a format is, and what several formats share: tests as text, and the function's name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from microcoder_data.schema import Row
from microcoder_eval import Problem
from microcoder_eval.signatures import node_hints, parameters

Record = dict[str, Any]

MESSAGES = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))


class LeftOut(Exception):
    """A row cannot be expressed in a format. The message is the reason, worded alike for all such rows."""


@dataclass(frozen=True)
class Format:
    """How rows are written for one tool."""

    record: Callable[[Problem, Row, int], Record]
    """Takes a problem, its row with loaded tests, and how many records were written before; may raise `LeftOut`."""
    schema: pa.Schema | None = None
    """For Parquet; None: JSON lines."""
    case_sensitive_tool: str = ""
    """The tool, if its judge cannot ignore letter case. Rows whose checker ignores it are written, and counted."""


def tests_as_text(problem: Problem, checkers: tuple[str, ...], who: str) -> list[tuple[str, str]]:
    """Input and output of each test as APPS, LiveCodeBench and verl write them: text, or JSON, one argument a line.

    checkers: the kinds of checkers that the tool can replace. who: the tool's name, for the reasons.
    """
    if problem.kind not in ("stdin", "call"):
        raise LeftOut(f"kind {problem.kind}: {who} has no such tests")
    if problem.checker.kind not in checkers:
        raise LeftOut(f"checker {problem.checker.kind}: {who} would judge right answers wrong")
    if problem.kind == "call" and node_hints(problem):
        raise LeftOut(f"linked lists or trees: {who} does not know them")
    if problem.kind == "stdin":
        return [(test.input, test.output) for test in problem.tests]
    return [(_lines(test.input, problem), _json(test.output)) for test in problem.tests]


def interchange(problem: Problem, row: Row) -> Record:
    """The problem as the grader reads it, with the texts of the row's tests instead of their parsed values."""
    tests = [{"input": test["input"], "output": test["output"]} for test in row["tests"]]
    return {**problem.to_dict(), "tests": tests}


def function_name(problem: Problem) -> str | None:
    """The name of the function to call without its class; None for programs."""
    return (problem.entry_point or "").rpartition(".")[2] or None


def _lines(arguments: Any, problem: Problem) -> str:
    if isinstance(arguments, dict):
        order = parameters(problem)
        if set(order) != set(arguments):
            raise LeftOut("arguments by keyword whose order the starter code does not give")
        arguments = [arguments[name] for name in order]
    return "\n".join(map(_json, arguments))


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        raise LeftOut("a value that JSON cannot express") from None
