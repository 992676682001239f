"""Proxies for a program's objects and classes in the process of its tests.

A `Remote` forwards attribute reads, calls and operators to the program, within the rules of `trust.py`: only an object
that the tests constructed may receive data of the tests and answer with data. An object that extends a builtin type is
handled as that builtin value (`data_proxies.py`), unless its class is one that the tests construct.

Longer than most files: it defines the methods of Python's data model one after the other.
"""

from __future__ import annotations

import contextlib
import operator
import types
from collections.abc import Callable, Collection, Iterator
from typing import Any

from microcoder_eval.sandbox.asserts.evaluated import are_harmless
from microcoder_eval.sandbox.asserts.introspection import PICKLED, REBUILDING, rebuilt, unpickled
from microcoder_eval.sandbox.asserts.remote_facts import RemoteFacts
from microcoder_eval.sandbox.asserts.trust import (
    PLAIN,
    QUERY_METHODS,
    REMOVING_METHODS,
    VALUE_METHODS,
    Standing,
    UntrustedNone,
    standing_of_method,
)

ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul",
              "and_", "or_", "xor", "lshift", "rshift")  # fmt: skip
KNOWN_TYPES = {"generator": types.GeneratorType, "async_generator": types.AsyncGeneratorType,
               "function": types.FunctionType}  # fmt: skip
"""What tests ask for by type. A program's object may claim to be one: as any object, it answers nothing for it."""
READABLE = {"__name__", "__qualname__", "__doc__", "__dict__", "__annotations__", "__members__", "__wrapped__",
            "__match_args__", "__origin__", "__code__", "__defaults__", "__kwdefaults__"}  # fmt: skip
"""Special attributes that are read from the program. Others are hooks, such as numpy's, that would receive values of
the tests."""
OF_CLASSES = {"__getitem__", "__iter__", "__len__", "__contains__"}


