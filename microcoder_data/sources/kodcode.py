"""KodCode-V1: a question, a solution and a pytest program; as published, or as its generator writes rows."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns

LICENSE = "CC-BY-NC-4.0"
_IMPORTED = re.compile(r"^from solution import \(?\s*((?:\w+\s*,?\s*)+)\)?", re.MULTILINE)


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "question", "instruction")
    test_code = columns.unfenced(columns.text(record, "test", "test_code"))
    if not test_code.strip():
        raise Reject("no_tests", "test is empty")
    solution = columns.text(record, "solution", "response")
    declared = [
        item for item in columns.decoded(record.get("test_info"), "test_info") or [] if isinstance(item, Mapping)
    ]
    function = next((columns.text(item, "function_name") for item in declared if item.get("function_name")), "")
    function = function or _function(test_code, solution)
    metadata = columns.mapping(columns.decoded(record.get("metadata"), "metadata"))
    row = new_row(
        problem_id=columns.text(record, "question_id") or _generated_id(metadata) or text_sha256(statement)[:16],
        source="kodcode",
        license=LICENSE,
        statement=statement,
        kind="asserts",
        entry_point=function or None,
        starter_code=_with_problem_classes(_starter(declared), statement, test_code, solution),
        test_code=test_code,
        tags=[text for text in (columns.text(record, "subset"), columns.text(record, "style")) if text],
        difficulty=columns.difficulty(columns.text(record, "gpt_difficulty") or None),
        solutions=[*columns.programs([solution] if solution else [], "solution"), *_r1_solution(record)],
    )
    tries = record.get("gpt_pass_sequence") or record.get("pass_sequence") or []
    if isinstance(tries, list) and tries and all(isinstance(one, (int, float)) for one in tries):
        model = "gpt-4o" if "gpt_pass_sequence" in record else None
        row["difficulty"].update(pass_rate=sum(tries) / len(tries), pass_n=len(tries), pass_model=model)
    return row


def _function(test_code: str, solution: str) -> str:
    """The function under test: the first one that the tests import, else the solution's first one that they name.

    If there are functions, an imported class is a structure that they take, such as `TreeNode`.
    """
    found = _IMPORTED.search(test_code)
    imported = re.findall(r"\w+", found[1]) if found else []
    try:
        body = ast.parse(solution).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return imported[0] if imported else ""
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    classes = [node.name for node in body if isinstance(node, ast.ClassDef)]
    if imported:
        return next((name for name in imported if name in functions), imported[0])
    return next((name for name in [*functions, *classes] if re.search(rf"\b{name}\b", test_code)), "")


def _generated_id(metadata: Mapping[str, Any]) -> str:
    """The id of a generator's row: its number is unique among the rows of one `mode`."""
    kind, number = columns.text(metadata, "mode"), columns.text(metadata, "prompt_id")
    return f"{kind.capitalize()}_{number}" if kind and number else number


def _with_problem_classes(starter: str | None, statement: str, test_code: str, solution: str) -> str | None:
    """The starter code, preceded by the solution's definitions of the classes that the tests import.

    They belong to the problem: a submission cannot know them otherwise. Classes in the statement are left out.
    """
    found = _IMPORTED.search(test_code)
    imported = set(re.findall(r"\w+", found[1])) if found else set()
    try:
        body = ast.parse(solution).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return starter
    classes = [
        ast.get_source_segment(solution, node) or ""
        for node in body
        if isinstance(node, ast.ClassDef) and node.name in imported and f"class {node.name}" not in (starter or "")
    ]
    written = [text for text in classes if text.split(":", 1)[0].split("(")[0].strip() not in statement]
    return "\n\n\n".join([*written, *([starter] if starter else [])]) or None


def _starter(declared: list[Mapping[str, Any]]) -> str | None:
    heads = [columns.text(item, "function_declaration").strip() for item in declared]
    return "\n\n".join(f"{head}\n    pass" for head in heads if head.endswith(":")) or None


def _r1_solution(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """R1's solution and whether it passed, which the rows for reinforcement learning have."""
    code, verdict = columns.text(record, "r1_solution"), columns.text(record, "r1_correctness").lower()
    if not code:
        return []
    correct = verdict in ("true", "correct", "1") if verdict else None
    return [{"language": "python", "code": columns.unfenced(code), "correct": correct, "origin": "model"}]
