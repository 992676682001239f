"""Encodes data between a program and its tests as JSON, and keeps the identity of mutable containers.

It uses the tags of `boundary/encode_values.py` and further ones. Each list, dict, set, ... in a request has a number,
in the order in which they are met. A second mention is {"r": number}, and the answer can hold new contents for a
number. A subclass (`peer.py`) encodes what is not data. Decoding yields exact builtin types, whatever arrives.
"""

from __future__ import annotations

import builtins
import importlib
import math
import operator
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from microcoder_eval.sandbox.asserts import tables

NESTING = 20_000
"""The recursion limit of both processes: it bounds how deep values may nest."""
LARGEST_PLAIN = 1 << 63
"""Integers below this travel as JSON numbers, larger ones in hex."""
ARRAY_TYPE = re.compile(r"[<>|=](?:[biufc]\d{1,2}|[US]\d{1,6}|[mM]8(?:\[\d{0,9}[A-Za-z]+\])?)|\|O")

CONTAINERS: dict[type, str] = {
    list: "l", dict: "d", set: "s", bytearray: "y", deque: "q", OrderedDict: "D", Counter: "K", defaultdict: "F",
}  # fmt: skip
EMPTY: dict[str, Any] = {
    "l": lambda _: [],
    "d": lambda _: {},
    "s": lambda _: set(),
    "y": lambda _: bytearray(),
    "q": lambda longest: deque(maxlen=longest),
    "D": lambda _: OrderedDict(),
    "K": lambda _: Counter(),
    "F": lambda factory: defaultdict(factory),
}
# immutable types of the standard library, by the arguments that make an equal one
REBUILT: dict[str, Any] = {
    "decimal.Decimal": lambda value: [str(value)],
    "fractions.Fraction": lambda value: [value.numerator, value.denominator],
    "datetime.date": lambda value: [value.year, value.month, value.day],
    "datetime.time": lambda value: [value.hour, value.minute, value.second, value.microsecond, value.tzinfo],
    "datetime.datetime": lambda value: [*value.timetuple()[:6], value.microsecond, value.tzinfo],
    "datetime.timedelta": lambda value: [value.days, value.seconds, value.microseconds],
    "datetime.timezone": lambda value: [value.utcoffset(None)],
    "uuid.UUID": lambda value: [str(value)],
    "builtins.range": lambda value: [value.start, value.stop, value.step],
    "builtins.slice": lambda value: [value.start, value.stop, value.step],
}
FLATTENED: dict[type, Any] = {
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes(memoryview(value)),
    bytearray: lambda value: bytearray(memoryview(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    list: lambda value: list(list.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
}
"""For each builtin type, how to get the bare builtin value of an instance, also of a subclass."""
VIEWS: dict[type, Any] = {
    type({}.keys()): lambda items: dict.fromkeys(items).keys(),
    type({}.values()): lambda items: dict(enumerate(items)).values(),
    type({}.items()): lambda items: dict(items).items(),
}
VIEW_NAMES = {kind.__name__: make for kind, make in VIEWS.items()}


class Untransferable(TypeError):
    """A value of the tests that cannot be handed to the program."""


class Exchange:
    """The containers in one request and its answer, numbered in the order in which they are met."""

    def __init__(self) -> None:
        self.containers: list[Any] = []
        self._numbers: dict[int, int] = {}

    def add(self, container: Any) -> None:
        self._numbers[id(container)] = len(self.containers)
        self.containers.append(container)

    def add_later(self) -> int:
        """Leave a place for a container that is made after what it holds."""
        self.containers.append(None)
        return len(self.containers) - 1

    def put(self, place: int, container: Any) -> None:
        self._numbers[id(container)] = place
        self.containers[place] = container

    def number(self, container: Any) -> int | None:
        return self._numbers.get(id(container))

    def forget_after(self, count: int) -> None:
        for container in self.containers[count:]:
            del self._numbers[id(container)]
        del self.containers[count:]


class Codec:
    """Encodes and decodes data. A subclass overrides the methods that raise, for what is not data."""

    types_refused: tuple[type, ...] = ()
    """Builtin types that the other side may not send."""

    def encode(self, value: Any, exchange: Exchange) -> Any:
        kind: Any = type(value)
        if value is None or kind is str or kind is bool:
            return value
        if kind is int:
            return value if -LARGEST_PLAIN < value < LARGEST_PLAIN else {"i": hex(value)}
        if kind is float:
            return value if math.isfinite(value) else {"f": repr(value)}
        if kind is tuple:
            return {"t": self.encode_all(value, exchange)}
        if kind in CONTAINERS or is_array(value) or tables.is_table(value):
            return self._encode_container(value, exchange)
        if kind is bytes:
            return {"b": value.hex()}
        if kind is frozenset:
            return {"z": self.encode_all(list(value), exchange)}
        if kind is complex:
            return {"c": [self.encode(value.real, exchange), self.encode(value.imag, exchange)]}
        if kind.__module__ == "numpy" and hasattr(kind, "tolist") and hasattr(kind, "dtype"):
            plain = value.tolist()  # of an array of records, or of a matrix, too
            if type(plain) is kind:  # `longdouble`, `clongdouble`
                plain = complex(plain) if kind.__name__.startswith("c") else float(plain)
            elif _is_plain(value.dtype.str) and value.shape == ():
                return {"m": self.encode_all(_array_parts(value), exchange)}
            return self.encode(plain, exchange)
        if isinstance(value, type) and is_builtin(value):
            return {"n": value.__name__}
        if tables.is_index_or_scalar(value):
            return {"I": self.encode_all(tables.taken_apart(value), exchange)}
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name in REBUILT:
            return {"x": [name, self.encode_all(REBUILT[name](value), exchange)]}
        return self.encode_object(value, exchange)

    def decode(self, node: Any, exchange: Exchange) -> Any:
        if isinstance(node, list):
            made: list[Any] = []
            exchange.add(made)
            made.extend(self.decode_all(node, exchange))
            return made
        if not isinstance(node, dict):
            return node
        ((tag, body),) = node.items()
        if tag == "t":
            return tuple(self.decode_all(body, exchange))
        if tag == "r":
            return exchange.containers[body]
        if tag in EMPTY:
            extra, items = body
            container = EMPTY[tag](self.decode(extra, exchange))
            exchange.add(container)
            refill(container, self.decode_all(items, exchange))
            return container
        if tag == "i":
            return int(body, 16)
        if tag == "f":
            return float(body)
        if tag == "b":
            return bytes.fromhex(body)
        if tag == "z":
            return frozenset(self.decode_all(body, exchange))
        if tag == "c":
            return complex(*self.decode_all(body, exchange))
        if tag == "n":
            found = getattr(builtins, str(body))
            if not isinstance(found, type) or found in self.types_refused:
                raise ValueError(f"{body} is not a type")
            return found
        if tag == "V":
            return VIEW_NAMES[body[0]](self.decode_all(body[1], exchange))
        if tag == "x" and body[0] in REBUILT:
            module, _, name = body[0].rpartition(".")
            return getattr(importlib.import_module(module), name)(*self.decode_all(body[1], exchange))
        if tag in ("a", "T"):
            place = exchange.add_later()
            parts = self.decode_all(body, exchange)
            made = _array(*parts) if tag == "a" else tables.put_together(parts)
            exchange.put(place, made)
            return made
        if tag == "m":
            return _array(*self.decode_all(body, exchange))[()]
        if tag == "I":
            return tables.put_together(self.decode_all(body, exchange))
        return self.decode_object(tag, body, exchange)

    def encode_object(self, value: Any, exchange: Exchange) -> Any:
        raise Untransferable(f"a value of type {type(value).__name__} cannot be handed over")

    def decode_object(self, tag: str, body: Any, exchange: Exchange) -> Any:
        raise ValueError(f"unknown tag {tag!r}")

    def _encode_container(self, value: Any, exchange: Exchange) -> Any:
        known = exchange.number(value)
        if known is not None:
            return {"r": known}
        exchange.add(value)
        tag = CONTAINERS.get(type(value))
        items = self.encode_all(contents(value), exchange)
        if tag == "l":
            return items
        if tag is None:
            return {"a" if is_array(value) else "T": items}
        extra = value.maxlen if tag == "q" else value.default_factory if tag == "F" else None
        return {tag: [self.encode(extra, exchange), items]}

    def encode_all(self, items: Any, exchange: Exchange) -> list[Any]:
        kinds = set(map(type, items))
        if kinds <= {str, bool, type(None)}:
            return list(items)
        if kinds == {int} and min(items) > -LARGEST_PLAIN and max(items) < LARGEST_PLAIN:
            return list(items)
        if kinds == {float} and math.isfinite(sum(items)):
            return list(items)
        return [self.encode(item, exchange) for item in items]

    def decode_all(self, nodes: list[Any], exchange: Exchange) -> list[Any]:
        if not {list, dict} & set(map(type, nodes)):
            return nodes
        return [self.decode(node, exchange) for node in nodes]


def contents(container: Any) -> list[Any]:
    """The contents of a container as a flat list. Keys and values alternate; of an object, names and values."""
    if isinstance(container, dict):
        pairs = OrderedDict.items(container) if type(container) is OrderedDict else dict.items(container)
        return [part for pair in pairs for part in pair]
    if isinstance(container, bytearray):
        return [container.hex()]
    if isinstance(container, (list, set, deque)):
        return list(container)
    if is_array(container):
        return _array_parts(container)
    if tables.is_table(container):
        return tables.taken_apart(container)
    return [part for name in _attributes(container) for part in (name, getattr(container, name))]


def inner(container: Any, levels: int = 3) -> list[Any]:
    """What is in a container and, some levels deep, in the containers in it."""
    found = [] if type(container) is bytearray else contents(container)
    held = [item for item in found if type(item) in CONTAINERS] if levels else []
    return found + [part for item in held for part in inner(item, levels - 1)]


def refill(container: Any, items: list[Any]) -> None:
    """Replace the contents of a container, or the attributes of an object."""
    if isinstance(container, list):
        container[:] = items
    elif isinstance(container, bytearray):
        container[:] = bytes.fromhex(items[0])
    elif is_array(container):
        container[...] = _array(*items)
    elif tables.is_table(container):
        tables.refill(container, items)
    elif isinstance(container, dict):
        container.clear()
        for key, value in zip(items[::2], items[1::2], strict=True):
            (OrderedDict if type(container) is OrderedDict else dict).__setitem__(container, key, value)
    elif isinstance(container, (set, deque)):
        container.clear()
        container.update(items) if isinstance(container, set) else container.extend(items)
    else:
        new = dict(zip(items[::2], items[1::2], strict=True))
        for name in set(_attributes(container)) - set(new):
            object.__delattr__(container, name)
        for name, value in new.items():
            if not isinstance(name, str) or name.startswith("__"):
                raise ValueError(f"{name!r} is not an attribute")
            object.__setattr__(container, name, value)


def same(before: list[Any], after: list[Any]) -> bool:
    """Whether two lists hold the same objects."""
    return len(before) == len(after) and all(map(operator.is_, before, after))


def snapshot(container: Any) -> list[Any]:
    """What to compare a container with later. A table is not compared."""
    if tables.is_table(container):
        return []
    return [container.tobytes()] if is_array(container) else contents(container)


def changed(container: Any, before: list[Any]) -> bool:
    if tables.is_table(container):
        return True  # comparing one takes longer than sending it
    now = snapshot(container)
    return now != before if isinstance(container, bytearray) or is_array(container) else not same(before, now)


def is_builtin(kind: Any) -> bool:
    """Whether it is a type or a function of Python itself."""
    return vars(builtins).get(kind.__name__) is kind


def is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is getattr(numpy, "ndarray", None) and _is_plain(value.dtype.str)


def _array_parts(array: Any) -> list[Any]:
    flat = array.ravel()
    return [array.dtype.str, list(array.shape), (flat.view("i8") if array.dtype.kind in "mM" else flat).tolist()]


def flattened(value: Any) -> Any:
    """The builtin value of an instance of a subclass. No method that the subclass overrides is called."""
    for base, bare in FLATTENED.items():
        if issubclass(type(value), base):
            return bare(value)
    raise TypeError(f"{type(value).__name__} is no kind of data")


def _attributes(instance: Any) -> list[str]:
    names = list(getattr(instance, "__dict__", ()))
    for kind in type(instance).__mro__:
        slots = vars(kind).get("__slots__", ())
        names += [name for name in ([slots] if isinstance(slots, str) else slots) if hasattr(instance, name)]
    return [name for name in names if not name.startswith("__")]


def _is_plain(array_type: str) -> bool:
    return ARRAY_TYPE.fullmatch(array_type) is not None


def _array(array_type: Any, shape: Any, items: Any) -> Any:
    import numpy

    if not _is_plain(array_type):
        raise ValueError(f"{array_type!r} is not a type of array that is handed over")
    if array_type[1] in "mM":
        return numpy.array(items, dtype="i8").view(array_type).reshape(shape)
    if array_type != "|O":
        return numpy.array(items, dtype=array_type).reshape(shape)
    made = numpy.empty(len(items), dtype=object)
    for place, item in enumerate(items):  # numpy would unfold an assigned list
        made[place] = item
    return made.reshape(shape)
