"""The limits of a service. Most are options of `microcoder eval serve`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RequestLimits:
    """Bounds on what clients send, so that a hostile request gets an error and does no harm."""

    queue: int = 1024
    """Gradings that may wait; the next one is refused with 503."""
    body_mb: float = 64
    """The largest body."""
    held_mb: float = 1024
    """The size of all open requests together; a request beyond it is refused with 503."""
    body_s: float = 30
    """How long a client may take to send a body."""
    tests: int = 10_000
    """The most tests of one problem."""
    values: int = 1_000_000
    """The most values in the arguments and results of one problem's tests."""
    batch: int = 10_000
    """The most gradings of one `/v1/grade_batch`."""
    request_s: float = 600
    """How long a grading may wait and run, whatever its caller allows."""
    time_limit_s: float = 60
    """The longest time limit of a test."""
    memory_limit_mb: int = 4096
    """The largest memory limit of a test."""
