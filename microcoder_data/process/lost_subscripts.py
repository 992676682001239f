"""Subscripts that a publisher without `<sub>` wrote as a sum: `hi < hi + 1` for h_i < h_(i + 1).

Repaired is what cannot be meant as written: a member compared with itself plus one, the difference of the two, and
several binary numbers with their base behind them (`0112` for 011_2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_MAY_HOLD_ONE = re.compile(
    r"[ijk](?:\s*(?:[<>≤≥≠]|<=|>=|!=)\s*\w+[ijk] ?[+-] ?1\b| ?[+-] ?1 - \w+\|| - \w+ ?[+-] ?1\|)"
)
"""Every match of the patterns below contains this. It begins with a set of letters, which makes the search fast."""
_ONE_MORE_OR_LESS = ("+1", "+ 1", "-1", "- 1")
"""One of them is in all that the pattern above matches."""
_MEMBER = r"(?<![\w\\^])([A-Za-z]\w*?)_?([ijk])"
_NEXT = r" ?([+-]) ?1\b(?!\s*[*·^_])"
_ITSELF = re.compile(rf"{_MEMBER}(\s*(?:[<>≤≥≠]|<=|>=|!=)\s*)\1_?\2{_NEXT}")
_FIRST = re.compile(rf"(?<=\|){_MEMBER}{_NEXT} - \1_?\2(?=\|)")
_SECOND = re.compile(rf"(?<=\|){_MEMBER} - \1_?\2{_NEXT}(?=\|)")

_BINARY = re.compile(r"([01](?<![\w.^{\[\"'`-].)[01]{2,})2(?![\w\]\"'`^]|\.\d|\s*[*·])")
_EQUAL = re.compile(r"(?<![\w.^])(\d{1,20})10( = )([01]{1,64})_2\b")
_WORDS_OF_BINARY = ("inary", "bit", "Bit", "xor", "Xor", "XOR")
_OF_BINARY = re.compile(r"\b(?:[Bb]inary|[Bb]its?|[Bb]itwise|[Xx]or|XOR)\b")
_FEW, _MANY = 2, 3
"""Different numbers that show a lost base: few where one has a zero in front, else many, as `1012` may be 10^12."""


def with_subscripts(texts: Iterable[str]) -> tuple[list[str], int]:
    """The parts of a statement with the subscripts of neighbours and of binary numbers, and how many were repaired.

    >>> with_subscripts(["From hi to hi + 1; then xi + 1.", "hi ≠ hi+1 and |ai + 1 - ai| <= 1"])
    (['From h_i to h_{i + 1}; then xi + 1.', 'h_i ≠ h_{i + 1} and |a_{i + 1} - a_i| <= 1'], 3)
    """
    texts = list(texts)
    repairs: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = []
    if _shows_bases(texts):
        repairs += [(_BINARY, r"\1_2"), (_EQUAL, _with_both_bases)]
    if not repairs and not any(
        any(map(text.__contains__, _ONE_MORE_OR_LESS)) and _MAY_HOLD_ONE.search(text) for text in texts
    ):
        return texts, 0
    members = {(found[1], found[2]) for text in texts for found in _ITSELF.finditer(text)}
    repairs += [
        (_ITSELF, r"\1_\2\3\1_{\2 \4 1}"),
        (_FIRST, r"\1_{\2 \3 1} - \1_\2"),
        (_SECOND, r"\1_\2 - \1_{\2 \3 1}"),
    ]
    for name, index in sorted(members):  # the text speaks of neighbours: elsewhere beside each other too
        beside = rf"(?<![\w\\^]){name}_?{index}(,| to| and) {name}_?{index}{_NEXT}"
        repairs.append((re.compile(beside), rf"{name}_{index}\1 {name}_{{{index} \2 1}}"))
    repaired = 0
    for pattern, written in repairs:
        for number, text in enumerate(texts):
            texts[number], count = pattern.subn(written, text)
            repaired += count
    return texts, repaired


def _with_both_bases(found: re.Match[str]) -> str:
    """`510 = 101_2` as `5_10 = 101_2`, if the two are equal."""
    return f"{found[1]}_10{found[2]}{found[3]}_2" if int(found[1]) == int(found[3], 2) else found[0]


def _shows_bases(texts: list[str]) -> bool:
    """Whether a text about binary numbers has several that end with their base.

    >>> _shows_bases(["Choose the bits 0112 or 1012."]), _shows_bases(["XOR of n numbers, n ≤ 1012 and k ≤ 102"])
    (True, False)
    """
    if not any(word in text for text in texts for word in _WORDS_OF_BINARY):  # a fast check
        return False
    found = {number for text in texts for number in _BINARY.findall(text)}
    enough = len(found) >= (_FEW if any(number.startswith("0") for number in found) else _MANY)
    return enough and any(map(_OF_BINARY.search, texts))
