"""Proxies for a program's objects that extend a builtin type: the tests' process gets instances of a subclass of it.

The value was copied when it arrived. Methods and operators are the builtin type's own, run in the tests' process. Only
what the builtin type does not have (a named tuple's fields, an enum's name) is read from the program.
"""

from __future__ import annotations

from typing import Any

from microcoder_eval.sandbox.asserts.data_codec import flattened
from microcoder_eval.sandbox.asserts.proxies import RemoteClass, attribute, facts_of
from microcoder_eval.sandbox.asserts.remote_facts import RemoteFacts

CHANGEABLE = (list, dict, set, bytearray)
EXTENSIBLE = (int, float, complex, str, bytes, tuple, frozenset, *CHANGEABLE)


class DataOfProgram:
    """The attributes and methods that such a proxy has besides those of the builtin type."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        facts_of(self).peer.ask("setattr", self, name, value)

    def __copy__(self) -> Any:
        return flattened(self)

    def __deepcopy__(self, _: Any) -> Any:
        return flattened(self)

    def __reduce_ex__(self, _: Any) -> Any:
        value = flattened(self)
        return type(value), (value,)


def make_data_class(kind: RemoteClass, base: type) -> RemoteClass:
    """The tests' class for instances of `kind`, a program's class that extends `base`."""
    added = type("DataOfProgram", (DataOfProgram,), {"__slots__": (), "stands_for": kind})
    body = {"_RemoteClass__facts": facts_of(kind)}
    return type.__new__(RemoteClass, kind.__name__, (added, base), body)


def make_data(kind: RemoteClass, base: type, value: Any, facts: RemoteFacts) -> Any:
    new: Any = base.__new__
    made = new(kind) if base in CHANGEABLE else new(kind, value)
    if base in CHANGEABLE:
        made.__init__(value)
    object.__setattr__(made, "_Remote__facts", facts)
    return made
