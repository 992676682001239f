"""The form of a text in which phrases are searched: in lower case, on one line, without marks of emphasis."""

from __future__ import annotations

import re
from functools import lru_cache

from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row

_SPACES = re.compile(r"[ \t]{2,}")
_SPACE_IN_CHINESE = re.compile(r" (?<=[\u4e00-\u9fff] ) *(?=[\u4e00-\u9fff])")
_UNDERLINES = re.compile(r"_(?:(?<![\w$\\^}\])]_)_{0,2}(?=[^\s_{])|(?<=[^\s_]_)_{0,2}(?![\w{(^]))")
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_RAISED = re.compile(f"[{_RAISED_DIGITS}]+")
_PLAIN_DIGITS = str.maketrans(_RAISED_DIGITS, "0123456789-")
"""It and the pattern of spaces begin with what they remove, which makes the search fast."""


@lru_cache(maxsize=8)
def searchable(text: str) -> str:
    """The text in the form in which phrases are searched.

    >>> searchable("In **any\\norder**."), searchable("Return _any a_i of `them`_.")
    ('in any order.', 'return any a_i of them.')
    """
    text = text.replace("*", "").replace("`", "").replace("\n", " ")
    if " _" in text:
        text = _UNDERLINES.sub("", text)
    if not text.isascii():
        text = _SPACE_IN_CHINESE.sub("", text)
        if any(map(text.__contains__, _RAISED_DIGITS)):
            text = _RAISED.sub(lambda digits: "^" + digits[0].translate(_PLAIN_DIGITS), text)
        text = text.replace("“", '"').replace("”", '"').replace("’", "'")
    return single_spaced(text).lower()


def single_spaced(text: str) -> str:
    """The text with one space for each run of spaces."""
    if "\t" in text:
        return _SPACES.sub(" ", text)
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def with_explanations(row: Row) -> str:
    """A row's prose and the explanations of its samples."""
    return "\n".join([whole_text(row), *(one["explanation"] for one in row["samples"] if one["explanation"])])


def searchable_text(row: Row) -> str:
    """A row's prose and the explanations of its samples, in the form in which phrases are searched."""
    return searchable(with_explanations(row))
