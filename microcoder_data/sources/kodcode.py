"""KodCode-V1: a question, a solution and a pytest program; as published, or as its generator writes rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns, kodcode_programs

LICENSE = "CC-BY-NC-4.0"
_METHOD = re.compile(r"^(?:async )?def \w+\((?:self|cls)\b")


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "question", "instruction")
    test_code = columns.unfenced(columns.text(record, "test", "test_code"))
    if not test_code.strip():
        raise Reject("no_tests", "test is empty")
    solution = columns.text(record, "solution", "response")
    heads = _heads(columns.objects(record.get("test_info"), "test_info"), test_code)
    function = next(iter(heads), "") or kodcode_programs.function_under_test(test_code, solution)
    known = "\n".join([statement, *heads.values()])
    given = kodcode_programs.definitions_of_the_problem(test_code, solution, known)
    asked = [f"{head}\n    pass" for head in heads.values()]
    if not kodcode_programs.names_what_is_called(known, function, test_code, solution):
        asked.append(kodcode_programs.skeleton(function, solution))
    metadata = columns.mapping(columns.decoded(record.get("metadata"), "metadata"))
    row = new_row(
        problem_id=columns.text(record, "question_id") or _generated_id(metadata) or text_sha256(statement)[:16],
        source="kodcode",
        license=LICENSE,
        statement=statement,
        kind="asserts",
        entry_point=function or None,
        starter_code="\n\n\n".join(filter(None, [*given, "\n\n".join(filter(None, asked))])) or None,
        test_code=kodcode_programs.with_imports(test_code, solution),
        tags=[text for text in (columns.text(record, "subset"), columns.text(record, "style")) if text],
        difficulty=columns.difficulty(columns.text(record, "gpt_difficulty") or None),
        solutions=[*columns.programs([solution] if solution else [], "solution"), *_r1_solution(record)],
    )
    tries = record.get("gpt_pass_sequence") or record.get("pass_sequence") or []
    if isinstance(tries, list) and tries and all(one in (0, 1) for one in tries):
        model = "gpt-4o" if "gpt_pass_sequence" in record else None
        row["difficulty"].update(pass_rate=sum(tries) / len(tries), pass_n=len(tries), pass_model=model)
    return row


def _generated_id(metadata: Mapping[str, Any]) -> str:
    """The id of a generator's row: its number is unique among the rows of one `mode`."""
    kind, number = columns.text(metadata, "mode"), columns.text(metadata, "prompt_id")
    return f"{kind.capitalize()}_{number}" if kind and number else number


def _heads(declared: list[Mapping[str, Any]], test_code: str) -> dict[str, str]:
    """The heads of the declared functions that the tests call, by name. Helpers and methods are declared too."""
    heads = {
        columns.text(item, "function_name"): head
        for item in declared
        if (head := columns.text(item, "function_declaration").strip()).endswith(":") and not _METHOD.search(head)
    }
    called = {name: head for name, head in heads.items() if re.search(rf"(?<!def )\b{re.escape(name)}\(", test_code)}
    return called or heads


def _r1_solution(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """R1's solution and whether it passed, which the rows for reinforcement learning have."""
    code, verdict = columns.text(record, "r1_solution"), columns.text(record, "r1_correctness").lower()
    if not code:
        return []
    correct = verdict in ("true", "correct", "1") if verdict else None
    return [{"language": "python", "code": columns.unfenced(code), "correct": correct, "origin": "model"}]
