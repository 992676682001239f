"""The rungs of the policy `strict`: what LiveCodeBench's evaluator accepts, mistakes included. Checkers are ignored.

Printed outputs are stripped and must have the same number of lines. Two lines agree when they are equal once stripped,
or when both are lists of numbers with equal values and no tolerance. A number is what `Decimal` reads: 1_000, +5, 1e3
and full-width digits are numbers. Of a returned value an outer tuple is turned into a list, then Python's `==`
decides; an inner tuple is not equal to a list.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from microcoder_eval.compare.paired_batches import line_batches, pair_batches, token_batches

LineDifference = tuple[int, str | None, str | None]
"""A line's number, counted from 1 in the stripped outputs, the expected line and the printed line. A line is None
when the output has no more lines."""


def same_lines(expected: bytes, actual: bytes) -> bool:
    """Whether the outputs have the same lines, apart from white space around each line."""
    return _first_difference(expected, actual, operator.eq) is None


def same_decimals(expected: bytes, actual: bytes) -> bool:
    """Whether each line has the same text or the same decimal numbers."""
    return first_difference(expected, actual) is None


def first_difference(expected: bytes, actual: bytes) -> LineDifference | None:
    """The first line that LiveCodeBench would not accept, or None."""
    return _first_difference(expected, actual, _equal_decimals)


def same_value(expected: Any, got: Any) -> bool:
    """Python's equality: 5.0 is 5 and True is 1, but an inner tuple is not a list and 1 is not the key "1"."""
    return bool((list(got) if isinstance(got, tuple) else got) == expected)


def _first_difference(expected: bytes, actual: bytes, equal: Callable[[str, str], bool]) -> LineDifference | None:
    wanted, printed = (text.decode("utf-8", "surrogateescape").strip() for text in (expected, actual))
    passed = 0
    for ours, theirs in pair_batches(line_batches(wanted, "\n"), line_batches(printed, "\n")):
        if ours != theirs:
            for number, (want, got) in enumerate(zip_longest(ours, theirs), passed + 1):
                if want is None or got is None:
                    return number, want, got
                want, got = want.strip(), got.strip()
                if want != got and not equal(want, got):
                    return number, want, got
        passed += len(ours)
    return None


def _equal_decimals(want: str, got: str) -> bool:
    """Whether all words of both lines are decimals with pairwise equal values. NaN equals nothing."""
    try:
        return all(
            len(ours) == len(theirs)
            and all(Decimal(got) == Decimal(want) for want, got in set(zip(ours, theirs, strict=True)))
            for ours, theirs in pair_batches(token_batches(want), token_batches(got))
        )
    except Exception:  # as in LiveCodeBench: what Decimal refuses is a wrong answer
        return False
