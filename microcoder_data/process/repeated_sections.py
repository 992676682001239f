"""The rule for sections that stand twice: a dump of a judge's pages may have the whole page as the statement, without
headings, and the input and the output format once more as parts of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.process.headings import INPUT, OUTPUT, heading_of
from microcoder_data.rules import Outcome, changed
from microcoder_data.schema import Row

PARTS = ("input_format", "output_format")
SHORTEST = 40
"""In characters: a shorter end may be equal by chance."""


@dataclass(frozen=True)
class RepeatedSections:
    """Take the input and the output format out of the end of the statement where they are parts of their own too, and
    leave parts that are there twice once."""

    name: ClassVar[str] = "repeated_sections_v2"

    def __call__(self, row: Row) -> Outcome | None:
        doubled = [name for name in (*PARTS, "constraints", "notes") if row[name] and _once(row[name]) != row[name]]
        removed = sum(len(row[name]) for name in doubled) // 2
        for name in doubled:
            row[name] = _once(row[name])
        end = "\n\n".join(filter(None, ((row[name] or "").strip() for name in PARTS)))
        shorter = _without_end(row["statement"].rstrip(), end) if len(end) >= SHORTEST else None
        if shorter:
            row["statement"] = shorter
            removed += len(end)
        return changed("input and output format stood there twice", removed, took_out=True) if removed else None


def _once(text: str) -> str:
    """A part that stands there twice, as where the statement had it under a heading, once."""
    half = text[: len(text) // 2 - 1]
    return half if len(half) >= SHORTEST and text == f"{half}\n\n{half}" else text


def _without_end(statement: str, end: str) -> str | None:
    """The statement without this end and the headings that announce it; None where it ends otherwise, or begins a block
    of code that the end closes."""
    if not statement.endswith(f"\n{end}"):
        return None
    lines = statement[: -len(end)].split("\n")
    while lines and (not lines[-1].strip() or heading_of(lines[-1]) in (INPUT, OUTPUT)):
        lines.pop()
    return None if sum(map(_is_fence, lines)) % 2 else "\n".join(lines).rstrip()


def _is_fence(line: str) -> bool:
    return line.lstrip().startswith(("```", "~~~"))
