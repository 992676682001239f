"""A child tries what could not be undone in this process."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def succeeds(work: Callable[[], object]) -> bool:
    """Whether a child does the work without an exception or a crash."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0
