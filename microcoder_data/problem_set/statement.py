"""The canonical Markdown of a statement: its sections and its samples. Their content is not checked here."""

from __future__ import annotations

import re

SECTIONS = {
    "stdin": ("Input", "Output", "Constraints", "Samples"),
    "call": ("Signature", "Constraints", "Samples"),
    "interactive": ("Interaction", "Constraints", "Samples"),
}
_HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)
_FENCE = re.compile(r"^```[^\n`]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def sections(statement: str) -> dict[str, str]:
    """The text under each second-level heading; the text before the first heading is under "".

    >>> sections("Add them.\\n\\n## Input\\n\\nTwo numbers.\\n")
    {'': 'Add them.', 'Input': 'Two numbers.'}
    """
    parts = _HEADING.split(statement)
    names, texts = ["", *parts[1::2]], parts[0::2]
    return {name: text.strip() for name, text in zip(names, texts, strict=True)}


def samples(statement: str) -> list[tuple[str, str]]:
    """The fenced blocks under "Samples" as (input, output) pairs. A last block without a partner is left out.

    >>> samples("## Samples\\n\\n```input\\n1 2\\n```\\n```output\\n3\\n```\\n")
    [('1 2\\n', '3\\n')]
    """
    blocks: list[str] = _FENCE.findall(sections(statement).get("Samples", ""))
    return list(zip(blocks[0::2], blocks[1::2], strict=False))
