"""DMOJ's problem packages (`init.yml`), and OJBench, which is made of them.

    - {source: dmoj, path: OJBench_testdata/ICPC, join: {statements: OJBench_testdata/prompts/full.jsonl}, split: test}

A package holds no statement: `join` names the records that do, with `id` and `statement` or `prompt`. `id` is the
package's folder, or the part of it after a dash (`loj-2133`). OJBench has prompts in two languages; the Python one is
taken. Nothing of a package is run, so packages that need such a program (generators, Python checkers, custom and
signature graders, keys computed by Python) are rejected, and so are patterns that find tests by their names. Batches
and their dependencies become groups. Packages have no limits, the site has: give them as constants of the source.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from microcoder_data.packages.files import Package, read_yaml
from microcoder_data.packages.gradable import refuse_ungradable
from microcoder_data.packages.testlib_programs import testlib_program
from microcoder_data.reading.joins import files_of, records_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_checker, new_row, new_test
from microcoder_data.sources import columns

NAME = "init.yml"
REFUSED = {
    "generator": "needs_generator",
    "custom_judge": "custom_grader",
    "signature_grader": "signature_grader",
    "io_redirects": "needs_files",
    "file_io": "needs_files",
}
_EASY = """def check(input, expected, actual):
    return sorted("".join(expected.split()).lower()) == sorted("".join(actual.split()).lower())
"""


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    package = record.get("package")
    if not isinstance(package, Package):
        raise Reject("not_a_package", f"the source dmoj reads packages: directories or zips with an {NAME}")
    config = read_yaml(package, NAME)
    _refuse_computed(config)
    for key, reason in REFUSED.items():
        if config.get(key):
            raise Reject(reason, f"{NAME} has {key}")
    found = _statement(package, spec)
    interactor = _interactor(package, config)
    tests, groups = _tests(_Data(package, config), config, interactor is not None)
    row = new_row(
        problem_id=package.name,
        source="dmoj",
        slug=posixpath.basename(package.name),
        title=columns.text(found, "title") or None,
        statement=columns.text(found, "statement") or columns.statement_of(found, "prompt"),
        kind="interactive" if interactor else "stdin",
        io="interactive" if interactor else "stdio",
        tests=tests,
        groups=json.dumps(groups) if groups else None,
        checker=None if interactor else _checker(package, config.get("checker")),
        interactor=interactor,
        time_limit_ms=columns.milliseconds(found.get("time_limit")),
        memory_limit_mb=columns.megabytes(found.get("memory_limit")),
        difficulty=columns.difficulty(columns.text(found, "difficulty")),
    )
    refuse_ungradable(row)
    return row


class _Data:
    """The package's test files by name: first its own files, then those of its archive."""

    def __init__(self, package: Package, config: Mapping[str, Any]) -> None:
        self._places = [package]
        name = config.get("archive")
        if name is not None:
            if not isinstance(name, str) or name not in package.sizes:
                raise Reject("no_tests", f"the archive {str(name)[:100]!r} is not in the package")
            self._places.append(package.archive(name))

    def text(self, name: Any) -> str:
        """The text of a file; raises a Reject when there is none of that name."""
        for place in self._places:
            if isinstance(name, str) and name in place.sizes:
                return place.text(name)
        raise Reject("no_tests", f"{str(name)[:100]!r} is not in the package")


def _refuse_computed(config: Any) -> None:
    """Refuse keys that end in `++`: DMOJ evaluates them as Python."""
    stack = [config]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if any(str(key).endswith("++") for key in value):
                raise Reject("computed_keys", f"{NAME} has keys that Python computes")
            stack += value.values()
        elif isinstance(value, list):
            stack += value


def _statement(package: Package, spec: SourceSpec) -> Mapping[str, Any]:
    """The joined record with the package's statement."""
    files = files_of(spec, "statements")
    if not files:
        raise Reject("needs_join", "a package has no statement: name the file of statements under join")
    folder = posixpath.basename(package.name)
    for name in dict.fromkeys((folder, folder.rpartition("-")[2])):
        found = [one for path in files for one in records_of(path, "id", name)]
        if found:
            return min(found, key=lambda one: str(one.get("language", "")).lower() != "python")
    raise Reject("join_finds_nothing", f"no statement has the id {folder}")


