"""The process of one large request: it reads the body, runs the call's handler, and writes the answer as JSON.

What it costs to parse a body, to check its values and to write an answer grows with what a client sends, and no thread
could do it without keeping the event loop waiting. The handlers are those of small requests. The desk is in the
service's process: a grading is asked for there, by messages (`large_requests`). Memory and CPU time are limited.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import pickle
import resource
import socket
import struct
from collections.abc import AsyncIterator
from math import inf
from typing import Any, cast

from microcoder_eval.arguments import long_integers
from microcoder_eval.errors import InputError
from microcoder_eval.languages.toolchain import ToolchainState
from microcoder_eval.outputs import Output
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.program_run import ProgramRun, plain_run
from microcoder_eval.service.call import Call, CallRequest, Service
from microcoder_eval.service.desk import Caller, Desk, refuse_long_reply
from microcoder_eval.service.limits import RequestLimits
from microcoder_eval.service.problem_store import ProblemStore
from microcoder_eval.service.read_body import NESTED, parse_object
from microcoder_eval.service.refusal import Kind, Refusal
from microcoder_eval.service.write_json import LONG_TEXT, json_bytes
from microcoder_eval.verdict import Grade

logger = logging.getLogger(__name__)

READER_CPU_S = 30
"""The CPU time of a reader."""
MEMORY_OF_BODIES, MEMORY_BESIDES = 16, 256 << 20
"""A reader's memory: so many bodies of the largest size, and so many bytes besides."""
LENGTH = struct.Struct("=Q")


async def read_message(source: asyncio.StreamReader) -> Any:
    """The next message of the other side: a length, then a pickle. Both sides are trusted."""
    (length,) = LENGTH.unpack(await source.readexactly(LENGTH.size))
    body = await source.readexactly(length)
    return await asyncio.to_thread(pickle.loads, body) if length > LONG_TEXT else pickle.loads(body)


def message_bytes(*message: Any) -> bytes:
    """A message as `read_message` reads it."""
    body = pickle.dumps(message, protocol=5)
    return LENGTH.pack(len(body)) + body


