"""Answers that miss a right one narrowly: one place of it is changed, and its form stays.

    for answer in near_misses("3 1 2\\n"): ...        # "4 1 2\\n", "2 1 2\\n", "1 1 2\\n", ...

Such an answer may be right as well, but a right checker refuses many: one that takes nearly all looks at the form only.
An answer that is one number, or one letter, has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

PLACES = 3
"""So many places of an answer are changed: the first, the last and one between them. In one word these are letters."""
_NUMBER = re.compile(r"(-?[0-9]{1,1000})(\.[0-9]*)?")


def near_misses(right: Any) -> Iterator[Any]:
    """The changed answers: texts, or a function's values.

    >>> list(near_misses([1, [2]]))
    [[2, [2]], [0, [2]], [2, [2]], [1, [3]], [1, [1]], [1, [1]]]
    >>> list(near_misses("0.5 1\\n"))[:2], list(near_misses("0.5\\n"))
    (['1.5 1\\n', '-1.5 1\\n'], [])
    >>> list(near_misses("LLR"))
    ['RLR', 'RLL', 'LRR', 'LRL', 'LLL']
    """
    if isinstance(right, str):
        parts = re.split(r"(\s+)", right)
        at = [place for place, part in enumerate(parts) if part.strip()]
        words = [parts[one] for one in at]
        yield from _changed(words, lambda n, new: "".join([*parts[: at[n]], new, *parts[at[n] + 1 :]]))
    elif isinstance(right, list):
        yield from _changed(list(_leaves(right)), lambda n, new: _with(right, count(), n, new))


def _changed(leaves: Sequence[Any], put: Callable[[int, Any], Any]) -> Iterator[Any]:
    words = [leaf for leaf in leaves if _is_word(leaf)]
    if len(leaves) < 2 and not any(len(set(word)) > 1 for word in words):
        return
    alphabet = sorted(set("".join(words)))
    for place in spread(len(leaves), PLACES):
        leaf = leaves[place]
        if _is_word(leaf):
            for word in _near_words(leaf, alphabet, PLACES if len(leaves) == 1 else 1):
                yield put(place, word)
        elif type(leaf) in (int, float, str):
            for step in (1, -1):
                yield put(place, _stepped(leaf, step) if isinstance(leaf, str) else leaf + step)
        others = [other for other in [*leaves[place + 1 :], *leaves[:place]] if other != leaf]
        if others:
            yield put(place, others[0])


def _near_words(word: str, alphabet: Sequence[str], places: int) -> Iterator[str]:
    for at in spread(len(word), places):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        other = [one for one in alphabet if one.casefold() != letter.casefold()]
        if other:
            yield before + next((one for one in other if one > letter), other[0]) + after
        second = next((n for n in range(at + 1, len(word)) if word[n] != letter), None)
        if second is not None:
            yield before + word[second] + word[at + 1 : second] + letter + word[second + 1 :]


def _stepped(number: str, step: int) -> str:
    """
    >>> _stepped("9", 1), _stepped("0.25", -1)
    ('10', '-1.25')
    """
    return _NUMBER.sub(lambda found: f"{int(found[1]) + step}{found[2] or ''}", number)


def _is_word(leaf: Any) -> bool:
    return isinstance(leaf, str) and bool(leaf) and not _NUMBER.fullmatch(leaf)


def spread(length: int, places: int) -> list[int]:
    """So many positions, as far as there are: the first and the last one, and others between them."""
    return sorted({round(step * (length - 1) / max(1, places - 1)) for step in range(places)} - {-1})


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _with(value: Any, numbers: Iterator[int], place: int, new: Any) -> Any:
    """A copy of nested lists with another value at one place."""
    if isinstance(value, list):
        return [_with(item, numbers, place, new) for item in value]
    return new if next(numbers) == place else value
