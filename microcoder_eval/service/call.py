"""What a handler takes and returns, and the record that gives a path its handler. Of HTTP it knows only the path.

A file of calls has a list of them:

    async def ping(service: Service, request: CallRequest) -> Any:
        return "pong"

    CALLS = [Call("GET", "/v1/ping", ping)]

What a handler returns is sent as JSON; an asynchronous iterator is sent as a line of JSON for each value.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from microcoder_eval.errors import InputError, refuse
from microcoder_eval.problem import Problem
from microcoder_eval.record_schema import FieldType, count_values, field_fault, shown
from microcoder_eval.service.desk import Caller, Desk
from microcoder_eval.service.limits import RequestLimits
from microcoder_eval.service.problem_store import ProblemStore
from microcoder_eval.service.refusal import Kind, Refusal


@dataclass(frozen=True)
class Service:
    """What all handlers share."""

    desk: Desk
    problems: ProblemStore
    limits: RequestLimits
    policy: str
    """The comparison policy of its grader."""

    def checked(self, problem: Problem) -> Problem:
        """The problem; raises a `Refusal` when it exceeds the limits of this service. Then its key names nothing."""
        try:
            self._check(problem)
        except Refusal:
            self.problems.forget(problem)
            raise
        return problem

    def _check(self, problem: Problem) -> None:
        limits = self.limits
        tests = problem.units if problem.kind == "asserts" else len(problem.tests)
        if tests > limits.tests:
            raise over_limit(f"{tests} tests: this service takes at most {limits.tests} (--tests)")
        values = count_values([[test.input, test.output] for test in problem.tests]) if problem.kind == "call" else 0
        if values > limits.values:
            raise over_limit(f"{values} values in the tests: this service takes at most {limits.values} (--values)")
        self.check_limits(
            max((test.time_limit_s or 0 for test in problem.tests), default=0), 1, "the time limit of a test"
        )
        self.check_limits(problem.time_limit_s, problem.memory_limit_mb, "the problem")
        self.check_limits(1, max((test.memory_limit_mb or 1 for test in problem.tests), default=1), "a test")

    def check_limits(self, time_limit_s: float, memory_limit_mb: float, what: str) -> None:
        """Raise a `Refusal` for limits beyond those of this service. what: what has them, for the message."""
        if time_limit_s > self.limits.time_limit_s:
            most_s = self.limits.time_limit_s
            raise over_limit(f"{what}: a time limit of at most {most_s:g} s, not {time_limit_s:g} (--time-limit-s)")
        if memory_limit_mb > self.limits.memory_limit_mb:
            most_mb = self.limits.memory_limit_mb
            raise over_limit(
                f"{what}: a memory limit of at most {most_mb} MB, not {memory_limit_mb:g} (--memory-limit-mb)"
            )


class Large(Exception):
    """Raised by the handler of a small request that unpacks to a large one. It is then handled as a large one."""


@dataclass(frozen=True)
class CallRequest:
    """One request."""

    body: dict[str, Any]
    path: Mapping[str, str]
    """The variable parts of the path."""
    query: Mapping[str, str]
    caller: Caller
    hold: Callable[[int], None] | None = None
    """Of a large request: called with the number of bytes that it is about to keep in memory besides its body."""

    def field(self, name: str, kind: FieldType, default: Any = None) -> Any:
        """A field of the body, checked; null counts as absent."""
        return field_of(self.body, name, kind, default)

    def within(self, seconds: float) -> Caller:
        """The caller, with a deadline at most this many seconds from now."""
        deadline = min(self.caller.deadline, time.monotonic() + seconds)
        return Caller(deadline, self.caller.gone)


def over_limit(message: str) -> Refusal:
    """A refusal of what a service with other limits would take."""
    return Refusal(Kind.OVER_LIMIT, message)


def field_of(record: Mapping[str, Any], name: str, kind: FieldType, default: Any = None) -> Any:
    """A field of a record, checked; null counts as absent, and without a default it must be there."""
    refuse(field_fault(record, {name: kind}))
    value = record.get(name)
    if value is None and default is None:
        raise InputError(f"{shown(name)[1:-1]}: is missing")
    return default if value is None else value


Handler = Callable[[Service, CallRequest], Awaitable[Any]]
RefusalForm = Callable[[Refusal], tuple[int, Any]]


def plain_refusal(refusal: Refusal) -> tuple[int, Any]:
    """The status and body of a refusal in this project's own form."""
    return refusal.status, refusal.to_dict()


class Call(NamedTuple):
    """A path, its handler, and the form of its refusals."""

    method: str
    path: str
    handler: Handler
    refusal: RefusalForm = plain_refusal
    open: bool = False
    """Whether it needs no token."""