class RemoteClass(type):
    """A class of the program."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, Any], defined_here: bool = False, **named: Any
    ) -> RemoteClass:
        remote = [] if defined_here else [base for base in bases if isinstance(base, RemoteClass)]
        for base in remote:
            if not is_trusted(base):  # a right program returns data here, and no class
                facts_of(base).peer.refuse(base, "a class to derive from")
        if remote:
            made: RemoteClass = facts_of(remote[0]).peer.derive(name, bases, body, named)
            return made
        return super().__new__(cls, name, bases, body)

    def __init__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, Any], defined_here: bool = False, **named: Any
    ) -> None:
        super().__init__(name, bases, body)

    @property
    def __doc__(cls) -> Any:  # type: ignore[override]
        return attribute(cls, "__doc__") if number_of(cls) is not None else None

    def __call__(cls, /, *arguments: Any, **named: Any) -> Any:
        return result_of_call(cls, arguments, named)

    def __getattribute__(cls, name: str) -> Any:
        if name in OF_CLASSES and not any(name in vars(base) for base in cls.__mro__):
            raise AttributeError(f"{cls.__name__} has no {name}")  # this class has it for enumerations
        return super().__getattribute__(name)

    def __getattr__(cls, name: str) -> Any:
        return attribute(cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        _ask(cls, "setattr", name, value)

    def __delattr__(cls, name: str) -> None:
        _ask(cls, "delattr", name)

    def __getitem__(cls, key: Any) -> Any:
        return _ask(cls, "getitem", key)

    def __iter__(cls) -> Iterator[Any]:
        return facts_of(cls).peer.items(cls)

    def __dir__(cls) -> Any:
        return facts_of(cls).peer.recall("dir", cls)

    def __len__(cls) -> int:
        return facts_of(cls).peer.recall("len", cls)

    def __contains__(cls, item: Any) -> bool:
        return any(item == member for member in cls)

    def __instancecheck__(cls, instance: Any) -> bool:
        return is_remote(instance) and any(kind is cls for kind in class_of(instance).__mro__)

    def __eq__(cls, other: object) -> bool:
        return same(cls, other)

    def __hash__(cls) -> int:
        return hash(number_of(cls))

    def __repr__(cls) -> str:
        return f"<class {cls.__name__}>"


class Remote(metaclass=RemoteClass):
    """An object of the program. Its `OPTIONAL` methods are moved to the classes that have them in the program."""

    __slots__ = ("__facts",)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return facts_of(self).base or KNOWN_TYPES.get(type(self).__name__, type(self))

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        return attribute(self, "__doc__")

    def __getattr__(self, name: str) -> Any:
        return attribute(self, name)

    def __mro_entries__(self, _: Any) -> tuple[Any, ...]:
        """What a class of the tests derives from that names `Base[int]` as its base."""
        return (attribute(self, "__origin__"),)

    def __setattr__(self, name: str, value: Any) -> None:
        _ask(self, "setattr", name, value)

    def __delattr__(self, name: str) -> None:
        _ask(self, "delattr", name)

    def __call__(self, /, *arguments: Any, **named: Any) -> Any:
        return result_of_call(self, arguments, named)

    def __hash__(self) -> int:
        return _read(self, "hash") if is_trusted(self) else hash(facts_of(self).number)

    def __dir__(self) -> Any:
        return _read(self, "dir")

    def __repr__(self) -> str:
        return _text(_read(self, "repr"))

    def __str__(self) -> str:
        return _text(_read(self, "str"))

    def __format__(self, form: str) -> str:
        if form and not facts_of(self).standing.constructed:
            facts_of(self).peer.refuse(self, "its format in a form of the tests")
        return _text(_read(self, "format", form))

    def __getitem__(self, key: Any) -> Any:
        return _read(self, "getitem", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _ask(self, "setitem", key, value)

    def __delitem__(self, key: Any) -> None:
        _ask(self, "delitem", key)
        if not is_trusted(self):
            facts_of(self).peer.note_removal(self)

    def __iter__(self) -> Iterator[Any]:
        facts = facts_of(self)
        _refuse_if_shown(self, "its items")
        return iter(facts.value) if facts.value is not None else facts.peer.items(self)

    def __next__(self) -> Any:
        facts = facts_of(self)
        _refuse_if_shown(self, "its next item")
        return facts.peer.next_item(self)

    def __contains__(self, item: Any) -> bool:
        facts = facts_of(self)
        if facts.base is not None:
            return item in _value(self)
        return bool(_ask(self, "contains", item)) if facts.standing.constructed else facts.peer.has_member(self, item)

    def __copy__(self) -> Any:
        facts = facts_of(self)
        return facts.peer.proxy(_ask(self, "copy"), facts.standing)

    def __deepcopy__(self, _: Any) -> Any:
        facts = facts_of(self)
        return facts.peer.proxy(_ask(self, "deepcopy"), facts.standing)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickled here, it is a copy that the program has pickled and read again."""
        facts = facts_of(self)
        PICKLED.append(facts.peer.proxy(_ask(self, "pickled"), facts.standing))
        return unpickled, (len(PICKLED) - 1,)

    def __enter__(self) -> Any:
        return itself_or(self, _ask(self, "enter"))

    def __exit__(self, kind: Any, error: Any, _: Any) -> bool:
        return _leave_block(self, "exit", error)

    async def __aenter__(self) -> Any:
        return itself_or(self, _ask(self, "aenter"))

    async def __aexit__(self, kind: Any, error: Any, _: Any) -> bool:
        return _leave_block(self, "aexit", error)

    def __aiter__(self) -> Any:
        _refuse_if_shown(self, "its items")
        return itself_or(self, _ask(self, "aiter"))

    async def __anext__(self) -> Any:
        _refuse_if_shown(self, "its next item")
        return _ask(self, "anext")

    def __round__(self, digits: int | None = None) -> Any:
        return _read(self, "round", digits)


