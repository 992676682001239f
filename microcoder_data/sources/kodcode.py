"""KodCode-V1: a question, a solution and a pytest program; also the generator's rows before they were published."""

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
    metadata = columns.decoded(record.get("metadata"), "metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    row = new_row(
        problem_id=columns.text(record, "question_id") or _generated_id(metadata) or text_sha256(statement)[:16],
        source="kodcode",
        license=LICENSE,
        statement=statement,
        kind="asserts",
        entry_point=function or None,
        starter_code=_given_with(_starter(declared), statement, test_code, solution),
        test_code=test_code,
        tags=[text for text in (columns.text(record, "subset"), columns.text(record, "style")) if text],
        difficulty=columns.difficulty(columns.text(record, "gpt_difficulty") or None),
        solutions=[*columns.programs([solution] if solution else [], "solution"), *_second(record)],
    )
    tries = record.get("gpt_pass_sequence") or record.get("pass_sequence") or []
    if isinstance(tries, list) and tries and all(isinstance(one, (int, float)) for one in tries):
        model = "gpt-4o" if "gpt_pass_sequence" in record else None
        row["difficulty"].update(pass_rate=sum(tries) / len(tries), pass_n=len(tries), pass_model=model)
    return row


def _function(test_code: str, solution: str) -> str:
    """The function under test: the first that the tests import, else the first of the solution that they name.

    A class beside functions is a structure that they take, such as `TreeNode`.
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
    """The id of a row that was not published yet: its number counts within the kind of its seeds."""
    kind, number = columns.text(metadata, "mode"), columns.text(metadata, "prompt_id")
    return f"{kind.capitalize()}_{number}" if kind and number else number


def _given_with(starter: str | None, statement: str, test_code: str, solution: str) -> str | None:
    """The starter code behind the classes that the tests import beside the function, as the solution defines them.

    A submission cannot know them otherwise: they belong to the problem.
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


def _second(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The copies for reinforcement learning bring R1's solution and whether it passed."""
    code, verdict = columns.text(record, "r1_solution"), columns.text(record, "r1_correctness").lower()
    if not code:
        return []
    correct = verdict in ("true", "correct", "1") if verdict else None
    return [{"language": "python", "code": columns.unfenced(code), "correct": correct, "origin": "model"}]
