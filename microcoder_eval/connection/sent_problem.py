"""A problem as requests hold it: whole, or by its key where it is long. A long one is sent to a service once."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable

from microcoder_eval.connection.http_exchange import Answer, Exchange
from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem

LONG = 16 << 10
"""A problem with more characters of JSON is long."""


class SentProblem:
    """A problem, and which services have got it.

    >>> SentProblem(Problem.from_dict({"id": "p", "tests": [{"input": "", "output": "7"}]})).named[:22]
    '"problem":{"id": "p", '
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        text = _json_of(problem)
        self.whole = f'"problem":{text}'
        self.named = self.whole
        """The field of a request that says which problem is meant."""
        if len(text) > LONG:
            self.named = f'"problem_key":"{hashlib.sha256(text.encode()).hexdigest()}"'
        self._sending = threading.Lock()
        self._sent_at: dict[str, float] = {}

    def send(
        self, exchange: Exchange, address: str, asked_at: float, timeout_s: float, is_wanted: Callable[[], bool]
    ) -> Answer | None:
        """Send the problem to a service that did not know its key when it was asked.

        None: another thread has done so since.
        """
        with self._sending:
            if self._sent_at.get(address, 0.0) > asked_at:
                return None
            answer = exchange.post("/v1/problems", f"{{{self.whole}}}".encode("ascii"), timeout_s, is_wanted)
            if answer.status == 200:
                self._sent_at[address] = time.monotonic()
            return answer


def _json_of(problem: Problem) -> str:
    """A problem as JSON; raises `InputError` when a value of its tests would change on the way."""
    record = {**problem.to_dict(), "statement": ""}
    try:
        text = json.dumps(record)  # as the service computes the key
    except (TypeError, ValueError, RecursionError):
        text = ""
    if not text or (problem.kind == "call" and repr(json.loads(text)["tests"]) != repr(record["tests"])):
        raise InputError(
            f"problem {problem.id!r}: its tests hold values that JSON has no form for (a tuple, a set): use a `Grader`"
        )
    return text
