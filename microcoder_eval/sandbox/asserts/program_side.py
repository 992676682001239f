"""The program's side of a test: runs the program, then performs the operations that the tests request on its objects.

The program can change everything in this process, so the tests' side treats its answers as data and trusts nothing
else. Expected values never come here: the program sees only the arguments of calls.
"""

from __future__ import annotations

import builtins
import copy
import math
import operator
import os
import sys
from _thread import stack_size
from collections import namedtuple
from collections.abc import Callable, Iterator
from itertools import count
from types import CodeType, new_class
from typing import Any

from microcoder_eval.boundary.box_protocol import EXIT_CHANNEL_BROKEN
from microcoder_eval.sandbox import calling
from microcoder_eval.sandbox.asserts.channel import Broken, Channel
from microcoder_eval.sandbox.asserts.data_codec import (
    CONTAINERS,
    FLATTENED,
    NESTING,
    VIEWS,
    Exchange,
    contents,
    flattened,
    refill,
)
from microcoder_eval.sandbox.asserts.emitted import Kept
from microcoder_eval.sandbox.asserts.introspection import described
from microcoder_eval.sandbox.asserts.mocks import stand_in
from microcoder_eval.sandbox.asserts.peer import Peer, RemoteReference, make_error
from microcoder_eval.sandbox.asserts.proxies import OPTIONAL
from microcoder_eval.sandbox.asserts.settings import change
from microcoder_eval.sandbox.asserts.shared_state import Held
from microcoder_eval.sandbox.harness import STDOUT, line_of

PRINTED_AT_MOST = 1 << 20
THREAD_STACK_BYTES = 16 << 20
"""The main thread's stack may grow to a gibibyte; with that much for each thread, few threads would fit."""


def serve(code: CodeType, main: dict[str, Any], session: int, entry_point: str) -> int:
    """Run a program as a module and answer its tests until they close the channel; returns the exit status."""
    channel = Channel(session, trusting=True)
    channel.drain()
    stack_size(THREAD_STACK_BYTES)
    given = calling.execute(code, main, entry_point)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000))
    program = ProgramSide(channel, main, given)
    try:
        channel.send(["ready", program.names()])
        while True:
            program.answer(channel.receive())
    except Broken:
        return EXIT_CHANNEL_BROKEN


