"""Decodes the value that an untrusted child returned: JSON (see `encode_values.py`) to exact builtin types.

Whatever the child writes, decoding yields only builtin types and `Opaque`, so no `__eq__` of a submission is ever
called.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

FEW_KEYS = 1000


class Opaque:
    """A returned object that is not data: only the name of its type is kept. It equals nothing."""

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name

    def __repr__(self) -> str:
        return f"<{self.type_name}>"


class NotAValue(ValueError):
    """What the child wrote is not an encoded value."""


def build(node: Any, lists_only: bool = False) -> Any:
    """The value of parsed JSON. `lists_only`: other sequences (range, deque, ...) are `Opaque`, not lists.

    >>> build({"t": [1, {"f": "inf"}]})
    (1, inf)
    """
    try:
        return _build(node, lists_only)
    except RecursionError:
        raise NotAValue("the value is nested too deeply") from None
    except NotAValue:
        raise
    except (ValueError, TypeError, KeyError, IndexError, OverflowError):
        raise NotAValue("the returned value could not be read") from None


def _build(node: Any, lists_only: bool) -> Any:
    if isinstance(node, list):
        return [_build(item, lists_only) for item in node]
    if not isinstance(node, dict):
        return node
    ((tag, body),) = node.items()
    if tag == "t":
        return tuple(_build(item, lists_only) for item in body)
    if tag == "d":
        pairs = [(_build(key, lists_only), _build(value, lists_only)) for key, value in body]
        _refuse_collisions([key for key, _ in pairs])
        return dict(pairs)
    if tag in ("s", "z"):
        items = [_build(item, lists_only) for item in body]
        _refuse_collisions(items)
        return set(items) if tag == "s" else frozenset(items)
    if tag == "q":
        name, items = body
        return Opaque(str(name)[:200]) if lists_only else _build(items, lists_only)
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return float(body)
    if tag == "c":
        return complex(_build(body[0], lists_only), _build(body[1], lists_only))
    if tag == "b":
        return bytes.fromhex(body)
    if tag == "o":
        return Opaque(str(body)[:200])
    raise NotAValue(f"unknown tag {tag!r}")


def read_answer(answer: bytes, in_place: bool, lists_only: bool = False) -> Any:
    """The value that a call returned. With `in_place`, its first argument as the call left it, if it returned None."""
    if not answer:
        raise NotAValue("the program ended without returning a value")
    try:
        record = json.loads(answer)
    except RecursionError:
        return Opaque("a value nested too deeply")
    except ValueError:
        raise NotAValue("the returned value could not be read") from None
    if not isinstance(record, dict) or "r" not in record:
        raise NotAValue("the returned value could not be read")
    return build(record["a"] if in_place and record["r"] is None and "a" in record else record["r"], lists_only)


def _refuse_collisions(keys: list[Any]) -> None:
    """Raise `NotAValue` for many keys with one hash: building a set or dict of them would take quadratic time."""
    if len(keys) > FEW_KEYS and max(Counter(map(hash, keys)).values()) > FEW_KEYS // 4:
        raise NotAValue("the returned value has keys that are made to collide")
