"""Families of problems: titles and statements that name different versions of one task.

    family("Jump Game II", "Jump Game III"), family("D1. Plan", "D2. Plan")      # (True, True)

Most of it is about words: numbers, easy and hard, words of opposite meaning. Nothing here reads samples or tests.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

TEXTS_KEPT = 512
"""How many texts have what they say cached: a row is compared with few others, soon after another."""
_OPPOSITES = (
    "minimum maximum", "min max", "minimize maximize", "smallest largest", "shortest longest", "fewest most",
    "least greatest", "lowest highest", "smaller larger greater", "first last", "preorder inorder postorder levelorder",
    "odd even", "row column", "rows columns", "left right", "increasing decreasing", "non-increasing non-decreasing",
    "ascending descending", "prefix suffix", "prefixes suffixes", "sum product difference division quotient",
    "add subtract multiply divide",
    "union intersection", "clockwise counterclockwise anticlockwise", "horizontal vertical", "directed undirected",
    "before after", "upper lower", "uppercase lowercase", "subarray subsequence substring subset",
    "subarrays subsequences substrings subsets", "fibonacci tribonacci tetranacci", "triangle square rectangle circle",
    "once twice thrice", "two three four five six", "second third fourth fifth", "area perimeter volume",
    "days hours minutes seconds", "cube sphere cylinder cone", "tree graph", "vertices edges", "distinct duplicate",
    "encode decode", "encrypt decrypt", "binary ternary octal hexadecimal", "vowels consonants",
    "lexicographically numerically", "minimal maximal", "increments decrements",
    "easy medium hard easier harder simple simplified complicated extreme", "long short", "least most",
    "more less fewer", "equal distinct", "has lacks", "inclusive exclusive", "inclusively exclusively", "with without",
    "positive negative",
)  # fmt: skip
_GROUPS_OF = {
    word: frozenset(number for number, words in enumerate(_OPPOSITES) if word in words.split())
    for word in " ".join(_OPPOSITES).split()
}
_VERSION = re.compile(
    r"[ivx]{1,4}|\d{1,4}[a-z]?|easy|hard|harder|easier|simple|simplified|extreme|medium|lite|plus|insane|[\u4e00-\u9fff]{1,4}版"
)
_ROMAN = {
    "i": "1",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "v": "5",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
    "x": "10",
}
_SAYS_VERSION = re.compile(
    r"\b(?:this|it)(?: problem| task)? is (?:an? |the )?(\w+) (?:version|subtask)\b|\bэто (\w+) версия\b", re.IGNORECASE
)
_MARK_OF_VERSION = (
    re.compile(r"(?i:\(([^()]+) (?:version|edition)\)\s*\Z)"),
    re.compile(r"(?<=[^\W\d_] )(I{1,3}|I?V|VI{1,3}|I?X)\s*\Z"),
)
"""What a title ends with, also one in another language."""
_ANY_NUMBER = re.compile(r"\d|[一二三四五六七八九十]|\b[IVX]+\b")
_PART = re.compile(r"\s*(?:problem\s+)?([A-Z])(\d)\s*[.:)-]\s", re.IGNORECASE)
"""A problem's place in a contest where its versions are D1 and D2."""
_LEADING_NUMBER = re.compile(r"^\s*(?:(?:problem|task|lcp|lcr)\s*)?(?:\d+|[a-z]\d?)\s*[.:)]\s+")


def family(one: str, other: str) -> bool:
    """Whether two titles name different members of a family.

    >>> family("Jump Game III", "Jump Game IV"), family("A1. Dreams (Easy Version)", "A2. Dreams (Hard Version)")
    (True, True)
    >>> family("별 찍기 - ㄴ", "별 찍기 - ㅁ"), family("Plan A", "Plan B"), family("Plan A", "Plan")
    (True, True, False)
    >>> family("Two Sum", "1. Two Sum"), family("H-Index II", "H index ii"), family("Two Sum", "")
    (False, False, False)
    >>> family("Jump Game II", "跳跃游戏 Ⅲ"), family("D1. Plan", "D2. План"), family("D1. Plan", "B2. Plan")
    (True, True, False)
    """
    one, other = _plain(one), _plain(other)
    if _marked_apart(one, other):
        return True
    a, b = _versions(one), _versions(other)
    if not a[0] or not b[0]:
        return False
    if a[0] == b[0]:
        return a[1] != b[1]
    words, others = Counter(a[0].split()), Counter(b[0].split())
    ours, theirs = words - others, others - words
    return opposed(ours, theirs) or (_is_letter(ours) and _is_letter(theirs))