class ProgramSide(Peer):
    """The side that holds the program's objects."""

    def __init__(self, channel: Channel, main: dict[str, Any], given: Any = None) -> None:
        """`given`: what `calling.execute` returned."""
        super().__init__(channel)
        self._main = main
        self._given = given
        self._made: dict[int, Any] = {}
        self._origin: dict[int, int] = {}
        self._callbacks: dict[int, Callable[..., Any]] = {}
        self._classes: dict[int | str, type] = {}
        self._containers: dict[tuple[int, str], tuple[int, Any]] = {}
        """By object and attribute: a container that the tests have read, and its number."""
        self._new_numbers = count()
        self._held = Held()
        self._replaced: dict[str, Any] = {}
        self._printed = os.fstat(STDOUT).st_size
        self._loop: Any = None
        self._emitted: Kept | None = None
        self._depth = sys.getrecursionlimit()

    def names(self) -> dict[str, str]:
        """The program's global names, each with the module that it was imported from ("" for the program's own)."""
        return {name: _imported_from(name, value) for name, value in self._main.items() if isinstance(name, str)}

    def perform(self, operation: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        sys.setrecursionlimit(self._depth)
        try:
            if operation == "global":
                return self._main[arguments[0]]
            if operation == "entry point":
                return calling.resolve(self._main, arguments[0], self._given)
            if operation == "attribute":
                return self._attribute(*arguments)
            if operation == "renew":
                return self._renew(*arguments)
            if operation == "replace":
                return self._replace(*arguments)
            if operation == "states":
                return self._held.changes()
            if operation == "keep emitted":
                self._emitted = Kept(arguments[0])
                return None
            if operation == "take emitted":
                return self._emitted.taken() if self._emitted is not None else []
            if operation == "await":
                return self._finish(arguments[0])
            if operation in AWAITED:
                return self._finish(AWAITED[operation](*arguments))
            return OPERATIONS[operation](*arguments, **named)
        finally:
            self._depth = sys.getrecursionlimit()
            sys.setrecursionlimit(max(self._depth, NESTING))

    def _attribute(self, thing: Any, name: str) -> tuple[Any, int | None]:
        """An attribute, and the number of the container that it is; the same container has the same number."""
        value = getattr(thing, name)
        if type(value) not in CONTAINERS:
            return value, None
        place = self.keep(thing), name
        known = self._containers.get(place)
        if known is None or known[1] is not value:
            known = self._containers[place] = next(self._new_numbers), value
        return value, known[0]

    def _renew(self, number: int, items: list[Any]) -> None:
        """Give a container the contents that the tests gave to their copy."""
        for known, container in self._containers.values():
            if known == number:
                refill(container, items)

    def _replace(self, name: str, *value: Any) -> None:
        """Give a global name another value, or without one the value that it had at first."""
        first = self._replaced.setdefault(name, self._main[name])
        self._main[name] = value[0] if value else first

    def _finish(self, coroutine: Any) -> Any:
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(coroutine)

    def printed(self) -> str:
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
        start, self._printed = self._printed, os.fstat(STDOUT).st_size
        return os.pread(STDOUT, min(self._printed - start, PRINTED_AT_MOST), start).decode("utf-8", "replace")

    def line_of_error(self, error: BaseException) -> int:
        return line_of(error)

    def encode_object(self, value: Any, exchange: Exchange) -> Any:
        kind = type(value)
        if kind is RemoteReference:
            return {"own": value.number}
        origin = self._origin.get(id(value))
        if origin is not None:
            return self._encode_copy(value, origin, exchange) if origin in self._made else {"own": origin}
        if isinstance(value, type):
            return self.encode_class(value)
        if kind.__module__ == "numpy" and hasattr(kind, "tolist"):
            return self.encode(value.tolist(), exchange)
        if kind in VIEWS:
            return {"V": [kind.__name__, self.encode_all(list(value), exchange)]}
        base = next((base for base in FLATTENED if issubclass(kind, base)), None)
        number, encoded_kind = self.keep(value), self.encode_class(kind)
        bare = None if base is None else self.encode(flattened(value), exchange)
        return {"h": [number, encoded_kind, base.__name__ if base else None, bare]}

    def encode_class(self, kind: type) -> Any:
        origin = self._origin.get(id(kind))
        return super().encode_class(kind) if origin is None else {"own": origin}

    def special_methods(self, kind: type) -> list[str]:
        found: dict[str, Any] = {}
        for base in reversed(kind.__mro__):
            found.update(vars(base))
        names = {name for name in OPTIONAL if found.get(name) is not None}
        if "__getitem__" in names:
            names.add("__iter__")  # Python iterates by it
        return sorted(names | ({"__contains__"} if "__iter__" in names else set()))

    def decode_object(self, tag: str, body: Any, exchange: Exchange) -> Any:
        if tag == "own":
            return self.kept(body)
        if tag == "k":
            return self._class(*body)
        if tag == "p":
            name, fields, values = body
            kind = self._main.get(name) or self._classes.setdefault(name, namedtuple(name, fields))
            return kind(*self.decode_all(values, exchange))
        if tag == "u":
            number, name, methods, properties, attributes = body
            if number not in self._made:
                self._remember(number, object.__new__(self._class_of_copies(name, methods, properties)))
            exchange.add(self._made[number])
            refill(self._made[number], self.decode_all(attributes, exchange))
            return self._made[number]
        if tag == "e":
            kind, arguments = body
            return make_error(self.decode(kind, exchange), self.decode_all(arguments, exchange))
        if tag == "g":
            return self._callbacks.get(body[0]) or self._callback(*body)
        if tag == "bf":
            return self._stand_for(body[0], getattr(builtins, body[1]))
        if tag == "mo":
            return self._callbacks[body[0]] if body[0] in self._callbacks else self._mock(*body)
        if tag == "it":
            return self._iterate(body)
        if tag == "co":
            return self._stand_for(body, self._await(body))
        if tag == "ss":
            return self._stand_for(body[0], self._held.take(*self.decode_all(body, exchange)))
        if tag == "st":
            number, name, is_true = body
            return self._stand_for(number, type(name, (), {"__bool__": lambda _: is_true})())
        return super().decode_object(tag, body, exchange)

    def _encode_copy(self, value: Any, origin: int, exchange: Exchange) -> Any:
        place = exchange.number(value)
        if place is not None:
            return {"r": place}
        exchange.add(value)
        return {"v": [origin, self.encode_all(contents(value), exchange)]}

    def _remember(self, number: int, value: Any) -> None:
        self._made[number] = value
        self._origin[id(value)] = number

    def _class(self, number: int, name: str, _: str, bases: list[Any], __: list[str]) -> type:
        """A class of the tests: an exception that a callback has raised, or that the program should raise."""
        if number not in self._classes:
            self._classes[number] = type(name, tuple(self.decode(base, Exchange()) for base in bases), {})
            self._origin[id(self._classes[number])] = number
        return self._classes[number]

    def _class_of_copies(self, name: str, methods: list[str], properties: list[str]) -> type:
        """The program's class of that name, or a new one whose methods call the tests' methods."""
        own = self._main.get(name)
        if isinstance(own, type) and own.__new__ is object.__new__:
            return own
        if name not in self._classes:
            body: dict[str, Any] = {method: self._method(method) for method in methods}
            body.update({name: property(self._method(name)) for name in properties})
            self._classes[name] = type(name, (), body)
        return self._classes[name]

    def _method(self, name: str) -> Any:
        def method(this: Any, /, *arguments: Any, **named: Any) -> Any:
            return self.ask("method", this, name, *arguments, **named)

        return method

    def _callback(self, number: int, name: str | None, text: str | None) -> Callable[..., Any]:
        def callback(*arguments: Any, **named: Any) -> Any:
            return self.ask("call", RemoteReference(number), *arguments, **named)

        callback.__name__ = callback.__qualname__ = name or "callback"  # decorators copy these
        callback.__doc__ = text
        self._callbacks[number] = callback
        self._origin[id(callback)] = number
        return callback

    def _mock(self, number: int, special: list[str]) -> Any:
        def ask(operation: str, /, *given: Any, **named: Any) -> Any:
            return self.ask(operation, RemoteReference(number), *given, **named)

        self._callbacks[number] = stand_in(special, ask)
        return self._stand_for(number, self._callbacks[number])

    def _stand_for(self, number: int, value: Any) -> Any:
        """Note that a value stands for the tests' object with this number, so that it is sent back as that object."""
        self._origin[id(value)] = number
        self.keep(value)  # while it is kept, no other object gets its id
        return value

    async def _await(self, number: int) -> Any:
        return self.ask("await", RemoteReference(number))

    def _iterate(self, number: int) -> Iterator[Any]:
        while True:
            try:
                item = self.ask("next", RemoteReference(number))
            except StopIteration:
                return
            yield item


def _imported_from(name: str, value: Any) -> str:
    """The module that a global name was imported from; "" when that is not certain."""
    if type(value) is type(sys):
        return value.__name__ if value.__name__ != calling.MODULE else ""
    module = getattr(value, "__module__", None)
    if module == calling.MODULE:
        return ""
    if type(value) in (int, float) and getattr(sys.modules.get("math"), name, None) is value:
        return "math"
    return module if isinstance(module, str) and getattr(sys.modules.get(module), name, None) is value else ""


def _derived(name: str, bases: list[type], parts: list[list[Any]], named: dict[str, Any]) -> type:
    """A class of the tests that derives from classes of the program; its methods are callbacks."""
    members = {key: WRAPPED[kind](*given) for key, kind, *given in parts}
    return new_class(name, tuple(bases), named, exec_body=lambda body: body.update(members))


def _call(function: Any, /, *arguments: Any, **named: Any) -> Any:
    return function(*arguments, **named)


def _pickled(thing: Any) -> Any:
    import pickle

    return pickle.loads(pickle.dumps(thing))


WRAPPED: dict[str, Callable[..., Any]] = {
    "": lambda member: member,
    "staticmethod": staticmethod,
    "classmethod": classmethod,
    "property": property,
}
IN_PLACE = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul",
            "and_", "or_", "xor", "lshift", "rshift")  # fmt: skip
