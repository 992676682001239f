"""LeetCodeDataset, v0.2.0 (details under `meta`) to v0.3.1 (details at the top).

Tests come from the test program, because `input_output` holds answers without quotes and the errors of failed runs. If
every line of it is `assert candidate(name = literal, ...) == literal`, the row is of kind `call`. A program that builds
linked lists or trees is kept (kind `asserts`), with the definitions that it needs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.process.watermarks import watermark_steps, without_watermarks
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, new_test
from microcoder_data.sources import columns
from microcoder_data.sources.leetcode_tables import with_tables

LICENSE = "apache-2.0"
_INFINITE = re.compile(r"-?(?:math\.)?inf|-?float\(['\"][-+]?inf(?:inity)?['\"]\)")
_ONLY_IN_CHINA = ("-lcci", "-lcof", "-lcof-ii")
_NUMERAL = re.compile(r"\b(?:x?i{1,3}|i?[vx]|xi?v|vi{1,3}|lcci|lcof)\b")
_FENCE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    meta = columns.mapping(record.get("meta"))
    slug = columns.text(record, "task_id")
    if not slug:
        raise Reject("no_id", "task_id is missing")
    statement = columns.text(record, "problem_description") or columns.text(meta, "question_title")
    query = columns.text(record, "query")
    statement = statement or columns.statement_of({"query": _FENCE.sub("", query)}, "query")
    statement, watermarks = without_watermarks(statement)
    statement = with_tables(statement)
    starter = columns.text(record, "starter_code") or columns.text(meta, "lang_code")
    if not starter and (found := _FENCE.search(query)):
        starter = found.group(1)
    entry_point = columns.text(record, "entry_point").replace("Solution()", "Solution")
    if not entry_point:
        raise Reject("no_entry_point", "entry_point is missing")
    test_code = columns.text(record, "test")
    if not test_code.strip():
        raise Reject("no_tests", "test is empty")
    tests = _literal_tests(test_code)
    prelude = columns.text(record, "prompt")
    completion = columns.text(record, "completion")
    row = new_row(
        problem_id=slug,
        source="leetcode_dataset",
        license=LICENSE,
        url=f"https://leetcode.{'cn' if slug.endswith(_ONLY_IN_CHINA) else 'com'}/problems/{slug}/",
        platform="leetcode",
        slug=slug,
        title=_title(slug),
        contest_date=columns.date(record.get("estimated_date")),
        statement=statement,
        kind="call" if tests else "asserts",
        entry_point=entry_point,
        starter_code=starter or None,
        test_code=None if tests else f"{prelude.rstrip()}\n\n\n{test_code}",
        tests=tests,
        tags=columns.texts(record.get("tags"), "tags"),
        difficulty=columns.difficulty(columns.text(record, "difficulty") or meta.get("difficulty")),
        solutions=columns.programs([f"{prelude.rstrip()}\n\n\n{completion}"] if completion else [], "completion"),
    )
    row["provenance"] = watermark_steps(watermarks)
    return row


def _title(slug: str) -> str:
    """The title that a slug was probably made of.

    >>> _title("jump-game-iv"), _title("tic-tac-toe-lcci")
    ('Jump game IV', 'Tic tac toe LCCI')
    """
    first, _, rest = slug.replace("-", " ").capitalize().partition(" ")
    return f"{first} {_NUMERAL.sub(lambda found: found[0].upper(), rest)}" if rest else first


def _literal_tests(test_code: str) -> list[dict[str, Any]]:
    """The tests as values when every assertion compares one call on literals with a literal, else an empty list."""
    try:
        tree = ast.parse(test_code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Reject("broken_tests", "the test program does not parse") from None
    check = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"), None)
    if check is None:
        raise Reject("broken_tests", "the test program defines no check function")
    tests = []
    for line in check.body:
        test = line.test if isinstance(line, ast.Assert) else None
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
            return []
        call = test.left
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "candidate"):
            return []
        try:
            named = {keyword.arg: _literal(keyword.value) for keyword in call.keywords if keyword.arg}
            listed = [_literal(argument) for argument in call.args]
            wanted = _literal(test.comparators[0])
        except (ValueError, RecursionError):
            return []
        if bool(named) == bool(listed):
            return []
        tests.append(new_test(columns.encode_arguments(named or listed), columns.encode_value(wanted)))
    return tests


def _literal(value: ast.expr) -> Any:
    """The value of a literal. `float("inf")` and `inf`, which the platform's imports define, count as literals."""
    try:
        return ast.literal_eval(value)
    except ValueError:
        text = ast.unparse(value)
        if not _INFINITE.fullmatch(text):
            raise
        return float(text.replace("float(", "").replace("math.", "").strip("()'\""))
