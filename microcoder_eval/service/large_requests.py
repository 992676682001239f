"""Large requests, each read and answered by a process of its own (`reader`). Their gradings are done here, at the desk.

    found = await large.answer(service, call, request, pieces, caller)      # JSON, or an iterator of lines of JSON

The event loop only passes bytes on. A reader that needs too much memory or time is ended by its limits, and costs its
own client an error.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from starlette.requests import Request

from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem
from microcoder_eval.scheduling.known_problem import held_bytes
from microcoder_eval.service.call import Call, Service
from microcoder_eval.service.desk import Caller
from microcoder_eval.service.fork_origin import ForkOrigin
from microcoder_eval.service.reader import message_bytes, read_message
from microcoder_eval.service.refusal import HungUp, Kind, Refusal

logger = logging.getLogger(__name__)

LARGE_BYTES = 32 << 10
"""A body with more bytes is large. Reading a smaller one takes some milliseconds, whatever is in it."""
READING = 2
"""How many readers parse a body at the same time."""
OPEN = 64
"""How many large requests are read or graded at the same time; the next ones wait."""
LINES_AHEAD = 16
ANSWER_S = 5.0
"""How long after a request's deadline its reader may answer it."""


class LargeRequests:
    """Gives large requests to readers."""

    def __init__(self, origin: ForkOrigin) -> None:
        self._origin = origin
        self._reading = asyncio.Semaphore(READING)
        self._open = asyncio.Semaphore(OPEN)

    async def answer(
        self,
        service: Service,
        call: Call,
        request: Request,
        pieces: list[bytes],
        caller: Caller,
        hold: Callable[[int], None],
    ) -> bytes | AsyncIterator[bytes]:
        """The answer as JSON, or its lines. `pieces`, the body, is emptied. Raises `Refusal` or `HungUp`.

        hold: called with the number of bytes that the request keeps besides its body; raises a `Refusal` if too many.
        """
        session = _Session(service, caller, hold)
        try:
            await session.take(self._open)
            reading = await session.take(self._reading)
            await session.begin(self._origin)
            head = (call.path, request.path_params, dict(request.query_params), caller.deadline, sum(map(len, pieces)))
            await session.send_body(head, pieces)
            await session.wait_late(session.has_read.wait(), "while the body was read")
            reading.release()
            what, *rest = await session.wait_late(session.answers.get(), "while the request was answered")
        except BaseException:
            await session.close()
            raise
        if what == "stream":
            return session.lines()
        await session.close()
        if what == "refused":
            raise Refusal(*rest)
        body: bytes = rest[0]
        return body


class _Place:
    """A place of a semaphore, given back once."""

    def __init__(self, semaphore: asyncio.Semaphore) -> None:
        self._semaphore: asyncio.Semaphore | None = semaphore

    def release(self) -> None:
        if self._semaphore is not None:
            self._semaphore.release()
            self._semaphore = None


