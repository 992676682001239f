"""The rungs `unordered` (lines, tokens or elements as multisets) and `sets` (the policy `lenient` only).

Items of an output are first matched by spelling. The remaining items are sorted and paired, and each pair must agree.
So every item is matched exactly once. Elements of values are sorted and compared in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Any

from microcoder_eval.compare.number_rungs import is_real, read_number, rounded
from microcoder_eval.compare.paired_batches import (
    Agree,
    first_difference,
    line_batches,
    token_batches,
    with_single_spaces,
)
from microcoder_eval.compare.value_rungs import Agreement, Mismatch, mismatch, sort_key, sorted_values

_COLLECTIONS = (list, tuple, set, frozenset)
_MOST_SORTED = 4096


def _output_items(text: bytes, of: str, nested: bool = False) -> Iterator[bytes]:
    """The lines of an output, with single spaces and without blank lines; or its tokens. `nested`: sort each line's
    tokens."""
    if of == "lines":
        shown = _with_sorted_tokens if nested else with_single_spaces
        for lines in line_batches(text, b"\n"):
            yield from filter(None, map(shown, lines))
    else:
        for tokens in token_batches(text):
            yield from tokens


def _with_sorted_tokens(line: bytes) -> bytes:
    return b" ".join(sorted(line.split()))


def _unmatched_items(expected: bytes, actual: bytes, of: str, nested: bool = False) -> tuple[list[bytes], list[bytes]]:
    """The expected items that were not printed, and the printed items that were not expected; each as many times as it
    is unmatched. Stops reading when more items are printed than expected.

    >>> _unmatched_items(b"1 1 2", b"1 2 2", "tokens")
    ([b'1'], [b'2'])
    """
    missing = Counter(_output_items(expected, of, nested))
    room = sum(missing.values())
    extra = []
    for item in _output_items(actual, of, nested):
        if missing[item] > 0:
            missing[item] -= 1
        else:
            extra.append(item)
        if room == 0:
            break
        room -= 1
    return list(missing.elements()), extra


def first_unmatched_pair(
    expected: bytes, actual: bytes, of: str, agree: Agree
) -> tuple[bytes | None, bytes | None] | None:
    """The first pair of unmatched items that do not agree, or None when all items are matched.

    The pair is an expected item and a printed one; None stands for an item that is missing.
    """
    missing, extra = _unmatched_items(expected, actual, of)
    for want, got in zip_longest(sorted(missing, key=_text_order), sorted(extra, key=_text_order)):
        if want is None or got is None or first_difference(want, got, agree) is not None:
            return want, got
    return None


def first_unmatched_lines(expected: bytes, actual: bytes) -> tuple[bytes | None, bytes | None] | None:
    """An unmatched expected line and an unmatched printed one, when the tokens in a line may come in any order too.

    Lines are compared by spelling and returned with sorted tokens; None when all lines are matched.
    """
    missing, extra = _unmatched_items(expected, actual, "lines", nested=True)
    return (min(missing, default=None), min(extra, default=None)) if missing or extra else None


def _text_order(item: bytes) -> tuple[list[bytes], list[Decimal]]:
    """A sort key: words, then numbers by value. Items with the same words and close numbers are neighbours."""
    words, numbers = [], []
    for token in item[:_MOST_SORTED].split():
        number = read_number(token)
        if number is None:
            words.append(token)
        else:
            numbers.append(number)
    return words, numbers


def element_mismatch(expected: Any, got: Any, agreement: Agreement) -> Mismatch | None:
    """Where the sorted elements first differ, or None. Only the outer level has no order; a set may be returned."""
    if not isinstance(expected, _COLLECTIONS) or not isinstance(got, _COLLECTIONS):
        return mismatch(expected, got, agreement)
    return mismatch(sorted_values(expected), sorted_values(got), agreement)


def nested_mismatch(expected: Any, got: Any, agreement: Agreement) -> Mismatch | None:
    """Where two values differ when no list, tuple or set in them has an order, or None.

    Every collection is sorted, the innermost first, so that equal values become identical. The returned value is read
    up to as many elements as the expected one has, which bounds the cost.
    """
    count = _ElementCount()
    wanted, _ = _in_one_order(expected, count)
    try:
        had, _ = _in_one_order(got, _ElementCount(count.used))
    except _TooLarge:
        return Mismatch((), expected, got)
    return mismatch(wanted, had, agreement)


class _ElementCount:
    """How many elements of a value have been read, and how many may be read."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.used = 0


class _TooLarge(Exception):
    """A value has more elements than the one that it is compared with."""


def _in_one_order(value: Any, count: _ElementCount) -> tuple[Any, tuple[Any, ...]]:
    """A value with every collection in it as a sorted list, and its sort key."""
    count.used += 1
    if count.most is not None and count.used > count.most:
        raise _TooLarge
    if isinstance(value, _COLLECTIONS):
        items = sorted((_in_one_order(item, count) for item in value), key=itemgetter(1))
        return [item for item, _ in items], (7, tuple(key for _, key in items))
    if isinstance(value, dict):
        pairs = {key: _in_one_order(item, count) for key, item in value.items()}
        ordered = {key: item for key, (item, _) in pairs.items()}
        return ordered, (8, tuple(sorted((sort_key(str(key)), order) for key, (_, order) in pairs.items())))
    return value, sort_key(value)


def same_sets(expected: bytes, actual: bytes) -> bool:
    """Whether the outputs have the same set of lines, each taken as a set of tokens with real numbers rounded."""
    wanted = {_token_set(line) for line in set(_output_items(expected, "lines"))}
    had, seen = set(), set()
    for line in _output_items(actual, "lines"):
        if line in seen:
            continue
        seen.add(line)
        tokens = _token_set(line)
        if tokens not in wanted:
            return False
        had.add(tokens)
    return wanted == had


def _token_set(line: bytes) -> frozenset[bytes]:
    return frozenset(map(_rounded_token, _output_items(line, "tokens")))


def _rounded_token(token: bytes) -> bytes:
    number = read_number(token) if is_real(token) else None
    # as text: hashes of numbers are predictable, and a hostile output could make them collide
    return token if number is None else str(rounded(number)).encode()


def same_element_sets(expected: Any, got: Any, agreement: Agreement) -> bool:
    """Whether two collections have the same elements, in any order and however often."""
    if not isinstance(expected, _COLLECTIONS) or not isinstance(got, _COLLECTIONS):
        return False
    return mismatch(_distinct(expected), _distinct(got), agreement) is None


def _distinct(values: Any) -> list[Any]:
    return [next(same) for _, same in groupby(sorted_values(values), key=sort_key)]
