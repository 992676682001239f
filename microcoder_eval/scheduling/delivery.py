"""Resolves a future in every case: with a result, or with the exception raised while computing it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

logger = logging.getLogger(__name__)
Result = TypeVar("Result")


def deliver(future: Future[Result], make: Callable[[], Result]) -> None:
    """Resolve a future with what `make` returns or raises. An exception in one of its callbacks is logged."""
    try:
        try:
            result = make()
        except BaseException as error:  # the future raises it for its caller
            future.set_exception(error)
        else:
            future.set_result(result)
    except BaseException:  # a callback of the user's must not end the thread that serves all others
        logger.exception("a callback of a grade's future raised")
