"""Resets objects that hold threads and sockets in a forked child: it has none of the threads, and must not use the
parent's sockets."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Renewable(Protocol):
    def renew(self) -> None:
        """Become as new: without threads, connections and work."""


_objects: weakref.WeakSet[Renewable] = weakref.WeakSet()


def renew_after_fork(renewable: Renewable) -> None:
    """Call the object's `renew` in every child that is forked from now on."""
    _objects.add(renewable)


def _renew_all() -> None:
    for renewable in list(_objects):
        renewable.renew()


os.register_at_fork(after_in_child=_renew_all)
