"""Finds the fenced blocks of a reply, as models write them rather than as CommonMark defines them.

A fence may be indented (in lists), quoted, on the same line as prose or as the last line of code, unclosed, closed by
the next opening fence, or repeated. A fence inside a multi-line string or comment of the code is content. The text is
read once; a bounded number of blocks is read a second time. `choice.py` decides which block is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from microcoder_eval.extract.lexing import strip_line, syntax_of
from microcoder_eval.extract.tags import language_of, without_leading_tag

_FENCE = re.compile(r"(?P<indent>[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_SPECIAL = re.compile(r"[`~\"'/#]")
_SECOND_LOOKS = 16
_MOST_FENCES = 10_000


@dataclass(frozen=True, eq=False)
class Block:
    """A part of a reply that may be the program."""

    code: str
    language: str | None
    """The language that the tag names; None without a known tag."""
    closed: bool
    """False when the reply ended inside it."""
    doubtful: bool = False
    """Whether the fence that closed the block may be inside a string or a comment of its code."""


@dataclass(frozen=True)
class Fenced:
    """The blocks of a text, and the text outside them."""

    blocks: list[Block]
    outside: str
    """The lines that are in no block."""
    after: str
    """The lines outside that come after the last block."""


@dataclass(frozen=True)
class _Opening:
    line: int
    mark: str
    indent: str
    language: str | None


def fenced_blocks(text: str, language: str, is_program: Callable[[str], bool]) -> Fenced:
    """All fenced blocks, in order. `language` is what an untagged block is read as.

    `is_program` returns whether a text is a complete program. It decides where fences alone are ambiguous.

    >>> fenced_blocks("So:\\n```py\\nprint(1)\\n```", "python", bool).blocks
    [Block(code='print(1)', language='python', closed=True, doubtful=False)]
    """
    return _Scan(_with_last_fences(text).split("\n"), language, is_program).run()


def _with_last_fences(text: str) -> str:
    """The text. If it has far more fences than a real answer, only the part with the last ones."""
    if text.count("```") <= _MOST_FENCES:
        return text
    start = len(text)
    for _ in range(_MOST_FENCES):
        start = text.rfind("```", 0, start)
    return text[start:]


class _Scan:
    """One pass over the lines of a text."""

    def __init__(self, lines: list[str], language: str, is_program: Callable[[str], bool]) -> None:
        self.lines, self.language, self.is_program = lines, language, is_program
        self.blocks: list[Block] = []
        self.outside: list[str] = []
        self.outside_before = 0  # how many lines outside come before the last block's end
        self.looks = _SECOND_LOOKS
        self.met_fence = False

    def run(self) -> Fenced:
        index = 0
        while index < len(self.lines):
            line = self.lines[index]
            opening = self._opening(index) if "```" in line or "~~~" in line else None
            if opening is None:
                self.outside.append(line)
                index += 1
                continue
            index = self._block(opening) if opening.mark else index + 1
            self.outside_before = len(self.outside)
        return Fenced(self.blocks, "\n".join(self.outside), "\n".join(self.outside[self.outside_before :]))

    def _opening(self, index: int) -> _Opening | None:
        """The block that this line opens, if any. An `_Opening` without a mark: the line is handled, and opens none."""
        line = self.lines[index]
        handled = _Opening(index, "", "", None)
        match = _FENCE.match(line)
        if match is None:
            return self._glued_opening(index)
        first, self.met_fence = not self.met_fence, True
        mark, info = match["fence"], match["info"].strip()
        language = language_of(info)
        if language == "markdown":
            return handled  # the blocks are those inside the Markdown
        if info.endswith(mark):
            words = info[: -len(mark)].split(maxsplit=1)
            tagged = len(words) == 2 and language_of(words[0]) is not None
            self.blocks.append(Block(" ".join(words[1:] if tagged else words), language if tagged else None, True))
            return handled
        if first and not info and self.is_program("\n".join(self.outside)):
            # the prompt ended with the opening fence of this block
            self.blocks.append(Block("\n".join(self.outside), self.language, True))
            self.outside = []
            return handled
        return _Opening(index, mark, match["indent"], language)

    def _glued_opening(self, index: int) -> _Opening | None:
        """The block that a tagged fence at the end of a line of prose opens: "Here it is: ```python"."""
        line = self.lines[index]
        start = line.rfind("```", max(0, len(line) - 40))
        if start < 0 or "`" in line[:start] or not (info := line[start + 3 :].strip()) or " " in info:
            return None
        if (language := language_of(info)) is None or line.lstrip().startswith(("#", "//", '"', "'")):
            return None
        self.met_fence = True
        self.outside.append(line[:start])
        return _Opening(index, "```", "", language)

    def _block(self, opening: _Opening) -> int:
        """Read one block and return the index of the first line after it."""
        syntax = syntax_of(opening.language or self.language)
        content: list[str] = []
        inside: str | None = None
        doubtful: int | None = None  # the line of a fence that was read as content
        index = opening.line + 1
        while index < len(self.lines):
            line = self.lines[index]
            index += 1
            if inside is None and not _SPECIAL.search(line):
                content.append(line)
                continue
            fence = _FENCE.match(line)
            if fence is not None and fence["fence"][0] == opening.mark[0]:
                tagged = language_of(fence["info"]) if fence["info"].strip() else None
                if inside is None and len(fence["fence"]) >= len(opening.mark):
                    return self._end(opening, content, doubtful, index - (tagged is not None), closed=True)
                if doubtful is None and (tagged is None or inside is not None):
                    doubtful = index - 1
            rest, inside_after = strip_line(line, inside, syntax)
            if rest.rstrip().endswith(opening.mark) and inside_after is None and fence is None:
                content.append(line.rstrip()[: -len(opening.mark)])
                return self._end(opening, content, doubtful, index, closed=True)
            content.append(line)
            inside = inside_after
        return self._end(opening, content, doubtful, index, closed=False)

    def _end(self, opening: _Opening, content: list[str], doubtful: int | None, after: int, *, closed: bool) -> int:
        code = _unindented(content, opening.indent)
        if doubtful is not None and self.looks > 0 and not self.is_program(code):
            self.looks -= 1
            fence = _FENCE.match(self.lines[doubtful])
            tagged = fence is not None and language_of(fence["info"]) is not None
            code, closed = _unindented(content[: doubtful - opening.line - 1], opening.indent), True
            after = doubtful + (not tagged)
        else:
            doubtful = None
        if opening.language is None:
            code = without_leading_tag(code, self.language)
        self.blocks.append(Block(code, opening.language, closed, doubtful is not None))
        return after


def _unindented(lines: list[str], indent: str) -> str:
    """The lines without the indentation or the quote marks of their fence."""
    if not indent:
        return "\n".join(lines)
    if ">" in indent:
        quote = re.compile(r"[ \t]{0,3}>[ \t]?" * indent.count(">"))
        return "\n".join(quote.sub("", line, count=1) for line in lines)
    width = len(indent.expandtabs(4))
    kept = []
    for line in lines:
        body = line.lstrip(" \t")
        own = line[: len(line) - len(body)]
        kept.append((own.removeprefix(indent) if own.startswith(indent) else own.expandtabs(4)[width:]) + body)
    return "\n".join(kept)
