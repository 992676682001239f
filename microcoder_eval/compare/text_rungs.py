"""The rungs `lines`, `tokens`, `token_lines` and `case`: a printed output compared as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from microcoder_eval.compare.paired_batches import (
    Agree,
    first_difference,
    line_batches,
    pair_batches,
    shared_lines,
    with_single_spaces,
)


def same_lines(expected: bytes, actual: bytes) -> bool:
    """Whether two outputs are equal except for white space at the ends of lines and blank lines at the end.

    >>> same_lines(b"1 2\\n3\\n", b"1 2 \\r\\n3")
    True
    """
    expected, actual = expected.rstrip(), actual.rstrip()
    if expected == actual:
        return True
    start = shared_lines(expected, actual)
    for wanted, printed in pair_batches(line_batches(expected, b"\n", start), line_batches(actual, b"\n", start)):
        if wanted != printed and [line.rstrip() for line in wanted] != [line.rstrip() for line in printed]:
            return False
    return True


def same_tokens(expected: bytes, actual: bytes) -> bool:
    """Whether two outputs have the same tokens in the same order, whatever white space is between them."""
    return first_difference(expected, actual) is None


def same_token_lines(expected: bytes, actual: bytes) -> bool:
    """Whether two outputs have the same tokens on the same lines. Blank lines, and white space in a line, do not count.

    This is what DMOJ's checker `standard` accepts. A line ends at LF or CR.

    >>> same_token_lines(b"1 2\\n3\\n", b"\\n1  2 \\r\\n\\n3"), same_token_lines(b"1 2", b"1\\n2")
    (True, False)
    """
    lines = zip_longest(_token_lines(expected), _token_lines(actual), fillvalue=(0, b""))
    return all(wanted[1] == printed[1] for wanted, printed in lines)


def first_token_line_difference(expected: bytes, actual: bytes) -> tuple[int, bytes | None, bytes | None] | None:
    """The number of the first line that differs, the expected line and the printed one; None when none differs.

    A line is None when the output has no more lines.
    """
    for wanted, printed in zip_longest(_token_lines(expected), _token_lines(actual)):
        if wanted is None or printed is None or wanted[1] != printed[1]:
            return (wanted or printed)[0], wanted and wanted[1], printed and printed[1]
    return None


def _token_lines(text: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that have tokens, with their numbers and single spaces."""
    number = 0
    for lines in line_batches(text.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), b"\n"):
        for line in map(with_single_spaces, lines):
            number += 1
            if line:
                yield number, line


def same_case_folded(want: bytes, got: bytes) -> bool:
    """Whether two tokens differ only in upper and lower case. An ASCII letter never equals one beyond ASCII.

    >>> same_case_folded(b"YES", b"Yes"), same_case_folded(b"k", "\\N{KELVIN SIGN}".encode())
    (True, False)
    """
    if want.isascii() != got.isascii():
        return False
    return want.decode("utf-8", "surrogateescape").lower() == got.decode("utf-8", "surrogateescape").lower()


def either_agrees(first: Agree, second: Agree) -> Agree:
    """A comparison that accepts what either of two comparisons accepts."""
    return lambda want, got: first(want, got) or second(want, got)
