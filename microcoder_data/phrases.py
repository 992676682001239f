"""Regular expressions over lower-case text that cost little where they do not match.

A pattern is a list of alternatives, and most of them cannot match a given text. `Phrases` splits the pattern. For each
alternative it computes words that a match must contain, and words with which it begins. An alternative is tried only in
texts that have the former, and only where one of the latter stands. The result is what `re.search` finds with the whole
pattern. Patterns must have no flags and no back-references.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any

try:
    from re import _parser as sre  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as sre

Clause = tuple[str, ...]
"""Words of which a match contains at least one."""

SHORTEST, LEAST_WORTH = 2, -4
"""A clause with a shorter word, or with a worth (`_worth`) that is not above this, is left out."""


class Phrases:
    """A regular expression in lower case, and words of which every match contains at least one.

    >>> tolerance = Phrases(r"absolute or relative error", "error")
    >>> tolerance.search("your absolute or relative error must be small")[0]
    'absolute or relative error'
    """

    def __init__(self, pattern: str, *words: str) -> None:
        self.pattern = pattern
        self._words = words

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in `text`, which must be in lower case."""
        for word in self._words:
            if word in text:
                return self.search_from(text, 0)
        return None

    def search_from(self, text: str, start: int) -> re.Match[str] | None:
        """The first match that begins at `start` or later; for texts in which one was found."""
        first: re.Match[str] | None = None
        best = len(text) + 1, 0  # where the first match begins, and which alternative it is of
        places, held = _places(text), _held(text)
        for alternative in self._alternatives:
            if not alternative.possible(held):
                continue
            for found in alternative.matches(text, start, places):
                if (found.start(), alternative.order) < best:
                    first, best = found, (found.start(), alternative.order)
        return first

    @cached_property
    def _alternatives(self) -> list[_Alternative]:
        return [_Alternative(order, piece) for order, piece in enumerate(alternatives(self.pattern))]


class _Places(dict[str, list[int]]):
    """Where a text holds a word, looked up once for each word."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __missing__(self, word: str) -> list[int]:
        places = self[word] = []
        place = self._text.find(word)
        while place >= 0:
            places.append(place)
            place = self._text.find(word, place + 1)
        return places


class _Held(dict[str, bool]):
    """Whether a text holds a word, looked up once for each word."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __missing__(self, word: str) -> bool:
        held = self[word] = word in self._text
        return held


@lru_cache(maxsize=4)
def _places(text: str) -> _Places:
    """The places of words in one of the last texts: the next pattern asks for many of the same words."""
    return _Places(text)


@lru_cache(maxsize=4)
def _held(text: str) -> _Held:
    return _Held(text)


class _Alternative:
    """One alternative of a pattern. It is compiled when it is first tried."""

    def __init__(self, order: int, pattern: str) -> None:
        self.order = order
        self._pattern = pattern
        self._parsed = sre.parse(pattern)
        self.first_words = first_words(self._parsed)

    def possible(self, held: _Held) -> bool:
        """Whether the text has the words that a match must contain."""
        for clause in self._clauses:
            for word in clause:
                if held[word]:
                    break
            else:
                return False
        return True

    def matches(self, text: str, start: int, places: _Places) -> Iterator[re.Match[str]]:
        """The first match that begins at `start` or later with each of the first words; without these, the first."""
        if not self.first_words:
            if found := self.compiled.search(text, start):
                yield found
            return
        for word in self.first_words:
            for place in places[word]:
                if place >= start and (found := self.compiled.match(text, place)):
                    yield found
                    break

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern)

    @cached_property
    def _clauses(self) -> list[Clause]:
        return required(self._parsed)


def alternatives(pattern: str) -> Iterator[str]:
    """The alternatives of a pattern, which is searched from left to right.

    >>> list(alternatives(r"a(?:b|c)|[|]\\|d|e"))
    ['a(?:b|c)', '[|]\\\\|d', 'e']
    """
    start, depth = 0, 0
    for piece in _PIECE.finditer(pattern):
        if piece[0] == "|" and not depth:
            yield pattern[start : piece.start()]
            start = piece.end()
        depth += (piece[0] == "(") - (piece[0] == ")")
    yield pattern[start:]


_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)


def required(parsed: Any) -> list[Clause]:
    """What a text must contain for a parsed pattern to match in it: at least one word of each clause.

    >>> required(sre.parse(r"\\b(?:print|output)\\s+any\\s+(?:one|of them)?"))
    [('any',), ('output', 'print')]
    """
    clauses = sorted(_required(parsed), key=lambda clause: (len(clause), -min(map(len, clause))))
    return [clause for clause in clauses if _worth(clause) > LEAST_WORTH and min(map(len, clause)) >= SHORTEST]


def _worth(clause: Clause) -> float:
    """How well a clause sorts out texts: long words are rare, and each word costs a search."""
    return min(map(len, clause)) - len(clause) / 2


def _required(sequence: Any) -> list[Clause]:
    """The clauses of a sequence of the parsed pattern."""
    clauses: list[Clause] = []
    letters: list[Any] = []  # the literal characters just before
    for kind, value in [*sequence, (None, None)]:
        if kind is sre.LITERAL:
            letters.append((kind, value))
            continue
        if kind is sre.AT:  # such as `^` or `\b`, which matches no character
            continue
        if letters:
            clauses.append(("".join(chr(code) for _, code in letters),))
        if kind is sre.BRANCH:  # the parser moves the common beginning of all branches in front of them
            branches = [_required([*letters, *branch]) for branch in value[1]]
            if all(branches):
                clauses.append(_shortest({word for found in branches for word in max(found, key=_worth)}))
        letters = []
        repeated = kind in (sre.MAX_REPEAT, sre.MIN_REPEAT) and value[0] > 0
        if repeated or kind is sre.SUBPATTERN:
            clauses += _required(value[-1])
    return clauses


def first_words(parsed: Any) -> Clause:
    """Words with one of which every match begins; none where they are not known or too short to be rare.

    >>> first_words(sre.parse(r"(?<!not )\\b(?:print|output|outputs)\\s+any"))
    ('output', 'print')
    """
    words = _first_words(parsed)
    return _shortest(words, str.startswith) if words and min(map(len, words)) >= SHORTEST else ()


def _first_words(sequence: Any) -> set[str] | None:
    """The words with which the matches of a sequence of the parsed pattern begin; None if they are not known."""
    word = ""
    for kind, value in sequence:
        if kind is sre.LITERAL:
            word += chr(value)
        elif kind in (sre.SUBPATTERN, sre.BRANCH):
            found = [_first_words(branch) for branch in (value[1] if kind is sre.BRANCH else [value[-1]])]
            return {word + rest for words in found for rest in words or [""]} if word or all(found) else None
        elif kind not in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
            break
    return {word} if word else None


def _shortest(words: set[str], holds: Callable[[str, str], bool] = str.__contains__) -> Clause:
    """The words without those that hold another one."""
    return tuple(sorted(word for word in words if not any(holds(word, other) for other in words - {word})))
