"""What could change a program besides its own instructions, or could be disturbed when these are followed."""

from __future__ import annotations

import _signal
import _thread
import _weakref
import gc
import sys

from microcoder_eval.boundary.box_protocol import ASK, FORGET

FREE_FRAMES = 300
"""How many frames must be left until the recursion limit."""
WRAPPER = type(object.__init__)
"""The type of `__del__` in classes that are not written in Python."""
BUILT_IN, NoneType = type(len), type(None)
"""The type of functions that are not written in Python, and that of None."""
REFERENCE = _weakref.ReferenceType
SUSPENDED = ("generator", "coroutine", "async_generator")
HIDDEN = (*SUSPENDED, _weakref.ProxyType.__name__, _weakref.CallableProxyType.__name__)
MADE_AT_RUN_TIME, UNCHANGEABLE = 1 << 9, 1 << 8
"""Flags of classes. Those that a program makes have the first and not the second."""
_get_objects = gc.get_objects
_name_of, _flags_of, _bases_of, _names_of = (
    vars(type)[name].__get__ for name in ("__name__", "__flags__", "__mro__", "__dict__")
)


def may_follow() -> bool:
    """Whether a trace function disturbs nobody and sees everything."""
    if sys.gettrace() is not None or sys.getprofile() is not None or _thread._count():
        return False
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is not None and any(monitoring.get_tool(number) for number in range(6)):
        return False
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None and depth < FREE_FRAMES:
        depth, frame = depth + 1, frame.f_back
    return depth < FREE_FRAMES and depth + FREE_FRAMES < sys.getrecursionlimit()


def nothing_interferes() -> bool:
    """Whether nothing that runs between two instructions can change the program's state: signal handlers, timers, the
    garbage collector's callbacks, destructors, callbacks of weak references, generators that it closes."""
    if _thread._count() or not gc.isenabled() or gc.callbacks:
        return False
    for number in range(1, _signal.NSIG):
        handler = _signal.getsignal(number)
        if callable(handler) and number not in (ASK, FORGET) and handler is not _signal.default_int_handler:
            return False
    if any(_signal.getitimer(which)[0] for which in (_signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF)):
        return False
    if sys.unraisablehook is not sys.__unraisablehook__:  # it is called for what a callback or a destructor raises
        return False
    objects = _get_objects()
    kinds = {id(kind): kind for kind in map(type, objects)}  # by identity: a metaclass may have its own hash
    if any(_cleans_up(kind) for kind in kinds.values()):
        return False
    return not any(type(one) is REFERENCE and _calls_back(one) for one in objects)


def _cleans_up(kind: type) -> bool:
    """Whether the end of an object of this class may execute a part of the program.

    Suspended generators do, and destructors, also those of a class that extends files: its end calls `close`. Proxies
    and classes that extend weak references do not show their callbacks.
    """
    flags, bases = _flags_of(kind), _bases_of(kind)
    may_be_own = flags & MADE_AT_RUN_TIME and not flags & UNCHANGEABLE
    if _name_of(kind) in HIDDEN or (may_be_own and any(base is REFERENCE for base in bases)):
        return True
    destructors = [type(_names_of(base).get("__del__")) for base in bases]
    return any(one is not NoneType and (may_be_own or one is not WRAPPER) for one in destructors)


def _calls_back(reference: _weakref.ReferenceType[object]) -> bool:
    """Whether a weak reference has a callback that may change the program's state.

    An abstract class keeps its subclasses as weak references, and many modules make some when they are imported. Their
    callback `_destroy` is a function of the interpreter that only takes the reference out of the class's set.
    """
    callback = reference.__callback__
    of_abstract_class = (
        type(callback) is BUILT_IN and callback.__name__ == "_destroy" and type(callback.__self__) is REFERENCE
    )
    return callback is not None and not of_abstract_class