def _tests(
    data: _Data, config: Mapping[str, Any], interactive: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The tests in order, and the groups: one for each batch and for each test outside a batch."""
    listed = config.get("test_cases")
    if not isinstance(listed, list):
        raise Reject("tests_by_pattern", "test_cases is no list: its tests are found by patterns")
    tests: dict[tuple[str, str], dict[str, Any]] = {}
    groups: list[dict[str, Any]] = []
    batches: list[str] = []
    for points, batched, cases, needed in _entries(config, listed):
        name = f"{len(groups) + 1}"
        for case in cases:
            key = str(case.get("in")), str(case.get("out"))
            if key not in tests:
                wanted = "" if interactive and case.get("out") is None else data.text(case.get("out"))
                tests[key] = {**new_test(data.text(case.get("in")), wanted), "groups": []}
            tests[key]["groups"].append(name)
        try:
            require = [batches[number - 1] for number in needed if number > 0]
        except (IndexError, TypeError):
            raise Reject("broken_tests", "dependencies names a batch that does not come before") from None
        groups.append({"name": name, "max_score": points, "score_aggregation": "pass-fail", "require_pass": require})
        if batched:
            batches.append(name)
    if not tests:
        raise Reject("no_tests", "test_cases is empty")
    if not any(group["max_score"] for group in groups) or len(groups) == 1:
        return [{**test, "groups": None} for test in tests.values()], []
    return list(tests.values()), groups


def _entries(
    config: Mapping[str, Any], listed: list[Any]
) -> Iterator[tuple[float, bool, list[Mapping[str, Any]], list[Any]]]:
    """For each entry of `test_cases`: (points, whether it is a batch, its cases, the batches that it depends on)."""
    for entry in listed:
        if not isinstance(entry, Mapping):
            raise Reject("broken_tests", "a test case is no mapping")
        cases = entry.get("batched", [entry])
        if not isinstance(cases, list) or not all(isinstance(case, Mapping) for case in cases):
            raise Reject("broken_tests", "batched is no list of test cases")
        for case in (entry, *cases):
            for key in ("generator", "generator_args", "checker", *REFUSED):
                if case.get(key):
                    raise Reject(REFUSED.get(key, "needs_generator"), f"a test case has {key}")
            if case is not entry and "batched" in case:
                raise Reject("broken_tests", "a batch inside a batch")
        points = entry.get("points", config.get("points", 1))
        if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 <= points < 1e9:
            raise Reject("broken_tests", "points is no number from 0")
        needed = entry.get("dependencies") or []
        yield points, "batched" in entry, cases, needed if isinstance(needed, list) else [needed]


def _checker(package: Package, given: Any) -> dict[str, Any] | None:
    """DMOJ's checkers in the grader's terms; None for the default one."""
    name, arguments = (given.get("name"), given.get("args")) if isinstance(given, Mapping) else (given, None)
    arguments = arguments if isinstance(arguments, Mapping) else {}
    if name in (None, "standard"):
        return None  # DMOJ compares the tokens of each line, the grader those of the whole output
    if name == "identical":
        return new_checker("exact")
    if name == "easy":
        return new_checker("python", code=_EASY)
    if name in ("sorted", "unordered"):
        by = "whitespace" if name == "unordered" else arguments.get("split_on", "lines")
        return new_checker("unordered", of="tokens" if by == "whitespace" else "lines")
    if name in ("floats", "floatsabs", "floatsrel"):
        mode = {"floatsabs": "absolute", "floatsrel": "relative"}.get(name) or arguments.get("error_mode", "default")
        precision = arguments.get("precision", 6)
        if isinstance(precision, bool) or not isinstance(precision, int) or not 0 <= precision <= 300:
            raise Reject("unknown_checker", "the precision of floats is no whole number")
        most = 10.0**-precision
        return new_checker("float", abs=0.0 if mode == "relative" else most, rel=0.0 if mode == "absolute" else most)
    if name == "bridged" and arguments.get("type", "default") in ("default", "testlib"):
        return testlib_program(package, _single_file(arguments.get("files")))
    raise Reject("unknown_checker", f"the checker {str(name)[:100]!r} is DMOJ's own, or a Python program of the judge")


def _interactor(package: Package, config: Mapping[str, Any]) -> dict[str, Any] | None:
    given = config.get("interactive")
    if given is None:
        return None
    if not isinstance(given, Mapping) or given.get("type") != "testlib":
        raise Reject("unknown_interactor", "only interactors of the type testlib are read")
    return testlib_program(package, _single_file(given.get("files")))


def _single_file(files: Any) -> str:
    """The main source of a judge's program. Files that it includes are found by its include lines."""
    listed = files if isinstance(files, list) else [files]
    sources = [name for name in listed if isinstance(name, str) and not name.endswith((".h", ".hpp"))]
    if len(sources) != 1:
        raise Reject("several_validators", f"files of the judge's program: {str(files)[:100]}")
    return sources[0]
