"""A problem as requests hold it: whole, or by its key where it is long. A long one is sent to a service once."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

from microcoder_eval.connection.http_exchange import Abandoned, Answer, Exchange
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
        self._lock = threading.Lock()
        self._under_way: dict[str, Future[Answer]] = {}
        self._sent_at: dict[str, float] = {}

    def send(
        self, exchange: Exchange, address: str, asked_at: float, timeout_s: float, is_wanted: Callable[[], bool]
    ) -> Answer | None:
        """Send the problem to a service that did not know its key when it was asked.

        While another thread sends it there, wait for that thread's answer or error. None: one has done so since.
        """
        while True:
            with self._lock:
                if self._sent_at.get(address, 0.0) > asked_at:
                    return None
                others = self._under_way.get(address)
                if others is None:
                    own = self._under_way[address] = Future[Answer]()
            if others is None:
                return self._post(exchange, address, own, timeout_s, is_wanted)
            try:
                return others.result()
            except Abandoned:
                continue  # the other thread's caller has cancelled

    def _post(
        self,
        exchange: Exchange,
        address: str,
        own: Future[Answer],
        timeout_s: float,
        is_wanted: Callable[[], bool],
    ) -> Answer:
        try:
            answer = exchange.post("/v1/problems", f"{{{self.whole}}}".encode("ascii"), timeout_s, is_wanted)
        except BaseException as error:
            with self._lock:
                del self._under_way[address]
            own.set_exception(error)
            raise
        with self._lock:
            del self._under_way[address]
            if answer.status == 200:
                self._sent_at[address] = time.monotonic()
        own.set_result(answer)
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
