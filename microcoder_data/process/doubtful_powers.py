"""Find what may have been powers in a text that has lost other exponents, or that speaks of powers: `xn`, `43 + 52`.

Nothing is repaired here: `exponents.py` marks the row.
"""

# ruff: noqa: E501 - a pattern is one line

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from microcoder_data.process.lost_exponents import occurs_alone
from microcoder_data.process.power_equations import false_equations

_OF_POWERS = re.compile(
    r"\bpow(?:er|\()|\braised? to\b|\bexponent|\bmod(?:ulo)?\b|\b(?:square|cube|root|polynomial)s?\b| % ", re.IGNORECASE
)
_STEMS = ("pow", "raise", "exponent", "mod", "square", "cube", "root", "polynomial", " % ")
"""Of these every match of the pattern above has one, and of the patterns about roots, squares and powers below too."""
_OF_TWO_NAMES = re.compile(r"(?<![\w.^\"'])([a-z])([a-z])(?![\w\"'(\[]|\.\w)")
_BEHIND_A_BRACKET = re.compile(
    r"[2)](?:(?<=2)(?<![\w.]2)\([A-Za-z] ?- ?1\)(?! ?[-+*/=])|"
    r"(?<=[\w)\]]\))(?:[2-9]|(?!st|nd|rd|th)[a-z]{1,2})(?![\w)\]'(]))"
)
_SUM_OF_POWERS = re.compile(
    r"\d(?:(?<=[2-9])(?<![\w.^-]\d)(?<![-*/] \d)\d ?[+%] ?\(?\d|(?<![\w.^]\d) ?\+ ?[2-9]\d(?![\w.]))"
)
"""These two begin with a figure or a bracket, which makes the search fast."""
_TERM_OF_A_POLYNOMIAL = re.compile(r"(?<![\w.^])-?\d([a-z])[2-9](?!\w)")
_OF_ROOTS = re.compile(r"\b(?:power|exponent|root)s?\b|\braised to\b", re.IGNORECASE)
_OF_SQUARES = re.compile(r"\b(?:square|cube)s\b", re.IGNORECASE)
_SPEAKS_OF_POWERS = re.compile(r"\b(?:power|exponent|roots?\b|raised to\b|mod\b)", re.IGNORECASE)
_BESIDE, _BEHIND = 100, 30
_LONG_NAME = re.compile(r"(?<![\w.\"'])([a-z]\w*_\w*[a-z])([23])(?=[.,;)`]|\s)")
_POWERS_OF = re.compile(r"\bpowers? of (?:the number )?[`$]?([2-9])\b", re.IGNORECASE)
_WORDS = frozenset((
    "ad", "ah", "am", "an", "as", "at", "ax", "be", "by", "do", "ed", "eg", "eh", "ex", "go", "ha", "he", "hi", "id",
    "ie", "if", "in", "is", "it", "ki", "ko", "la", "lo", "ma", "me", "mi", "mr", "ms", "mu", "my", "nd", "no", "nu",
    "of", "oh", "ok", "on", "or", "ox", "pi", "rd", "re", "st", "th", "ti", "to", "up", "us", "vs", "we", "ye",
))  # fmt: skip
_TWO_POWERS = re.compile(r"\b[a-z][ijk] ?\+ ?[a-z][ijk]\b(?!\])")
"""`xi + yj`; a single `xi` is a member with its index."""


def false_powers(text: str) -> Iterator[str]:
    """Sums that are false as written where a text speaks of squares, and numbers `51` where it speaks of powers of 5."""
    if not _has_a_stem(text):
        return
    base = _POWERS_OF.search(text)
    if base or _is_of_roots(text) or _is_of_squares(text):
        yield from (found for found in false_equations(text) if base or "+" in found)
    if base:
        yield from re.findall(rf"(?<![\w.^]){base[1]}\d(?![\w.^])(?! ?[-+*/=<>])", text)


def may_be_powers(text: str) -> Iterator[str]:
    """What may be a power in a text that has lost others and speaks of powers: `xn`, `gcd(a, b)2`, `43 + 52`.

    >>> list(may_be_powers("Calculate x raised to the power n (i.e., xn). Then 43 + 52 follows."))
    ['43 + 5', 'xn']
    """
    yield from (match[0] for match in _BEHIND_A_BRACKET.finditer(text))
    for match in _LONG_NAME.finditer(text) if "_" in text else ():
        name, digit = match.groups()
        alone = re.search(rf"(?<!\w){name}(?!\w)", text)
        if alone and not re.search(rf"(?<!\w){name}_?[0-9](?<!{digit})(?!\w)", text):
            yield match[0]
    if not _is_of_powers(text):
        return
    yield from (match[0] for match in _TERM_OF_A_POLYNOMIAL.finditer(text))
    if _is_of_roots(text) or _is_of_squares(text):
        yield from (match[0] for match in _SUM_OF_POWERS.finditer(text))
    yield from false_powers(text)
    yield from names_to_names(text)


def names_to_names(text: str, beside: bool = False) -> Iterator[str]:
    """What may be a name with a name as its exponent, in a text that speaks of powers; `beside`: close by."""
    if not _is_of_powers(text):
        return
    for match in _OF_TWO_NAMES.finditer(text):
        first, second = match[1], match[2]
        both = first != second and occurs_alone(first, text) and occurs_alone(second, text)
        if not both or match[0] in _WORDS:
            continue
        if beside and not _SPEAKS_OF_POWERS.search(text, max(0, match.start() - _BESIDE), match.end() + _BEHIND):
            continue
        is_index = second in "ij" or (second == "k" and not _is_of_roots(text))
        if not is_index or _TWO_POWERS.match(text, match.start()):
            yield match[0]


@lru_cache(maxsize=8)
def _has_a_stem(text: str) -> bool:
    lower = text.lower()
    return any(stem in lower for stem in _STEMS)


@lru_cache(maxsize=8)
def _is_of_powers(text: str) -> bool:
    return _has_a_stem(text) and _OF_POWERS.search(text) is not None


@lru_cache(maxsize=8)
def _is_of_roots(text: str) -> bool:
    return _OF_ROOTS.search(text) is not None


@lru_cache(maxsize=8)
def _is_of_squares(text: str) -> bool:
    return _OF_SQUARES.search(text) is not None
