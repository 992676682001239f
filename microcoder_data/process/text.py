"""The rule that repairs Unicode: mojibake, control and zero-width characters, odd spaces. Tests are not changed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar

from microcoder_data.process.pairs import outside_pairs
from microcoder_data.rules import Outcome, changed, drop
from microcoder_data.schema import Row

MOST_LAYERS = 5
TEXT_COLUMNS = ("statement", "title", "input_format", "output_format", "constraints", "notes")
_SUSPECT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u2060-\u2064\ufeff\ufffc-\uffff]"
)
_REMOVED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffc]")
_SPACES = re.compile(r"[\u00a0\u2000-\u200a\u202f]")
_MOJIBAKE = re.compile(r"[ÂÃâåäæãéèçÐÑ][\x80-\xbf€™œžšŠŽ‚ƒ„…†‡ˆ‰‹‘’“”•–—˜›Ÿ]")
_MAY_COMPOSE = re.compile(
    "[^\x00-\u02ff\u0391-\u03ce\u0400-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u2328\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff]"
)
"""All characters but frequent ones that neither change nor join the character before when a text is composed (NFC)."""
_PLAIN = bytes([*b"\t\n", *range(0x20, 0x7F)])
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f\ufffd]")
_VERBATIM = re.compile(r"^```(?=`*[^`\n]*$)|^~~~|<pre\b|\\begin\{verbatim\}", re.MULTILINE)
_END_OF_VERBATIM = {
    "```": re.compile("^```", re.MULTILINE),
    "~~~": re.compile("^~~~", re.MULTILINE),
    "<pre": re.compile("</pre>"),
    r"\begin{verbatim}": re.compile(r"\\end\{verbatim\}"),
}
_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Text:
    """Repair text that a wrong encoding broke; drop statements that are not text."""

    name: ClassVar[str] = "text_v4"
    max_binary_share: float = 0.01
    """Drop a statement with a larger share of control and replacement characters."""

    def __call__(self, row: Row) -> Outcome | None:
        statement = row["statement"]
        if not _is_plain(statement):
            share = len(_BINARY.findall(statement)) / max(1, len(statement))
            if share > self.max_binary_share:
                return drop("binary_text", None, share, self.max_binary_share)
        touched = [name for part, name in text_parts(row) if part[name] and _repair(part, name)]
        for sample in row["samples"]:
            for side in ("input", "output"):
                if sample[side]:
                    sample[side] = sample[side].replace("\r\n", "\n")
        return changed(", ".join(dict.fromkeys(touched))) if touched else None


def text_parts(row: Row) -> list[tuple[dict[str, Any], str]]:
    """The places of a row's text for readers: (the row or one of its samples, the name of the column)."""
    columns: list[tuple[dict[str, Any], str]] = [(row, name) for name in TEXT_COLUMNS]
    return columns + [(sample, "explanation") for sample in row["samples"]]


def _repair(row: dict[str, Any], name: str) -> bool:
    """Repair one text in place; returns whether it changed."""
    before: str = row[name]
    row[name] = repaired(before).strip() if name == "title" else repaired(before)
    return bool(row[name] != before)


def repaired(text: str) -> str:
    """The text as its author typed it.

    >>> repaired("donâ€™t\\u00a0print\\r\\n")
    'don’t print'
    """
    for _ in range(MOST_LAYERS):  # one repair may reveal the next fault, such as mojibake around a control character
        before, text = text, _repaired_once(text)
        if text == before.strip("\n").rstrip():
            break
    return text


def _repaired_once(text: str) -> str:
    if not text.isascii():
        if _MOJIBAKE.search(text):
            text = _unscrambled(text)
        if _MAY_COMPOSE.search(text):
            text = _outside_verbatim(text, partial(unicodedata.normalize, "NFC"))
    if not _is_plain(text) and _SUSPECT.search(text):
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
        text = _REMOVED.sub("", _SPACES.sub(" ", text)).replace("\f", "\n")
    if " \n" in text or "\t\n" in text or "\n\n\n" in text:
        text = _outside_verbatim(text, _without_empty_lines)
    return text.strip("\n").rstrip()


def _outside_verbatim(text: str, change: Callable[[str], str]) -> str:
    """The changed text, but for fences and `<pre>`: how many spaces or characters there are may matter there."""
    verbatim = "```" in text or "~~~" in text or "<pre" in text or "\\begin{verbatim}" in text
    if not verbatim:
        return change(text)
    return outside_pairs(text, _VERBATIM, lambda opened: [_END_OF_VERBATIM[opened[0]]], change)


def _without_empty_lines(text: str) -> str:
    """The text without spaces at line ends and runs of empty lines."""
    text = _without_trailing_spaces(text)
    return _BLANK_LINES.sub("\n\n", text) if "\n\n\n" in text else text


def _without_trailing_spaces(text: str) -> str:
    return "\n".join([line.rstrip(" \t") for line in text.split("\n")])


def _is_plain(text: str) -> bool:
    """Whether the text is only printable ASCII, tabs and line ends: a fast check before the slow ones."""
    return text.isascii() and not text.encode().translate(None, _PLAIN)


def _unscrambled(text: str) -> str:
    fixed: str = _ftfy().fix_encoding(text)
    return fixed


@lru_cache(maxsize=1)
def _ftfy() -> Any:
    import ftfy

    return ftfy
