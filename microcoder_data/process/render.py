"""A row's problem as one Markdown text."""

from __future__ import annotations

from microcoder_data.schema import Row

PROSE = ("statement", "input_format", "output_format", "constraints", "notes")
"""The columns of a row's prose."""
_PARTS = (("input_format", "Input"), ("output_format", "Output"), ("constraints", "Constraints"))


def whole_text(row: Row) -> str:
    """The prose of a row without its samples. Rules search it for words.

    >>> from microcoder_data.schema import new_row
    >>> whole_text(new_row(statement="Add.", output_format="A sum."))
    'Add.\\n\\nA sum.'
    """
    return "\n\n".join([row[name] for name in PROSE if row[name]])


def render(row: Row, samples: int = 3) -> str:
    """The problem as a prompt: statement, formats, at most `samples` samples, notes, starter code, answer format."""
    pieces = [f"# {row['title']}" if row["title"] else "", row["statement"]]
    pieces += [f"## {heading}\n\n{row[name]}" for name, heading in _PARTS if row[name]]
    for number, sample in enumerate(row["samples"][:samples], 1):
        pieces.append(
            f"## Sample {number}\n\nInput:\n```\n{_lines(sample['input'])}\n```\n"
            f"Output:\n```\n{_lines(sample['output'])}\n```"
        )
        pieces.append(sample["explanation"] or "")
    pieces.append(f"## Notes\n\n{row['notes']}" if row["notes"] else "")
    pieces.append(f"```python\n{row['starter_code']}\n```" if row["starter_code"] else "")
    pieces.append(row["answer_format"] or "")
    return "\n\n".join(piece.strip("\n") for piece in pieces if piece)


def _lines(text: str) -> str:
    return text.rstrip("\n")