def is_remote(value: object) -> bool:
    return type(type(value)) is RemoteClass


def is_handle(value: object) -> bool:
    """Whether a value is an object or a class of the program, and no data."""
    return type(value) is RemoteClass or (is_remote(value) and issubclass(type(value), Remote))


def facts_of(thing: Any) -> RemoteFacts:
    """The facts of a `Remote`, of a value that extends a builtin type, or of a `RemoteClass`."""
    if isinstance(type(thing), RemoteClass):
        return object.__getattribute__(thing, "_Remote__facts")
    return type.__getattribute__(thing, "_RemoteClass__facts")


def number_of(thing: Any) -> int | None:
    """The number of a program's object or class; None for anything else."""
    if is_remote(thing):
        return facts_of(thing).number
    facts = vars(thing).get("_RemoteClass__facts") if type(thing) is RemoteClass else None
    return None if facts is None else facts.number


def class_of(remote: Any) -> Any:
    """The proxy for the class of a program's object."""
    return type(remote) if issubclass(type(remote), Remote) else type(remote).__bases__[0].__dict__["stands_for"]


def is_trusted(thing: Any) -> bool:
    """Whether a proxy stands for a class that the tests construct, or for an instance of one."""
    kind = thing if type(thing) is RemoteClass else type(thing)
    known = (vars(base).get("_RemoteClass__facts") for base in kind.__mro__)
    return any(facts is not None and facts.trusted for facts in known)


def is_derived(thing: Any) -> bool:
    """Whether it is a class that the tests derived from the program's, or an instance of one."""
    kind = thing if type(thing) is RemoteClass else type(thing)
    known = vars(kind).get("_RemoteClass__facts")
    return known is not None and known.derived


def may_answer(thing: Any) -> bool:
    """Whether the tests named or constructed a proxy's object, or its class, themselves."""
    standing = facts_of(thing).standing
    return standing.answers or standing.named or standing.constructs or standing.constructed or is_trusted(thing)


def same(left: Any, right: Any) -> bool:
    """What `left is right` means in the tests: two proxies may stand for one object."""
    if type(left) is UntrustedNone:
        return right is None or left is right
    return left is right or (number_of(left) is not None and number_of(left) == number_of(right))


def itself_or(thing: Any, result: Any) -> Any:
    """`thing` if the program returned that same object, otherwise `result`."""
    return thing if same(thing, result) else result


def make_remote(kind: RemoteClass, facts: RemoteFacts) -> Any:
    made: Any = object.__new__(kind)  # type: ignore[arg-type]
    object.__setattr__(made, "_Remote__facts", facts)
    return made


def make_class(name: str, bases: tuple[type, ...], facts: RemoteFacts, special: Collection[str]) -> RemoteClass:
    """A class of the program whose instances have these of the `OPTIONAL` methods."""
    body = {"__slots__": (), "__doc__": vars(Remote)["__doc__"], "_RemoteClass__facts": facts}
    body |= {method: OPTIONAL[method] for method in special if method in OPTIONAL}
    body |= {} if "__hash__" in special else {"__hash__": None}
    return type.__new__(RemoteClass, name, bases, body)