def _marked_apart(one: str, other: str) -> bool:
    """Whether each title has the mark of a version, and the marks differ."""
    for pattern in _MARK_OF_VERSION:
        ours, theirs = pattern.search(one), pattern.search(other)
        if ours and theirs and ours[1].lower() != theirs[1].lower():
            return True
    first, second = _PART.match(one), _PART.match(other)
    if first is None or second is None:
        return False
    return first[1].lower() == second[1].lower() and first[2] != second[2]


def is_sequel(one: str, other: str) -> bool:
    """Whether one title ends in II or more, and the other one, a translation, has no number at all.

    >>> is_sequel("最长回文", "Longest Palindrome II"), is_sequel("Equal to X", "等于 x"), is_sequel("Plan II", "Plan")
    (True, False, False)
    """
    one, other = _plain(one), _plain(other)
    return one.isascii() != other.isascii() and any(
        numeral[1] not in ("I", "X") and not _ANY_NUMBER.search(without)  # a single X is a letter
        for has, without in ((one, other), (other, one))
        if (numeral := _MARK_OF_VERSION[1].search(has))
    )


def _plain(title: str) -> str:
    """The title with `II` for the single character of that numeral."""
    return title if title.isascii() else unicodedata.normalize("NFKC", title)


def _is_letter(words: Counter[str]) -> bool:
    """Whether it is one word of one letter."""
    return words.total() == 1 and all(len(word) == 1 for word in words)


def versions_said(one: str, other: str) -> bool:
    """Whether each statement says which version it is, and they say different ones.

    >>> versions_said("This is the easy version of the problem.", "This is the hard version of the problem.")
    True
    """
    ours, theirs = _version_said(one), _version_said(other)
    return bool(ours and theirs) and ours.isdisjoint(theirs)


@lru_cache(maxsize=TEXTS_KEPT)
def _version_said(text: str) -> frozenset[str]:
    found = _SAYS_VERSION.findall(text) if "version" in text or "subtask" in text or "верси" in text else []
    return frozenset(f"{english}{russian}".lower() for english, russian in found)


@lru_cache(maxsize=8192)
def title_key(title: str) -> str:
    """A title without its number in a list, its case and its punctuation."""
    base, versions = _versions(title)
    return " ".join([base, *versions]).strip()


def only_adds_a_number(title: str, other: str) -> bool:
    """Whether a title is another one with its number in a list in front.

    >>> only_adds_a_number("C. Most Often", "Most often"), only_adds_a_number("Two Sum", "Two sum")
    (True, False)
    """
    has, other_has = (_LEADING_NUMBER.match(one.lower()) is not None for one in (title, other))
    return has and not other_has and title_key(title) == title_key(other)


@lru_cache(maxsize=8192)
def _versions(title: str) -> tuple[str, tuple[str, ...]]:
    """A title without the words that distinguish the members of a family, and these words."""
    plain = _LEADING_NUMBER.sub("", _plain(title).lower()).replace("_", " ")
    words = re.findall(r"\w+", plain.replace("'", "").replace("’", ""))
    numbered = [_VERSION.fullmatch(word) is not None for word in words]
    if words and "i" in words[:-1]:  # `I` is a number only as the last word, else the pronoun
        numbered = [
            one and (word != "i" or place == len(words) - 1)
            for place, (word, one) in enumerate(zip(words, numbered, strict=True))
        ]
    base = [word for word, one in zip(words, numbered, strict=True) if not one and word != "version"]
    return " ".join(base), tuple(
        sorted(_ROMAN.get(word, word) for word, one in zip(words, numbered, strict=True) if one)
    )


def opposed(only_one: Counter[str], only_other: Counter[str]) -> bool:
    """Whether two words of opposite meaning are among the words that only one text has."""
    groups = {group for word in only_one for group in _GROUPS_OF.get(word, ())}
    return any(not groups.isdisjoint(_GROUPS_OF.get(word, ())) for word in only_other)
