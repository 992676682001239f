"""The rule that a row can be graded: tests parse, test programs and checkers compile, the entry point is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome, drop
from microcoder_data.schema import Row, to_problem
from microcoder_data.syntax import last_word, nodes_of, parsed
from microcoder_eval import InputError

_FIXTURES = frozenset(
    ["tmp_path", "tmpdir", "tmp_path_factory", "tmpdir_factory", "capfd", "capfdbinary", "capsysbinary", "pytester",
     "testdir", "recwarn", "mocker", "benchmark", "requests_mock", "event_loop"]
)  # fmt: skip
"""Fixtures of pytest and of its usual plugins; of pytest's the grader has capsys, caplog and monkeypatch."""
_WORD = re.compile(r"\w+")
_SHARED_MODULES = frozenset(["builtins", "sys", "os", "solution"])
"""What tests replace elsewhere, with `mock.patch`, a submission does not see: it runs in another process."""


@dataclass(frozen=True)
class Gradable:
    """Drop rows that no submission could be graded against."""

    name: ClassVar[str] = "gradable_v3"

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] == "asserts":
            program = parsed(row["test_code"])
            if program is None:
                return drop("test_code_does_not_parse")
            named = any(map(row["test_code"].__contains__, _FIXTURES))
            if named and (fixture := next(_missing_fixtures(program), None)):
                return drop(
                    "not_gradable", f"the tests need pytest's fixture {fixture}, which the grader does not have"
                )
            if replaced := next(_out_of_reach(program), None):
                return drop("not_gradable", f"the tests replace {replaced}, which a submission does not see")
        checker = row["checker"]
        if checker and checker["kind"] == "python" and parsed(checker["code"] or "") is None:
            return drop("checker_does_not_parse")
        function = (row["entry_point"] or "").rpartition(".")[2]
        starter = row["starter_code"]
        if row["kind"] == "call" and starter and function and function not in _WORD.findall(starter):
            return drop("entry_point_not_in_starter_code", row["entry_point"])
        inline = {**row, "tests": [test for test in row["tests"] if not test["ref"]]}
        if not inline["tests"] and row["tests"]:
            return None  # all tests are oversized and not loaded here
        try:
            to_problem(inline)
        except InputError as error:
            return drop("not_gradable", str(error))
        return None


def _missing_fixtures(program: ast.Module) -> Iterator[str]:
    """Fixtures of pytest that the grader does not have and that a test, or another fixture, asks for by name."""
    functions = nodes_of(program, ast.FunctionDef)
    own = {function.name for function in functions}
    for function in functions:
        if function.name.startswith("test") or any("fixture" in ast.unparse(one) for one in function.decorator_list):
            yield from (one.arg for one in function.args.args if one.arg in _FIXTURES and one.arg not in own)


def _out_of_reach(program: ast.Module) -> Iterator[str]:
    """What a test program replaces by name, `mock.patch("time.sleep")`, in a module that it does not share."""
    for call in nodes_of(program, ast.Call):
        if last_word(call.func) == "patch" and call.args and isinstance(call.args[0], ast.Constant):
            target = str(call.args[0].value)
            if target.partition(".")[0] not in _SHARED_MODULES:
                yield target
