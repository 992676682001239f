"""Tests of proper-necklaces: samples, few colours, primes, numbers with many divisors, large."""

from collections.abc import Iterator


def tests() -> Iterator[list]:
    yield from ([3, 3], [4, 2], [6, 3])
    yield from ([2, 1], [2, 2], [5, 2], [7, 1], [8, 3], [9, 4], [2, 1000000000])
    yield from ([999999937, 7], [735134400, 1000000000], [1000000000, 3], [536870912, 2], [887503681, 12345])
    yield from ([999950884, 500000004], [720720, 99])
