"""Which answers of a program's objects the tests accept.

An object's methods are the program's code. If a test passes the expected value to one, the object could just agree.

- An object that the tests constructed by a class name in their own text (`class_names.py`) may answer everything.
  Another object of such a class, or of a class in the starter code, may answer what the class is tested for.
- A function may answer a call.
- Any other object may be read as long as no data of the tests was passed to it: attributes, methods without arguments,
  items, conversions. After data was passed to it, its answers are refused.
- After the tests asked such an object to remove something, its truth value, length and items are refused: a test that
  removes everything expects an empty object, and one that was always empty would pass.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from microcoder_eval.sandbox.asserts.channel import Broken

FUNCTIONS = ("function", "builtin_function_or_method", "method", "partial", "_lru_cache_wrapper", "itemgetter")
GENERATOR_METHODS = ("send", "throw", "asend", "athrow", "close", "aclose")
TEXT_AND_NUMBERS = (str, bytes, int, float, complex)
OTHER_TYPES = (list, tuple, dict, set, frozenset, deque, Counter, OrderedDict, range,
               Decimal, Fraction, date, datetime, time, timedelta)  # fmt: skip
CHANGING_METHODS = {"append", "add", "extend", "insert", "remove", "discard", "clear", "update", "sort", "reverse",
                    "rotate", "appendleft", "extendleft", "setdefault", "pop", "popitem", "popleft",
                    "move_to_end"}  # fmt: skip
ARRAY_METHODS = {"equals", "all", "any", "allclose", "isin", "item", "tolist", "dot",
                 "eq", "ne", "lt", "le", "gt", "ge"}  # fmt: skip
SHARED_METHODS = {"find", "encode", "decode", "format", "split", "join", "replace", "title", "lower", "upper", "center"}
OTHER_METHODS = {name for kind in OTHER_TYPES for name in dir(kind) if not name.startswith("_")} | SHARED_METHODS
VALUE_METHODS = {name for kind in TEXT_AND_NUMBERS for name in dir(kind) if not name.startswith("_")} - OTHER_METHODS
"""Methods that only texts and numbers have: calling one asks a value, even without arguments."""
REMOVING_METHODS = {"remove", "discard", "pop", "move_to_end"}
"""Methods that remove something and thereby tell whether it was there."""
QUERY_METHODS = (OTHER_METHODS | VALUE_METHODS | ARRAY_METHODS) - CHANGING_METHODS
"""Methods by which tests ask a value, rather than an object of the program's own design."""


class AnswerRefused(Broken):
    """The tests use an answer of an object that may not give one. A BaseException: the tests must not catch it."""


class Standing(NamedTuple):
    """What a proxy may answer, from how the tests got it. One object may have several proxies."""

    constructed: bool = False
    """The tests constructed it, by a class name in their own text."""
    constructs: bool = False
    """It is such a class: calling it constructs an object."""
    answers: bool = False
    """The result of calling it is accepted: it is a function, or a method of an object that may answer."""
    named: bool = False
    """It is a global name of the program that the tests use."""
    method: str = ""
    """The method's name, when it was read from an object whose answers about data are refused."""
    shown: int = 0
    """1: a call that passed data of the tests made it; its truth value, length, items, number and text are refused.
    2: an operator, or a method in `QUERY_METHODS`, made it from data of the tests; nothing of it may be read."""


PLAIN = Standing()


class UntrustedNone:
    """What a method returned that was passed data of the tests and gave None. It equals None, but its truth value is
    refused: `not s.has(5)` must not pass because a method returns nothing."""

    def __init__(self, refuse: Any) -> None:
        self._refuse = refuse

    def __bool__(self) -> bool:
        return self._refuse()

    def __eq__(self, other: object) -> bool:
        return other is None or type(other) is UntrustedNone

    def __hash__(self) -> int:
        return hash(None)

    def __repr__(self) -> str:
        return "None"


def standing_of_method(
    owner: Standing, trusted: bool, kind: str, name: str, tested: frozenset[str] = frozenset()
) -> Standing:
    """The standing of a method that was read from an object or a class of the program.

    `trusted`: whether that object's class is one that the tests construct. `tested`: see `class_names.methods`.
    """
    may_answer = owner.constructed or (trusted and name in tested)
    may_answer = may_answer or ((trusted or owner.named) and name not in QUERY_METHODS)
    if may_answer or (kind == "generator" and name in GENERATOR_METHODS):
        return Standing(answers=not owner.shown, shown=owner.shown)
    return Standing(method=name, shown=owner.shown)
