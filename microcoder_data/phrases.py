"""Regular expressions over lower-case text that cost little where they do not match.

A pattern is a list of alternatives, and most of them cannot match a given text. `Phrases` splits the pattern and
computes the words that a match of each alternative must contain. Only alternatives whose words are in the text are
searched for. The result is what `re.search` finds with the whole pattern. Patterns must have no flags and no
back-references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
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
        single = single_spaced(text)
        for alternative in self._alternatives:
            found = alternative.search(text, start, single)
            if found and (first is None or found.start() < first.start()):
                first = found
        return first

    @cached_property
    def _alternatives(self) -> list[_Alternative]:
        return [_Alternative(piece) for piece in alternatives(self.pattern)]


class _Alternative:
    """One alternative of a pattern. It is compiled when a text first contains its words."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._clauses = required(pattern), required(pattern, single=True)

    def search(self, text: str, start: int, single: bool) -> re.Match[str] | None:
        for clause in self._clauses[single]:
            for word in clause:
                if word in text:
                    break
            else:
                return None
        return self._compiled.search(text, start)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern)


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


def single_spaced(text: str) -> bool:
    """Whether a text is ASCII and its white space is single spaces only."""
    return text.isascii() and not any(space in text for space in _OTHER_SPACE)


_OTHER_SPACE = ("  ", *(character for character in map(chr, range(128)) if character.isspace() and character != " "))


def required(pattern: str, single: bool = False) -> list[Clause]:
    """What a text must contain for the pattern to match in it: at least one word of each clause.

    `single`: the text's white space is single spaces only.

    >>> required(r"\\b(?:print|output)\\s+any\\s+(?:one|of them)?")
    [('output', 'print'), ('any',)]
    >>> required(r"\\b(?:print|output)\\s+any\\s+(?:one|of them)?", single=True)
    [('output', 'print'), (' any ',)]
    """
    clauses = sorted(_required(sre.parse(pattern), single), key=_worth, reverse=True)
    return [clause for clause in clauses if _worth(clause) > LEAST_WORTH and min(map(_letters, clause)) >= SHORTEST]


def _worth(clause: Clause) -> float:
    """How well a clause sorts out texts: long words are rare, and each word costs a search."""
    return min(map(_letters, clause)) - len(clause) / 2


def _letters(word: str) -> int:
    return len(word.strip())


def _required(sequence: Any, single: bool) -> list[Clause]:
    """The clauses of a sequence of the parsed pattern."""
    clauses: list[Clause] = []
    letters: list[Any] = []  # the literal characters just before
    for kind, value in [*sequence, (None, None)]:
        if kind is sre.LITERAL:
            letters.append((kind, value))
            continue
        if kind is sre.AT:  # such as `^` or `\b`, which matches no character
            continue
        if single and _is_space(kind, value):
            letters.append((sre.LITERAL, ord(" ")))
            continue
        if letters:
            clauses.append(("".join(chr(code) for _, code in letters),))
        if kind is sre.BRANCH:  # the parser moves the common beginning of all branches in front of them
            branches = [_required([*letters, *branch], single) for branch in value[1]]
            if all(branches):
                words = {word for found in branches for word in max(found, key=_worth)}
                clauses.append(tuple(sorted(word for word in words if not any(map(word.__contains__, words - {word})))))
        letters = []
        repeated = kind in (sre.MAX_REPEAT, sre.MIN_REPEAT) and value[0] > 0
        if repeated or kind is sre.SUBPATTERN:
            clauses += _required(value[-1], single)
    return clauses


def _is_space(kind: Any, value: Any) -> bool:
    r"""`\s` or `\s+`."""
    if kind is sre.MAX_REPEAT and value[0] == 1:
        ((kind, value),) = value[-1] if len(value[-1]) == 1 else ((None, None),)
    return kind is sre.IN and list(value) == [(sre.CATEGORY, sre.CATEGORY_SPACE)]