OPERATIONS: dict[str, Any] = {
    **{name: getattr(operator, name) for name in ("getitem", "setitem", "delitem", "contains", "index")},
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "invert")},
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")},
    **{name: getattr(operator, name) for name in ("and_", "or_", "xor", "lshift", "rshift")},
    **{f"i{name.rstrip('_')}": getattr(operator, f"i{name.rstrip('_')}") for name in IN_PLACE},
    **{function.__name__: function for function in (abs, bool, complex, divmod, float, format, hash, int, iter, len)},
    **{function.__name__: function for function in (next, repr, reversed, round, str, getattr, setattr, delattr, dir)},
    **{function.__name__: function for function in (bytes, math.floor, math.ceil, math.trunc)},
    "call": _call,
    "change setting": change,
    "hold": lambda _: None,
    "derive": _derived,
    "super": lambda kind, this, name: getattr(super(kind, this), name),
    "described": described,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickled": _pickled,
    "enter": lambda manager: type(manager).__enter__(manager),
    "exit": lambda manager, error=None: type(manager).__exit__(
        manager, error if error is None else type(error), error, None
    ),
    "plain": flattened,
    "aiter": lambda iterable: type(iterable).__aiter__(iterable),
}
AWAITED: dict[str, Any] = {
    "anext": lambda iterator: type(iterator).__anext__(iterator),
    "aenter": lambda manager: type(manager).__aenter__(manager),
    "aexit": lambda manager, error=None: type(manager).__aexit__(
        manager, error if error is None else type(error), error, None
    ),
}
"""Operations that make an awaitable, which then runs here to its end."""
