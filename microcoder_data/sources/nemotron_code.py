"""Nemotron's competitive coding for RL, and NeMo Gym's `code_gen` rows: a prompt, and unit tests of stdin and stdout.

    responses_create_params.input      messages; the statement is in the user's last one, after instructions
    verifier_metadata.unit_tests       inputs, outputs
    hash_id, dataset, source           where it comes from

The keys are those of the publisher's card and of NeMo Gym's readers. There is no checker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns

LICENSE = "CC-BY-SA-4.0"
INSTRUCTIONS_END = "# Your code here\n```\n\n"
LONGEST_INSTRUCTIONS = 600


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    request = columns.decoded(record.get("responses_create_params"), "responses_create_params")
    statement = _last_message(columns.mapping(request).get("input"))
    metadata = columns.decoded(record.get("verifier_metadata"), "verifier_metadata")
    tests = columns.decoded(columns.mapping(metadata).get("unit_tests"), "unit_tests")
    if not isinstance(tests, Mapping):
        raise Reject("no_tests", "verifier_metadata has no unit_tests")
    if tests.get("fn_name"):
        raise Reject("no_entry_point", "the tests call a function, whose form is not documented")
    found = columns.stdin_tests(tests.get("inputs"), tests.get("outputs"))
    if not found:
        raise Reject("no_tests", "unit_tests is empty")
    return new_row(
        problem_id=columns.text(record, "hash_id") or text_sha256(statement)[:16],
        source="nemotron_code",
        license=LICENSE,
        platform=columns.text(record, "source").lower() or None,
        statement=statement,
        kind="stdin",
        tests=found,
    )


def _last_message(messages: Any) -> str:
    """The text of the user's last message."""
    messages = columns.decoded(messages, "input")
    if isinstance(messages, list):
        for message in reversed(messages):
            if isinstance(message, Mapping) and message.get("role") == "user":
                return _without_instructions(columns.statement_of(message, "content"))
    raise Reject("no_statement", "responses_create_params.input has no message of a user")


def _without_instructions(text: str) -> str:
    """The text without NeMo Gym's instructions before it, which end with an empty code block."""
    before, end, question = text.partition(INSTRUCTIONS_END)
    return question if end and len(before) <= LONGEST_INSTRUCTIONS and question.strip() else text
