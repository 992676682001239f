"""Which letters a value may have, and which words, by the classes that statements name or the signs that they show.

letters_in("a word of small letters")           # "abcdefghijklmnopqrstuvwxyz"
listed_words("`s` is either `red` or `blue`", "")       # ("red", "blue")
"""

from __future__ import annotations

import re
import string

from microcoder_data.make_tests.grammar.contents import Described
from microcoder_data.schema import Row

_CASES = {
    "small": string.ascii_lowercase, "lower-case": string.ascii_lowercase, "lowercase": string.ascii_lowercase,
    "lower case": string.ascii_lowercase, "capital": string.ascii_uppercase, "upper-case": string.ascii_uppercase,
    "uppercase": string.ascii_uppercase, "upper case": string.ascii_uppercase, "large": string.ascii_uppercase,
}  # fmt: skip
CASE = "|".join(_CASES)
_LETTERS_OF_A_CASE = re.compile(rf"\b({CASE})(?: and ({CASE}))?(?: english| latin| ascii)?(?: letters?| characters?)\b")
_SIGN = r"['‘“\"]*(?![‘’“”\"])[^\s,](?!\w)['’”\"]*"
_SIGNS = re.compile(rf"\b(?:letters|characters|symbols|signs) ({_SIGN}(?:(?:,|,? and|,? or) {_SIGN})+)(?![\w-])")
_A_TO_Z = re.compile(r"\bletters?(?: from)? ([A-Za-z])(?: to |-|\.\.\.?)([A-Za-z])\b")
_RANGES = re.compile(r"(?<![\w-])(?=[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)(\w)-(\w)(?![\w-])")


def letters_in(text: str) -> str:
    """The letters that a text lists, or those of the class that it names, such as small letters; empty if none.

    >>> letters_in("a word of small letters")[:3], letters_in("the letters a to d"), letters_in("a word")
    ('abc', 'abcd', '')
    >>> letters_in("the capital letters “A” or “B”"), letters_in("signs ., # and x"), letters_in("letters a to d, 1")
    ('AB', '.#x', 'abcd')
    """
    if match := _SIGNS.search(text):
        return "".join(re.sub(r"['‘’“”\"]|,? and |,? or |, ", "", match[1]))
    if match := _A_TO_Z.search(text):
        first, last = ord(match[1]), ord(match[2])
        return "".join(map(chr, range(first, last + 1)))
    if ranges := _RANGES.findall(text):
        return "".join(dict.fromkeys(chr(at) for first, last in ranges for at in range(ord(first), ord(last) + 1)))
    if match := _LETTERS_OF_A_CASE.search(text.lower()):
        return _CASES[match[1]] + (_CASES[match[2]] if match[2] else "")
    return ""


def without_letters(text: str) -> str:
    """The text without the classes of letters that it names."""
    for said in (_LETTERS_OF_A_CASE, _A_TO_Z, _RANGES, re.compile(r"\b(?:only|solely|letters|characters)\b")):
        text = said.sub("", text)
    return text


def listed_words(description: str, text: str) -> tuple[str, ...]:
    """The words of two letters and more of which a value must be one, if the statement lists them; else none.

    >>> listed_words("`s` is either `red` or `blue`, and `n`", ""), listed_words("a string `s`", "It is one of: `x1`")
    (('red', 'blue'), ('x1',))
    """
    start = re.search(r"\b(?:one of|either)\b", description)
    said = description[start.end() :] if start else ""
    if not start and (match := re.search(r"\bone of(?: the following)?(?: [a-z]+)?:", text)):
        said = text[match.end() :]
    words = re.findall(r"[`“\"'‘]+(\w{2,})[`”\"'’]+", said)
    return tuple(dict.fromkeys(words))


def letters_shown(described: Described, used: set[str], row: Row, statement: str) -> str:
    """The letters of a word: those that the statement shows in code, such as `.` and `#`, if they cover the used ones;
    else the used ones."""
    for number, text in enumerate((described.text, row["input_format"] or "", statement)):
        shown = {code or math for code, math in re.findall(r"`([^`])`|\$([^$])\$", text)}
        if re.search(r"\bdigits?\b", text) and used & set(string.digits) and not shown & set(string.digits):
            shown |= set(string.digits)
        signs = {sign for sign in shown if sign in used or not (sign.isalnum() if number else sign.isalpha())}
        if used and used <= signs:
            return "".join(sorted(signs))
    return "".join(sorted(used))
