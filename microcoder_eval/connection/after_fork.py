"""Objects that hold threads and sockets start again in a forked child, where both are the parent's."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Renewable(Protocol):
    def renew(self) -> None: ...


_objects: weakref.WeakSet[Renewable] = weakref.WeakSet()


def renew_after_fork(thing: Renewable) -> None:
    """Call the object's `renew` in every child that is forked from now on."""
    _objects.add(thing)


def _renew_all() -> None:
    for thing in list(_objects):
        thing.renew()


os.register_at_fork(after_in_child=_renew_all)
