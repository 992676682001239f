"""The rule that drops statements by statistics of their text: length, letters, repetition, leftover markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from microcoder_data.process.prose import without_blocks
from microcoder_data.process.render import whole_text
from microcoder_data.rules import Outcome, drop, kept
from microcoder_data.schema import Row

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+"
)  # a Chinese or Japanese character counts as a word
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_BETWEEN_WORDS = {code: " " for code in range(128) if not chr(code).isalpha()}
_FIGURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_EXAMPLE = re.compile(r"^[ \t]*>>>.*(?:\n(?![ \t]*(?:>>>|\"\"\"|$)).*)*$", re.MULTILINE)
"""A call and, up to an empty line, what it gives: Python's own form of an example."""
_TAG_OR_ENTITY = re.compile(r"</?(?:p|div|span|table|td|tr|br|font|strong)\b|&(?:lt|gt|nbsp|amp|quot);")
_LEFTOVERS = ("\ufffd", "\\begin{", "\\end{", "\\textbf")


class Statistics(NamedTuple):
    """The statistics of a statement."""

    words: int
    characters: int
    letter_share: float
    """The share of letters among characters that are not spaces, outside code and examples."""
    repeated_line_share: float
    """The share of characters on lines that repeat an earlier line, outside code: a song to print may repeat itself."""
    leftovers: int
    """Tags, entities and commands that Process has left."""


@dataclass(frozen=True)
class Quality:
    """Drop statements that are too short, too long, not prose, repetitive or still full of markup."""

    name: ClassVar[str] = "quality_v4"
    min_words: int = 15
    min_words_with_code: int = 4
    """For kinds call and asserts, where starter code and tests say the rest."""
    max_characters: int = 20_000
    min_letter_share: float = 0.4
    max_repeated_line_share: float = 0.3
    max_leftovers: int = 20

    def __call__(self, row: Row) -> Outcome | None:
        found = statistics(whole_text(row))
        alone = row["kind"] in ("stdin", "interactive")
        least = self.min_words if alone else self.min_words_with_code
        if found.words < least:
            return drop("too_few_words" if alone else "too_few_words_with_code", None, found.words, least)
        if found.characters > self.max_characters:
            return drop("too_long", None, found.characters, self.max_characters)
        if found.letter_share < self.min_letter_share:
            return drop("too_few_letters", None, found.letter_share, self.min_letter_share)
        if found.repeated_line_share > self.max_repeated_line_share:
            return drop("repetitive", None, found.repeated_line_share, self.max_repeated_line_share)
        if found.leftovers > self.max_leftovers:
            return drop("markup_left", None, found.leftovers, self.max_leftovers)
        detail = (
            f"letters {found.letter_share:.3f}, repeated {found.repeated_line_share:.3f}, leftovers {found.leftovers}"
        )
        return kept(found.words, least, f"words; characters {found.characters}, {detail}")


def statistics(text: str) -> Statistics:
    """Measure a statement.

    >>> statistics("Add two numbers.").words
    3
    """
    words = _words(text)
    prose = _EXAMPLE.sub("", without_blocks(text)) if ">>>" in text or "```" in text else text
    written = words if prose is text else _words(prose)
    visible = len(prose) - prose.count(" ") - prose.count("\n")
    seen: set[str] = set()
    repeated = 0
    for line in prose.split("\n"):
        stripped = (_FIGURE.sub("", line) if "![" in line else line).strip()
        if len(stripped) > 20:
            if stripped in seen:
                repeated += len(stripped)
            seen.add(stripped)
    return Statistics(
        len(words),
        len(text),
        sum(map(len, written)) / max(1, visible),
        repeated / max(1, len(text)),
        leftovers(text),
    )


def _words(text: str) -> list[str]:
    """The words of a text. Most texts have only ASCII letters: without the other characters they are split faster."""
    if not text.isascii():
        if any(map(str.isalnum, set(_NOT_ASCII.findall(text)))):
            return _WORD.findall(text)
        text = text.encode("ascii", "replace").decode()
    return text.translate(_BETWEEN_WORDS).split()


def leftovers(text: str) -> int:
    """How many tags, entities and commands Process has left.

    >>> leftovers("a &lt; b"), leftovers("a < b")
    (1, 0)
    """
    tags = len(_TAG_OR_ENTITY.findall(text)) if "<" in text or "&" in text else 0
    return tags + sum(map(text.count, _LEFTOVERS))
