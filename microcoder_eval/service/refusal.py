"""Why a request got no answer: an HTTP status, a kind for programs, a sentence for people.

`bad_request`, `unauthorized`, `not_found`, `unknown_call`, `wrong_method` and `slow_request` are the client's mistakes.
After `unknown_problem` the client sends the problem that it has named by its key. `over_limit` and `too_large` are more
than this service allows; another service may allow it. `queue_full`, `queue_timeout` (the deadline passed before the
work began), `worker_timeout` (it passed while the work ran), `shutting_down` and `internal_error` are the service's:
they say nothing about the program, and are never a verdict and never a reward of 0.
"""

from __future__ import annotations

from enum import Enum


class Kind(str, Enum):
    """The reason as a word; STATUS gives its HTTP status."""

    BAD_REQUEST = "bad_request"
    UNAUTHORIZED = "unauthorized"
    OVER_LIMIT = "over_limit"
    NOT_FOUND = "not_found"
    UNKNOWN_CALL = "unknown_call"
    WRONG_METHOD = "wrong_method"
    UNKNOWN_PROBLEM = "unknown_problem"
    SLOW_REQUEST = "slow_request"
    TOO_LARGE = "too_large"
    QUEUE_FULL = "queue_full"
    SHUTTING_DOWN = "shutting_down"
    QUEUE_TIMEOUT = "queue_timeout"
    WORKER_TIMEOUT = "worker_timeout"
    INTERNAL_ERROR = "internal_error"


STATUS = {
    Kind.BAD_REQUEST: 400,
    Kind.OVER_LIMIT: 400,
    Kind.UNAUTHORIZED: 401,
    Kind.NOT_FOUND: 404,
    Kind.UNKNOWN_CALL: 404,
    Kind.WRONG_METHOD: 405,
    Kind.UNKNOWN_PROBLEM: 404,
    Kind.SLOW_REQUEST: 408,
    Kind.TOO_LARGE: 413,
    Kind.QUEUE_FULL: 503,
    Kind.SHUTTING_DOWN: 503,
    Kind.QUEUE_TIMEOUT: 504,
    Kind.WORKER_TIMEOUT: 504,
    Kind.INTERNAL_ERROR: 500,
}
TEMPORARY = {Kind.QUEUE_FULL, Kind.SHUTTING_DOWN, Kind.QUEUE_TIMEOUT, Kind.WORKER_TIMEOUT, Kind.INTERNAL_ERROR}
"""Kinds after which the same request may succeed later, or at another service."""


class Refusal(Exception):
    """A request that gets an error instead of an answer."""

    def __init__(self, kind: Kind, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after_s = retry_after_s

    @property
    def status(self) -> int:
        return STATUS[self.kind]

    def to_dict(self) -> dict[str, dict[str, str]]:
        return {"error": {"kind": self.kind.value, "message": self.message}}


class HungUp(Exception):
    """The client has hung up: no answer is needed."""
