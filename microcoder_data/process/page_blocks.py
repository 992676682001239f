"""The blocks of code on a problem's page, with what the text before and behind each says of it.

A scraper makes tests of such blocks. They are found when they are first asked for, which takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from microcoder_data.process.render import PROSE, whole_text
from microcoder_data.schema import Row

LINE_BEFORE, BEHIND = 300, 600
"""An example's answer is said in the characters behind its block."""
_BLOCK = re.compile(
    r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```|((?:^(?: {4}|[ ]{0,3}\t)[^\n]*\n?|^[ \t]*\n)+)", re.DOTALL | re.MULTILINE
)
_CALLED_INPUT = re.compile(
    r"(?:\b(?:for|if|when|given|this|following|sample|example) (?:the |an? |this |following |sample |example )*|^\W*)"
    r"inputs?\b[^.]*$|(?:输入|入力)[^。]*$",
    re.IGNORECASE,
)
_CALLED_OUTPUT = re.compile(
    r"\b(?:outputs?|prints?|returns?|answers?|results?|responses?)\b[^.]*$|(?:输出|出力)[^。]*$", re.IGNORECASE
)


class Block(NamedTuple):
    """A block of code: its text, the text behind it, and whether the line before announces an input or an output."""

    text: str
    behind: str
    called_input: bool
    called_output: bool


class PageBlocks:
    """The blocks of a row's page, by their texts without white space."""

    def __init__(self, row: Row) -> None:
        self.text = whole_text(row)
        """The page without its samples."""
        remarks = [sample["explanation"] for sample in row["samples"] if sample["explanation"]]
        columns = [row[name] for name in PROSE if row[name]]
        # the first indentation of a part is gone
        self._parts = [self.text, *remarks, *(f"    {part}" for part in (*columns, *remarks))]

    def may_have_any(self) -> bool:
        """A fast check: `False` says that there is no block."""
        return any("```" in part or "\n\t" in part or "\n    " in part for part in self._parts)

    def may_show_any(self, inputs: set[str]) -> bool:
        """Whether the page holds an input that is long enough to be a block of it."""
        written = squeezed("\n".join(self._parts))
        return any(len(given) > 2 and given in written for given in inputs)

    @cached_property
    def examples(self) -> dict[str, Block]:
        """Those that no line announces as an input."""
        return {squeezed(block.text): block for block in self._blocks if not block.called_input}

    @cached_property
    def every(self) -> frozenset[str]:
        return frozenset(squeezed(block.text) for block in self._blocks)

    @cached_property
    def not_printed(self) -> frozenset[str]:
        """Those that at least once no line announces as an output."""
        return frozenset(squeezed(block.text) for block in self._blocks if not block.called_output)

    @cached_property
    def _blocks(self) -> list[Block]:
        return [block for part in self._parts for block in _blocks_of(part)]


def _blocks_of(text: str) -> Iterator[Block]:
    for found in _BLOCK.finditer(text):
        before = text[max(0, found.start() - LINE_BEFORE) : found.start()].rstrip().rpartition("\n")[2]
        yield Block(
            found[1] if found[1] is not None else found[2],
            text[found.end() : found.end() + BEHIND],
            _CALLED_INPUT.search(before) is not None,
            _CALLED_OUTPUT.search(before) is not None,
        )


def squeezed(text: str) -> str:
    """A text without white space: a scraper may put each word of a block on a line."""
    return "".join(text.split())
