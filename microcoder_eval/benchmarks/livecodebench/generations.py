"""A model's programs in LiveCodeBench's own formats: what its custom evaluator takes and what its runner writes.

[{"question_id": "1873_A", "code_list": ["...", ...]}, ...]     custom evaluator; also one object a line (.jsonl)
[["...", ...], ...]                                             custom evaluator: lists in the order of the ids
[{"question_id", "output_list", "code_list", ...}, ...]         the runner's output, and its `_eval_all.json`
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_eval.benchmarks.livecodebench.questions import Questions
from microcoder_eval.errors import InputError
from microcoder_eval.plural import counted
from microcoder_eval.reading.input_files import BadRecord


@dataclass(frozen=True)
class Generations:
    """For each question the programs, or the replies where the file holds no programs."""

    programs: dict[str, list[str]]
    replies: dict[str, list[str]]
    bad: list[BadRecord]

    @property
    def questions(self) -> set[str]:
        return self.programs.keys() | self.replies.keys()

    @property
    def count(self) -> int:
        return sum(len(listed) for listed in (*self.programs.values(), *self.replies.values()))


def read_generations(path: Path, questions: Questions) -> Generations:
    """The generations of a file for these questions. Those for questions outside the window are ignored."""
    found = Generations({}, {}, [])
    records = _records(path)
    if records and all(isinstance(record, list) for record in records):
        if len(records) != len(questions):
            raise InputError(
                f"{path}: {counted(len(records), 'list')} for {counted(len(questions), 'question')}: "
                "without ids there must be one for each"
            )
        records = [{"question_id": name, "code_list": record} for name, record in zip(questions, records, strict=True)]
    for number, record in enumerate(records, start=1):
        why = _add(record, questions, found)
        if why:
            found.bad.append(BadRecord(f"{path.name}, record {number}", why))
    return found


def _add(record: Any, questions: Questions, found: Generations) -> str:
    """Add a record's programs to `found`. Return why it cannot be used; empty when it can."""
    if not isinstance(record, Mapping) or "question_id" not in record:
        return 'no "question_id"'
    name = str(record["question_id"])
    if name in questions.outside:
        return ""
    if name not in questions:
        return f"question {name!r} is not in the data"
    if name in found.questions:
        return f"question {name!r} is there already; its first record is used"
    field = next((field for field in ("code_list", "output_list") if record.get(field)), None)
    if field is None:
        return f'question {name!r}: neither "code_list" nor "output_list" holds anything'
    texts = record[field]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return f'question {name!r}: "{field}" must be a list of texts'
    (found.programs if field == "code_list" else found.replies)[name] = texts
    return ""


def last_fence(reply: str) -> str:
    """The program that LiveCodeBench takes from a reply: the text between the last two lines with a fence.

    >>> last_fence("First\\n```python\\nprint(1)\\n```")
    'print(1)'
    """
    lines = reply.split("\n")
    fences = [number for number, line in enumerate(lines) if "```" in line]
    return "\n".join(lines[fences[-2] + 1 : fences[-1]]) if len(fences) > 1 else ""


def _records(path: Path) -> list[Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from None
    try:
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        records = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {error}") from None
    if not isinstance(records, list):
        raise InputError(f'{path}: expected a list of {{"question_id", "code_list"}}, as LiveCodeBench writes it')
    return records
