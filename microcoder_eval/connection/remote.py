"""A grader whose work one or several services do. Daemon threads send each request until a service has answered it.

A service that dies, is full or shuts down costs time, never a verdict: the request goes to another service, or to the
same one later; and to another one where no grading service answers at an address. The future raises `GraderError` when
none has answered for `patience_s`.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from microcoder_eval.connection.after_fork import renew_after_fork
from microcoder_eval.connection.http_exchange import Abandoned, Answer, Exchange, Silent, Unreachable, check_address
from microcoder_eval.connection.plain_runs import outputs_from, run_body, run_from
from microcoder_eval.connection.sent_problem import SentProblem
from microcoder_eval.connection.shown_address import without_password
from microcoder_eval.connection.waiting_calls import WaitingCalls
from microcoder_eval.errors import GraderError, InputError
from microcoder_eval.gradable import refuse_wrong_types
from microcoder_eval.outputs import Output, refuse_without_outputs
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.program_run import ProgramRun
from microcoder_eval.ready_first import ready_first
from microcoder_eval.verdict import Grade

Result = TypeVar("Result")

PATIENCE_S = 900.0
AT_ONCE = 64
KEPT_PROBLEMS, KEPT_CHARACTERS = 512, 256 << 20
"""How many problems are kept as they are sent, and how many characters they have together; the last one always is."""
MOST_UNKNOWN = 2
"""A problem goes with its request when services have not known its key so many times."""
SLOWEST_ANSWER_S = 660.0
"""A little more than a service lets a grading take."""
PASSING = {408, 425, 429, 500, 502, 503, 504}
"""Statuses that a proxy, or a service whose connections are all taken, sends for a while. Every other status without
this project's reason comes from something that is not a grading service."""
WORKER_TIMEOUTS = 2
"""A request is given up when this many gradings of it took longer than a service allows."""
SHORTEST_REST_S, LONGEST_REST_S = 0.05, 5.0
"""How long a service rests that gave no answer; the time doubles with each failure."""