class Reading:
    """What the readers of a service share. It is made before the process that they are forked from."""

    def __init__(self, calls: list[Call], problems: ProblemStore, limits: RequestLimits, policy: str) -> None:
        self._calls = {call.path: call for call in calls if call.method == "POST"}  # what has a body
        self._problems = _NamedProblems(problems)
        self._limits = limits
        self._policy = policy

    def __call__(self, connection: socket.socket) -> None:
        """The work of one reader."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (READER_CPU_S, READER_CPU_S + 1))
        with open("/proc/self/statm") as sizes:
            used = int(sizes.read().split()[0]) * resource.getpagesize()
        most = used + int(MEMORY_OF_BODIES * self._limits.body_mb * 2**20) + MEMORY_BESIDES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        with long_integers():
            asyncio.run(self._answer(connection))

    async def _answer(self, connection: socket.socket) -> None:
        source, sink = await asyncio.open_unix_connection(sock=connection)
        desk = _FarDesk(sink, self._problems)
        desk.send("begun")
        path, variables, query, deadline, size = await read_message(source)
        content = await source.readexactly(size)
        listening = asyncio.ensure_future(desk.listen(source))
        service = Service(cast(Desk, desk), self._problems, self._limits, self._policy)
        try:
            body = parse_object(content)
            del content
            gone = asyncio.get_running_loop().create_future()  # never done: this process ends with its client
            request = CallRequest(body, variables, query, Caller(deadline, gone), desk.hold)
            found = await self._calls[path].handler(service, request)
            if isinstance(found, AsyncIterator):
                desk.send("stream")
                async for line in found:
                    desk.send("line", json_bytes(line) + b"\n")
                    await sink.drain()
                desk.send("end")
            else:
                desk.send("answer", json_bytes(found))
        except Refusal as refusal:
            desk.send("refused", refusal.kind, refusal.message, refusal.retry_after_s)
        except InputError as error:
            desk.send("refused", Kind.BAD_REQUEST, str(error), None)
        except RecursionError:
            desk.send("refused", Kind.BAD_REQUEST, NESTED, None)
        except MemoryError:
            desk.send(
                "refused", Kind.TOO_LARGE, "the values of the body take more memory than this service allows", None
            )
        except Exception as error:  # every request gets an answer
            logger.exception("%s failed", path)
            desk.send("refused", Kind.INTERNAL_ERROR, f"the service failed: {type(error).__name__}", None)
        await sink.drain()
        listening.cancel()
        sink.close()


class _NamedProblem(Problem):
    """A loaded problem, of which this process knows only the id."""


class _KeyedProblem(Problem):
    """A problem that was sent before, of which this process knows only the key: it stands in the place of the id."""


class _NamedProblems(ProblemStore):
    """The store of a reader. It reads no file: several processes would share the position in it."""

    def __init__(self, store: ProblemStore) -> None:
        self.__dict__ |= store.__dict__

    def loaded(self, name: Any) -> Problem:
        self.check_loaded(name)
        return _NamedProblem(name)

    def with_key(self, key: str) -> Problem:
        return _KeyedProblem(key)


class _FarDesk:
    """Gives the calls of `Desk` that handlers use; the service's desk does the work."""

    def __init__(self, sink: asyncio.StreamWriter, problems: ProblemStore) -> None:
        self._sink = sink
        self._problems = problems
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._asked = 0
        self._sent: dict[int, Problem] = {}
        self.metrics = self

    def send(self, *message: Any) -> None:
        self._sink.write(message_bytes(*message))

    def refused(self, kind: str) -> None:
        self.send("count", kind)

    def hold(self, size: int) -> None:
        self.send("hold", size)

    async def grade(
        self,
        problem: Problem,
        submission: Submission,
        caller: Caller,
        all_tests: bool | None = None,
        fresh: bool = False,
    ) -> Grade:
        refuse_long_reply(submission)
        options = {"all_tests": all_tests, "fresh": fresh}
        return cast(Grade, await self._ask("grade", caller, self._name(problem), submission, options))

    async def run(self, caller: Caller, code: str, language: str, stdin: str | bytes, **options: Any) -> ProgramRun:
        plain_run(stdin, options.get("files") or {}, options["kept_bytes"])  # raises for what no run takes
        return cast(ProgramRun, await self._ask("run", caller, code, language, stdin, options))

    async def outputs(self, problem: Problem, submission: Submission, caller: Caller) -> list[Output]:
        return cast("list[Output]", await self._ask("outputs", caller, self._name(problem), submission))

    async def keep(self, problem: Problem) -> None:
        await self._ask("keep", Caller(inf, asyncio.Future()), self._name(problem))

    async def toolchains(self) -> list[ToolchainState]:
        return cast("list[ToolchainState]", await self._ask("toolchains", Caller(inf, asyncio.Future())))

    async def listen(self, source: asyncio.StreamReader) -> None:
        """Read the service's answers. When the service closes the connection, this process ends."""
        try:
            while True:
                number, result, refusal = await read_message(source)
                answer = self._waiting.get(number)
                if answer is None or answer.done():
                    continue
                if refusal is None:
                    answer.set_result(result)
                else:
                    answer.set_exception(Refusal(*refusal))
        except (asyncio.IncompleteReadError, ConnectionError):
            os._exit(0)

    async def _ask(self, what: str, caller: Caller, *arguments: Any) -> Any:
        number = self._asked = self._asked + 1
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.send("ask", number, what, caller.deadline, arguments)
        try:
            return await answer
        except asyncio.CancelledError:
            self.send("cancel", number)
            raise
        finally:
            del self._waiting[number]

    def _name(self, problem: Problem) -> tuple[str, str | int]:
        """The id of a loaded problem, the key of one that was sent before, or a number under which it is sent now."""
        if isinstance(problem, _NamedProblem):
            return "id", problem.id
        if isinstance(problem, _KeyedProblem):
            return "key", problem.id
        if id(problem) not in self._sent:
            self._sent[id(problem)] = problem
            packed = pickle.dumps(problem, protocol=5)
            digest = self._problems.digest(problem) or hashlib.sha256(packed).digest()
            self.send("problem", id(problem), digest, packed)
        return "sent", id(problem)