def result_of_call(thing: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The result of a call, if the tests may use it."""
    facts = facts_of(thing)
    standing = facts.standing
    result = _ask(thing, "call", *arguments, **named)
    if standing.constructs:
        return facts.peer.proxy(result, Standing(constructed=True))
    if standing.answers or standing.constructed or (is_trusted(thing) and standing == PLAIN):
        return result
    shows_data = _hold_test_data((*arguments, *named.values()))
    asks_data = standing.method in QUERY_METHODS
    if shows_data and standing.method in REMOVING_METHODS:
        facts.peer.note_removal(thing)
    if not is_handle(result):
        if result is None and not asks_data:
            return UntrustedNone(lambda: facts.peer.refuse(thing, "an answer")) if shows_data else None
        if shows_data or standing.shown > 1 or standing.method in VALUE_METHODS:
            facts.peer.refuse(thing, f"what {standing.method or 'a call of it'} gives")
        if asks_data and facts.peer.was_asked_to_remove(thing):
            facts.peer.refuse(thing, f"what {standing.method} gives")
        return result
    facts.peer.note_part(result, thing)
    shown = max(standing.shown, (2 if asks_data else 1) if shows_data else 0)
    return facts.peer.proxy(result, Standing(shown=shown)) if shown else result


def attribute(thing: Any, name: str) -> Any:
    """An attribute, if the tests may read it."""
    facts = facts_of(thing)
    if name in REBUILDING and facts.standing.shown <= 1:
        description = facts.peer.recall("described", thing, name)
        return facts.peer.reading(lambda: rebuilt(name, description))
    if name == "__annotate__":  # Python 3.14's `functools.singledispatch` looks whether there is one
        return lambda _: attribute(thing, "__annotations__")
    if name.startswith("__") and name.endswith("__") and name not in READABLE:
        raise AttributeError(f"{name} of an object of the program")
    if facts.standing.shown > 1:
        facts.peer.refuse(thing, f"its {name}")
    owns = facts.standing.constructed or type(thing) is RemoteClass
    result = facts.peer.own_attribute(thing, name) if owns else facts.peer.recall("getattr", thing, name)
    if name == "__annotations__" and not are_harmless(result, facts.peer.names):
        facts.peer.refuse(thing, "its annotations")
    if not is_handle(result):
        return result
    if type(thing) is RemoteClass:
        kind = "class"
    else:
        kind = type(thing).__name__
        facts.peer.note_part(result, thing)
    standing = standing_of_method(facts.standing, is_trusted(thing), kind, name, facts.peer.tested_methods)
    return facts.peer.proxy(result, standing)


def _hold_test_data(given: tuple[Any, ...]) -> bool:
    """Whether arguments hold data of the tests. An object that the tests constructed may hold such data."""
    return any(not is_handle(item) or facts_of(item).standing.constructed for item in given)


def _ask(thing: Any, operation: str, /, *arguments: Any, **named: Any) -> Any:
    return facts_of(thing).peer.ask(operation, thing, *arguments, **named)


def _read(thing: Any, operation: str, *arguments: Any) -> Any:
    """The result of a conversion or an item access; the same each time."""
    facts = facts_of(thing)
    _refuse_if_shown(thing, f"its {operation}")
    if facts.standing.constructed:
        return facts.peer.ask(operation, thing, *arguments)
    result = facts.peer.recall(operation, thing, *arguments)
    if is_handle(result):
        facts.peer.note_part(result, thing)
    return result


def _refuse_if_shown(thing: Any, what: str) -> None:
    facts = facts_of(thing)
    if facts.standing.shown or (not facts.standing.constructed and facts.peer.was_asked_to_remove(thing)):
        facts.peer.refuse(thing, what)


def _leave_block(manager: Any, operation: str, error: Any) -> bool:
    """Leave a block of a program's context manager; returns whether it suppresses `error`, which left the block."""
    if error is None:
        _ask(manager, operation)
        return False
    if facts_of(manager).peer.may_suppress(error):
        suppresses = _ask(manager, operation, error)
        return not is_remote(suppresses) and bool(suppresses)
    with contextlib.suppress(Exception):  # an error of the program must not replace the failure of the tests
        _ask(manager, operation, RuntimeError("the tests failed"))
    return False


def _text(answer: Any) -> str:
    return answer if type(answer) is str else str(answer)


def _value(remote: Any) -> Any:
    """The builtin value of an object whose class extends a builtin type."""
    facts = facts_of(remote)
    return facts.value if facts.value is not None else _ask(remote, "plain")


def _conversion(operation: str) -> Any:
    return lambda self: _read(self, operation)


def _equality(operation: str) -> Any:
    compare = getattr(operator, operation)

    def method(self: Any, other: Any) -> Any:
        facts = facts_of(self)
        if is_handle(other):
            if is_trusted(self) and is_trusted(other):
                return _ask(self, operation, other)
            return same(self, other) is (operation == "eq")
        if facts.base is not None:
            return compare(_value(self), other)
        if facts.standing.constructed:
            return _ask(self, operation, other)
        return operation == "ne" if type(other).__module__ == "builtins" else NotImplemented

    return method


def _order(operation: str) -> Any:
    compare: Callable[[Any, Any], Any] = getattr(operator, operation)

    def method(self: Any, other: Any) -> Any:
        facts = facts_of(self)
        if is_handle(other):
            pair = facts.standing, facts_of(other).standing
            may_answer = is_trusted(self) and is_trusted(other)
            if not may_answer and not any(one.constructed or one.shown for one in pair):
                return facts.peer.is_ordered(operation, self, other)
        elif facts.base is not None:
            return compare(_value(self), other)
        else:
            may_answer = facts.standing.constructed
        if not may_answer:
            facts.peer.refuse(self, f"{operation} with a value of the tests")
        return _ask(self, operation, other)

    return method


def _arithmetic(operation: str, swapped: bool) -> Any:
    def method(self: Any, other: Any) -> Any:
        facts = facts_of(self)
        result = facts.peer.ask(operation, *((other, self) if swapped else (self, other)))
        if facts.standing.constructed and same(self, result):
            return self
        pair = (facts.standing, facts_of(other).standing) if is_handle(other) else (facts.standing,)
        both_trusted = is_trusted(self) and (is_trusted(other) if is_handle(other) else facts.standing.constructed)
        if both_trusted or (is_handle(other) and not any(one.constructed or one.shown for one in pair)):
            return result
        if not is_handle(result):
            facts.peer.refuse(self, f"what {operation} gives")
        return facts.peer.proxy(result, Standing(shown=1 if is_trusted(self) and is_trusted(result) else 2))

    return method


def _define(name: str, method: Any) -> None:
    type.__setattr__(Remote, f"__{name.rstrip('_')}__", method)


for _name in ("eq", "ne"):
    _define(_name, _equality(_name))
for _name in ("lt", "le", "gt", "ge"):
    _define(_name, _order(_name))
for _name in ARITHMETIC:
    _define(_name, _arithmetic(_name, swapped=False))
    _define("r" + _name, _arithmetic(_name, swapped=True))
    if _name != "divmod":
        _define("i" + _name, _arithmetic("i" + _name.rstrip("_"), swapped=False))
for _name in ("abs", "bool", "bytes", "ceil", "complex", "float", "floor", "index", "int", "invert", "len", "neg",
              "pos", "reversed", "trunc"):  # fmt: skip
    _define(_name, _conversion(_name))

ALWAYS = {"repr", "str", "format", "dir", "bool", "eq", "ne", "lt", "le", "gt", "ge", "copy", "deepcopy", "reduce_ex",
          "init_subclass", "mro_entries", "getattr", "setattr", "delattr", "class", "doc", "slots", "module",
          "qualname"}  # fmt: skip
"""Methods that every object has, or that are no operators."""
OPTIONAL = {
    name: method for name, method in list(vars(Remote).items()) if callable(method) and name.strip("_") not in ALWAYS
}
"""Methods by which Python and tests tell what an object can do: `callable(x)`, `hasattr(x, "__len__")`."""
for _name in OPTIONAL.keys() - {"__hash__"}:
    type.__delattr__(Remote, _name)


class AnyRemote(Remote, defined_here=True):
    """An object of which it is not known what it can do."""

    __slots__ = ()


for _name, _method in OPTIONAL.items():
    type.__setattr__(AnyRemote, _name, _method)
