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
SUSPENDED = ("generator", "coroutine", "async_generator")
WRAPPER = type(object.__init__)
"""The type of `__del__` in classes that are not written in Python."""
BUILT_IN = type(len)
"""The type of functions that are not written in Python."""
_get_objects = gc.get_objects


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
    objects = _get_objects()
    kinds = set(map(type, objects))
    if any(kind.__name__ in SUSPENDED for kind in kinds):
        return False
    for kind in kinds:
        if any(type(vars(base).get("__del__")) not in (type(None), WRAPPER) for base in kind.__mro__):
            return False
    return not any(type(one) is _weakref.ReferenceType and _calls_back(one) for one in objects)


def _calls_back(reference: _weakref.ReferenceType[object]) -> bool:
    """Whether a weak reference has a callback that may change the program's state.

    An abstract class keeps its subclasses as weak references, and many modules make some when they are imported. Their
    callback is a function of the interpreter that only takes the reference out of the class's set.
    """
    callback = reference.__callback__
    of_abstract_class = type(callback) is BUILT_IN and type(callback.__self__) is _weakref.ReferenceType
    return callback is not None and not of_abstract_class
