"""Resolving a future whatever happens: with a result, or with what was raised while that was made."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

logger = logging.getLogger(__name__)
Result = TypeVar("Result")


def deliver(future: Future[Result], make: Callable[[], Result]) -> None:
    """Resolve a future with what `make` returns or raises. What its callbacks raise is logged and goes no further."""
    try:
        try:
            result = make()
        except BaseException as error:  # of any kind: the future raises it
            future.set_exception(error)
        else:
            future.set_result(result)
    except BaseException:  # a callback of the user's must not end the thread that serves all others
        logger.exception("a callback of a grade's future raised")
