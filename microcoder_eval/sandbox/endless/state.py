"""Describes the values of variables so exactly that equal descriptions mean equal behaviour of code that reads them.

Only values of a closed world are described: exact builtin types, functions of the program, its plain objects, and a
list of builtin functions whose results depend on nothing but their arguments. Any other value raises `NotClosed`.
"""

from __future__ import annotations

import _bisect
import _collections
import _heapq
import builtins
import math
import sys
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_VALUES = 50_000
PURE_NAMES = """
    abs all any bin bool bytes callable chr complex dict divmod enumerate filter float format frozenset hex int
    isinstance iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple zip
""".split()  # noqa: SIM905
MODULES = ("math", "heapq", "bisect", "_heapq", "_bisect")
PURE = {
    id(function): function
    for function in (
        *(getattr(builtins, name) for name in PURE_NAMES),
        *(value for module in (math, _heapq, _bisect) for value in vars(module).values()),
        _collections.deque,
    )
    if type(function) in (BuiltinFunctionType, type)
}
"""Kept by identity. `math` and the others have no function that calls back, reads a clock, or keeps anything."""
PLAIN_IDS = frozenset(map(id, (int, bool, str, bytes, type(None))))
CONTAINER_IDS = frozenset(map(id, (list, tuple, dict, set, frozenset, _collections.deque, _collections.defaultdict)))
FACTORIES = (None, int, float, str, list, dict, set, tuple, bool)
UNSET = object()
CLASS_PARTS = (GetSetDescriptorType, MemberDescriptorType)


class NotClosed(Exception):
    """A value that cannot be described."""


class Description:
    """What `describe` has found. `parts` are compared; `held` keeps the objects whose identity is part of them."""

    __slots__ = ("codes", "held", "kinds", "parts")

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.held: list[Any] = []
        self.kinds: set[str] = set()
        self.codes: list[Any] = []
        """The code objects of the program's functions that can be reached."""


def describe(values: list[Any], names: dict[str, Any], attributes: set[str]) -> Description:
    """Describe values together, so that it shows which of them share a mutable object.

    `names`: the program's namespace. `attributes`: the names that the executed code reads from objects.
    """
    return _Describing(names, attributes).run(values)


