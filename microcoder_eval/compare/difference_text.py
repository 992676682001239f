"""Describes the first difference between an answer and the expected one, in about one line whatever their size.

It decides nothing: `ladder` calls it after an answer was rejected.
"""

from __future__ import annotations

import reprlib
from typing import Any

from microcoder_eval.boundary.decode_values import Opaque
from microcoder_eval.compare.livecodebench_rungs import LineDifference
from microcoder_eval.compare.paired_batches import Agree, difference_offset, find_token, first_difference, token_batches
from microcoder_eval.compare.value_rungs import MISSING, Mismatch

_WIDTH = 80
_BEFORE = 30
_MOST_PATH = 6
_UNKNOWN = "the answers differ"


def token_difference(expected: bytes, actual: bytes, agree: Agree | None) -> str:
    """Where two outputs first differ as tokens. Lines and tokens are counted from 1 in the expected output.

    >>> token_difference(b"1 2\\n3 4", b"1 2 3 5", None)
    "line 2, token 2: expected '4', got '5'"
    """
    place = first_difference(expected, actual, agree)
    if place is None:
        return _UNKNOWN
    wanted, printed = find_token(expected, place), find_token(actual, place)
    if wanted is not None:
        found = None if printed is None else printed[1]
        return f"{_token_place(expected, wanted[0])}: {_expected_and_got(wanted[1], found)}"
    if printed is not None:
        return f"{_token_place(actual, printed[0])} of the output: {_expected_and_got(None, printed[1])}"
    return _UNKNOWN


def byte_difference(expected: bytes, actual: bytes) -> str:
    """Where two outputs first differ byte by byte, line ends included."""
    shared = difference_offset(expected, actual)
    start = expected.rfind(b"\n", 0, shared) + 1
    line = expected.count(b"\n", 0, shared) + 1
    wanted, printed = (
        None if shared == len(output) else output[start : shared + _WIDTH] for output in (expected, actual)
    )
    return f"line {line}, byte {shared - start + 1}: {_expected_and_got(wanted, printed)}"


def line_difference(difference: LineDifference | None) -> str:
    """A difference between whole lines, in words: the line's number, the expected line and the printed one."""
    if difference is None:
        return _UNKNOWN
    wanted, printed = (None if line is None else line.encode("utf-8", "surrogateescape") for line in difference[1:])
    return f"line {difference[0]}: {_expected_and_got(wanted, printed)}"


def token_line_difference(difference: tuple[int, bytes | None, bytes | None] | None) -> str:
    """A difference between the tokens of two lines, in words."""
    if difference is None:
        return _UNKNOWN
    number, wanted, printed = difference
    return f"line {number}: {_expected_and_got(wanted, printed)}"


def item_difference(unmatched: tuple[bytes | None, bytes | None] | None, of: str) -> str:
    """An item that is missing and one that is not expected, in words; the items may come in any order."""
    if unmatched is None:
        return _UNKNOWN
    missing, extra = unmatched
    name = of.removesuffix("s")
    lacks = f"expected {name} {quoted(missing)}, not found" if missing is not None else "nothing is missing"
    return f"in any order: {lacks}" + (f"; got {name} {quoted(extra)}, not expected" if extra is not None else "")


def value_difference(found: Mismatch | None) -> str:
    """The first difference between two values.

    >>> value_difference(Mismatch((3, "a"), 1, "x"))
    "at [3]['a']: expected 1 (int), got 'x' (str)"
    """
    if found is None:
        return _UNKNOWN
    path = "".join(f"[{_short_repr(step)}]" for step in found.path[:_MOST_PATH])
    where = f"at {path}{'...' if len(found.path) > _MOST_PATH else ''}: " if path else ""
    if isinstance(found.expected, str) and isinstance(found.got, str):
        return where + _expected_and_got(
            *(each.encode("utf-8", "surrogatepass") for each in (found.expected, found.got))
        )
    wanted, got = _short_repr(found.expected), _short_repr(found.got)
    if type(found.expected) is not type(found.got) and MISSING not in (found.expected, found.got):
        wanted, got = _with_type(wanted, found.expected), _with_type(got, found.got)
    return f"{where}expected {wanted}, got {got}"


def quoted(token: bytes, focus: int = 0) -> str:
    """Bytes in quotes, unprintable ones escaped, cut to about 80 characters around `focus`.

    >>> quoted(b"a\\x00\\xff")
    "'a\\\\x00\\\\xff'"
    """
    start = 0 if len(token) <= _WIDTH else max(0, min(focus - _BEFORE, len(token) - _WIDTH))
    cut = token[start : start + _WIDTH]
    shown = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in cut.decode("utf-8", "backslashreplace")
    )
    before, after = "..." if start else "", "..." if start + _WIDTH < len(token) else ""
    size = f" ({len(token)} bytes)" if before or after else ""
    return f"'{before}{shown}{after}'{size}"


class _Short(reprlib.Repr):
    """`repr` within about 80 characters. It never writes out a large value in full first."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxtuple, self.maxdict, self.maxset = 4, 8, 8, 6, 8
        self.maxfrozenset, self.maxstring, self.maxother = 8, _WIDTH, _WIDTH

    def repr_int(self, number: int, level: int) -> str:
        if number.bit_length() > 256:  # Python refuses to convert very long integers to text
            return f"{'-' if number < 0 else ''}...{abs(number) % 10**20:020} ({number.bit_length()} bits)"
        return repr(number)

    def repr_bytes(self, data: bytes, level: int) -> str:
        return repr(data[:_WIDTH]) + ("..." if len(data) > _WIDTH else "")


_short = _Short()


def _short_repr(returned: Any) -> str:
    """The `repr` of a value, shortened."""
    shown = _short.repr(returned)
    return shown if len(shown) <= _WIDTH else shown[: _WIDTH - 3] + "..."


def _with_type(shown: str, of: Any) -> str:
    return shown if of is None or isinstance(of, Opaque) else f"{shown} ({type(of).__name__})"


def _expected_and_got(wanted: bytes | None, printed: bytes | None) -> str:
    if wanted is None:
        return f"expected nothing more, got {quoted(printed or b'')}"
    if printed is None:
        return f"expected {quoted(wanted)}, but the output ends"
    shared = difference_offset(wanted, printed)
    return f"expected {quoted(wanted, shared)}, got {quoted(printed, shared)}"


def _token_place(output: bytes, offset: int) -> str:
    line_start = output.rfind(b"\n", 0, offset) + 1
    line = output.count(b"\n", 0, offset) + 1
    return f"line {line}, token {sum(map(len, token_batches(output[line_start:offset]))) + 1}"
