"""The rungs `numbers` and `approximate`: when two printed numbers agree.

Numbers are compared with exact decimal arithmetic on their text, so that no digit is lost at any size. Floats only
accept pairs of which they are certain (`surely`). An integer is compared as text unless the checker asks for tolerance
on integers. Infinities and NaN are words.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation

Near = Callable[[Decimal, Decimal], bool]
"""A function of the expected number and the given one: whether they are near enough."""

_EXACT = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_PLAIN = b"0123456789.-\n"
"""The characters of plain numbers, one a line. `float` accepts no other text that is made of them."""
_SURE, _FLOAT_ERROR, _LEAST_RELATIVE, _LARGEST, _TINY = 0.95, 1e-14, 1e-12, 1e300, 1e-300
"""When floats can decide: with the share `_SURE` of a tolerance. The absolute tolerance counts if it is above the
largest number times `_FLOAT_ERROR`, which is far above the rounding error of floats. The relative one counts if it is
at least `_LEAST_RELATIVE`."""


def _is_number(token: bytes) -> bool:
    """Whether a token spells a number in plain decimal or exponent form, with ASCII digits and nothing else.

    >>> [_is_number(token) for token in (b"-1.5", b".5", b"2E+3", b"1_0.0", b"0x1p0", b"nan", b"1e", b".")]
    [True, True, True, False, False, False, False, False]
    """
    if token.replace(b".", b"", 1).isdigit():  # the usual case: digits and at most one point
        return True
    mantissa, mark, exponent = token.replace(b"E", b"e").partition(b"e")
    return _unsigned(mantissa).replace(b".", b"", 1).isdigit() and (not mark or _unsigned(exponent).isdigit())


def _unsigned(token: bytes) -> bytes:
    return token[1:] if token.startswith((b"-", b"+")) else token


def is_real(token: bytes) -> bool:
    """Whether a token is a number written as a non-integer: with a point or an exponent."""
    return (b"." in token or b"e" in token or b"E" in token) and _is_number(token)


def read_number(token: bytes) -> Decimal | None:
    """The number that a token spells, or None.

    >>> read_number(b"1.50"), read_number(b"1_0.0")
    (Decimal('1.50'), None)
    """
    if not _is_number(token):
        return None
    try:
        return Decimal(token.decode("ascii"))
    except InvalidOperation:  # the exponent is out of range
        return None


@dataclass(frozen=True)
class Within:
    """Accepts an error up to the absolute or the relative tolerance, the bounds included."""

    absolute: Decimal
    relative: Decimal

    def __call__(self, expected: Decimal, got: Decimal) -> bool:
        error = _EXACT.subtract(got, expected).copy_abs()
        return error <= self.absolute or error <= _EXACT.multiply(self.relative, expected.copy_abs())

    def surely(self, expected: list[float], got: list[float]) -> bool:
        """Whether all numbers are near enough by float arithmetic, with a margin far above its own error."""
        largest = max(map(abs, expected))
        absolute, relative = float(self.absolute) * _SURE, float(self.relative) * _SURE
        if largest * _FLOAT_ERROR >= absolute - _TINY:
            absolute = -1.0
        if relative < _LEAST_RELATIVE or largest > _LARGEST:
            relative = 0.0
        errors = list(map(abs, map(operator.sub, got, expected)))
        if max(errors) <= absolute:
            return True
        pairs = zip(errors, expected, strict=True)
        return all(error <= absolute or error < relative * abs(number) - _TINY for error, number in pairs)


def within(absolute: float, relative: float) -> Within:
    """A comparison that accepts an error up to the absolute or the relative tolerance, the bounds included.

    >>> within(1e-6, 0)(Decimal("0.5"), Decimal("0.500001"))
    True
    """
    # repr: a tolerance of 1e-6 is the decimal 0.000001, not the binary fraction a little below it
    return Within(Decimal(repr(absolute)), Decimal(repr(relative)))


CONTEST_NEAR = within(1e-6, 1e-6)
"""The tolerance for real numbers when the problem does not give one: 1e-6, absolute or relative."""

_ALLCLOSE_ABSOLUTE, _ALLCLOSE_RELATIVE, _THOUSANDTH = Decimal("1e-8"), Decimal("1e-5"), Decimal("0.001")


def close_or_rounded(expected: Decimal, got: Decimal) -> bool:
    """The paper's lenient comparison: `np.allclose` with its defaults, or equal after rounding to three digits."""
    error = _EXACT.subtract(got, expected).copy_abs()
    allowed = _EXACT.add(_ALLCLOSE_ABSOLUTE, _EXACT.multiply(_ALLCLOSE_RELATIVE, expected.copy_abs()))
    return error <= allowed or rounded(expected) == rounded(got)


def rounded(number: Decimal) -> Decimal:
    """A number to three digits after the point, or to sixty digits when it is too large for that; never minus zero.

    >>> rounded(Decimal("-0.0004")), rounded(Decimal("5e-1"))
    (Decimal('0.000'), Decimal('0.500'))
    """
    short = _EXACT.quantize(number, _THOUSANDTH)
    return _EXACT.add(number if short.is_nan() else short, Decimal(0))


class TokensAgree:
    """See `tokens_agree`."""

    def __init__(self, near: Near, integers: bool) -> None:
        self._near, self._integers = near, integers

    def __call__(self, want: bytes, got: bytes) -> bool:
        if not (self._integers or b"." in want or b"e" in want or b"E" in want):
            return False
        expected, printed = read_number(want), read_number(got)
        return expected is not None and printed is not None and self._near(expected, printed)

    def surely(self, wanted: list[bytes], printed: list[bytes]) -> bool:
        """Whether each token is equal or certainly agrees; False means "not known". Fast for long outputs of reals."""
        if not isinstance(self._near, Within):
            return False
        differing = [pair for pair in zip(wanted, printed, strict=True) if pair[0] != pair[1]]
        expected, got = map(list, zip(*differing, strict=True))
        all_expected, all_got = b"\n".join(expected), b"\n".join(got)
        if all_expected.translate(None, _PLAIN) or all_got.translate(None, _PLAIN):
            return False
        if not self._integers and all_expected.count(b".") < len(expected):  # a number has one point at most
            return False
        try:
            return self._near.surely(list(map(float, expected)), list(map(float, got)))
        except ValueError:
            return False


def tokens_agree(near: Near, integers: bool = False) -> TokensAgree:
    """A comparison of tokens as numbers where the expected token is a real number; with `integers`, any number.

    >>> agree = tokens_agree(CONTEST_NEAR)
    >>> agree(b"0.5", b"0.5000001"), agree(b"5", b"5.0")
    (True, False)
    """
    return TokensAgree(near, integers)
