"""Classes of the tests that derive from a class of the program: `class Dog(Animal): ...` in a test program.

The class itself is in the program's process, where its methods call the tests (`program_side.py`). In the tests'
process it is a `RemoteClass` whose methods are the tests' own functions; everything else is asked of the program.
"""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any

from microcoder_eval.sandbox.asserts.data_codec import Untransferable
from microcoder_eval.sandbox.asserts.proxies import RemoteClass, facts_of, is_derived, is_remote
from microcoder_eval.sandbox.asserts.remote_facts import Asker, RemoteFacts
from microcoder_eval.sandbox.asserts.trust import Standing

KEPT_HERE = {"__module__", "__qualname__", "__classcell__", "__classdictcell__", "__dict__", "__weakref__", "__slots__",
             "__annotations__", "__annotate_func__", "__annotations_cache__", "__conditional_annotations__",
             "__firstlineno__", "__static_attributes__"}  # fmt: skip
MEMBERS = (FunctionType, staticmethod, classmethod, property)


def derive(peer: Asker, name: str, bases: tuple[type, ...], body: dict[str, Any], named: dict[str, Any]) -> RemoteClass:
    """Make the class in both processes. Raises `Untransferable` where that cannot give what Python gives."""
    first = next(place for place, base in enumerate(bases) if type(base) is RemoteClass)
    own, remote = bases[:first], bases[first:]
    if any(type(base) is not type for base in own) or any(type(base) is not RemoteClass for base in remote):
        raise Untransferable(f"the tests derive {name} from classes of several kinds")
    written: dict[str, Any] = {}
    for base in reversed(own):
        for kind in reversed(base.__mro__[:-1]):
            written.update(vars(kind))
    written.update(body)
    parts = [[key, *_part(value)] for key, value in written.items() if key not in KEPT_HERE]
    number = facts_of(peer.ask("derive", name, list(remote), parts, named)).number
    facts = RemoteFacts(peer, number, standing=Standing(constructs=True, named=True), trusted=True, derived=True)
    kept = {key: value for key, value in body.items() if key in KEPT_HERE or type(value) in MEMBERS}
    made = type.__new__(RemoteClass, name, bases, {**kept, "__slots__": (), "_RemoteClass__facts": facts})
    peer.add_derived(made, [part for _, *given in parts for part in given if type(part) is FunctionType])
    return made


def _part(member: Any) -> list[Any]:
    """A member of a class as the program's process makes it: what wraps it, and the functions or the value."""
    kind = type(member)
    if kind is property:
        return ["property", member.fget, member.fset, member.fdel]
    if kind in (staticmethod, classmethod):
        return [kind.__name__, member.__func__]
    return ["", member]


def own_super(*given: Any) -> Any:
    """`super` in test programs: also for a class that derives from the program's, where the program has the methods."""
    if not given:
        frame = sys._getframe(1)
        given = frame.f_locals["__class__"], frame.f_locals[frame.f_code.co_varnames[0]]
    kind, this = given
    return _Super(kind, this) if is_derived(this) else super(kind, this)


class _Super:
    def __init__(self, kind: type, this: Any) -> None:
        object.__setattr__(self, "_place", (kind, this))

    def __getattribute__(self, name: str) -> Any:
        kind, this = object.__getattribute__(self, "_place")
        of = type(this) if is_remote(this) else this
        for base in of.__mro__[of.__mro__.index(kind) + 1 :]:
            if type(base) is RemoteClass and not is_derived(base):
                break
            if name in vars(base) and base is not object:
                return vars(base)[name].__get__(this, of)
        peer = facts_of(of).peer
        owner = kind if type(kind) is RemoteClass else of
        return peer.proxy(peer.ask("super", owner, this, name), Standing(answers=True))