class RemoteGrader(WaitingCalls):
    """Gives what `Grader` gives. A problem may also be the id of one that the service has loaded."""

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        token: str = "",
        policy: str | None = None,
        patience_s: float = PATIENCE_S,
        at_once: int = AT_ONCE,
        revive: Callable[[bool], None] | None = None,
    ) -> None:
        """
        policy: a service that grades with another one refuses; None takes any.
        patience_s: how long a request is sent again while no service answers it.
        at_once: how many requests are open at the same time.
        revive: starts the service; called when it cannot be reached, with whether it takes connections and answers
            nothing. Picklable.
        """
        for address in addresses:
            check_address(address)
        if type(at_once) is not int or not 1 <= at_once <= 4096:
            raise InputError(f"at_once: a whole number from 1 to 4096 expected, found {at_once!r}")
        self._settings: dict[str, Any] = {
            "addresses": list(addresses),
            "token": token,
            "policy": policy,
            "patience_s": patience_s,
            "at_once": at_once,
            "revive": revive,
        }
        self._closed = False
        self.renew()
        renew_after_fork(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (self._settings,)

    def renew(self) -> None:
        """Begin with no threads and no connections."""
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._threads = 0
        self._free = 0  # threads without a request, less the requests that wait for one
        self._problems: OrderedDict[int, SentProblem] = OrderedDict()
        self._characters = 0
        self._services = _Services(self._settings["addresses"])

    def submit(
        self,
        problem: Problem | str,
        submission: Submission | str,
        *,
        all_tests: bool | None = None,
        fresh: bool = False,
    ) -> Future[Grade]:
        """Start grading; the future gives the `Grade`. A plain string is a model's reply. `fresh`: see `Grader`."""
        options = {"all_tests": all_tests, "fresh": fresh or None}
        return self._start_with("/v1/grade", problem, submission, options, Grade.from_dict)

    def outputs(self, problem: Problem, submission: Submission) -> Future[list[Output]]:
        """What a program answers to the inputs of all tests; see `Grader`."""
        refuse_without_outputs(problem)
        return self._start_with("/v1/outputs", problem, submission, {}, outputs_from)

    def submit_run(
        self,
        code: str,
        language: str = "python",
        stdin: str | bytes = "",
        files: Mapping[str, str | bytes] | None = None,
        **options: Any,
    ) -> Future[ProgramRun]:
        """Start a plain run of a program. `options` are those of `Grader.submit_run`."""
        body = run_body(code, language, stdin, files or {}, options, self._settings["policy"])
        return self._start(_Request("/v1/run", None, body, run_from, Future()))

    def _start(self, request: _Request) -> Future[Any]:
        request.answer.add_done_callback(_tell_who_waits)
        with self._lock:
            if self._closed:
                raise GraderError("the connection to the grader is closed")
            if self._free <= 0 and self._threads < self._settings["at_once"]:
                threading.Thread(target=self._serve, name="microcoder-remote", daemon=True).start()
                self._threads += 1
                self._free += 1
            self._free -= 1
            self._work.put(request)
        return request.answer

    def grade_many(self, pairs: Iterable[tuple[Problem | str, Submission | str]]) -> Iterator[Grade]:
        """Grade a stream of any length; grades come as they are ready, in no fixed order."""
        yield from ready_first(lambda pair: self.submit(*pair), pairs, 2 * self._settings["at_once"])

    def close(self) -> None:
        """Take no more work. Futures of what was submitted get their results, unless no service can be reached."""
        with self._lock:
            if not self._closed:
                self._closed = True
                for _ in range(self._threads):
                    self._work.put(None)

    def _start_with(
        self,
        path: str,
        problem: Problem | str,
        submission: Submission | str,
        options: dict[str, Any],
        read: Callable[[Any], Result],
    ) -> Future[Result]:
        """Start a request for a grading or for outputs."""
        name = problem if isinstance(problem, str) else getattr(problem, "id", "")
        if isinstance(submission, str):
            submission = Submission(id="", problem_id=name, response=submission)
        if not isinstance(problem, str):
            refuse_wrong_types(problem, submission)
        elif not isinstance(submission, Submission):
            raise TypeError(f"the submission is a Submission, not {type(submission).__name__}")
        record = {key: value for key, value in submission.to_dict().items() if key != "problem_id"}
        options["policy"] = self._settings["policy"]
        record["options"] = {key: value for key, value in options.items() if value is not None}
        if isinstance(problem, str):
            record["problem_id"] = problem
        sent = None if isinstance(problem, str) else self._sent(problem)
        return self._start(_Request(path, sent, json.dumps(record).encode("ascii"), read, Future()))

    def _sent(self, problem: Problem) -> SentProblem:
        """The problem as it is sent, kept for the problems used last."""
        with self._lock:
            known = self._problems.get(id(problem))
            if known is not None:
                self._problems.move_to_end(id(problem))
                return known
        sent = SentProblem(problem)
        with self._lock:
            known = self._problems.setdefault(id(problem), sent)  # it holds the problem: no other object gets its id()
            self._characters += len(sent.whole) if known is sent else 0
            while len(self._problems) > 1 and (
                len(self._problems) > KEPT_PROBLEMS or self._characters > KEPT_CHARACTERS
            ):
                self._characters -= len(self._problems.popitem(last=False)[1].whole)
        return known

    def _serve(self) -> None:
        """The body of a thread: takes requests from the queue and sends them on connections of its own."""
        work, lock, exchanges = self._work, self._lock, dict[str, Exchange]()
        while True:
            item = work.get()
            if item is None:
                for exchange in exchanges.values():
                    exchange.close()
                return
            with suppress(InvalidStateError):  # the caller has cancelled the future
                try:
                    found = self._ask(item, exchanges)
                except Abandoned:
                    pass
                except BaseException as error:  # whatever it is, the future raises it
                    item.answer.set_exception(error)
                else:
                    item.answer.set_result(found)
            del item  # while the thread waits, nothing may keep the request's problem and result alive
            with lock:
                self._free += 1

    def _ask(self, request: _Request, exchanges: dict[str, Exchange]) -> Any:
        """Send one request to one service after the other until it is answered or given up; return the result."""
        deadline = time.monotonic() + self._settings["patience_s"]
        timeouts, unknown, last = 0, 0, "no service was asked"
        strangers, unreachable = set[str](), set[str]()
        asked: list[Exchange] = []

        def is_wanted() -> bool:
            return not request.answer.cancelled()

        def abandon(answer: Future[Any]) -> None:
            if answer.cancelled() and asked:
                asked[0].abandon()

        request.answer.add_done_callback(abandon)
        while is_wanted():
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise GraderError(f"no grader has answered for {self._settings['patience_s']:g} s: {last}")
            service = self._services.take(left_s)
            if service is None:
                continue
            rest_s: float | None = None
            try:
                exchange = exchanges.get(service.address)
                if exchange is None:
                    exchange = exchanges[service.address] = Exchange(service.address, self._settings["token"])
                asked[:] = [exchange]
                if service.silent and not exchange.is_alive():
                    raise Silent(f"{service.shown}: it takes connections, and answers nothing")
                service.silent = False
                wait_s = min(left_s, SLOWEST_ANSWER_S)
                asked_at = time.monotonic()
                whole = unknown >= MOST_UNKNOWN
                answer = exchange.post(request.path, request.body(whole), wait_s, is_wanted)
                if request.problem and not whole and _kind(answer) == "unknown_problem":
                    unknown += 1
                    sent = request.problem.send(exchange, service.address, asked_at, wait_s, is_wanted)
                    if sent is None or sent.status == 200:
                        continue
                    answer = sent
                if answer.status == 200:
                    found = _read(request, answer, service.shown)
                    service.failures = 0
                    return found
                last = f"{service.shown}: {_message(answer)}"
                kind = _kind(answer)
                if kind == "unknown_call" or (not kind and answer.status not in PASSING):
                    raise _Stranger(f"{last}; is this the address of a grading service?")
                if kind in ("over_limit", "too_large"):
                    raise GraderError(f"{last}; another service may allow it")
                if answer.status in (400, 404, 413):
                    raise InputError(_message(answer))
                if answer.status == 401:
                    raise GraderError(f"{last}; connect with token=")
                timeouts += kind == "worker_timeout"
                if timeouts >= WORKER_TIMEOUTS:
                    raise GraderError(f"the grading took longer than the service allows: {last}")
                rest_s = answer.retry_after_s
            except Unreachable as error:
                last, rest_s = str(error), 0.0
                service.silent = isinstance(error, Silent)
                if self._revive(service.silent):  # a rest could outlast what it starts, which ends when it is idle
                    service.silent, rest_s = False, None
                    continue
                unreachable.add(service.address)
                if self._closed and len(unreachable) == len(self._settings["addresses"]):
                    raise GraderError(f"{last}; the connection to the grader is closed") from None
            except _Stranger as error:
                last, rest_s = str(error), 0.0
                strangers.add(service.address)
                if len(strangers) == len(self._settings["addresses"]):
                    raise
            finally:
                self._services.give_back(service, rest_s)
        raise Abandoned

    def _revive(self, silent: bool) -> bool:
        """Start the service again. Returns whether this grader can do that."""
        if self._settings["revive"] is None:
            return False
        self._settings["revive"](silent)
        return True


class _Stranger(GraderError):
    """Something that is not a grading service has answered. Another address may have one."""


class _Request(NamedTuple):
    """A request that waits for its answer."""

    path: str
    problem: SentProblem | None
    rest: bytes
    """The JSON of all other fields."""
    read: Callable[[Any], Any]
    """Makes the caller's result from the body of an answer."""
    answer: Future[Any]

    def body(self, whole: bool) -> bytes:
        """What is sent. whole: with the problem itself instead of its key."""
        if self.problem is None:
            return self.rest
        field = self.problem.whole if whole else self.problem.named
        return f"{{{field},".encode("ascii") + self.rest[1:]


class _Service:
    """What this process knows of a service."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.shown = without_password(address)
        self.outstanding = 0
        self.failures = 0
        self.silent = False
        """Whether it took a connection and answered nothing. Then one request at a time asks whether it does again."""
        self.rests_until = 0.0


class _Services:
    """All services. The one with the fewest outstanding requests is next; one that failed rests for a while."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._lock = threading.Lock()
        self._all = [_Service(address) for address in addresses]

    def take(self, most_s: float) -> _Service | None:
        """The next service. When all of them rest, wait for a while, at most `most_s`, and return None."""
        now = time.monotonic()
        with self._lock:
            awake = [
                service
                for service in self._all
                if service.rests_until <= now and not (service.silent and service.outstanding)
            ]
            if awake:
                chosen = min(awake, key=lambda service: service.outstanding)
                chosen.outstanding += 1
                return chosen
            pause_s = min(service.rests_until for service in self._all) - now
        time.sleep(min(max(pause_s, SHORTEST_REST_S), most_s, 1.0))
        return None

    def give_back(self, service: _Service, rest_s: float | None) -> None:
        """End a request to a service. rest_s: it failed, and rests for this long at least; None: it has answered."""
        with self._lock:
            service.outstanding -= 1
            if rest_s is not None:
                service.failures += 1
                growing = min(LONGEST_REST_S, SHORTEST_REST_S * 2 ** min(10, service.failures - 1))
                service.rests_until = time.monotonic() + max(growing, min(rest_s, LONGEST_REST_S))


def _tell_who_waits(answer: Future[Any]) -> None:
    """Wake those who wait for several futures, as `concurrent.futures.wait` does, when one is cancelled."""
    if answer.cancelled():
        answer.set_running_or_notify_cancel()


def _read(request: _Request, answer: Answer, address: str) -> Any:
    try:
        return request.read(answer.body)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise _Stranger(f"{address} answered {request.path} with something unknown: {error!r}") from None


def _error(answer: Answer) -> dict[str, Any]:
    """The object that says why a service has refused or failed; empty when the answer holds none."""
    error = answer.body.get("error") if isinstance(answer.body, dict) else None
    return error if isinstance(error, dict) else {}


def _kind(answer: Answer) -> str:
    return str(_error(answer).get("kind", ""))


def _message(answer: Answer) -> str:
    return str(_error(answer).get("message") or f"status {answer.status}")[:2000]


def _make(settings: dict[str, Any]) -> RemoteGrader:
    return RemoteGrader(**settings)