class _Describing:
    def __init__(self, names: dict[str, Any], attributes: set[str]) -> None:
        self._names = names
        self._attributes = attributes
        self._description = Description()
        self._numbers: dict[int, int] = {}
        self._waiting: list[Any] = []
        self._count = 0

    def run(self, values: list[Any]) -> Description:
        self._refer(values)
        at = 0
        while at < len(self._waiting):
            self._open(self._waiting[at])
            at += 1
        self._description.held.append(self._waiting)
        return self._description

    def _refer(self, values: Any) -> None:
        """Append a reference to each value: itself if it is plain, otherwise the number of its object."""
        self._count += len(values)
        if self._count > MOST_VALUES:
            raise NotClosed
        parts, numbers = self._description.parts, self._numbers
        types = list(map(type, values))
        parts.append(len(types))
        if set(map(id, types)) <= PLAIN_IDS:  # a class of the program may say that it equals int
            parts.append(types[0] if types and types.count(types[0]) == len(types) else types)
            parts.append(tuple(values))
            return
        for kind, value in zip(types, values, strict=True):
            if id(kind) in PLAIN_IDS:
                parts.append(kind)
                parts.append(value)
            elif kind is float:
                if value != value:
                    raise NotClosed  # found in a container by its identity
                if value - value != 0:
                    self._description.kinds.add("infinite")
                parts.append(float)
                parts.append(value.hex())
            elif value is UNSET:
                parts.append("unset")
            else:
                if id(value) not in numbers:
                    self._waiting.append(value)
                parts.append(kind if id(kind) in CONTAINER_IDS else "object")
                parts.append(self._number(value))

    def _number(self, value: Any) -> int:
        return self._numbers.setdefault(id(value), len(self._numbers))

    def _open(self, value: Any) -> None:
        kind, parts, kinds = type(value), self._description.parts, self._description.kinds
        if id(kind) in CONTAINER_IDS and len(value) > MOST_VALUES:
            raise NotClosed  # known before it is copied
        if kind is list or kind is tuple:
            self._refer(value)
        elif kind is dict or kind is _collections.defaultdict:
            kinds.add("dict")
            if kind is not dict:
                factory = value.default_factory
                if not any(factory is known for known in FACTORIES):
                    raise NotClosed
                parts.append(repr(factory))
            keys = list(dict.keys(value))
            _check_keys(keys)
            self._refer(keys)
            self._refer(list(dict.values(value)))
        elif kind is set or kind is frozenset:
            kinds.add("set")
            self._same(value)  # the order of two equal sets may differ later
            parts.append(kind.__sizeof__(value))
            _check_keys(list(value))
            self._refer(list(value))
        elif kind is _collections.deque:
            parts.append(value.maxlen)
            self._refer(list(value))
        elif kind is FunctionType:
            self._function(value)
        elif id(value) in PURE and PURE[id(value)] is value:
            self._same(value)
        elif kind is range or kind is complex or kind is slice:
            text = repr(value)
            if "nan" in text or kind is slice:
                raise NotClosed
            parts.append(text)
        elif kind is MethodType:
            self._refer([value.__func__, value.__self__])
        elif kind is ModuleType:
            self._module(value)
        else:
            self._instance(value)

    def _same(self, value: Any) -> None:
        self._description.parts.append(id(value))
        self._description.held.append(value)

    def _function(self, function: FunctionType) -> None:
        if function.__dict__:
            raise NotClosed
        self._same(function)
        if function.__globals__ is not self._names:
            return  # not the program's: nobody may call it
        self._same(function.__code__)
        self._description.codes.append(function.__code__)
        cells = [UNSET if cell is None else cell for cell in function.__closure__ or ()]
        self._refer([function.__defaults__, function.__kwdefaults__, *map(_content, cells)])

    def _module(self, module: ModuleType) -> None:
        found = vars(module)
        if not any(sys.modules.get(name) is module for name in MODULES) or "__getattr__" in found:
            raise NotClosed
        self._same(module)
        read = sorted(self._attributes & found.keys())
        self._description.parts.append(read)
        self._refer([found[name] for name in read])

    def _instance(self, value: Any) -> None:
        kind = type(value)
        if type(kind) is not type or not kind.__flags__ & HEAP_TYPE:
            raise NotClosed
        self._same(value)
        slots = []
        for base in type.__dict__["__mro__"].__get__(kind):
            if base is object:
                continue
            if type(base) is not type or not base.__flags__ & HEAP_TYPE:
                raise NotClosed
            self._same(base)
            own: dict[Any, Any] = {}
            for name, part in type.__dict__["__dict__"].__get__(base).items():
                if type(part) in CLASS_PARTS:
                    if type(part) is MemberDescriptorType:
                        slots.append(part)
                elif type(part) is staticmethod:
                    own[name] = part.__func__
                elif type(part) is property:
                    own[name] = (part.fget, part.fset, part.fdel)
                elif name != "__annotations__" and name != "__annotate__":
                    own[name] = part
            if "__dict__" in own or "__class__" in own or "__del__" in own:
                raise NotClosed
            self._description.parts.append(tuple(own))
            self._refer(list(own.values()))
        self._refer([_slot(part, value) for part in slots])
        try:
            attributes = object.__getattribute__(value, "__dict__")
        except AttributeError:
            attributes = {}
        if type(attributes) is not dict:
            raise NotClosed
        self._description.parts.append(self._number(attributes))  # another variable may refer to it
        self._description.held.append(attributes)
        self._refer(list(attributes))
        self._refer(list(attributes.values()))


HEAP_TYPE = 1 << 9
"""The flag of a class that was made by a `class` statement (Py_TPFLAGS_HEAPTYPE)."""


def _check_keys(keys: list[Any]) -> None:
    """Raise `NotClosed` if one may have another hash now than when it was put in: objects of the program may."""
    waiting = keys
    while waiting:
        if any(type(key) is not tuple and type(key) is not float and id(type(key)) not in PLAIN_IDS for key in waiting):
            raise NotClosed
        waiting = [part for key in waiting if type(key) is tuple for part in key]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return UNSET


def _slot(part: Any, value: Any) -> Any:
    try:
        return part.__get__(value)
    except AttributeError:
        return UNSET
