"""The gradings of one request, a few at a time, so that a request neither fills the queue nor fails when it is full.

grades = await all_of(request, [lambda: grade(reply) for reply in replies])
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from microcoder_eval.service.call import CallRequest
from microcoder_eval.service.desk import Caller
from microcoder_eval.service.refusal import Kind, Refusal

Result = TypeVar("Result")
AT_ONCE = 64
PAUSE_S = 0.05


async def when_there_is_room(caller: Caller, attempt: Callable[[], Awaitable[Result]]) -> Result:
    """The result of an attempt, which is repeated while the queue is full, until the client hangs up or its deadline.

    Also used for a single grading where clients would take a refusal for a failed program.
    """
    while True:
        try:
            return await attempt()
        except Refusal as refusal:
            late = time.monotonic() > caller.deadline
            if refusal.kind is not Kind.QUEUE_FULL or caller.gone.done() or late:
                raise
        await asyncio.sleep(PAUSE_S)


async def all_of(request: CallRequest, attempts: Sequence[Callable[[], Awaitable[Result]]]) -> list[Result]:
    """The results of all attempts, in order. The first attempt that raises ends the others."""
    places = asyncio.Semaphore(AT_ONCE)

    async def limited(attempt: Callable[[], Awaitable[Result]]) -> Result:
        async with places:
            return await when_there_is_room(request.caller, attempt)

    tasks = [asyncio.ensure_future(limited(attempt)) for attempt in attempts]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