class _Session:
    """One reader and its request."""

    def __init__(self, service: Service, caller: Caller, hold: Callable[[int], None]) -> None:
        self._service = service
        self._caller = caller
        self._late = Caller(caller.deadline + ANSWER_S, caller.gone)
        self._hold = hold
        self._places: list[_Place] = []
        self._sink: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._work: dict[int, asyncio.Task[None]] = {}
        self._problems: dict[int, asyncio.Task[Problem]] = {}
        self.has_read = asyncio.Event()
        """Set when the body has been parsed."""
        self.answers: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue(LINES_AHEAD)

    async def take(self, semaphore: asyncio.Semaphore) -> _Place:
        await self._caller.wait_for(asyncio.ensure_future(semaphore.acquire()), Kind.QUEUE_TIMEOUT, "while it waited")
        place = _Place(semaphore)
        self._places.append(place)
        return place

    async def wait_late(self, coroutine: Any, when: str) -> Any:
        """The coroutine's result; raises `HungUp`, or a `Refusal` when the reader has not kept the deadline."""
        return await self._late.wait_for(asyncio.ensure_future(coroutine), Kind.QUEUE_TIMEOUT, when)

    async def begin(self, origin: ForkOrigin) -> None:
        try:
            connection = origin.fork()
        except OSError as error:
            self._service.desk.fault = f"no process can be started to read large requests: {error}"
            raise Refusal(Kind.INTERNAL_ERROR, self._service.desk.fault) from None
        source, self._sink = await asyncio.open_unix_connection(sock=connection)
        self._listening = asyncio.ensure_future(self._listen(source))

    async def send_body(self, head: tuple[Any, ...], pieces: list[bytes]) -> None:
        assert self._sink is not None
        with suppress(ConnectionError):  # the reader has ended; `_listen` says so
            self._sink.write(message_bytes(*head))
            while pieces:
                self._sink.write(pieces.pop(0))
                await self._sink.drain()

    async def lines(self) -> AsyncIterator[bytes]:
        """The lines of a streamed answer."""
        try:
            while True:
                what, *rest = await self.wait_late(self.answers.get(), "while the request was answered")
                if what != "line":
                    return
                yield rest[0]
        finally:
            await self.close()

    async def close(self) -> None:
        """End the reader, and withdraw what it has asked for."""
        tasks = [*self._work.values(), *self._problems.values()]
        if self._listening is not None:
            tasks.append(self._listening)
        for task in tasks:
            task.cancel()
        if self._sink is not None:
            self._sink.transport.abort()
        for place in self._places:
            place.release()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self, source: asyncio.StreamReader) -> None:
        begun = False
        try:
            while True:
                what, *rest = await read_message(source)
                if what == "begun":
                    begun = True
                    continue
                self.has_read.set()
                if what == "ask":
                    number = rest[0]
                    self._work[number] = asyncio.ensure_future(self._do(*rest))
                elif what == "cancel":
                    if rest[0] in self._work:
                        self._work[rest[0]].cancel()
                elif what == "problem":
                    self._problems[rest[0]] = asyncio.ensure_future(self._problem(*rest[1:]))
                elif what == "hold":
                    try:
                        self._hold(rest[0])
                    except Refusal as error:
                        await self.answers.put(("refused", error.kind, error.message, error.retry_after_s))
                elif what == "count":
                    self._service.desk.metrics.refused(rest[0])
                else:
                    await self.answers.put((what, *rest))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.has_read.set()
            if begun:
                why = "reading the body took more memory or time than this service allows"
                await self.answers.put(("refused", Kind.TOO_LARGE, why, None))
            else:
                why = "no process could be started to read the body"
                await self.answers.put(("refused", Kind.INTERNAL_ERROR, why, None))

    async def _do(self, number: int, what: str, deadline: float, arguments: tuple[Any, ...]) -> None:
        """Work that the reader has asked for."""
        result, refusal = None, None
        try:
            result = await self._result(what, Caller(deadline, self._caller.gone, large=True), arguments)
        except HungUp:
            return
        except Refusal as error:
            refusal = error.kind, error.message, error.retry_after_s
        except InputError as error:
            refusal = Kind.BAD_REQUEST, str(error), None
        except Exception as error:
            logger.exception("%s of a large request failed", what)
            refusal = Kind.INTERNAL_ERROR, f"the service failed: {type(error).__name__}", None
        finally:
            del self._work[number]
        assert self._sink is not None
        self._sink.write(message_bytes(number, result, refusal))

    async def _result(self, what: str, caller: Caller, arguments: tuple[Any, ...]) -> Any:
        desk = self._service.desk
        if what == "toolchains":
            return await desk.toolchains()
        if what == "run":
            code, language, stdin, options = arguments
            return await desk.run(caller, code, language, stdin, **options)
        (kind, name), *rest = arguments
        if kind == "id":
            problem = self._service.problems.loaded(name)
        elif kind == "key":
            problem = self._service.problems.with_key(name)
        else:
            problem = await asyncio.shield(self._problems[name])
        if what == "keep":
            return await desk.keep(problem)
        submission, *options = rest
        submission = replace(submission, problem_id=problem.id)  # the reader does not know the id of a key
        if what == "outputs":
            return await desk.outputs(problem, submission, caller)
        return await desk.grade(problem, submission, caller, **options[0])

    async def _problem(self, digest: bytes, packed: bytes) -> Problem:
        """A problem that the reader has sent, or an equal one that is kept."""
        problems = self._service.problems
        if (known := problems.known(digest)) is not None:
            return known
        problem, size = await asyncio.to_thread(_unpacked, packed)
        problems.keep(digest, problem, size)
        return problem


def _unpacked(packed: bytes) -> tuple[Problem, int]:
    """A problem, and about how many bytes it takes."""
    problem = pickle.loads(packed)
    assert isinstance(problem, Problem)
    return problem, held_bytes(problem, len(packed))
