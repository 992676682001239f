"""The rungs for returned values, and for values read from printed literals: when two values agree.

Values are of builtin types, or `Opaque`, which agrees with nothing. Integers are compared as integers at any size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from microcoder_eval.compare.number_rungs import Near

_PLAIN = frozenset({int, str, bool, float, bytes, complex, type(None)})
_SEQUENCES = (list, tuple)
_SETS = (set, frozenset)
_MANY_BITS = 1 << 15


class Agreement(NamedTuple):
    """Which differences are accepted. By default none: the same value and the same type."""

    convert: bool = False
    """Accept what JSON cannot tell apart: a tuple for a list, 5.0 for 5, 5 for 5.0, 1 for true, integer keys for string
    keys. Never True for 1, a string for a number, or a set for a list."""
    near: Near | None = None
    """The tolerance where the expected number is a float; None: no tolerance."""
    near_integers: bool = False
    """Apply the tolerance to expected integers too."""
    fold_case: bool = False
    """Accept strings that differ only in upper and lower case."""


class Mismatch(NamedTuple):
    """The first place where two values differ: the indices and keys that lead there, and the two values."""

    path: tuple[Any, ...]
    expected: Any
    got: Any


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()
"""In a `Mismatch`: this side has no element here."""


def mismatch(expected: Any, got: Any, agreement: Agreement) -> Mismatch | None:
    """The first difference, or None when the values agree.

    >>> mismatch([1, (2, 3)], [1, [2, 4]], Agreement(convert=True))
    Mismatch(path=(1, 1), expected=3, got=4)
    """
    if isinstance(expected, _SEQUENCES):
        return _sequence_mismatch(expected, got, agreement)
    if isinstance(expected, dict):
        return _dict_mismatch(expected, got, agreement)
    if isinstance(expected, _SETS):
        return _set_mismatch(expected, got, agreement)
    return None if _same_scalar(expected, got, agreement) else Mismatch((), expected, got)


def _sequence_mismatch(expected: Sequence[Any], got: Any, agreement: Agreement) -> Mismatch | None:
    if type(got) is not type(expected) and not (agreement.convert and isinstance(got, _SEQUENCES)):
        return Mismatch((), expected, got)
    for index, (want, have) in enumerate(zip(expected, got)):  # noqa: B905  lengths are compared below
        kind = type(want)
        if kind is type(have) and kind in _PLAIN and want == have:  # the usual case: saves a call
            continue
        found = mismatch(want, have, agreement)
        if found:
            return found._replace(path=(index, *found.path))
    if len(expected) != len(got):
        index = min(len(expected), len(got))
        longer = (expected[index], MISSING) if index < len(expected) else (MISSING, got[index])
        return Mismatch((index,), *longer)
    return None


def _dict_mismatch(expected: dict[Any, Any], got: Any, agreement: Agreement) -> Mismatch | None:
    if not isinstance(got, dict):
        return Mismatch((), expected, got)
    name: Callable[[Any], Any] = _json_key if agreement.convert else _typed_key
    wanted = {name(key): key for key in expected}
    had = {}
    for key, have in got.items():
        form = name(key)
        if form not in wanted or form in had:  # unknown, or a second key with the same JSON name, such as 1 and "1"
            return Mismatch((key,), MISSING, have)
        had[form] = have
    for form, key in wanted.items():
        if form not in had:
            return Mismatch((key,), expected[key], MISSING)
        found = mismatch(expected[key], had[form], agreement)
        if found:
            return found._replace(path=(key, *found.path))
    return None


def _set_mismatch(expected: Any, got: Any, agreement: Agreement) -> Mismatch | None:
    if type(got) is not type(expected) and not (agreement.convert and isinstance(got, _SETS)):
        return Mismatch((), expected, got)
    return Mismatch((), expected, got) if mismatch(sorted_values(expected), sorted_values(got), agreement) else None


def _same_scalar(expected: Any, got: Any, agreement: Agreement) -> bool:
    kind, other = type(expected), type(got)
    if kind not in _PLAIN or other not in _PLAIN:
        return False
    if kind is other and (expected == got or (kind is float and expected != expected and got != got)):
        return True
    if agreement.fold_case and kind is str and other is str:
        return bool(expected.isascii() == got.isascii() and expected.lower() == got.lower())
    if agreement.convert and expected == got and (kind, other) in _CONVERTIBLE:
        return True
    if agreement.near is None or other not in (int, float):
        return False
    return (kind is float or (kind is int and agreement.near_integers)) and _near(expected, got, agreement.near)


_CONVERTIBLE = frozenset({(int, float), (float, int), (bool, int)})
"""Pairs of expected and returned types whose equal values agree under `convert`."""


def _near(expected: float, got: float, near: Near) -> bool:
    if not (_is_measurable(expected) and _is_measurable(got)):
        return False
    return near(_decimal(expected), _decimal(got))


def _is_measurable(number: float) -> bool:
    # converting a very long int to decimal takes quadratic time, so it agrees only with an equal one
    return number.bit_length() <= _MANY_BITS if isinstance(number, int) else math.isfinite(number)


def _decimal(number: float) -> Decimal:
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))


def _json_key(key: Any) -> Any:
    """A key as JSON writes it: a string, for the types that JSON has."""
    if isinstance(key, bool):
        return "true" if key else "false"
    if key is None:
        return "null"
    return repr(key) if isinstance(key, (int, float)) else key


def _typed_key(key: Any) -> Any:
    return type(key), key


def sorted_values(values: Any) -> list[Any]:
    """The elements sorted, whatever their types: numbers by value, the rest by type and content."""
    return sorted(values, key=sort_key)


def sort_key(value: Any) -> tuple[Any, ...]:
    """A sort key for any value; values that agree without tolerance have the same key."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, (int, float)):
        return (2, value) if value == value else (3,)
    if isinstance(value, complex):
        return (4, value.real, value.imag)
    if isinstance(value, str):
        return (5, value)
    if isinstance(value, bytes):
        return (6, value)
    if isinstance(value, _SEQUENCES):
        return (7, tuple(map(sort_key, value)))
    if isinstance(value, dict):
        return (8, tuple(sorted((sort_key(_json_key(key)), sort_key(item)) for key, item in value.items())))
    if isinstance(value, _SETS):
        return (9, tuple(map(sort_key, sorted_values(value))))
    return (10, repr(value))
