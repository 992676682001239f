"""A grader on a Ray cluster. One thread sends work to the nodes' actors and takes their answers, in any order.

    with ClusterGrader("auto", cpus=4) as grader:
        for grade in grader.grade_many(pairs): ...

Work waits here until a node has room for it. Batches become smaller as less work is left, so that no node is the last
one with a long batch. When an actor or node dies, its unanswered work is graded again by another one; each future gets
one answer, or is cancelled and frees its place. Memory here is bounded by what is submitted and not answered.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import queue
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from microcoder_eval.connection.after_fork import renew_after_fork
from microcoder_eval.connection.cluster.dispatch import Dispatcher, Packed, Work
from microcoder_eval.connection.cluster.join import import_ray, join_cluster
from microcoder_eval.connection.cluster.node_grader import GraderCall
from microcoder_eval.connection.cluster.nodes import WINDOW_PER_WORKER
from microcoder_eval.connection.waiting_calls import WaitingCalls
from microcoder_eval.errors import GraderError, InputError, first_line
from microcoder_eval.gradable import refuse_wrong_types
from microcoder_eval.outputs import Output
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.ready_first import ready_first
from microcoder_eval.scheduling.grader_arguments import check_options
from microcoder_eval.verdict import Grade

logger = logging.getLogger(__name__)

PATIENCE_S = 300.0
KEPT_PROBLEM_BYTES = 256 << 20
LEAST_OPEN = 64
"""`grade_many` has at least this many gradings open, however small the cluster is."""
CLOSED = "the grader is closed"


class ClusterGrader(WaitingCalls):
    """Gives what `Grader` gives."""

    def __init__(
        self, address: str = "auto", *, cpus: float | None = None, patience_s: float = PATIENCE_S, **options: Any
    ) -> None:
        """
        address: as `join_cluster` takes it.
        cpus: what is reserved of each node, whole or fractional, and how many tests run there at the same time; None
            reserves nothing and runs as many as the node has CPUs.
        patience_s: how long work waits while no node can grade.
        options: those of `Grader`; `workers` is for each node.
        """
        import_ray()
        if cpus is not None and not (type(cpus) in (int, float) and 0 < cpus < 1e6):
            raise InputError(f"cpus: a number above 0 expected, found {cpus!r}")
        check_options(options)
        self._settings: dict[str, Any] = {"address": address, "cpus": cpus, "patience_s": patience_s, **options}
        self._grader_options = options
        self._ended = ""
        """Why it takes no more work; empty while it does."""
        self.renew()
        renew_after_fork(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (self._settings,)

    def renew(self) -> None:
        """Begin with no thread and no work."""
        self._lock = threading.Lock()
        self._events: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._waiting: deque[Work] = deque()
        self._problems: OrderedDict[int, tuple[Problem, Packed]] = OrderedDict()
        self._problem_bytes = 0
        self._thread: threading.Thread | None = None

    def submit(self, problem: Problem, submission: Submission | str, **options: Any) -> Future[Grade]:
        """Start grading; the future gives the `Grade`. A plain string is a model's reply. `options`: see `Grader`."""
        if isinstance(submission, str) and isinstance(problem, Problem):
            submission = Submission(id="", problem_id=problem.id, response=submission)
        refuse_wrong_types(problem, submission)
        return self._ask("submit", problem, (submission,), options)

    def outputs(self, problem: Problem, submission: Submission) -> Future[list[Output]]:
        """What a program answers to the inputs of all tests; see `Grader`."""
        refuse_wrong_types(problem, submission)
        return self._ask("outputs", problem, (submission,), {})

    def submit_run(
        self,
        code: str,
        language: str = "python",
        stdin: str | bytes = "",
        files: Mapping[str, str | bytes] | None = None,
        **options: Any,
    ) -> Any:
        """Start a plain run of a program; the future gives the `ProgramRun`. `options`: see `Grader`."""
        return self._ask("submit_run", None, (code, language, stdin, files), options)

    def grade_many(self, pairs: Iterable[tuple[Problem, Submission | str]]) -> Iterator[Grade]:
        """Grade a stream of any length; grades come as they are ready, in no fixed order."""
        self._begin()
        cpus = int(import_ray().cluster_resources().get("CPU", 1))
        most_open = max(LEAST_OPEN, 2 * WINDOW_PER_WORKER * cpus)
        yield from ready_first(lambda pair: self.submit(*pair), pairs, most_open)

    def close(self) -> None:
        """End. Futures without an answer raise `GraderError`. Actors that this process has started end too."""
        with self._lock:
            self._ended = self._ended or CLOSED
            thread = self._thread
        if thread is not None and thread.is_alive():
            self._events.put(("close",))
            if thread is not threading.current_thread():
                thread.join()

    def _ask(self, method: str, problem: Problem | None, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Queue a call of a `Grader`'s method; return the future of its result."""
        packed = None if problem is None else self._pack(problem)
        self._begin()
        given = {name: value for name, value in options.items() if value is not None}
        call = GraderCall(secrets.token_hex(8), method, packed.key if packed else "", arguments, given)
        work, events = Work(call, packed, problem), self._events
        work.answer.add_done_callback(lambda answer: events.put(("cancelled", work)) if answer.cancelled() else None)
        with self._lock:
            if self._ended:
                raise GraderError(self._ended)
            self._waiting.append(work)
        self._events.put(("work",))
        return work.answer

    def _begin(self) -> None:
        """Join the cluster and start the thread, once in each process."""
        with self._lock:
            if self._ended:
                raise GraderError(self._ended)
            if self._thread is None:
                join_cluster(self._settings["address"])
                self._thread = threading.Thread(target=self._dispatch, name="microcoder-cluster", daemon=True)
                self._thread.start()

    def _pack(self, problem: Problem) -> Packed:
        """The problem as bytes; those of the problems used last are kept, up to KEPT_PROBLEM_BYTES."""
        with self._lock:
            known = self._problems.get(id(problem))
            if known is not None:
                self._problems.move_to_end(id(problem))
                return known[1]
        content = pickle.dumps(replace(problem, statement=""), protocol=5)
        packed = Packed(hashlib.sha256(content).hexdigest(), content, len(content))
        with self._lock:
            self._problems[id(problem)] = problem, packed  # the problem too, so that no other object gets its id()
            self._problem_bytes += packed.size
            while self._problem_bytes > KEPT_PROBLEM_BYTES and len(self._problems) > 1:
                self._problem_bytes -= self._problems.popitem(last=False)[1][1].size
        return packed

    def _dispatch(self) -> None:
        """The body of the thread. When it ends, every unanswered future raises the reason."""
        dispatcher = Dispatcher(self._settings, self._grader_options, self._waiting, self._events)
        try:
            dispatcher.run()
            failure = GraderError("the grader was closed before it answered")
        except BaseException as error:  # whatever it is, the waiting futures raise it
            logger.exception("the thread that sends work to the cluster has failed")
            failure = GraderError(f"grading on the cluster failed: {type(error).__name__}: {first_line(error)}")
        with self._lock:
            self._ended = self._ended or f"{failure}: connect again"
        for work in [*dispatcher.open_work(), *self._waiting]:
            work.fail(failure)


def _make(settings: dict[str, Any]) -> ClusterGrader:
    return ClusterGrader(**settings)
