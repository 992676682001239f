"""`config.yaml` of packages for LightCPVerifier, the judge of LiveCodeBench-Pro and Frontier-CS: tests, judge, limits.

The keys and their defaults are those of that judge's loader: `type` (default, interactive), `checker` (chk.cc),
`interactor` (interactor.cc), `time` or `time_limit` (1s), `memory` or `memory_limit` (256m), prefixes and suffixes of
file names, `subtasks` with `n_cases` (files numbered from 1 through all subtasks) or `cases`. Tests lie in `testdata/`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from microcoder_data.packages.files import Package, read_yaml
from microcoder_data.packages.testlib_programs import testlib_program
from microcoder_data.rules import Reject
from microcoder_data.schema import new_test

NAME = "config.yaml"
MAX_TESTS = 20_000


class LightProblem(NamedTuple):
    """The content of config.yaml, with the tests."""

    kind: str
    tests: list[dict[str, Any]]
    checker: dict[str, Any] | None
    interactor: dict[str, Any] | None
    time_limit: str
    memory_limit: str
    judge: str
    """The path of the checker or interactor."""


def light_problem(package: Package) -> LightProblem:
    """Read a package; raises a Reject when it cannot be judged."""
    config = read_yaml(package, NAME)
    kind = config.get("type") or "default"
    if kind not in ("default", "interactive"):
        raise Reject("unknown_type", f"type {str(kind)[:100]!r} is neither default nor interactive")
    interactive = kind == "interactive"
    judge = str(config.get("interactor") or "interactor.cc") if interactive else str(config.get("checker") or "chk.cc")
    program = testlib_program(package, judge)
    tests = [
        new_test(_text(package, given), "" if interactive and f"testdata/{wanted}" not in package.sizes
                 else _text(package, wanted))
        for given, wanted in _cases(config)
    ]  # fmt: skip
    if not tests:
        raise Reject("no_tests", "subtasks names no test")
    return LightProblem(
        "interactive" if interactive else "stdin",
        tests,
        None if interactive else program,
        program if interactive else None,
        str(config.get("time_limit") or config.get("time") or "1s"),
        str(config.get("memory_limit") or config.get("memory") or "256m"),
        judge,
    )


def _cases(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The file names of input and answer of every test."""
    subtasks = config.get("subtasks")
    if not isinstance(subtasks, list) or not all(isinstance(one, Mapping) for one in subtasks):
        raise Reject("broken_tests", "subtasks is no list of subtasks")
    prefix = {key: str(config.get(f"{key}_prefix") or "") for key in ("input", "output")}
    suffix = {"input": str(config.get("input_suffix") or ".in"), "output": str(config.get("output_suffix") or ".ans")}
    number = 1
    for subtask in subtasks:
        count, cases = subtask.get("n_cases"), subtask.get("cases")
        if count is not None:
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MAX_TESTS:
                raise Reject("broken_tests", f"n_cases is no number from 0 to {MAX_TESTS}")
            for case in range(number, number + count):
                yield f"{prefix['input']}{case}{suffix['input']}", f"{prefix['output']}{case}{suffix['output']}"
            number += count
        elif isinstance(cases, list) and all(isinstance(case, Mapping) for case in cases):
            yield from ((str(case.get("input")), str(case.get("output"))) for case in cases)
        else:
            raise Reject("broken_tests", "a subtask has neither n_cases nor cases")


def _text(package: Package, name: str) -> str:
    path = f"testdata/{name}"
    if path not in package.sizes:
        raise Reject("no_tests", f"{path[:100]} is not in the package")
    return package.text(path)
