"""exercism's Python track: instructions, a stub, a unittest program, an example solution."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns
from microcoder_data.syntax import nodes_of, parsed

LICENSE = "MIT"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    slug = columns.text(record, "slug")
    if not slug:
        raise Reject("no_id", "slug is missing")
    parts = ("introduction", "instructions", "instructions_append")
    texts = [part for part in (columns.text(record, name).strip() for name in parts) if part]
    if not texts:
        raise Reject("no_statement", "instructions are missing or empty")
    tests, stubs, examples = (_files(record, name) for name in ("test", "stub", "example"))
    if not tests:
        raise Reject("no_tests", "test is empty")
    if len(tests) > 1 or len(stubs) > 1 or len(examples) > 1:
        raise Reject("several_files", "the exercise is a program of several files")
    if _files(record, "editor"):
        raise Reject("needs_files", "the tests use further files")
    modules = [name.rsplit("/", 1)[-1].removesuffix(".py") for name in stubs] or [slug.replace("-", "_")]
    stub = next(iter(stubs.values()), "")
    test_code = _importing_solution(next(iter(tests.values())), modules[0])
    if missing := _missing_modules(test_code):
        raise Reject("needs_files", f"the tests import {', '.join(missing)}")
    return new_row(
        problem_id=slug,
        source="exercism",
        license=LICENSE,
        url=f"https://exercism.org/tracks/python/exercises/{slug}",
        platform="exercism",
        slug=slug,
        title=columns.text(record, "name") or slug,
        statement="\n\n".join(texts),
        kind="asserts",
        entry_point=_entry_point(stub),
        starter_code=stub or None,
        test_code=test_code,
        tags=columns.texts(record.get("topics"), "topics"),
        difficulty=_difficulty(record.get("difficulty")),
        solutions=columns.programs(list(examples.values()), "example"),
    )


def _entry_point(stub: str) -> str | None:
    """The first function or class of a stub; an exception class only if there is nothing else.

    >>> _entry_point("class StackIsEmpty(Exception):\\n    pass\\n\\ndef evaluate(data):\\n    pass")
    'evaluate'
    """
    defined = [
        (bool(re.search(r"(?:Error|Exception|Warning)$", found["bases"] or "")), found.start(), found["name"])
        for found in re.finditer(r"^(?:def|class) (?P<name>\w+)(?:\((?P<bases>[\w., ]*)\))?", stub, re.MULTILINE)
    ]
    return min(defined)[2] if defined else None


def _files(record: Mapping[str, Any], name: str) -> dict[str, str]:
    """The texts of the files in a column, by file name; empty ones are left out."""
    value = columns.decoded(record.get(name), name)
    if not isinstance(value, Mapping):
        return {}
    return {str(key): text for key, text in value.items() if isinstance(text, str) and text.strip()}


def _importing_solution(program: str, module: str) -> str:
    """The test program with its imports changed from the exercise's module to `solution`."""
    program = re.sub(rf"^([^\S\n]*)from {module} import", r"\1from solution import", program, flags=re.MULTILINE)
    program = re.sub(rf"^([^\S\n]*)import {module} as ", r"\1import solution as ", program, flags=re.MULTILINE)
    return re.sub(rf"^([^\S\n]*)import {module}$", rf"\1import solution as {module}", program, flags=re.MULTILINE)


def _missing_modules(program: str) -> list[str]:
    """The modules that a test program imports and that are neither Python's, nor pytest, nor the solution.

    >>> _missing_modules("import unittest\\nfrom solution import leap\\nfrom test_utils import File\\n")
    ['test_utils']
    """
    tree = parsed(program)
    if tree is None:
        return []
    names = [alias.name for node in nodes_of(tree, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes_of(tree, ast.ImportFrom) if not node.level]
    imported = {name.partition(".")[0] for name in names}
    return sorted(imported - {"solution", "pytest"} - sys.stdlib_module_names)


def _difficulty(steps: Any) -> dict[str, Any]:
    """exercism rates from 1 to 10: up to 3 is easy, up to 7 medium."""
    number = columns.whole(steps)
    found = columns.difficulty(number)
    found["level"] = None if number is None else "easy" if number <= 3 else "medium" if number <= 7 else "hard"
    return found
