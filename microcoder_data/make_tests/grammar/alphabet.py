"""The letters that a phrase lists, where every word of the phrase is understood.

alphabet("lowercase English letters and '?'")         # "abcdefghijklmnopqrstuvwxyz?"
alphabet("a valid expression")                        # empty
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re
import string

_ASCII = "".join(map(chr, range(32, 127)))
_CLASSES: tuple[tuple[re.Pattern[str], str], ...] = tuple((re.compile(pattern, re.IGNORECASE), letters) for pattern, letters in (
    (r"\b(?:english )?letters? \((?:lower-?case and upper-?case|upper-?case and lower-?case)\)|\b(?:lower[- ]?case (?:english |latin )?(?:letters? )?(?:and|or|and/or) upper[- ]?case|upper[- ]?case (?:english |latin )?(?:letters? )?(?:and|or|and/or) lower[- ]?case)(?: english| latin)?(?: letters?| characters?)\b", string.ascii_letters),
    (r"\b(?:english |latin )?lower[- ]?case(?: english| latin)?(?: letters?| characters?| alphabets?)?\b", string.ascii_lowercase),
    (r"\b(?:english |latin )?upper[- ]?case(?: english| latin)?(?: letters?| characters?| alphabets?)?\b", string.ascii_uppercase),
    (r"\bprintable ascii characters?\b|\bany printable ascii\b", _ASCII),
    (r"\b(?:english|latin) letters?\b", string.ascii_letters),
))  # fmt: skip
_DIGITS = re.compile(
    r"\bdigits?(?:,? (?:from|between|in the range) \[?['\"]?(\d)['\"]?(?: to | and |, ?|-)['\"]?(\d)['\"]?\]?(?: inclusive)?| \(['\"]?(\d)['\"]?-['\"]?(\d)['\"]?\))?"
)
_QUOTED = re.compile(r"'(.)'|\"(.)\"|‘(.)’|“(.)”")
_NAMED = (("spaces?", " "), ("parenthes[ei]s", "()"), ("brackets", "()"), ("commas?", ","), ("dots?", "."), ("hyphens?", "-"),
          ("zeros?", "0"), ("ones?", "1"))  # fmt: skip
_AROUND = re.compile(
    r"\b(?:only|solely|of|the|either|and|or|an?|characters?|letters?|symbols?|signs?|any|valid|up|entirely|following|english|single|binary|s)\b|[,()'\"/:.]"
)


_RANGE = re.compile(r"\bdigits ['\"](\d)['\"] to ['\"](\d)['\"]")


def alphabet(text: str) -> str:
    """The letters of the classes and signs that a text lists; empty if it says anything else.

    >>> alphabet(" only of digits and '.'"), alphabet(" either '(' or ')'"), alphabet(" a beautiful string")
    ('0123456789.', '()', '')
    """
    found = ""
    text = _RANGE.sub(r"digits from \1 to \2", text)
    signs = "".join(next(filter(None, groups)) for groups in _QUOTED.findall(text))
    with_ranges = _DIGITS.search(text)
    if with_ranges:
        first, last = with_ranges[1] or with_ranges[3] or "0", with_ranges[2] or with_ranges[4] or "9"
        found += string.digits[int(first) : int(last) + 1]
        signs = signs if not with_ranges[1] and not with_ranges[3] else "".join(
            next(filter(None, groups)) for groups in _QUOTED.findall(_DIGITS.sub("", text)))  # fmt: skip
        text = _DIGITS.sub(" ", text)
    text = _QUOTED.sub(" ", text)
    for pattern, letters in _CLASSES:
        if pattern.search(text):
            found += letters
            text = pattern.sub(" ", text)
    for name, letters in _NAMED:
        if re.search(rf"\b{name}\b", text):
            found += "" if set(letters) <= set(signs) else letters
            text = re.sub(rf"\b{name}\b", " ", text)
    left = _AROUND.sub(" ", text).split()
    if all(len(word) == 1 and not signs for word in left):  # signs without quotation marks, such as 0 and 1
        signs += "".join(left)
        left = []
    return "".join(dict.fromkeys(found + signs)) if not left else ""
